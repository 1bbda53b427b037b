//! The headless run that a session has or had last (reference A.5), and how what is recorded of it changes the row.
//!
//! Part of the reducer: called by [`super::apply`] alone. Whether a report counts was decided before it was recorded.

use super::{
    news::Tokens,
    session::{SessionRecord, StateSource},
};
use board_protocol::{
    ids::{ProcessIdentity, QueueItemId, RunId, UnixMs},
    run::{RunEnding, RunKind, RunStart, RunStop},
    state::{ProcessState, SemanticState},
};
use serde::{Deserialize, Serialize};

/// What a row with a plan says.
const PLAN_SUMMARY: &str = "Plan ready for approval";

/// A session's current or last headless run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Its id.
    pub id: RunId,
    /// What it was begun with; `None` while it was only asked for.
    pub start: Option<RunStart>,
    /// How it ended, once it did.
    pub end: Option<RunFinished>,
    /// A summary that was made after its end.
    #[serde(default)]
    pub summary: Option<String>,
    /// The words of the queue that go with it, until it has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<QueueItemId>,
    /// Its process, as far as the daemon that started it knows; what it says itself counts more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawned: Option<ProcessIdentity>,
}

/// The recorded end of a run; its texts were made plain and cut when it was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFinished {
    /// When it ended.
    pub ended_at: UnixMs,
    /// The worker's exit code; `None` when a signal ended it.
    pub exit_code: Option<i32>,
    /// Why the model stopped.
    pub stop: Option<RunStop>,
    /// Whether a person asked for the end.
    pub ending: RunEnding,
    /// The beginning of what it said last.
    pub preview: Option<String>,
    /// The sentence of it that asks something.
    pub question: Option<String>,
    /// The hash of what it said last.
    pub text_hash: Option<String>,
    /// When it said that.
    pub last_agent_activity_at: Option<UnixMs>,
    /// The error.
    pub error: Option<String>,
    /// What it cost.
    pub tokens: Tokens,
    /// Answers of the model.
    pub turns: u32,
    /// Calls of tools.
    pub tools: u32,
}

/// How the beginning of a run became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunCause {
    /// It was reported.
    Started,
    /// It was reported, with words that had waited.
    FollowedUp,
    /// The report was lost, and a later one told (reference C.10, flow 3).
    Found,
}

impl RunRecord {
    fn asked_for(id: RunId) -> Self {
        Self { id, start: None, end: None, summary: None, item: None, spawned: None }
    }

    /// The process to look at, while it runs.
    pub fn process(&self) -> Option<ProcessIdentity> {
        if self.end.is_some() {
            return None;
        }
        self.start.as_ref().and_then(|start| start.process).or(self.spawned)
    }

    /// What it is for, once it has begun.
    pub fn kind(&self) -> Option<RunKind> {
        self.start.as_ref().map(|start| start.kind)
    }
}

pub(super) fn queued(record: &mut SessionRecord, run: &RunId, item: Option<&QueueItemId>, at: UnixMs) {
    record.run = Some(RunRecord { item: item.cloned(), ..RunRecord::asked_for(run.clone()) });
    // They stay in the queue until the run has them: one that never comes gives them back.
    if let Some(item) = item {
        record.queue.sent(item);
    }
    // Another life: the end that a person asked for was that of an earlier one.
    record.stop = None;
    record.process_state = ProcessState::Alive;
    record.error = None;
    record.ending = None;
    record.agent_record.close();
    record.turn_to(SemanticState::Queued);
    record.decided_by(StateSource::Run, "asked for", at);
    record.last_activity_at = at;
}

/// The daemon knows the process of a run that has not spoken yet.
pub(super) fn spawned(record: &mut SessionRecord, run: &RunId, process: ProcessIdentity) {
    if let Some(known) = record.run.as_mut().filter(|known| known.id == *run) {
        known.spawned = Some(process);
    }
}

/// The agent said which conversation this is: what a later turn goes on with.
pub(super) fn conversed(
    record: &mut SessionRecord,
    conversation: Option<&String>,
    transcript: Option<&String>,
    model: Option<&String>,
) {
    words_arrived(record);
    let agent = &mut record.agent_record;
    if conversation.is_some() && agent.session_id.as_ref() != conversation {
        agent.has_words = false;
        agent.session_id = conversation.cloned();
    }
    if transcript.is_some() {
        agent.transcript = transcript.cloned();
    }
    if model.is_some() {
        agent.model = model.cloned();
    }
}

