//! Processes that carry a session's mark but left its tree, and hosts of this board, found in the process table
//! (decision 16, field report G1).
//!
//! Called by `host-runner orphans`, `shutdown --kill-hosts` and the doctor. It asks nobody and opens no store: it works
//! for sessions that ended, were removed, or that a lost store knows nothing of. What it signals it signals by identity.

use crate::{
    model::redacted,
    process::{self, Stat},
    program::own_program,
};
use board_protocol::{
    ids::{ProcessIdentity, SessionId},
    text::plain_within,
};
use board_text::orphans as texts;
use rustix::process::Signal;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Widest command line in cells.
const MAX_COMMAND_COLUMNS: usize = 120;
/// Most bytes of a command line that are read: what is shown is far shorter.
const MAX_COMMAND_BYTES: u64 = 4096;
/// Most processes that one look lists: a person ends no more one by one.
const MAX_LISTED: usize = 1_000;
/// How long a process may take to end after SIGTERM (decision 13).
const TERM_GRACE: Duration = Duration::from_secs(4);
/// How long the kernel may take to end one after SIGKILL.
const KILL_GRACE: Duration = Duration::from_secs(3);
/// How often their end is looked for.
const POLL: Duration = Duration::from_millis(20);

/// One process outside its session's tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Orphan {
    /// The session whose mark it carries.
    pub(crate) session: SessionId,
    /// The process.
    pub(crate) process: ProcessIdentity,
    /// How long it has run, in milliseconds; `None` when the kernel does not say.
    pub(crate) age_ms: Option<u64>,
    /// Its command line, without secrets, cut.
    pub(crate) command: String,
}

/// One host of this board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundHost {
    /// The host.
    pub(crate) process: ProcessIdentity,
    /// Its program.
    pub(crate) program: Option<ProcessIdentity>,
    /// The session that its program belongs to.
    pub(crate) session: Option<SessionId>,
}

/// What the process table says about one board.
#[derive(Debug, Default)]
pub(crate) struct Table {
    stats: Vec<Stat>,
    /// Every process with a mark of this board, and the session that it names.
    marked: BTreeMap<u32, SessionId>,
    hosts: Vec<FoundHost>,
    /// The processes of headless runs: what descends from one works.
    runs: BTreeSet<u32>,
    /// Our own program in any role.
    ours: BTreeSet<u32>,
}

impl Table {
    /// Looks at every process of this user.
    pub(crate) fn read(root: &Path) -> Self {
        let mut table = Self::default();
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let own = own_program().ok().and_then(|path| path.canonicalize().ok());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        table.stats = entries
            .filter_map(|entry| process::stat(entry.file_name().to_string_lossy().parse().ok()?))
            .filter(|stat| stat.state != 'Z')
            .collect();
        let mut host_pids = BTreeSet::new();
        for stat in &table.stats {
            let pid = stat.identity.pid;
            // Another user's environment cannot be read: not ours.
            let Ok(environment) = fs::read(format!("/proc/{pid}/environ")) else { continue };
            let of_this_root = value(&environment, "AGENT_BOARD_ROOT=").is_some_and(|theirs| {
                let theirs = PathBuf::from(theirs);
                theirs.canonicalize().unwrap_or(theirs) == root
            });
            if !of_this_root {
                continue;
            }
            if let Some(role) = role(pid, own.as_deref()) {
                table.ours.insert(pid);
                match role.as_str() {
                    "host" => {
                        host_pids.insert(pid);
                    }
                    "run" => {
                        table.runs.insert(pid);
                    }
                    _ => {}
                }
            }
            if let Some(session) =
                value(&environment, "AGENT_BOARD_SESSION=").and_then(|id| SessionId::parse(&id))
            {
                table.marked.insert(pid, session);
            }
        }
        table.hosts = host_pids.iter().filter_map(|pid| table.host(*pid)).collect();
        table
    }

    /// The hosts of this board that run.
    pub(crate) fn hosts(&self) -> &[FoundHost] {
        &self.hosts
    }

    /// A host, with the oldest of its children: what it adopts later is younger.
    fn host(&self, pid: u32) -> Option<FoundHost> {
        let process = self.stats.iter().find(|stat| stat.identity.pid == pid)?.identity;
        let children = self.stats.iter().filter(|stat| stat.parent == pid).map(|stat| stat.identity);
        let program = children.min_by_key(|child| (child.start_ticks, child.pid));
        let session = program.and_then(|program| self.marked.get(&program.pid).cloned());
        Some(FoundHost { process, program, session })
    }

