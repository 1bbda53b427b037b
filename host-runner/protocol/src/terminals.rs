//! Terminals that an agent owns, and its waits for something to appear in them (reference G).
//!
//! Two conversations. An agent's MCP server asks the daemon ([`crate::daemon::Request::AgentTerminals`]) for what changes the
//! board: open, list, close. What concerns one terminal it asks that terminal's host ([`crate::host::ToHost::Terminal`]).
//! Both carry the parent session's token: a terminal of another session looks like none.

use crate::{
    command::EnvVar,
    ids::{CommandId, SessionId, Size, Token, UnixMs},
    state::HostState,
};
use serde::{Deserialize, Serialize};

/// Most terminals that one session may have at a time: a dev server, a few watchers and shells; more is a loop gone wrong.
pub const MAX_TERMINALS_PER_SESSION: usize = 8;
/// Most terminals on one board: each is a process and a PTY.
pub const MAX_TERMINALS: usize = 64;
/// Most waits on one terminal at a time: an agent asks one after the other, or a few side by side.
pub const MAX_WAITS_PER_TERMINAL: usize = 64;
/// Longest needle in bytes: no pattern that a person can make sense of is longer.
pub const MAX_NEEDLE_BYTES: usize = 4 * 1024;
/// Most text of a terminal that is kept for matching and reading, in bytes (reference G.1).
pub const MAX_TERMINAL_TEXT_BYTES: usize = 1024 * 1024;
/// Lines in one page of that text (reference G.4).
pub const TERMINAL_PAGE_LINES: u32 = 500;
/// How long a wait lasts when nothing else was asked for, in milliseconds (reference G.1).
pub const DEFAULT_WAIT_MS: u64 = 10_000;
/// The shortest wait in milliseconds (reference G.1).
pub const MIN_WAIT_MS: u64 = 100;
/// The longest wait in milliseconds: a day.
pub const MAX_WAIT_MS: u64 = 24 * 60 * 60 * 1000;
/// Longest needle on a row, a banner or in a list, in graphemes (reference G.3); the whole one is in peek.
pub const MAX_NEEDLE_GRAPHEMES: usize = 80;

/// Whose terminal this is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The session whose agent owns it.
    pub session: SessionId,
    /// That session's secret: who knows it may use the terminal.
    pub token: Token,
}

/// What an agent asks the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentAsk {
    /// A new terminal. Answered by one [`AgentTerminal`] in a list.
    Open {
        /// Makes it safe to ask again.
        command_id: CommandId,
        /// What.
        open: OpenTerminal,
        /// The environment of whoever asks. Never written down; what is ours in it is taken out.
        environment: Vec<EnvVar>,
    },
    /// Every terminal of the session, the oldest first.
    List,
    /// Ends a terminal and takes its row off the board.
    Close {
        /// Makes it safe to ask again.
        command_id: CommandId,
        /// Which.
        terminal: SessionId,
    },
}

/// A terminal to open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTerminal {
    /// A command line for the person's shell; `None`: the shell itself.
    pub command: Option<String>,
    /// The absolute directory; `None`: the parent's.
    pub cwd: Option<String>,
    /// Its size; 20x5 to 1000x500 cells (reference G.4).
    pub size: Option<Size>,
    /// Its name on the board; `None` makes one of the command.
    pub title: Option<String>,
}

/// A terminal of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentTerminal {
    /// Its id: a session like any other.
    pub id: SessionId,
    /// Its name on the board.
    pub title: String,
    /// Where it runs.
    pub cwd: String,
    /// What it runs, as one line.
    pub command: String,
    /// What its process does.
    pub host_state: HostState,
    /// The absolute path of its host's socket, while there is one.
    pub socket: Option<String>,
    /// How it ended, if it did: `exit code 3`.
    pub ended: Option<String>,
    /// Its size, as last known.
    pub size: Size,
}

