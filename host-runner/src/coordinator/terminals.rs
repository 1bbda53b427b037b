//! Terminals of agents: who may open one, how many there are, and when they end (reference G, decision 14). Pure.
//!
//! A terminal is a generic session with a parent. Called by [`super::decide`], by [`super::owned`], which knows whether whoever asks
//! has the parent's secret, and by whatever needs to know whether a record is a terminal.
//!
//! A terminal ends with the process of its session: that is what its agent lives in. The process of a headless run ends with every
//! turn, and the next turn may need the server that this one has started: there a terminal lives on between turns, until a person
//! stops the session, marks it done or takes it off the board, or nobody has needed it for [`IDLE_BETWEEN_TURNS_MS`]. What a person
//! has pinned is kept.

use super::{
    decide::{self, Allowed, Given, shown},
    decision::{Decision, Effect},
};
use crate::{
    agents::{AgentKind, LaunchRequest, PromptUse, SHELL_SETTING, shell},
    model::{
        AfterStop, Fact, FactKind, Medium, SessionBegun, SessionRecord, Sessions, ending_text, given_name,
        slug, unused,
    },
};
use board_protocol::{
    command::{EnvVar, Launch},
    ids::{SessionId, UnixMs},
    refusal::{Refusal, RefusalKind},
    state::SemanticState,
    terminals::{AgentTerminal, MAX_TERMINALS, MAX_TERMINALS_PER_SESSION, OpenTerminal},
};
use std::collections::BTreeSet;

/// How long a terminal of a headless session may wait for the next turn, in milliseconds: an hour. A person who goes on after lunch
/// finds the server; one who has forgotten the session does not pay for it for ever.
pub(super) const IDLE_BETWEEN_TURNS_MS: u64 = 60 * 60 * 1000;
/// How the variables begin that tell a program of the board where it is.
const OURS: &[u8] = b"AGENT_BOARD_";
/// The name of a terminal that nobody named and that runs nothing but a shell.
const SHELL_NAME: &str = "shell";

/// The session that owns a terminal, if that is on the board: without it the terminal is a session of its own.
pub(super) fn owner<'a>(sessions: &'a Sessions, record: &SessionRecord) -> Option<&'a SessionRecord> {
    sessions.get(record.parent.as_ref()?)
}

/// The terminals of a session, the oldest first.
pub(super) fn of<'a>(sessions: &'a Sessions, session: &SessionId) -> Vec<&'a SessionRecord> {
    let mut all: Vec<&SessionRecord> =
        sessions.values().filter(|record| record.parent.as_ref() == Some(session)).collect();
    all.sort_by_key(|record| (record.created_at, &record.id));
    all
}

/// An environment without what tells a program which session it belongs to. The shell that the person has set stays: it is a wish
/// about every shell.
pub(crate) fn without_ours(environment: Vec<EnvVar>) -> Vec<EnvVar> {
    let is_ours =
        |var: &EnvVar| var.name.starts_with(OURS) && var.name.as_slice() != SHELL_SETTING.as_bytes();
    environment.into_iter().filter(|var| !is_ours(var)).collect()
}

/// What a terminal runs: a command line, or the shell itself.
pub(crate) fn launch(open: &OpenTerminal, environment: &[EnvVar]) -> Launch {
    match &open.command {
        Some(command) => Launch::Task(command.clone()),
        None => Launch::Argv(vec![shell(environment).to_owned()]),
    }
}

