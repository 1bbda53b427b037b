//! What is reported about a headless run, and what comes of it (reference C.5, C.10). Pure.
//!
//! Called by [`super::decide`]. Beats are shown and forgotten; everything else is a fact.

use super::{
    decide::{Allowed, Given, allowed},
    decision::Decision,
    plans, verdicts,
};
use crate::{
    agents::questions,
    model::{
        FactKind, SessionRecord,
        auto_state::text_hash,
        command::{BeatShape, PatchField, PatchNews, RunRef, StateCommand, StateKind},
        needs_input::question_in,
        news::{Beat, Tokens},
        plan::kept_text,
        run::{RunCause, RunFinished},
    },
};
use board_protocol::{
    board::{MAX_SENTENCE_COLUMNS, MAX_SUMMARY_COLUMNS},
    ids::RunId,
    refusal::Refusal,
    run::{RunBeat, RunEnd, RunEnding, RunNote, RunReport, RunStart, RunStop},
    state::CommandSource,
    text::plain_within,
};
use board_text::coordinator as texts;

/// Longest prompt of a run that is kept, in characters. The whole of it is in the agent's transcript.
const KEPT_PROMPT_CHARACTERS: usize = 1_000;

/// Decides one report.
///
/// # Errors
/// The refusal that the run, or whoever started it, reads.
pub(super) fn decide(
    record: &SessionRecord,
    run: &RunId,
    report: &RunReport,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    if let RunReport::Noted(notes) = report {
        return Ok(noted(record, notes));
    }
    // What was done was done: evidence moves no row, so no verdict and no later run is in its way (reference D.8). From
    // anybody else it is a field that is not theirs, which the gate says.
    if matches!(report, RunReport::Evidence(_)) && given.source == CommandSource::Run {
        return Ok(allowed(record, Decision::default()));
    }
    verdicts::pass(record, &command(record, run, report, given))?;
    let run = run.clone();
    let fact = match report {
        RunReport::Queued => {
            // It has begun already: the two reports overtook each other (reference C.10, flow 2).
            let begun = record.run.as_ref().is_some_and(|known| known.id == run && known.start.is_some());
            if begun { None } else { Some(FactKind::RunQueued { run, item: None, environment_at: None }) }
        }
        RunReport::Started(start) => {
            Some(FactKind::RunStarted { run, start: kept(start), cause: RunCause::Started })
        }
        RunReport::FollowedUp(start) => {
            Some(FactKind::RunStarted { run, start: kept(start), cause: RunCause::FollowedUp })
        }
        RunReport::Progressed(beat) => return Ok(progressed(record, run, beat, given)),
        RunReport::Finalized(end) => Some(FactKind::RunFinalized { run, end: Box::new(finished(end)) }),
        // The daemon saw it at the end of the run already.
        RunReport::PlanReady { .. } if plans::is_told(record, &run) => None,
        RunReport::PlanReady { question, plan } => {
            let question = question.as_deref().unwrap_or(questions::PLAN);
            let question = plain_within(question, MAX_SENTENCE_COLUMNS);
            Some(FactKind::PlanReady { run, question, plan: plan.as_deref().map(kept_text) })
        }
        // Notes were taken above; evidence is no fact, and the coordinator keeps it beside the journal.
        RunReport::Evidence(_) | RunReport::Noted(_) => None,
        RunReport::Conversing(said) => {
            let cut =
                |text: &Option<String>| text.as_deref().map(|text| plain_within(text, MAX_SENTENCE_COLUMNS));
            let (conversation, transcript) = (cut(&said.id), said.transcript.clone());
            Some(FactKind::RunConversed { run, conversation, transcript, model: cut(&said.model) })
        }
        RunReport::Patched { summary, preview } => Some(FactKind::RunPatched {
            run,
            summary: summary.as_deref().map(|text| plain_within(text, MAX_SUMMARY_COLUMNS)),
            preview: preview.as_deref().map(|text| plain_within(text, MAX_SENTENCE_COLUMNS)),
        }),
    };
    let mut decision = Decision::default();
    if let Some(fact) = fact {
        decision.record(&record.id, given.now, fact);
    }
    Ok(allowed(record, decision))
}

