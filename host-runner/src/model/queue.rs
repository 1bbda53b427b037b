//! Words of a person that wait for an agent: the follow-up queue of one session (reference A.10, D.10). Pure.
//!
//! Part of the session's record; only [`super::apply`] changes one. Decided by the coordinator's `replies` and `deliver`.
//! Words leave it when the host says that it wrote them, or when the person takes them out; nothing else removes any.
//!
//! Invariant: nothing is ever typed into an agent that the person did not write.

use super::session::SessionRecord;
use crate::{agents::Turns, model::news::AgentNews};
use board_protocol::{
    command::ReplyDelivery,
    daemon::{ReplyKind, ReplyProgress},
    host::DeliveryProgress,
    ids::{QueueItemId, UnixMs},
};
use serde::{Deserialize, Serialize};

/// Most words that wait for one session, counted in replies: more than a person plans ahead.
pub const MAX_QUEUED: usize = 100;
/// Most bytes of them: one reply of the longest kind. The record is written whole at every fact of its session, and a
/// queue must not make every tool call cost megabytes.
pub const MAX_QUEUED_BYTES: usize = board_protocol::command::MAX_TASK_BYTES;

/// One reply of a person on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedItem {
    /// Its id, which makes writing it happen once.
    pub id: QueueItemId,
    /// The words.
    pub text: String,
    /// When they were written.
    pub at: UnixMs,
    /// When they may reach the agent.
    pub delivery: ReplyDelivery,
    /// How far they are.
    pub progress: ReplyProgress,
    /// What they are.
    #[serde(default)]
    pub kind: ReplyKind,
}

/// What is known about a reply whose host ended without saying it (field report I3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyTrace {
    /// The host had not taken it: nothing of it was written.
    Returned,
    /// The host had taken it and written down that it was typed.
    Applied,
    /// The host had taken it; whether the agent got it nobody knows.
    Unknown,
}

/// The replies of one session, the next one first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReplyQueue {
    /// In order.
    pub items: Vec<QueuedItem>,
    /// Words were typed and the agent has not said yet that it got them: the next ones wait, or they would go into a
    /// turn that is just beginning.
    pub unheard: bool,
}

impl ReplyQueue {
    /// Nothing waits and nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// One of them.
    pub fn get(&self, id: &QueueItemId) -> Option<&QueuedItem> {
        self.items.iter().find(|item| item.id == *id)
    }

    /// Those that wait for their turn, in order.
    pub fn waiting(&self) -> impl Iterator<Item = &QueuedItem> {
        self.items.iter().filter(|item| item.progress == ReplyProgress::Waiting)
    }

    /// The one that its host was told about and has not written yet, if there is one.
    pub fn on_its_way(&self) -> Option<&QueuedItem> {
        self.items.iter().find(|item| matches!(item.progress, ReplyProgress::Sent | ReplyProgress::Accepted))
    }

    /// The words about a plan that the agent does not have yet, if there are any.
    pub fn about_a_plan(&self) -> Option<&QueuedItem> {
        let under_way = |item: &&QueuedItem| item.progress != ReplyProgress::AcceptedUnknown;
        self.items.iter().filter(under_way).find(|item| !item.kind.is_reply())
    }

    /// How many will still be sent by themselves.
    pub fn to_send(&self) -> usize {
        self.items.iter().filter(|item| item.progress != ReplyProgress::AcceptedUnknown).count()
    }

    /// Bytes of all words.
    pub fn bytes(&self) -> usize {
        self.items.iter().map(|item| item.text.len()).sum()
    }

    fn get_mut(&mut self, id: &QueueItemId) -> Option<&mut QueuedItem> {
        self.items.iter_mut().find(|item| item.id == *id)
    }

    /// A person wrote these words.
    pub(super) fn add(
        &mut self,
        id: &QueueItemId,
        text: &str,
        kind: ReplyKind,
        delivery: ReplyDelivery,
        at: UnixMs,
    ) {
        if self.get(id).is_none() {
            let (id, text, progress) = (id.clone(), text.to_owned(), ReplyProgress::Waiting);
            self.items.push(QueuedItem { id, text, at, delivery, progress, kind });
        }
    }

    /// The person wrote other words instead.
    pub(super) fn edit(&mut self, id: &QueueItemId, text: &str) {
        if let Some(item) = self.get_mut(id) {
            text.clone_into(&mut item.text);
        }
    }

    /// The person wants them sent in this place, counted among those that wait.
    pub(super) fn put(&mut self, id: &QueueItemId, place: usize) {
        let Some(from) = self.items.iter().position(|item| item.id == *id) else { return };
        let item = self.items.remove(from);
        let waits = |item: &QueuedItem| item.progress == ReplyProgress::Waiting;
        let to = self.items.iter().enumerate().filter(|(_, item)| waits(item)).nth(place);
        let to = to.map_or(self.items.len(), |(index, _)| index);
        self.items.insert(to, item);
    }

