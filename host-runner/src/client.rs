//! A client of the daemon: connects, starts or replaces the daemon where the caller may, asks and commands.
//!
//! Called by the command line, links and hosts. It never retries a command under a new id: a command whose answer was
//! lost is sent again under its own id, which the daemon answers with the first outcome (reference C.4, C.7).

mod environment;
mod error;
mod start;

use board_text::client as texts;
use board_text::{Language, retold, speaking};
pub(crate) use environment::forget_session;
pub use environment::launching_environment;
pub(crate) use environment::runs_inside_a_session;
pub use error::ClientError;
pub use start::spawn_daemon;
pub(crate) use start::{LOG_NAME as DAEMON_LOG, MAX_LOG_BYTES, open_log};

use crate::{
    daemon::{Inline, Unavailable},
    deadlines, fresh,
    root::BoardRoot,
    wire::{ANSWER_DEADLINE, Connection, WireError},
};
use board_protocol::{
    board::{BoardUpdate, Row, Warning},
    command::{Command, CommandEnvelope, CommandOutcome, EnvVar},
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    frame::FrameReader,
    hello::{Agreement, COORDINATOR_PROTOCOL, Refused, Role, Welcome},
    ids::SessionId,
    state::CommandSource,
};
use std::{
    collections::BTreeMap,
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

/// How long a daemon that was just started may take until it answers (its budget is 300 ms with 10,000 sessions).
const START_DEADLINE: Duration = Duration::from_secs(3);
/// How often a starting daemon is tried.
const START_POLL: Duration = Duration::from_millis(20);

/// The variable that keeps the coordinator in the process that asks it, when it is `off`.
pub(crate) const COORDINATOR_SETTING: &str = "AGENT_BOARD_COORDINATOR";

/// Whether a missing daemon is started (decision 17).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartPolicy {
    /// It is not.
    Never,
    /// It is, unless a person shut it down: links and hosts.
    Service,
    /// It is, and the marker of a shutdown is removed: a person's command.
    Person,
}

/// Rows by id, and warnings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WholeBoard {
    /// Every row.
    pub rows: BTreeMap<SessionId, Row>,
    /// Lines for everybody.
    pub warnings: Vec<Warning>,
}

impl WholeBoard {
    /// Takes the next update in order.
    pub fn take(&mut self, update: BoardUpdate) {
        let (changed, news) = match update {
            BoardUpdate::Full { rows, warnings, .. } => {
                self.rows.clear();
                (rows, Some(warnings))
            }
            BoardUpdate::Delta { upserted, removed, warnings, .. } => {
                self.rows.retain(|session, _| !removed.contains(session));
                (upserted, warnings)
            }
        };
        self.rows.extend(changed.into_iter().map(|row| (row.id.clone(), row)));
        if let Some(warnings) = news {
            self.warnings = warnings;
        }
    }
}

/// A connection to the daemon after its hello.
#[derive(Debug)]
pub struct DaemonClient {
    root: BoardRoot,
    role: Role,
    policy: StartPolicy,
    transport: Transport,
    welcome: Welcome,
    next_id: u64,
}

/// How the coordinator is reached.
#[derive(Debug)]
enum Transport {
    /// A daemon, over its socket.
    Socket(Connection),
    /// It works in this process (`AGENT_BOARD_COORDINATOR=off`).
    Inline(Box<Inline>),
}

impl DaemonClient {
    /// Connects to the daemon of `root`; starts a missing one and replaces an older one where `policy` allows it.
    ///
    /// # Errors
    /// Every [`ClientError`]; each says what to do.
    pub fn connect(root: &BoardRoot, role: Role, policy: StartPolicy) -> Result<Self, ClientError> {
        let (transport, welcome) = if coordinator_is_off() && policy == StartPolicy::Person {
            inline(root)?
        } else {
            if policy == StartPolicy::Person {
                start::remove_shutdown_marker(root)?;
            }
            let (connection, welcome) = reach(root, role, policy)?;
            (Transport::Socket(connection), welcome)
        };
        Ok(Self { root: root.clone(), role, policy, transport, welcome, next_id: 1 })
    }

