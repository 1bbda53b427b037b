//! How the steps of a plan change its row: a plan that is there is a question, and nothing else moves the row.
//!
//! Part of the reducer: called by [`super::apply`] alone.

use super::{
    plan::{self, PlanMove},
    session::{SessionRecord, StateSource},
};
use crate::agents::questions::PLAN;
use board_protocol::{
    ids::{QueueItemId, RunId, UnixMs},
    plan::PlanStatus,
    state::{ProcessState, SemanticState},
};

/// One step.
pub(super) fn moved(record: &mut SessionRecord, step: &PlanMove, at: UnixMs) {
    let before = record.plan.status;
    plan::apply(&mut record.plan, step, at);
    let (waited, waits) =
        (before == PlanStatus::AwaitingApproval, record.plan.status == PlanStatus::AwaitingApproval);
    let rests = record.process_state == ProcessState::Exited;
    let is_new = matches!(step, PlanMove::Ready { .. });
    // Where a person or an end put it, words that are taken back leave it.
    let may_ask = is_new || matches!(record.state, SemanticState::Idle | SemanticState::NeedsInput);
    if waits && rests && may_ask {
        record.agent_record.asked_in_text = Some(PLAN.to_owned());
        record.turn_to(SemanticState::NeedsInput);
        record.last_activity_at = at;
        if is_new {
            record.spoke(at);
        }
        let source = if is_new { StateSource::AgentEvent } else { StateSource::Person };
        record.decided_by(source, "a plan", at);
    } else if waited && !waits && rests && record.state == SemanticState::NeedsInput {
        // What it asked is decided. Another question of its own stays open.
        record.agent_record.asked_in_text = None;
        if record.agent_record.questions.is_empty() {
            record.turn_to(SemanticState::Idle);
        }
        record.decided_by(StateSource::Person, "the plan is decided", at);
    }
}

/// A row that would wait for instructions waits for the decision about its plan, if there is one to decide.
pub(super) fn still_waits(record: &mut SessionRecord) {
    if record.plan.status == PlanStatus::AwaitingApproval && record.state == SemanticState::Idle {
        record.agent_record.asked_in_text = Some(PLAN.to_owned());
        record.turn_to(SemanticState::NeedsInput);
    }
}

/// A run without a terminal made one; the row was moved already.
pub(super) fn ready(record: &mut SessionRecord, run: &RunId, text: Option<&str>, at: UnixMs) {
    // Who tells no plan has told it in its words.
    let text = text.map(str::to_owned).or_else(|| record.agent_record.preview.clone());
    plan::apply(&mut record.plan, &PlanMove::Ready { text, run: Some(run.clone()) }, at);
}

/// A person takes words out of the queue: if they are about the plan, it stands where it stood before them.
pub(super) fn words_taken_back(record: &mut SessionRecord, item: &QueueItemId, at: UnixMs) {
    if record.queue.get(item).is_some_and(|item| !item.kind.is_reply()) {
        moved(record, &PlanMove::Withdrawn, at);
    }
}
