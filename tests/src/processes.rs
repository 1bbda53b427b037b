//! Who runs in a world: every process that carries the world's mark in its environment, whatever became of its parents.
//! Nothing is signalled that does not carry the mark at that moment.

use board_protocol::ids::ProcessIdentity;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::{fs, path::PathBuf};

/// The variable that marks the processes of a world.
pub const MARK: &str = "AGENT_BOARD_E2E_WORLD";

/// One process of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Which.
    pub identity: ProcessIdentity,
    /// Its parent.
    pub parent: u32,
    /// Its session in the kernel's sense.
    pub session: u32,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// What it runs, from `/proc/<pid>/exe`.
    pub executable: PathBuf,
}

impl Process {
    /// Program name and arguments in one line, for predicates and reports.
    pub fn line(&self) -> String {
        self.argv.join(" ")
    }

    /// Whether it runs `host-runner` in this role (its first argument that is no option).
    pub fn is_runner(&self, role: &str) -> bool {
        let name = self.executable.file_name().is_some_and(|name| name == "host-runner");
        name && self.argv.iter().skip(1).any(|word| word == role)
    }

    /// Whether it is a zellij server.
    pub fn is_zellij_server(&self) -> bool {
        self.is_zellij() && self.argv.iter().any(|word| word == "--server")
    }

    /// Whether it is a `zellij pipe` child.
    pub fn is_zellij_pipe(&self) -> bool {
        self.is_zellij() && self.argv.iter().any(|word| word == "pipe")
    }

    fn is_zellij(&self) -> bool {
        self.executable.file_name().is_some_and(|name| name == "zellij")
    }

    /// Whether exactly this process still runs; a zombie does not.
    pub fn runs(&self) -> bool {
        runs(self.identity)
    }

    /// Its environment variable, as of its start.
    pub fn variable(&self, name: &str) -> Option<String> {
        let environment = fs::read(format!("/proc/{}/environ", self.identity.pid)).ok()?;
        let prefix = format!("{name}=");
        environment
            .split(|byte| *byte == 0)
            .find_map(|entry| entry.strip_prefix(prefix.as_bytes()))
            .map(|value| String::from_utf8_lossy(value).into_owned())
    }

    /// How many file descriptors it has open.
    pub fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.identity.pid)).map_or(0, Iterator::count)
    }
}

/// Whether exactly this process still runs; a zombie does not.
pub fn runs(identity: ProcessIdentity) -> bool {
    stat(identity.pid).is_some_and(|stat| stat.start_ticks == identity.start_ticks && stat.state != 'Z')
}

/// The process of this test.
///
/// # Panics
/// There is no `/proc`.
pub fn own_identity() -> ProcessIdentity {
    let pid = std::process::id();
    ProcessIdentity { pid, start_ticks: stat(pid).expect("this process is in /proc").start_ticks }
}

/// Every live process that carries this mark.
pub(crate) fn marked(mark: &str) -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let mut found: Vec<Process> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| carries(*pid, mark))
        .filter_map(describe)
        .collect();
    found.sort_by_key(|process| (process.identity.start_ticks, process.identity.pid));
    found
}

/// Without those that were forked just now: until such a one runs its own program it looks like its parent, and would be
/// counted as another link, host or daemon.
pub(crate) fn without_twins(all: Vec<Process>) -> Vec<Process> {
    let twin = |process: &Process| {
        let parent = all.iter().find(|other| other.identity.pid == process.parent);
        parent.is_some_and(|parent| parent.argv == process.argv && parent.executable == process.executable)
    };
    all.iter().filter(|process| !twin(process)).cloned().collect()
}

/// Sends a signal to exactly this process, if it carries the mark. Whether it was sent.
pub(crate) fn signal(identity: ProcessIdentity, mark: &str, signal: Signal) -> bool {
    let Some(pid) = i32::try_from(identity.pid).ok().and_then(Pid::from_raw) else { return false };
    // The descriptor pins the process first: what is checked below is what gets the signal.
    let Ok(pinned) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    let same = stat(identity.pid).is_some_and(|stat| stat.start_ticks == identity.start_ticks);
    same && carries(identity.pid, mark) && pidfd_send_signal(&pinned, signal).is_ok()
}

fn carries(pid: u32, mark: &str) -> bool {
    let wanted = format!("{MARK}={mark}");
    fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|environment| environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes()))
}

fn describe(pid: u32) -> Option<Process> {
    let stat = stat(pid).filter(|stat| stat.state != 'Z')?;
    let argv = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let argv = argv.strip_suffix(&[0]).unwrap_or(&argv);
    Some(Process {
        identity: ProcessIdentity { pid, start_ticks: stat.start_ticks },
        parent: stat.parent,
        session: stat.session,
        argv: argv.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect(),
        executable: fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default(),
    })
}

struct Stat {
    state: char,
    parent: u32,
    session: u32,
    start_ticks: u64,
}

fn stat(pid: u32) -> Option<Stat> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold anything: fields count from the last ')'.
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        start_ticks: fields.get(19)?.parse().ok()?,
    })
}
