//! Which rows are shown, and in which order: the states in their order, folders inside a state that spans several, rows
//! inside a folder (reference F.7), the terminals of an agent below its session. Activity never reorders.
//!
//! Made anew only when rows come, go or change their place, or when the filter may see them differently. Reading a line
//! of it costs the same for ten rows and for thousands.

use super::{BoardRow, Model};
use board_protocol::{
    ids::{SessionId, UnixMs},
    state::SemanticState,
};
use std::collections::{BTreeMap, BTreeSet};

/// The shown rows of one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) state: SemanticState,
    /// The place of its first row.
    pub(crate) first: usize,
    /// How many rows it has, terminals below sessions included; never none.
    pub(crate) count: usize,
    /// How many of them are sessions of this state.
    pub(crate) sessions: usize,
    /// Its folders, if there are several.
    pub(crate) folders: Vec<Folder>,
}

/// The shown rows of one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder {
    /// The place of its first row.
    pub(crate) first: usize,
    /// How many rows it has, terminals included.
    pub(crate) count: usize,
    /// How many of them are sessions.
    pub(crate) sessions: usize,
}

/// How a row stands in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stands {
    /// By itself, in the group of its state.
    Alone,
    /// Below its session, with more terminals under it.
    Below,
    /// Below its session, the last one.
    Last,
}

/// The shown rows by their places.
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    /// The model's index of the row at each place, and how it stands there.
    order: Vec<(u32, Stands)>,
    groups: Vec<Group>,
}

/// Terminals that are shown, by the index of the session that they stand below, in order.
type Below = BTreeMap<u32, Vec<u32>>;

impl Arrangement {
    /// Arranges the rows of a model that `fits` lets through: a session that fits brings its terminals, a terminal that fits
    /// brings its session. Terminals of a folded session are left out, but for one that is looked for by the filter.
    pub(crate) fn of(model: &Model, folded: &BTreeSet<SessionId>, fits: impl Fn(&BoardRow) -> bool) -> Self {
        let mut arrangement = Self { order: Vec::with_capacity(model.len()), groups: Vec::new() };
        let (nested, below) = below(model, folded, &fits);
        let mut index = 0;
        while let Some(first) = model.row_at(index) {
            let state = first.state;
            let end = index + model.all(state).max(1);
            let shown = (index..end).filter_map(|index| u32::try_from(index).ok()).filter(|index| {
                let fits = || model.row_at(*index as usize).is_some_and(&fits);
                !nested.contains(index) && (fits() || below.contains_key(index))
            });
            // What is left of a session that is gone stands behind the others.
            let (orphans, mut shown): (Vec<u32>, Vec<u32>) =
                shown.partition(|index| is_orphan(model, *index));
            shown.extend(orphans);
            arrangement.add(model, state, shown, &below);
            index = end;
        }
        arrangement
    }

    fn add(&mut self, model: &Model, state: SemanticState, rows: Vec<u32>, below: &Below) {
        if rows.is_empty() {
            return;
        }
        let first = self.order.len();
        let mut group = Group { state, first, count: 0, sessions: rows.len(), folders: Vec::new() };
        let cwd = |index: &u32| model.row_at(*index as usize).map_or("", |row| &*row.cwd);
        let one = rows.first().map(cwd);
        if rows.iter().all(|row| Some(cwd(row)) == one) {
            self.place(rows, below);
            group.count = self.order.len() - first;
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
            let orphaned = rows().all(|row| row.parent.is_some());
            (orphaned, !rows().any(|row| row.pinned), oldest, *cwd)
        });
        for (_, rows) in folders {
            let (first, sessions) = (self.order.len(), rows.len());
            self.place(rows, below);
            group.folders.push(Folder { first, count: self.order.len() - first, sessions });
        }
        group.count = self.order.len() - first;
        self.groups.push(group);
    }

    /// Sessions, each with its terminals under it.
    fn place(&mut self, rows: Vec<u32>, below: &Below) {
        for row in rows {
            self.order.push((row, Stands::Alone));
            let terminals = below.get(&row).map(Vec::as_slice).unwrap_or_default();
            self.order.extend(terminals.iter().map(|terminal| (*terminal, Stands::Below)));
            if let (Some((_, stands)), false) = (self.order.last_mut(), terminals.is_empty()) {
                *stands = Stands::Last;
            }
        }
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
        model.row_at(self.order.get(place)?.0 as usize)
    }

    /// How the row at a place stands.
    pub(crate) fn stands(&self, place: usize) -> Stands {
        self.order.get(place).map_or(Stands::Alone, |(_, stands)| *stands)
    }

    /// The state in whose group a place is.
    pub(crate) fn state_at(&self, place: usize) -> Option<SemanticState> {
        let behind = self.groups.partition_point(|group| group.first <= place);
        Some(self.groups.get(behind.checked_sub(1)?)?.state)
    }

    /// Every shown row, from the top.
    pub(crate) fn rows<'a>(&'a self, model: &'a Model) -> impl DoubleEndedIterator<Item = &'a BoardRow> {
        self.order.iter().filter_map(|(index, _)| model.row_at(*index as usize))
    }

    /// Every shown session, from the top: what a wish for many is about. Terminals belong to theirs.
    pub(crate) fn sessions<'a>(&'a self, model: &'a Model) -> impl DoubleEndedIterator<Item = &'a BoardRow> {
        let alone = self.order.iter().filter(|(_, stands)| *stands == Stands::Alone);
        alone.filter_map(|(index, _)| model.row_at(*index as usize))
    }

    /// The place of a session.
    pub(crate) fn place_of(&self, model: &Model, id: &SessionId) -> Option<usize> {
        let index = u32::try_from(model.index_of(id)?).ok()?;
        self.order.iter().position(|(shown, _)| *shown == index)
    }

    /// How many sessions of a state are shown.
    pub(crate) fn count(&self, state: SemanticState) -> usize {
        self.groups.iter().find(|group| group.state == state).map_or(0, |group| group.sessions)
    }
}

