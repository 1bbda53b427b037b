//! When words of a person may be written to their agent (reference A.10, B.9, D.10). Pure.
//!
//! Level-triggered: [`next_deliverable`] is a function of what is recorded and what is seen right now, asked again after
//! every turn of the coordinator and on every tick. No event has to be caught for words to leave (field report I2).
//!
//! Called by the writer and by [`super::replies`]. Invariant: nothing is ever typed into an agent that the person did not
//! write.

use super::decide::Reach;
use crate::{
    agents::{Turns, event::EditorState},
    model::{QueuedItem, SessionRecord, can_auto_drain, plan::keeps_replies},
};
use board_protocol::{
    command::ReplyDelivery,
    daemon::{ReplyKind, ReplyProgress},
    host::AttachMode,
    plan::PlanStatus,
    state::{ProcessState, SemanticState},
};
use board_text::coordinator as texts;

/// How long the next words wait for an agent that does not say that it took the last ones, in milliseconds. pi says so
/// within a tenth of a second; a command that pi carries out itself (`/help`) is never reported.
pub const UNHEARD_MS: u64 = 10_000;

/// What is seen of a session's host and agent at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    /// Whether the host can be told something.
    pub reach: Reach,
    /// What the agent's text field holds, as far as it was told.
    pub editor: Option<EditorState>,
    /// For how long the agent has not answered the last words, in milliseconds.
    pub unheard_ms: u64,
    /// Whether the host refused words a moment ago.
    pub refusal: Refusing,
}

/// Whether a host refused words a moment ago.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Refusing {
    /// It did not.
    #[default]
    No,
    /// It did, and is not asked again before a pause is over.
    Lately,
}

/// Why words cannot be written now. Each one ends by itself, or by something that the person does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// No process runs.
    Ended,
    /// A person asked the session to end.
    Stopping,
    /// Its idle process is being ended; it comes back for them.
    Resting,
    /// The agent is not ready for words yet.
    Starting,
    /// A question or a request for leave is open: words would answer it (field report I6).
    Question,
    /// The host is not connected.
    HostAway,
    /// The host is of a build that cannot write words.
    HostOutdated,
    /// Words before them are being written, or the agent has not taken them.
    InFlight,
    /// A turn runs.
    Turn,
    /// A person put the row on hold.
    Holding,
    /// The agent asks in its words: only words that were written since then answer it.
    Asks,
    /// The state is none into which a queue is flushed.
    State,
    /// Somebody types in the agent.
    Typing,
    /// Somebody is in the agent, and it does not say what its text field holds.
    EditorUnknown,
    /// The host refused a moment ago.
    Refused,
    /// A plan is made, or waits for a person's decision, which is no free word.
    Plan,
}

/// The words that may be written now, if there are any: what the person hurried first, then what is about a plan, for that
/// keeps everything else, then the first that waits.
pub fn next_deliverable<'a>(record: &'a SessionRecord, sight: &Sight) -> Option<&'a QueuedItem> {
    let about_a_plan = || record.queue.waiting().find(|item| !item.kind.is_reply());
    let hurried = record.queue.waiting().find(|item| item.delivery == ReplyDelivery::Now);
    let next = hurried.or_else(about_a_plan).or_else(|| record.queue.waiting().next())?;
    let blocked = match next.kind {
        ReplyKind::Reply => block(record, sight, next.delivery),
        _ => block_about_a_plan(record, sight, next.delivery),
    };
    blocked.is_none().then_some(next)
}

/// What stands in the way of words about a plan. They answer what the row waits for, whatever it is called; on hold it
/// waits for nothing but its release.
pub fn block_about_a_plan(record: &SessionRecord, sight: &Sight, delivery: ReplyDelivery) -> Option<Block> {
    let holding = delivery == ReplyDelivery::Queue && record.state == SemanticState::Holding;
    let delivery = if delivery == ReplyDelivery::Queue { ReplyDelivery::Auto } else { delivery };
    let by_row = || if holding { Some(Block::Holding) } else { by_agent(record, sight, delivery) };
    by_host(record, sight).or_else(|| by_words_before(record, sight)).or_else(by_row)
}

/// Words that the host was told about on a connection that broke, if they may be said once more. The host knows those that
/// it has taken, and only answers; others it would write now, so nothing may stand in their way by now (field report I6).
pub fn sayable_again<'a>(record: &'a SessionRecord, sight: &Sight) -> Option<&'a QueuedItem> {
    let item = record.queue.on_its_way()?;
    let taken = item.progress == ReplyProgress::Accepted;
    let clear = || by_host(record, sight).or_else(|| by_agent(record, sight, item.delivery)).is_none();
    (taken && sight.reach == Reach::Connected || clear()).then_some(item)
}

