//! What a starting host is told: everything about its program, in one frame on its standard input.

use crate::{
    command::EnvVar,
    ids::{Generation, SessionId, Size, Token},
    terminals::Parent,
};
use serde::{Deserialize, Serialize};

/// What a starting host reads from its standard input: one frame. It never reaches a disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostLaunch {
    /// Its session.
    pub session: SessionId,
    /// The session's name, for the title of attach panes.
    pub name: String,
    /// Its generation.
    pub generation: Generation,
    /// The session's secret.
    pub token: Token,
    /// The board root.
    pub root: String,
    /// The socket that it binds.
    pub socket: String,
    /// The program and its arguments; never empty.
    pub argv: Vec<String>,
    /// Where it runs.
    pub cwd: String,
    /// Its environment, complete but for what the host adds (`AGENT_BOARD_*`, `TERM`).
    pub environment: Vec<EnvVar>,
    /// The size of its terminal.
    pub size: Size,
    /// What the configuration says about hosts.
    #[serde(default)]
    pub settings: HostSettings,
    /// Words for the program that are too long for its command line.
    #[serde(default)]
    pub prompt: Option<LaunchPrompt>,
    /// Whose terminal it is, if an agent opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
}

/// A prompt in a file: the host writes it, private, before the program starts, and names it in the program's environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchPrompt {
    /// The variable that names the file.
    pub variable: String,
    /// The absolute path of the file. One that is there is replaced.
    pub path: String,
    /// The words.
    pub text: String,
}

/// Most lines of history that a session's terminal may keep: ten times the default, some tens of megabytes at the default
/// width.
pub const MAX_HISTORY_LINES: u32 = 20_000;
/// Longest time between SIGTERM and SIGKILL, in milliseconds. The daemon gives a host that it cannot talk to ten seconds,
/// and three of them are for what comes after SIGKILL.
pub const MAX_STOP_GRACE_MS: u32 = 7_000;

/// What the configuration says about a session's host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostSettings {
    /// Lines of history of its terminal, at most [`MAX_HISTORY_LINES`].
    pub history_lines: u32,
    /// How long its program may take to end after SIGTERM, in milliseconds, at most [`MAX_STOP_GRACE_MS`].
    pub stop_grace_ms: u32,
    /// How long the log of its output is kept after it printed last, in days; 0: none is written.
    pub screen_log_days: u32,
}

impl Default for HostSettings {
    fn default() -> Self {
        // 2,000 lines: the budget for a host's memory is measured with them. Four seconds: decision 13, reference D.2.
        // A week: reference D.11.
        Self { history_lines: 2_000, stop_grace_ms: 4_000, screen_log_days: 7 }
    }
}
