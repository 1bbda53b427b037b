//! Commands: what a person or a script asks the coordinator to change.

use crate::{
    ids::{CommandId, QueueItemId, RunId, SessionId, Size},
    plan::PlanStep,
    refusal::Refusal,
    run::{RunReport, RunRequest},
    state::{Classification, CommandSource},
    terminals::OpenTerminal,
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
    /// Tags that it has from the beginning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether the next launch dialog begins with this agent, model and thinking.
    #[serde(default, skip_serializing_if = "Remember::is_nothing")]
    pub remember: Remember,
}

/// What of a start is remembered for the next one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remember {
    /// Nothing: a quick line and a script say what they want each time.
    #[default]
    Nothing,
    /// Agent, model and thinking: the person chose them in the launch dialog (reference A.13).
    Choices,
}

impl Remember {
    /// Whether there is nothing to say, so that the message stays as older builds wrote it.
    const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// A conversation that an agent had elsewhere and that goes on as a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdoptSession {
    /// The adapter; it must be able to continue a conversation from a file alone.
    pub agent: String,
    /// The absolute path of the file that keeps the conversation. A row that has this file already is used again.
    pub transcript: String,
    /// The absolute directory in which a new row runs.
    pub cwd: String,
    /// The size of a new row's terminal until somebody attaches.
    pub size: Option<Size>,
    /// Words for the agent as soon as it waits for them; at most [`MAX_TASK_BYTES`].
    pub prompt: Option<String>,
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
    /// Puts a conversation that an agent had elsewhere on the board, in a host of its own (reference D.4).
    Adopt(AdoptSession),
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
    /// Says that nobody has looked at what the session said last.
    MarkUnread {
        /// The row.
        session: SessionId,
    },
    /// Gives the agent words of the person: at once or later, as `delivery` says, and once.
    Reply {
        /// The row.
        session: SessionId,
        /// The words, taken literally; at most [`MAX_TASK_BYTES`].
        text: String,
        /// When.
        delivery: ReplyDelivery,
    },
    /// Changes words that wait.
    EditQueued {
        /// The row.
        session: SessionId,
        /// What waits.
        item: QueueItemId,
        /// The new words.
        text: String,
    },
    /// Changes the order of what waits.
    MoveQueued {
        /// The row.
        session: SessionId,
        /// What waits.
        item: QueueItemId,
        /// Its new place: 0 is sent next; beyond the last is the last.
        place: u32,
    },
    /// Takes words out of the queue.
    RemoveQueued {
        /// The row.
        session: SessionId,
        /// What waits.
        item: QueueItemId,
    },
    /// Sends words that wait now, also while the agent works.
    SendQueued {
        /// The row.
        session: SessionId,
        /// What waits.
        item: QueueItemId,
    },
    /// Takes everything that waits out of the queue.
    ClearQueue {
        /// The row.
        session: SessionId,
    },
    /// Says that the session is done (a verdict).
    MarkCompleted {
        /// The row.
        session: SessionId,
    },
    /// Puts the session on hold (a verdict).
    MarkHolding {
        /// The row.
        session: SessionId,
    },
    /// Takes the session off hold.
    ClearHolding {
        /// The row.
        session: SessionId,
    },
    /// Gives the session another name.
    Rename {
        /// The row.
        session: SessionId,
        /// The name, plain text within [`crate::board::MAX_NAME_COLUMNS`].
        name: String,
    },
    /// Pins or unpins the row.
    SetPin {
        /// The row.
        session: SessionId,
        /// Which.
        pin: Pin,
    },
    /// Adds and removes tags.
    Tag {
        /// The row.
        session: SessionId,
        /// Tags that it gets.
        add: Vec<String>,
        /// Tags that it loses.
        remove: Vec<String>,
    },
    /// Forgets the session's diagnostics. They are no facts: nothing of the row but its count of errors changes.
    ClearLog {
        /// The row.
        session: SessionId,
    },
    /// What a classifier makes of the agent's last words (reference B.11).
    Classify {
        /// The row.
        session: SessionId,
        /// The result.
        classification: Classification,
    },
    /// What a headless run, or whoever starts one, reports about it (reference C.5).
    ReportRun {
        /// The row.
        session: SessionId,
        /// The run.
        run: RunId,
        /// What.
        report: RunReport,
    },
    /// Has an agent work without a terminal for one turn: in a new session, or in one whose process has ended.
    Run(RunRequest),
    /// A step of a plan (reference A.11).
    Plan {
        /// The row.
        session: SessionId,
        /// What.
        step: PlanStep,
    },
    /// Opens a terminal for a session's agent. Only the daemon makes it, of an [`crate::terminals::AgentAsk::Open`] whose token was right.
    OpenTerminal {
        /// The session whose agent owns it.
        parent: SessionId,
        /// What.
        open: OpenTerminal,
    },
}

