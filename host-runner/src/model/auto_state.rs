//! What an agent's last words mean for its row (reference B.11): the daemon's own rules, and what becomes of any
//! classifier's result. Pure.
//!
//! A classification is a machine's word: it never says "on hold" (it has no word for it), says Done only where that is
//! configured, and is judged like every other command of a machine.

use super::{needs_input::question_in, session::SessionRecord};
use board_protocol::{
    ids::UnixMs,
    plan::PlanStatus,
    state::{Classification, ClassificationKind, ClassifierKind, Confidence, ProcessState, SemanticState},
    text::plain_within,
};
use serde::{Deserialize, Serialize};

mod words;

/// Longest reason of a classification, in characters (reference A.13).
pub const MAX_REASON_CHARACTERS: usize = 120;
/// Longest question of a classification, in characters (reference A.13).
pub const MAX_QUESTION_CHARACTERS: usize = 240;
/// Hexadecimal digits of a text's hash that are kept (reference A.13).
pub const HASH_DIGITS: usize = 12;

/// Whether a classifier may call a session done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AutoDone {
    /// It may.
    Allowed,
    /// Only a person may.
    #[default]
    Refused,
}

/// What a classifier made of a session's last words, while that decides its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutoState {
    /// The result.
    pub classification: Classification,
    /// The state that it led to.
    pub state: SemanticState,
    /// When it was made.
    pub classified_at: UnixMs,
    /// When the agent had said the words.
    pub last_agent_activity_at: Option<UnixMs>,
}

/// The state that a kind leads to. None leads to "on hold".
pub const fn state_of(kind: ClassificationKind) -> SemanticState {
    match kind {
        ClassificationKind::NeedsInput => SemanticState::NeedsInput,
        ClassificationKind::InProgress => SemanticState::Idle,
        ClassificationKind::Done => SemanticState::Completed,
    }
}

/// The first digits of the SHA-1 of a text, by which a result about older words is known.
pub fn text_hash(text: &str) -> String {
    let mut digits = sha1_smol::Sha1::from(text).digest().to_string();
    digits.truncate(HASH_DIGITS);
    digits
}

/// The daemon's own rules, in the order of reference B.11. `question` is the sentence that asks, if that is known
/// already.
pub fn classify(text: &str, done: AutoDone) -> Classification {
    let (kind, confidence, reason, question) = judge(text, done);
    Classification {
        kind,
        confidence,
        by: ClassifierKind::Heuristic,
        reason: reason.to_owned(),
        question,
        text_hash: text_hash(text),
    }
}

fn judge(text: &str, done: AutoDone) -> (ClassificationKind, Confidence, &'static str, Option<String>) {
    use ClassificationKind as K;
    use Confidence as C;
    if let Some(question) = question_in(text) {
        let question = plain_within(&question, MAX_QUESTION_CHARACTERS);
        return (K::NeedsInput, C::High, "Assistant asked for input", Some(question));
    }
    let seen = words::look(text);
    let sure = seen.done && !seen.pending;
    match done {
        AutoDone::Allowed if sure => {
            let confidence = if seen.strongly { C::High } else { C::Medium };
            (K::Done, confidence, "Assistant reported completion", None)
        }
        AutoDone::Refused if sure => {
            let confidence = if seen.strongly { C::Medium } else { C::Low };
            (K::InProgress, confidence, "Assistant reported completion but auto-done is disabled", None)
        }
        _ if seen.pending => (K::InProgress, C::Medium, "Assistant reported remaining work", None),
        _ => (K::InProgress, C::Low, "No clear completion or input signal", None),
    }
}

/// A result as it counts here: Done is said only where that is configured, only a question has a question, and its texts
/// are plain.
pub fn permitted(mut classification: Classification, done: AutoDone) -> Classification {
    if classification.kind == ClassificationKind::Done && done == AutoDone::Refused {
        classification.kind = ClassificationKind::InProgress;
        classification.reason = match classification.by {
            ClassifierKind::Model => "Model reported done but auto-done is disabled",
            ClassifierKind::Heuristic => "Assistant reported completion but auto-done is disabled",
        }
        .to_owned();
    }
    let asks = classification.kind == ClassificationKind::NeedsInput;
    let question = classification.question.filter(|_| asks);
    classification.question = question.map(|question| plain_within(&question, MAX_QUESTION_CHARACTERS));
    classification.reason = plain_within(&classification.reason, MAX_REASON_CHARACTERS);
    classification
}

/// What a classification meets at a row that no verdict protects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It counts.
    Counts,
    /// It is about words that are not the last ones any more.
    Stale,
    /// It says nothing new, or the row is none that a classifier may move.
    Nothing,
}

/// Whether a classification, permitted already, changes this row. A row that runs, failed, was stopped, has an error or
/// an open question is none that a classifier may move.
pub fn fit(record: &SessionRecord, classification: &Classification) -> Fit {
    let agent = &record.agent_record;
    if record.process_state == ProcessState::Alive
        || matches!(record.state, SemanticState::Failed | SemanticState::Stopped)
        || record.is_manual_verdict()
        || record.error.is_some()
        // Its question is the plan, and only a person answers that.
        || record.plan.status == PlanStatus::AwaitingApproval
        || !agent.questions.is_empty()
    {
        return Fit::Nothing;
    }
    if agent.text_hash.as_ref() != Some(&classification.text_hash) {
        return Fit::Stale;
    }
    let same = record.auto_state.as_ref().is_some_and(|earlier| {
        record.state == state_of(classification.kind)
            && earlier.classification.question == classification.question
            && earlier.classification.by == classification.by
            && earlier.classification.text_hash == classification.text_hash
    });
    if same { Fit::Nothing } else { Fit::Counts }
}

#[cfg(test)]
mod tests;
