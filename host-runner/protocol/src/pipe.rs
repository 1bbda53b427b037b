//! Between link and plugin: one JSON object a line on two zellij pipes.
//!
//! *Down* (link to plugin) carries [`Down`], *up* (plugin to link) carries [`Up`]. Both are versioned by the board
//! protocol. Several instances of the plugin (one per zellij client) read every line that goes down.

mod query;

pub use query::{
    AgentChoice, MAX_ANSWER_BYTES, MAX_DIRECTORIES, MAX_LOG_LINES, MAX_PART_TEXT_BYTES, PeekDetail, Query,
    QueryKind, QueryPart, QueuedPart, ReviewPart, Takes,
};

use crate::{
    board::{AttachPlace, Row, Warning},
    command::{CommandOutcome, Pin, ReplyDelivery, StartSession},
    daemon::ClientFocus,
    hello::Versions,
    ids::{BoardSeq, CommandId, Generation, QueueItemId, SessionId},
    state::GlyphSet,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the pipe that the link opens for what the plugin says.
pub const UP_PIPE: &str = "agent-board-up";
/// The name of the pipe that carries what the plugin is told.
pub const DOWN_PIPE: &str = "agent-board-down";
/// Most bytes of a delta or of a page of the full list: 0.4 ms of parsing per KiB in zellij's interpreter (measured).
pub const PAGE_BYTES: usize = 16 * 1024;
/// Longest line on a pipe; what is longer is not sent.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// One instance of the plugin inside a zellij server. The instances of several clients share the plugin id of their
/// pane (read in zellij 0.45.1: plugins are kept by plugin id and client id), so both are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InstanceId(pub u32);

impl InstanceId {
    /// Puts zellij's two ids together. Only the low 16 bits of the plugin id count: a server would have to load
    /// 65,536 plugins before two instances of one client could be taken for each other.
    pub fn new(plugin_id: u32, client_id: u16) -> Self {
        Self((plugin_id << 16) | u32::from(client_id))
    }
}

/// A line down, in its envelope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DownLine {
    /// The up pipe's id: an instance that was born later than the pipe answers there. Empty in the first line on the
    /// up pipe itself (its source is the id), and until an instance has told it.
    pub up: String,
    /// The link that speaks (a UUID per link process): a changed one means that everything starts anew.
    pub link: Generation,
    /// What it says.
    pub down: Down,
}

/// What the link tells the plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Down {
    /// Who speaks; first line, and again to every instance that says hello.
    Hello(LinkHello),
    /// A part of the whole board. Pages of one `seq` come in order; the last one completes it.
    Page {
        /// The daemon's generation.
        generation: Generation,
        /// The number of the board.
        seq: BoardSeq,
        /// Which page, from 0.
        page: u32,
        /// How many there are.
        pages: u32,
        /// Its rows.
        rows: Vec<Row>,
        /// Lines for everybody (on every page).
        warnings: Vec<Warning>,
    },
    /// What changed since `base`. Applies only to exactly that state; otherwise the plugin asks to be resynced.
    Delta {
        /// The daemon's generation.
        generation: Generation,
        /// The state that it applies to.
        base: BoardSeq,
        /// The state that it leads to.
        seq: BoardSeq,
        /// Rows that are new or changed.
        upserted: Vec<Row>,
        /// Rows that are gone.
        removed: Vec<SessionId>,
        /// The new warnings, when they changed.
        warnings: Option<Vec<Warning>>,
    },
    /// Whether the daemon can be reached. Rows shown while it cannot are the last known ones, and the board says so.
    Daemon(DaemonHealth),
    /// What became of an intent.
    Outcome {
        /// The instance that had it.
        instance: InstanceId,
        /// Its id.
        command_id: CommandId,
        /// What happened.
        outcome: CommandOutcome,
    },
    /// An attach client in a pane of this server asks for zellij's help.
    Pane(PaneRequest),
    /// Are you there? Answered with [`Up::Alive`] by every instance.
    Ping {
        /// Echoed.
        number: u64,
    },
    /// What does your client look at? Answered with [`Up::Looking`] by every instance.
    Look {
        /// Echoed.
        number: u64,
    },
    /// The link ends on purpose.
    Goodbye,
    /// A part of the answer to [`Up::Query`]. Pages of one `number` come in order; the last one completes it.
    QueryPage {
        /// The instance that asked.
        instance: InstanceId,
        /// The number of its question.
        number: u64,
        /// Which page, from 0.
        page: u32,
        /// How many there are.
        pages: u32,
        /// What is on it.
        parts: Vec<QueryPart>,
    },
}

/// The link introduces itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkHello {
    /// Versions of the board protocol that it speaks.
    pub versions: Versions,
    /// The build of runner and link.
    pub build: String,
    /// The build of the plugin file on disk. An instance of another build reloads itself, once.
    pub plugin_build: String,
    /// The absolute path of the runner, for panes that the plugin opens.
    pub runner: String,
    /// The board root, for panes that the plugin opens.
    pub root: String,
    /// Where a session that is started from this board runs.
    pub cwd: String,
    /// The agent of a session that is started from this board; empty: `generic`.
    #[serde(default)]
    pub default_agent: String,
    /// The signs that the board draws, as configured.
    #[serde(default)]
    pub glyphs: GlyphSet,
    /// The language of the board's texts, by its two letters (`en`, `zh`, `ja`); empty: not said.
    #[serde(default)]
    pub language: String,
}

