//! What a person does with a plan, and what becomes of an agent's answer that is one (reference A.11, D.13). Pure.
//!
//! [`fn@decide`] is called by [`mod@super::decide`] for a person's step; when a turn ends, [`ready`] by `hearing` and
//! [`ready_of_run`] by `ended`. Words about a plan go through the follow-up queue of a session that runs, and through the
//! door of a turn without a terminal, or a fresh host, of one that does not.

use super::{
    decide::{self, Allowed, Given, allowed, shown, wrong_state},
    decision::Decision,
    deliver, guard,
    headless::{self, Wish},
    replies,
    world::ReplyToEnded,
};
use crate::{
    agents::{Turns, questions},
    model::{
        FactKind, SessionRecord,
        command::{Reject, RunRef, StateCommand, StateKind},
        plan::{self, PlanError, PlanMove, prompts},
        run::RunFinished,
    },
};
use board_protocol::{
    command::ReplyDelivery,
    daemon::ReplyKind,
    ids::RunId,
    plan::{PlanStatus, PlanStep},
    refusal::{Refusal, RefusalKind},
    run::RunKind,
    state::CommandSource,
};
use board_text::coordinator as texts;

/// Decides one step of a person.
///
/// # Errors
/// The refusal that the person reads.
pub(super) fn decide(record: &SessionRecord, step: &PlanStep, given: Given<'_>) -> Result<Allowed, Refusal> {
    if given.source != CommandSource::Person {
        let text = texts::plan_person_only();
        return Err(Refusal::new(RefusalKind::SourceNotAllowed, text));
    }
    if record.agent.turns() == Turns::WholeLife {
        return Err(wrong_state(record, texts::plan_no_turns()));
    }
    match step {
        PlanStep::Reset => reset(record, given),
        PlanStep::Request { text } => {
            let text = words(record, text, PlanError::EmptyRequest)?;
            let prompt = prompts::only_plan(&text);
            let step = PlanMove::Requested { text, run: None };
            may_be(record, &step)?;
            let said = Saying { kind: ReplyKind::PlanRequest, run: RunKind::Plan, prompt, steps: vec![step] };
            say(record, said, texts::plan_requested(), given)
        }
        PlanStep::Change { text } => {
            let text = words(record, text, PlanError::EmptyChange)?;
            let prompt = prompts::plan_anew(&text);
            let step = PlanMove::ChangesRequested { text, run: None };
            may_be(record, &step)?;
            let said =
                Saying { kind: ReplyKind::PlanChange, run: RunKind::PlanChange, prompt, steps: vec![step] };
            say(record, said, texts::plan_sent_back(), given)
        }
        PlanStep::Approve => {
            may_be(record, &PlanMove::Approved)?;
            let steps = vec![PlanMove::Approved, PlanMove::Executing { run: None }];
            let prompt = prompts::carry_out();
            let said = Saying { kind: ReplyKind::PlanApproval, run: RunKind::PlanApproval, prompt, steps };
            say(record, said, texts::plan_approved(), given)
        }
    }
}

/// Words about a plan on their way to the agent.
struct Saying {
    kind: ReplyKind,
    run: RunKind,
    prompt: String,
    steps: Vec<PlanMove>,
}

/// The person's words, as every reply is checked.
fn words(record: &SessionRecord, text: &str, empty: PlanError) -> Result<String, Refusal> {
    if text.trim().is_empty() {
        return Err(refused(record, empty));
    }
    replies::checked(text)
}

fn may_be(record: &SessionRecord, step: &PlanMove) -> Result<(), Refusal> {
    plan::check(&record.plan, step).map_err(|error| refused(record, error))
}

/// What a person reads whose step is none: what stands against it, and what to do.
fn refused(record: &SessionRecord, error: PlanError) -> Refusal {
    let id = &record.id;
    let (kind, hint) = match error {
        PlanError::EmptyChange => (RefusalKind::BadInput, texts::plan_say_change(id)),
        PlanError::EmptyRequest => (RefusalKind::BadInput, texts::plan_say_what(id)),
        PlanError::NotAwaiting | PlanError::NotApproved => {
            let status = record.plan.status.words();
            (RefusalKind::WrongState, texts::plan_show(shown(record), status, id))
        }
        PlanError::NoPlan => (RefusalKind::WrongState, texts::plan_request(shown(record), id)),
    };
    Refusal::new(kind, format!("{error}: {hint}"))
}

