//! Which rows stand below which: terminals of agents below the session that owns them, the oldest first. Pure.
//!
//! Used by [`super::grouped`] and by the board, which keeps its rows in a smaller form of its own. A terminal stands in no group and
//! counts in none; one whose session is not there stands as an ordinary row behind the others, so that nothing that runs is invisible.

use crate::{
    board::Row,
    ids::{SessionId, UnixMs},
};
use std::collections::BTreeMap;

/// What of a row says where it stands.
pub trait Placed {
    /// Its session.
    fn id(&self) -> &SessionId;
    /// The session whose agent owns it.
    fn parent(&self) -> Option<&SessionId>;
    /// When it was made.
    fn created_at_ms(&self) -> UnixMs;
}

impl Placed for Row {
    fn id(&self) -> &SessionId {
        &self.id
    }

    fn parent(&self) -> Option<&SessionId> {
        self.parent.as_ref()
    }

    fn created_at_ms(&self) -> UnixMs {
        self.created_at_ms
    }
}

/// Where one row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// In its group: a session of its own.
    Own,
    /// Below its session, in no group.
    Below,
    /// In its group behind all others: the session that owned it is not there.
    Orphan,
}

/// Which rows of a list stand below which, by their places in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nesting {
    /// The terminals of each session that has some.
    below: BTreeMap<usize, Vec<usize>>,
    /// Every row that is no session of its own.
    others: BTreeMap<usize, Standing>,
}

impl Nesting {
    /// Looks at every row that there is, whatever a filter shows of them. Lists without terminals cost one pass.
    pub fn of<'a, R: Placed + 'a>(rows: impl Iterator<Item = &'a R> + Clone) -> Self {
        let mut owned: Vec<(usize, &R)> =
            rows.clone().enumerate().filter(|(_, row)| row.parent().is_some()).collect();
        if owned.is_empty() {
            return Self::default();
        }
        // A terminal owns none: whatever a row says, there is one level.
        let owners = rows.enumerate().filter(|(_, row)| row.parent().is_none());
        let owners: BTreeMap<&SessionId, usize> = owners.map(|(place, row)| (row.id(), place)).collect();
        owned.sort_by_key(|(_, row)| (row.created_at_ms(), row.id()));
        let mut nesting = Self::default();
        for (place, row) in owned {
            let owner = row.parent().and_then(|parent| owners.get(parent));
            let standing = if owner.is_some() { Standing::Below } else { Standing::Orphan };
            nesting.others.insert(place, standing);
            if let Some(owner) = owner {
                nesting.below.entry(*owner).or_default().push(place);
            }
        }
        nesting
    }

    /// Where the row at a place stands.
    pub fn standing(&self, place: usize) -> Standing {
        self.others.get(&place).copied().unwrap_or(Standing::Own)
    }

    /// The places of the terminals below the row at a place, the oldest first.
    pub fn below(&self, place: usize) -> &[usize] {
        self.below.get(&place).map_or(&[], Vec::as_slice)
    }
}
