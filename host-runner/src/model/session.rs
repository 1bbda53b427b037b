//! The record of one session, as the store keeps it. Only [`super::apply`] changes one.

use super::{
    agent::{AgentRecord, Evidence, OpenQuestion},
    auto_state::AutoState,
    queue::ReplyQueue,
    run::RunRecord,
};
use crate::agents::{AgentKind, Turns};
use board_protocol::{
    command::Launch,
    daemon::Stray,
    host::{AttachedClient, Exit},
    ids::{FactSeq, Generation, ProcessIdentity, SessionId, Size, UnixMs},
    plan::Plan,
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
    /// The name of the linked git worktree that this was in when it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
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
    /// When a person last sent the interrupt key.
    #[serde(default)]
    pub interrupted_at: Option<UnixMs>,
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
    /// What a classifier made of its last words, while that is what its state comes from.
    #[serde(default)]
    pub auto_state: Option<AutoState>,
    /// Its headless run, or the last one.
    #[serde(default)]
    pub run: Option<RunRecord>,
    /// Words of a person that wait for it.
    #[serde(default)]
    pub queue: ReplyQueue,
    /// Its program was ended, or is being ended, because it was idle for long: nobody asked for that end, and it says
    /// nothing about where the row belongs (decision 14).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reclaimed: bool,
    /// Its plan, if one was asked for.
    #[serde(default)]
    pub plan: Plan,
    /// The session whose agent opened it. It stays written down when that one is taken off the board: a terminal whose
    /// session is not there is a session of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
}

/// Which kind of evidence decided a state (decision 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateSource {
    /// The agent reported it.
    AgentEvent,
    /// Its process, or its host, ended.
    ProcessExit,
    /// Its process began.
    ProcessStart,
    /// A person said so.
    Person,
    /// A classifier has read its last words.
    Classifier,
    /// Its headless run reported it.
    Run,
}

impl StateSource {
    /// Its name, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::AgentEvent => "agent event",
            Self::ProcessExit => "process exit",
            Self::ProcessStart => "process start",
            Self::Person => "person",
            Self::Classifier => "classifier",
            Self::Run => "run",
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
    /// Whether it still says where the row belongs.
    #[serde(default)]
    pub standing: StopStanding,
}

/// Whether a stop is the person's last word about where the row belongs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopStanding {
    /// It is: the row will be Stopped.
    #[default]
    Decides,
    /// The person gave a verdict afterwards, and that stays.
    Overruled,
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

/// The part of a record that a fenced fact leaves as it is: where the row stands, and why.
#[derive(Debug, Clone)]
pub(super) struct RowState {
    state: SemanticState,
    process_state: ProcessState,
    auto_state: Option<AutoState>,
    error: Option<String>,
    questions: Vec<OpenQuestion>,
    before_questions: Option<SemanticState>,
    asked_in_text: Option<String>,
    evidence: Option<Evidence>,
    run: Option<RunRecord>,
}

impl RowState {
    pub(super) fn of(record: &SessionRecord) -> Self {
        let agent = &record.agent_record;
        Self {
            state: record.state,
            process_state: record.process_state,
            auto_state: record.auto_state.clone(),
            error: record.error.clone(),
            questions: agent.questions.clone(),
            before_questions: agent.before_questions,
            asked_in_text: agent.asked_in_text.clone(),
            evidence: agent.evidence.clone(),
            run: record.run.clone(),
        }
    }

    pub(super) fn restore(self, record: &mut SessionRecord) {
        record.state = self.state;
        record.auto_state = self.auto_state;
        record.error = self.error;
        record.run = self.run;
        // A process that was its one turn does not run on because a verdict stands.
        if record.is_live() || record.agent.turns() == Turns::Reported {
            record.process_state = self.process_state;
        }
        let agent = &mut record.agent_record;
        agent.questions = self.questions;
        agent.before_questions = self.before_questions;
        agent.asked_in_text = self.asked_in_text;
        agent.evidence = self.evidence;
    }
}

impl SessionRecord {
    /// Whether its program was ended only because it was idle: entering it, or speaking to it, goes on.
    pub fn rests(&self) -> bool {
        self.reclaimed && !self.is_live()
    }

    /// Whether its idle program is being ended at this moment.
    pub fn goes_to_rest(&self) -> bool {
        self.reclaimed && self.is_live() && self.stop.is_none()
    }

    /// Whether a host may still run a program for it.
    pub fn is_live(&self) -> bool {
        matches!(self.host.state, HostState::Starting | HostState::Alive | HostState::Stopping)
    }

    /// Whether a headless run of it was asked for and has not ended.
    pub fn run_is_open(&self) -> bool {
        let open = self.run.as_ref().is_some_and(|run| run.end.is_none());
        open && self.process_state == ProcessState::Alive && !self.is_live()
    }

    /// Whether something runs for it: a host, or a headless run.
    pub fn is_at_work(&self) -> bool {
        self.is_live() || self.run_is_open()
    }

    /// Whether a person put it where it stands: such a state is theirs to change (decision 1). Done that a classifier
    /// said is no verdict.
    pub fn is_manual_verdict(&self) -> bool {
        matches!(self.state, SemanticState::Completed | SemanticState::Holding) && self.auto_state.is_none()
    }

    /// Whether its process is its one turn, and runs: there is no moment between turns to wait for.
    pub fn is_one_turn(&self) -> bool {
        self.agent.turns() == Turns::WholeLife && self.is_live()
    }

    /// Whether a person asked for its end and has not said anything else since.
    pub fn ends_as_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.standing == StopStanding::Decides)
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

    /// Whether its agent was started with an empty editor, and has not heard a word since.
    pub(crate) fn starts_without_words(&self) -> bool {
        let blank = matches!(&self.launch, Launch::Task(task) if task.trim().is_empty());
        blank && !self.agent_record.begun
    }

    /// Puts the row into a group. What a classifier said about an earlier moment does not count any more.
    pub(super) fn turn_to(&mut self, state: SemanticState) {
        self.state = state;
        self.auto_state = None;
    }

    /// A person says where it belongs. The turn of a process that is its one turn goes on.
    pub(super) fn put_by_person(&mut self, state: SemanticState, what: &str, at: UnixMs) {
        self.turn_to(state);
        self.error = None;
        self.agent_record.close();
        if !self.is_one_turn() {
            self.process_state = ProcessState::Exited;
        }
        if let Some(stop) = &mut self.stop {
            stop.standing = StopStanding::Overruled;
        }
        self.decided_by(StateSource::Person, what, at);
        self.last_activity_at = at;
    }

    /// Where it belongs when a verdict is taken away.
    pub(super) fn put_back(&mut self, what: &str, at: UnixMs) {
        let state = match (self.is_one_turn(), self.host.state) {
            // Nothing runs before its host has said so.
            (true, HostState::Starting) => SemanticState::Queued,
            (true, _) => SemanticState::Working,
            (false, _) => SemanticState::Idle,
        };
        self.put_by_person(state, what, at);
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

#[cfg(test)]
mod tests;
