//! Processes that sessions left behind, and hosts of this board without a row that they belong to.

use super::{Finding, Scene, daemon::Look};
use crate::orphans::Table;
use board_text::doctor as texts;

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
            .map(|(host, session)| texts::host_strange(host.process.pid, session))
            .collect();
        found.push(if strange.is_empty() {
            Finding::ok("hosts", texts::hosts_fine(table.hosts().len()))
        } else {
            Finding::warn("hosts", texts::hosts_without_row(strange.join(", ")), texts::hosts_advice())
        });
    }
    found
}

fn left_behind(table: &Table) -> Finding {
    let orphans = table.orphans();
    if orphans.is_empty() {
        return Finding::ok("orphans", texts::none());
    }
    let named: Vec<String> = orphans
        .iter()
        .take(MAX_NAMED)
        .map(|orphan| format!("{} {} ({})", orphan.process.pid, orphan.command, orphan.session))
        .collect();
    let more = if orphans.len() > MAX_NAMED { "; …" } else { "" };
    Finding::warn(
        "orphans",
        texts::orphans_left(orphans.len(), named.join("; "), more),
        texts::orphans_advice(),
    )
}