/// What stands in the way of words that are to be delivered like this, if anything does.
///
/// `Auto` stands for words that were written while the agent waited: they answer what it said last, whatever the row is
/// called; into a row on hold they are what the person said since they put it there, because all that waited by then
/// became `Queue`. `Queue` words go only into rows that wait for instructions or are done (reference B.9).
pub fn block(record: &SessionRecord, sight: &Sight, delivery: ReplyDelivery) -> Option<Block> {
    by_host(record, sight)
        .or_else(|| by_plan(record, delivery))
        .or_else(|| by_words_before(record, sight))
        .or_else(|| by_agent(record, sight, delivery))
}

/// Ordinary words and a plan: what waits in the queue is not sent while one is made or decided; what a person says to an
/// agent that rests or works on it reaches it; and a plan that is there is decided, not talked to.
fn by_plan(record: &SessionRecord, delivery: ReplyDelivery) -> Option<Block> {
    let blocks = match delivery {
        _ if record.plan.status == PlanStatus::AwaitingApproval => true,
        ReplyDelivery::Now => false,
        ReplyDelivery::Auto => record.queue.about_a_plan().is_some(),
        ReplyDelivery::Queue => keeps_replies(record.plan.status),
    };
    blocks.then_some(Block::Plan)
}

fn by_host(record: &SessionRecord, sight: &Sight) -> Option<Block> {
    if !record.is_live() {
        return Some(Block::Ended);
    }
    if record.stop.is_some() {
        return Some(Block::Stopping);
    }
    if record.goes_to_rest() {
        return Some(Block::Resting);
    }
    if !record.agent_record.questions.is_empty() {
        return Some(Block::Question);
    }
    let speaks = record.agent.turns() == Turns::WholeLife || record.agent_record.has_spoken();
    if record.host.child.is_none() || !speaks {
        return Some(Block::Starting);
    }
    match sight.reach {
        Reach::Connected => None,
        Reach::Outdated => Some(Block::HostOutdated),
        Reach::Away => Some(Block::HostAway),
    }
}

fn by_words_before(record: &SessionRecord, sight: &Sight) -> Option<Block> {
    let unheard = record.queue.unheard && sight.unheard_ms < UNHEARD_MS;
    (record.queue.on_its_way().is_some() || unheard).then_some(Block::InFlight)
}

fn by_agent(record: &SessionRecord, sight: &Sight, delivery: ReplyDelivery) -> Option<Block> {
    by_state(record, delivery).or_else(|| by_editor(record, sight)).or(match sight.refusal {
        Refusing::No => None,
        Refusing::Lately => Some(Block::Refused),
    })
}

fn by_state(record: &SessionRecord, delivery: ReplyDelivery) -> Option<Block> {
    // A program without turns is always ready for a line.
    let turn = record.agent.turns() == Turns::Reported && record.process_state == ProcessState::Alive;
    match delivery {
        ReplyDelivery::Now => None,
        ReplyDelivery::Auto if turn => Some(Block::Turn),
        ReplyDelivery::Auto => None,
        ReplyDelivery::Queue if can_auto_drain(record) => None,
        ReplyDelivery::Queue => match record.state {
            SemanticState::Holding => Some(Block::Holding),
            _ if turn => Some(Block::Turn),
            SemanticState::NeedsInput => Some(Block::Asks),
            _ => Some(Block::State),
        },
    }
}

fn by_editor(record: &SessionRecord, sight: &Sight) -> Option<Block> {
    if record.agent.turns() == Turns::WholeLife {
        return None;
    }
    let entered = record.host.attached.iter().any(|client| client.mode == AttachMode::Interactive);
    match sight.editor {
        Some(EditorState::HasText) => Some(Block::Typing),
        Some(EditorState::Empty) => None,
        Some(EditorState::Unknown) | None => entered.then_some(Block::EditorUnknown),
    }
}

impl Block {
    /// Why the words wait, as the second half of a sentence about them.
    pub fn why(self) -> &'static str {
        match self {
            Self::Ended => texts::why_ended(),
            Self::Stopping => texts::why_stopping(),
            Self::Resting => texts::why_resting(),
            Self::Starting => texts::why_starting(),
            Self::Question => texts::why_question(),
            Self::HostAway => texts::why_host_away(),
            Self::HostOutdated => texts::why_host_older(),
            Self::InFlight => texts::why_in_flight(),
            Self::Turn => texts::why_turn(),
            Self::Holding => texts::why_holding(),
            Self::Asks => texts::why_asks(),
            Self::State => texts::why_state(),
            Self::Typing => texts::why_typing(),
            Self::EditorUnknown => texts::why_editor_unknown(),
            Self::Refused => texts::why_refused(),
            Self::Plan => texts::why_plan(),
        }
    }
}

#[cfg(test)]
mod tests;
