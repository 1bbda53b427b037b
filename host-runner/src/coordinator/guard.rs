//! The one gate before every change of a row: in this order the row exists, its revision is the one that was seen, the
//! run is the current one, no verdict of a person stands in the way of a machine, and then what the kind itself asks
//! for (reference C.5). Pure.
//!
//! Called by everything in this room that decides something about a row. Nobody else looks at verdicts to refuse.
//!
//! Invariant: a manual verdict is never overridden by a machine.

use crate::model::{
    SessionRecord,
    auto_state::{self, Fit},
    command::{BeatShape, PatchField, PatchNews, Reject, RunRef, StateCommand, StateKind},
};
use board_protocol::{
    ids::RunId,
    state::{CommandSource, ProcessState, SemanticState},
};

/// Judges one command about a row that may not exist.
///
/// # Errors
/// The first reason that there is.
pub fn admit<'a>(
    record: Option<&'a SessionRecord>,
    command: &StateCommand,
) -> Result<&'a SessionRecord, Reject> {
    let about = About {
        // A beginning replaces whatever run there was; its own rule follows below.
        run: if command.kind == StateKind::RunStarted { None } else { command.run.as_ref() },
        expected_revision: command.expected_revision,
        source: command.source,
    };
    let record = admit_any(record, about)?;
    branch(record, command)?;
    Ok(record)
}

/// What every command says about itself, whatever it asks for.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The run that it is about.
    pub run: Option<&'a RunRef>,
    /// The revision that whoever asks has seen.
    pub expected_revision: Option<u64>,
    /// Who asks.
    pub source: CommandSource,
}

/// Judges what holds for every command, also for those that are about a process, a label or a queue.
///
/// # Errors
/// The first reason that there is.
pub fn admit_any<'a>(
    record: Option<&'a SessionRecord>,
    about: About<'_>,
) -> Result<&'a SessionRecord, Reject> {
    let record = record.ok_or(Reject::UnknownView)?;
    if about.expected_revision.is_some_and(|expected| expected != record.revision) {
        return Err(Reject::RevisionConflict);
    }
    if about.run.is_some_and(|run| is_stale(record, run)) {
        return Err(Reject::StaleRun);
    }
    if about.source != CommandSource::Person && record.is_manual_verdict() {
        return Err(Reject::ManualFence);
    }
    Ok(record)
}

/// Whether another run has taken the place of this one.
fn is_stale(record: &SessionRecord, run: &RunRef) -> bool {
    match run {
        RunRef::Host(generation) => *generation != record.host.generation,
        RunRef::Headless(id) => is_another(record, id),
    }
}

/// Whether the row has a headless run, and it is not this one.
fn is_another(record: &SessionRecord, id: &RunId) -> bool {
    record.run.as_ref().is_some_and(|run| run.id != *id)
}

fn branch(record: &SessionRecord, command: &StateCommand) -> Result<(), Reject> {
    match &command.kind {
        StateKind::MarkCompleted | StateKind::MarkHolding => {
            persons(command)?;
            not_in_a_turn(record)
        }
        StateKind::ClearHolding => {
            persons(command)?;
            reject_if(record.state != SemanticState::Holding, Reject::NoChange)?;
            not_in_a_turn(record)
        }
        StateKind::AutoStateClassified { classification, done } => {
            let classification = auto_state::permitted(classification.clone(), *done);
            match auto_state::fit(record, &classification) {
                Fit::Counts => Ok(()),
                Fit::Stale => Err(Reject::StaleRun),
                Fit::Nothing => Err(Reject::NoChange),
            }
        }
        StateKind::RunFinalized => {
            let is_at_work = alive(record) && same_run(record, command) && has_begun(record);
            reject_if(!is_at_work, Reject::StaleRun)
        }
        StateKind::RunStarted => {
            let run = headless(command);
            reject_if(alive(record) && run.is_some_and(|run| is_another(record, run)), Reject::StaleRun)
        }
        StateKind::RunProgress { shape } => {
            let fits = alive(record)
                && same_run(record, command)
                && (has_begun(record) || *shape == BeatShape::Full);
            reject_if(!fits, Reject::StaleRun)
        }
        StateKind::ReconcileFinalize => reject_if(!alive(record), Reject::NoChange),
        StateKind::AdoptSession => reject_if(alive(record), Reject::Busy),
        StateKind::PlanReady => reject_if(alive(record), Reject::NoChange),
        StateKind::PatchFields { fields, news } => {
            let known = may_change(command.source);
            reject_if(!fields.iter().all(|field| known.contains(field)), Reject::FieldNotAllowed)?;
            reject_if(*news == PatchNews::Nothing, Reject::NoChange)
        }
        StateKind::MarkQueued { .. }
        | StateKind::FollowupStarted { .. }
        | StateKind::HostRunFailed
        | StateKind::ArchiveView
        | StateKind::SyncForeground => Ok(()),
    }
}

fn reject_if(bad: bool, reject: Reject) -> Result<(), Reject> {
    if bad { Err(reject) } else { Ok(()) }
}

fn persons(command: &StateCommand) -> Result<(), Reject> {
    reject_if(command.source != CommandSource::Person, Reject::SourceNotAllowed)
}

/// A verdict waits for the end of a turn. A program whose life is one turn would wait for ever.
fn not_in_a_turn(record: &SessionRecord) -> Result<(), Reject> {
    reject_if(alive(record) && !record.is_one_turn(), Reject::Busy)
}

fn alive(record: &SessionRecord) -> bool {
    record.process_state == ProcessState::Alive
}

fn headless(command: &StateCommand) -> Option<&RunId> {
    match &command.run {
        Some(RunRef::Headless(run)) => Some(run),
        _ => None,
    }
}

fn same_run(record: &SessionRecord, command: &StateCommand) -> bool {
    let current = record.run.as_ref().map(|run| &run.id);
    current.is_some() && current == headless(command)
}

fn has_begun(record: &SessionRecord) -> bool {
    record.run.as_ref().is_some_and(|run| run.start.is_some())
}

/// The fields that each source may change. What is not in its list is refused.
const fn may_change(source: CommandSource) -> &'static [PatchField] {
    use PatchField as F;
    match source {
        CommandSource::Person => &[F::VisitedAt, F::Name, F::Pinned, F::Tags],
        CommandSource::Service => &[F::VisitedAt],
        CommandSource::Run => &[F::Review, F::EvidenceSummary, F::Summary, F::Preview],
        // Name and summary: what a person's own commands make of first and last words (reference D.3).
        CommandSource::Classifier => &[F::Review, F::EvidenceSummary, F::Summary, F::Name],
        CommandSource::Host => &[],
    }
}

#[cfg(test)]
mod tests;
