//! A headless run: one turn of an agent without a terminal, and what its process reports (reference A.5, C.5).
//!
//! The run process sends these inside [`crate::command::Command::ReportRun`], with the source `job-runner`; the daemon
//! alone makes a state of them. They never carry a state: what a report means is decided in one place.

use crate::{
    command::EnvVar,
    daemon::LogLevel,
    evidence::EvidenceItem,
    ids::{CommandId, ProcessIdentity, RunId, SessionId, Token, UnixMs},
};
use serde::{Deserialize, Serialize};

/// Longest prompt of a run that a report may carry, in bytes; the whole of it is in the agent's transcript.
pub const MAX_RUN_PROMPT_BYTES: usize = 16 * 1024;
/// Longest line of text that a report of a run may carry, in bytes.
pub const MAX_RUN_TEXT_BYTES: usize = 16 * 1024;

/// Most notes in one report of a run.
pub const MAX_NOTES_IN_REPORT: usize = 64;
/// Longest note of a run, in bytes: a line of a log.
pub const MAX_NOTE_BYTES: usize = 2 * 1024;

/// What a run is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// The first words of a session.
    #[default]
    Dispatch,
    /// Later words.
    Reply,
    /// A plan that a person shall approve.
    Plan,
    /// A plan that was sent back with wishes.
    PlanChange,
    /// An approved plan that is carried out.
    PlanApproval,
}

/// Why the model of a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStop {
    /// It was done.
    Done,
    /// It was cut at its limit.
    Length,
    /// It failed.
    Error,
    /// It was stopped.
    Aborted,
    /// Something else.
    Other,
}

/// Whether a person asked a run to end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnding {
    /// It ended by itself.
    #[default]
    Itself,
    /// A person stopped it.
    StoppedByPerson,
}

/// A turn without a terminal that somebody asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunRequest {
    /// The session that goes on; `None` makes a new one of the next fields.
    pub session: Option<SessionId>,
    /// The name of a new session; `None` makes one from the prompt.
    pub name: Option<String>,
    /// The adapter of a new session.
    pub agent: String,
    /// The absolute directory of a new session.
    pub cwd: String,
    /// What it is for.
    pub kind: RunKind,
    /// What the agent is told, taken literally; at most [`crate::command::MAX_TASK_BYTES`].
    pub prompt: String,
    /// The model, in the agent's words.
    pub model: Option<String>,
    /// How hard it thinks, in the agent's words.
    pub thinking: Option<String>,
    /// The tools that it may use, in the agent's words; `None` leaves the agent its own.
    pub tools: Option<String>,
}

/// What the daemon gives the process of a run on its standard input: everything, so that nothing secret is on a command
/// line or a disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLaunch {
    /// The board root.
    pub root: String,
    /// The session.
    pub session: SessionId,
    /// The run.
    pub run: RunId,
    /// The adapter that reads what the worker prints.
    pub agent: String,
    /// What it is for.
    pub kind: RunKind,
    /// The worker: program and arguments, the prompt included.
    pub argv: Vec<String>,
    /// What the worker reads on its standard input; `None` for nothing.
    #[serde(default)]
    pub input: Option<String>,
    /// The absolute directory in which it runs.
    pub cwd: String,
    /// The launching shell's environment.
    pub environment: Vec<EnvVar>,
    /// The prompt, as the person wrote it, cut to [`MAX_RUN_PROMPT_BYTES`]; for reports only.
    pub prompt: String,
    /// The model that was asked for.
    #[serde(default)]
    pub model: Option<String>,
    /// How long the worker may take to end after SIGTERM, in milliseconds.
    #[serde(default)]
    pub stop_grace_ms: u32,
    /// The session's secret, with which the worker's MCP server asks for its terminals; `None` leaves the worker without any.
    #[serde(default)]
    pub token: Option<Token>,
}

/// The beginning of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunStart {
    /// What it is for.
    pub kind: RunKind,
    /// What the agent is told, at most [`MAX_RUN_PROMPT_BYTES`].
    pub prompt: String,
    /// The model that was asked for.
    pub model: Option<String>,
    /// The process that drives the agent; what a reconcile looks at.
    pub process: Option<ProcessIdentity>,
    /// When it began.
    pub started_at_ms: UnixMs,
}

