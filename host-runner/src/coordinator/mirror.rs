//! What agents and hosts report, as commands at the gate: what passes moves the row, what does not is recorded as having
//! happened and leaves the row where it is (reference C.6, D.8). Pure.
//!
//! Called by `listen`, `report` and `reconcile`. Of an agent's events only words that a person typed are a person's
//! command; everything else is a machine's.

use super::{decision::Decision, guard};
use crate::{
    agents::event::InputSource,
    model::{
        FactKind, SessionRecord,
        command::{Reject, RunRef, StateCommand, StateKind},
        news::AgentNews,
    },
};
use board_protocol::{
    board::MAX_SENTENCE_COLUMNS,
    daemon::LogLevel,
    host::Exit,
    ids::{Generation, SessionId, UnixMs},
    state::{CommandSource, ProcessState},
    text::plain_within,
};

/// A machine's command that was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// Why.
    pub reject: Reject,
    /// What was asked for.
    pub kind: &'static str,
    /// What happened, for people.
    pub what: String,
}

impl Rejected {
    /// Puts it together, plain and cut.
    pub fn new(reject: Reject, kind: &'static str, what: &str) -> Self {
        Self { reject, kind, what: plain_within(what, MAX_SENTENCE_COLUMNS) }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        match self.reject {
            Reject::ManualFence => {
                format!("{} did not move the row: a person put it where it is ({})", self.what, self.kind)
            }
            other => format!("{} changed nothing: {} ({})", self.what, other.code(), self.kind),
        }
    }
}

/// News as they count: those that may not move the row are marked so. `generation` is the host's that passed them on.
pub(super) fn news(
    record: &SessionRecord,
    generation: &Generation,
    news: Vec<AgentNews>,
) -> (Vec<AgentNews>, Vec<Rejected>) {
    // Of a report's own news only a person's words change what the gate says about the next one.
    let mut spoken = false;
    let mut rejected = Vec::new();
    let judged = news.into_iter().map(|news| {
        if news.is_information() || spoken {
            return news;
        }
        match admit_news(record, generation, &news) {
            Ok(source) => {
                spoken |= source == CommandSource::Person;
                news
            }
            Err(reject) => {
                rejected.push(Rejected::new(reject, StateKind::SyncForeground.name(), news.what()));
                AgentNews::Fenced(Box::new(news))
            }
        }
    });
    (judged.collect(), rejected)
}

/// Whether one piece of news may move the row, and as whose command.
pub(super) fn admit_news(
    record: &SessionRecord,
    generation: &Generation,
    news: &AgentNews,
) -> Result<CommandSource, Reject> {
    let source = match news {
        AgentNews::InputGiven { source: InputSource::Person } => CommandSource::Person,
        _ => CommandSource::Service,
    };
    guard::admit(Some(record), &command(record, generation, source, StateKind::SyncForeground))?;
    Ok(source)
}

/// What ends or begins with a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turning {
    /// It runs.
    Began,
    /// It never ran, or its host is gone.
    Failed,
    /// It ended.
    Ended(Exit),
}

/// Records what happened to the process of this session: with its row, if that may follow.
pub(super) fn process(
    decision: &mut Decision,
    record: &SessionRecord,
    at: UnixMs,
    turning: Turning,
    fact: FactKind,
) {
    let (source, kind) = asked_for(record, turning);
    // Whether it is about this life of the session, the reducer knows by the same generation.
    let generation = &record.host.generation;
    match guard::admit(Some(record), &command(record, generation, source, kind.clone())) {
        Ok(_) => decision.record(&record.id, at, fact),
        Err(reject) => {
            let rejected = Rejected::new(reject, kind.name(), describe(turning));
            decision.record(&record.id, at, FactKind::Fenced(Box::new(fact)));
            note(decision, &record.id, at, &rejected);
        }
    }
}

/// The command that the end or the beginning of a process is, and whose.
fn asked_for(record: &SessionRecord, turning: Turning) -> (CommandSource, StateKind) {
    let ends = turning != Turning::Began;
    if ends && record.ends_as_stopped() {
        // A person asked for it, and has said nothing else since.
        return (CommandSource::Person, StateKind::ArchiveView);
    }
    let kind = match turning {
        Turning::Began => StateKind::SyncForeground,
        Turning::Failed => StateKind::HostRunFailed,
        Turning::Ended(exit) if exit != Exit::Code(0) => StateKind::HostRunFailed,
        Turning::Ended(_) if record.process_state == ProcessState::Alive => StateKind::ReconcileFinalize,
        // It had settled: only what its screen showed is over.
        Turning::Ended(_) => StateKind::SyncForeground,
    };
    (CommandSource::Host, kind)
}

const fn describe(turning: Turning) -> &'static str {
    match turning {
        Turning::Began => "the start of its process",
        Turning::Failed => "the loss of its process",
        Turning::Ended(_) => "the end of its process",
    }
}

fn command(
    record: &SessionRecord,
    generation: &Generation,
    source: CommandSource,
    kind: StateKind,
) -> StateCommand {
    StateCommand {
        session: record.id.clone(),
        run: Some(RunRef::Host(generation.clone())),
        expected_revision: None,
        source,
        kind,
    }
}

/// Keeps a rejection as a diagnostic.
pub(super) fn note(decision: &mut Decision, session: &SessionId, at: UnixMs, rejected: &Rejected) {
    decision.note(session, at, (LogLevel::Info, "service", rejected.reject.code()), &rejected.line());
}

#[cfg(test)]
mod tests;
