//! What an agent has told about its session, and how each piece of news changes the row (reference B.3 to B.5).
//!
//! Part of the reducer: called by [`super::apply`] alone, for facts that are recorded and for facts that are replayed.
//! Whether news may move the row was decided before they were recorded; those that may not say so themselves.

use super::{
    news::{AgentNews, AgentSession, SettledNews, Spoken, Tokens},
    plan::PlanMove,
    planning,
    session::{RowState, SessionRecord, StateSource},
};
use crate::agents::event::{Asker, Ending, InputSource, Place, SessionStart};
use board_protocol::{
    command::Launch,
    ids::UnixMs,
    state::{ProcessState, SemanticState},
};
use serde::{Deserialize, Serialize};

/// Most open questions of one session; an agent that asks more shows the first of these.
const MAX_QUESTIONS: usize = 32;
/// Longest word of a command line, and longest prompt, that is kept once the agent had it, in characters. The whole of
/// it stays in the journal.
const KEPT_CHARACTERS: usize = 1_000;

/// What an agent has told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentRecord {
    /// The model that the person asked for.
    pub wanted_model: Option<String>,
    /// How hard the person wants it to think.
    pub wanted_thinking: Option<String>,
    /// The tools that the person allows, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted_tools: Option<String>,
    /// The newest report that was recorded.
    pub heard: Option<Place>,
    /// Whether the words of the launch reached it. Until then a fresh host says them again.
    pub begun: bool,
    /// Its own id of its session.
    pub session_id: Option<String>,
    /// The file that keeps its transcript, where it is not the one that the board chose.
    pub transcript: Option<String>,
    /// The model that answers.
    pub model: Option<String>,
    /// What it waits for, the shown one first.
    pub questions: Vec<OpenQuestion>,
    /// The state before the first of these, when they were asked outside a turn.
    pub before_questions: Option<SemanticState>,
    /// The sentence of its last words that asks something.
    pub asked_in_text: Option<String>,
    /// The beginning of its last words.
    pub preview: Option<String>,
    /// The hash of all of its last words, by which a result about older ones is known.
    pub text_hash: Option<String>,
    /// What all its answers cost.
    pub tokens: Tokens,
    /// What last decided the state.
    pub evidence: Option<Evidence>,
    /// Whether [`Self::session_id`] was told by the process that runs now and has not ended in it: then it is the root,
    /// and no other session speaks for the row (field report A12).
    pub rooted: bool,
    /// Whether words were said in that session: agents keep nothing of one without.
    pub has_words: bool,
    /// Tasks that it left running in the background.
    pub background: u32,
    /// What a command of the person's own made of words that it said.
    pub summarised: Option<Summarised>,
}

/// One line about last words, made by a command of the person's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summarised {
    /// The hash of the words: it says nothing about others.
    pub text_hash: String,
    /// The line.
    pub summary: String,
}

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
    /// What the answer will name.
    pub id: String,
    /// The question.
    pub text: String,
    /// What asks.
    pub by: Asker,
}

/// What last decided the state of a session (decision 9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// When it happened.
    pub at: UnixMs,
    /// Which kind of evidence it is.
    pub source: StateSource,
    /// What it said, in a word or two.
    pub what: String,
}

impl AgentRecord {
    /// Whether its process of this life has reported anything: what numbers its reports has a newest one, and what does
    /// not has named its own session.
    pub fn has_spoken(&self) -> bool {
        self.heard.is_some() || self.rooted
    }

    /// The question that the row shows.
    pub fn question(&self) -> Option<&str> {
        self.questions.first().map(|question| question.text.as_str()).or(self.asked_in_text.as_deref())
    }

    /// The line about its last words, while they are its last.
    pub fn summary(&self) -> Option<&str> {
        let summarised = self.summarised.as_ref()?;
        (self.text_hash.as_ref() == Some(&summarised.text_hash)).then_some(summarised.summary.as_str())
    }

    /// Nothing is open any more: its process ended.
    pub(super) fn close(&mut self) {
        self.leave();
        self.rooted = false;
        self.background = 0;
    }

    /// Its idle process ended: what it said stands.
    pub(super) fn rest(&mut self) {
        self.rooted = false;
        self.background = 0;
    }

    /// What was open in its conversation is not any more.
    fn leave(&mut self) {
        self.questions.clear();
        self.before_questions = None;
        self.asked_in_text = None;
    }
}

