//! What daemon and links say to each other besides the board: who a link serves, and what it does for notifications.

use crate::{
    command::EnvVar,
    ids::{ProcessIdentity, UnixMs},
};
use serde::{Deserialize, Serialize};

/// A link tells the daemon which zellij session it serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkOpened {
    /// The zellij server.
    pub server: ProcessIdentity,
    /// The environment for sessions that are started from this board (decision 12).
    pub environment: Vec<EnvVar>,
    /// When that environment was taken.
    pub environment_at_ms: UnixMs,
    /// Whether it can show something to the persons at that session.
    #[serde(default)]
    pub terminal: LinkTerminal,
}

/// What a link can write to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkTerminal {
    /// Nothing: it was started without a pane.
    #[default]
    Absent,
    /// The status pane: notifications and bells of a pane reach every terminal that its zellij session is shown in.
    StatusPane,
}

/// What a client of a zellij session looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientFocus {
    /// Nothing: it has left the session.
    Gone,
    /// Its board did not say.
    Unknown,
    /// No terminal: the board, or what else is no terminal.
    NoTerminal,
    /// This terminal pane.
    Terminal(u32),
}

/// What a link does for the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkOrder {
    /// Say what the persons at the session look at.
    Look {
        /// Comes back with the answer.
        number: u64,
    },
    /// Tell the persons at the session something, through the terminal that shows it.
    Notify {
        /// One line, plain and cut.
        text: String,
        /// How.
        ways: Vec<NoticeWay>,
    },
}

/// How a terminal is told something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeWay {
    /// OSC 9 with the text (iTerm2's; zellij rewrites it for the terminal).
    Osc9,
    /// BEL.
    Bell,
}
