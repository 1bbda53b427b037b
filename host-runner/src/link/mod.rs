//! The link: connects one zellij server's plugin instances with the daemon, over two `zellij pipe` children.
//!
//! Started by the layout in the status pane, or by the plugin without a terminal. [`machine`] decides, this loop and its
//! neighbours carry out. It ends with the zellij server, with its pane, or when every board was closed; its children die
//! with it in every case.
//!
//! Reading order: [`machine`] (with [`mirror`], [`asks`], [`queries`], [`address`], [`bar`]), [`pipes`], [`screens`],
//! [`transcripts`], [`directories`], [`choices`], [`daemon`], [`status`], [`lock`].

mod address;
mod asks;
pub(crate) mod bar;
mod choices;
mod daemon;
mod directories;
mod lock;
mod machine;
mod mirror;
mod pipes;
mod queries;
mod screens;
mod status;
mod transcripts;

pub(crate) use lock::{Boards, seats};
pub(crate) use pipes::become_child_of;

use crate::{
    agents::variable,
    assets, client,
    config::Config,
    fresh, process,
    program::runner_path,
    root::BoardRoot,
    transcript::Places,
    zellij::{
        name,
        server::{self, Server},
    },
};
use anyhow::Context;
use bar::Bar;
use board_protocol::{
    command::{EnvVar, MAX_ENVIRONMENT_BYTES},
    daemon::{LinkOpened, ToDaemon},
    hello::BOARD_PROTOCOL,
    ids::ProcessIdentity,
    pipe::{LinkHello, QueryPart},
};
use board_text::link as texts;
use choices::Choices;
use directories::Directories;
use lock::LinkLock;
use machine::{Facts, Input, Machine, Output};
use pipes::{PipeEvent, Pipes};
use rustix::{
    event::{PollFd, PollFlags, poll},
    process::{Pid, PidfdFlags, pidfd_open},
};
use status::StatusPane;
use std::{collections::VecDeque, path::PathBuf, sync::Arc, time::Duration};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    time::Instant,
};
use transcripts::Transcripts;

/// How often the server is looked at where the kernel cannot tell us of its end.
const SERVER_POLL: Duration = Duration::from_secs(1);
/// How long the first pipe child waits. The layout starts the link while zellij is still setting its session up; a client
/// that connects then may leave the person's own terminal blank. Seen in 3 of 19 starts without this pause and in none of
/// 42 with it, on a machine with other work, so it is a likely cause and not a proven one.
const FIRST_UP_AFTER: Duration = Duration::from_millis(400);
/// Variables that describe a pane. A session's terminal is none of zellij's panes: they would lie there.
const OF_A_PANE: [&[u8]; 3] = [b"ZELLIJ", b"ZELLIJ_SESSION_NAME", b"ZELLIJ_PANE_ID"];

/// The zellij server that this process belongs to: the one among its ancestors, else the one whose session is named.
pub(crate) fn own_server(session: Option<&str>) -> Option<Server> {
    server::among_ancestors(std::process::id()).or_else(|| {
        let from_environment = std::env::var("ZELLIJ_SESSION_NAME").ok();
        let wanted = session.or(from_environment.as_deref())?;
        let all = server::all();
        all.iter().find(|server| name::current(server, None, &all).as_deref() == Some(wanted)).cloned()
    })
}

/// Serves `server` until it or every board of it is gone. `session` is its name, where the caller knows it.
///
/// # Errors
/// The link cannot start at all: no lock, no signal handlers.
pub(crate) fn run(root: BoardRoot, server: Server, session: Option<String>) -> anyhow::Result<()> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context(texts::no_event_loop())?;
    let result = runtime.block_on(serve(root, server, session));
    // A connection attempt may still wait for its deadline in its own thread: nobody needs its result.
    runtime.shutdown_background();
    result
}

