//! What every loop around one `poll` needs: timeouts that do not spin, and signals as bytes on a pipe.
//!
//! Used by hosts, headless runs, attach clients and hooks. It waits for nothing itself.

use rustix::{
    event::Timespec,
    process::{WaitOptions, WaitStatus},
};
use signal_hook::low_level::pipe;
use std::{
    io::{self, Read},
    os::unix::net::UnixStream,
    time::Duration,
};

/// A timeout for `poll`, rounded up to a whole millisecond: rounded down, the last fraction would be waited for in a busy
/// loop.
pub(crate) fn timespec(duration: Duration) -> Timespec {
    let millis = i64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(i64::MAX / 2);
    Timespec { tv_sec: millis / 1000, tv_nsec: (millis % 1000) * 1_000_000 }
}

/// Has these signals arrive as bytes. Gives the end to read, which never makes anybody wait.
///
/// # Errors
/// The kernel gives no descriptors, or a signal cannot be caught.
pub(crate) fn caught(signals: &[i32]) -> io::Result<UnixStream> {
    let (source, sink) = UnixStream::pair()?;
    source.set_nonblocking(true)?;
    for signal in signals {
        pipe::register(*signal, sink.try_clone()?)?;
    }
    Ok(source)
}

/// Takes every ended child: those that were started, and orphans that the kernel gave to this subreaper.
pub(crate) fn reap(ended: &UnixStream, mut each: impl FnMut(u32, WaitStatus)) {
    drain(ended);
    while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
        each(pid.as_raw_pid().unsigned_abs(), status);
    }
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
