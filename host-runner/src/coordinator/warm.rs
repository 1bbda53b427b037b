//! Which idle sessions give their process back (decision 14, reference D.7). Pure.
//!
//! A session that its agent can continue on the same transcript needs no process while nobody needs it. Called by
//! [`super::sweep`], which sends the order; the host looks once more before it ends anything.

use super::decide::Reach;
use crate::{
    agents::event::EditorState,
    model::{Live, SessionRecord, is_busy},
};
use board_protocol::{
    board::Revival,
    ids::{SessionId, UnixMs},
    state::{HostState, SemanticState},
};
use std::collections::BTreeSet;

/// Most processes that may be kept, as a setting: their memory is what this is about.
pub const MAX_KEPT: u32 = 50;

/// What the configuration says (reference H).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WarmSettings {
    /// How many idle processes are kept. 0 keeps none, if there is a time.
    pub max: u32,
    /// How long one may be idle, in milliseconds; 0 for ever. With `max` 0 as well nothing is ended.
    pub ttl_ms: u64,
    /// How long a process that was started is left alone, in milliseconds.
    pub grace_ms: u64,
}

impl WarmSettings {
    /// Whether any process is ever ended.
    pub(crate) const fn evicts(self) -> bool {
        self.max > 0 || self.ttl_ms > 0
    }
}

impl Default for WarmSettings {
    fn default() -> Self {
        Self { max: 4, ttl_ms: 600_000, grace_ms: 30_000 }
    }
}

/// Why a process is kept whatever its age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It has none, or it is coming or going.
    NotAlive,
    /// Its agent could not go on where it is.
    CannotResume,
    /// A turn runs, or is about to.
    Busy,
    /// Somebody is attached, if only to look.
    Attached,
    /// A person pinned it.
    Pinned,
    /// Its text field holds something, or nobody knows.
    Editor,
    /// It asks something.
    Question,
    /// Something of it runs in the background.
    Background,
    /// It is a terminal of an agent, or its agent has some.
    Terminals,
    /// Words of a person wait for it.
    Words,
    /// It was started just now.
    Grace,
    /// Its host cannot be told, or would not understand.
    HostAway,
}

/// How long this session has been idle, in milliseconds, if its process could be ended for it.
///
/// # Errors
/// Why it is kept.
pub fn idle_ms(
    record: &SessionRecord,
    live: &Live,
    reach: Reach,
    grace_ms: u64,
    now: UnixMs,
) -> Result<u64, Kept> {
    let agent = &record.agent_record;
    if record.host.state != HostState::Alive || record.host.child.is_none() || record.stop.is_some() {
        return Err(Kept::NotAlive);
    }
    if record.parent.is_some() || live.terminals > 0 {
        return Err(Kept::Terminals);
    }
    // A conversation without words is on no disk.
    if record.agent.revival() != Revival::Resumes || !agent.has_words || !agent.has_spoken() {
        return Err(Kept::CannotResume);
    }
    let runs_headless = record.run.as_ref().is_some_and(|run| run.process().is_some());
    let rests = matches!(
        record.state,
        SemanticState::Idle | SemanticState::Holding | SemanticState::Completed | SemanticState::Failed
    );
    if !agent.questions.is_empty() || record.state == SemanticState::NeedsInput {
        return Err(Kept::Question);
    }
    if is_busy(record) || runs_headless || !rests || live.doing.is_some() {
        return Err(Kept::Busy);
    }
    if !record.host.attached.is_empty() {
        return Err(Kept::Attached);
    }
    if record.pinned {
        return Err(Kept::Pinned);
    }
    if live.editor != Some(EditorState::Empty) {
        return Err(Kept::Editor);
    }
    if agent.background > 0 || live.children.running() > 0 {
        return Err(Kept::Background);
    }
    if !record.queue.is_empty() || record.queue.unheard {
        return Err(Kept::Words);
    }
    if reach != Reach::Connected {
        return Err(Kept::HostAway);
    }
    if now.since(record.host.asked_at) < grace_ms {
        return Err(Kept::Grace);
    }
    // Whoever looks at it or leaves it has just used it.
    let times =
        [Some(record.last_activity_at), Some(record.host.asked_at), record.visited_at, live.active_at];
    let newest = times.into_iter().flatten().max().unwrap_or(now);
    Ok(now.since(newest))
}

/// Whose processes end: all that were idle for too long, then the oldest of those that are too many.
pub fn select(settings: WarmSettings, idle: &[(SessionId, u64)]) -> BTreeSet<SessionId> {
    let WarmSettings { max, ttl_ms, .. } = settings;
    if !settings.evicts() {
        return BTreeSet::new();
    }
    let expired = |age: u64| ttl_ms > 0 && age >= ttl_ms;
    let mut warm: Vec<&(SessionId, u64)> = idle.iter().filter(|(_, age)| !expired(*age)).collect();
    // The youngest first; of two of one age the one with the smaller id stays, whatever order they came in.
    warm.sort_by(|(a, a_age), (b, b_age)| (a_age, a).cmp(&(b_age, b)));
    let surplus = warm.into_iter().skip(usize::try_from(max).unwrap_or(usize::MAX));
    let old = idle.iter().filter(|(_, age)| expired(*age));
    old.chain(surplus).map(|(session, _)| session.clone()).collect()
}

#[cfg(test)]
mod tests;