    /// The processes that left their session's tree, by session and age.
    pub(crate) fn orphans(&self) -> Vec<Orphan> {
        let inside = self.inside();
        let uptime = uptime_ms();
        let mut found: Vec<Orphan> = self
            .stats
            .iter()
            .filter(|stat| !inside.contains(&stat.identity.pid) && !self.ours.contains(&stat.identity.pid))
            .filter_map(|stat| {
                Some(Orphan {
                    session: self.marked.get(&stat.identity.pid)?.clone(),
                    process: stat.identity,
                    age_ms: uptime.and_then(|now| Some(now.saturating_sub(started_ms(stat)?))),
                    command: command_line(stat.identity.pid),
                })
            })
            .collect();
        found.sort_by(|a, b| {
            (&a.session, a.process.start_ticks, a.process.pid).cmp(&(
                &b.session,
                b.process.start_ticks,
                b.process.pid,
            ))
        });
        found.truncate(MAX_LISTED);
        found
    }

    /// Everything that belongs to a session that runs: its program, or the process of its run, what descends from that, and its
    /// kernel session; and,
    /// because it asks, this very process with everything above it.
    fn inside(&self) -> BTreeSet<u32> {
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let programs: BTreeSet<u32> =
            self.hosts.iter().filter_map(|host| host.program).map(|program| program.pid).collect();
        let mut open: Vec<u32> = Vec::new();
        for stat in &self.stats {
            let pid = stat.identity.pid;
            children.entry(stat.parent).or_default().push(pid);
            let of_one = |pid: &u32| programs.contains(pid) || self.runs.contains(pid);
            if of_one(&pid) || of_one(&stat.group) || of_one(&stat.session) {
                open.push(pid);
            }
        }
        let mut inside = BTreeSet::new();
        while let Some(pid) = open.pop() {
            if inside.insert(pid) {
                open.extend(children.get(&pid).into_iter().flatten());
            }
        }
        let parents: BTreeMap<u32, u32> =
            self.stats.iter().map(|stat| (stat.identity.pid, stat.parent)).collect();
        let mut above = Some(std::process::id());
        while let Some(pid) = above
            && pid > 1
            && inside.insert(pid)
        {
            above = parents.get(&pid).copied();
        }
        inside
    }
}

/// Ends processes: SIGTERM, four seconds, SIGKILL, each only while it is still exactly this one. Gives those that run on.
pub(crate) fn end(processes: &[ProcessIdentity]) -> Vec<ProcessIdentity> {
    let mut left = processes.to_vec();
    for (signal, grace) in [(Signal::TERM, TERM_GRACE), (Signal::KILL, KILL_GRACE)] {
        for process in &left {
            send(*process, signal);
            // A stopped process takes SIGTERM only once it goes on.
            if signal == Signal::TERM {
                send(*process, Signal::CONT);
            }
        }
        let deadline = Instant::now() + grace;
        loop {
            left.retain(|process| process::is_running(*process));
            if left.is_empty() || Instant::now() >= deadline {
                break;
            }
            std::thread::sleep(POLL);
        }
    }
    left
}

/// Ends hosts that nobody gives orders to: each ends its own program first, within the time that it was told, and is
/// given that time before SIGKILL.
pub(crate) fn end_hosts(hosts: &[ProcessIdentity], grace: Duration) -> Vec<ProcessIdentity> {
    for host in hosts {
        send(*host, Signal::TERM);
    }
    let deadline = Instant::now() + grace + KILL_GRACE;
    let mut left = hosts.to_vec();
    loop {
        left.retain(|host| process::is_running(*host));
        if left.is_empty() {
            return left;
        }
        if Instant::now() >= deadline {
            return end(&left);
        }
        std::thread::sleep(POLL);
    }
}

fn send(process: ProcessIdentity, signal: Signal) {
    if let Err(error) = process::signal(process, signal) {
        tracing::warn!("cannot signal process {}: {error}", process.pid);
    }
}

/// The value of a variable in an environment as `/proc` has it.
fn value(environment: &[u8], beginning: &str) -> Option<String> {
    let found =
        environment.split(|byte| *byte == 0).find_map(|all| all.strip_prefix(beginning.as_bytes()))?;
    String::from_utf8(found.to_vec()).ok()
}

/// The role of a process that runs our program, in this build or in one that was replaced: its first argument.
fn role(pid: u32, own: Option<&Path>) -> Option<String> {
    let exe = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let theirs = name(&exe)?;
    let ours = name(own?)?;
    if theirs.strip_suffix(" (deleted)").unwrap_or(&theirs) != ours {
        return None;
    }
    let arguments = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let role = arguments.split(|byte| *byte == 0).nth(1).unwrap_or_default();
    Some(String::from_utf8_lossy(role).into_owned())
}

