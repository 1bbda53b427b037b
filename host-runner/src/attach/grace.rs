//! How long a pane stays after its session ended by itself: pure.
//!
//! Whoever types when their program ends goes on typing for a moment. Without this the pane would be gone, and those keys
//! would be the board's, or a shell's: an `x` or a `y` there is a command.

use std::time::{Duration, Instant};

/// How long nobody may have typed before the pane goes: longer than the pause between two keys of somebody who types.
pub const QUIET: Duration = Duration::from_millis(400);
/// How long it stays at most: a key that is kept pressed must not keep it for ever.
pub const LONGEST: Duration = Duration::from_millis(1500);

/// The moment after the end.
#[derive(Debug, Clone, Copy)]
pub struct Grace {
    until: Instant,
    latest: Instant,
}

impl Grace {
    /// The session ended now.
    pub fn new(now: Instant) -> Self {
        Self { until: now + QUIET, latest: now + LONGEST }
    }

    /// Something was typed, and swallowed.
    pub fn typed(&mut self, now: Instant) {
        self.until = (now + QUIET).min(self.latest);
    }

    /// When the pane may go.
    pub fn until(&self) -> Instant {
        self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_stays_until_nobody_types_but_never_long() {
        let start = Instant::now();
        let mut grace = Grace::new(start);
        assert_eq!(grace.until(), start + QUIET);
        let key = start + QUIET - Duration::from_millis(1);
        grace.typed(key);
        assert_eq!(grace.until(), key + QUIET);
        for step in 1..100 {
            grace.typed(start + Duration::from_millis(30) * step);
        }
        assert_eq!(grace.until(), start + LONGEST);
    }
}
