//! The reducer: how one fact changes the sessions. The same code runs when a fact is recorded and when the journal is
//! replayed, so both give the same records.
//!
//! Invariant: replaying the journal gives the same projections.

use super::{
    agent::{self, AgentRecord, Summarised},
    auto_state::AutoState,
    fact::{Fact, FactKind, HostMet, Lift, Medium, SessionBegun},
    planning,
    queue::{self, ReplyQueue},
    run,
    session::{
        Ending, HostRecord, RowState, SessionRecord, Sessions, StateSource, StopRequest, StopStanding,
    },
    summary::{ending_text, exit_text},
};
use crate::agents::Turns;
use board_protocol::{
    command::Pin,
    host::Exit,
    ids::{FactSeq, Generation, UnixMs},
    plan::Plan,
    state::{Classification, HostState, ProcessState, SemanticState},
};

/// The signal of Ctrl+C.
const SIGINT: i32 = 2;
/// What shells return for a command that it ended (POSIX, Shell Command Language 2.8.2: above 128).
const SIGINT_CODE: i32 = 130;
/// How long after Ctrl+C an end by it is the person's, in milliseconds. A program that cleans up takes a second or two.
const INTERRUPT_ENDS_WITHIN_MS: u64 = 10_000;

/// Applies one fact. A fact about an unknown session, or of a host generation that is not the session's, changes
/// nothing.
pub fn apply(sessions: &mut Sessions, fact: &Fact) {
    match &fact.kind {
        FactKind::SessionBegun(begun) => {
            sessions.insert(fact.session.clone(), begin(fact, begun));
        }
        FactKind::SessionRemoved => {
            sessions.remove(&fact.session);
        }
        kind => {
            if let Some(record) = sessions.get_mut(&fact.session) {
                let mut before = record.clone();
                change(record, kind, fact.at);
                before.host.last_fact = record.host.last_fact;
                before.agent_record.heard.clone_from(&record.agent_record.heard);
                // What said nothing new is no change that anybody could have missed.
                if *record != before {
                    record.revision = record.revision.saturating_add(1);
                }
            }
        }
    }
}

fn begin(fact: &Fact, begun: &SessionBegun) -> SessionRecord {
    SessionRecord {
        id: fact.session.clone(),
        name: begun.name.clone(),
        agent: begun.agent,
        launch: begun.launch.clone(),
        argv: begun.argv.clone(),
        words: begun.words.clone(),
        cwd: begun.cwd.clone(),
        worktree: begun.worktree.clone(),
        size: begun.size,
        state: SemanticState::Queued,
        process_state: ProcessState::Alive,
        host: HostRecord {
            state: match begun.medium {
                Medium::Terminal => HostState::Starting,
                Medium::Headless => HostState::None,
            },
            ..HostRecord::asked_for(begun.generation.clone(), fact.at)
        },
        stop: None,
        interrupted_at: None,
        ending: None,
        error: None,
        strays: Vec::new(),
        pinned: false,
        tags: Vec::new(),
        revision: 1,
        created_at: fact.at,
        last_activity_at: fact.at,
        spoke_at: None,
        visited_at: None,
        environment_at: Some(begun.environment_at),
        agent_record: AgentRecord {
            wanted_model: begun.model.clone(),
            wanted_thinking: begun.thinking.clone(),
            wanted_tools: begun.tools.clone(),
            transcript: begun.transcript.clone(),
            ..AgentRecord::default()
        },
        auto_state: None,
        run: None,
        queue: ReplyQueue::default(),
        reclaimed: false,
        plan: Plan::default(),
        parent: begun.parent.clone(),
    }
}

impl HostRecord {
    fn asked_for(generation: Generation, at: UnixMs) -> Self {
        Self {
            state: HostState::Starting,
            generation,
            asked_at: at,
            process: None,
            child: None,
            socket: None,
            last_fact: FactSeq(0),
            attached: Vec::new(),
        }
    }
}

