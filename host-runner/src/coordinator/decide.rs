//! What a person's command changes, or why it may not. Pure.
//!
//! Guards come in one order for every command, those of `guard` first: the session exists, it is as whoever asks has seen
//! it, no verdict stands in the way of a machine; then the command's own rules (reference C.5).

use super::{
    adopt,
    decision::{Decision, Effect, Force},
    deliver::Sight,
    guard::{self, About},
    headless, labels,
    messages::{Environment, Preflight},
    plans, replies, runs, terminals, verdicts,
    world::RunSettings,
};
use crate::{
    agents::{AgentKind, LaunchRequest, Prepared, PromptUse},
    model::{
        AfterStop, FactKind, Medium, SessionBegun, SessionRecord, Sessions, auto_state::AutoDone,
        command::StateKind, given_name, news::Beat, run::RunRecord, slug, unused,
    },
};
use board_protocol::{
    board::Revival,
    command::{Command, Launch, MAX_ENVIRONMENT_BYTES, MAX_TASK_BYTES, StartSession},
    host::HostOrder,
    ids::{Generation, QueueItemId, RunId, SessionId, Size, UnixMs},
    refusal::{Refusal, RefusalKind},
    state::CommandSource,
};
use board_text::coordinator as texts;
use board_text::terminals as terminal_texts;
use std::path::Path;

/// Most sessions on one board. A row costs about a kilobyte here and in every board; 10,000 are measured to be quick.
pub const MAX_SESSIONS: usize = 20_000;
/// Longest directory that a session may have, in bytes (`PATH_MAX` of Linux).
pub(super) const MAX_CWD_BYTES: usize = 4096;

/// New ids, made by the shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fresh {
    /// For a new session; not in use.
    pub session: SessionId,
    /// For a new host.
    pub generation: Generation,
    /// For words of a person; not in use.
    pub item: QueueItemId,
    /// For a run.
    pub run: RunId,
}

/// What a decision needs to know besides the state.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The time.
    pub now: UnixMs,
    /// New ids.
    pub fresh: &'a Fresh,
    /// The launching shell's environment, if the command carries one.
    pub environment: Option<&'a Environment>,
    /// What was found out about a start before it was decided.
    pub preflight: Option<&'a Preflight>,
    /// Whether the command's session has a connected host.
    pub reach: Reach,
    /// What is seen of that host and its agent.
    pub sight: Sight,
    /// The board root.
    pub root: &'a Path,
    /// Who asks.
    pub source: CommandSource,
    /// The revision that whoever asks has seen.
    pub expected_revision: Option<u64>,
    /// Whether a classifier may say Done.
    pub auto_done: AutoDone,
    /// How turns without a terminal are begun.
    pub runs: RunSettings,
}

/// Whether a host can be told something right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It is connected.
    Connected,
    /// It is connected, and of a build that cannot write words of a person to its agent.
    Outdated,
    /// It is not.
    Away,
}

/// A command that may be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// What it changes.
    pub decision: Decision,
    /// The session that it is about.
    pub session: SessionId,
    /// What to tell the person besides "done".
    pub notice: Option<String>,
    /// What it shows for a moment.
    pub beat: Option<Beat>,
}

/// Decides one command of a person.
///
/// # Errors
/// The refusal that the person reads.
pub fn decide(sessions: &Sessions, command: &Command, given: Given<'_>) -> Result<Allowed, Refusal> {
    let row = |session| admitted(sessions, session, given);
    match command {
        Command::Start(start) => begin(sessions, start, None, given),
        Command::OpenTerminal { parent, open } => terminals::open(sessions, parent, open, given),
        Command::Adopt(adopted) => adopt::decide(sessions, adopted, given),
        Command::Rerun { session } => rerun(sessions, row(session)?, given),
        Command::Resume { session } => resume(row(session)?, given),
        Command::Interrupt { session } => interrupt(row(session)?, given),
        Command::Stop { session } => stop(row(session)?, given),
        Command::Remove { session } => remove(row(session)?, given),
        Command::Visit { session } => labels::visit(row(session)?, given),
        Command::MarkUnread { session } => labels::mark_unread(row(session)?, given),
        Command::Rename { session, name } => labels::rename(sessions, row(session)?, name, given),
        Command::SetPin { session, pin } => labels::set_pin(sessions, row(session)?, *pin, given),
        Command::Tag { session, add, remove } => labels::tag(row(session)?, add, remove, given),
        Command::ClearLog { session } => Ok(labels::clear_log(row(session)?)),
        Command::MarkCompleted { session } => verdicts::mark_completed(sessions, row(session)?, given),
        Command::MarkHolding { session } => verdicts::mark_holding(sessions, row(session)?, given),
        Command::ClearHolding { session } => verdicts::clear_holding(row(session)?, given),
        Command::Classify { session, classification } => {
            verdicts::classify(row(session)?, classification, given)
        }
        // A run's reports say which run they are about, and pass the gate with that.
        Command::ReportRun { session, run, report } => {
            runs::decide(known(sessions, session)?, run, report, given)
        }
        Command::Plan { session, step } => plans::decide(row(session)?, step, given),
        Command::Run(request) => match &request.session {
            None => headless::first(sessions, request, given),
            Some(session) => headless::another(row(session)?, request, given),
        },
        Command::Reply { session, .. }
        | Command::EditQueued { session, .. }
        | Command::MoveQueued { session, .. }
        | Command::RemoveQueued { session, .. }
        | Command::SendQueued { session, .. }
        | Command::ClearQueue { session } => replies::decide(row(session)?, command, given),
    }
}

