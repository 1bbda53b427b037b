//! Why the daemon could not be asked, with what to do, and the exit code that each reason gets.

use crate::{cli::Failure, root::BoardRoot};
use board_protocol::refusal::{Refusal, RefusalKind};
use std::path::PathBuf;

/// Why the daemon could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The daemon answered with "no".
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// No daemon runs, and the caller may not start one.
    #[error("no daemon runs for this board. Any command of yours starts it: host-runner ls")]
    NotRunning,
    /// A person shut the daemon down; only a person's command starts it again.
    #[error("the board was shut down. Any command of yours starts it again: host-runner ls")]
    ShutDown,
    /// It speaks no version of ours.
    #[error("{text}")]
    Incompatible {
        /// What happened and what to restart.
        text: String,
    },
    /// It accepts connections and does not answer (field report F20).
    #[error(
        "the daemon{} does not answer. {}; the next command starts a new one and sessions go on. Its log: {}",
        pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default(),
        pid.map_or("End it".to_owned(), |pid| format!("End it with: kill -9 {pid}")),
        log.display()
    )]
    Silent {
        /// Whoever listens on the socket; `None` when the kernel does not say.
        pid: Option<u32>,
        /// Its log.
        log: PathBuf,
    },
    /// Another user's process listens on our socket.
    #[error(
        "the daemon's socket belongs to uid {0}, not to you. Set AGENT_BOARD_ROOT to a directory of your own"
    )]
    ForeignDaemon(u32),
    /// What answered is no daemon of ours.
    #[error("what listens on the daemon's socket does not speak our protocol: {0}. End it and try again")]
    Garbled(String),
    /// The program could not be started.
    #[error("cannot start the daemon: {0}. Check that the host-runner binary is still where it was")]
    CannotStart(String),
    /// It was started and never answered.
    #[error("the daemon did not come up: {reason}. Its log: {}", log.display())]
    DidNotStart {
        /// The last line of its log, else the last failure to connect.
        reason: String,
        /// Its log.
        log: PathBuf,
    },
    /// An older daemon does not end.
    #[error("the older daemon (pid {0}) does not end. End it with: kill -9 {0}; sessions go on")]
    OlderStays(u32),
    /// The environment wants no daemon, and this needs one.
    #[error("AGENT_BOARD_COORDINATOR=off: there is no daemon, and this needs one. Unset that variable")]
    Off,
    /// The environment wants no daemon, and one has the board.
    #[error(
        "AGENT_BOARD_COORDINATOR=off, but another process (pid {owner}) has this board: a daemon, or another command. Unset that variable, or end the daemon: host-runner shutdown"
    )]
    Taken {
        /// Its pid, as far as the lock says.
        owner: String,
    },
    /// The board cannot be opened in this process.
    #[error("{0}")]
    NotOpened(String),
    /// The connection broke after it was made.
    #[error("the connection to the daemon broke: {0}. Try again")]
    Lost(String),
    /// An answer of another kind than the question asks for.
    #[error("the daemon gave another answer than {0}. Restart it: host-runner shutdown, then try again")]
    Unexpected(&'static str),
    /// A file of the root cannot be changed.
    #[error("cannot change {path}: {reason}", path = path.display())]
    Root {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

impl ClientError {
    pub(super) fn silent(pid: Option<u32>, root: &BoardRoot) -> Self {
        Self::Silent { pid, log: root.logs().join(super::start::LOG_NAME) }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Refused(refusal) => Self::Refused(refusal),
            ClientError::Incompatible { text } => Self::Refused(Refusal::new(RefusalKind::Version, text)),
            ClientError::Off | ClientError::Taken { .. } => {
                Self::Refused(Refusal::new(RefusalKind::WrongState, error.to_string()))
            }
            ClientError::Silent { .. } => Self::TimedOut(error.to_string()),
            other => Self::Unreachable(other.to_string()),
        }
    }
}
