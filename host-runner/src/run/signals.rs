//! The signals of a run as bytes on pipes, so that its one `poll` sees them.
//!
//! Installed by [`super::prepare`], read by [`super::drive`]. Which signal asked for the end stays apart, for the log. It
//! ends nothing itself.

use super::latch::StopSignal;
use crate::polling::{caught, drain, reap};
use rustix::process::WaitStatus;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use std::{
    io,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    sync::{Arc, atomic::AtomicBool},
};

/// The signals that a run listens to.
#[derive(Debug)]
pub(super) struct Signals {
    ended: UnixStream,
    term: UnixStream,
    int: UnixStream,
}

impl Signals {
    /// Installs the handlers. Done before anything of the run can be seen, so that a stop at any later moment is kept
    /// (invariant: no non-terminal state before the process that would honour a stop can receive it).
    pub(super) fn install() -> io::Result<Self> {
        let signals = Self { ended: caught(&[SIGCHLD])?, term: caught(&[SIGTERM])?, int: caught(&[SIGINT])? };
        // A run outlives terminals. A handler, not SIG_IGN: the worker would inherit that.
        signal_hook::flag::register(SIGHUP, Arc::new(AtomicBool::new(false)))?;
        Ok(signals)
    }

    /// What to poll for reading.
    pub(super) fn fds(&self) -> [BorrowedFd<'_>; 3] {
        [self.ended.as_fd(), self.term.as_fd(), self.int.as_fd()]
    }

    /// Who asked for the end since the last call.
    pub(super) fn take_stop(&self) -> Option<StopSignal> {
        let (term, int) = (drain(&self.term), drain(&self.int));
        match (term, int) {
            (true, _) => Some(StopSignal::Term),
            (false, true) => Some(StopSignal::Int),
            (false, false) => None,
        }
    }

    /// Takes every ended child: the worker, and orphans that the kernel gave to this subreaper.
    pub(super) fn reap(&self, each: impl FnMut(u32, WaitStatus)) {
        reap(&self.ended, each);
    }
}