/// A process's command line for people: plain, without secrets, cut.
pub(crate) fn command_line(pid: u32) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(format!("/proc/{pid}/cmdline")) {
        // A process that ends meanwhile has the part of a command line that was read.
        let _ = file.take(MAX_COMMAND_BYTES).read_to_end(&mut bytes);
    }
    for byte in &mut bytes {
        if *byte == 0 {
            *byte = b' ';
        }
    }
    plain_within(redacted(&String::from_utf8_lossy(&bytes)).trim_end(), MAX_COMMAND_COLUMNS)
}

/// Since the machine was started, in milliseconds.
fn uptime_ms() -> Option<u64> {
    let text = fs::read_to_string("/proc/uptime").ok()?;
    let (whole, part) = text.split_whitespace().next()?.split_once('.')?;
    Some(whole.parse::<u64>().ok()? * 1000 + part.parse::<u64>().ok()? * 10)
}

/// When a process began, on the same clock. `/proc` counts in hundredths of a second on every Linux that we know
/// (`USER_HZ`, `proc_pid_stat(5)`).
fn started_ms(stat: &Stat) -> Option<u64> {
    stat.identity.start_ticks.checked_mul(10)
}

/// What went wrong when processes were to end.
///
/// # Errors
/// Names those that still run.
pub(crate) fn all_ended(left: &[ProcessIdentity]) -> io::Result<()> {
    if left.is_empty() {
        return Ok(());
    }
    let pids: Vec<String> = left.iter().map(|process| process.pid.to_string()).collect();
    Err(io::Error::other(texts::do_not_end(pids.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(pid: u32, parent: u32, session: u32) -> Stat {
        let identity = ProcessIdentity { pid, start_ticks: u64::from(pid) };
        Stat { identity, parent, group: session, session, state: 'S' }
    }

    fn table(stats: Vec<Stat>, marked: &[u32], ours: &[u32], hosts: &[u32]) -> Table {
        let session = SessionId("00000000aa".into());
        let marked = marked.iter().map(|pid| (*pid, session.clone())).collect();
        let ours = ours.iter().copied().collect();
        let mut table = Table { stats, marked, ours, ..Table::default() };
        table.hosts = hosts.iter().filter_map(|pid| table.host(*pid)).collect();
        table
    }

    fn pids(table: &Table) -> Vec<u32> {
        table.orphans().into_iter().map(|orphan| orphan.process.pid).collect()
    }

    // Field report G1: what still descends from a live session, in whatever kernel session, belongs to it.
    #[test]
    fn g1_only_what_left_the_tree_of_a_live_session_is_an_orphan() {
        let stats = vec![
            stat(100, 1, 100),
            // The program, its child, a grandchild with a session of its own.
            stat(101, 100, 101),
            stat(102, 101, 101),
            stat(103, 102, 103),
            // Same kernel session, its parent died.
            stat(104, 100, 101),
            // Left on purpose: adopted by the host.
            stat(105, 100, 105),
            // A process of the board itself, started inside the session.
            stat(106, 1, 106),
            // Somebody else's.
            stat(107, 1, 107),
        ];
        let marked = [101, 102, 103, 104, 105, 106];
        assert_eq!(pids(&table(stats.clone(), &marked, &[100, 106], &[100])), [105]);
        // Its host is gone: nothing of it belongs to a live session.
        let alone: Vec<Stat> = stats.into_iter().filter(|stat| stat.identity.pid != 100).collect();
        assert_eq!(pids(&table(alone, &marked, &[106], &[])), [101, 102, 103, 104, 105]);
    }

    // What works without a terminal was listed, and ended, as if somebody had left it behind.
    #[test]
    fn g1_what_a_headless_run_started_works_and_is_no_orphan() {
        let stats = vec![
            // The process of the run, its worker in a group of its own, and what that runs.
            stat(100, 1, 100),
            stat(101, 100, 101),
            stat(102, 101, 102),
            // It left: nobody's child any more.
            stat(103, 1, 103),
        ];
        let mut found = table(stats, &[101, 102, 103], &[100], &[]);
        found.runs.insert(100);
        assert_eq!(pids(&found), [103]);
    }

    #[test]
    fn a_value_is_found_by_its_whole_name() {
        let environment = b"XAGENT_BOARD_ROOT=/x\0AGENT_BOARD_ROOT=/y\0";
        assert_eq!(value(environment, "AGENT_BOARD_ROOT=").as_deref(), Some("/y"));
        assert_eq!(value(b"", "AGENT_BOARD_ROOT="), None);
    }
}