/// Applies what one report said.
pub(super) fn hear(record: &mut SessionRecord, place: Option<&Place>, news: &[AgentNews], at: UnixMs) {
    if let Some(place) = place {
        record.agent_record.heard = Some(place.clone());
    }
    for news in news {
        apply_one(record, news, at);
    }
    record.last_activity_at = at;
}

fn apply_one(record: &mut SessionRecord, news: &AgentNews, at: UnixMs) {
    let what = match news {
        AgentNews::SessionBegan(session) => began(record, session, at),
        AgentNews::ModelChanged { model } => {
            record.agent_record.model = Some(model.clone());
            None
        }
        AgentNews::InputGiven { source } => {
            given(record);
            Some(if *source == InputSource::Person { "a person's input" } else { "input" })
        }
        AgentNews::WorkBegan => {
            the_launch_arrived(record);
            works(record);
            Some("works")
        }
        AgentNews::Spoke(spoken) => spoke(record, spoken, at),
        AgentNews::QuestionAsked { id, text, by } => {
            asked(record, id, text, *by);
            Some(if *by == Asker::Startup { "startup prompt" } else { "question" })
        }
        AgentNews::QuestionClosed { id } => closed(record, id).then_some("question closed"),
        AgentNews::Settled(settled) => {
            settle(record, settled, at);
            Some(if record.agent_record.background > 0 {
                "settled, with tasks in the background"
            } else {
                "settled"
            })
        }
        AgentNews::SessionLeft => {
            record.agent_record.rooted = false;
            None
        }
        AgentNews::BackgroundChanged { running } => {
            record.agent_record.background = *running;
            None
        }
        AgentNews::FoundIdle => found_idle(record).then_some("waits"),
        AgentNews::Fenced(news) => {
            let row = RowState::of(record);
            apply_one(record, news, at);
            row.restore(record);
            None
        }
    };
    if let Some(what) = what {
        record.decided_by(StateSource::AgentEvent, what, at);
    }
}

fn began(record: &mut SessionRecord, session: &AgentSession, at: UnixMs) -> Option<&'static str> {
    let agent = &mut record.agent_record;
    let newest = |old: &mut Option<String>, new: &Option<String>| {
        if new.is_some() {
            old.clone_from(new);
        }
    };
    let same = session.id.is_some() && agent.session_id == session.id;
    agent.rooted = session.id.is_some();
    agent.has_words &= same;
    newest(&mut agent.session_id, &session.id);
    newest(&mut agent.transcript, &session.transcript);
    newest(&mut agent.model, &session.model);
    // Another conversation took the place of this one: what ran in it does not run any more. A fresh process that
    // continues this one is none.
    let another = match session.start {
        SessionStart::New | SessionStart::Forked => true,
        SessionStart::Resumed => !same,
        SessionStart::Startup | SessionStart::Reloaded | SessionStart::Unsaid => false,
    };
    if another {
        agent.leave();
        agent.preview = None;
        agent.text_hash = None;
        planning::moved(record, &PlanMove::Reset, at);
        record.error = None;
        record.process_state = ProcessState::Exited;
        record.turn_to(SemanticState::Idle);
        return Some("another conversation");
    }
    None
}

fn given(record: &mut SessionRecord) {
    the_launch_arrived(record);
    record.agent_record.leave();
    record.agent_record.has_words = true;
    record.error = None;
    // What goes on in its terminal takes the place of a headless run (reference C.5, sync_foreground).
    record.run = None;
    record.process_state = ProcessState::Alive;
    record.turn_to(SemanticState::Working);
}

/// The agent has the person's words: they are not said again, and no longer kept whole in a record that is written often.
fn the_launch_arrived(record: &mut SessionRecord) {
    if std::mem::replace(&mut record.agent_record.begun, true) {
        return;
    }
    if let Launch::Task(task) = &mut record.launch {
        shorten(task);
    }
    record.argv.iter_mut().for_each(shorten);
}

fn shorten(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(KEPT_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    }
}

fn works(record: &mut SessionRecord) {
    record.run = None;
    record.process_state = ProcessState::Alive;
    // The error was of an attempt before this one.
    record.error = None;
    record.agent_record.questions.retain(|question| question.by != Asker::Startup);
    if record.agent_record.questions.is_empty() {
        record.agent_record.asked_in_text = None;
        record.turn_to(SemanticState::Working);
    }
}

