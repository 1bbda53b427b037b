//! One session's host: its PTY, its program, its canonical terminal, its socket, and its reports to the daemon.
//!
//! Started detached by the daemon; it lives and dies with its program and never with the daemon. Terminal bytes never
//! leave through anything but its own socket.
//!
//! Reading order: [`run`], `event_loop` (the one `poll`), `output` (PTY to clients), `serve` (clients), `supervise` (program, stop,
//! facts), `reclaim` (the end of an idle program), `words` (of a person, for the program), `editor` (may plain Left detach?), `owned` (a
//! terminal of an agent, and what it asks); below them `pty`, `tree`, `screen`, `screen_log`, `client`, `uplink`, `socket`,
//! `signals`; pure: `stop`, `size`, `waits`, `outbox`, `writing`, `complaints`, `reports`.

mod client;
mod complaints;
mod editor;
mod event_loop;
mod outbox;
mod output;
mod owned;
mod pty;
mod queue;
mod reclaim;
mod reports;
mod screen;
mod screen_log;
mod serve;
mod signals;
mod size;
mod socket;
pub(crate) mod stop;
pub(crate) mod supervise;
pub(crate) mod tree;
mod uplink;
mod waits;
mod words;
mod writing;

use crate::{agents::event::EditorState, deliveries::Deliveries, process, root::BoardRoot};
use board_protocol::host::{HostLaunch, PlainLeft, TerminalLook};
use board_text::host as texts;
use client::ClientId;
use complaints::Complaints;
use event_loop::Host;
use outbox::Outbox;
use owned::Owned;
use pty::Pty;
use reports::Scheme;
use screen::Screen;
use screen_log::ScreenLog;
use signals::Signals;
use size::SizePolicy;
use socket::Listener;
use std::{path::Path, time::Instant};
use stop::Stop;
use uplink::Uplink;
use words::Draft;

/// The signals of a host, held from before its launch is read.
#[derive(Debug)]
pub struct Prepared(Signals);

/// Detaches from the starter's session and catches signals. Called first: a stop at any later moment is kept.
///
/// # Errors
/// The kernel gives no descriptors.
pub fn prepare() -> std::io::Result<Prepared> {
    let signals = Signals::install()?;
    // Fails for the leader of a process group, which then already has a session of its own or a person at its terminal.
    let _ = rustix::process::setsid();
    // Descendants whose parents die come to us and not to init: they stay countable and are reaped.
    if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
        tracing::warn!("orphans of the session go to init: {error}");
    }
    Ok(Prepared(signals))
}

/// Runs one session until its program has ended and that is known to the daemon or written to the disk.
///
/// # Errors
/// `poll` failed, or the root cannot be used. Everything else is reported to the daemon.
pub fn run(prepared: Prepared, root: BoardRoot, launch: HostLaunch) -> std::io::Result<()> {
    let now = Instant::now();
    let size = launch.size.clamped();
    let deliveries = Deliveries::new(root.deliveries(&launch.session, &launch.generation));
    // 0 days: none is kept, so none is written.
    let keeps_log = launch.settings.screen_log_days > 0;
    let screen_log = ScreenLog::new(keeps_log.then(|| root.screen_log(&launch.session)));
    let uplink = Uplink::new(root.daemon_socket(), launch.generation.clone(), now);
    let mut host = Host {
        root,
        process: process::own_identity(),
        signals: prepared.0,
        listener: None,
        pty: None,
        child: None,
        tree: None,
        screen: Screen::new(size, launch.settings.history_lines),
        owned: launch.parent.clone().map(|parent| Owned::new(parent, size)),
        clients: Vec::new(),
        last_client: ClientId(0),
        sizes: SizePolicy::default(),
        uplink,
        outbox: Outbox::default(),
        deliveries,
        writing: None,
        rest_until: None,
        draft: Draft::default(),
        editor: EditorState::Unknown,
        kept_keys: Vec::new(),
        keys_at: None,
        stop: Stop::default(),
        exit: None,
        plain_left: PlainLeft::Typed,
        revoked: false,
        leave_by: None,
        shrink_at: None,
        screen_log,
        lags_since: None,
        last_active: None,
        last_typed: None,
        typed_since: None,
        last_spawn: None,
        buffer: Vec::new(),
        encoded: Vec::new(),
        no_look: TerminalLook::default(),
        complaints: Complaints::default(),
        scheme: Scheme::default(),
        launch,
    };
    // The socket first: the program's very first event must find it.
    match Listener::bind(Path::new(&host.launch.socket)) {
        Err(error) => host.fail_to_start(texts::cannot_bind(&host.launch.socket, &error), now),
        Ok(listener) => {
            host.listener = Some(listener);
            match Pty::open(size) {
                Err(error) => host.fail_to_start(texts::cannot_open_terminal(&error), now),
                Ok(pty) => {
                    host.pty = Some(pty);
                    host.start_program(now);
                }
            }
        }
    }
    host.run()
}
