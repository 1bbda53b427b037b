//! Which rows are terminals that stand below the session whose agent owns them, and what they would have added to the counts
//! of the board: they are in none of them.
//!
//! Owned by the model. A terminal whose session is not on the board (it was kept when that was deleted) stands by itself, in
//! the group of its own state behind all others: nothing that runs is ever out of sight. The rules are those of
//! [`board_protocol::group`]; this is the same for rows that come and go one by one.

use super::{BoardRow, Model};
use board_protocol::{ids::SessionId, state::SemanticState};
use std::collections::BTreeMap;

/// The terminals among the rows.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    /// Rows that name an owner, with that.
    owners: BTreeMap<SessionId, SessionId>,
    /// Of those that stand below one.
    counts: [usize; SemanticState::ALL.len()],
    unread: usize,
    /// How many of them stand below each session: drawing asks for every row.
    terminals: BTreeMap<SessionId, usize>,
}

impl Nesting {
    /// A row came or changed.
    pub(super) fn put(&mut self, row: &BoardRow) {
        match &row.parent {
            Some(parent) => drop(self.owners.insert(row.id.clone(), parent.clone())),
            None => drop(self.owners.remove(&row.id)),
        }
    }

    /// A row is gone.
    pub(super) fn forget(&mut self, id: &SessionId) {
        self.owners.remove(id);
    }

    pub(super) fn count(&self, state: SemanticState) -> usize {
        self.counts.get(state as usize).copied().unwrap_or_default()
    }

    pub(super) fn unread(&self) -> usize {
        self.unread
    }
}

impl Model {
    /// The session that a row stands below, if it does. A terminal owns none: whatever a row says, there is one level.
    pub(crate) fn above(&self, id: &SessionId) -> Option<&SessionId> {
        let owner = self.nesting.owners.get(id)?;
        (self.keys.contains_key(owner) && !self.nesting.owners.contains_key(owner)).then_some(owner)
    }

    /// The rows that stand below a session, in no order.
    pub(crate) fn below<'a>(&'a self, id: &'a SessionId) -> impl Iterator<Item = &'a BoardRow> {
        self.nested().filter(move |(_, above)| *above == id).map(|(row, _)| row)
    }

    /// How many rows stand below a session.
    pub(crate) fn terminals(&self, id: &SessionId) -> usize {
        self.nesting.terminals.get(id).copied().unwrap_or_default()
    }

    /// Every row that stands below a session, with that.
    pub(super) fn nested(&self) -> impl Iterator<Item = (&BoardRow, &SessionId)> {
        self.nesting.owners.keys().filter_map(|id| Some((self.row(id)?, self.above(id)?)))
    }

    /// Counts anew what stands below sessions, after rows came, changed or went. There are few of them.
    pub(super) fn nest(&mut self) {
        let mut counts = [0; SemanticState::ALL.len()];
        let mut unread = 0;
        let mut terminals = BTreeMap::new();
        for (row, above) in self.nested() {
            *terminals.entry(above.clone()).or_insert(0) += 1;
            if let Some(count) = counts.get_mut(row.state as usize) {
                *count += 1;
            }
            unread += usize::from(row.unread);
        }
        self.nesting.counts = counts;
        self.nesting.unread = unread;
        self.nesting.terminals = terminals;
    }
}
