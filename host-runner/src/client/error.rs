//! Why the daemon could not be asked, with what to do, and the exit code that each reason gets.

use crate::{cli::Failure, root::BoardRoot};
use board_protocol::refusal::{Refusal, RefusalKind};
use board_text::client as texts;
use std::path::PathBuf;

/// Why the daemon could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The daemon answered with "no".
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// No daemon runs, and the caller may not start one.
    #[error("{}", texts::no_daemon())]
    NotRunning,
    /// A person shut the daemon down; only a person's command starts it again.
    #[error("{}", texts::shut_down())]
    ShutDown,
    /// It speaks no version of ours.
    #[error("{text}")]
    Incompatible {
        /// What happened and what to restart.
        text: String,
    },
    /// It accepts connections and does not answer (field report F20).
    #[error(
        "{}",
        match pid {
            Some(pid) => texts::silent(pid, log.display()),
            None => texts::silent_stranger(log.display()),
        }
    )]
    Silent {
        /// Whoever listens on the socket; `None` when the kernel does not say.
        pid: Option<u32>,
        /// Its log.
        log: PathBuf,
    },
    /// Another user's process listens on our socket.
    #[error("{}", texts::foreign(.0))]
    ForeignDaemon(u32),
    /// What answered is no daemon of ours.
    #[error("{}", texts::not_our_protocol(.0))]
    Garbled(String),
    /// The program could not be started.
    #[error("{}", texts::cannot_start(.0))]
    CannotStart(String),
    /// It was started and never answered.
    #[error("{}", texts::did_not_come_up(reason, log.display()))]
    DidNotStart {
        /// The last line of its log, else the last failure to connect.
        reason: String,
        /// Its log.
        log: PathBuf,
    },
    /// An older daemon does not end.
    #[error("{}", texts::older_does_not_end(.0))]
    OlderStays(u32),
    /// The environment wants no daemon, and this needs one.
    #[error("{}", texts::coordinator_off())]
    Off,
    /// The environment wants no daemon, and one has the board.
    #[error("{}", texts::coordinator_taken(owner))]
    Taken {
        /// Its pid, as far as the lock says.
        owner: String,
    },
    /// The board cannot be opened in this process.
    #[error("{0}")]
    NotOpened(String),
    /// The connection broke after it was made.
    #[error("{}", texts::broke(.0))]
    Lost(String),
    /// An answer of another kind than the question asks for.
    #[error("{}", texts::other_answer(.0))]
    Unexpected(&'static str),
    /// A file of the root cannot be changed.
    #[error("{}", texts::cannot_change(path.display(), reason))]
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
