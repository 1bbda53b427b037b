//! What happened to a session. Facts are the journal: written once, never changed, replayed in order.
//!
//! Variants and fields are never renamed or reused; a field added later carries `#[serde(default)]`.

use super::{
    news::AgentNews,
    plan::PlanMove,
    queue::ReplyTrace,
    run::{RunCause, RunFinished},
    session::AfterStop,
};
use crate::agents::{AgentKind, event::Place};
use board_protocol::{
    command::{Launch, Pin, ReplyDelivery},
    daemon::{ReplyKind, Stray},
    host::{AttachedClient, DeliveryProgress, Exit},
    ids::{FactSeq, Generation, ProcessIdentity, QueueItemId, RunId, SessionId, Size, UnixMs},
    run::RunStart,
    state::{Classification, SemanticState},
};
use serde::{Deserialize, Serialize};

/// One thing that happened to one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The session.
    pub session: SessionId,
    /// When it happened.
    pub at: UnixMs,
    /// What happened.
    pub kind: FactKind,
}

/// What can happen to a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// A person started it.
    SessionBegun(Box<SessionBegun>),
    /// A person ran it once more, in the same row.
    SessionBegunAgain {
        /// The new host's generation.
        generation: Generation,
        /// What is executed.
        argv: Vec<String>,
        /// When the environment was taken.
        environment_at: UnixMs,
    },
    /// A person entered it after its process had ended: a fresh host continues it in the same row.
    SessionResumed {
        /// The new host's generation.
        generation: Generation,
        /// What is executed.
        argv: Vec<String>,
        /// When the environment was taken.
        environment_at: UnixMs,
    },
    /// The daemon started a host process.
    HostSpawned {
        /// The host's generation.
        generation: Generation,
        /// Its process.
        process: ProcessIdentity,
    },
    /// A host could not be started.
    HostSpawnFailed {
        /// The host's generation.
        generation: Generation,
        /// Why, for the person.
        reason: String,
    },
    /// A host introduced itself, or did so again with news.
    HostRegistered(HostMet),
    /// The host ended without saying how its program ended.
    HostLost {
        /// The host's generation.
        generation: Generation,
        /// Why we think so, for the person.
        reason: String,
        /// The program, if it still runs without its host.
        #[serde(default)]
        strays: Vec<Stray>,
    },
    /// The program runs.
    ChildStarted {
        /// The host's generation.
        generation: Generation,
        /// The host's number of this fact.
        seq: FactSeq,
        /// The program's process.
        child: ProcessIdentity,
    },
    /// The program could not be started.
    ChildStartFailed {
        /// The host's generation.
        generation: Generation,
        /// The host's number of this fact.
        seq: FactSeq,
        /// Why, for the person.
        error: String,
    },
    /// The program ended. Its last screen is kept beside the journal.
    ChildExited {
        /// The host's generation.
        generation: Generation,
        /// The host's number of this fact.
        seq: FactSeq,
        /// How.
        exit: Exit,
        /// Processes that left its tree and still ran.
        strays: Vec<Stray>,
        /// The line of its last screen that says why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Clients attached or left.
    AttachedChanged {
        /// The host's generation.
        generation: Generation,
        /// The host's number of this fact.
        seq: FactSeq,
        /// Everybody who is attached now.
        attached: Vec<AttachedClient>,
    },
    /// Its agent reported something that changes it.
    AgentReported {
        /// The generation of the host that passed it on, or of the one that it was meant for.
        generation: Generation,
        /// The host's number of this fact; `None` when the agent could not reach its host and wrote to the disk itself.
        seq: Option<FactSeq>,
        /// The agent's own number.
        place: Option<Place>,
        /// What it comes to, in order.
        news: Vec<AgentNews>,
    },
    /// A person sent the interrupt key.
    SessionInterrupted,
    /// A person asked it to end.
    StopRequested {
        /// What happens to the row afterwards.
        then: AfterStop,
    },
    /// A person looked at it.
    SessionVisited,
    /// A person wants it to look as if nobody had.
    SessionUnvisited,
    /// A person gave it another name.
    SessionRenamed {
        /// The name.
        name: String,
    },
    /// A person pinned or unpinned it.
    PinSet {
        /// Which.
        pin: Pin,
    },
    /// A person changed its tags.
    TagsSet {
        /// All of them, in order.
        tags: Vec<String>,
    },
    /// A person wrote words for its agent.
    ReplyQueued {
        /// Their id.
        item: QueueItemId,
        /// The words.
        text: String,
        /// When they may reach it.
        delivery: ReplyDelivery,
        /// What they are.
        #[serde(default, skip_serializing_if = "ReplyKind::is_reply")]
        kind: ReplyKind,
    },
    /// A person wrote other words instead.
    ReplyEdited {
        /// Which.
        item: QueueItemId,
        /// The words.
        text: String,
    },
    /// A person changed the order of what waits.
    ReplyMoved {
        /// Which.
        item: QueueItemId,
        /// Its place among those that wait, from 0.
        place: u32,
    },
    /// A person took words out of the queue.
    ReplyRemoved {
        /// Which.
        item: QueueItemId,
    },
    /// A person wants words sent as soon as they can be.
    ReplyHurried {
        /// Which.
        item: QueueItemId,
        /// Their new id, if they may have arrived before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again_as: Option<QueueItemId>,
    },
    /// The host is told to write words to its agent.
    ReplySent {
        /// The host's generation.
        generation: Generation,
        /// Which.
        item: QueueItemId,
    },
    /// The host said how far words are.
    ReplyProgressed {
        /// The host's generation.
        generation: Generation,
        /// The host's number of this fact.
        seq: FactSeq,
        /// Which.
        item: QueueItemId,
        /// How far.
        progress: DeliveryProgress,
    },
    /// Their host ended without a word; this is what it left about words that it had been told to write.
    ReplyTraced {
        /// The host's generation.
        generation: Generation,
        /// Which.
        item: QueueItemId,
        /// What is known.
        trace: ReplyTrace,
    },
    /// It was taken off the board.
    SessionRemoved,
    /// A person said that it is done.
    MarkedCompleted,
    /// A person put it on hold.
    MarkedHolding,
    /// A person took it off hold.
    HoldingCleared,
    /// A person spoke to a program that reports nothing, and so took a verdict away.
    VerdictLifted {
        /// The host's generation, for a report of a host.
        generation: Option<Generation>,
        /// The host's number of that report.
        seq: Option<FactSeq>,
        /// How.
        by: Lift,
    },
    /// A classifier has read its last words.
    AutoStateClassified {
        /// What it made of them.
        classification: Classification,
        /// The state that this leads to.
        state: SemanticState,
    },
    /// Its host ends its program because it was idle for long (decision 14).
    HostReclaimed {
        /// The host's generation.
        generation: Generation,
        /// The host's number of this fact.
        seq: FactSeq,
    },
    /// Processes that it had left behind have ended since.
    StraysEnded {
        /// Those that still run.
        left: Vec<Stray>,
    },
    /// A headless run was asked for.
    RunQueued {
        /// The run.
        run: RunId,
        /// The words of the queue that go with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<QueueItemId>,
        /// When the environment that it gets was taken; `None` where nobody gave one with the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        environment_at: Option<UnixMs>,
    },
    /// The daemon started the process of a headless run.
    RunSpawned {
        /// The run.
        run: RunId,
        /// Its process.
        process: ProcessIdentity,
    },
    /// The agent of a headless run has said which conversation it is in.
    RunConversed {
        /// The run.
        run: RunId,
        /// The agent's own id of it.
        conversation: Option<String>,
        /// The file that keeps it.
        transcript: Option<String>,
        /// The model that answers.
        model: Option<String>,
    },
    /// A headless run began.
    RunStarted {
        /// The run.
        run: RunId,
        /// What is known of it.
        start: RunStart,
        /// How that became known.
        cause: RunCause,
    },
    /// A headless run ended.
    RunFinalized {
        /// The run.
        run: RunId,
        /// How.
        end: Box<RunFinished>,
    },
    /// A headless run's process is gone without a word.
    RunLost {
        /// The run.
        run: RunId,
        /// Why we think so, for the person.
        reason: String,
    },
    /// A headless run made a plan that a person shall approve.
    PlanReady {
        /// The run.
        run: RunId,
        /// What the person is asked.
        question: String,
        /// The plan, if it was told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<String>,
    },
    /// A step of its plan.
    PlanMoved(PlanMove),
    /// A command of the person's own made it a name of its first words.
    TitleGiven {
        /// The name.
        name: String,
    },
    /// A command of the person's own made a line of its last words.
    Summarised {
        /// The hash of these words.
        text_hash: String,
        /// The line.
        summary: String,
    },
    /// Texts that were made after the end of a run.
    RunPatched {
        /// The run.
        run: RunId,
        /// A better summary.
        summary: Option<String>,
        /// A better beginning of its last words.
        preview: Option<String>,
    },
    /// A session that was started elsewhere joined the board.
    SessionAdopted,
    /// One of these that came while a person's verdict stood: it happened, and the row stays where it is.
    Fenced(Box<FactKind>),
}

