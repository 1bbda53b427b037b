//! The board as a picture. Pure: the same board and size give the same cells; only visible rows are touched.
//!
//! From top to bottom: header, lines about trouble, the rows in their groups, the footer. Small terminals drop what
//! matters least: blank lines, the rule, the counts; never the selected row and never a question.

mod footer;
mod header;
mod help;
mod list;
mod page;

use crate::{
    frame::{Frame, Line, Style},
    keymap::Room,
    machine::{Board, Permission},
    notice::Level,
};
use board_protocol::state::ColourRole;

/// Blank cells left of everything.
const MARGIN: usize = 1;
/// Most lines about trouble.
const MAX_TROUBLES: usize = 3;
/// Below this height only one line about trouble is shown.
const LOW_ROWS: usize = 12;

/// Draws the board in exactly `rows` lines of exactly `columns` cells.
pub(crate) fn frame(board: &Board, rows: usize, columns: usize) -> Frame {
    if let Some(lines) = whole_page(board, rows, columns) {
        return Frame::new(lines, rows, columns, None);
    }
    let footer = footer::lines(board, rows, columns);
    let head = header::lines(board, rows, columns);
    let troubles = troubles(board, rows, columns);
    let taken = head.len() + troubles.len() + footer.lines.len();
    let body_rows = rows.saturating_sub(taken);
    let mut lines = head;
    lines.extend(troubles);
    let body = if board.model.len() > 0 {
        list::lines(board, body_rows, columns)
    } else {
        page::nothing(board, columns)
    };
    lines.extend(body.into_iter().take(body_rows));
    // The footer stays at the bottom, whatever stands above it; in a tiny terminal it wins.
    let footer_top = rows.saturating_sub(footer.lines.len());
    lines.truncate(footer_top);
    lines.resize_with(footer_top, || Line::new(columns));
    let cursor = footer.cursor.map(|(x, line)| (x, footer_top + line));
    lines.extend(footer.lines);
    Frame::new(lines, rows, columns, cursor)
}

fn whole_page(board: &Board, rows: usize, columns: usize) -> Option<Vec<Line>> {
    match board.permission {
        Permission::Denied => Some(page::denied(columns)),
        Permission::Unasked | Permission::Asked if !board.model.is_known() => Some(page::asked(columns)),
        _ if board.room == Room::Help => Some(help::lines(rows, columns)),
        _ => None,
    }
}

fn troubles(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let all = board.troubles();
    let most = if rows < 6 {
        0
    } else if rows < LOW_ROWS {
        1
    } else {
        MAX_TROUBLES
    };
    let mut lines: Vec<Line> =
        all.iter().take(most).map(|(level, text)| mark_line(*level, text, columns)).collect();
    if !lines.is_empty() && rows >= LOW_ROWS {
        lines.push(Line::new(columns));
    }
    lines
}

/// A line with the sign of its level in front.
fn mark_line(level: Level, text: &str, columns: usize) -> Line {
    let (sign, style) = match level {
        Level::Info => ("i", Style::of(ColourRole::Accent)),
        Level::Warn => ("!", Style::of(ColourRole::Warning)),
        Level::Error => ("×", Style::of(ColourRole::Error)),
    };
    let text_style = if level == Level::Info { Style::PLAIN } else { style };
    Line::new(columns).pad_to(MARGIN).put(style.bold(), sign).put(Style::PLAIN, " ").put(text_style, text)
}