/// The row of a command that passes what holds for all of them.
fn admitted<'a>(
    sessions: &'a Sessions,
    session: &SessionId,
    given: Given<'_>,
) -> Result<&'a SessionRecord, Refusal> {
    let record = known(sessions, session)?;
    let about = About { run: None, expected_revision: given.expected_revision, source: given.source };
    guard::admit_any(Some(record), about).map_err(|reject| verdicts::refusal(record, None, reject))
}

fn known<'a>(sessions: &'a Sessions, session: &SessionId) -> Result<&'a SessionRecord, Refusal> {
    sessions.get(session).ok_or_else(|| Refusal::new(RefusalKind::UnknownSession, texts::no_session(session)))
}

/// A new row. One whose conversation began elsewhere has a file of it, and says nothing at first.
pub(super) fn begin(
    sessions: &Sessions,
    start: &StartSession,
    elsewhere: Option<&str>,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let agent = AgentKind::parse(&start.agent)?;
    check_words(&start.launch)?;
    check_cwd(&start.cwd)?;
    let environment = environment(given)?;
    let prepared = prepared(given)?;
    let chosen = transcript(given, &given.fresh.session)?;
    let plan = agent.plan(&LaunchRequest {
        launch: &start.launch,
        environment: &environment.variables,
        prepared,
        transcript: elsewhere.unwrap_or(&chosen),
        conversation: None,
        life: &given.fresh.generation.0,
        model: start.model.as_deref(),
        thinking: start.thinking.as_deref(),
        prompt: if elsewhere.is_some() { PromptUse::Withheld } else { PromptUse::Given },
    })?;
    // An agent that is started without words is named after itself.
    let words = if plan.words.is_empty() { &start.agent } else { &plan.words };
    let (name, notice) = name(sessions, start.name.as_deref(), words)?;
    has_room(sessions)?;
    let Fresh { session, generation, .. } = given.fresh.clone();
    let begun = SessionBegun {
        name,
        agent,
        launch: start.launch.clone(),
        argv: plan.argv,
        words: plan.words,
        cwd: start.cwd.clone(),
        worktree: worktree(given),
        size: start.size.unwrap_or(Size::DEFAULT).clamped(),
        generation: generation.clone(),
        environment_at: environment.taken_at,
        model: start.model.clone(),
        thinking: start.thinking.clone(),
        transcript: elsewhere.map(str::to_owned),
        tools: None,
        medium: Medium::Terminal,
        parent: None,
    };
    let tags = labels::checked_tags(&start.tags)?;
    let mut decision = Decision::default();
    decision.record(&session, given.now, FactKind::SessionBegun(Box::new(begun)));
    if !tags.is_empty() {
        decision.record(&session, given.now, FactKind::TagsSet { tags });
    }
    decision.act(Effect::SpawnHost { session: session.clone(), generation });
    Ok(Allowed { decision, session, notice, beat: None })
}

/// What a new session is called, and what there is to say about that.
pub(super) fn name(
    sessions: &Sessions,
    wanted: Option<&str>,
    words: &str,
) -> Result<(String, Option<String>), Refusal> {
    let name = match wanted {
        Some(name) => given_name(name)?,
        None => unused(slug(words), |name| sessions.values().any(|record| record.name == name)),
    };
    let taken = sessions.values().find(|record| record.name == name);
    let notice = taken.map(|other| labels::shared_name(&name, &other.id));
    Ok((name, notice))
}

/// Whether another session has room on the board.
pub(super) fn has_room(sessions: &Sessions) -> Result<(), Refusal> {
    if sessions.len() < MAX_SESSIONS {
        return Ok(());
    }
    let text = texts::too_many_sessions(MAX_SESSIONS);
    Err(Refusal::new(RefusalKind::Limit, text))
}

