//! What a click on a cell means. Views mark cells while they draw them; the frame carries the marks, and the machine looks
//! a click up in the frame that was shown last. So nothing is hit-tested twice, and a click means what was to be seen.

use crate::{input::Key, keymap::Action, machine::Field};
use board_protocol::ids::SessionId;
use std::ops::Range;

/// What a click does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// The same as a key.
    Key(Key),
    /// The same as an action of the table of keys.
    Act(Action),
    /// Selects a row; the second click does what Enter would (reference F.2).
    Row(SessionId),
    /// Selects a row, then does something with it.
    Badge(SessionId, Action),
    /// Brings the keys of the launch dialog to a field.
    Field(Field),
    /// Takes one of the choices of a field, by its place.
    Choice(Field, usize),
    /// A button of the launch dialog.
    Button(Field),
    /// A folder that is offered, by its place; the second click takes it.
    Offer(usize),
    /// Words that wait, by their place; the second click opens them.
    Queued(usize),
}

/// Cells of one line that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Region {
    /// The line, from 0 at the top.
    pub(crate) line: usize,
    /// The cells, from 0 at the left.
    pub(crate) columns: Range<usize>,
    pub(crate) target: Target,
}

/// What was clicked: of cells that are marked twice, the mark that was made first.
pub(crate) fn hit(regions: &[Region], line: usize, column: usize) -> Option<&Target> {
    let hit = regions.iter().find(|region| region.line == line && region.columns.contains(&column));
    hit.map(|region| &region.target)
}
