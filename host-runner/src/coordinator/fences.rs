//! How often a rejected machine is written about: an agent that goes on talking to a row that a person has put aside
//! must not fill the log.
//!
//! The first rejection of a kind is noted at once; the next ones of the same kind within a minute are counted, and the
//! one after that says how many there were. A new verdict starts anew. Kept in memory only: a daemon that starts has
//! written nothing yet.

use super::mirror::Rejected;
use crate::model::command::Reject;
use board_protocol::ids::SessionId;
use std::collections::BTreeMap;

/// Shortest time between two diagnostics about the same kind of rejection, in milliseconds. The log of a session keeps
/// its newest few hundred lines: at this pace a chatty agent needs hours to push out anything else.
const QUIET_MS: u64 = 60_000;

/// What was noted when.
#[derive(Debug, Default)]
pub(super) struct Fences {
    noted: BTreeMap<SessionId, BTreeMap<(Reject, &'static str), Noted>>,
}

#[derive(Debug, Clone, Copy)]
struct Noted {
    /// Milliseconds of the monotonic clock.
    at: u64,
    /// How many like it have been kept quiet since.
    more: u32,
}

impl Fences {
    /// What to write about this rejection, if anything.
    pub(super) fn line(
        &mut self,
        session: &SessionId,
        rejected: &Rejected,
        uptime_ms: u64,
    ) -> Option<String> {
        let kinds = self.noted.entry(session.clone()).or_default();
        let key = (rejected.reject, rejected.kind);
        let earlier = kinds.get(&key).copied();
        if let Some(noted) = kinds.get_mut(&key)
            && uptime_ms.saturating_sub(noted.at) < QUIET_MS
        {
            noted.more = noted.more.saturating_add(1);
            return None;
        }
        kinds.insert(key, Noted { at: uptime_ms, more: 0 });
        let line = rejected.line();
        Some(match earlier.map_or(0, |noted| noted.more) {
            0 => line,
            more => format!("{line}; {more} more before it"),
        })
    }

    /// Something about this session is new: the next rejection is news again.
    pub(super) fn forget(&mut self, session: &SessionId) {
        self.noted.remove(session);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chatty_agent_is_written_about_once_a_minute_and_counted() {
        let session = SessionId("0000000001".into());
        let other = SessionId("0000000002".into());
        let rejected = Rejected::new(Reject::ManualFence, "sync_foreground", "words");
        let mut fences = Fences::default();
        assert!(fences.line(&session, &rejected, 5).is_some());
        for at in 0..1000 {
            assert_eq!(fences.line(&session, &rejected, 5 + at), None);
        }
        assert!(fences.line(&other, &rejected, 6).is_some(), "another row is another matter");
        let late = Rejected::new(Reject::ManualFence, "auto_state_classified", "a classification");
        assert!(fences.line(&session, &late, 6).is_some(), "so is another kind");
        let next = fences.line(&session, &rejected, 5 + QUIET_MS).unwrap();
        assert!(next.ends_with("; 1000 more before it"), "{next}");
        fences.forget(&session);
        assert!(fences.line(&session, &rejected, 6 + QUIET_MS).is_some(), "a new verdict starts anew");
    }
}