fn change(record: &mut SessionRecord, kind: &FactKind, at: UnixMs) {
    if let FactKind::Fenced(kind) = kind {
        let row = RowState::of(record);
        change(record, kind, at);
        row.restore(record);
        return;
    }
    if let Some((generation, seq)) = kind.host_number() {
        if *generation != record.host.generation || seq <= record.host.last_fact {
            return;
        }
        record.host.last_fact = seq;
    }
    match kind {
        FactKind::SessionBegun(_) | FactKind::SessionRemoved => {}
        FactKind::SessionBegunAgain { generation, argv, environment_at } => {
            record.argv.clone_from(argv);
            record.environment_at = Some(*environment_at);
            record.turn_to(SemanticState::Queued);
            record.process_state = ProcessState::Alive;
            record.host = HostRecord::asked_for(generation.clone(), at);
            record.stop = None;
            record.ending = None;
            record.error = None;
            record.strays.clear();
            record.spoke_at = None;
            record.run = None;
            record.reclaimed = false;
            record.decided_by(StateSource::Person, "ran it again", at);
            record.last_activity_at = at;
        }
        FactKind::SessionResumed { generation, argv, environment_at } => {
            record.argv.clone_from(argv);
            record.environment_at = Some(*environment_at);
            record.host = HostRecord::asked_for(generation.clone(), at);
            record.stop = None;
            record.ending = None;
            record.reclaimed = false;
            record.strays.clear();
            // What runs from here on has a terminal.
            record.run = None;
            // Another process counts from one again.
            record.agent_record.heard = None;
            record.agent_record.rooted = false;
            // Words that never arrived are on their way now; otherwise looking changes nothing.
            if !record.agent_record.begun {
                record.process_state = ProcessState::Alive;
                record.error = None;
                record.turn_to(SemanticState::Queued);
            }
        }
        FactKind::HostSpawned { generation, process } => {
            if *generation == record.host.generation && record.host.process.is_none() {
                record.host.process = Some(*process);
            }
        }
        FactKind::HostRegistered(met) => register(record, met, at),
        FactKind::HostSpawnFailed { generation, reason } => {
            if *generation == record.host.generation && record.is_live() {
                end(record, Ending::NeverStarted, Some(reason.clone()), HostState::Failed, at);
            }
        }
        FactKind::HostLost { generation, strays, .. } if record.goes_to_rest() => {
            if *generation == record.host.generation {
                record.strays.clone_from(strays);
                rest(record);
            }
        }
        FactKind::HostLost { generation, reason, strays } => {
            if *generation == record.host.generation && record.is_live() {
                record.strays.clone_from(strays);
                end(record, Ending::HostLost, Some(reason.clone()), HostState::Failed, at);
            }
        }
        // A number can arrive late, from the spool: what ended stays ended.
        FactKind::ChildStarted { .. } | FactKind::AttachedChanged { .. } if !record.is_live() => {}
        FactKind::ChildStarted { child, .. } => {
            record.host.child = Some(*child);
            if record.host.state == HostState::Starting {
                record.host.state = HostState::Alive;
            }
            record.last_activity_at = at;
            match record.agent.turns() {
                Turns::WholeLife => {
                    record.turn_to(SemanticState::Working);
                    record.process_state = ProcessState::Alive;
                    record.decided_by(StateSource::ProcessStart, &format!("pid {}", child.pid), at);
                }
                // It was over and was entered again: it waits for what the person says.
                Turns::Reported if matches!(record.state, SemanticState::Failed | SemanticState::Stopped) => {
                    record.turn_to(SemanticState::Idle);
                    record.error = None;
                    record.decided_by(StateSource::ProcessStart, &format!("pid {}", child.pid), at);
                }
                // Nothing was said to it: no turn begins that it could report.
                Turns::Reported if record.state == SemanticState::Queued && record.starts_without_words() => {
                    record.process_state = ProcessState::Exited;
                    record.turn_to(SemanticState::Idle);
                    record.decided_by(StateSource::ProcessStart, &format!("pid {}", child.pid), at);
                }
                // What it does, it will report.
                Turns::Reported => {}
            }
        }
        FactKind::ChildStartFailed { error, .. } => {
            end(record, Ending::NeverStarted, Some(error.clone()), HostState::Failed, at);
        }
        FactKind::ChildExited { .. } if matches!(record.ending, Some(Ending::Exited(_))) => {}
        FactKind::ChildExited { .. } if record.rests() => {}
        FactKind::ChildExited { strays, .. } if record.goes_to_rest() => {
            record.strays.clone_from(strays);
            record.queue.untaken_return();
            rest(record);
        }
        FactKind::ChildExited { exit, strays, reason, .. } => {
            record.strays.clone_from(strays);
            let error = (*exit != Exit::Code(0)).then(|| match reason {
                Some(reason) => format!("{}: {reason}", exit_text(*exit)),
                None => exit_text(*exit),
            });
            record.queue.untaken_return();
            end(record, Ending::Exited(*exit), error, HostState::Exited, at);
        }
        FactKind::AttachedChanged { attached, .. } => {
            // Whoever comes looks, and whoever goes has looked until now.
            record.visited_at = Some(at);
            record.host.attached.clone_from(attached);
        }
        // What comes after the end, or from an earlier life, is too late to move anything.
        FactKind::AgentReported { generation, .. }
            if !record.is_live() || *generation != record.host.generation => {}
        FactKind::AgentReported { place, news, .. } => {
            record.queue.heard(news);
            agent::hear(record, place.as_ref(), news, at);
        }
        FactKind::SessionInterrupted => {
            record.interrupted_at = Some(at);
            record.last_activity_at = at;
        }
        FactKind::StopRequested { then } => {
            record.stop = Some(StopRequest { at, then: *then, standing: StopStanding::Decides });
            if record.is_live() {
                record.host.state = HostState::Stopping;
            }
        }
        FactKind::HostReclaimed { .. } if !record.is_live() => {}
        FactKind::HostReclaimed { .. } => {
            record.reclaimed = true;
            record.host.state = HostState::Stopping;
        }
        FactKind::StraysEnded { left } => record.strays.clone_from(left),
        FactKind::SessionVisited => record.visited_at = Some(at),
        FactKind::SessionUnvisited => record.visited_at = None,
        FactKind::SessionRenamed { name } => record.name.clone_from(name),
        FactKind::PinSet { pin } => record.pinned = *pin == Pin::Pinned,
        FactKind::TagsSet { tags } => record.tags.clone_from(tags),
        FactKind::ReplyQueued { item, text, delivery, kind } => {
            record.queue.add(item, text, *kind, *delivery, at);
        }
        FactKind::ReplyEdited { item, text } => record.queue.edit(item, text),
        FactKind::ReplyMoved { item, place } => {
            record.queue.put(item, usize::try_from(*place).unwrap_or(usize::MAX));
        }
        FactKind::ReplyRemoved { item } => {
            planning::words_taken_back(record, item, at);
            record.queue.remove(item);
        }
        FactKind::ReplyHurried { item, again_as } => record.queue.hurry(item, again_as.as_ref()),
        FactKind::ReplySent { generation, item } => {
            if *generation == record.host.generation && record.is_live() {
                record.queue.sent(item);
            }
        }
        FactKind::ReplyProgressed { item, progress, .. } => queue::progressed(record, item, progress, at),
        FactKind::ReplyTraced { generation, item, trace } => {
            if *generation == record.host.generation {
                queue::traced(record, item, *trace, at);
            }
        }
        FactKind::MarkedCompleted => record.put_by_person(SemanticState::Completed, "done", at),
        FactKind::MarkedHolding => {
            record.queue.await_release();
            record.put_by_person(SemanticState::Holding, "on hold", at);
        }
        FactKind::HoldingCleared => {
            record.put_back("off hold", at);
            planning::still_waits(record);
        }
        FactKind::VerdictLifted { by, .. } => {
            let what = match by {
                Lift::Typed => "typed into it",
                Lift::Replied => "replied to it",
            };
            record.put_back(what, at);
        }
        FactKind::AutoStateClassified { classification, state } => {
            classified(record, classification, *state, at);
        }
        FactKind::RunQueued { run, item, environment_at } => {
            record.environment_at = environment_at.or(record.environment_at);
            run::queued(record, run, item.as_ref(), at);
        }
        FactKind::RunSpawned { run, process } => run::spawned(record, run, *process),
        FactKind::RunConversed { conversation, transcript, model, .. } => {
            run::conversed(record, conversation.as_ref(), transcript.as_ref(), model.as_ref());
        }
        FactKind::RunStarted { run, start, cause } => run::started(record, run, start, *cause, at),
        FactKind::RunFinalized { end, .. } => run::finalized(record, end, at),
        FactKind::RunLost { reason, .. } => run::lost(record, reason, at),
        FactKind::PlanReady { run, question, plan } => {
            run::plan_ready(record, run, question, at);
            planning::ready(record, run, plan.as_deref(), at);
        }
        FactKind::PlanMoved(step) => planning::moved(record, step, at),
        FactKind::TitleGiven { name } => record.name.clone_from(name),
        FactKind::Summarised { text_hash, summary } => {
            let (text_hash, summary) = (text_hash.clone(), summary.clone());
            record.agent_record.summarised = Some(Summarised { text_hash, summary });
        }
        FactKind::RunPatched { summary, preview, .. } => {
            run::patched(record, summary.as_ref(), preview.as_ref());
        }
        FactKind::SessionAdopted => {
            // Its words were said elsewhere: no life of the row begins with a prompt.
            record.agent_record.begun = true;
            record.process_state = ProcessState::Exited;
            record.turn_to(SemanticState::Idle);
            record.error = None;
            record.last_activity_at = at;
        }
        // Taken above.
        FactKind::Fenced(_) => {}
    }
}