async fn serve(root: BoardRoot, server: Server, session: Option<String>) -> anyhow::Result<()> {
    // Before the lock names this process: from then on others may signal it.
    let mut missed = signal(SignalKind::user_defined1())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut resized = signal(SignalKind::window_change())?;
    let Some(mut lock) = LinkLock::take(&root, server.identity).context(texts::no_place())? else {
        return Ok(());
    };
    let mut status = StatusPane::open();
    let (pipe_events, mut from_pipes) = mpsc::unbounded_channel();
    let (daemon_events, mut from_daemon) = mpsc::unbounded_channel();
    let (questions, asked) = mpsc::unbounded_channel();
    let (screens, mut from_hosts) = mpsc::unbounded_channel();
    let (looks, mut from_files) = mpsc::unbounded_channel();
    let transcripts = Transcripts::new(Places::of(&root), looks.clone());
    let environment = environment();
    let opened = LinkOpened {
        server: server.identity,
        environment: environment.clone(),
        environment_at_ms: fresh::now(),
        terminal: status.terminal(),
    };
    let files = Files {
        directories: Arc::new(Directories::new(
            variable(&environment, "HOME").map(PathBuf::from),
            std::env::current_dir().unwrap_or_default(),
        )),
        choices: Arc::new(Choices::new(environment.clone(), root.directory().to_owned())),
        looks,
    };
    let facts = facts(&root, &server, session, environment);
    tokio::spawn(daemon::keep(root, opened, daemon_events, asked));
    let mut machine = Machine::new(facts);
    let mut hands = Hands {
        pipes: Pipes::new(server.clone(), pipe_events),
        server,
        questions,
        screens,
        files,
        transcripts,
    };
    let start = Instant::now();
    let mut inputs = VecDeque::from([Input::Tick]);
    let gone = server_gone(hands.server.clone());
    tokio::pin!(gone);
    loop {
        while let Some(input) = inputs.pop_front() {
            for output in machine.on(input, start.elapsed()) {
                let output = match output {
                    Output::Notify { text, ways } => {
                        status.notify(&text, &ways);
                        continue;
                    }
                    output => output,
                };
                match hands.carry_out(output) {
                    Done::GoOn => {}
                    Done::Failed(input) => inputs.push_back(input),
                    Done::Finished => return Ok(()),
                }
            }
        }
        let now = machine.status();
        lock.note(if now.board_listens { Boards::Answer } else { Boards::Silent });
        status.show(&now);
        let deadline = machine.next_deadline().map(|at| start + at);
        let tick = async {
            match deadline {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            Some(event) = from_pipes.recv() => {
                if hands.pipes.is_current(&event) {
                    inputs.push_back(match event {
                        PipeEvent::Line(_, line) => Input::Up(line),
                        PipeEvent::UpEnded(_) => Input::UpEnded,
                        PipeEvent::DownEnded(_) => Input::DownEnded,
                    });
                }
            }
            Some(event) = from_daemon.recv() => inputs.push_back(Input::Daemon(event)),
            Some((id, parts)) = from_files.recv() => inputs.push_back(Input::Looked { id, parts }),
            Some((id, text)) = from_hosts.recv() => inputs.push_back(Input::ScreenRead { id, text }),
            () = tick => inputs.push_back(Input::Tick),
            _ = missed.recv() => inputs.push_back(Input::Missed),
            // The next `show` sees the new width.
            _ = resized.recv() => {}
            () = &mut gone => return Ok(()),
            _ = hangup.recv() => break,
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
        }
    }
    // The pane was closed or the link was told to end, and the server lives: boards may look for another link at once.
    if let Some(goodbye) = machine.goodbye() {
        hands.pipes.write(goodbye);
    }
    hands.pipes.finish().await;
    Ok(())
}

/// What one output led to.
enum Done {
    GoOn,
    Failed(Input),
    Finished,
}

/// Carries the machine's outputs out.
struct Hands {
    server: Server,
    pipes: Pipes,
    questions: mpsc::UnboundedSender<ToDaemon>,
    screens: mpsc::UnboundedSender<(u64, Option<String>)>,
    files: Files,
    transcripts: Transcripts,
}

/// Looks at file systems, each on a thread of its own.
struct Files {
    directories: Arc<Directories>,
    choices: Arc<Choices>,
    looks: mpsc::UnboundedSender<(u64, Vec<QueryPart>)>,
}

impl Hands {
    fn carry_out(&mut self, output: Output) -> Done {
        match output {
            Output::StartUp { session, line } => {
                let started =
                    self.session(session).is_some_and(|session| self.pipes.start_up(&session, line).is_ok());
                if started { Done::GoOn } else { Done::Failed(Input::UpEnded) }
            }
            Output::StartDown { session, address } => {
                let started = self
                    .session(session)
                    .is_some_and(|session| self.pipes.start_down(&session, address.as_ref()).is_ok());
                if started { Done::GoOn } else { Done::Failed(Input::DownEnded) }
            }
            Output::StopUp => {
                self.pipes.stop_up();
                Done::GoOn
            }
            Output::StopDown => {
                self.pipes.stop_down();
                Done::GoOn
            }
            Output::Write(bytes) => {
                self.pipes.write(bytes);
                Done::GoOn
            }
            Output::Ask { id, request } => {
                let _ = self.questions.send(ToDaemon::Ask { id, request });
                Done::GoOn
            }
            Output::ReadScreen { id, socket } => {
                let screens = self.screens.clone();
                tokio::task::spawn_blocking(move || screens.send((id, screens::read(&socket))));
                Done::GoOn
            }
            Output::ListDirectories { id, prefix } => {
                let (directories, looks) = (Arc::clone(&self.files.directories), self.files.looks.clone());
                tokio::task::spawn_blocking(move || looks.send((id, directories.complete(&prefix))));
                Done::GoOn
            }
            Output::LookForAgents { id, preferences } => {
                let (choices, looks) = (Arc::clone(&self.files.choices), self.files.looks.clone());
                tokio::task::spawn_blocking(move || looks.send((id, choices.parts(*preferences))));
                Done::GoOn
            }
            Output::ReadTranscript { id, source, window } => {
                self.transcripts.read(id, source, window);
                Done::GoOn
            }
            Output::Looked { number, clients } => {
                let _ = self.questions.send(ToDaemon::Looked { number, clients });
                Done::GoOn
            }
            // The status pane's, which the loop has.
            Output::Notify { .. } => Done::GoOn,
            Output::Finish => Done::Finished,
        }
    }

    fn session(&self, known: Option<String>) -> Option<String> {
        known.or_else(|| name::current(&self.server, None, &server::all()))
    }
}

fn facts(root: &BoardRoot, server: &Server, session: Option<String>, environment: Vec<EnvVar>) -> Facts {
    let from_environment = session.or_else(|| std::env::var("ZELLIJ_SESSION_NAME").ok());
    let text = |path: std::io::Result<std::path::PathBuf>| {
        path.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let config = Config::load();
    Facts {
        link: fresh::generation(),
        hello: LinkHello {
            versions: BOARD_PROTOCOL,
            build: crate::BUILD.to_owned(),
            plugin_build: assets::plugin_build(),
            runner: text(runner_path()),
            root: root.directory().to_string_lossy().into_owned(),
            cwd: text(std::env::current_dir()),
            default_agent: config.default_agent.name().to_owned(),
            glyphs: config.glyphs,
            look: config.look(|name| std::env::var_os(name)),
            attach_locked: config.attach_locked,
            language: config.spoken().tag().to_owned(),
        },
        server_pid: server.identity.pid,
        environment,
        session: name::current(server, from_environment.as_deref(), &server::all()),
        first_up_at: FIRST_UP_AFTER,
        bar: config
            .status_bar
            .clone()
            .map(|target| Bar::new(target, config.status_bar_format.clone(), config.glyphs)),
    }
}

/// The environment for sessions that are started from this board (decision 12), cut to what a command may carry.
fn environment() -> Vec<EnvVar> {
    let mut left = MAX_ENVIRONMENT_BYTES;
    client::launching_environment()
        .into_iter()
        .filter(|variable| !OF_A_PANE.contains(&variable.name.as_ref()))
        .filter(|variable| {
            let size = variable.name.len() + variable.value.len() + 2;
            let fits = size <= left;
            if fits {
                left -= size;
            }
            fits
        })
        .collect()
}

/// Returns when exactly this server has ended.
async fn server_gone(server: Server) {
    let identity = server.identity;
    // The kernel tells, to a thread that does nothing else: no timer runs while the server lives.
    let told = tokio::task::spawn_blocking(move || wait_for_end(identity)).await;
    if matches!(told, Ok(Ok(()))) {
        return;
    }
    while process::is_running(identity) {
        tokio::time::sleep(SERVER_POLL).await;
    }
}

fn wait_for_end(server: ProcessIdentity) -> rustix::io::Result<()> {
    let pid = i32::try_from(server.pid).ok().and_then(Pid::from_raw).ok_or(rustix::io::Errno::SRCH)?;
    let pidfd = pidfd_open(pid, PidfdFlags::empty())?;
    // Checked after the kernel was asked: until then the pid may have been another process's.
    while process::is_running(server) {
        match poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