/// The command that a report is.
fn command(record: &SessionRecord, run: &RunId, report: &RunReport, given: Given<'_>) -> StateCommand {
    let about = Some(RunRef::Headless(run.clone()));
    let (about, kind) = match report {
        // It replaces whatever run there was, so it is about none.
        RunReport::Queued => (None, StateKind::MarkQueued { run: Some(run.clone()) }),
        RunReport::FollowedUp(_) => (None, StateKind::FollowupStarted { run: run.clone() }),
        RunReport::Started(_) => (about, StateKind::RunStarted),
        RunReport::Progressed(beat) => {
            let shape = if beat.start.is_some() { BeatShape::Full } else { BeatShape::Partial };
            (about, StateKind::RunProgress { shape })
        }
        RunReport::Finalized(_) => (about, StateKind::RunFinalized),
        RunReport::PlanReady { .. } => (about, StateKind::PlanReady),
        RunReport::Conversing(_) | RunReport::Noted(_) => {
            (about, StateKind::PatchFields { fields: Vec::new(), news: PatchNews::Changes })
        }
        RunReport::Evidence(_) => {
            let fields = vec![PatchField::Review, PatchField::EvidenceSummary];
            (about, StateKind::PatchFields { fields, news: PatchNews::Changes })
        }
        RunReport::Patched { summary, preview } => {
            let fields = [(PatchField::Summary, summary), (PatchField::Preview, preview)];
            let fields: Vec<_> =
                fields.into_iter().filter(|(_, text)| text.is_some()).map(|(field, _)| field).collect();
            let news = if fields.is_empty() { PatchNews::Nothing } else { PatchNews::Changes };
            (about, StateKind::PatchFields { fields, news })
        }
    };
    StateCommand {
        session: record.id.clone(),
        run: about,
        expected_revision: given.expected_revision,
        source: given.source,
        kind,
    }
}

/// Lines for the session's log. They move no row, so no verdict and no other run is in their way.
fn noted(record: &SessionRecord, notes: &[RunNote]) -> Allowed {
    let mut decision = Decision::default();
    for note in notes {
        decision.note(&record.id, note.at_ms, (note.level, "runner", &note.code), &note.message);
    }
    allowed(record, decision)
}

/// A beat is shown and never written. Where the report of the beginning was lost, it proves that, and that is written.
fn progressed(record: &SessionRecord, run: RunId, beat: &RunBeat, given: Given<'_>) -> Allowed {
    let mut decision = Decision::default();
    let begun = record.run.as_ref().is_some_and(|known| known.start.is_some());
    if let (false, Some(start)) = (begun, &beat.start) {
        let found = FactKind::RunStarted { run, start: kept(start), cause: RunCause::Found };
        decision.record(&record.id, given.now, found);
    }
    let words = beat.doing.as_deref().or(beat.preview.as_deref());
    let shown = match words {
        Some(words) => Beat::Doing { call: None, words: plain_within(words, MAX_SUMMARY_COLUMNS) },
        None => Beat::Thinking,
    };
    Allowed { beat: Some(shown), ..allowed(record, decision) }
}

fn kept(start: &RunStart) -> RunStart {
    let prompt = start.prompt.chars().take(KEPT_PROMPT_CHARACTERS).collect();
    let model = start.model.as_deref().map(|model| plain_within(model, MAX_SENTENCE_COLUMNS));
    RunStart { prompt, model, ..start.clone() }
}

/// The end with its texts condensed once, so that a replayed journal cannot condense them differently.
fn finished(end: &RunEnd) -> RunFinished {
    let text = end.text.as_deref().unwrap_or_default();
    let preview = Some(plain_within(text, MAX_SENTENCE_COLUMNS)).filter(|preview| !preview.is_empty());
    let question = question_in(text).map(|question| plain_within(&question, MAX_SENTENCE_COLUMNS));
    RunFinished {
        ended_at: end.ended_at_ms,
        exit_code: end.exit_code,
        stop: end.stop,
        ending: end.ending,
        text_hash: preview.is_some().then(|| text_hash(text)),
        question,
        preview,
        last_agent_activity_at: end.last_agent_activity_at_ms,
        error: error(end),
        tokens: Tokens {
            read: end.usage.read,
            written: end.usage.written,
            cost_micros: end.usage.cost_micros,
        },
        turns: end.usage.turns,
        tools: end.usage.tools,
    }
}

fn error(end: &RunEnd) -> Option<String> {
    if let Some(error) = &end.error {
        return Some(plain_within(error, MAX_SENTENCE_COLUMNS));
    }
    match (end.exit_code, end.stop) {
        _ if end.ending == RunEnding::StoppedByPerson => None,
        (Some(0), Some(RunStop::Error)) => Some(texts::model_error().to_owned()),
        (Some(0), Some(RunStop::Aborted)) => Some(texts::model_stopped().to_owned()),
        (Some(0), _) => None,
        (Some(code), _) => Some(texts::exit_code(code)),
        (None, _) => Some(texts::by_signal().to_owned()),
    }
}