/// What a classifier made of the last words.
fn classified(record: &mut SessionRecord, classification: &Classification, state: SemanticState, at: UnixMs) {
    if record.state != state {
        record.decided_by(StateSource::Classifier, &classification.reason, at);
    }
    record.agent_record.asked_in_text = match (state, &classification.question) {
        (SemanticState::NeedsInput, Some(question)) => Some(question.clone()),
        (SemanticState::NeedsInput, None) => record.agent_record.asked_in_text.take(),
        _ => None,
    };
    record.state = state;
    record.auto_state = Some(AutoState {
        classification: classification.clone(),
        state,
        classified_at: at,
        last_agent_activity_at: record.spoke_at,
    });
}

fn register(record: &mut SessionRecord, met: &HostMet, at: UnixMs) {
    if met.generation != record.host.generation || !record.is_live() {
        return;
    }
    record.host.process = Some(met.process);
    record.host.child = met.child;
    record.host.socket = Some(met.socket.clone());
    if record.host.attached != met.attached {
        record.visited_at = Some(at);
        record.host.attached.clone_from(&met.attached);
    }
}

/// The end of a program that was only idle: the row stands where it stood, and nothing is news (decision 14).
fn rest(record: &mut SessionRecord) {
    record.process_state = ProcessState::Exited;
    record.agent_record.rest();
    record.queue.host_ended();
    record.host.state = HostState::Exited;
    record.host.child = None;
    record.host.attached.clear();
}