impl Command {
    /// Its name in logs, in the store and in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::Rerun { .. } => "rerun",
            Self::Resume { .. } => "resume",
            Self::Adopt(_) => "adopt",
            Self::Interrupt { .. } => "interrupt",
            Self::Stop { .. } => "stop",
            Self::Remove { .. } => "remove",
            Self::Visit { .. } => "visit",
            Self::MarkUnread { .. } => "mark_unread",
            Self::Reply { .. } => "reply",
            Self::EditQueued { .. } => "edit_queued",
            Self::MoveQueued { .. } => "move_queued",
            Self::RemoveQueued { .. } => "remove_queued",
            Self::SendQueued { .. } => "send_queued",
            Self::ClearQueue { .. } => "clear_queue",
            Self::MarkCompleted { .. } => "mark_completed",
            Self::MarkHolding { .. } => "mark_holding",
            Self::ClearHolding { .. } => "clear_holding",
            Self::Rename { .. } => "rename",
            Self::SetPin { .. } => "set_pin",
            Self::Tag { .. } => "tag",
            Self::ClearLog { .. } => "clear_log",
            Self::Classify { .. } => "classify",
            Self::ReportRun { .. } => "report_run",
            Self::Run(_) => "run",
            Self::Plan { .. } => "plan",
            Self::OpenTerminal { .. } => "open_terminal",
        }
    }

    /// Whether it is neither written down nor remembered: it shows what goes on, and a newer one replaces it.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::ReportRun { report, .. } if report.is_transient())
    }

    /// The session that it is about, if that exists already.
    pub const fn subject(&self) -> Option<&SessionId> {
        match self {
            Self::Start(_) | Self::Adopt(_) | Self::OpenTerminal { .. } => None,
            Self::Run(request) => request.session.as_ref(),
            Self::Rerun { session }
            | Self::Resume { session }
            | Self::Interrupt { session }
            | Self::Stop { session }
            | Self::Remove { session }
            | Self::Visit { session }
            | Self::MarkUnread { session }
            | Self::Reply { session, .. }
            | Self::EditQueued { session, .. }
            | Self::MoveQueued { session, .. }
            | Self::RemoveQueued { session, .. }
            | Self::SendQueued { session, .. }
            | Self::ClearQueue { session }
            | Self::MarkCompleted { session }
            | Self::MarkHolding { session }
            | Self::ClearHolding { session }
            | Self::Rename { session, .. }
            | Self::SetPin { session, .. }
            | Self::Tag { session, .. }
            | Self::ClearLog { session }
            | Self::Classify { session, .. }
            | Self::ReportRun { session, .. }
            | Self::Plan { session, .. } => Some(session),
        }
    }
}

/// When words of a person reach the agent (reference A.10).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyDelivery {
    /// At once if the agent waits for instructions, else in their turn.
    #[default]
    Auto,
    /// At once, also while the agent works.
    Now,
    /// In their turn.
    Queue,
}

/// Whether a row is pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pin {
    /// It stands first in its group.
    Pinned,
    /// It stands where its age puts it.
    Unpinned,
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
    /// Who asks.
    #[serde(default)]
    pub source: CommandSource,
    /// The row's revision that whoever asks has seen; a command about another one is refused.
    #[serde(default)]
    pub expected_revision: Option<u64>,
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

impl CommandOutcome {
    /// It for a reader, in the language that is spoken here.
    #[must_use]
    pub fn retold(self) -> Self {
        match self {
            Self::Applied { session, notice } => {
                let notice = notice.map(|notice| board_text::retold(&notice).into_owned());
                Self::Applied { session, notice }
            }
            Self::Refused(refusal) => Self::Refused(refusal.retold()),
        }
    }
}
