//! Commands: what a person or a script asks the coordinator to change.

use crate::{
    ids::{CommandId, SessionId, Size},
    refusal::Refusal,
};
use serde::{Deserialize, Serialize};

/// Longest command line or task in bytes (a start prompt of 1 MiB is legal).
pub const MAX_TASK_BYTES: usize = 1024 * 1024;
/// Most bytes of environment that a start may carry.
pub const MAX_ENVIRONMENT_BYTES: usize = 1024 * 1024;

/// One variable of an environment, as bytes: Unix promises no encoding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvVar {
    /// Its name.
    pub name: serde_bytes::ByteBuf,
    /// Its value.
    pub value: serde_bytes::ByteBuf,
}

/// What a new session runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Launch {
    /// A program with its arguments, taken literally.
    Argv(Vec<String>),
    /// The words of a person: a prompt for an agent; for the generic agent a command line, given to the person's shell.
    Task(String),
}

/// Everything about a session to start, but its environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartSession {
    /// Its name; `None` makes one from what it runs.
    pub name: Option<String>,
    /// The adapter: `generic` when none was asked for.
    pub agent: String,
    /// What it runs.
    pub launch: Launch,
    /// The absolute directory in which it runs.
    pub cwd: String,
    /// The size of its terminal until somebody attaches.
    pub size: Option<Size>,
    /// The model that the agent shall use, in the agent's words; `None` leaves the agent its default.
    #[serde(default)]
    pub model: Option<String>,
    /// How hard the model shall think, in the agent's words; `None` leaves the agent its default.
    #[serde(default)]
    pub thinking: Option<String>,
}

/// A command that changes state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Makes a session and starts it in the background.
    Start(StartSession),
    /// Starts an ended session that cannot resume once more, from the beginning, in the same row.
    Rerun {
        /// The row.
        session: SessionId,
    },
    /// Makes a fresh host for an ended session that its agent can continue, on the same transcript. The row does not
    /// run by that alone. For one that has a host it does nothing.
    Resume {
        /// The row.
        session: SessionId,
    },
    /// Sends the agent's own interrupt key, once.
    Interrupt {
        /// The row.
        session: SessionId,
    },
    /// Ends the agent and everything below it; the row and its history stay.
    Stop {
        /// The row.
        session: SessionId,
    },
    /// Takes the row off the board; a running one is stopped first.
    Remove {
        /// The row.
        session: SessionId,
    },
    /// Says that a person has looked at the session.
    Visit {
        /// The row.
        session: SessionId,
    },
}

/// A command with the id that makes it safe to send again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandEnvelope {
    /// The id; a second command with the same id gets the first one's answer.
    pub command_id: CommandId,
    /// What to do.
    pub command: Command,
    /// The launching shell's environment, for commands that start a process. Never journaled.
    pub environment: Option<Vec<EnvVar>>,
}

/// What became of a command. Sent after the commit, never before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutcome {
    /// It is done, durably.
    Applied {
        /// The session that it changed or made.
        session: SessionId,
        /// What to tell the person, when there is more to say than "done".
        notice: Option<String>,
    },
    /// It was refused; nothing changed.
    Refused(Refusal),
}
