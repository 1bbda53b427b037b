//! How often the same thing may be said in the log: pure. A client that floods the host with broken messages must not flood
//! the disk with what is said about them.

use std::time::{Duration, Instant};

/// The first is said at once; what follows is counted and said together, this often.
const SAY_EVERY: Duration = Duration::from_secs(60);

/// Things that went wrong and were not said yet.
#[derive(Debug, Default)]
pub(super) struct Complaints {
    unsaid: u64,
    said_at: Option<Instant>,
}

impl Complaints {
    /// One more. How many to speak of now, if it is time.
    pub(super) fn add(&mut self, now: Instant) -> Option<u64> {
        self.unsaid = self.unsaid.saturating_add(1);
        if self.said_at.is_some_and(|said| now.duration_since(said) < SAY_EVERY) {
            return None;
        }
        self.said_at = Some(now);
        self.rest()
    }

    /// What is left at the end.
    pub(super) fn rest(&mut self) -> Option<u64> {
        let count = std::mem::take(&mut self.unsaid);
        (count > 0).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_said_and_the_others_are_counted() {
        let start = Instant::now();
        let mut complaints = Complaints::default();
        assert_eq!(complaints.add(start), Some(1));
        for _ in 0..1000 {
            assert_eq!(complaints.add(start + SAY_EVERY / 2), None);
        }
        assert_eq!(complaints.add(start + SAY_EVERY), Some(1001));
        assert_eq!(complaints.rest(), None);
        assert_eq!(complaints.add(start + SAY_EVERY), None);
        assert_eq!(complaints.rest(), Some(1));
    }
}