    /// What the daemon said about itself.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// Asks one question. Board updates that arrive meanwhile are dropped: a subscriber takes [`Self::into_parts`].
    ///
    /// # Errors
    /// [`ClientError::Refused`], or the connection failed.
    pub fn ask(&mut self, request: Request) -> Result<Answer, ClientError> {
        let id = self.next_id;
        self.next_id += 1;
        let connection = match &mut self.transport {
            Transport::Socket(connection) => connection,
            // Its store is the daemon's: what it writes down is English, and is said anew where it is shown.
            Transport::Inline(inline) => return Ok(speaking(Language::English, || inline.ask(request))?),
        };
        let (pid, root) = (self.welcome.process.pid, &self.root);
        connection.send(&ToDaemon::Ask { id, request }).map_err(|error| lost(error, pid, root))?;
        let deadline = Instant::now() + deadlines::COMMAND;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match connection.receive(left).map_err(|error| lost(error, pid, root))? {
                FromDaemon::Answer { id: answered, answer } if answered == id => return Ok(answer?),
                _ => {}
            }
        }
    }

    /// Sends one command. If the connection breaks before its outcome is known, it is sent once more under the same
    /// id over a new connection.
    ///
    /// # Errors
    /// As [`Self::ask`]. A refused command is an outcome, not an error.
    pub fn command(
        &mut self,
        command: Command,
        environment: Option<Vec<EnvVar>>,
    ) -> Result<CommandOutcome, ClientError> {
        let envelope = CommandEnvelope {
            command_id: fresh::command_id(),
            command,
            environment,
            source: CommandSource::Person,
            expected_revision: None,
        };
        let request = Request::Command(Box::new(envelope));
        let answer = match self.ask(request.clone()) {
            Err(ClientError::Lost(_)) => {
                let (connection, welcome) = reach(&self.root, self.role, self.policy)?;
                self.transport = Transport::Socket(connection);
                self.welcome = welcome;
                self.ask(request)?
            }
            other => other?,
        };
        match answer {
            Answer::Outcome(outcome) => Ok(outcome),
            _ => Err(ClientError::Unexpected(texts::an_outcome())),
        }
    }

    /// The whole board, however many rows it has: it follows the board until a later question is answered.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn board(&mut self) -> Result<WholeBoard, ClientError> {
        let mut board = WholeBoard::default();
        if let Transport::Inline(inline) = &self.transport {
            inline.updates().into_iter().for_each(|update| board.take(update));
            return Ok(board);
        }
        self.ask(Request::Subscribe)?;
        let id = self.next_id;
        self.next_id += 1;
        let Transport::Socket(connection) = &mut self.transport else { return Err(ClientError::Off) };
        let (pid, root) = (self.welcome.process.pid, &self.root);
        connection
            .send(&ToDaemon::Ask { id, request: Request::Ping })
            .map_err(|error| lost(error, pid, root))?;
        let deadline = Instant::now() + deadlines::COMMAND;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match connection.receive(left).map_err(|error| lost(error, pid, root))? {
                FromDaemon::Answer { id: answered, .. } if answered == id => return Ok(board),
                FromDaemon::Board(update) => board.take(update),
                _ => {}
            }
        }
    }

    /// The next change of the board after [`Self::board`]; `None` when there is none for so long.
    ///
    /// # Errors
    /// [`ClientError::Lost`] when the daemon is gone: whoever follows it then connects again and asks for the board.
    pub fn next_update(&mut self, within: Duration) -> Result<Option<BoardUpdate>, ClientError> {
        // Nothing follows a board that is open for one command only.
        let Transport::Socket(connection) = &mut self.transport else { return Err(ClientError::Off) };
        let deadline = Instant::now() + within;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match connection.receive(left) {
                Ok(FromDaemon::Board(update)) => return Ok(Some(update)),
                Ok(_) => {}
                Err(WireError::TimedOut(_)) => return Ok(None),
                Err(error) => return Err(ClientError::Lost(error.to_string())),
            }
        }
    }

    /// The stream and what was read beyond the last message, for a loop that goes on without this type.
    ///
    /// # Errors
    /// [`ClientError::Off`]: there is no stream.
    pub fn into_parts(self) -> Result<(UnixStream, FrameReader), ClientError> {
        match self.transport {
            Transport::Socket(connection) => Ok(connection.into_parts()),
            Transport::Inline(_) => Err(ClientError::Off),
        }
    }
}

fn lost(error: WireError, pid: u32, root: &BoardRoot) -> ClientError {
    match error {
        WireError::TimedOut(_) => ClientError::silent(Some(pid), root),
        other => ClientError::Lost(other.to_string()),
    }
}

/// Whether the environment wants no daemon: [`COORDINATOR_SETTING`] is `off` (reference C.9).
pub(crate) fn coordinator_is_off() -> bool {
    std::env::var_os(COORDINATOR_SETTING).is_some_and(|value| value == "off")
}

