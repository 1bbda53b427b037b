//! Signals as bytes on two pipes, so that the one `poll` of the loop sees them.

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

/// The signals that a host listens to.
#[derive(Debug)]
pub(super) struct Signals {
    ended: UnixStream,
    stop: UnixStream,
}

impl Signals {
    /// Installs the handlers. Done before anything of the session can be seen, so that a stop at any later moment is
    /// kept (invariant: no non-terminal state before the process that would honour a stop can receive it).
    pub(super) fn install() -> io::Result<Self> {
        let (ended, stop) = (caught(&[SIGCHLD])?, caught(&[SIGTERM, SIGINT])?);
        // Hosts outlive terminals. A handler, not SIG_IGN: the program would inherit that.
        signal_hook::flag::register(SIGHUP, Arc::new(AtomicBool::new(false)))?;
        Ok(Self { ended, stop })
    }

    /// Readable when a child ended.
    pub(super) fn child_fd(&self) -> BorrowedFd<'_> {
        self.ended.as_fd()
    }

    /// Readable when somebody asked to stop.
    pub(super) fn stop_fd(&self) -> BorrowedFd<'_> {
        self.stop.as_fd()
    }

    /// Whether a stop was asked for since the last call.
    pub(super) fn take_stop(&self) -> bool {
        drain(&self.stop)
    }

    /// Takes every ended child: the program, and orphans that the kernel gave to this subreaper.
    pub(super) fn reap(&self, each: impl FnMut(u32, WaitStatus)) {
        reap(&self.ended, each);
    }
}
