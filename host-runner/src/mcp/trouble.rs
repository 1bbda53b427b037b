//! What an agent is told when a tool cannot do what it was asked for. English, and with what to do instead.
//!
//! Made by every file of [`super`], shown by [`super::server`] as the result of the tool: a client hides errors of the
//! protocol itself from its model.

use crate::client::ClientError;
use board_protocol::{refusal::Refusal, text::plain};

/// A text for the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble(pub(super) String);

impl Trouble {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// No terminal of this session has that id. What belongs to another session looks the same (reference G.2).
    pub(super) fn unknown_terminal(id: &str) -> Self {
        let id: String = plain(id).chars().take(40).collect();
        Self(format!("you have no terminal {id:?}. terminal_list shows yours; terminal_open makes one"))
    }

    /// The daemon cannot be asked.
    pub(super) fn daemon(error: &ClientError) -> Self {
        match error {
            ClientError::Refused(refusal) => Self::refused(refusal),
            ClientError::NotRunning | ClientError::ShutDown => Self::new(
                "Agent Board's daemon does not run, and only a person starts it, with any command such as: host-runner ls. Tell them; terminals that you have open go on, and this tool works again once the daemon is back",
            ),
            other => Self(format!(
                "Agent Board's daemon cannot be asked: {other}. Terminals that you have open go on; try again"
            )),
        }
    }

    /// Somebody said no.
    pub(super) fn refused(refusal: &Refusal) -> Self {
        Self(refusal.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemon_that_is_not_there_is_said_with_what_a_person_can_do() {
        for error in [ClientError::NotRunning, ClientError::ShutDown] {
            let Trouble(text) = Trouble::daemon(&error);
            assert!(text.contains("host-runner ls") && text.contains("go on"), "{text}");
        }
    }

    #[test]
    fn an_unknown_id_is_quoted_plain_and_short() {
        let Trouble(text) = Trouble::unknown_terminal(&format!("\u{1b}[31m{}", "x".repeat(9_000)));
        assert!(text.len() < 200 && !text.contains('\u{1b}'), "{text}");
    }
}