/// A new terminal. Whoever asks has shown the session's secret.
///
/// # Errors
/// Why there is none, for the agent.
pub(super) fn open(
    sessions: &Sessions,
    parent: &SessionId,
    open: &OpenTerminal,
    given: Given<'_>,
) -> Result<Allowed, Refusal> {
    let parent = sessions.get(parent).ok_or_else(unknown_session)?;
    may_open(sessions, parent)?;
    let environment = decide::environment(given)?;
    let cwd = open.cwd.as_ref().unwrap_or(&parent.cwd);
    decide::check_cwd(cwd)?;
    let launch = launch(open, &environment.variables);
    decide::check_words(&launch)?;
    decide::prepared(given)?;
    let plan = AgentKind::Generic.plan(&LaunchRequest {
        launch: &launch,
        environment: &environment.variables,
        prepared: None,
        transcript: "",
        conversation: None,
        life: &given.fresh.generation.0,
        model: None,
        thinking: None,
        prompt: PromptUse::Given,
    })?;
    let wanted = match (&open.title, &open.command) {
        (Some(title), _) => given_name(title)?,
        (None, Some(command)) => slug(command),
        (None, None) => SHELL_NAME.to_owned(),
    };
    decide::has_room(sessions)?;
    let session = given.fresh.session.clone();
    let generation = given.fresh.generation.clone();
    let begun = SessionBegun {
        // An agent must not make a name ambiguous that a person uses.
        name: unused(wanted, |name| sessions.values().any(|record| record.name == name)),
        agent: AgentKind::Generic,
        launch,
        argv: plan.argv,
        words: plan.words,
        cwd: cwd.clone(),
        worktree: decide::worktree(given),
        size: open.size.unwrap_or(parent.size).clamped(),
        generation: generation.clone(),
        environment_at: environment.taken_at,
        model: None,
        thinking: None,
        transcript: None,
        tools: None,
        medium: Medium::Terminal,
        parent: Some(parent.id.clone()),
    };
    let mut decision = Decision::default();
    decision.record(&session, given.now, FactKind::SessionBegun(Box::new(begun)));
    decision.act(Effect::SpawnHost { session: session.clone(), generation });
    Ok(Allowed { decision, session, notice: None, beat: None })
}

/// Whether a session's agent may have one more terminal.
fn may_open(sessions: &Sessions, parent: &SessionRecord) -> Result<(), Refusal> {
    let refuse = |kind, text: String| Err(Refusal::new(kind, text));
    if parent.parent.is_some() {
        let text = "a terminal of an agent has no terminals of its own: open it for the agent's session";
        return refuse(RefusalKind::Forbidden, text.to_owned());
    }
    if !can_own(parent) {
        let text = format!("{} has no running agent: a terminal is opened for one that runs", shown(parent));
        return refuse(RefusalKind::WrongState, text);
    }
    // One that is being closed counts until it has ended: it is a process as well.
    let live = sessions.values().filter(|record| record.is_live() && owner(sessions, record).is_some());
    let (mut all, mut own) = (0, 0);
    for terminal in live {
        all += 1;
        own += usize::from(terminal.parent.as_ref() == Some(&parent.id));
    }
    if own >= MAX_TERMINALS_PER_SESSION {
        let text = format!(
            "this session has {MAX_TERMINALS_PER_SESSION} terminals that run, and that is the limit. Close one that is not needed, and wait until it has ended"
        );
        return refuse(RefusalKind::Limit, text);
    }
    if all >= MAX_TERMINALS {
        let text = format!(
            "the agents of this board have {MAX_TERMINALS} terminals that run, and that is the limit. Close one that is not needed, or wait until others end"
        );
        return refuse(RefusalKind::Limit, text);
    }
    Ok(())
}

/// Whether there is an agent that a terminal could be opened for.
fn can_own(parent: &SessionRecord) -> bool {
    let lives = parent.is_live() && !parent.reclaimed;
    (lives || parent.run_is_open()) && parent.stop.is_none()
}

/// What is told when a session, or its secret, is not the right one: nobody learns which.
pub(super) fn unknown_session() -> Refusal {
    Refusal::new(RefusalKind::UnknownSession, "there is no such session, or its secret is another one")
}

/// What is told when a terminal is not there, or is somebody else's: nobody learns which.
pub(super) fn unknown_terminal(terminal: &SessionId) -> Refusal {
    let text = format!("there is no terminal {:?}. terminal_list tells those there are", terminal.as_str());
    Refusal::new(RefusalKind::UnknownSession, text)
}