/// How a person spoke to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lift {
    /// They typed a line end in an attach pane.
    Typed,
    /// Words that they had written were delivered.
    Replied,
}

/// Everything that is known when a session begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionBegun {
    /// Its name.
    pub name: String,
    /// Its adapter.
    pub agent: AgentKind,
    /// What the person asked to run.
    pub launch: Launch,
    /// What is executed for it.
    pub argv: Vec<String>,
    /// What it runs, in the person's words.
    pub words: String,
    /// Where it runs.
    pub cwd: String,
    /// The name of the linked git worktree that this was in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
    /// The size of its terminal.
    pub size: Size,
    /// The host's generation.
    pub generation: Generation,
    /// When the environment was taken.
    pub environment_at: UnixMs,
    /// The model that the person asked for, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How hard it shall think, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The file that keeps its conversation, where that began elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
    /// The tools that the person allows, in the agent's words; for turns without a terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<String>,
    /// Where its first turn runs.
    #[serde(default, skip_serializing_if = "Medium::is_terminal")]
    pub medium: Medium,
    /// The session whose agent opened it, if it is a terminal of an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
}

/// Where a session's first turn runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Medium {
    /// In a terminal of its own, which its host has.
    #[default]
    Terminal,
    /// Nowhere: a run process drives it, and there is no host before somebody enters it.
    Headless,
}

