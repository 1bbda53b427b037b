//! Why a session stands where it stands: for every fact, who said what, and by which rule the row followed. Pure.
//!
//! The coordinator asks [`tell`] for every fact that it applies and keeps the answers with the same commit, so that they
//! outlive the journal's older part; folding the journal gives the same answers. Decision 9: state has provenance.

use super::{
    fact::{Fact, FactKind, Lift},
    news::AgentNews,
    plan::PlanMove,
    queue::ReplyTrace,
    session::SessionRecord,
    summary::exit_text,
};
use crate::agents::{
    Turns,
    event::{Asker, InputSource},
};
use board_protocol::{
    board::MAX_SENTENCE_COLUMNS,
    daemon::StateChange,
    host::DeliveryProgress,
    ids::{SessionId, UnixMs},
    state::SemanticState,
    text::plain_within,
};

/// Who said something about a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Voice {
    /// A person, by a command.
    Person,
    /// Its agent.
    AgentEvent,
    /// Its program or its host began.
    ProcessStart,
    /// Its program or its host ended.
    ProcessExit,
    /// A classifier of its last words.
    Classifier,
    /// Its headless run.
    Run,
}

impl Voice {
    /// Its name, for people and in the store.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::AgentEvent => "agent event",
            Self::ProcessStart => "process start",
            Self::ProcessExit => "process exit",
            Self::Classifier => "classifier",
            Self::Run => "run",
        }
    }
}

/// What a session was before a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    state: SemanticState,
    revision: u64,
}

impl From<&SessionRecord> for Before {
    fn from(record: &SessionRecord) -> Self {
        Self { state: record.state, revision: record.revision }
    }
}

/// What one fact adds to the story of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The session.
    pub session: SessionId,
    /// When.
    pub at: UnixMs,
    /// Who said it.
    pub voice: Voice,
    /// What, in a few words.
    pub what: String,
    /// Where the row went, if it moved.
    pub change: Option<StateChange>,
}

/// What a fact adds to the story; `None` for one that changed nothing or says nothing about where the row belongs.
pub fn tell(before: Option<Before>, fact: &Fact, after: Option<&SessionRecord>) -> Option<Told> {
    let after = after?;
    if before.is_some_and(|before| before.revision == after.revision) {
        return None;
    }
    let from = before.map(|before| before.state);
    let moved = from != Some(after.state);
    let Statement { voice, what, rule } = match statement(&fact.kind, after) {
        Some(statement) => statement,
        None if moved => Statement::new(Voice::ProcessExit, "something", UNEXPLAINED),
        None => return None,
    };
    let what = plain_within(&what, MAX_SENTENCE_COLUMNS);
    let change = moved.then(|| StateChange {
        at_ms: fact.at,
        from,
        to: after.state,
        event: format!("{}: {what}", voice.words()),
        rule: rule.to_owned(),
    });
    Some(Told { session: fact.session.clone(), at: fact.at, voice, what, change })
}

/// The rule of a row that moved by a fact of which the table says that it moves none. A test looks for it.
pub(super) const UNEXPLAINED: &str = "No rule explains this. It is a fault of the board: please report it.";

/// Who says what with a fact, and the rule by which the row follows.
struct Statement {
    voice: Voice,
    what: String,
    rule: &'static str,
}

impl Statement {
    fn new(voice: Voice, what: impl Into<String>, rule: &'static str) -> Self {
        Self { voice, what: what.into(), rule }
    }
}