pub(super) fn started(
    record: &mut SessionRecord,
    run: &RunId,
    start: &RunStart,
    cause: RunCause,
    at: UnixMs,
) {
    let known = record.run.take().filter(|known| known.id == *run);
    let (item, spawned) = known.map_or((None, None), |known| (known.item, known.spawned));
    // The run has them, and its agent does not yet: were it to die now, nobody could say whether they arrived.
    if let Some(item) = &item {
        record.queue.accepted(item);
    }
    let model = &start.model;
    let start = Some(start.clone());
    record.run = Some(RunRecord { start, spawned, item, ..RunRecord::asked_for(run.clone()) });
    record.process_state = ProcessState::Alive;
    record.error = None;
    record.ending = None;
    record.agent_record.close();
    record.agent_record.begun = true;
    if model.is_some() {
        record.agent_record.model.clone_from(model);
    }
    record.turn_to(SemanticState::Working);
    let what = match cause {
        RunCause::Started => "started",
        RunCause::FollowedUp => "started with words that waited",
        RunCause::Found => "found at work",
    };
    record.decided_by(StateSource::Run, what, at);
    record.last_activity_at = at;
}

/// The end of a run (reference B.5): stopped, failed, a question, or rest. Never done by itself.
pub(super) fn finalized(record: &mut SessionRecord, finished: &RunFinished, at: UnixMs) {
    words_arrived(record);
    if let Some(run) = &mut record.run {
        run.end = Some(finished.clone());
    }
    record.process_state = ProcessState::Exited;
    record.agent_record.close();
    hear(record, finished);
    let failed =
        finished.exit_code != Some(0) || matches!(finished.stop, Some(RunStop::Error | RunStop::Aborted));
    // A person may have asked for the end just when it came by itself.
    let state = if finished.ending == RunEnding::StoppedByPerson || record.ends_as_stopped() {
        SemanticState::Stopped
    } else if failed {
        SemanticState::Failed
    } else if finished.question.is_some() {
        SemanticState::NeedsInput
    } else {
        SemanticState::Idle
    };
    record.error = if state == SemanticState::Stopped { None } else { finished.error.clone() };
    if state == SemanticState::NeedsInput {
        record.agent_record.asked_in_text.clone_from(&finished.question);
    }
    if finished.preview.is_some() || state == SemanticState::Failed {
        record.spoke(at);
    }
    record.turn_to(state);
    record.decided_by(StateSource::Run, "ended", at);
    record.last_activity_at = at;
}

/// The agent has the words that the run was started for: they leave the queue.
fn words_arrived(record: &mut SessionRecord) {
    if let Some(item) = record.run.as_mut().and_then(|run| run.item.take()) {
        record.queue.remove(&item);
    }
}

/// What the end tells that is no state.
fn hear(record: &mut SessionRecord, finished: &RunFinished) {
    let agent = &mut record.agent_record;
    agent.tokens = agent.tokens.and(finished.tokens);
    if finished.preview.is_some() {
        agent.preview.clone_from(&finished.preview);
        agent.text_hash.clone_from(&finished.text_hash);
        agent.has_words = true;
    }
}

/// Its process is gone without a word.
pub(super) fn lost(record: &mut SessionRecord, reason: &str, at: UnixMs) {
    // Words that it never had wait again; of those that it had and its agent said nothing about, nobody knows.
    record.queue.untaken_return();
    record.queue.host_ended();
    let by_person = record.ends_as_stopped();
    if let Some(run) = &mut record.run {
        run.end = Some(RunFinished {
            ended_at: at,
            exit_code: None,
            stop: None,
            ending: if by_person { RunEnding::StoppedByPerson } else { RunEnding::Itself },
            preview: None,
            question: None,
            text_hash: None,
            last_agent_activity_at: None,
            error: Some(reason.to_owned()),
            tokens: Tokens::default(),
            turns: 0,
            tools: 0,
        });
    }
    record.process_state = ProcessState::Exited;
    record.agent_record.close();
    if by_person {
        record.error = None;
        record.turn_to(SemanticState::Stopped);
    } else {
        record.error = Some(reason.to_owned());
        record.spoke(at);
        record.turn_to(SemanticState::Failed);
    }
    record.decided_by(StateSource::ProcessExit, "the run ended without a word", at);
    record.last_activity_at = at;
}

pub(super) fn plan_ready(record: &mut SessionRecord, run: &RunId, question: &str, at: UnixMs) {
    if record.run.as_ref().is_none_or(|known| known.id != *run) {
        record.run = Some(RunRecord::asked_for(run.clone()));
    }
    record.agent_record.asked_in_text = Some(question.to_owned());
    if let Some(run) = &mut record.run {
        run.summary = Some(PLAN_SUMMARY.to_owned());
    }
    record.spoke(at);
    record.turn_to(SemanticState::NeedsInput);
    record.decided_by(StateSource::Run, "a plan", at);
    record.last_activity_at = at;
}

pub(super) fn patched(record: &mut SessionRecord, summary: Option<&String>, preview: Option<&String>) {
    if let (Some(run), Some(summary)) = (&mut record.run, summary) {
        run.summary = Some(summary.clone());
    }
    if let Some(preview) = preview {
        record.agent_record.preview = Some(preview.clone());
    }
}
