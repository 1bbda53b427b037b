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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::samples::{Bench, row};
    use board_protocol::{board::Row, filter::Filter, group::grouped};
    use proptest::prelude::*;

    fn any_row() -> impl Strategy<Value = Row> {
        (0_u32..200, 0_usize..8, 0_u64..4, 0_u8..5, any::<bool>()).prop_map(|(n, state, at, cwd, pinned)| {
            Row {
                state: SemanticState::ALL[state],
                created_at_ms: UnixMs(at),
                cwd: format!("/work/{cwd}"),
                pinned,
                ..row(n)
            }
        })
    }

    proptest! {
        // One place says how rows stand; the board's own way of computing it is only faster.
        #[test]
        fn rows_stand_as_everywhere(rows in proptest::collection::vec(any_row(), 0..60), filter in "(s:run|-s:idle|task-1|)") {
            let rows: BTreeMap<SessionId, Row> = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
            let mut bench = Bench::with_rows(rows.values().cloned().collect());
            bench.char('/');
            bench.type_text(&filter);
            let parsed = Filter::parse(&filter);
            let groups = grouped(rows.values().filter(|row| parsed.fits(*row)));
            let expected: Vec<&SessionId> =
                groups.iter().flat_map(|group| &group.folders).flat_map(|folder| &folder.rows).map(|nest| &nest.row.id).collect();
            let board = &bench.board;
            let shown: Vec<&SessionId> = board.shown.rows(&board.model).map(|row| &row.id).collect();
            prop_assert_eq!(shown, expected);
            let counts: Vec<(SemanticState, usize)> = groups.iter().map(|group| (group.state, group.len())).collect();
            let own: Vec<(SemanticState, usize)> =
                board.shown.groups().iter().map(|group| (group.state, group.count)).collect();
            prop_assert_eq!(own, counts);
            let folders: Vec<usize> =
                groups.iter().filter(|group| group.spans_folders()).map(|group| group.folders.len()).collect();
            let own: Vec<usize> =
                board.shown.groups().iter().map(|group| group.folders.len()).filter(|count| *count > 0).collect();
            prop_assert_eq!(own, folders);
        }
    }
}
