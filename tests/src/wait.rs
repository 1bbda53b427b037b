//! Waiting for conditions that nothing announces (a process gone, a file there). Screens announce themselves:
//! [`crate::Terminal::wait`].

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fd::AsFd,
};
use std::{
    fmt::Debug,
    time::{Duration, Instant},
};

/// How long anything may take before a test says that it does not happen. Generous, and far longer than anything takes on
/// a loaded machine of two cores: it costs nothing where a test passes.
pub const DEADLINE: Duration = Duration::from_secs(90);

/// How often an unannounced condition is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Waits until `look` returns something, at most [`DEADLINE`].
///
/// # Panics
/// It does not in time; the text is `what`.
pub fn eventually<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    within(DEADLINE, what, look)
}

/// Waits until `look` returns something, at most `deadline`.
///
/// # Panics
/// It does not in time; the text is `what`.
pub fn within<T>(deadline: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    seen_within(deadline, what, || look().ok_or("nothing"))
}

/// Waits until `look` succeeds, at most `deadline`; what it saw instead stands in the panic's text.
///
/// # Panics
/// It does not in time; the text is `what` and what was seen last.
pub fn seen_within<T, E: Debug>(deadline: Duration, what: &str, mut look: impl FnMut() -> Result<T, E>) -> T {
    let end = Instant::now() + deadline;
    loop {
        match look() {
            Ok(found) => return found,
            Err(seen) => assert!(
                Instant::now() < end,
                "not within {} s: {what}; last seen: {seen:#?}",
                deadline.as_secs()
            ),
        }
        poll_for(&mut [], LOOK_EVERY);
    }
}

/// Waits until the file descriptor can be read, at most `left`. Whether it can.
pub fn readable(fd: impl AsFd, left: Duration) -> bool {
    let mut fds = [PollFd::new(&fd, PollFlags::IN)];
    poll_for(&mut fds, left);
    !fds.iter().all(|fd| fd.revents().is_empty())
}

pub(crate) fn poll_for(fds: &mut [PollFd<'_>], left: Duration) {
    let timeout = Timespec::try_from(left).expect("a short time");
    // An interrupted poll only means one look more.
    let _ = poll(fds, Some(&timeout));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{claude_stage, pi_stage, run_stage};

    /// The longest that the product may take to do what a test waits for: a daemon gives a host that it cannot talk to ten
    /// seconds before it ends it.
    const LONGEST_WAIT: Duration = Duration::from_secs(10);

    // A deadline as long as the wait itself makes a slow machine look like a fault.
    #[test]
    fn i6_every_deadline_outlasts_what_it_waits_for_by_five_seconds_and_by_a_third() {
        let margin = Duration::from_secs(5).max(LONGEST_WAIT / 3);
        for declared in [DEADLINE, pi_stage::DEADLINE, claude_stage::DEADLINE, run_stage::DEADLINE] {
            assert!(declared >= LONGEST_WAIT + margin, "{declared:?}");
        }
    }
}
