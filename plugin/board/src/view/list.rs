//! The rows in their groups, cut to a window around the selected one. Only what is visible is touched.

mod outline;
mod row;

pub(crate) use row::glyph;

use crate::{
    cells::width,
    frame::{Line, Style},
    input::{Key, KeyCode},
    machine::Board,
    model::BoardRow,
    region::Target,
};
use board_protocol::state::{ColourRole, GlyphSet, SemanticState};
use board_text::view as texts;
use outline::{Entry, Outline, window};

pub(super) use row::badges;

/// From this height on the list says how many rows are above and below.
const MORE_FROM_ROWS: usize = 5;
/// A path shorter than this says nothing.
const LEAST_PATH_COLUMNS: usize = 12;

pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let outline = Outline::new(&board.shown, rows, board.look.density);
    let total = outline.len();
    let place = board.selection.id.as_ref().and_then(|id| board.shown.place_of(&board.model, id));
    let selected = place.map_or(0, |place| outline.line_of(place));
    let steady = board.pointer.steady.then(|| board.pointer.top.get());
    let (mut top, mut bottom) = window(total, rows, (selected, outline.height()), steady);
    board.pointer.top.set(top);
    let current = board.is_current();
    // A few lines are better spent on rows.
    let (above, below) = if rows < MORE_FROM_ROWS { (0, 0) } else { (top, total - bottom) };
    // The lines that say how many more there are take the places of the first and the last line.
    top += usize::from(above > 0);
    bottom -= usize::from(below > 0);
    if below > 0 {
        // A header without a row under it says nothing, and neither does half a row.
        let ends_a_row = |line| match outline.entry(line) {
            Some(Entry::Row(_)) => outline.height() == 1,
            Some(Entry::More(_)) => true,
            _ => false,
        };
        while bottom > top && !ends_a_row(bottom - 1) {
            bottom -= 1;
        }
    }
    if above > 0 && matches!(outline.entry(top), Some(Entry::More(_))) {
        top += 1;
    }
    let mut lines = Vec::with_capacity(rows);
    if above > 0 {
        lines.push(more_above(board, &outline, top, columns));
    }
    for entry in (top..bottom).map(|line| outline.entry(line)) {
        let line = match entry {
            Some(Entry::Group(state)) => group(board, state, columns, " "),
            Some(Entry::Folder(first, count)) => folder(board, first, count, columns),
            Some(Entry::Row(place)) => match board.shown.row(&board.model, place) {
                Some(shown) => row::line(board, shown, board.shown.stands(place), columns, outline.height()),
                None => Line::new(columns),
            },
            Some(Entry::More(place)) => match board.shown.row(&board.model, place) {
                Some(shown) => row::second_line(board, shown, board.shown.stands(place), columns),
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

/// The line above a cut list: it names the group that goes on below it.
fn more_above(board: &Board, outline: &Outline, top: usize, columns: usize) -> Line {
    let hidden = outline.rows_in(0, top);
    let place = match outline.entry(top) {
        Some(Entry::Row(place) | Entry::Folder(place, _)) => Some(place),
        _ => None,
    };
    match place.and_then(|place| board.shown.state_at(place)) {
        Some(state) => {
            let line = group(board, state, columns, &format!(" {} ", texts::rows_more('↑', hidden)));
            line.linked(Target::Key(Key::plain(KeyCode::PageUp)))
        }
        None => more(columns, '↑', hidden),
    }
}

fn more(columns: usize, arrow: char, count: usize) -> Line {
    let key = if arrow == '↑' { KeyCode::PageUp } else { KeyCode::PageDown };
    let line = Line::new(columns).put(Style::FAINT, &format!("  {}", texts::rows_more(arrow, count)));
    line.linked(Target::Key(Key::plain(key)))
}

/// The header of a group; `end` stands behind its rule.
fn group(board: &Board, state: SemanticState, columns: usize, end: &str) -> Line {
    let facts = state.facts();
    let [sign, _] = match board.glyphs {
        GlyphSet::Unicode => facts.glyphs,
        GlyphSet::Ascii => facts.ascii,
    };
    let style = Style::of(facts.role);
    // What is over needs no attention.
    let label = if facts.role == ColourRole::Muted { Style::PLAIN } else { style.bold() };
    let (shown, all) = (board.shown.count(state), board.model.count(state));
    let count = if shown == all { format!(" {all} ") } else { format!(" {} ", texts::shown_of(shown, all)) };
    let line = Line::new(columns)
        .pad_to(2)
        .put(style, sign)
        .put(Style::PLAIN, " ")
        .put(label, &state.label().to_uppercase())
        .put(Style::FAINT, &count);
    let rule = line.room().saturating_sub(width(end));
    line.repeat(Style::FAINT, '─', rule).put(Style::FAINT, end)
}

/// The header of a folder: its name, how many rows it has, where it is.
fn folder(board: &Board, first: usize, count: usize, columns: usize) -> Line {
    let Some(row) = board.shown.row(&board.model, first) else { return Line::new(columns) };
    let name = if row.folder.is_empty() { "?" } else { &row.folder };
    let line = Line::new(columns)
        .pad_to(2)
        .put(Style::FAINT, "▾ ")
        .put(Style::PLAIN, name)
        .put(Style::FAINT, &format!(" {count} "));
    if line.room() < LEAST_PATH_COLUMNS {
        return line;
    }
    let room = line.room() - 1;
    line.put(Style::FAINT, &tail(&row.cwd, room))
}

/// The end of a path that fits: where it differs from its neighbours.
pub(super) fn tail(path: &str, columns: usize) -> String {
    if width(path) <= columns {
        return path.to_owned();
    }
    let mut parts = path.match_indices('/').map(|(at, _)| path.get(at..).unwrap_or_default());
    match parts.find(|end| width(end) < columns) {
        Some(end) => format!("…{end}"),
        None => path.to_owned(),
    }
}

/// Whether a row is the selected one.
fn is_selected(board: &Board, row: &BoardRow) -> bool {
    board.selection.id.as_ref() == Some(&row.id)
}