fn spoke(record: &mut SessionRecord, spoken: &Spoken, at: UnixMs) -> Option<&'static str> {
    let agent = &mut record.agent_record;
    agent.tokens = agent.tokens.and(spoken.tokens);
    if spoken.model.is_some() {
        agent.model.clone_from(&spoken.model);
    }
    if spoken.error.is_some() {
        record.error.clone_from(&spoken.error);
    } else if spoken.done {
        record.error = None;
    }
    spoken.preview.as_ref()?;
    agent.preview.clone_from(&spoken.preview);
    agent.text_hash.clone_from(&spoken.text_hash);
    agent.asked_in_text.clone_from(&spoken.question);
    record.spoke(at);
    // What is said after the end of a turn, or while a question is open, does not move the row.
    if record.process_state == ProcessState::Exited || !record.agent_record.questions.is_empty() {
        return None;
    }
    let asks = spoken.question.is_some();
    record.turn_to(if asks { SemanticState::NeedsInput } else { SemanticState::Working });
    Some(if asks { "asks in its words" } else { "speaks" })
}

fn asked(record: &mut SessionRecord, id: &str, text: &str, by: Asker) {
    let rests = record.process_state == ProcessState::Exited;
    let agent = &mut record.agent_record;
    if let Some(question) = agent.questions.iter_mut().find(|question| question.id == id) {
        question.text = text.to_owned();
    } else if agent.questions.len() < MAX_QUESTIONS {
        if agent.questions.is_empty() && rests {
            agent.before_questions = Some(record.state);
        }
        agent.questions.push(OpenQuestion { id: id.to_owned(), text: text.to_owned(), by });
    }
    record.turn_to(SemanticState::NeedsInput);
}

/// Whether the question was open.
fn closed(record: &mut SessionRecord, id: &str) -> bool {
    let questions = &mut record.agent_record.questions;
    let before = questions.len();
    questions.retain(|question| question.id != id);
    if questions.len() == before {
        return false;
    }
    if questions.is_empty() {
        let earlier = record.agent_record.before_questions.take();
        let state = match record.process_state {
            ProcessState::Alive => SemanticState::Working,
            ProcessState::Exited => earlier.unwrap_or(SemanticState::Idle),
        };
        record.turn_to(state);
    }
    true
}

fn settle(record: &mut SessionRecord, settled: &SettledNews, at: UnixMs) {
    let agent = &mut record.agent_record;
    // A dialog outlives the work; a tool's question does not, even if its end was not reported.
    agent.questions.retain(|question| question.by == Asker::Dialog);
    if settled.preview.is_some() {
        agent.preview.clone_from(&settled.preview);
        agent.text_hash.clone_from(&settled.text_hash);
        agent.asked_in_text.clone_from(&settled.question);
    }
    if settled.ending != Ending::Finished {
        agent.asked_in_text = None;
    }
    let asks = agent.asked_in_text.is_some();
    let rests = if asks { SemanticState::NeedsInput } else { SemanticState::Idle };
    // It is called back when they end (field report A10); a question does not wait for that.
    if agent.background > 0 && !asks && agent.questions.is_empty() && settled.ending == Ending::Finished {
        record.process_state = ProcessState::Alive;
        record.error = None;
        record.turn_to(SemanticState::Working);
        return;
    }
    let dialog = !agent.questions.is_empty();
    agent.before_questions = dialog.then_some(rests);
    record.process_state = ProcessState::Exited;
    record.error.clone_from(&settled.error);
    if settled.error.is_some() {
        record.spoke(at);
    }
    record.turn_to(if dialog { SemanticState::NeedsInput } else { rests });
}

/// An agent that waits has settled, even if the word about that was lost. Whether anything changed. Claude Code says it
/// a minute after a turn that ended by itself, tasks in the background or not, and never after an interrupt (measured
/// with 2.1.197).
fn found_idle(record: &mut SessionRecord) -> bool {
    let works = record.process_state == ProcessState::Alive && record.state != SemanticState::Queued;
    if !works || record.agent_record.background > 0 {
        return false;
    }
    record.agent_record.leave();
    record.process_state = ProcessState::Exited;
    record.turn_to(SemanticState::Idle);
    true
}

#[cfg(test)]
mod tests;
