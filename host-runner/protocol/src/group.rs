//! How rows stand on the board and in `ls`: states in their order, folders inside a state, rows inside a folder. Pure.
//!
//! Source: reference F.7, decision 2. Activity never reorders. Terminals of agents stand below their session ([`Nesting`]).

mod nesting;

pub use nesting::{Nesting, Placed, Standing};

use crate::{
    board::{Row, row_order},
    ids::UnixMs,
    state::SemanticState,
};

/// The rows of one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'a> {
    /// The state.
    pub state: SemanticState,
    /// Its folders in order; never empty.
    pub folders: Vec<Folder<'a>>,
}

/// The rows of one state in one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder<'a> {
    /// The directory.
    pub cwd: &'a str,
    /// Its rows in order; never empty.
    pub rows: Vec<Nest<'a>>,
}

/// A row and what stands below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nest<'a> {
    /// The row.
    pub row: &'a Row,
    /// The terminals of its agent, the oldest first. They are in no group and count in none.
    pub terminals: Vec<&'a Row>,
    /// Whether it is a session of its own, or a terminal whose session is not there.
    pub standing: Standing,
}

impl Group<'_> {
    /// How many rows it has; terminals that stand below one are not counted.
    pub fn len(&self) -> usize {
        self.folders.iter().map(|folder| folder.rows.len()).sum()
    }

    /// Whether it has none; [`grouped`] makes no such group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether its folders are worth a heading each: one alone says nothing.
    pub fn spans_folders(&self) -> bool {
        self.folders.len() > 1
    }
}

impl<'a> Folder<'a> {
    /// Sessions in front of what is left of others, pinned first, oldest creation, name.
    fn order(&self) -> (Standing, bool, UnixMs, &'a str) {
        let standing = self.rows.iter().map(|nest| nest.standing).min().unwrap_or(Standing::Own);
        let pinned = self.rows.iter().any(|nest| nest.row.pinned);
        let oldest = self.rows.iter().map(|nest| nest.row.created_at_ms).min().unwrap_or_default();
        (standing, !pinned, oldest, self.cwd)
    }
}

/// Rows in their groups. States without rows are left out.
pub fn grouped<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<Group<'a>> {
    grouped_where(rows, |_| true)
}

/// The rows that fit, in their groups. The terminals of a session are there when it is, whatever would fit of them: they are a part of
/// it, and a filter asks about sessions. Only one whose session is not among `rows` at all is asked about itself.
pub fn grouped_where<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    fits: impl Fn(&Row) -> bool,
) -> Vec<Group<'a>> {
    let rows: Vec<&Row> = rows.into_iter().collect();
    let nesting = Nesting::of(rows.iter().copied());
    let shown = (0..).zip(&rows).filter(|(_, row)| fits(row));
    let mut nests: Vec<Nest<'a>> = shown
        .filter_map(|(place, row)| {
            let standing = nesting.standing(place);
            let terminals = nesting.below(place).iter().filter_map(|place| rows.get(*place).copied());
            (standing != Standing::Below).then(|| Nest { row, terminals: terminals.collect(), standing })
        })
        .collect();
    nests.sort_by(|a, b| {
        let order = |nest: &Nest<'_>| (nest.row.state, nest.standing);
        order(a).cmp(&order(b)).then_with(|| row_order(a.row, b.row))
    });
    let mut groups: Vec<Group<'a>> = Vec::new();
    for nest in nests {
        let row = nest.row;
        if groups.last().is_none_or(|group| group.state != row.state) {
            groups.push(Group { state: row.state, folders: Vec::new() });
        }
        let Some(group) = groups.last_mut() else { continue };
        match group.folders.iter_mut().find(|folder| folder.cwd == row.cwd) {
            Some(folder) => folder.rows.push(nest),
            None => group.folders.push(Folder { cwd: &row.cwd, rows: vec![nest] }),
        }
    }
    for group in &mut groups {
        group.folders.sort_by_key(Folder::order);
    }
    groups
}

#[cfg(test)]
mod tests;