/// The terminal that an agent wants to close.
///
/// # Errors
/// It is not one of this session's, or a person keeps it.
pub(super) fn to_close<'a>(
    sessions: &'a Sessions,
    parent: &SessionId,
    terminal: &SessionId,
) -> Result<&'a SessionRecord, Refusal> {
    let own = sessions.get(terminal).filter(|record| record.parent.as_ref() == Some(parent));
    let record = own.ok_or_else(|| unknown_terminal(terminal))?;
    if record.pinned && record.is_live() {
        let text = format!("a person keeps {}: it is theirs to end", shown(record));
        return Err(Refusal::new(RefusalKind::Forbidden, text));
    }
    Ok(record)
}

/// A terminal as its agent sees it.
pub(super) fn seen(record: &SessionRecord, socket: String) -> AgentTerminal {
    AgentTerminal {
        id: record.id.clone(),
        title: record.name.clone(),
        cwd: record.cwd.clone(),
        command: record.words.clone(),
        host_state: record.host.state,
        socket: record.is_live().then_some(socket),
        ended: record.ending.as_ref().map(ending_text),
        size: record.size,
    }
}

/// Whether what happened may end terminals.
pub(super) fn may_end_some(fact: &Fact) -> bool {
    matches!(
        fact.kind.happened(),
        FactKind::ChildExited { .. }
            | FactKind::ChildStartFailed { .. }
            | FactKind::HostLost { .. }
            | FactKind::HostSpawnFailed { .. }
            | FactKind::StopRequested { .. }
            | FactKind::SessionRemoved
            | FactKind::MarkedCompleted
            | FactKind::PinSet { .. }
            | FactKind::SessionBegun(_)
    )
}

/// Ends the terminals whose session has ended, and takes those of the sessions in `removed` off the board. A pinned one that runs
/// is left alone: without its session it is one of its own.
pub(super) fn ending(sessions: &Sessions, removed: &BTreeSet<SessionId>, now: UnixMs) -> Decision {
    let mut decision = Decision::default();
    for record in sessions.values() {
        let Some(parent) = &record.parent else { continue };
        match sessions.get(parent) {
            Some(parent) => {
                let runs = record.is_live() && record.stop.is_none() && !record.pinned;
                if runs && has_ended(parent, record, now) {
                    add(&mut decision, decide::stopping(record, now, AfterStop::Stays));
                }
            }
            None if !removed.contains(parent) => {}
            None if !record.is_live() => decision.record(&record.id, now, FactKind::SessionRemoved),
            None if record.pinned => {}
            None => add(&mut decision, decide::stopping(record, now, AfterStop::Removed)),
        }
    }
    decision
}

/// Whether a terminal runs only because a person keeps it.
pub(super) fn is_over(sessions: &Sessions, terminal: &SessionRecord, now: UnixMs) -> bool {
    let ended = owner(sessions, terminal).is_some_and(|parent| has_ended(parent, terminal, now));
    terminal.is_live() && terminal.stop.is_none() && ended
}

fn add(decision: &mut Decision, more: Decision) {
    decision.facts.extend(more.facts);
    decision.effects.extend(more.effects);
}

/// Whether a session is over for its terminals.
fn has_ended(parent: &SessionRecord, terminal: &SessionRecord, now: UnixMs) -> bool {
    if parent.stop.is_some() {
        return true;
    }
    if parent.is_at_work() {
        return false;
    }
    if parent.run.is_none() {
        return true;
    }
    let is_done = parent.state == SemanticState::Completed && parent.is_manual_verdict();
    let used = [Some(parent.last_activity_at), Some(terminal.created_at), terminal.visited_at];
    let used = used.into_iter().flatten().max().unwrap_or(now);
    let is_forgotten = terminal.host.attached.is_empty() && now.since(used) >= IDLE_BETWEEN_TURNS_MS;
    is_done || is_forgotten
}

#[cfg(test)]
mod tests;