/// The daemon, as the link sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DaemonHealth {
    /// Connected.
    Connected {
        /// The build of the daemon.
        build: String,
    },
    /// Not reachable; the link tries again.
    Unreachable {
        /// What happened and what to do, one line.
        text: String,
    },
    /// It speaks another protocol; nothing is sent to it.
    Incompatible {
        /// What happened and what to do, one line.
        text: String,
    },
    /// A person ended it with `host-runner shutdown`; nothing starts it before the next command of a person.
    ShutDown {
        /// What to do, one line.
        text: String,
    },
}

/// What an attach client in a pane of this server wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaneRequest {
    /// The session.
    pub session: SessionId,
    /// The pane.
    pub place: AttachPlace,
    /// Whether it just came or just went.
    pub change: PaneChange,
}

/// Whether an attach client came or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaneChange {
    /// It shows a session: Locked mode for the client that looks at it.
    Attached,
    /// The person left it: Normal mode, and the focus back to the board.
    Detached,
    /// The session ended: Normal mode. Whoever opened the pane takes care of the focus.
    Ended,
}

/// A line up, in its envelope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpLine {
    /// Who speaks.
    pub instance: InstanceId,
    /// What it says.
    pub up: Up,
}

/// What the plugin tells the link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Up {
    /// First line of an instance, and again whenever it meets a new link.
    Hello(PluginHello),
    /// The instance has no board, or one that the last delta does not apply to.
    Resync,
    /// Something that the person wants changed.
    Intent {
        /// Makes it safe to send again.
        command_id: CommandId,
        /// What.
        intent: Intent,
    },
    /// The answer to [`Down::Ping`].
    Alive {
        /// As in the ping.
        number: u64,
    },
    /// The answer to [`Down::Look`].
    Looking {
        /// As in the question.
        number: u64,
        /// What its client looks at.
        focus: ClientFocus,
    },
    /// The instance is about to be closed: nothing may be sent to it any more.
    Goodbye,
    /// A view was opened, or wants newer news. It replaces the instance's open question of the same kind.
    Query {
        /// Counts the questions of the instance; an answer with another number is not for the view that is open now.
        number: u64,
        /// What it wants to know.
        query: Query,
    },
    /// The view was closed: nobody waits for this answer any more.
    QueryDropped {
        /// The number of the question.
        number: u64,
    },
}

/// An instance introduces itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginHello {
    /// Versions of the board protocol that it speaks.
    pub versions: Versions,
    /// Its build.
    pub build: String,
    /// The zellij server, as zellij told it.
    pub server_pid: u32,
    /// Its zellij client.
    pub client_id: u16,
    /// The URL under which it was loaded (`file:/…`): how to address a pipe to it.
    pub location: String,
    /// The configuration with which it was loaded: the other half of its address.
    pub configuration: BTreeMap<String, String>,
    /// The name of the zellij session, as far as it knows: names change.
    pub session_name: Option<String>,
    /// The id of the up pipe as zellij told this instance, or as a line down told it. Only instances know it: the link
    /// hands it on to those that were born after the pipe was opened.
    #[serde(default)]
    pub up_pipe: String,
}

/// What a person wants changed, as the plugin says it: the link adds the environment, the daemon decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Start a session; an empty `cwd` means the link's.
    Start(StartSession),
    /// Run an ended generic session again.
    Rerun {
        /// The row.
        session: SessionId,
    },
    /// Interrupt the running turn.
    Interrupt {
        /// The row.
        session: SessionId,
    },
    /// Stop it.
    Stop {
        /// The row.
        session: SessionId,
    },
    /// Take it off the board.
    Remove {
        /// The row.
        session: SessionId,
    },
    /// A person has looked at it.
    Visit {
        /// The row.
        session: SessionId,
    },
    /// Nobody has looked at what it said last.
    MarkUnread {
        /// The row.
        session: SessionId,
    },
    /// Give the agent words of the person.
    Reply {
        /// The row.
        session: SessionId,
        /// The words.
        text: String,
        /// When.
        delivery: ReplyDelivery,
    },
    /// Change words that wait.
    EditQueued {
        /// The row.
        session: SessionId,
        /// What waits.
        item: QueueItemId,
        /// The new words.
        text: String,
    },
    /// Change the order of what waits.
    MoveQueued {
        /// The row.
        session: SessionId,
        /// What waits.
        item: QueueItemId,
        /// Its new place: 0 is sent next.
        place: u32,
    },
    /// Take words out of the queue.
    RemoveQueued {
        /// The row.
        session: SessionId,
        /// What waits.
        item: QueueItemId,
    },
    /// Send words that wait now, also while the agent works.
    SendQueued {
        /// The row.
        session: SessionId,
        /// What waits.
        item: QueueItemId,
    },
    /// Take everything that waits out of the queue.
    ClearQueue {
        /// The row.
        session: SessionId,
    },
    /// It is done.
    MarkCompleted {
        /// The row.
        session: SessionId,
    },
    /// Put it on hold.
    MarkHolding {
        /// The row.
        session: SessionId,
    },
    /// Take it off hold.
    ClearHolding {
        /// The row.
        session: SessionId,
    },
    /// Give it another name.
    Rename {
        /// The row.
        session: SessionId,
        /// The name.
        name: String,
    },
    /// Pin or unpin it.
    SetPin {
        /// The row.
        session: SessionId,
        /// Which.
        pin: Pin,
    },
    /// Add and remove tags.
    Tag {
        /// The row.
        session: SessionId,
        /// Tags that it gets.
        add: Vec<String>,
        /// Tags that it loses.
        remove: Vec<String>,
    },
    /// Forget its diagnostics.
    ClearLog {
        /// The row.
        session: SessionId,
    },
    /// End every wait on this terminal, or on all terminals of this session. Since version 4.
    SkipWaits {
        /// The row.
        session: SessionId,
    },
}
