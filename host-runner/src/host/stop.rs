//! The stop latch and its ladder: pure. SIGTERM, a grace of four seconds unless configured, SIGKILL (decision 13,
//! reference D.2).
//!
//! A stop is remembered from the moment it is asked for, whether the program runs already or not, and happens once.

use std::time::{Duration, Instant};

/// How long the kernel may take to end a process after SIGKILL (one stuck in a device cannot be ended at all) before the
/// session is called ended without it.
const KILL_GRACE: Duration = Duration::from_secs(3);
/// How often the tree is looked at while it ends: the end of somebody else's child raises no signal here.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What to do to the tree now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Ask everything below to end.
    Terminate,
    /// End it.
    Kill,
    /// It cannot be ended; say so and go.
    GiveUp,
}

/// Where a stop is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Nobody asked.
    #[default]
    Idle,
    /// Asked, nothing done yet.
    Asked,
    /// SIGTERM was sent.
    Terminating {
        /// When SIGKILL follows.
        kill_at: Instant,
    },
    /// SIGKILL was sent.
    Killing {
        /// When we give up.
        give_up_at: Instant,
    },
    /// The tree is gone, or given up.
    Over,
}

impl Stop {
    /// Somebody asks. The first one counts.
    pub(crate) fn ask(&mut self) {
        if *self == Self::Idle {
            *self = Self::Asked;
        }
    }

    /// Whether a stop was asked for.
    pub(crate) fn is_asked(self) -> bool {
        self != Self::Idle
    }

    /// Whether there is nothing more to do.
    pub(crate) fn is_over(self) -> bool {
        self == Self::Over
    }

    /// What is due. `grace`: how long the program may take to end after SIGTERM. `tree_lives`: something of the tree still
    /// runs.
    pub(crate) fn on(
        &mut self,
        now: Instant,
        grace: Duration,
        tree_lives: impl FnOnce() -> bool,
    ) -> Option<Step> {
        match *self {
            Self::Idle | Self::Over => None,
            Self::Asked => {
                *self = Self::Terminating { kill_at: now + grace };
                Some(Step::Terminate)
            }
            _ if !tree_lives() => {
                *self = Self::Over;
                None
            }
            Self::Terminating { kill_at } if now >= kill_at => {
                *self = Self::Killing { give_up_at: now + KILL_GRACE };
                Some(Step::Kill)
            }
            Self::Killing { give_up_at } if now >= give_up_at => {
                *self = Self::Over;
                Some(Step::GiveUp)
            }
            // What forks while it dies is found and ended at the next look.
            Self::Killing { .. } => Some(Step::Kill),
            Self::Terminating { .. } => None,
        }
    }

    /// When to look again.
    pub(crate) fn next_deadline(self, now: Instant) -> Option<Instant> {
        match self {
            Self::Idle | Self::Over => None,
            Self::Asked => Some(now),
            Self::Terminating { .. } | Self::Killing { .. } => Some(now + LOOK_EVERY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_secs(4);

    #[test]
    fn a_stubborn_tree_is_terminated_once_then_killed_then_given_up() {
        let start = Instant::now();
        let mut stop = Stop::default();
        assert_eq!(stop.on(start, GRACE, || true), None);
        assert_eq!(stop.next_deadline(start), None);
        stop.ask();
        stop.ask();
        assert_eq!(stop.next_deadline(start), Some(start));
        assert_eq!(stop.on(start, GRACE, || true), Some(Step::Terminate));
        stop.ask();
        assert_eq!(stop.on(start + GRACE / 2, GRACE, || true), None);
        let kill = start + GRACE;
        assert_eq!(stop.on(kill, GRACE, || true), Some(Step::Kill));
        assert_eq!(stop.on(kill + LOOK_EVERY, GRACE, || true), Some(Step::Kill));
        assert_eq!(stop.on(kill + KILL_GRACE, GRACE, || true), Some(Step::GiveUp));
        assert!(stop.is_over());
        stop.ask();
        assert_eq!(stop.on(kill + KILL_GRACE, GRACE, || true), None);
    }

    #[test]
    fn a_tree_that_ends_is_left_alone_at_every_rung() {
        let start = Instant::now();
        for at in [Duration::ZERO, GRACE * 2] {
            let mut stop = Stop::default();
            stop.ask();
            stop.on(start, GRACE, || true);
            stop.on(start + at, GRACE, || true);
            assert_eq!(stop.on(start + at, GRACE, || false), None);
            assert!(stop.is_over());
            assert_eq!(stop.next_deadline(start), None);
        }
    }
}
