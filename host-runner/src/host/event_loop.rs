//! The host's one loop: waits for whatever is ready, once, and lets the rooms beside it act.
//!
//! One thread, every descriptor non-blocking, no timer while nothing happens: an idle host sleeps in `poll` until
//! somebody writes (field report G3).

use super::{
    client::{Client, ClientId, Phase},
    complaints::Complaints,
    outbox::Outbox,
    owned::Owned,
    pty::{MAX_WAITING_INPUT, Pty},
    reports::Scheme,
    screen::{FOLLOW_FROM_BYTES, MAX_LAG_BYTES, Screen},
    screen_log::ScreenLog,
    signals::Signals,
    size::SizePolicy,
    socket::Listener,
    stop::Stop,
    tree::Tree,
    uplink::Uplink,
    words::{Draft, MAX_KEPT_KEYS},
    writing::Writing,
};
use crate::{agents::event::EditorState, deliveries::Deliveries, polling::timespec, root::BoardRoot};
use board_protocol::{
    host::{Exit, HostLaunch, PlainLeft, TerminalLook},
    ids::{ProcessIdentity, UnixMs},
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use std::{
    io,
    os::fd::AsFd,
    time::{Duration, Instant},
};

/// How long after its output the terminal follows at the latest. Whoever is waked by that output has the processor first:
/// a key's echo is on its way meanwhile.
const FOLLOW_WITHIN: Duration = Duration::from_millis(4);
/// Most connections at once: every pane and script of one person, many times over.
pub(super) const MAX_CLIENTS: usize = 256;

/// Everything that one host owns.
pub(super) struct Host {
    pub(super) launch: HostLaunch,
    pub(super) root: BoardRoot,
    pub(super) process: ProcessIdentity,
    pub(super) signals: Signals,
    pub(super) listener: Option<Listener>,
    pub(super) pty: Option<Pty>,
    pub(super) child: Option<ProcessIdentity>,
    pub(super) tree: Option<Tree>,
    pub(super) screen: Screen,
    /// What a terminal of an agent has.
    pub(super) owned: Option<Owned>,
    pub(super) screen_log: ScreenLog,
    pub(super) clients: Vec<Client>,
    pub(super) last_client: ClientId,
    pub(super) sizes: SizePolicy,
    pub(super) uplink: Uplink,
    pub(super) outbox: Outbox,
    /// What became of a person's words that the daemon sent.
    pub(super) deliveries: Deliveries,
    /// Those that are being written.
    pub(super) writing: Option<Writing>,
    /// Until when nothing else is typed after the last of them.
    pub(super) rest_until: Option<Instant>,
    /// Whether the agent's text field holds something.
    pub(super) draft: Draft,
    /// What the agent's text field holds, as it said.
    pub(super) editor: EditorState,
    /// What whoever is attached typed meanwhile.
    pub(super) kept_keys: Vec<u8>,
    /// When somebody who is attached last typed.
    pub(super) keys_at: Option<Instant>,
    pub(super) stop: Stop,
    /// The program ended like this.
    pub(super) exit: Option<Exit>,
    /// What plain Left does in an attach pane.
    pub(super) plain_left: PlainLeft,
    /// The daemon does not want this host: nothing is reported.
    pub(super) revoked: bool,
    /// Set once the end was announced: when to leave at the latest.
    pub(super) leave_by: Option<Instant>,
    /// When the ring shrinks, unless somebody attaches.
    pub(super) shrink_at: Option<Instant>,
    /// When the oldest output came that the terminal has not seen.
    pub(super) lags_since: Option<Instant>,
    pub(super) last_active: Option<Instant>,
    pub(super) last_typed: Option<Instant>,
    /// When a line end was typed that is not reported yet.
    pub(super) typed_since: Option<UnixMs>,
    pub(super) last_spawn: Option<Instant>,
    pub(super) buffer: Vec<u8>,
    pub(super) encoded: Vec<u8>,
    pub(super) no_look: TerminalLook,
    /// Connections that broke our rules.
    pub(super) complaints: Complaints,
    /// The colour scheme that the program was told last.
    pub(super) scheme: Scheme,
}

/// What is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Children,
    StopSignal,
    Listener,
    Pty,
    Uplink,
    Client(ClientId),
}

impl Host {
    /// Runs until the program has ended and that is known to whoever must know.
    pub(super) fn run(mut self) -> io::Result<()> {
        while !self.is_done(Instant::now()) {
            self.turn()?;
        }
        self.spool_rest();
        if let Some(count) = self.complaints.rest() {
            tracing::warn!(count, "more broken connections were dropped");
        }
        Ok(())
    }