/// Whether the row at an index is a terminal. One that stands in a group is left of a session that is gone.
fn is_orphan(model: &Model, index: u32) -> bool {
    model.row_at(index as usize).is_some_and(|row| row.parent.is_some())
}

/// Every terminal that stands below a session, and those of them that are shown.
fn below(
    model: &Model,
    folded: &BTreeSet<SessionId>,
    fits: impl Fn(&BoardRow) -> bool,
) -> (BTreeSet<u32>, Below) {
    let mut nested = BTreeSet::new();
    let mut below = Below::new();
    for (row, above) in model.nested() {
        let index = |id| model.index_of(id).and_then(|index| u32::try_from(index).ok());
        let (Some(terminal), Some(session)) = (index(&row.id), index(above)) else { continue };
        nested.insert(terminal);
        let shown = if model.row(above).is_some_and(&fits) { !folded.contains(above) } else { fits(row) };
        if shown {
            below.entry(session).or_default().push(terminal);
        }
    }
    for terminals in below.values_mut() {
        terminals.sort_by_key(|index| {
            let row = model.row_at(*index as usize);
            row.map(|row| (row.created_at_ms, &row.id))
        });
    }
    (nested, below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::samples::{Bench, row};
    use board_protocol::{board::Row, filter::Filter, group::grouped};
    use proptest::prelude::*;

    fn any_row() -> impl Strategy<Value = Row> {
        let owner = prop::option::weighted(0.3, 0_u32..200);
        (0_u32..200, 0_usize..8, 0_u64..4, 0_u8..5, any::<bool>(), owner).prop_map(
            |(n, state, at, cwd, pinned, owner)| Row {
                parent: owner.map(|owner| row(owner).id),
                state: SemanticState::ALL[state],
                created_at_ms: UnixMs(at),
                cwd: format!("/work/{cwd}"),
                pinned,
                ..row(n)
            },
        )
    }

    proptest! {
        // One place says how rows stand; the board's own way of computing it is only faster.
        #[test]
        fn rows_stand_as_everywhere(rows in proptest::collection::vec(any_row(), 0..80), filter in "(s:run|-s:idle|task-1|)") {
            let mut rows: BTreeMap<SessionId, Row> = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
            if !filter.is_empty() {
                // With a filter the board also shows the session of a terminal that fits: that has tests of its own.
                rows.values_mut().for_each(|row| row.parent = None);
            }
            let mut bench = Bench::with_rows(rows.values().cloned().collect());
            bench.char('/');
            bench.type_text(&filter);
            let parsed = Filter::parse(&filter);
            let groups = grouped(rows.values().filter(|row| parsed.fits(*row)));
            let nests = || groups.iter().flat_map(|group| &group.folders).flat_map(|folder| &folder.rows);
            let expected: Vec<(&SessionId, bool)> = nests()
                .flat_map(|nest| {
                    let terminals = nest.terminals.iter().map(|terminal| (&terminal.id, true));
                    std::iter::once((&nest.row.id, false)).chain(terminals)
                })
                .collect();
            let board = &bench.board;
            let nested = (0..board.shown.len()).map(|place| board.shown.stands(place) != Stands::Alone);
            let shown: Vec<(&SessionId, bool)> =
                board.shown.rows(&board.model).map(|row| &row.id).zip(nested).collect();
            prop_assert_eq!(shown, expected);
            let counts: Vec<(SemanticState, usize)> = groups.iter().map(|group| (group.state, group.len())).collect();
            let own: Vec<(SemanticState, usize)> =
                board.shown.groups().iter().map(|group| (group.state, group.sessions)).collect();
            prop_assert_eq!(&own, &counts);
            if filter.is_empty() {
                let all: Vec<(SemanticState, usize)> = counts.iter().map(|(state, _)| (*state, board.model.count(*state))).collect();
                prop_assert_eq!(all, counts);
            }
            let folders: Vec<usize> =
                groups.iter().filter(|group| group.spans_folders()).map(|group| group.folders.len()).collect();
            let own: Vec<usize> =
                board.shown.groups().iter().map(|group| group.folders.len()).filter(|count| *count > 0).collect();
            prop_assert_eq!(own, folders);
        }
    }
}
