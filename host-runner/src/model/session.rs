//! The record of one session, as the store keeps it. Only [`super::apply`] changes one.

use super::{
    agent::{AgentRecord, Evidence},
    queue::ReplyQueue,
};
use crate::agents::{AgentKind, Turns};
use board_protocol::{
    command::Launch,
    daemon::Stray,
    host::{AttachedClient, Exit},
    ids::{FactSeq, Generation, ProcessIdentity, SessionId, Size, UnixMs},
    state::{HostState, ProcessState, SemanticState},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Every session of the board, by id.
pub type Sessions = BTreeMap<SessionId, SessionRecord>;

/// One session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// Its id.
    pub id: SessionId,
    /// Its name, plain text within the board's limit.
    pub name: String,
    /// Its adapter.
    pub agent: AgentKind,
    /// What the person asked to run.
    pub launch: Launch,
    /// What was executed for it.
    pub argv: Vec<String>,
    /// What it runs, in the person's words.
    pub words: String,
    /// Where it runs.
    pub cwd: String,
    /// The size of its terminal when it starts.
    pub size: Size,
    /// The group that it stands in.
    pub state: SemanticState,
    /// Whether a turn runs.
    pub process_state: ProcessState,
    /// The process that owns its PTY.
    pub host: HostRecord,
    /// Set from the moment a person asked it to end until it runs again.
    pub stop: Option<StopRequest>,
    /// How it ended, if it did.
    pub ending: Option<Ending>,
    /// The last error, for the person.
    pub error: Option<String>,
    /// Processes that left its tree and still ran when it ended.
    pub strays: Vec<Stray>,
    /// Pinned by a person.
    pub pinned: bool,
    /// Tags that a person gave it, in order.
    #[serde(default)]
    pub tags: Vec<String>,
    /// How many facts have changed it; what a command can be made conditional on.
    #[serde(default)]
    pub revision: u64,
    /// When it was made.
    pub created_at: UnixMs,
    /// When a fact last changed it.
    pub last_activity_at: UnixMs,
    /// When it last said something that a person should look at: it ended, or it asked.
    pub spoke_at: Option<UnixMs>,
    /// When a person last looked.
    pub visited_at: Option<UnixMs>,
    /// When the environment that it was started with was taken.
    pub environment_at: Option<UnixMs>,
    /// What its agent told.
    #[serde(default)]
    pub agent_record: AgentRecord,
    /// Words of a person that wait for it.
    #[serde(default)]
    pub queue: ReplyQueue,
}

/// Which kind of evidence decided a state (decision 9), strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateSource {
    /// A person's words were delivered.
    Person,
    /// The agent reported it.
    AgentEvent,
    /// Its process, or its host, ended.
    ProcessExit,
}

impl StateSource {
    /// Its name, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::AgentEvent => "agent event",
            Self::ProcessExit => "process exit",
        }
    }
}

/// One boot of a session's host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRecord {
    /// What it does.
    pub state: HostState,
    /// Which boot this is. Reports of another generation change nothing.
    pub generation: Generation,
    /// When it was asked for.
    pub asked_at: UnixMs,
    /// Its process, once it was spawned.
    pub process: Option<ProcessIdentity>,
    /// The program's process, while it runs.
    pub child: Option<ProcessIdentity>,
    /// Its socket, once it reported.
    pub socket: Option<String>,
    /// The newest fact of this generation that was recorded.
    pub last_fact: FactSeq,
    /// Who is attached.
    pub attached: Vec<AttachedClient>,
}

/// What a person who asked for the end wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopRequest {
    /// When it was asked for.
    pub at: UnixMs,
    /// Whether the row goes once the program has ended.
    pub then: AfterStop,
}

/// What happens to a row once its program has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterStop {
    /// It stays on the board.
    Stays,
    /// It is removed.
    Removed,
}

/// How a session's process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The program returned or was killed.
    Exited(Exit),
    /// The program could not be started.
    NeverStarted,
    /// The host ended without a word, so nobody knows how the program ended.
    HostLost,
}

impl SessionRecord {
    /// Whether a host may still run a program for it.
    pub fn is_live(&self) -> bool {
        matches!(self.host.state, HostState::Starting | HostState::Alive | HostState::Stopping)
    }

    /// Whether a person put it where it stands: such a state is theirs to change (decision 1).
    pub fn is_verdict(&self) -> bool {
        matches!(self.state, SemanticState::Completed | SemanticState::Holding)
    }

    /// Whether something runs that the agent's interrupt key could end (decision 13). A queued turn has not begun.
    pub fn turn_runs(&self) -> bool {
        match self.agent.turns() {
            Turns::WholeLife => self.is_live(),
            Turns::Reported => {
                self.is_live()
                    && self.process_state == ProcessState::Alive
                    && self.state != SemanticState::Queued
            }
        }
    }

    /// A machine's word about the state: it leaves a person's verdict alone.
    pub(super) fn turn_to(&mut self, state: SemanticState) {
        if !self.is_verdict() {
            self.state = state;
        }
    }

    /// It said something that a person should look at; whoever is attached has seen it.
    pub(super) fn spoke(&mut self, at: UnixMs) {
        self.spoke_at = Some(at);
        if !self.host.attached.is_empty() {
            self.visited_at = Some(at);
        }
    }

    pub(super) fn decided_by(&mut self, source: StateSource, what: &str, at: UnixMs) {
        self.agent_record.evidence = Some(Evidence { at, source, what: what.to_owned() });
    }

    /// Whether the row goes as soon as the program has ended.
    pub fn leaves_when_ended(&self) -> bool {
        self.stop.is_some_and(|stop| stop.then == AfterStop::Removed)
    }
}
