//! What every loop around one `poll` needs: timeouts that do not spin, and signals as bytes on a pipe.
//!
//! Used by hosts, attach clients and hooks. It waits for nothing itself.

use rustix::event::Timespec;
use std::{io::Read, os::unix::net::UnixStream, time::Duration};

/// A timeout for `poll`, rounded up to a whole millisecond: rounded down, the last fraction would be waited for in a busy
/// loop.
pub(crate) fn timespec(duration: Duration) -> Timespec {
    let millis = i64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(i64::MAX / 2);
    Timespec { tv_sec: millis / 1000, tv_nsec: (millis % 1000) * 1_000_000 }
}

/// Takes everything that waits in a non-blocking pipe of signals. Whether there was any.
pub(crate) fn drain(mut signals: &UnixStream) -> bool {
    let mut any = false;
    let mut buffer = [0; 64];
    while matches!(signals.read(&mut buffer), Ok(count) if count > 0) {
        any = true;
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_never_shorter_than_what_is_left() {
        for (nanos, expected) in
            [(0, (0, 0)), (1, (0, 1_000_000)), (1_000_000, (0, 1_000_000)), (1_999_000_001, (2, 0))]
        {
            let timeout = timespec(Duration::from_nanos(nanos));
            assert_eq!((timeout.tv_sec, timeout.tv_nsec), expected, "{nanos}");
        }
        assert!(timespec(Duration::MAX).tv_sec > 0);
    }
}