/// What was found out before the decision, if nothing speaks against it.
pub(super) fn prepared(given: Given<'_>) -> Result<Option<&Prepared>, Refusal> {
    match given.preflight {
        Some(Preflight::Refused(refusal)) => Err(refusal.clone()),
        Some(Preflight::Passed { prepared, .. }) => Ok(prepared.as_ref()),
        None => Ok(None),
    }
}

/// The linked git worktree that was found where the session is to run.
pub(super) fn worktree(given: Given<'_>) -> Option<String> {
    match given.preflight {
        Some(Preflight::Passed { worktree, .. }) => worktree.as_deref().map(str::to_owned),
        Some(Preflight::Refused(_)) | None => None,
    }
}

/// The file in which an agent keeps what was said in a session: the same one for every life of the row.
pub(super) fn transcript(given: Given<'_>, session: &SessionId) -> Result<String, Refusal> {
    let path = given.root.join("sessions").join(format!("{session}.jsonl"));
    path.into_os_string().into_string().map_err(|path| {
        let text = texts::root_not_utf8(path.display());
        Refusal::new(RefusalKind::BadInput, text)
    })
}

pub(super) fn check_words(launch: &Launch) -> Result<(), Refusal> {
    let bytes = match launch {
        Launch::Argv(argv) => argv.iter().map(|argument| argument.len() + 1).sum(),
        Launch::Task(task) => task.len(),
    };
    if bytes > MAX_TASK_BYTES {
        let text = texts::command_too_long(bytes, MAX_TASK_BYTES);
        return Err(Refusal::new(RefusalKind::Limit, text));
    }
    Ok(())
}

pub(super) fn check_cwd(cwd: &str) -> Result<(), Refusal> {
    if cwd.len() > MAX_CWD_BYTES || !cwd.starts_with('/') || cwd.contains('\0') {
        let text = texts::needs_directory(format_args!("{:?}", shortened(cwd)));
        return Err(Refusal::new(RefusalKind::BadInput, text));
    }
    Ok(())
}

fn shortened(text: &str) -> String {
    board_protocol::text::plain_within(text, board_protocol::board::MAX_NAME_COLUMNS)
}

pub(super) fn environment<'a>(given: Given<'a>) -> Result<&'a Environment, Refusal> {
    let Some(environment) = given.environment else {
        return Err(Refusal::new(RefusalKind::BadInput, texts::needs_environment()));
    };
    let bytes: usize = environment.variables.iter().map(|var| var.name.len() + var.value.len() + 2).sum();
    if bytes > MAX_ENVIRONMENT_BYTES {
        return Err(Refusal::new(
            RefusalKind::Limit,
            texts::environment_too_large(bytes, MAX_ENVIRONMENT_BYTES),
        ));
    }
    Ok(environment)
}

fn rerun(sessions: &Sessions, record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    if record.is_live() {
        return Err(wrong_state(record, texts::still_runs()));
    }
    if terminals::owner(sessions, record).is_some() {
        return Err(Refusal::new(
            RefusalKind::WrongState,
            terminal_texts::no_rerun(&record.id, &record.name),
        ));
    }
    headless::in_the_way(record).map_or(Ok(()), Err)?;
    match record.agent.revival() {
        Revival::RunsAgain => {}
        Revival::Resumes => {
            return Err(wrong_state(record, texts::goes_on_by_itself()));
        }
    }
    let (generation, argv, environment_at) = new_life(record, given)?;
    verdicts::admit(record, StateKind::MarkQueued { run: None }, given)?;
    let mut decision = Decision::default();
    let begun = FactKind::SessionBegunAgain { generation: generation.clone(), argv, environment_at };
    decision.record(&record.id, given.now, begun);
    decision.act(Effect::SpawnHost { session: record.id.clone(), generation });
    Ok(allowed(record, decision))
}

/// The same conversation in a fresh host. Whoever comes second finds the host of whoever came first.
pub(super) fn resume(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    if record.is_live() {
        return Ok(allowed(record, Decision::default()));
    }
    // Two processes that write one conversation would spoil it.
    headless::in_the_way(record).map_or(Ok(()), Err)?;
    match record.agent.revival() {
        Revival::Resumes => {}
        Revival::RunsAgain => {
            return Err(wrong_state(record, texts::cannot_continue()));
        }
    }
    let (generation, argv, environment_at) = new_life(record, given)?;
    let mut decision = Decision::default();
    let resumed = FactKind::SessionResumed { generation: generation.clone(), argv, environment_at };
    // Entering a row to look at it is no word about where it belongs: a verdict stays (reference C.6).
    let looks = About { run: None, expected_revision: None, source: CommandSource::Service };
    let resumed = match guard::admit_any(Some(record), looks) {
        Ok(_) => resumed,
        Err(_) => FactKind::Fenced(Box::new(resumed)),
    };
    decision.record(&record.id, given.now, resumed);
    decision.act(Effect::SpawnHost { session: record.id.clone(), generation });
    Ok(allowed(record, decision))
}

