//! The list thought of as lines: headers of groups and folders, blank lines, rows. Which line is what is computed from
//! the groups alone, so a long board costs no more than a short one.

use crate::model::{Arrangement, Folder, Group};
use board_protocol::state::SemanticState;

/// One line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    Blank,
    Group(SemanticState),
    /// The header of the folder that begins with the row at this place, and how many sessions it has.
    Folder(usize, usize),
    /// The row at this place.
    Row(usize),
}

/// Rows that follow each other without a header between them, and what stands above them.
#[derive(Debug)]
struct Block {
    /// Its first line, which may be a blank one or a header.
    line: usize,
    first: usize,
    count: usize,
    sessions: usize,
    blank: bool,
    group: Option<SemanticState>,
    folder: bool,
}

impl Block {
    fn lead(&self) -> usize {
        usize::from(self.blank) + usize::from(self.group.is_some()) + usize::from(self.folder)
    }
}

/// How much is shown beside rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    RowsOnly,
    Groups,
    Everything,
}

/// The lines.
#[derive(Debug)]
pub(super) struct Outline {
    blocks: Vec<Block>,
    total: usize,
}

impl Outline {
    /// A body of few lines shows rows only.
    pub(super) fn new(shown: &Arrangement, rows: usize) -> Self {
        let detail = match rows {
            0..5 => Detail::RowsOnly,
            5..12 => Detail::Groups,
            _ => Detail::Everything,
        };
        let mut outline = Self { blocks: Vec::new(), total: 0 };
        for group in shown.groups() {
            outline.add(group, detail);
        }
        outline
    }

    fn add(&mut self, group: &Group, detail: Detail) {
        let whole = [Folder { first: group.first, count: group.count, sessions: group.sessions }];
        let folders = if detail == Detail::Everything && !group.folders.is_empty() {
            &group.folders[..]
        } else {
            &whole
        };
        for (index, part) in folders.iter().enumerate() {
            let block = Block {
                line: self.total,
                first: part.first,
                count: part.count,
                sessions: part.sessions,
                blank: index == 0 && self.total > 0 && detail == Detail::Everything,
                group: (index == 0 && detail != Detail::RowsOnly).then_some(group.state),
                folder: folders.len() > 1,
            };
            self.total += block.lead() + block.count;
            self.blocks.push(block);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.total
    }

    /// The line of the row at a place.
    pub(super) fn line_of(&self, place: usize) -> usize {
        let after = self.blocks.partition_point(|block| block.first <= place);
        let block = after.checked_sub(1).and_then(|index| self.blocks.get(index));
        block.map_or(0, |block| block.line + block.lead() + (place - block.first))
    }

    pub(super) fn entry(&self, line: usize) -> Option<Entry> {
        let after = self.blocks.partition_point(|block| block.line <= line);
        let block = self.blocks.get(after.checked_sub(1)?)?;
        let inside = line - block.line;
        if let Some(row) = inside.checked_sub(block.lead()) {
            return (row < block.count).then_some(Entry::Row(block.first + row));
        }
        Some(match (inside.checked_sub(usize::from(block.blank)), block.group) {
            (None, _) => Entry::Blank,
            (Some(0), Some(state)) => Entry::Group(state),
            _ => Entry::Folder(block.first, block.sessions),
        })
    }

    /// How many rows stand on some lines.
    pub(super) fn rows_in(&self, from: usize, to: usize) -> usize {
        self.blocks
            .iter()
            .map(|block| {
                let first = block.line + block.lead();
                to.min(first + block.count).saturating_sub(from.max(first))
            })
            .sum()
    }
}

/// The first line of the window and the one behind its last: the selected line in the middle, if it can be. Of a list
/// that is to be held steady, the line that was the first one, or the next one to it with which the selected one is seen
/// beside the lines that say how many more there are.
pub(super) fn window(total: usize, rows: usize, selected: usize, steady: Option<usize>) -> (usize, usize) {
    if total <= rows {
        return (0, total);
    }
    let top = match steady.filter(|_| rows > MARKS) {
        Some(top) => top.max((selected + MARKS).saturating_sub(rows)).min(selected.saturating_sub(1)),
        None => selected.saturating_sub(rows / 2),
    };
    let top = top.min(total - rows);
    (top, top + rows)
}

/// The lines that say how many more there are.
const MARKS: usize = 2;

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn the_window_holds_the_selected_line_and_never_leaves_the_list() {
        for total in 0..40 {
            for rows in 1..20 {
                for selected in 0..total {
                    for steady in [None, Some(0), Some(selected), Some(total)] {
                        let (top, bottom) = window(total, rows, selected, steady);
                        assert!(top <= selected && selected < bottom, "{total} {rows} {selected} {steady:?}");
                        assert!(bottom <= total && bottom - top == total.min(rows));
                        let seen = (top == 0 || top < selected) && (bottom == total || selected + 1 < bottom);
                        assert!(
                            seen || steady.is_none() || rows <= 2,
                            "{total} {rows} {selected} {steady:?}"
                        );
                    }
                }
            }
        }
    }
}
