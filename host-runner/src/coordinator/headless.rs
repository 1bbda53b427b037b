//! Begins turns without a terminal: in a new session, in one whose process has ended, and with words that waited for the
//! turn before (reference D.1, D.4, D.10). Pure.
//!
//! Called by [`super::decide`], by [`super::replies`] and, after the end of a run, by the writer. What comes of the run
//! is the business of [`super::runs`]. It commits the request before anything is started: a run that never comes is found
//! by [`super::reconcile`], which gives the words back.

use super::{
    decide::{self, Allowed, Fresh, Given, allowed, shown, wrong_state},
    decision::{Decision, Effect},
    replies, verdicts,
};
use crate::{
    agents::{
        AgentKind,
        headless::{HeadlessPlan, HeadlessRequest},
    },
    model::{
        FactKind, Medium, SessionBegun, SessionRecord, Sessions, can_auto_drain,
        command::{Reject, StateKind},
    },
};
use board_protocol::{
    command::{Launch, MAX_TASK_BYTES, ReplyDelivery},
    daemon::ReplyKind,
    ids::{QueueItemId, RunId, SessionId, Size},
    refusal::{Refusal, RefusalKind},
    run::{MAX_RUN_PROMPT_BYTES, RunKind, RunLaunch, RunRequest},
    state::SemanticState,
    text::beginning_of,
};
use board_text::coordinator as texts;

/// What a turn is asked for with, besides the session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish<'a> {
    /// What the agent is told.
    pub prompt: &'a str,
    /// What it is for.
    pub kind: RunKind,
    /// The words of the queue that it is, if it is such.
    pub item: Option<&'a QueueItemId>,
    /// The model; `None` takes the session's.
    pub model: Option<&'a str>,
    /// How hard it thinks; `None` takes the session's.
    pub thinking: Option<&'a str>,
    /// The tools that it may use; `None` takes the session's.
    pub tools: Option<&'a str>,
}

/// A turn in a new session.
///
/// # Errors
/// The refusal that the person reads.
pub(super) fn first(sessions: &Sessions, request: &RunRequest, given: Given<'_>) -> Result<Allowed, Refusal> {
    let agent = AgentKind::parse(&request.agent)?;
    decide::check_cwd(&request.cwd)?;
    check_prompt(&request.prompt)?;
    let environment = decide::environment(given)?;
    let Fresh { session, generation, run, .. } = given.fresh;
    let transcript = decide::transcript(given, session)?;
    let plan = agent.plan_headless(&HeadlessRequest {
        prompt: &request.prompt,
        prepared: decide::prepared(given)?,
        transcript: &transcript,
        conversation: None,
        life: &generation.0,
        model: request.model.as_deref(),
        thinking: request.thinking.as_deref(),
        tools: request.tools.as_deref(),
    })?;
    let (name, notice) = decide::name(sessions, request.name.as_deref(), &plan.words)?;
    decide::has_room(sessions)?;
    let begun = SessionBegun {
        name,
        agent,
        launch: Launch::Task(request.prompt.clone()),
        argv: plan.argv.clone(),
        words: plan.words.clone(),
        cwd: request.cwd.clone(),
        worktree: decide::worktree(given),
        size: Size::DEFAULT,
        generation: generation.clone(),
        environment_at: environment.taken_at,
        model: request.model.clone(),
        thinking: request.thinking.clone(),
        transcript: None,
        tools: request.tools.clone(),
        medium: Medium::Headless,
        parent: None,
    };
    let mut decision = Decision::default();
    decision.record(session, given.now, FactKind::SessionBegun(Box::new(begun)));
    let queued =
        FactKind::RunQueued { run: run.clone(), item: None, environment_at: Some(environment.taken_at) };
    decision.record(session, given.now, queued);
    let about = About { session, run, agent, cwd: &request.cwd };
    let wish = Wish {
        prompt: &request.prompt,
        kind: request.kind,
        item: None,
        model: request.model.as_deref(),
        thinking: None,
        tools: None,
    };
    decision.act(launch(about, plan, wish, given)?);
    Ok(Allowed { decision, session: session.clone(), notice, beat: None })
}

/// A turn in a session that exists. The words stand in its queue until the run has them, so that none get lost.
///
/// # Errors
/// The refusal that the person reads: it runs, its agent cannot do that, its row may not be moved.
pub(super) fn another(
    record: &SessionRecord,
    request: &RunRequest,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    check_prompt(&request.prompt)?;
    let wish = Wish {
        prompt: &request.prompt,
        kind: request.kind,
        item: None,
        model: request.model.as_deref(),
        thinking: request.thinking.as_deref(),
        tools: request.tools.as_deref(),
    };
    if matches!(request.kind, RunKind::Dispatch | RunKind::Reply) {
        said(record, wish, given)
    } else {
        begin(record, wish, given)
    }
}

/// A turn with words of a person, which stand in the queue until the run has them.
///
/// # Errors
/// As [`begin`], and the queue is full.
pub(super) fn said(record: &SessionRecord, wish: Wish<'_>, given: Given<'_>) -> Result<Allowed, Refusal> {
    replies::has_room(record, wish.prompt.len(), 1)?;
    let item = &given.fresh.item;
    let mut answer = begin(record, Wish { item: Some(item), ..wish }, given)?;
    let mut decision = Decision::default();
    let (text, delivery, kind) = (wish.prompt.to_owned(), ReplyDelivery::Queue, ReplyKind::Reply);
    decision.record(
        &record.id,
        given.now,
        FactKind::ReplyQueued { item: item.clone(), text, delivery, kind },
    );
    decision.facts.append(&mut answer.decision.facts);
    answer.decision.facts = decision.facts;
    Ok(answer)
}