    fn turn(&mut self) -> io::Result<()> {
        let now = Instant::now();
        self.on_time(now);
        let ready = self.wait(now)?;
        let now = Instant::now();
        if ready.is_empty() && self.follow_at(now).is_some_and(|at| now >= at) {
            self.screen.parse_slice();
        }
        for (source, flags) in ready {
            match source {
                Source::StopSignal => {
                    if self.signals.take_stop() {
                        self.stop.ask();
                    }
                }
                Source::Children => self.reap(now),
                Source::Client(id) => self.on_client(id, flags, now),
                Source::Pty => self.on_pty(flags, now),
                Source::Uplink => {
                    for event in self.uplink.on_ready(now) {
                        self.on_uplink(event, now);
                    }
                }
                Source::Listener => self.accept(now),
            }
        }
        self.tend_clients(now);
        // Behind it: with a connection its waits are gone, and that is told.
        self.tend_waits(now);
        Ok(())
    }

    /// Everything that is due.
    fn on_time(&mut self, now: Instant) {
        if let Some(event) = self.uplink.on_time(now) {
            self.on_uplink(event, now);
        }
        self.advance_stop(now);
        if self.words_deadline().is_some_and(|at| now >= at) {
            self.write_on(now);
        }
        self.report_typed(now);
        self.screen_log.on_time(&self.screen, now);
        if self.shrink_at.is_some_and(|at| now >= at) {
            self.shrink_at = None;
            self.screen_log.write(&self.screen);
            self.screen.shrink();
            self.buffer = Vec::new();
            self.encoded = Vec::new();
            crate::kernel::return_memory();
        }
    }

    fn next_deadline(&self, now: Instant) -> Option<Instant> {
        let clients = self.clients.iter().filter_map(|client| match client.phase {
            Phase::Greeting { deadline } | Phase::Leaving { deadline } => Some(deadline),
            Phase::Ready { .. } => None,
        });
        let own = [self.uplink.next_deadline(), self.stop.next_deadline(now), self.typed_due()];
        let waits = self.owned.as_ref().and_then(|owned| owned.next_deadline(now));
        let rest = [
            self.shrink_at,
            self.leave_by,
            self.words_deadline(),
            self.follow_at(now),
            self.screen_log.next_deadline(),
            waits,
        ];
        own.into_iter().chain(rest).flatten().chain(clients).min()
    }

    /// When the terminal follows the output that it has not seen, if nothing else is to do then.
    fn follow_at(&self, now: Instant) -> Option<Instant> {
        match self.screen.lag() {
            0 => None,
            FOLLOW_FROM_BYTES.. => Some(now),
            _ => self.lags_since.map_or(Some(now), |since| Some(since + FOLLOW_WITHIN)),
        }
    }

    /// Sleeps until something is ready or due.
    fn wait(&self, now: Instant) -> io::Result<Vec<(Source, PollFlags)>> {
        let timeout = self.next_deadline(now).map(|at| at.saturating_duration_since(now));
        let mut sources = vec![Source::StopSignal, Source::Children];
        let mut fds = vec![
            PollFd::from_borrowed_fd(self.signals.stop_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.signals.child_fd(), PollFlags::IN),
        ];
        for client in &self.clients {
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::IN, client.attached.is_none() || self.takes_input());
            flags.set(PollFlags::OUT, client.has_waiting());
            sources.push(Source::Client(client.id));
            fds.push(PollFd::from_borrowed_fd(client.stream.as_fd(), flags));
        }
        if let Some(pty) = &self.pty {
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::IN, self.screen.lag() < MAX_LAG_BYTES);
            flags.set(PollFlags::OUT, pty.waiting_input() > 0);
            sources.push(Source::Pty);
            fds.push(PollFd::from_borrowed_fd(pty.as_fd(), flags));
        }
        if let Some((fd, writing)) = self.uplink.fd() {
            let flags = if writing { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
            sources.push(Source::Uplink);
            fds.push(PollFd::from_borrowed_fd(fd, flags));
        }
        if let Some(listener) = &self.listener
            && self.clients.len() < MAX_CLIENTS
        {
            sources.push(Source::Listener);
            fds.push(PollFd::from_borrowed_fd(listener.as_fd(), PollFlags::IN));
        }
        let timeout = timeout.map(timespec);
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        let flags = fds.iter().map(PollFd::revents);
        Ok(sources.into_iter().zip(flags).filter(|(_, flags)| !flags.is_empty()).collect())
    }

    fn takes_input(&self) -> bool {
        self.pty.as_ref().is_none_or(|pty| pty.waiting_input() < MAX_WAITING_INPUT)
            && self.kept_keys.len() < MAX_KEPT_KEYS
    }

    /// The time of day.
    pub(super) fn wall_clock() -> UnixMs {
        crate::fresh::now()
    }
}
