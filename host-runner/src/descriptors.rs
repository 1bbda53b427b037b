//! File descriptors that came with this process, and those that tokio has no type for. The one file of this crate with
//! `unsafe` in it.
//!
//! Called by the long-lived roles when they begin, and by the daemon's watch over processes. It never closes anything.

#![expect(unsafe_code, reason = "descriptors that no safe type stands for")]

use rustix::io::{FdFlags, fcntl_setfd};
use std::{
    fs, io,
    os::fd::{BorrowedFd, OwnedFd},
};
use tokio::io::{Interest, unix::AsyncFd};

/// The first descriptor that is not standard input, output or error.
const FIRST_INHERITED: i32 = 3;

/// Keeps descriptors that this process was given from those that it starts. A script that starts the daemon while it
/// has a lock or a pipe open would otherwise never get it back: the daemon and every agent would have it, too.
///
/// # Errors
/// `/proc` cannot be read.
pub fn keep_from_children() -> io::Result<()> {
    for entry in fs::read_dir("/proc/self/fd")? {
        let Ok(number) = entry?.file_name().to_string_lossy().parse::<i32>() else { continue };
        if number >= FIRST_INHERITED {
            // SAFETY: the number is borrowed for this call only. If it is closed by now, or was the directory that is
            // being read, the kernel says so or a flag is set that is set already.
            let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
            let _ = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
        }
    }
    Ok(())
}

/// A descriptor whose readiness tokio waits for. `None` where the kernel cannot wait for it.
pub fn readable(descriptor: OwnedFd) -> Option<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` names the same open descriptor as long as it lives, and nothing replaces it while it is
    // registered: the registration owns it.
    unsafe { AsyncFd::register_with_interest(descriptor, Interest::READABLE) }.ok()
}
