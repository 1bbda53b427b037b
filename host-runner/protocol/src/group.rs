//! How rows stand on the board and in `ls`: states in their order, folders inside a state, rows inside a folder. Pure.
//!
//! Source: reference F.7, decision 2. Activity never reorders.

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
    pub rows: Vec<&'a Row>,
}

impl Group<'_> {
    /// How many rows it has.
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
    /// Pinned first, oldest creation, name.
    fn order(&self) -> (bool, UnixMs, &'a str) {
        let pinned = self.rows.iter().any(|row| row.pinned);
        let oldest = self.rows.iter().map(|row| row.created_at_ms).min().unwrap_or_default();
        (!pinned, oldest, self.cwd)
    }
}

/// Rows in their groups. States without rows are left out.
pub fn grouped<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<Group<'a>> {
    let mut rows: Vec<&Row> = rows.into_iter().collect();
    rows.sort_by(|a, b| row_order(a, b));
    let mut groups: Vec<Group<'a>> = Vec::new();
    for row in rows {
        if groups.last().is_none_or(|group| group.state != row.state) {
            groups.push(Group { state: row.state, folders: Vec::new() });
        }
        let Some(group) = groups.last_mut() else { continue };
        match group.folders.iter_mut().find(|folder| folder.cwd == row.cwd) {
            Some(folder) => folder.rows.push(row),
            None => group.folders.push(Folder { cwd: &row.cwd, rows: vec![row] }),
        }
    }
    for group in &mut groups {
        group.folders.sort_by_key(Folder::order);
    }
    groups
}

#[cfg(test)]
mod tests;
