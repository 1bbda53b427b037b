//! The rows in their groups, cut to a window around the selected one.
//!
//! The list is thought of as lines: before each group that has rows a blank line (but for the first) and its header.
//! Which line is what is computed from the counts alone, so a long board costs no more than a short one.

use crate::{
    cells::width,
    frame::{Line, Style},
    machine::Board,
    model::BoardRow,
};
use board_protocol::state::{ColourRole, HostState, ProcessState, SemanticState};

/// Marker, glyph and the blanks behind them.
const MARK_COLUMNS: usize = 4;
/// A blank and an age of at most four cells.
const AGE_COLUMNS: usize = 5;
/// Below this width no age is shown.
const AGE_FROM_COLUMNS: usize = 32;
/// A sentence shorter than this says nothing.
const LEAST_SAYS_COLUMNS: usize = 8;

/// From this height on the list says how many rows are above and below.
const MORE_FROM_ROWS: usize = 5;

/// One line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Blank,
    Group(SemanticState),
    Row(usize),
}

pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let outline = Outline::new(board, rows);
    let total = outline.len();
    let selected =
        board.selection.id.as_ref().and_then(|id| board.model.index_of(id)).map_or(0, |i| outline.line_of(i));
    let (mut top, mut bottom) = window(total, rows, selected);
    let current = board.is_current();
    // A few lines are better spent on rows.
    let (above, below) = if rows < MORE_FROM_ROWS { (0, 0) } else { (top, total - bottom) };
    // The lines that say how many more there are take the places of the first and the last line.
    top += usize::from(above > 0);
    bottom -= usize::from(below > 0);
    let mut lines = Vec::with_capacity(rows);
    if above > 0 {
        lines.push(more_above(board, &outline, top, columns));
    }
    for entry in (top..bottom).map(|line| outline.entry(line)) {
        let line = match entry {
            Some(Entry::Group(state)) => group(board, state, columns, " "),
            Some(Entry::Row(index)) => match board.model.row_at(index) {
                Some(shown) => row(board, shown, columns),
                None => Line::new(columns),
            },
            Some(Entry::Blank) | None => Line::new(columns),
        };
        lines.push(if current { line } else { line.faded() });
    }
    if below > 0 {
        lines.push(more(columns, '↓', outline.rows_in(bottom, total)));
    }
    lines
}

/// The first line of the window and the one behind its last: the selected line in the middle, if it can be.
fn window(total: usize, rows: usize, selected: usize) -> (usize, usize) {
    if total <= rows {
        return (0, total);
    }
    let top = selected.saturating_sub(rows / 2).min(total - rows);
    (top, top + rows)
}

/// The line above a cut list: it names the group that goes on below it.
fn more_above(board: &Board, outline: &Outline, top: usize, columns: usize) -> Line {
    let hidden = outline.rows_in(0, top);
    match outline.entry(top) {
        Some(Entry::Row(index)) => match board.model.row_at(index) {
            Some(row) => group(board, row.state, columns, &format!(" ↑ {hidden} more ")),
            None => more(columns, '↑', hidden),
        },
        _ => more(columns, '↑', hidden),
    }
}

fn more(columns: usize, arrow: char, count: usize) -> Line {
    Line::new(columns).put(Style::FAINT, &format!("  {arrow} {count} more"))
}

/// Where each group starts, in lines and in rows.
struct Outline {
    /// First line, first row, count; of groups that have rows, in order.
    groups: Vec<(SemanticState, usize, usize, usize)>,
    /// Lines before the rows of every group but the first.
    gap: usize,
    /// Lines before the rows of the first group.
    first_gap: usize,
    total: usize,
}

impl Outline {
    /// A body of few lines shows rows only.
    fn new(board: &Board, rows: usize) -> Self {
        let (gap, first_gap) = match rows {
            0..5 => (0, 0),
            5..12 => (1, 1),
            _ => (2, 1),
        };
        let mut outline = Self { groups: Vec::new(), gap, first_gap, total: 0 };
        let (mut line, mut first_row) = (0, 0);
        for state in SemanticState::ALL {
            let count = board.model.count(state);
            if count > 0 {
                outline.groups.push((state, line, first_row, count));
                line += count + if first_row == 0 { first_gap } else { gap };
                first_row += count;
            }
        }
        outline.total = line;
        outline
    }

    fn len(&self) -> usize {
        self.total
    }

    fn lead(&self, first_row: usize) -> usize {
        if first_row == 0 { self.first_gap } else { self.gap }
    }

    fn line_of(&self, row: usize) -> usize {
        self.groups
            .iter()
            .rev()
            .find(|(_, _, first_row, _)| *first_row <= row)
            .map_or(0, |(_, line, first_row, _)| line + self.lead(*first_row) + (row - first_row))
    }

