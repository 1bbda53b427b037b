//! Which rows are shown, and in which order: the states in their order, folders inside a state that spans several, rows
//! inside a folder (reference F.7). Activity never reorders.
//!
//! Made anew only when rows come, go or change their place, or when the filter may see them differently. Reading a line
//! of it costs the same for ten rows and for thousands.

use super::{BoardRow, Model};
use board_protocol::{
    ids::{SessionId, UnixMs},
    state::SemanticState,
};
use std::collections::BTreeMap;

/// The shown rows of one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) state: SemanticState,
    /// The place of its first row.
    pub(crate) first: usize,
    /// How many rows it has; never none.
    pub(crate) count: usize,
    /// Its folders, if there are several: first place and count of each.
    pub(crate) folders: Vec<(usize, usize)>,
}

/// The shown rows by their places.
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    /// The model's index of the row at each place.
    order: Vec<u32>,
    groups: Vec<Group>,
}

impl Arrangement {
    /// Arranges the rows of a model that `fits` lets through.
    pub(crate) fn of(model: &Model, fits: impl Fn(&BoardRow) -> bool) -> Self {
        let mut arrangement = Self { order: Vec::with_capacity(model.len()), groups: Vec::new() };
        let mut index = 0;
        while let Some(first) = model.row_at(index) {
            let state = first.state;
            let end = index + model.count(state).max(1);
            let shown = (index..end).filter(|index| model.row_at(*index).is_some_and(&fits));
            arrangement.add(model, state, shown.filter_map(|index| u32::try_from(index).ok()).collect());
            index = end;
        }
        arrangement
    }

    fn add(&mut self, model: &Model, state: SemanticState, rows: Vec<u32>) {
        if rows.is_empty() {
            return;
        }
        let first = self.order.len();
        let mut group = Group { state, first, count: rows.len(), folders: Vec::new() };
        let cwd = |index: &u32| model.row_at(*index as usize).map_or("", |row| &*row.cwd);
        let one = rows.first().map(cwd);
        if rows.iter().all(|row| Some(cwd(row)) == one) {
            self.order.extend(rows);
            self.groups.push(group);
            return;
        }
        let mut folders: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for row in rows {
            folders.entry(cwd(&row)).or_default().push(row);
        }
        let mut folders: Vec<(&str, Vec<u32>)> = folders.into_iter().collect();
        folders.sort_by_key(|(cwd, rows)| {
            let rows = || rows.iter().filter_map(|index| model.row_at(*index as usize));
            let oldest = rows().map(|row| row.created_at_ms).min().unwrap_or(UnixMs(u64::MAX));
            (!rows().any(|row| row.pinned), oldest, *cwd)
        });
        for (_, rows) in folders {
            group.folders.push((self.order.len(), rows.len()));
            self.order.extend(rows);
        }
        self.groups.push(group);
    }

    /// How many rows are shown.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The row at a place.
    pub(crate) fn row<'a>(&self, model: &'a Model, place: usize) -> Option<&'a BoardRow> {
        model.row_at(*self.order.get(place)? as usize)
    }

    /// Every shown row, from the top.
    pub(crate) fn rows<'a>(&'a self, model: &'a Model) -> impl DoubleEndedIterator<Item = &'a BoardRow> {
        self.order.iter().filter_map(|index| model.row_at(*index as usize))
    }

    /// The place of a session.
    pub(crate) fn place_of(&self, model: &Model, id: &SessionId) -> Option<usize> {
        let index = u32::try_from(model.index_of(id)?).ok()?;
        self.order.iter().position(|shown| *shown == index)
    }

    /// How many rows of a state are shown.
    pub(crate) fn count(&self, state: SemanticState) -> usize {
        self.groups.iter().find(|group| group.state == state).map_or(0, |group| group.count)
    }
}