/// What an agent asks one terminal's host. Only its parent's token opens it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerminalAsk {
    /// Bytes for its program, written once.
    Send {
        /// As the program is to read them.
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
    },
    /// Its text: [`TerminalAnswer::Text`].
    Read {
        /// The first line, counted from the oldest line ever; `None`: so that the last line is included.
        from: Option<u64>,
        /// At most so many lines, and never more than [`TERMINAL_PAGE_LINES`].
        lines: u32,
    },
    /// Its screen: [`TerminalAnswer::Screen`].
    Screen,
    /// Wait until the needle appears: [`TerminalAnswer::Waited`], once, when the wait ends.
    WaitFor {
        /// A regular expression; one that is none is taken literally.
        needle: String,
        /// How long at most, between [`MIN_WAIT_MS`] and [`MAX_WAIT_MS`].
        timeout_ms: u64,
    },
    /// The wait that was asked for with this id on this connection is of no interest any more. Its answer is
    /// [`WaitEnd::Aborted`]; this itself has none.
    Cancel {
        /// The id of the [`crate::host::ToHost::Terminal`] that asked for it.
        wait: u64,
    },
    /// A signal for its foreground process group; `INT`, `QUIT` and `TSTP` are written as keys (reference G.4).
    Signal {
        /// Which.
        signal: TerminalSignal,
    },
    /// Another size, clamped to what a terminal may have.
    Resize(Size),
}

/// Signals that an agent may send to what runs in its terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TerminalSignal {
    /// Ctrl+C.
    Int,
    /// Ctrl+\.
    Quit,
    /// Ctrl+Z.
    Tstp,
    /// Continue.
    Cont,
    /// Please end.
    Term,
    /// End.
    Kill,
    /// The terminal went away.
    Hup,
    /// The first signal without a meaning of its own.
    Usr1,
    /// The second.
    Usr2,
    /// The size changed.
    Winch,
}

/// What a terminal's host answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerminalAnswer {
    /// It is done.
    Done,
    /// A page of its text.
    Text(TextPage),
    /// Its screen.
    Screen {
        /// Its lines from the top, trailing blanks cut.
        lines: Vec<String>,
        /// The cursor: column and row, from 0.
        cursor: [u16; 2],
        /// Its size.
        size: Size,
        /// What its program wants to get for cursor keys.
        #[serde(default)]
        cursor_keys: CursorKeys,
    },
    /// How a wait ended.
    Waited {
        /// How.
        end: WaitEnd,
        /// The needle was no regular expression and was taken literally; why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        literal: Option<String>,
    },
}

/// What cursor keys, Home and End send: what the program in the terminal asked for last (DECCKM).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CursorKeys {
    /// `ESC [ A`.
    #[default]
    Normal,
    /// `ESC O A`.
    Application,
}

/// Lines of a terminal's text: escape sequences removed, wrapped lines joined, progress lines as last shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPage {
    /// The number of its first line, counted from the oldest line ever (0).
    pub from: u64,
    /// The lines.
    pub lines: Vec<String>,
    /// Lines ever, those that are not kept any more included.
    pub total_lines: u64,
    /// The oldest line that is kept.
    pub oldest_line: u64,
}

/// How a wait ended. In one instant the order is aborted, exited, skipped, found, timeout (reference G.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitEnd {
    /// Whoever waited took it back.
    Aborted,
    /// The program ended first.
    Exited {
        /// What it waited for.
        needle: String,
        /// The code that it returned.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
    },
    /// A person ended the wait.
    Skipped {
        /// What it waited for.
        needle: String,
    },
    /// It appeared.
    Found {
        /// What it waited for.
        needle: String,
        /// The line, counted from the oldest line ever (0).
        line: u64,
        /// The column in characters of that line, from 0.
        column: u32,
        /// What matched.
        matched: String,
        /// Milliseconds since the wait began.
        elapsed_ms: u64,
    },
    /// It did not, in time.
    Timeout {
        /// What it waited for.
        needle: String,
        /// How long that was, in milliseconds.
        timeout_ms: u64,
        /// Lines of text by then.
        total_lines: u64,
    },
}

/// One open wait, as its host says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// What it waits for, whole.
    pub needle: String,
    /// Since when.
    pub since_ms: UnixMs,
}

/// What an agent waits for, in short: for rows, banners and lists.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Waiting {
    /// What the newest wait waits for: plain, at most [`MAX_NEEDLE_GRAPHEMES`].
    pub needle: String,
    /// Since when it does.
    pub since_ms: UnixMs,
    /// How many waits there are.
    pub count: u32,
}

/// One terminal with open waits, for `host-runner waits`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalWaits {
    /// The terminal.
    pub terminal: SessionId,
    /// Its name.
    pub title: String,
    /// The session that it belongs to.
    pub parent: SessionId,
    /// That session's name.
    pub parent_name: String,
    /// Its waits, the oldest first.
    pub waits: Vec<Wait>,
}
