//! What went wrong with a command, as an exit code that scripts can rely on.

use board_protocol::refusal::Refusal;
use std::{fmt::Write as _, process::ExitCode};

/// Why a command did not do what it was asked. Every text says what happened, to what, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The answer is no. Exit code 1.
    #[error("{}", board_text::retold(&.0.text))]
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
    #[error("{}", once(.0))]
    Other(#[from] anyhow::Error),
    /// One of the others, which the person has read already. Its exit code.
    #[error("{0}")]
    Told(Box<Self>),
}

impl Failure {
    /// The exit code.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code())
    }

    fn code(&self) -> u8 {
        match self {
            Self::Refused(_) | Self::Other(_) => 1,
            Self::Usage(_) => 2,
            Self::Unreachable(_) => 3,
            Self::TimedOut(_) => 4,
            Self::Told(failure) => failure.code(),
        }
    }
}

/// An error and its causes, without those that an outer text has named already.
fn once(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            let _ = write!(text, ": {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::RootError;
    use anyhow::Context as _;
    use std::io;

    #[test]
    fn a_cause_is_named_once() {
        let source = io::Error::from_raw_os_error(28);
        let error = RootError::Io { path: "/root".into(), source };
        let text = Failure::Other(error.into()).to_string();
        assert_eq!(text.matches("No space left on device").count(), 1, "{text}");
        assert!(text.starts_with("cannot use /root: No space left on device (os error 28)"), "{text}");
        let plain = Err::<(), _>(io::Error::other("inner")).context("outer").unwrap_err();
        assert_eq!(Failure::Other(plain).to_string(), "outer: inner");
    }
}
