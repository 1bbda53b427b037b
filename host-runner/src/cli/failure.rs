//! What went wrong with a command, as an exit code that scripts can rely on.

use board_protocol::refusal::Refusal;
use std::process::ExitCode;

/// Why a command did not do what it was asked. Every text says what happened, to what, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The answer is no. Exit code 1.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// The arguments do not hold together. Exit code 2, as clap's own errors.
    #[error("{0}")]
    Usage(String),
    /// The daemon, a host or zellij cannot be reached. Exit code 3.
    #[error("{0}")]
    Unreachable(String),
    /// It took too long. Exit code 4.
    #[error("{0}")]
    TimedOut(String),
    /// Something failed on our side. Exit code 1.
    #[error("{0:#}")]
    Other(#[from] anyhow::Error),
}

impl Failure {
    /// The exit code.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Refused(_) | Self::Other(_) => 1,
            Self::Usage(_) => 2,
            Self::Unreachable(_) => 3,
            Self::TimedOut(_) => 4,
        })
    }
}
