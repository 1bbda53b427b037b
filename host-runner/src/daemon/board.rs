//! The board as subscribers see it: numbered updates, each subscriber at its own pace.
//!
//! Nothing is ever queued for a subscriber. Each remembers which change it has seen; what it gets next is computed when
//! it can take it, so a slow one skips states, and one that is too far behind gets the whole board. Pure.

use board_protocol::{
    board::{BoardUpdate, Row, Warning, row_order},
    ids::{BoardSeq, SessionId},
};
use std::collections::{BTreeMap, VecDeque};

/// Most rows in one update: at about a kilobyte a row, well below the limit of a frame.
const MAX_UPDATE_ROWS: usize = 2_000;
/// Removals that are remembered; a subscriber that missed more gets the whole board.
const REMEMBERED_REMOVALS: usize = 4_096;

/// The newest board, with the number of the change that each part last had.
#[derive(Debug, Default)]
pub(super) struct Board {
    change: u64,
    rows: BTreeMap<SessionId, (u64, Row)>,
    removals: VecDeque<(u64, SessionId)>,
    /// Changes up to this one have removals that were forgotten.
    forgotten: u64,
    warnings: Vec<Warning>,
    warnings_change: u64,
}

/// What one subscriber has seen.
#[derive(Debug, Default)]
pub(super) struct Subscription {
    seen: Option<u64>,
}

/// Most parts of one update, so that each part has a number between those of two changes.
const MAX_PARTS: u64 = 4_096;

/// The number of the board after a change, `parts_left` parts before it is complete. It depends on nothing else: a
/// subscriber that comes back on a new connection meets the numbers that it knows, and a board never gets a lower one.
fn number(change: u64, parts_left: usize) -> BoardSeq {
    let parts_left = u64::try_from(parts_left).unwrap_or(MAX_PARTS).min(MAX_PARTS - 1);
    BoardSeq(change.saturating_add(1).saturating_mul(MAX_PARTS) - parts_left)
}

impl Board {
    /// Takes a change. Gives its number, or `None` when it changes nothing that can be seen.
    pub(super) fn apply(
        &mut self,
        upserted: Vec<Row>,
        removed: Vec<SessionId>,
        warnings: Option<Vec<Warning>>,
    ) -> Option<u64> {
        let change = self.change + 1;
        let mut visible = false;
        for row in upserted {
            if self.rows.get(&row.id).is_none_or(|(_, shown)| *shown != row) {
                self.rows.insert(row.id.clone(), (change, row));
                visible = true;
            }
        }
        for session in removed {
            if self.rows.remove(&session).is_some() {
                self.removals.push_back((change, session));
                visible = true;
            }
        }
        while self.removals.len() > REMEMBERED_REMOVALS {
            if let Some((number, _)) = self.removals.pop_front() {
                self.forgotten = number;
            }
        }
        if let Some(warnings) = warnings
            && warnings != self.warnings
        {
            self.warnings = warnings;
            self.warnings_change = change;
            visible = true;
        }
        visible.then(|| {
            self.change = change;
            change
        })
    }

    /// One row.
    pub(super) fn row(&self, session: &SessionId) -> Option<&Row> {
        self.rows.get(session).map(|(_, row)| row)
    }

    /// Every row, ordered as the board shows them.
    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.rows.values().map(|(_, row)| row.clone()).collect();
        rows.sort_by(row_order);
        rows
    }
}

impl Subscription {
    /// What brings the subscriber to the newest board: nothing, one update, or several where one would be too large.
    pub(super) fn catch_up(&mut self, board: &Board) -> Vec<BoardUpdate> {
        let seen = self.seen.filter(|seen| *seen >= board.forgotten);
        if seen == Some(board.change) {
            return Vec::new();
        }
        self.seen = Some(board.change);
        match seen {
            None => full(board),
            Some(seen) => delta(board, seen),
        }
    }
}

fn full(board: &Board) -> Vec<BoardUpdate> {
    let mut rows = board.rows();
    let rest = rows.split_off(rows.len().min(MAX_UPDATE_ROWS));
    let seq = number(board.change, rest.len().div_ceil(MAX_UPDATE_ROWS));
    let mut updates = vec![BoardUpdate::Full { seq, rows, warnings: board.warnings.clone() }];
    append(seq, board.change, rest, Vec::new(), None, &mut updates);
    updates
}

fn delta(board: &Board, seen: u64) -> Vec<BoardUpdate> {
    let changed = board.rows.values().filter(|(change, _)| *change > seen).map(|(_, row)| row.clone());
    let removed = board
        .removals
        .iter()
        .filter(|(change, session)| *change > seen && !board.rows.contains_key(session))
        .map(|(_, session)| session.clone());
    let warnings = (board.warnings_change > seen).then(|| board.warnings.clone());
    let mut updates = Vec::new();
    append(number(seen, 0), board.change, changed.collect(), removed.collect(), warnings, &mut updates);
    updates
}

/// Cuts what leads from `base` to the board after `change` into parts that fit a frame.
fn append(
    mut base: BoardSeq,
    change: u64,
    rows: Vec<Row>,
    mut removed: Vec<SessionId>,
    mut warnings: Option<Vec<Warning>>,
    updates: &mut Vec<BoardUpdate>,
) {
    let anything_else = !removed.is_empty() || warnings.is_some();
    let parts = rows.len().div_ceil(MAX_UPDATE_ROWS).max(usize::from(anything_else));
    let mut rows = rows.into_iter();
    for parts_left in (0..parts).rev() {
        let seq = number(change, parts_left);
        updates.push(BoardUpdate::Delta {
            base,
            seq,
            upserted: rows.by_ref().take(MAX_UPDATE_ROWS).collect(),
            removed: std::mem::take(&mut removed),
            warnings: warnings.take(),
        });
        base = seq;
    }
}

#[cfg(test)]
mod tests;
