//! What makes a command no command at all, found before anything is decided: such a one is refused, and neither written
//! down nor remembered (reference C.5, validateCommand). Pure.
//!
//! Most of those rules are types of the protocol. What types cannot say is here.

use crate::model::auto_state::{HASH_DIGITS, MAX_QUESTION_CHARACTERS, MAX_REASON_CHARACTERS};
use board_protocol::{
    command::{Command, CommandEnvelope},
    evidence::MAX_ITEMS_IN_REPORT,
    ids::RunId,
    plan::MAX_PLAN_BYTES,
    refusal::{Refusal, RefusalKind},
    run::{
        MAX_NOTE_BYTES, MAX_NOTES_IN_REPORT, MAX_RUN_PROMPT_BYTES, MAX_RUN_TEXT_BYTES, RunReport, RunStart,
    },
    state::Classification,
};

/// Longest id of a command or of a run, in bytes: a UUID with room.
const MAX_ID_BYTES: usize = 128;

/// Checks a command.
///
/// # Errors
/// The first thing that is wrong with it.
pub(super) fn validate(envelope: &CommandEnvelope) -> Result<(), Refusal> {
    // What is neither written down nor remembered needs no name.
    if !envelope.command.is_transient() {
        id("missing_commandId", envelope.command_id.as_str())?;
    }
    if let Some(session) = envelope.command.subject() {
        id("missing_viewId", session.as_str())?;
    }
    match &envelope.command {
        Command::Classify { classification, .. } => check_classification(classification),
        Command::ReportRun { run, report, .. } => check_report(run, report),
        _ => Ok(()),
    }
}

fn id(code: &str, id: &str) -> Result<(), Refusal> {
    let good = !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.chars().any(char::is_control);
    good_or(good, code, "an id is a short text of its own")
}

fn check_classification(classification: &Classification) -> Result<(), Refusal> {
    let Classification { reason, question, text_hash, .. } = classification;
    let is_hash = text_hash.len() == HASH_DIGITS && text_hash.bytes().all(|c| c.is_ascii_hexdigit());
    good_or(
        is_hash,
        "bad_classification",
        "text_hash is the first 12 hexadecimal digits of the SHA-1 of the text",
    )?;
    let short = reason.chars().count() <= MAX_REASON_CHARACTERS
        && question.as_ref().is_none_or(|question| question.chars().count() <= MAX_QUESTION_CHARACTERS);
    good_or(short, "bad_classification", "a reason has at most 120 characters, and a question at most 240")
}

fn check_report(run: &RunId, report: &RunReport) -> Result<(), Refusal> {
    let missing =
        if matches!(report, RunReport::FollowedUp(_)) { "missing_newRunId" } else { "missing_runId" };
    id(missing, run.as_str())?;
    let short = |text: Option<&String>| text.is_none_or(|text| text.len() <= MAX_RUN_TEXT_BYTES);
    let begins = |start: &RunStart| {
        start.prompt.len() <= MAX_RUN_PROMPT_BYTES
            && short(start.model.as_ref())
            && start.process.is_none_or(|process| process.pid != 0)
    };
    match report {
        RunReport::Queued => Ok(()),
        RunReport::Started(start) | RunReport::FollowedUp(start) => {
            good_or(begins(start), "bad_status", "the beginning of a run is too long, or names no process")
        }
        RunReport::Progressed(beat) => good_or(
            beat.start.as_ref().is_none_or(begins)
                && short(beat.doing.as_ref())
                && short(beat.preview.as_ref()),
            "bad_status",
            "a beat of a run is too long, or names no process",
        ),
        RunReport::Finalized(end) => {
            good_or(
                short(end.text.as_ref()) && short(end.error.as_ref()),
                "bad_status",
                "the end of a run is too long",
            )?;
            let ordered = end.last_agent_activity_at_ms.is_none_or(|at| at <= end.ended_at_ms);
            good_or(ordered, "bad_lastAgentActivityAt", "a run says nothing after its end")
        }
        RunReport::PlanReady { question, plan } => {
            let asks = question.as_ref().is_none_or(|question| !question.trim().is_empty());
            good_or(asks && short(question.as_ref()), "bad_question", "a question is a text, and short")?;
            let fits = plan.as_ref().is_none_or(|plan| plan.len() <= MAX_PLAN_BYTES);
            good_or(fits, "bad_payload", "a plan is too long")
        }
        RunReport::Evidence(items) => good_or(
            items.len() <= MAX_ITEMS_IN_REPORT,
            "bad_payload",
            "a report of a run carries too much evidence",
        ),
        RunReport::Noted(notes) => good_or(
            notes.len() <= MAX_NOTES_IN_REPORT
                && notes
                    .iter()
                    .all(|note| note.message.len() <= MAX_NOTE_BYTES && note.code.len() <= MAX_ID_BYTES),
            "bad_payload",
            "a report of a run carries too many or too long notes",
        ),
        RunReport::Conversing(said) => good_or(
            short(said.id.as_ref()) && short(said.transcript.as_ref()) && short(said.model.as_ref()),
            "bad_payload",
            "a conversation's id, file or model is too long",
        ),
        RunReport::Patched { summary, preview } => good_or(
            short(summary.as_ref()) && short(preview.as_ref()),
            "bad_payload",
            "a text of a run is too long",
        ),
    }
}

fn good_or(good: bool, code: &str, what: &str) -> Result<(), Refusal> {
    if good { Ok(()) } else { Err(Refusal::new(RefusalKind::BadInput, format!("{what} ({code})"))) }
}

#[cfg(test)]
mod tests;