/// Gives the agent words about a plan, by the door that is open.
fn say(record: &SessionRecord, said: Saying, done: &str, given: Given<'_>) -> Result<Allowed, Refusal> {
    if record.leaves_when_ended() {
        return Err(wrong_state(record, texts::nothing_can_be_said()));
    }
    if let Some(item) = record.queue.about_a_plan() {
        let text = texts::plan_words_wait(shown(record), &item.id, &record.id);
        return Err(Refusal::new(RefusalKind::WrongState, text));
    }
    if record.is_live() {
        return to_its_terminal(record, said, done, given);
    }
    if record.run_is_open() {
        let mut answer = queued(record, said, ReplyDelivery::Queue, given)?;
        answer.notice = Some(texts::plan_queued_headless(done));
        return Ok(answer);
    }
    // As with every reply: what worked in a terminal goes on in one, unless the person has set something else.
    if record.run.is_none() && given.runs.reply_to_ended == ReplyToEnded::Resume {
        let resumed = decide::resume(record, given)?;
        let mut answer = queued(record, said, ReplyDelivery::Auto, given)?;
        answer.decision.facts.extend(resumed.decision.facts);
        answer.decision.effects.extend(resumed.decision.effects);
        answer.notice = Some(texts::plan_continued(done));
        return Ok(answer);
    }
    let wish =
        Wish { prompt: &said.prompt, kind: said.run, item: None, model: None, thinking: None, tools: None };
    let begun = headless::begin(record, wish, given)?;
    Ok(without_a_terminal(record, said, begun, done, given))
}

/// Through the follow-up queue of a session that runs.
fn to_its_terminal(
    record: &SessionRecord,
    said: Saying,
    done: &str,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let delivery = if said.kind == ReplyKind::PlanApproval {
        // Whoever approves wants it done: what cannot be said now is refused, and the plan waits on.
        replies::may_be_hurried_about_a_plan(record, given)?;
        ReplyDelivery::Now
    } else if deliver::block_about_a_plan(record, &given.sight, ReplyDelivery::Auto).is_some() {
        ReplyDelivery::Queue
    } else {
        ReplyDelivery::Auto
    };
    let mut answer = queued(record, said, delivery, given)?;
    let blocked = deliver::block_about_a_plan(record, &given.sight, delivery);
    answer.notice = Some(match blocked {
        Some(block) => texts::plan_queued(done, block.why()),
        None => done.to_owned(),
    });
    Ok(answer)
}

fn queued(
    record: &SessionRecord,
    said: Saying,
    delivery: ReplyDelivery,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let Saying { kind, prompt: text, steps, .. } = said;
    replies::has_room(record, text.len(), 1)?;
    let mut decision = Decision::default();
    for step in steps {
        decision.record(&record.id, given.now, FactKind::PlanMoved(step));
    }
    let item = given.fresh.item.clone();
    decision.record(&record.id, given.now, FactKind::ReplyQueued { item, text, delivery, kind });
    Ok(allowed(record, decision))
}

/// As a turn without a terminal, which is begun already.
fn without_a_terminal(
    record: &SessionRecord,
    said: Saying,
    begun: Allowed,
    done: &str,
    given: Given<'_>,
) -> Allowed {
    let run = begun.decision.facts.iter().find_map(|fact| match &fact.kind {
        FactKind::RunQueued { run, .. } | FactKind::RunStarted { run, .. } => Some(run.clone()),
        _ => None,
    });
    let mut decision = Decision::default();
    for step in said.steps {
        let step = match step {
            PlanMove::Requested { text, .. } => PlanMove::Requested { text, run: run.clone() },
            PlanMove::ChangesRequested { text, .. } => PlanMove::ChangesRequested { text, run: run.clone() },
            PlanMove::Executing { .. } => PlanMove::Executing { run: run.clone() },
            other => other,
        };
        decision.record(&record.id, given.now, FactKind::PlanMoved(step));
    }
    decision.facts.extend(begun.decision.facts);
    decision.effects.extend(begun.decision.effects);
    decision.notes.extend(begun.decision.notes);
    let notice = match begun.notice {
        Some(more) => format!("{done}. {more}"),
        None => done.to_owned(),
    };
    Allowed { notice: Some(notice), ..allowed(record, decision) }
}

