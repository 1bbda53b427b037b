//! Sessions that say that they work and give no sign of life. Pure; asked at every tick, without a timer of its own.
//!
//! A sign of life is output, or a report of the agent's, whatever it says. The clock is the one that never jumps, so that
//! a wall clock that is set forward stalls nobody. A stalled row gets a badge and a diagnostic; it never moves: a model
//! may think for longer than anybody expects (field report A4). Nothing is recorded: the next daemon counts anew.

use board_protocol::{
    ids::SessionId,
    text::{age_words, stalled_words},
};
use std::collections::BTreeMap;

/// The shortest silence that says anything, in milliseconds: a host tells of output at most once in two seconds, and a
/// session that prints all the time must not seem to stall between two of these.
const SHORTEST_MS: u64 = 5_000;

/// The silences of working sessions.
#[derive(Debug, Default)]
pub(super) struct Stalls {
    silences: BTreeMap<SessionId, Silence>,
}

#[derive(Debug)]
struct Silence {
    /// When there was the last sign of life.
    since: u64,
    /// The silence that the badge shows, in milliseconds.
    shown: Option<u64>,
}

/// What a look at a session comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Its badge stays as it is.
    Same,
    /// It is silent for too long now; its badge says for how long, in milliseconds.
    Stalled(u64),
    /// It was stalled already, and its badge says another time.
    StillStalled(u64),
    /// It has moved again after so many milliseconds, or works no more.
    Resolved(u64),
}

/// Whether a session can be silent in a way that says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    /// It works, and its host is heard: silence is its own.
    Works,
    /// It works, and its host is away: nobody can tell.
    Unheard,
    /// It does not work.
    Rests,
}

impl Stalls {
    /// A sign of life. A badge goes with the next look.
    pub(super) fn alive(&mut self, session: &SessionId, uptime_ms: u64) {
        if let Some(silence) = self.silences.get_mut(session) {
            silence.since = uptime_ms;
        }
    }

    /// Looks at one session. `after_ms` of 0 switches the detector off.
    pub(super) fn look(
        &mut self,
        session: &SessionId,
        activity: Activity,
        uptime_ms: u64,
        after_ms: u64,
    ) -> Look {
        if activity == Activity::Rests || after_ms == 0 {
            let silence = self.silences.remove(session);
            return silence.and_then(|silence| silence.shown).map_or(Look::Same, Look::Resolved);
        }
        let silence =
            self.silences.entry(session.clone()).or_insert(Silence { since: uptime_ms, shown: None });
        if activity == Activity::Unheard {
            return Look::Same;
        }
        let after_ms = after_ms.max(SHORTEST_MS);
        let silent_ms = uptime_ms.saturating_sub(silence.since);
        match silence.shown {
            None if silent_ms >= after_ms => {
                silence.shown = Some(silent_ms);
                Look::Stalled(silent_ms)
            }
            Some(shown) if silent_ms < after_ms => {
                silence.shown = None;
                Look::Resolved(shown)
            }
            // Only what reads differently is worth another picture of the row.
            Some(shown) if stalled_words(shown) != stalled_words(silent_ms) => {
                silence.shown = Some(silent_ms);
                Look::StillStalled(silent_ms)
            }
            _ => Look::Same,
        }
    }

    /// A session is gone from the board, or another life of it begins.
    pub(super) fn forget(&mut self, session: &SessionId) {
        self.silences.remove(session);
    }
}

/// What the diagnostics say when a session stalls.
pub(super) fn stalled_text(silent_ms: u64) -> String {
    format!("no event and no output for {} while it says that it works", age_words(silent_ms))
}

/// What they say when that is over.
pub(super) fn resolved_text(silent_ms: u64) -> String {
    format!("it moves again, or works no more, after about {} of silence", age_words(silent_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: u64 = 300_000;

    fn id() -> SessionId {
        SessionId("0000000001".into())
    }

    #[test]
    fn silence_is_counted_from_the_last_sign_of_life() {
        let mut stalls = Stalls::default();
        let look = |stalls: &mut Stalls, at| stalls.look(&id(), Activity::Works, at, AFTER);
        assert_eq!(look(&mut stalls, 1_000), Look::Same);
        assert_eq!(look(&mut stalls, 300_999), Look::Same);
        stalls.alive(&id(), 300_999);
        assert_eq!(look(&mut stalls, 600_998), Look::Same);
        assert_eq!(look(&mut stalls, 600_999), Look::Stalled(300_000));
        // The badge says minutes; it is drawn anew once it says another one.
        assert_eq!(look(&mut stalls, 605_999), Look::Same);
        assert_eq!(look(&mut stalls, 660_999), Look::StillStalled(360_000));
        stalls.alive(&id(), 661_000);
        assert_eq!(look(&mut stalls, 661_000), Look::Resolved(360_000));
        assert_eq!(look(&mut stalls, 661_001), Look::Same);
    }

    #[test]
    fn whoever_prints_all_the_time_never_stalls_however_short_the_setting_is() {
        let mut stalls = Stalls::default();
        for second in 0..60 {
            if second % 2 == 0 {
                stalls.alive(&id(), second * 1000);
            }
            assert_eq!(stalls.look(&id(), Activity::Works, second * 1000 + 999, 1), Look::Same);
        }
    }

    #[test]
    fn only_work_that_is_heard_can_stall() {
        let mut stalls = Stalls::default();
        for (activity, at, after, expected) in [
            (Activity::Rests, 0, AFTER, Look::Same),
            (Activity::Rests, 900_000, AFTER, Look::Same),
            // Work began only now.
            (Activity::Works, 900_001, AFTER, Look::Same),
            (Activity::Unheard, 1_300_000, AFTER, Look::Same),
            (Activity::Works, 1_300_001, AFTER, Look::Stalled(400_000)),
            (Activity::Rests, 1_300_002, AFTER, Look::Resolved(400_000)),
            (Activity::Works, 1_300_003, AFTER, Look::Same),
            // Switched off.
            (Activity::Works, 9_999_999, 0, Look::Same),
        ] {
            assert_eq!(stalls.look(&id(), activity, at, after), expected, "{activity:?} at {at}");
        }
    }
}
