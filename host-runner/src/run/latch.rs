//! The stop latch: a stop that comes before the worker can be stopped is kept, and carried out once (reference D.2). Pure.
//!
//! Called by [`super::drive`]. Between the moment at which the signals are caught and the moment at which the worker runs
//! and its handlers are wired, a stop is only noted here; from then on it goes to the worker at once.

/// What asked for the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopSignal {
    /// SIGTERM: the daemon, or a person with `kill`.
    Term,
    /// SIGINT: a person at a terminal.
    Int,
}

impl StopSignal {
    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Term => "SIGTERM",
            Self::Int => "SIGINT",
        }
    }
}

/// The latch of one process.
#[derive(Debug, Default)]
pub(super) enum StopLatch {
    /// Nobody asked.
    #[default]
    Open,
    /// Somebody did.
    Noted(StopSignal),
    /// That was carried out.
    Taken,
}

impl StopLatch {
    /// Somebody asks. The first one counts; after it was taken, nothing does.
    pub(super) fn note(&mut self, signal: StopSignal) {
        if matches!(self, Self::Open) {
            *self = Self::Noted(signal);
        }
    }

    /// Who asked, while nothing was done about it.
    pub(super) const fn pending(&self) -> Option<StopSignal> {
        match self {
            Self::Noted(signal) => Some(*signal),
            Self::Open | Self::Taken => None,
        }
    }

    /// Gives what is pending, once.
    pub(super) fn take(&mut self) -> Option<StopSignal> {
        let pending = self.pending();
        if pending.is_some() {
            *self = Self::Taken;
        }
        pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i3_a2_the_first_signal_counts_and_is_taken_once() {
        let mut latch = StopLatch::default();
        assert_eq!((latch.pending(), latch.take()), (None, None), "an empty latch gives nothing");
        latch.note(StopSignal::Int);
        latch.note(StopSignal::Int);
        latch.note(StopSignal::Term);
        assert_eq!(latch.pending(), Some(StopSignal::Int), "looking takes nothing");
        assert_eq!(latch.pending(), Some(StopSignal::Int));
        assert_eq!(latch.take(), Some(StopSignal::Int));
        assert_eq!((latch.pending(), latch.take()), (None, None));
        latch.note(StopSignal::Term);
        assert_eq!(latch.take(), None, "a stop happens once");
    }

    #[test]
    fn i3_a2_latches_do_not_share_anything() {
        let (mut one, mut other) = (StopLatch::default(), StopLatch::default());
        one.note(StopSignal::Term);
        assert_eq!(other.take(), None);
        other.note(StopSignal::Int);
        assert_eq!((one.take(), other.take()), (Some(StopSignal::Term), Some(StopSignal::Int)));
    }
}
