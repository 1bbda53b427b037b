//! What a person, or a classifier, says about where a row belongs (reference C.5). Pure.
//!
//! Called by [`super::decide`]; `report` asks for [`lift`]. Whether it may be said is `guard`'s to know.

use super::{
    decide::{Allowed, Given, allowed, shown},
    decision::Decision,
    guard, terminals,
};
use crate::model::{
    FactKind, Lift, SessionRecord, Sessions,
    auto_state::{self, AutoDone},
    command::{Reject, StateCommand, StateKind},
};
use board_protocol::{
    ids::{FactSeq, Generation, UnixMs},
    refusal::{Refusal, RefusalKind},
    state::{Classification, CommandSource},
};
use board_text::coordinator as texts;
use board_text::terminals as terminal_texts;

/// A person says that it is done.
pub(super) fn mark_completed(
    sessions: &Sessions,
    record: &SessionRecord,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    no_terminal(sessions, record)?;
    admit(record, StateKind::MarkCompleted, given)?;
    Ok(changed(record, FactKind::MarkedCompleted, given))
}

/// A person puts it on hold.
pub(super) fn mark_holding(
    sessions: &Sessions,
    record: &SessionRecord,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    no_terminal(sessions, record)?;
    admit(record, StateKind::MarkHolding, given)?;
    Ok(changed(record, FactKind::MarkedHolding, given))
}

/// A terminal of an agent stands below its session, in no group that a verdict could put it into.
fn no_terminal(sessions: &Sessions, record: &SessionRecord) -> Result<(), Refusal> {
    let Some(owner) = terminals::owner(sessions, record) else { return Ok(()) };
    let text = terminal_texts::no_verdict(&record.id, &record.name, &owner.name);
    Err(Refusal::new(RefusalKind::WrongState, text))
}

/// A person takes it off hold. What waits for it is sent at the next reconcile, and the notice says so.
pub(super) fn clear_holding(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    admit(record, StateKind::ClearHolding, given)?;
    let notice = match record.queue.to_send() {
        0 if record.is_one_turn() => texts::resumed_running().to_owned(),
        0 => texts::resumed_idle().to_owned(),
        queued if !record.is_live() => texts::resumed_waits(queued),
        queued => texts::resumed_sends(queued),
    };
    Ok(Allowed { notice: Some(notice), ..changed(record, FactKind::HoldingCleared, given) })
}

/// What a classifier made of the last words.
pub(super) fn classify(
    record: &SessionRecord,
    classification: &Classification,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let kind =
        StateKind::AutoStateClassified { classification: classification.clone(), done: given.auto_done };
    admit(record, kind, given)?;
    Ok(changed(record, classified(classification, given.auto_done), given))
}

/// The fact that an admitted classification is.
pub(super) fn classified(classification: &Classification, done: AutoDone) -> FactKind {
    let classification = auto_state::permitted(classification.clone(), done);
    let state = auto_state::state_of(classification.kind);
    FactKind::AutoStateClassified { classification, state }
}

/// A person spoke to a program that reports nothing: what takes their own verdict away, if there is one.
pub(super) fn lift(
    record: &SessionRecord,
    number: Option<(&Generation, FactSeq)>,
    at: UnixMs,
    by: Lift,
) -> Option<FactKind> {
    // A report may have waited: what was typed before the verdict says nothing about it.
    let given_at = record.agent_record.evidence.as_ref().map(|evidence| evidence.at);
    if !record.is_manual_verdict() || !record.is_one_turn() || given_at.is_some_and(|given| at < given) {
        return None;
    }
    let command = StateCommand {
        session: record.id.clone(),
        run: None,
        expected_revision: None,
        source: CommandSource::Person,
        kind: StateKind::SyncForeground,
    };
    guard::admit(Some(record), &command).ok()?;
    let (generation, seq) =
        number.map_or((None, None), |(generation, seq)| (Some(generation.clone()), Some(seq)));
    Some(FactKind::VerdictLifted { generation, seq, by })
}

/// Passes the gate with a command of whoever asks.
pub(super) fn admit(record: &SessionRecord, kind: StateKind, given: Given<'_>) -> Result<(), Refusal> {
    let command = StateCommand {
        session: record.id.clone(),
        run: None,
        expected_revision: given.expected_revision,
        source: given.source,
        kind,
    };
    pass(record, &command)
}

/// The same for a command that is made already.
pub(super) fn pass(record: &SessionRecord, command: &StateCommand) -> Result<(), Refusal> {
    guard::admit(Some(record), command)
        .map(drop)
        .map_err(|reject| refusal(record, Some(&command.kind), reject))
}

fn changed(record: &SessionRecord, fact: FactKind, given: Given<'_>) -> Allowed {
    let mut decision = Decision::default();
    decision.record(&record.id, given.now, fact);
    allowed(record, decision)
}

/// What a person reads when the gate says no: what happened, and what to do.
pub(super) fn refusal(record: &SessionRecord, kind: Option<&StateKind>, reject: Reject) -> Refusal {
    let row = shown(record);
    let label = record.state.label();
    let text = match (reject, kind) {
        (Reject::UnknownView, _) => texts::session_gone(&record.id),
        (Reject::RevisionConflict, _) => texts::has_changed(&row, record.revision),
        (Reject::StaleRun, Some(StateKind::AutoStateClassified { .. })) => texts::said_else(&row),
        (Reject::StaleRun, _) => texts::other_run(&row),
        (Reject::ManualFence, _) => texts::person_put_it(&row, label),
        (Reject::SourceNotAllowed, _) => texts::person_only(&row),
        (Reject::FieldNotAllowed, _) => texts::may_not_change(&row),
        (Reject::Busy, Some(StateKind::MarkHolding)) => texts::wait_holding(&row),
        (Reject::Busy, Some(StateKind::MarkCompleted)) => texts::wait_done(&row),
        (Reject::Busy, _) => texts::wait_run(&row),
        (Reject::NoChange, Some(StateKind::ClearHolding)) => texts::not_holding(&row, label),
        (Reject::NoChange, _) => texts::changes_nothing(&row),
    };
    Refusal::new(reject.kind(), text)
}

#[cfg(test)]
mod tests;
