//! Evidence on its way from agents to the store (reference A.8, D.8): what their events give is collected here, written
//! with the next commit or after a second, and answered from the store.
//!
//! A tool that begins or ends moves no row and is no reason for a commit of its own: an agent calls ten a second, and each
//! commit waits for the disk. What is collected is lost with the daemon, one second of it at most.

use super::{
    messages::{Output, Question},
    terminals,
    turn::Turn,
    world::World,
    writer::Coordinator,
};
use crate::{
    agents::event::AgentEvent,
    model::{
        Live, SessionRecord,
        evidence::{Fold, Standing, assemble},
    },
    refs::Snapshot,
};
use board_protocol::{
    daemon::Answer,
    evidence::EvidenceItem,
    ids::{SessionId, UnixMs},
    refusal::{Refusal, RefusalKind},
};
use board_text::coordinator as texts;
use std::collections::{BTreeMap, BTreeSet};

/// How long an item waits for a commit, in milliseconds: a person who looks at a row does not miss it for longer.
const WRITE_AFTER_MS: u64 = 1_000;
/// So many items make a commit of their own.
const WRITE_AT: usize = 64;
/// Most items that wait while nothing can be written; the oldest of more are lost.
const MAX_WAITING: usize = 1_000;

/// What waits to be written, and what makes it.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// One for each agent that has reported anything in this life of it.
    folds: BTreeMap<SessionId, Fold>,
    waiting: Vec<(SessionId, UnixMs, EvidenceItem)>,
    /// Milliseconds of the monotonic clock at which the first of them came.
    since: Option<u64>,
}

impl Work {
    /// Another process takes the place of the one that was heard before, or the row is gone.
    pub(super) fn forget(&mut self, session: &SessionId) {
        self.folds.remove(session);
    }

    /// Nothing of a turn was written: its items wait again.
    pub(super) fn put_back(&mut self, items: Vec<(SessionId, UnixMs, EvidenceItem)>, uptime_ms: u64) {
        if items.is_empty() {
            return;
        }
        self.waiting.splice(0..0, items);
        self.waiting.drain(..self.waiting.len().saturating_sub(MAX_WAITING));
        // Not at once: what could not be written a moment ago cannot be now.
        self.since = Some(uptime_ms);
    }
}

impl<W: World> Coordinator<W> {
    /// Folds what an agent in a terminal reported. That needs no gate: it moves no row.
    pub(super) fn fold_work(
        &mut self,
        session: &SessionId,
        events: &[AgentEvent],
        at: UnixMs,
        turn: &mut Turn,
    ) {
        if events.is_empty() {
            return;
        }
        if events.iter().any(|event| matches!(event, AgentEvent::AgentSettled(_))) {
            turn.referring.insert(session.clone());
        }
        let fold = self.work.folds.entry(session.clone()).or_default();
        let items: Vec<EvidenceItem> = events.iter().flat_map(|event| fold.take(event, at)).collect();
        self.collect_work(session, items, turn);
    }

    /// Takes items of a session, which a commit will write.
    pub(super) fn collect_work(
        &mut self,
        session: &SessionId,
        items: impl IntoIterator<Item = EvidenceItem>,
        turn: &mut Turn,
    ) {
        let now = self.world.now();
        let before = self.work.waiting.len();
        self.work.waiting.extend(items.into_iter().map(|item| (session.clone(), now, item)));
        if self.work.waiting.len() > before && self.work.since.is_none() {
            self.work.since = Some(self.world.uptime_ms());
            turn.write_later = Some((session.clone(), WRITE_AFTER_MS));
        }
    }

    /// Puts what waits into this turn's commit, if there is one or it is time for one.
    pub(super) fn write_work(&mut self, turn: &mut Turn) {
        let Some(since) = self.work.since else { return };
        let asked = turn.questions.iter().any(|(_, question)| {
            matches!(question, Question::Evidence { .. } | Question::Show { .. } | Question::Export { .. })
        });
        let due = self.world.uptime_ms().saturating_sub(since) >= WRITE_AFTER_MS
            || self.work.waiting.len() >= WRITE_AT
            || asked
            || !turn.batch.is_empty();
        if !due {
            return;
        }
        self.work.since = None;
        turn.write_later = None;
        // A row that was removed meanwhile has nothing to show any more.
        let mut work = std::mem::take(&mut self.work.waiting);
        work.retain(|(session, ..)| self.sessions.contains_key(session));
        turn.shown.extend(work.iter().map(|(session, ..)| session.clone()).collect::<BTreeSet<_>>());
        turn.batch.work = work;
    }

    /// The end of the daemon: writes what waits.
    pub fn write_rest(&mut self) -> Vec<Output> {
        let mut turn = Turn::default();
        let work = std::mem::take(&mut self.work.waiting);
        turn.batch.work =
            work.into_iter().filter(|(session, ..)| self.sessions.contains_key(session)).collect();
        self.work.since = None;
        self.finish(turn)
    }

    /// What is known of a session at this moment, with the sums of its evidence.
    pub(super) fn live(&self, session: &SessionId) -> Live {
        let references = self.store.references(session).map(Snapshot::chosen).unwrap_or_default();
        let record = self.sessions.get(session);
        let owner = record.and_then(|record| terminals::owner(&self.sessions, record));
        Live {
            work: self.store.tally(session).cloned(),
            references,
            owner: owner.map(|owner| owner.id.clone()),
            waits: self.waits_of(session),
            ..self.hosts.live(session)
        }
    }

    /// Everything that there is to show for a session's work.
    pub(super) fn evidence_of(&self, record: &SessionRecord) -> Result<Answer, Refusal> {
        let items = self
            .store
            .work(&record.id)
            .map_err(|error| Refusal::new(RefusalKind::Internal, texts::try_again(&error)))?;
        let live = self.live(&record.id);
        let standing = Standing::of(record, live.doubt.as_deref());
        let tally = live.work.unwrap_or_default();
        let transcript = record.agent_record.transcript.clone();
        Ok(Answer::Evidence(Box::new(assemble(&tally, items, standing, transcript))))
    }
}
