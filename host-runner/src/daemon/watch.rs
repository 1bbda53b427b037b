//! Notices at once that a host's process ended, whoever started it: through a file descriptor that names exactly that
//! process. Where the kernel has none to give, the tick notices it a little later.

use super::shell::Shell;
use crate::{
    coordinator::{Input, Ticket},
    kernel, process,
};
use board_protocol::ids::{ProcessIdentity, SessionId};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::{os::fd::OwnedFd, rc::Rc, time::Duration};
use tokio::io::unix::AsyncFd;

/// How soon a session is looked at again.
const MOMENT: Duration = Duration::from_millis(100);

/// Waits for the end of a process and says so.
pub(super) async fn until_end(shell: Rc<Shell>, session: SessionId, process: ProcessIdentity) {
    let descriptor = open(process);
    // The descriptor names whoever had the pid when it was opened: only now is it known that this was the host.
    if process::is_running(process) {
        match descriptor {
            Some(descriptor) => {
                let _ = descriptor.readable().await;
            }
            None => {
                shell.unwatch(process);
                return;
            }
        }
    }
    shell.unwatch(process);
    let _ = shell.inbox.send(Input::HostEnded { session }).await;
}

/// Asks for another look.
pub(super) async fn a_moment_later(shell: Rc<Shell>, session: SessionId) {
    tokio::time::sleep(MOMENT).await;
    let _ = shell.inbox.send(Input::HostEnded { session }).await;
}

/// Says that something is due to be shown.
pub(super) async fn show_later(shell: Rc<Shell>, session: SessionId, after_ms: u64) {
    tokio::time::sleep(Duration::from_millis(after_ms)).await;
    let _ = shell.inbox.send(Input::ShowDue { session }).await;
}

/// Says that hosts have had their time.
pub(super) async fn skip_later(shell: Rc<Shell>, ticket: Ticket, after_ms: u64) {
    tokio::time::sleep(Duration::from_millis(after_ms)).await;
    let _ = shell.inbox.send(Input::SkipDue { ticket }).await;
}

/// Says that a state has lasted.
pub(super) async fn notice_later(shell: Rc<Shell>, session: SessionId, number: u64, after_ms: u64) {
    tokio::time::sleep(Duration::from_millis(after_ms)).await;
    let _ = shell.inbox.send(Input::NoticeDue { session, number }).await;
}

fn open(process: ProcessIdentity) -> Option<AsyncFd<OwnedFd>> {
    let pid = i32::try_from(process.pid).ok().and_then(Pid::from_raw)?;
    let descriptor = pidfd_open(pid, PidfdFlags::NONBLOCK).ok()?;
    kernel::readable(descriptor)
}
