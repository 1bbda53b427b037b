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
    number: BoardSeq,
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
            None => self.full(board),
            Some(seen) => self.delta(board, seen),
        }
    }

    fn full(&mut self, board: &Board) -> Vec<BoardUpdate> {
        let mut rows = board.rows();
        let rest = rows.split_off(rows.len().min(MAX_UPDATE_ROWS));
        self.number = self.number.next();
        let mut updates =
            vec![BoardUpdate::Full { seq: self.number, rows, warnings: board.warnings.clone() }];
        self.append(rest, Vec::new(), None, &mut updates);
        updates
    }

    fn delta(&mut self, board: &Board, seen: u64) -> Vec<BoardUpdate> {
        let changed = board.rows.values().filter(|(change, _)| *change > seen).map(|(_, row)| row.clone());
        let removed = board
            .removals
            .iter()
            .filter(|(change, session)| *change > seen && !board.rows.contains_key(session))
            .map(|(_, session)| session.clone());
        let warnings = (board.warnings_change > seen).then(|| board.warnings.clone());
        let mut updates = Vec::new();
        self.append(changed.collect(), removed.collect(), warnings, &mut updates);
        updates
    }

    fn append(
        &mut self,
        rows: Vec<Row>,
        mut removed: Vec<SessionId>,
        mut warnings: Option<Vec<Warning>>,
        updates: &mut Vec<BoardUpdate>,
    ) {
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() || !removed.is_empty() || warnings.is_some() {
            let base = self.number;
            self.number = base.next();
            updates.push(BoardUpdate::Delta {
                base,
                seq: self.number,
                upserted: rows.by_ref().take(MAX_UPDATE_ROWS).collect(),
                removed: std::mem::take(&mut removed),
                warnings: warnings.take(),
            });
        }
    }
}

#[cfg(test)]
mod tests;