/// The coordinator in this process.
fn inline(root: &BoardRoot) -> Result<(Transport, Welcome), ClientError> {
    let opened = speaking(Language::English, || {
        Inline::open(root).map_err(|unavailable| match unavailable {
            Unavailable::Taken { owner } => ClientError::Taken { owner },
            Unavailable::Failed(error) => ClientError::NotOpened(format!("{error:#}")),
        })
    });
    let inline = opened.map_err(|error| match error {
        ClientError::NotOpened(text) => ClientError::NotOpened(retold(&text).into_owned()),
        other => other,
    })?;
    let welcome = Welcome {
        version: COORDINATOR_PROTOCOL.newest,
        build: crate::BUILD.to_owned(),
        generation: fresh::generation(),
        process: crate::process::own_identity(),
    };
    Ok((Transport::Inline(Box::new(inline)), welcome))
}

/// One connection with a welcome, whatever has to be started or replaced for it.
fn reach(root: &BoardRoot, role: Role, policy: StartPolicy) -> Result<(Connection, Welcome), ClientError> {
    let mut deadline: Option<Instant> = None;
    let mut replaced = false;
    loop {
        let missing = match greet(root, role) {
            // It speaks with us, but does not know everything that we may ask: its successor does. Hosts stay.
            Ok((_, welcome))
                if welcome.version < COORDINATOR_PROTOCOL.newest
                    && !replaced
                    && policy != StartPolicy::Never =>
            {
                start::end_older_daemon(welcome.process, root)?;
                replaced = true;
                None
            }
            Ok(reached) => return Ok(reached),
            Err(WireError::Refused(refused)) => {
                let older = match COORDINATOR_PROTOCOL.agree_with(refused.versions) {
                    Agreement::Speak(_) => return Err(ClientError::Refused(refused.refusal)),
                    Agreement::TheyAreOlder => true,
                    Agreement::TheyAreNewer => false,
                };
                if !older || replaced || policy == StartPolicy::Never {
                    return Err(incompatible(&refused, older));
                }
                start::end_older_daemon(refused.process, root)?;
                replaced = true;
                None
            }
            Err(WireError::TimedOut(_)) => {
                return Err(ClientError::silent(start::silent_pid(root), root));
            }
            Err(WireError::ForeignPeer(uid)) => return Err(ClientError::ForeignDaemon(uid)),
            Err(WireError::Frame(error)) => return Err(ClientError::Garbled(error.to_string())),
            // Nobody listens, or a daemon that is just ending closed on us.
            Err(error @ (WireError::Connect(_) | WireError::Io(_) | WireError::Closed)) => Some(error),
        };
        match deadline {
            None => {
                may_start(root, policy)?;
                spawn_daemon(root).map_err(|source| ClientError::CannotStart(source.to_string()))?;
                deadline = Some(Instant::now() + START_DEADLINE);
            }
            Some(end) if Instant::now() >= end => {
                let reason = start::last_words(root)
                    .or_else(|| missing.map(|error| error.to_string()))
                    .unwrap_or_default();
                return Err(ClientError::DidNotStart { reason, log: root.logs().join(start::LOG_NAME) });
            }
            Some(_) => std::thread::sleep(START_POLL),
        }
    }
}

fn greet(root: &BoardRoot, role: Role) -> Result<(Connection, Welcome), WireError> {
    let mut connection = Connection::connect(&root.daemon_socket())?;
    let welcome = connection.greet(COORDINATOR_PROTOCOL, role, None)?;
    Ok((connection, welcome))
}

fn may_start(root: &BoardRoot, policy: StartPolicy) -> Result<(), ClientError> {
    match policy {
        StartPolicy::Never => Err(ClientError::NotRunning),
        _ if coordinator_is_off() => Err(ClientError::Off),
        StartPolicy::Service if root.shutdown_marker().exists() => Err(ClientError::ShutDown),
        StartPolicy::Service | StartPolicy::Person => Ok(()),
    }
}

fn incompatible(refused: &Refused, older: bool) -> ClientError {
    let text = if older { texts::daemon_older } else { texts::daemon_newer };
    ClientError::Incompatible {
        text: text(
            &refused.build,
            refused.process.pid,
            refused.versions.oldest,
            refused.versions.newest,
            crate::BUILD,
            COORDINATOR_PROTOCOL.oldest,
            COORDINATOR_PROTOCOL.newest,
        ),
    }
}

/// The deadline of the first answer is the one of every peer on this machine.
const _: () = assert!(ANSWER_DEADLINE.as_secs() <= START_DEADLINE.as_secs());