    /// The person does not want them any more, or they arrived.
    pub(super) fn remove(&mut self, id: &QueueItemId) {
        self.items.retain(|item| item.id != *id);
    }

    /// The person wants them sent as soon as that can be. Words that may have arrived before get another id: a second
    /// delivery of theirs is the person's wish, and not an accident.
    pub(super) fn hurry(&mut self, id: &QueueItemId, again_as: Option<&QueueItemId>) {
        if let Some(item) = self.get_mut(id) {
            item.delivery = ReplyDelivery::Now;
            item.progress = ReplyProgress::Waiting;
            if let Some(again_as) = again_as {
                item.id = again_as.clone();
            }
        }
    }

    /// The person put the row on hold: what they wrote before waits until they release it, however it was to be
    /// delivered, also if its host gives it back. What they write from now on is them speaking to it.
    pub(super) fn await_release(&mut self) {
        for item in &mut self.items {
            item.delivery = ReplyDelivery::Queue;
        }
    }

    /// Whoever writes them has them.
    pub(super) fn accepted(&mut self, id: &QueueItemId) {
        if let Some(item) = self.get_mut(id) {
            item.progress = ReplyProgress::Accepted;
        }
    }

    /// The host was told.
    pub(super) fn sent(&mut self, id: &QueueItemId) {
        if let Some(item) = self.get_mut(id) {
            item.progress = ReplyProgress::Sent;
        }
    }

    /// What the host's end leaves open. Whoever recorded the end said before it what is known; the rest is not.
    pub(super) fn host_ended(&mut self) {
        self.unheard = false;
        for item in &mut self.items {
            if matches!(item.progress, ReplyProgress::Sent | ReplyProgress::Accepted) {
                item.progress = ReplyProgress::AcceptedUnknown;
            }
        }
    }

    /// The host ended in good order: what it had not taken by then it never will.
    pub(super) fn untaken_return(&mut self) {
        for item in &mut self.items {
            if item.progress == ReplyProgress::Sent {
                item.progress = ReplyProgress::Waiting;
            }
        }
    }

    /// The agent said something from which follows that it took what was typed, or that nothing more comes of it.
    pub(super) fn heard(&mut self, news: &[AgentNews]) {
        fn answers(news: &AgentNews) -> bool {
            match news {
                AgentNews::InputGiven { .. }
                | AgentNews::WorkBegan
                | AgentNews::QuestionAsked { .. }
                | AgentNews::SessionBegan(_)
                | AgentNews::SessionLeft
                | AgentNews::FoundIdle
                | AgentNews::Settled(_) => true,
                // A verdict stands, and the agent took the words all the same.
                AgentNews::Fenced(fenced) => answers(fenced),
                AgentNews::ModelChanged { .. }
                | AgentNews::Spoke(_)
                | AgentNews::QuestionClosed { .. }
                | AgentNews::BackgroundChanged { .. } => false,
            }
        }
        if news.iter().any(answers) {
            self.unheard = false;
        }
    }
}

/// The host said how far a reply is.
pub(super) fn progressed(
    record: &mut SessionRecord,
    id: &QueueItemId,
    progress: &DeliveryProgress,
    at: UnixMs,
) {
    let live = record.is_live();
    match progress {
        DeliveryProgress::Applied => arrived(record, id, at),
        DeliveryProgress::Accepted => {
            // Said once more after the end it is no news: what is not known stays so.
            if live && let Some(item) = record.queue.get_mut(id) {
                item.progress = ReplyProgress::Accepted;
            }
        }
        DeliveryProgress::Refused { .. } => {
            if let Some(item) = record.queue.get_mut(id) {
                item.progress = ReplyProgress::Waiting;
            }
        }
    }
}

/// What was found out about a reply after its host had ended.
pub(super) fn traced(record: &mut SessionRecord, id: &QueueItemId, trace: ReplyTrace, at: UnixMs) {
    match trace {
        ReplyTrace::Applied => arrived(record, id, at),
        ReplyTrace::Returned | ReplyTrace::Unknown => {
            if let Some(item) = record.queue.get_mut(id) {
                item.progress = match trace {
                    ReplyTrace::Returned => ReplyProgress::Waiting,
                    ReplyTrace::Unknown | ReplyTrace::Applied => ReplyProgress::AcceptedUnknown,
                };
            }
        }
    }
}

fn arrived(record: &mut SessionRecord, id: &QueueItemId, at: UnixMs) {
    if record.queue.get(id).is_none() {
        return;
    }
    record.queue.remove(id);
    if record.is_live() {
        record.queue.unheard = record.agent.turns() == Turns::Reported;
        delivered(record, at);
    }
}

/// A person's words reached the agent: that lifts a verdict as their typing does (decision 1, reference C.6). What the
/// agent makes of them, it reports; a program without turns goes on running.
fn delivered(record: &mut SessionRecord, at: UnixMs) {
    record.last_activity_at = at;
    if record.is_manual_verdict() {
        record.put_back("replied to it", at);
    }
}

#[cfg(test)]
mod tests;
