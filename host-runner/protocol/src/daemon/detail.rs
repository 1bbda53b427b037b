//! Everything that `show` prints about one session.

use crate::{
    board::Row,
    diagnostics::DiagnosticSummary,
    ids::{Generation, ProcessIdentity, QueueItemId, UnixMs},
    plan::Plan,
    state::Classification,
    terminals::Wait,
};
use serde::{Deserialize, Serialize};

/// Words of a person that wait for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedReply {
    /// Their id.
    pub id: QueueItemId,
    /// The words.
    pub text: String,
    /// When they were written.
    pub at_ms: UnixMs,
    /// What becomes of them.
    pub progress: ReplyProgress,
    /// What they are.
    #[serde(default, skip_serializing_if = "ReplyKind::is_reply")]
    pub kind: ReplyKind,
}

/// What words that wait for an agent are (reference A.10).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyKind {
    /// A person's own words.
    #[default]
    Reply,
    /// What asks for a plan.
    PlanRequest,
    /// What has an approved plan carried out.
    PlanApproval,
    /// What sends a plan back.
    PlanChange,
}

impl ReplyKind {
    /// Whether they are a person's own words, and nothing about a plan.
    pub const fn is_reply(&self) -> bool {
        matches!(self, Self::Reply)
    }
}

/// What becomes of words on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyProgress {
    /// They wait for their turn.
    Waiting,
    /// The host was told and has not answered.
    Sent,
    /// The host has them on its disk.
    Accepted,
    /// They were written to the agent.
    Applied,
    /// The host ended after it had accepted them; whether the agent got them is not known. They are never sent again by
    /// themselves.
    AcceptedUnknown,
}

/// Everything that `show` prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionDetail {
    /// The row as on the board.
    pub row: Row,
    /// What was started: program and arguments.
    pub argv: Vec<String>,
    /// Where its host listens, while there is one.
    pub host: Option<HostEndpoint>,
    /// The program's process, while it runs.
    pub child: Option<ProcessIdentity>,
    /// When the environment that it was started with was taken.
    pub environment_at_ms: Option<UnixMs>,
    /// Processes that left its tree and still run.
    pub strays: Vec<Stray>,
    /// What its agent told.
    #[serde(default)]
    pub agent: AgentDetail,
    /// Words of a person that wait for it, the next one first, and those whose arrival is not known.
    #[serde(default)]
    pub queue: Vec<QueuedReply>,
    /// What a classifier made of its last words, if that decided its state.
    #[serde(default)]
    pub classification: Option<Classification>,
    /// Its plan, once one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// What its diagnostics say in short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<DiagnosticSummary>,
    /// Open waits on its output, or on that of its terminals, with whole needles, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Wait>,
}

/// What a session's agent told. Every text is plain and cut.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentDetail {
    /// The agent's own id of its session.
    pub session_id: Option<String>,
    /// The file that keeps its transcript.
    pub transcript: Option<String>,
    /// The model that answers.
    pub model: Option<String>,
    /// Every open question, the shown one first.
    pub questions: Vec<String>,
    /// The beginning of the last thing it said.
    pub preview: Option<String>,
    /// The hash of all of the last thing it said: what a classifier's result about it has to carry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_hash: Option<String>,
    /// Tokens of all its answers.
    pub tokens_read: u64,
    /// Tokens that it wrote.
    pub tokens_written: u64,
    /// Millionths of a US dollar, as the agent counts them; `None` when it does not.
    pub cost_micros: Option<u64>,
    /// What decided its state, and when: `agent event: settled`, `process exit: exit code 3`.
    pub evidence: Option<String>,
    /// When that was.
    pub evidence_at_ms: Option<UnixMs>,
    /// Events that moved nothing, newest last: unknown, late, refused.
    pub diagnostics: Vec<DiagnosticLine>,
    /// Agents below it that have ended, since the first of those that still run, or ran last, began.
    pub children_done: u32,
    /// These and those that still run.
    pub children: u32,
}

/// An event that moved nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticLine {
    /// When it came.
    pub at_ms: UnixMs,
    /// A short word: `unknown_event`, `late_event`, `wrong_token`.
    pub code: String,
    /// What there was to see, plain and cut.
    pub detail: String,
}

/// Where a host can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostEndpoint {
    /// The absolute path of its socket.
    pub socket: String,
    /// Its generation.
    pub generation: Generation,
    /// Its process.
    pub process: ProcessIdentity,
}

/// A process that carries a session's mark but left its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stray {
    /// The process.
    pub process: ProcessIdentity,
    /// Its command line, cut.
    pub command: String,
}