/// Forgets the plan, and takes back what the agent does not have yet.
fn reset(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    let step = PlanMove::Reset;
    if plan::check(&record.plan, &step).is_err() {
        let text = texts::plan_none(shown(record));
        return Err(Refusal::new(RefusalKind::NoChange, text));
    }
    let mut decision = Decision::default();
    decision.record(&record.id, given.now, FactKind::PlanMoved(step));
    for item in record.queue.waiting().filter(|item| !item.kind.is_reply()) {
        decision.record(&record.id, given.now, FactKind::ReplyRemoved { item: item.id.clone() });
    }
    let runs = record.turn_runs();
    let notice = runs.then(|| texts::plan_forgotten().to_owned());
    Ok(Allowed { notice, ..allowed(record, decision) })
}

/// A turn in its terminal has ended well, with these last words: what that means for the plan. `Err` says why a plan that
/// is there moves no row.
pub(super) fn ready(record: &SessionRecord, words: &str) -> Result<Option<FactKind>, Reject> {
    let status = record.plan.status;
    // What would ask for it has not reached the agent.
    if record.queue.about_a_plan().is_some() {
        return Ok(None);
    }
    let text = match status {
        // The person talked to it in its terminal, and the plan still waits for them.
        PlanStatus::AwaitingApproval => None,
        _ if plan::awaits_plan(status) => {
            let kept = plan::kept_text(words);
            let kept = Some(kept).filter(|kept| !kept.is_empty());
            let Some(text) = kept.or_else(|| record.agent_record.preview.clone()) else { return Ok(None) };
            Some(text)
        }
        _ => return Ok(None),
    };
    let command = StateCommand {
        session: record.id.clone(),
        run: Some(RunRef::Host(record.host.generation.clone())),
        expected_revision: None,
        source: CommandSource::Service,
        kind: StateKind::PlanReady,
    };
    guard::admit(Some(record), &command)?;
    Ok(Some(FactKind::PlanMoved(PlanMove::Ready { text, run: None })))
}

/// A run without a terminal has ended: its plan, if it was to make one and did. `words` are its last ones in full.
pub(super) fn ready_of_run(record: &SessionRecord, words: &str) -> Result<Option<FactKind>, Reject> {
    let Some(run) = &record.run else { return Ok(None) };
    if record.queue.about_a_plan().is_some() {
        return Ok(None);
    }
    let (Some(start), Some(end)) = (&run.start, &run.end) else { return Ok(None) };
    let plans = matches!(start.kind, RunKind::Plan | RunKind::PlanChange);
    let text = plan::kept_text(words);
    if !plans || !ended_well(end) || text.is_empty() || is_told(record, &run.id) {
        return Ok(None);
    }
    let command = StateCommand {
        session: record.id.clone(),
        run: Some(RunRef::Headless(run.id.clone())),
        expected_revision: None,
        source: CommandSource::Run,
        kind: StateKind::PlanReady,
    };
    guard::admit(Some(record), &command)?;
    let question = questions::PLAN.to_owned();
    Ok(Some(FactKind::PlanReady { run: run.id.clone(), question, plan: Some(text) }))
}

/// Whether the plan of this run waits for approval already: its process and the daemon both say so.
pub(super) fn is_told(record: &SessionRecord, run: &RunId) -> bool {
    record.plan.status == PlanStatus::AwaitingApproval && record.plan.plan_run.as_ref() == Some(run)
}

fn ended_well(end: &RunFinished) -> bool {
    use board_protocol::run::{RunEnding, RunStop};
    end.exit_code == Some(0)
        && end.ending == RunEnding::Itself
        && !matches!(end.stop, Some(RunStop::Error | RunStop::Aborted))
}

#[cfg(test)]
mod tests;
