//! Which processes belong to a session, and how they are ended.
//!
//! The tree is the program, its descendants and its own kernel session; it is ended by a stop. A stray carries the
//! session's mark in its environment but has left that tree on purpose: it is listed, never ended here (decision 16).

use crate::process::{self, Stat};
use board_protocol::{daemon::Stray, ids::ProcessIdentity, text};
use rustix::process::Signal;
use std::{collections::BTreeMap, fs};

/// Most strays that one report lists; a board cannot show more.
const MAX_STRAYS: usize = 64;
/// Widest command line of a stray in cells.
const MAX_COMMAND_COLUMNS: usize = 120;

/// The processes of one session.
#[derive(Debug)]
pub(crate) struct Tree {
    program: ProcessIdentity,
    /// `AGENT_BOARD_SESSION=<id>`, as it stands in an environment.
    mark: Vec<u8>,
    /// Everything that was seen in the tree, by pid: a member whose parent died is still a member.
    members: BTreeMap<u32, ProcessIdentity>,
}

impl Tree {
    /// The tree below a program that was just started.
    pub(crate) fn new(program: ProcessIdentity, session: &str) -> Self {
        let mark = format!("AGENT_BOARD_SESSION={session}").into_bytes();
        Self { program, mark, members: BTreeMap::from([(program.pid, program)]) }
    }

    /// Looks for new members and forgets dead ones. Returns whether any still runs.
    pub(crate) fn refresh(&mut self) -> bool {
        let table = process_table();
        self.members = members(&table, self.program, &self.members);
        !self.members.is_empty()
    }

    /// Signals every member that was seen at the last [`Tree::refresh`], each only if it is still the same process.
    pub(crate) fn signal(&self, signal: Signal) {
        for identity in self.members.values() {
            if let Err(error) = process::signal(*identity, signal) {
                tracing::warn!("cannot signal process {}: {error}", identity.pid);
            }
        }
    }

    /// Marked processes outside the tree that still run.
    pub(crate) fn strays(&self) -> Vec<Stray> {
        let own = std::process::id();
        let program = std::env::current_exe().ok();
        let mut found = Vec::new();
        for stat in process_table() {
            let pid = stat.identity.pid;
            if stat.state == 'Z' || pid == own || self.members.get(&pid) == Some(&stat.identity) {
                continue;
            }
            let exe = fs::read_link(format!("/proc/{pid}/exe")).ok();
            // A daemon that a command inside the session started serves every session.
            if exe.is_some() && exe == program {
                continue;
            }
            if carries(pid, &self.mark) {
                found.push(Stray { process: stat.identity, command: command_line(pid) });
            }
            if found.len() == MAX_STRAYS {
                break;
            }
        }
        found
    }

    /// Members that still run although the program ended: nobody asked to end them.
    pub(crate) fn survivors(&self) -> Vec<Stray> {
        self.members
            .values()
            .filter(|identity| process::is_running(**identity))
            .take(MAX_STRAYS)
            .map(|identity| Stray { process: *identity, command: command_line(identity.pid) })
            .collect()
    }
}

/// The members of the tree in a table of all processes; zombies do not run.
fn members(
    table: &[Stat],
    program: ProcessIdentity,
    known: &BTreeMap<u32, ProcessIdentity>,
) -> BTreeMap<u32, ProcessIdentity> {
    let mut inside: BTreeMap<u32, ProcessIdentity> = BTreeMap::new();
    let mut children: BTreeMap<u32, Vec<&Stat>> = BTreeMap::new();
    let mut open = Vec::new();
    // A new process under the program's pid: the program's session is empty, and this one is not ours.
    let reused = table.iter().any(|stat| stat.identity.pid == program.pid && stat.identity != program);
    for stat in table {
        children.entry(stat.parent).or_default().push(stat);
        let of_the_session = !reused && (stat.group == program.pid || stat.session == program.pid);
        if of_the_session || known.get(&stat.identity.pid) == Some(&stat.identity) {
            open.push(stat);
        }
    }
    while let Some(stat) = open.pop() {
        if inside.insert(stat.identity.pid, stat.identity).is_none() {
            open.extend(children.get(&stat.identity.pid).into_iter().flatten());
        }
    }
    inside.retain(|pid, _| table.iter().any(|stat| stat.identity.pid == *pid && stat.state != 'Z'));
    inside
}

fn process_table() -> Vec<Stat> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| process::stat(entry.file_name().to_string_lossy().parse().ok()?))
        .collect()
}

fn carries(pid: u32, mark: &[u8]) -> bool {
    fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|all| all.split(|byte| *byte == 0).any(|var| var == mark))
}

fn command_line(pid: u32) -> String {
    let mut bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    for byte in &mut bytes {
        if *byte == 0 {
            *byte = b' ';
        }
    }
    text::plain_within(&String::from_utf8_lossy(&bytes), MAX_COMMAND_COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(pid: u32, parent: u32, session: u32, state: char) -> Stat {
        let identity = ProcessIdentity { pid, start_ticks: u64::from(pid) };
        Stat { identity, parent, group: session, session, state }
    }

    fn pids(table: &[Stat], known: &[u32]) -> Vec<u32> {
        let program = ProcessIdentity { pid: 10, start_ticks: 10 };
        let known = known
            .iter()
            .map(|pid| (*pid, ProcessIdentity { pid: *pid, start_ticks: u64::from(*pid) }))
            .collect();
        members(table, program, &known).into_keys().collect()
    }

    #[test]
    fn descendants_of_another_session_belong_to_the_tree_and_reparented_ones_do_not() {
        let table = [
            stat(1, 0, 1, 'S'),
            stat(5, 1, 5, 'S'),
            stat(10, 5, 10, 'S'),
            stat(11, 10, 10, 'S'),
            // A descendant with a session of its own.
            stat(12, 11, 12, 'S'),
            stat(13, 12, 12, 'S'),
            // Left the tree: own session, adopted by the host.
            stat(14, 5, 14, 'S'),
            // Same session, its parent died.
            stat(15, 5, 10, 'S'),
            stat(16, 11, 10, 'Z'),
        ];
        assert_eq!(pids(&table, &[10]), [10, 11, 12, 13, 15]);
    }

    #[test]
    fn a_known_member_stays_one_when_its_parents_die_and_a_reused_pid_does_not() {
        let mut reused = stat(12, 1, 12, 'S');
        reused.identity.start_ticks = 999;
        let table = [stat(13, 5, 12, 'S'), reused];
        assert_eq!(pids(&table, &[10, 12, 13]), [13]);
    }

    #[test]
    fn f12_a_reused_pid_of_the_program_does_not_make_a_stranger_a_member() {
        let mut stranger = stat(10, 1, 10, 'S');
        stranger.identity.start_ticks = 999;
        assert_eq!(pids(&[stranger, stat(17, 10, 10, 'S')], &[10]), [0_u32; 0]);
    }
}