    fn entry(&self, line: usize) -> Option<Entry> {
        let (state, start, first_row, count) =
            *self.groups.iter().rev().find(|(_, start, _, _)| *start <= line)?;
        let lead = self.lead(first_row);
        let inside = line - start;
        match inside.checked_sub(lead) {
            Some(row) => (row < count).then_some(Entry::Row(first_row + row)),
            None if inside + 1 == lead => Some(Entry::Group(state)),
            None => Some(Entry::Blank),
        }
    }

    /// How many rows stand on some lines.
    fn rows_in(&self, from: usize, to: usize) -> usize {
        self.groups
            .iter()
            .map(|(_, start, first_row, count)| {
                let first = start + self.lead(*first_row);
                to.min(first + count).saturating_sub(from.max(first))
            })
            .sum()
    }
}

/// The header of a group; `end` stands behind its rule.
fn group(board: &Board, state: SemanticState, columns: usize, end: &str) -> Line {
    let facts = state.facts();
    let [glyph, _] = facts.glyphs;
    let style = Style::of(facts.role);
    // What is over needs no attention.
    let label = if facts.role == ColourRole::Muted { Style::PLAIN } else { style.bold() };
    let line = Line::new(columns)
        .pad_to(2)
        .put(style, glyph)
        .put(Style::PLAIN, " ")
        .put(label, &facts.label.to_uppercase())
        .put(Style::FAINT, &format!(" {} ", board.model.count(state)));
    let rule = line.room().saturating_sub(width(end));
    line.repeat(Style::FAINT, '─', rule).put(Style::FAINT, end)
}

fn glyph(row: &BoardRow) -> &'static str {
    let facts = row.state.facts();
    let alive = row.process_state == ProcessState::Alive
        && matches!(row.host_state, HostState::Alive | HostState::Starting | HostState::Stopping);
    let [read, unread] = if alive { facts.glyphs } else { facts.glyphs_not_alive };
    if row.unread { unread } else { read }
}

fn row(board: &Board, row: &BoardRow, columns: usize) -> Line {
    let selected = board.selection.id.as_ref() == Some(&row.id);
    let lit = selected && board.selection.moved_at.is_some();
    let role = Style::of(row.state.facts().role);
    let accent = Style::of(ColourRole::Accent).bold();
    let name_style = match (selected, row.unread) {
        _ if lit => Style { reversed: true, ..Style::BOLD },
        (true, _) => accent,
        (_, true) => Style::BOLD,
        _ => Style::PLAIN,
    };
    let says_style = match (selected, row.state) {
        (_, SemanticState::NeedsInput | SemanticState::Failed) => role,
        (true, _) => Style::PLAIN,
        _ => Style::FAINT,
    };
    let (marker_style, marker) = if selected { (accent, "› ") } else { (Style::PLAIN, "  ") };
    let mut line = Line::new(columns).put(marker_style, marker).put(role, glyph(row)).put(Style::PLAIN, " ");
    let age_columns = if columns >= AGE_FROM_COLUMNS { AGE_COLUMNS + 1 } else { 0 };
    let inner = columns.saturating_sub(MARK_COLUMNS + age_columns);
    let wanted = (columns * 34 / 100).clamp(18, 30);
    // Where nothing fits beside it, the name gets everything.
    let beside = inner.saturating_sub(wanted + 1);
    let name_columns = if beside < LEAST_SAYS_COLUMNS { inner } else { wanted };
    let pin = if row.pinned { "★ " } else { "" };
    let pin_columns = width(pin).min(name_columns);
    line = line.put(role, pin).put_column(name_style, &row.name, name_columns - pin_columns);
    if name_columns == wanted {
        line = line.put(Style::PLAIN, " ");
        let folder_columns = folder_columns(columns);
        if folder_columns > 0 {
            line = line.put_column(Style::FAINT, &row.folder, folder_columns).put(Style::PLAIN, " ");
        }
        let says_columns = columns.saturating_sub(line.used() + age_columns);
        line = line.put_column(says_style, &row.says, says_columns);
    }
    if age_columns > 0 {
        line = line.put_right(Style::FAINT, &format!("{} ", board.age(row)));
    }
    line
}

/// The width of the folder column (reference F.5).
fn folder_columns(columns: usize) -> usize {
    match columns {
        72.. => (columns * 16 / 100).clamp(10, 22),
        56.. => 10,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn the_window_holds_the_selected_line_and_never_leaves_the_list() {
        for total in 0..40 {
            for rows in 1..20 {
                for selected in 0..total {
                    let (top, bottom) = window(total, rows, selected);
                    assert!(top <= selected && selected < bottom, "{total} {rows} {selected}");
                    assert!(bottom <= total && bottom - top == total.min(rows));
                }
            }
        }
    }
}