/// What another host of the same row executes.
fn new_life(record: &SessionRecord, given: Given<'_>) -> Result<(Generation, Vec<String>, UnixMs), Refusal> {
    let environment = environment(given)?;
    let chosen = transcript(given, &record.id)?;
    let agent = &record.agent_record;
    let plan = record.agent.plan(&LaunchRequest {
        launch: &record.launch,
        environment: &environment.variables,
        prepared: prepared(given)?,
        transcript: agent.transcript.as_deref().unwrap_or(&chosen),
        conversation: agent.session_id.as_deref().filter(|_| agent.has_words),
        life: &given.fresh.generation.0,
        model: agent.wanted_model.as_deref(),
        thinking: agent.wanted_thinking.as_deref(),
        prompt: if agent.begun { PromptUse::Withheld } else { PromptUse::Given },
    })?;
    Ok((given.fresh.generation.clone(), plan.argv, environment.taken_at))
}

fn interrupt(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    // A run has no key to press: its one turn is all that there is to interrupt (reference D.2).
    if record.run_is_open() {
        return stop(record, given);
    }
    if !record.is_live() || record.host.child.is_none() {
        return Err(wrong_state(record, texts::does_not_run()));
    }
    if !record.turn_runs() {
        let what = texts::nothing_to_interrupt(&record.id);
        return Err(wrong_state(record, &what));
    }
    if given.reach == Reach::Away {
        return Err(Refusal::new(
            RefusalKind::HostUnreachable,
            texts::host_away_interrupt(shown(record), &record.id),
        ));
    }
    let mut decision = Decision::default();
    decision.record(&record.id, given.now, FactKind::SessionInterrupted);
    let key = record.agent.interrupt_key().to_vec();
    decision.act(Effect::OrderHost { session: record.id.clone(), order: HostOrder::Interrupt { key } });
    Ok(allowed(record, decision))
}

fn stop(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    if !record.is_at_work() {
        return Err(wrong_state(record, texts::has_ended()));
    }
    Ok(Allowed {
        notice: if record.is_live() { away_notice(given) } else { None },
        ..allowed(record, stopping(record, given.now, AfterStop::Stays))
    })
}

fn remove(record: &SessionRecord, given: Given<'_>) -> Result<Allowed, Refusal> {
    verdicts::admit(record, StateKind::ArchiveView, given)?;
    if !record.is_at_work() {
        let mut decision = Decision::default();
        decision.record(&record.id, given.now, FactKind::SessionRemoved);
        return Ok(allowed(record, decision));
    }
    let notice = texts::leaves_when_ended(shown(record));
    Ok(Allowed { notice: Some(notice), ..allowed(record, stopping(record, given.now, AfterStop::Removed)) })
}

/// A host that is not connected gets the order when it reports: a stop is a wish that is kept, not a message.
pub(super) fn stopping(record: &SessionRecord, now: UnixMs, then: AfterStop) -> Decision {
    let mut decision = Decision::default();
    let news = match record.stop {
        None => true,
        Some(earlier) => earlier.then == AfterStop::Stays && then == AfterStop::Removed,
    };
    if news {
        decision.record(&record.id, now, FactKind::StopRequested { then });
    }
    if record.is_live() {
        decision.act(Effect::OrderHost { session: record.id.clone(), order: HostOrder::Stop });
    } else if let Some(process) = record.run.as_ref().and_then(RunRecord::process) {
        // One that is not known yet is signalled as soon as it is.
        decision.act(Effect::Signal { process, force: Force::Ask });
    }
    decision
}

fn away_notice(given: Given<'_>) -> Option<String> {
    (given.reach == Reach::Away).then(|| texts::stopped_later().to_owned())
}

/// Decides to stop everything that runs, for a shutdown that a person asked for.
pub fn decide_stop_all(sessions: &Sessions, now: UnixMs) -> Decision {
    let mut all = Decision::default();
    for record in sessions.values().filter(|record| record.is_at_work()) {
        let one = stopping(record, now, AfterStop::Stays);
        all.facts.extend(one.facts);
        all.effects.extend(one.effects);
    }
    all
}

pub(super) fn allowed(record: &SessionRecord, decision: Decision) -> Allowed {
    Allowed { decision, session: record.id.clone(), notice: None, beat: None }
}

pub(super) fn wrong_state(record: &SessionRecord, what: &str) -> Refusal {
    Refusal::new(RefusalKind::WrongState, format!("{} {what}", shown(record)))
}

pub(super) fn shown(record: &SessionRecord) -> String {
    format!("{} ({})", record.id, record.name)
}

#[cfg(test)]
mod tests;
