//! The part of the writer that lets words of a person go: after every turn it asks [`deliver`] for each session that the
//! turn touched, and on a tick for every one that runs. What a host that died had done with its words is read from what
//! it left on the disk.

use super::{
    decision::{Decision, Effect},
    deliver::{self, Sight},
    report::Report,
    turn::Turn,
    world::World,
    writer::Coordinator,
};
use crate::model::{Fact, FactKind, QueuedItem, ReplyTrace, SessionRecord};
use board_protocol::{
    daemon::{LogLevel, ReplyProgress},
    host::{DeliveryProgress, HostFact, HostOrder},
    ids::{QueueItemId, SessionId},
};
use std::collections::BTreeSet;

impl<W: World> Coordinator<W> {
    /// What the queue of a session depends on, as it is now.
    pub(super) fn sight(&self, session: Option<&SessionId>) -> Sight {
        let nobody = SessionId(String::new());
        self.hosts.sight(session.unwrap_or(&nobody), self.world.uptime_ms())
    }

    /// Sends the next words of every session whose words may go now.
    pub(super) fn send_replies(&mut self, touched: &BTreeSet<SessionId>, turn: &mut Turn) {
        let mut candidates = std::mem::take(&mut turn.replies);
        candidates.extend(touched.iter().cloned());
        let uptime = self.world.uptime_ms();
        for session in candidates {
            let Some(record) = self.sessions.get(&session) else { continue };
            if record.queue.unheard {
                self.hosts.unheard(&session, uptime);
            } else {
                self.hosts.heard(&session);
            }
            if record.queue.on_its_way().is_none() {
                self.hosts.reminded(&session);
            }
            if record.queue.is_empty() {
                continue;
            }
            let sight = self.hosts.sight(&session, uptime);
            if self.hosts.awaits_reminder(&session)
                && let Some(item) = deliver::sayable_again(record, &sight)
            {
                turn.effects.push(order(record, item));
                self.hosts.reminded(&session);
            }
            let Some(next) = deliver::next_deliverable(record, &sight) else { continue };
            let mut decision = Decision::default();
            let (item, generation) = (next.id.clone(), record.host.generation.clone());
            let now = self.world.now();
            decision.note(&session, now, (LogLevel::Info, "queue", "follow_up_sent"), item.as_str());
            decision.act(order(record, next));
            decision.record(&session, now, FactKind::ReplySent { generation, item });
            self.record(decision, turn);
        }
    }

    /// A host that was away may not have heard what it was told: it is told once more, as soon as nothing speaks against
    /// it. It writes nothing twice.
    pub(super) fn remind_of_replies(&mut self, session: &SessionId, turn: &mut Turn) {
        self.hosts.await_reminder(session);
        turn.replies.insert(session.clone());
    }

    /// Before the end of a host without a word is recorded: what became of the words that it had.
    pub(super) fn trace_replies(&mut self, fact: &Fact, turn: &mut Turn) {
        let FactKind::HostLost { generation, .. } = fact.kind.happened() else { return };
        let Some(record) = self.sessions.get(&fact.session) else { return };
        if record.host.generation != *generation || !record.is_live() {
            return;
        }
        let on_its_way: Vec<QueueItemId> =
            record.queue.on_its_way().map(|item| item.id.clone()).into_iter().collect();
        if on_its_way.is_empty() {
            return;
        }
        let left = self.world.deliveries(&fact.session, generation);
        let mut decision = Decision::default();
        for item in on_its_way {
            let trace = match &left {
                Ok(entries) => trace(entries, &item),
                Err(error) => {
                    tracing::warn!(session = %fact.session, %error, "what a dead host did with words cannot be read");
                    ReplyTrace::Unknown
                }
            };
            if trace == ReplyTrace::Unknown {
                let text = format!(
                    "the host ended while it wrote {item}: whether the agent got it is not known. It is not sent again by itself"
                );
                let grave = (LogLevel::Warn, "queue", "accepted_unknown");
                decision.note(&fact.session, fact.at, grave, &text);
            }
            let generation = generation.clone();
            decision.record(&fact.session, fact.at, FactKind::ReplyTraced { generation, item, trace });
        }
        self.record(decision, turn);
    }

    /// Before it is recorded: the agent has words that were on their way, and begins with them. Said a second time it is
    /// no news.
    pub(super) fn note_arrival(&mut self, report: Report<'_>, turn: &mut Turn) {
        let HostFact::ReplyProgressed { item, progress: DeliveryProgress::Applied } = report.fact else {
            return;
        };
        let record = self.sessions.get(report.session);
        if record.is_some_and(|record| record.queue.get(item).is_some()) {
            let mut decision = Decision::default();
            let grave = (LogLevel::Info, "queue", "follow_up_started");
            decision.note(report.session, report.at, grave, &format!("the agent has {item}"));
            self.record(decision, turn);
        }
    }

    /// Diagnostics about what a host said of words, and a pause after a refusal.
    pub(super) fn note_reply(&mut self, report: Report<'_>, turn: &mut Turn) {
        let (session, at) = (report.session, report.at);
        let mut decision = Decision::default();
        match report.fact {
            HostFact::ReplyProgressed { progress: DeliveryProgress::Applied, .. } => {
                self.hosts.took(session);
                return;
            }
            HostFact::ReplyProgressed { item, progress: DeliveryProgress::Refused { reason } } => {
                self.hosts.refused(session, self.world.uptime_ms());
                let text = format!("{item} was not written: {reason}");
                decision.note(session, at, (LogLevel::Warn, "queue", "follow_up_send_failed"), &text);
            }
            HostFact::ChildExited { .. } => {
                let unknown = |item: &&QueuedItem| item.progress == ReplyProgress::AcceptedUnknown;
                let record = self.sessions.get(session);
                for item in record.iter().flat_map(|record| &record.queue.items).filter(unknown) {
                    let text = format!(
                        "the program ended while {} was written: whether the agent got it is not known",
                        item.id
                    );
                    decision.note(session, at, (LogLevel::Warn, "queue", "accepted_unknown"), &text);
                }
            }
            _ => return,
        }
        self.record(decision, turn);
    }
}

fn order(record: &SessionRecord, item: &QueuedItem) -> Effect {
    let (item, text, typing) = (item.id.clone(), item.text.clone(), record.agent.typing());
    Effect::OrderHost { session: record.id.clone(), order: HostOrder::Deliver { item, text, typing } }
}

/// What a host's own journal says about words. What is not in it was never taken: it is written before anything else is.
fn trace(entries: &[(QueueItemId, DeliveryProgress)], item: &QueueItemId) -> ReplyTrace {
    match entries.iter().rev().find(|(entry, _)| entry == item) {
        None | Some((_, DeliveryProgress::Refused { .. })) => ReplyTrace::Returned,
        Some((_, DeliveryProgress::Applied)) => ReplyTrace::Applied,
        Some((_, DeliveryProgress::Accepted)) => ReplyTrace::Unknown,
    }
}