/// Whether a program ended of the Ctrl+C that a person just sent: to the signal, or with the code that shells make of it.
fn was_interrupted(record: &SessionRecord, ending: &Ending, at: UnixMs) -> bool {
    let of_it = matches!(ending, Ending::Exited(Exit::Signal(SIGINT) | Exit::Code(SIGINT_CODE)));
    let just_now = record.interrupted_at.is_some_and(|sent| at.since(sent) <= INTERRUPT_ENDS_WITHIN_MS);
    record.is_one_turn() && of_it && just_now
}

/// The end of a session's process, however it came (reference B.5).
fn end(record: &mut SessionRecord, ending: Ending, error: Option<String>, host: HostState, at: UnixMs) {
    let by_person = record.stop.is_some() || was_interrupted(record, &ending, at);
    record.turn_to(if by_person {
        SemanticState::Stopped
    } else if error.is_some() {
        SemanticState::Failed
    } else {
        SemanticState::Idle
    });
    // An agent that waits for instructions and leaves has said nothing new.
    let quiet = record.agent.turns() == Turns::Reported && error.is_none();
    if !by_person && !quiet {
        record.spoke(at);
    }
    record.decided_by(StateSource::ProcessExit, &ending_text(&ending), at);
    // Whoever stopped it knows why it ended.
    record.error = if by_person { None } else { error };
    record.ending = Some(ending);
    record.reclaimed = false;
    record.process_state = ProcessState::Exited;
    record.agent_record.close();
    planning::still_waits(record);
    record.queue.host_ended();
    record.host.state = host;
    record.host.child = None;
    record.last_activity_at = at;
    if !record.host.attached.is_empty() {
        record.visited_at = Some(at);
        record.host.attached.clear();
    }
}

#[cfg(test)]
mod tests;