/// The table. A kind of fact that is added does not compile before it has a line here.
fn statement(kind: &FactKind, after: &SessionRecord) -> Option<Statement> {
    let person = |what: &str, rule| Some(Statement::new(Voice::Person, what, rule));
    let run = |what: &str, rule| Some(Statement::new(Voice::Run, what, rule));
    let ended = |what: String| Some(Statement::new(Voice::ProcessExit, what, end_rule(after.state)));
    match kind {
        FactKind::SessionBegun(_) => {
            person("started it", "A new session is Queued until its program reports.")
        }
        FactKind::SessionBegunAgain { .. } => {
            person("ran it again", "A session that is run again is Queued until its program reports.")
        }
        FactKind::SessionResumed { .. } => person(
            "entered it",
            "Words that never reached the agent are said again: it is Queued until the agent reports. Otherwise entering moves nothing.",
        ),
        FactKind::StopRequested { .. } => {
            person("asked it to end", "The row is Stopped once the program has ended.")
        }
        FactKind::SessionInterrupted => {
            person("sent the interrupt key", "The row follows what the agent makes of it.")
        }
        FactKind::ChildStarted { child, .. } => {
            let rule = match after.agent.turns() {
                Turns::WholeLife => "A program without turns is Running as long as it runs.",
                Turns::Reported => {
                    "An agent that has been told nothing, or is back after its end, waits for instructions."
                }
            };
            Some(Statement::new(Voice::ProcessStart, format!("pid {}", child.pid), rule))
        }
        FactKind::HostSpawnFailed { reason, .. } => ended(format!("could not be started: {reason}")),
        FactKind::ChildStartFailed { error, .. } => ended(format!("could not be started: {error}")),
        // The row stands where it stood: why it does has not changed.
        FactKind::HostLost { .. } | FactKind::ChildExited { .. } if after.rests() => None,
        FactKind::HostLost { reason, .. } => ended(format!("its host ended: {reason}")),
        FactKind::ChildExited { exit, .. } => ended(exit_text(*exit)),
        FactKind::AgentReported { news, .. } => {
            let said = news.iter().rev().find_map(|news| Some((news_words(news)?, news)));
            said.map(|(what, news)| Statement::new(Voice::AgentEvent, what, news_rule(news, after.state)))
        }
        FactKind::MarkedCompleted => {
            person("done", "A person says where a row belongs, and only a person moves it away.")
        }
        FactKind::MarkedHolding => {
            person("on hold", "A person says where a row belongs, and only a person moves it away.")
        }
        FactKind::HoldingCleared => person(
            "off hold",
            "A row off hold waits for instructions or for the decision about its plan, or runs if its program has no turns.",
        ),
        FactKind::VerdictLifted { by: Lift::Typed, .. } => {
            person("typed into it", "Who speaks to a session takes their verdict away.")
        }
        FactKind::VerdictLifted { by: Lift::Replied, .. } => {
            person("replied to it", "Who speaks to a session takes their verdict away.")
        }
        FactKind::AutoStateClassified { classification, .. } => Some(Statement::new(
            Voice::Classifier,
            classification.reason.clone(),
            "After a turn, the classifier reads the last words: it may ask, leave or, where that is configured, finish the row.",
        )),
        FactKind::RunQueued { .. } => run("asked for", "A headless run that was asked for is Queued."),
        FactKind::RunStarted { .. } => run("started", "A headless run that has begun is Running."),
        FactKind::RunFinalized { .. } => run("ended", run_rule(after.state)),
        FactKind::RunLost { reason, .. } => ended(format!("its run ended: {reason}")),
        FactKind::PlanReady { .. } => run("a plan", "A plan waits for a person's approval."),
        FactKind::PlanMoved(step) => plan_statement(step),
        FactKind::SessionAdopted => {
            person("brought it here", "A session that was started elsewhere waits for instructions.")
        }
        // It was said, and a verdict stands: evidence that did not win, and no change.
        FactKind::Fenced(kind) => statement(kind, after),
        FactKind::ReplyProgressed { progress: DeliveryProgress::Applied, .. }
        | FactKind::ReplyTraced { trace: ReplyTrace::Applied, .. } => {
            person("replied to it", "Who speaks to a session takes their verdict away.")
        }
        // These move no row.
        FactKind::RunPatched { .. }
        | FactKind::HostReclaimed { .. }
        | FactKind::StraysEnded { .. }
        | FactKind::RunSpawned { .. }
        | FactKind::RunConversed { .. }
        | FactKind::HostSpawned { .. }
        | FactKind::HostRegistered(_)
        | FactKind::AttachedChanged { .. }
        | FactKind::SessionVisited
        | FactKind::SessionUnvisited
        | FactKind::SessionRenamed { .. }
        | FactKind::TitleGiven { .. }
        | FactKind::Summarised { .. }
        | FactKind::PinSet { .. }
        | FactKind::TagsSet { .. }
        | FactKind::ReplyQueued { .. }
        | FactKind::ReplyEdited { .. }
        | FactKind::ReplyMoved { .. }
        | FactKind::ReplyRemoved { .. }
        | FactKind::ReplyHurried { .. }
        | FactKind::ReplySent { .. }
        | FactKind::ReplyProgressed { .. }
        | FactKind::ReplyTraced { .. }
        | FactKind::SessionRemoved => None,
    }
}