/// Begins a turn in a session that exists.
///
/// # Errors
/// The refusal that the person reads.
pub(super) fn begin(record: &SessionRecord, wish: Wish<'_>, given: Given<'_>) -> Result<Allowed, Refusal> {
    if record.is_live() {
        let what = texts::runs_in_terminal(&record.id);
        return Err(wrong_state(record, &what));
    }
    if record.leaves_when_ended() {
        return Err(wrong_state(record, texts::being_removed()));
    }
    let run = &given.fresh.run;
    let kind = StateKind::MarkQueued { run: Some(run.clone()) };
    if record.run_is_open() {
        return Err(verdicts::refusal(record, Some(&kind), Reject::Busy));
    }
    verdicts::admit(record, kind, given)?;
    let plan = planned(record, wish, given)?;
    let mut decision = Decision::default();
    let queued = FactKind::RunQueued {
        run: run.clone(),
        item: wish.item.cloned(),
        environment_at: Some(decide::environment(given)?.taken_at),
    };
    decision.record(&record.id, given.now, queued);
    let about = About { session: &record.id, run, agent: record.agent, cwd: &record.cwd };
    decision.act(launch(about, plan, wish, given)?);
    Ok(allowed(record, decision))
}

/// The next words that waited for the turn that just ended, as another turn. `None`: nothing waits, or it may not go by
/// itself (reference B.9, D.10: a plan waits for a person, and so does a row on hold).
pub(super) fn follow_up(
    record: &SessionRecord,
    given: Given<'_>,
) -> Option<(QueueItemId, Result<Allowed, Refusal>)> {
    if record.is_live() || record.leaves_when_ended() {
        return None;
    }
    let about_a_plan = record.queue.waiting().find(|item| !item.kind.is_reply());
    let next = match about_a_plan {
        // They are the person's decision about what the run has just said.
        Some(next) if matches!(record.state, SemanticState::Idle | SemanticState::NeedsInput) => next,
        Some(_) => return None,
        None => {
            let kind = record.run.as_ref().and_then(|run| run.kind()).unwrap_or_default();
            let drains = matches!(kind, RunKind::Dispatch | RunKind::Reply | RunKind::PlanApproval);
            if !drains || !can_auto_drain(record) {
                return None;
            }
            record.queue.waiting().next()?
        }
    };
    let kind = match next.kind {
        ReplyKind::Reply => RunKind::Reply,
        ReplyKind::PlanRequest => RunKind::Plan,
        ReplyKind::PlanApproval => RunKind::PlanApproval,
        ReplyKind::PlanChange => RunKind::PlanChange,
    };
    let wish =
        Wish { prompt: &next.text, kind, item: Some(&next.id), model: None, thinking: None, tools: None };
    Some((next.id.clone(), begin(record, wish, given)))
}

fn planned(record: &SessionRecord, wish: Wish<'_>, given: Given<'_>) -> Result<HeadlessPlan, Refusal> {
    let chosen = decide::transcript(given, &record.id)?;
    let agent = &record.agent_record;
    record.agent.plan_headless(&HeadlessRequest {
        prompt: wish.prompt,
        prepared: decide::prepared(given)?,
        transcript: agent.transcript.as_deref().unwrap_or(&chosen),
        conversation: agent.session_id.as_deref().filter(|_| agent.has_words),
        life: &given.fresh.generation.0,
        model: wish.model.or(agent.wanted_model.as_deref()),
        thinking: wish.thinking.or(agent.wanted_thinking.as_deref()),
        tools: wish.tools.or(agent.wanted_tools.as_deref()),
    })
}

/// Whose run it is.
#[derive(Debug, Clone, Copy)]
struct About<'a> {
    session: &'a SessionId,
    run: &'a RunId,
    agent: AgentKind,
    cwd: &'a str,
}

fn launch(about: About<'_>, plan: HeadlessPlan, wish: Wish<'_>, given: Given<'_>) -> Result<Effect, Refusal> {
    let environment = decide::environment(given)?;
    Ok(Effect::SpawnRun(Box::new(RunLaunch {
        root: given.root.to_string_lossy().into_owned(),
        session: about.session.clone(),
        run: about.run.clone(),
        agent: about.agent.name().to_owned(),
        kind: wish.kind,
        argv: plan.argv,
        input: plan.input,
        cwd: about.cwd.to_owned(),
        environment: environment.variables.clone(),
        prompt: beginning_of(wish.prompt, MAX_RUN_PROMPT_BYTES).to_owned(),
        model: wish.model.map(str::to_owned),
        stop_grace_ms: given.runs.stop_grace_ms,
        // The writer knows it, and adds it once all is recorded.
        token: None,
    })))
}

fn check_prompt(prompt: &str) -> Result<(), Refusal> {
    let refuse = |kind, text: String| Err(Refusal::new(kind, text));
    if prompt.trim().is_empty() {
        return refuse(RefusalKind::BadInput, texts::headless_needs_words().into());
    }
    if prompt.len() > MAX_TASK_BYTES {
        return refuse(RefusalKind::Limit, texts::prompt_too_long(prompt.len(), MAX_TASK_BYTES));
    }
    if prompt.contains('\0') {
        return refuse(RefusalKind::BadInput, texts::prompt_nul().into());
    }
    Ok(())
}

/// What a person is told who wants to enter or restart a session while a run works in it.
pub(super) fn in_the_way(record: &SessionRecord) -> Option<Refusal> {
    record.run_is_open().then(|| {
        let text = texts::works_headless(shown(record), &record.id);
        Refusal::new(RefusalKind::Busy, text)
    })
}