/// How far a run is. At most four a second are shown; none is ever written down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunBeat {
    /// The beginning once more: it counts where the report of the beginning was lost (reference C.10, flow 3).
    pub start: Option<RunStart>,
    /// What the agent does, in a few words.
    pub doing: Option<String>,
    /// The beginning of what it said last.
    pub preview: Option<String>,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnd {
    /// When.
    pub ended_at_ms: UnixMs,
    /// The worker's exit code; `None` when a signal ended it.
    pub exit_code: Option<i32>,
    /// Why the model stopped.
    #[serde(default)]
    pub stop: Option<RunStop>,
    /// Whether a person asked for the end.
    #[serde(default)]
    pub ending: RunEnding,
    /// What it said last, at most [`MAX_RUN_TEXT_BYTES`].
    #[serde(default)]
    pub text: Option<String>,
    /// When it said that.
    #[serde(default)]
    pub last_agent_activity_at_ms: Option<UnixMs>,
    /// The error, if there was one.
    #[serde(default)]
    pub error: Option<String>,
    /// What it cost.
    #[serde(default)]
    pub usage: RunUsage,
}

/// What a run cost, as a sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunUsage {
    /// Tokens read, from a cache or not.
    pub read: u64,
    /// Tokens written.
    pub written: u64,
    /// Millionths of a US dollar.
    pub cost_micros: Option<u64>,
    /// Answers of the model.
    pub turns: u32,
    /// Calls of tools.
    pub tools: u32,
}

/// A line of a run for the session's log (reference D.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunNote {
    /// When.
    pub at_ms: UnixMs,
    /// How grave it is.
    pub level: LogLevel,
    /// A short word: `worker_exit`.
    pub code: String,
    /// What there is to say, at most [`MAX_NOTE_BYTES`]; secrets are taken out.
    pub message: String,
}

/// The conversation in which a run speaks: what a later turn, with or without a terminal, goes on with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunConversation {
    /// The agent's own id of it.
    pub id: Option<String>,
    /// The file that keeps it, where the agent names one.
    pub transcript: Option<String>,
    /// The model that answers.
    pub model: Option<String>,
}

/// What is reported about a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunReport {
    /// It was asked for (`mark_queued`).
    Queued,
    /// It began (`run_started`).
    Started(RunStart),
    /// It goes on (`run_progress`). Transient.
    Progressed(RunBeat),
    /// It ended (`run_finalized`).
    Finalized(RunEnd),
    /// It began with words that had waited (`followup_started`).
    FollowedUp(RunStart),
    /// It made a plan that a person shall approve (`plan_ready`).
    PlanReady {
        /// What to ask the person; `None` asks for approval.
        question: Option<String>,
        /// The plan, at most [`crate::plan::MAX_PLAN_BYTES`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<String>,
    },
    /// What there is to show for the work, at most [`crate::evidence::MAX_ITEMS_IN_REPORT`]. No fact: it moves no row.
    Evidence(Vec<EvidenceItem>),
    /// Texts that were made after its end (`patch_fields`).
    Patched {
        /// A better summary.
        summary: Option<String>,
        /// A better beginning of its last words.
        preview: Option<String>,
    },
    /// Lines for the session's log, at most [`MAX_NOTES_IN_REPORT`]. No fact: they move no row.
    Noted(Vec<RunNote>),
    /// The agent has said which conversation this is. Said once, when it is known, so that a run that is lost later can
    /// be gone on with.
    Conversing(RunConversation),
}

/// A report that could not be said to a daemon and waits on the disk (`host-runner run` without one).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptReport {
    /// The run.
    pub run: RunId,
    /// The id of the command that it is: said twice, it counts once.
    pub command_id: CommandId,
    /// What.
    pub report: RunReport,
}

impl RunReport {
    /// Whether it is gone as soon as it was shown.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Progressed(_))
    }
}