/// The table for steps of a plan.
fn plan_statement(step: &PlanMove) -> Option<Statement> {
    let person = |what: &str, rule| Some(Statement::new(Voice::Person, what, rule));
    let decided = "The plan was decided: the row waits for what the agent makes of it.";
    match step {
        PlanMove::Requested { .. } => person("asked for a plan", decided),
        PlanMove::Ready { .. } => Some(Statement::new(
            Voice::AgentEvent,
            "a plan",
            "What an agent says at the end of a turn that was to plan is its plan, and waits for a person's approval.",
        )),
        PlanMove::Approved => person("approved the plan", decided),
        PlanMove::ChangesRequested { .. } => person("sent the plan back", decided),
        PlanMove::Executing { .. } => person("has the plan carried out", decided),
        PlanMove::Withdrawn => {
            person("took words about the plan back", "The plan waits for a person's approval again.")
        }
        PlanMove::Reset => person("forgot the plan", "Without a plan there is nothing to approve."),
    }
}

fn end_rule(state: SemanticState) -> &'static str {
    match state {
        SemanticState::Stopped => "A person had asked for the end: how the program ended does not count.",
        SemanticState::Failed => "An end with an error, by a signal or without a word is a failure.",
        _ => "An end without an error is never taken for Done: somebody has to say what comes next.",
    }
}

fn run_rule(state: SemanticState) -> &'static str {
    match state {
        SemanticState::Stopped => "A person had asked for the end of the run.",
        SemanticState::Failed => "A run that ends with an error or was cut off is a failure.",
        SemanticState::NeedsInput => "The last words of the run ask something.",
        _ => "A run that ends well is never taken for Done: somebody has to say what comes next.",
    }
}

/// What an agent said; `None` for what cannot move a row.
fn news_words(news: &AgentNews) -> Option<&'static str> {
    Some(match news {
        AgentNews::SessionBegan(_) => "a conversation began",
        AgentNews::ModelChanged { .. } | AgentNews::SessionLeft | AgentNews::BackgroundChanged { .. } => {
            return None;
        }
        AgentNews::Fenced(news) => return news_words(news),
        AgentNews::InputGiven { source: InputSource::Person } => "a person's input",
        AgentNews::InputGiven { .. } => "input",
        AgentNews::WorkBegan => "works",
        AgentNews::Spoke(spoken) if spoken.question.is_some() => "asks in its words",
        AgentNews::Spoke(_) => "speaks",
        AgentNews::QuestionAsked { by: Asker::Startup, .. } => "startup prompt",
        AgentNews::QuestionAsked { .. } => "a question",
        AgentNews::QuestionClosed { .. } => "a question was answered",
        AgentNews::Settled(_) => "settled",
        AgentNews::FoundIdle => "waits",
    })
}

/// The table for news of agents.
fn news_rule(news: &AgentNews, state: SemanticState) -> &'static str {
    let asks = state == SemanticState::NeedsInput;
    match news {
        AgentNews::SessionBegan(_) => "In a new conversation nothing runs: it waits for instructions.",
        AgentNews::ModelChanged { .. } => "Another model moves no row.",
        AgentNews::SessionLeft => "The end of a conversation moves no row: another one may follow.",
        AgentNews::BackgroundChanged { .. } => "How many tasks run in the background moves no row by itself.",
        AgentNews::FoundIdle => "It waits for the person: what it did has ended, whether or not it said so.",
        AgentNews::Fenced(_) => "A person's verdict stands: no machine moves the row.",
        AgentNews::InputGiven { source: InputSource::Person } => {
            "A person spoke to the agent: its turn runs, and a verdict is lifted."
        }
        AgentNews::InputGiven { .. } => "Words reached the agent: its turn runs.",
        AgentNews::WorkBegan if asks => "An open question comes before the work.",
        AgentNews::WorkBegan => "An agent that says that it works is Running.",
        AgentNews::Spoke(_) if asks => "Its words ask the person something.",
        AgentNews::Spoke(_) => "Its words ask nothing, and its turn goes on.",
        AgentNews::QuestionAsked { .. } => "A question is open: it comes before everything else.",
        AgentNews::QuestionClosed { .. } if asks => "Another question is still open.",
        AgentNews::QuestionClosed { .. } => "No question is open any more: the row goes back to what runs.",
        AgentNews::Settled(_) if state == SemanticState::Working => {
            "Its turn ended, and tasks that it left in the background still run."
        }
        AgentNews::Settled(_) if asks => {
            "Its turn ended, and a question is open or its last words ask something."
        }
        AgentNews::Settled(_) => "Its turn ended, and nobody has said what comes next.",
    }
}

#[cfg(test)]
mod tests;
