//! Processes that sessions left behind, and hosts of this board without a row that they belong to.

use super::{Finding, Scene, daemon::Look, finding::count};
use crate::orphans::Table;

/// Most processes that one line names.
const MAX_NAMED: usize = 8;

/// Orphans from the process table; hosts only where a daemon tells which rows have one.
pub(super) fn check(scene: &Scene, look: &mut Look) -> Vec<Finding> {
    let Some(root) = scene.root() else { return Vec::new() };
    let table = Table::read(root.directory());
    let mut found = vec![left_behind(&table)];
    if let Look::Answers { client, .. } = look
        && let Ok(board) = client.board()
    {
        let strange: Vec<String> = table
            .hosts()
            .iter()
            // One whose program has no mark yet is just starting.
            .filter_map(|host| Some((host, host.session.as_ref()?)))
            .filter(|(_, session)| !board.rows.contains_key(*session))
            .map(|(host, session)| format!("pid {} (session {session})", host.process.pid))
            .collect();
        found.push(if strange.is_empty() {
            Finding::ok("hosts", format!("{}, each with its row", count(table.hosts().len() as u64, "host")))
        } else {
            Finding::warn(
                "hosts",
                format!("without a row: {}", strange.join(", ")),
                "They go on. To end one: kill PID; to end everything of this board: host-runner shutdown --kill-hosts",
            )
        });
    }
    found
}

fn left_behind(table: &Table) -> Finding {
    let orphans = table.orphans();
    if orphans.is_empty() {
        return Finding::ok("orphans", "none");
    }
    let named: Vec<String> = orphans
        .iter()
        .take(MAX_NAMED)
        .map(|orphan| format!("{} {} ({})", orphan.process.pid, orphan.command, orphan.session))
        .collect();
    let more = if orphans.len() > MAX_NAMED { "; …" } else { "" };
    Finding::warn(
        "orphans",
        format!("{} left behind: {}{more}", count(orphans.len() as u64, "process"), named.join("; ")),
        "Other sessions may use them. List them with their age: host-runner orphans; end them: host-runner orphans --kill",
    )
}
