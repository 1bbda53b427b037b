//! What safe libraries do not have: closing what a starter left open, tying a program to its starter, giving freed memory
//! back, the local time of day, and waiting in tokio for a descriptor that it has no type for.
//!
//! Called by long-lived roles only. The one file of this crate with `unsafe` in it.

#![expect(
    unsafe_code,
    reason = "descriptors by number and one call of the C library; each block says why it is sound"
)]

use board_protocol::ids::UnixMs;
use rustix::{fd::RawFd, process::Signal};
use std::{
    fs,
    os::{
        fd::{FromRawFd, OwnedFd},
        unix::process::CommandExt,
    },
    process::Command,
};
use tokio::io::{Interest, unix::AsyncFd};

/// The first descriptor that is not a standard stream.
const FIRST: RawFd = 3;

/// Closes every descriptor but the standard streams.
///
/// Whoever starts a session may have descriptors open that are not closed on exec: a lock that `flock` holds, the pipe of a
/// `$(…)`. A daemon, host or agent that kept them would hold the lock for months, or keep the script waiting. Called
/// first in a process, before it opens anything of its own.
pub fn close_inherited() {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return };
    let open: Vec<RawFd> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for fd in open.into_iter().filter(|fd| *fd >= FIRST) {
        // The list itself was read through a descriptor, which is closed by now.
        if fs::symlink_metadata(format!("/proc/self/fd/{fd}")).is_ok() {
            // SAFETY: the descriptor is open, and nothing in this process owns it: this runs before anything is opened.
            drop(unsafe { OwnedFd::from_raw_fd(fd) });
        }
    }
}

/// Has a program that is started get SIGTERM when the thread that starts it ends, however that is (`prctl(2)`,
/// `PR_SET_PDEATHSIG`): the worker of a run that was killed must not work on unseen.
pub fn ends_with_its_starter(command: &mut Command) {
    let starter = std::process::id();
    let hook = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
        // It may have ended before the line above.
        if rustix::process::getppid().is_some_and(|parent| parent.as_raw_pid().unsigned_abs() == starter) {
            Ok(())
        } else {
            Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe))
        }
    };
    // SAFETY: between fork and exec the hook makes two system calls, and neither allocates nor locks anything: its error
    // is a number.
    unsafe {
        command.pre_exec(hook);
    }
}

/// Gives memory that is free but kept by the allocator back to the system: after a flood, most of a host's.
pub fn return_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: `malloc_trim` has no preconditions; it only releases pages that no allocation uses.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Freed memory up to this size stays with the allocator until [`return_memory`]: what a flood's buffers and lines need again a
/// moment later.
#[cfg(target_env = "gnu")]
const KEPT_FREE_BYTES: libc::c_int = 4 * 1024 * 1024;

/// Has the allocator keep what is freed. A flood would otherwise have the kernel take back and clear the same pages a hundred
/// times a second, which was a fifth of a host's time. For processes that call [`return_memory`] when they come to rest.
pub fn keep_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: `mallopt` only sets numbers of the allocator, and may be called at any time.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_FREE_BYTES);
        libc::mallopt(libc::M_MMAP_THRESHOLD, KEPT_FREE_BYTES);
    }
}

/// The minute of the local day at a moment, by the zone of this process (`TZ`, else the machine's). `None` where the C
/// library cannot tell.
pub fn minute_of_day(at: UnixMs) -> Option<u16> {
    let seconds = libc::time_t::try_from(at.0 / 1000).ok()?;
    // SAFETY: all bits zero is a valid `tm`: numbers, and a pointer that nobody follows.
    let mut local: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to values of ours that live through the call; the result is the second one or null. The
    // zone's data are the library's own, guarded by its lock; it reads `TZ`, which no thread of ours ever sets.
    let known = !unsafe { libc::localtime_r(&raw const seconds, &raw mut local) }.is_null();
    let minute = u16::try_from(local.tm_hour * 60 + local.tm_min).ok()?;
    known.then_some(minute)
}

/// A descriptor whose readiness tokio waits for. `None` where the kernel cannot wait for it.
pub fn readable(descriptor: OwnedFd) -> Option<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` names the same open descriptor as long as it lives, and nothing replaces it while it is
    // registered: the registration owns it.
    unsafe { AsyncFd::register_with_interest(descriptor, Interest::READABLE) }.ok()
}