impl Medium {
    /// Whether it is a terminal.
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal)
    }
}

/// What a host said when it introduced itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostMet {
    /// Its generation.
    pub generation: Generation,
    /// Its process.
    pub process: ProcessIdentity,
    /// The program's process, if it runs.
    pub child: Option<ProcessIdentity>,
    /// Its socket.
    pub socket: String,
    /// Who is attached.
    pub attached: Vec<AttachedClient>,
}

impl FactKind {
    /// What happened, whether or not the row follows.
    pub fn happened(&self) -> &Self {
        match self {
            Self::Fenced(kind) => kind.happened(),
            kind => kind,
        }
    }

    /// The host's generation and number, for facts that a host numbered.
    pub fn host_number(&self) -> Option<(&Generation, FactSeq)> {
        match self {
            Self::ChildStarted { generation, seq, .. }
            | Self::ChildStartFailed { generation, seq, .. }
            | Self::ChildExited { generation, seq, .. }
            | Self::AttachedChanged { generation, seq, .. }
            | Self::ReplyProgressed { generation, seq, .. }
            | Self::HostReclaimed { generation, seq }
            | Self::AgentReported { generation, seq: Some(seq), .. }
            | Self::VerdictLifted { generation: Some(generation), seq: Some(seq), .. } => {
                Some((generation, *seq))
            }
            Self::Fenced(kind) => kind.host_number(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
