//! Processes told apart for certain: a pid together with its start time, read from `/proc`.
//!
//! A pid alone is reused (field report F12): whoever signals a process names its identity, through [`signal`].

use board_protocol::ids::ProcessIdentity;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::{fs, io, sync::OnceLock};

/// What `/proc/<pid>/stat` says, as far as we need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// The process.
    pub identity: ProcessIdentity,
    /// Its parent.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// Its session (in the kernel's sense).
    pub session: u32,
    /// The state letter: `Z` is dead and not reaped yet.
    pub state: char,
}

/// This process. Read once: a process that could change it would be another one.
pub fn own_identity() -> ProcessIdentity {
    static OWN: OnceLock<ProcessIdentity> = OnceLock::new();
    let pid = std::process::id();
    *OWN.get_or_init(|| stat(pid).map_or(ProcessIdentity { pid, start_ticks: 0 }, |stat| stat.identity))
}

/// The process that has this pid now, zombies included.
pub fn stat(pid: u32) -> Option<Stat> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The identity of the process that has this pid now, unless it is dead.
pub fn identify(pid: u32) -> Option<ProcessIdentity> {
    stat(pid).filter(|stat| stat.state != 'Z').map(|stat| stat.identity)
}

/// Whether exactly this process still runs. A zombie does not run.
pub fn is_running(identity: ProcessIdentity) -> bool {
    identify(identity.pid) == Some(identity)
}

/// Signals exactly this process, through a descriptor of it, so that a reused pid is never hit (field report F12). One
/// that is gone is no error.
///
/// # Errors
/// The kernel gives no descriptor, or this user may not signal it.
pub fn signal(identity: ProcessIdentity, signal: Signal) -> io::Result<()> {
    let Some(pid) = i32::try_from(identity.pid).ok().and_then(Pid::from_raw) else { return Ok(()) };
    let fd = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(fd) => fd,
        Err(rustix::io::Errno::SRCH) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    // The descriptor is of whoever has the pid now: look after opening it.
    if stat(identity.pid).map(|stat| stat.identity) != Some(identity) {
        return Ok(());
    }
    match pidfd_send_signal(&fd, signal) {
        Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn parse_stat(line: &str) -> Option<Stat> {
    // The command name may hold spaces and parentheses: fields count from the last ')'.
    let (head, rest) = line.rsplit_once(')')?;
    let pid = head.split_once(' ')?.0.parse().ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let session = fields.next()?.parse().ok()?;
    // Field 22 of the line; the state above is field 3.
    let start_ticks = fields.nth(15)?.parse().ok()?;
    Some(Stat { identity: ProcessIdentity { pid, start_ticks }, parent, group, session, state })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_itself_and_a_reused_pid_is_another_process() {
        let own = own_identity();
        assert!(own.start_ticks > 0);
        assert!(is_running(own));
        assert!(!is_running(ProcessIdentity { start_ticks: own.start_ticks + 1, ..own }));
    }

    #[test]
    fn a_command_name_may_contain_anything() {
        let line = "42 (a) b ( c) S 7 8 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 777 1 2";
        let stat = parse_stat(line).unwrap();
        assert_eq!((stat.identity.pid, stat.identity.start_ticks), (42, 777));
        assert_eq!((stat.state, stat.parent, stat.group, stat.session), ('S', 7, 8, 9));
        for broken in ["", "42", "42 (x)", "42 (x) S", "x (x) S 1 2 3"] {
            assert_eq!(parse_stat(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn a_pid_that_now_belongs_to_another_process_is_not_signalled() {
        let mut other = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let identity = identify(other.id()).unwrap();
        let stale = ProcessIdentity { start_ticks: identity.start_ticks + 1, ..identity };
        signal(stale, Signal::KILL).unwrap();
        assert!(is_running(identity), "f12: an unrelated process was killed");
        signal(identity, Signal::KILL).unwrap();
        other.wait().unwrap();
    }
}
