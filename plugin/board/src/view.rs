//! The board as a picture. Pure: the same board and size give the same cells; only visible rows are touched.
//!
//! From top to bottom: header, lines about trouble, the rows in their groups, the footer. Small terminals drop what
//! matters least: blank lines, the rule, the counts; never the selected row and never a question.

mod footer;
mod header;
mod help;
mod launch;
mod list;
pub(crate) mod one;
mod page;
mod runner;
mod text;

pub(crate) use list::glyph;

use crate::{
    frame::{Frame, Line, Style},
    keymap::Room,
    machine::{Board, Permission},
    notice::Level,
};
use board_protocol::state::ColourRole;

/// Blank cells left of everything.
const MARGIN: usize = 1;
/// Most troubles that are shown.
const MAX_TROUBLES: usize = 3;
/// Most lines of one trouble, where there is room.
const MAX_TROUBLE_LINES: usize = 3;
/// A sign and a blank.
const MARK_COLUMNS: usize = 2;
/// Below this height only one line about trouble is shown.
const LOW_ROWS: usize = 12;

/// Draws the board in exactly `rows` lines of exactly `columns` cells.
pub(crate) fn frame(board: &Board, rows: usize, columns: usize) -> Frame {
    drawn(board, rows, columns).with(board.glyphs).in_colours(board.palette())
}

fn drawn(board: &Board, rows: usize, columns: usize) -> Frame {
    if board.room == Room::Launch || board.room == Room::Folder {
        let (lines, cursor) = launch::page(board, rows, columns);
        return Frame::new(lines, rows, columns, cursor);
    }
    if let Some(lines) = whole_page(board, rows, columns) {
        return Frame::new(lines, rows, columns, None);
    }
    let footer = footer::lines(board, rows, columns);
    let head = header::lines(board, rows, columns);
    let troubles = troubles(board, rows, columns);
    let taken = head.len() + troubles.len() + footer.lines.len();
    let body_rows = rows.saturating_sub(taken);
    // Behind a question, and while a text is typed, what stands above cannot be clicked; a filter is typed for its rows.
    let here = board.room == board.page;
    let mut lines = head;
    lines.extend(troubles);
    if !here {
        lines = lines.into_iter().map(Line::unlinked).collect();
    }
    let body = match board.page {
        _ if board.model.len() == 0 => page::nothing(board, columns),
        Room::Peek | Room::Queue | Room::Screen | Room::Transcript | Room::Explain => {
            one::lines(board, body_rows, columns)
        }
        _ if board.shown.len() == 0 => page::nothing_fits(board, columns),
        _ => list::lines(board, body_rows, columns),
    };
    let body = body.into_iter().take(body_rows);
    if here || board.room == Room::Filter {
        lines.extend(body);
    } else {
        lines.extend(body.map(Line::unlinked));
    }
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
        _ if board.room == Room::Help => Some(help::lines(board, rows, columns)),
        _ if board.room == Room::Runner => Some(runner::lines(board, rows, columns)),
        _ => None,
    }
}

fn troubles(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let (most, most_lines) = match rows {
        0..6 => (0, 1),
        6..LOW_ROWS => (1, 1),
        _ => (MAX_TROUBLES, MAX_TROUBLE_LINES),
    };
    let mut lines = Vec::new();
    for (level, text) in board.troubles().iter().take(most) {
        if most_lines == 1 {
            lines.push(mark_line(*level, text, columns));
            continue;
        }
        // What to do stands at the end: it must not be cut off.
        let mut parts = page::wrapped(text, columns.saturating_sub(MARGIN + MARK_COLUMNS)).into_iter();
        lines.push(mark_line(*level, &parts.next().unwrap_or_default(), columns));
        let style = level_style(*level);
        let rest = parts.take(most_lines - 1);
        lines.extend(rest.map(|part| Line::new(columns).pad_to(MARGIN + MARK_COLUMNS).put(style, &part)));
    }
    if !lines.is_empty() && rows >= LOW_ROWS {
        lines.push(Line::new(columns));
    }
    lines
}

/// A line with the sign of its level in front.
fn mark_line(level: Level, text: &str, columns: usize) -> Line {
    let (sign, role) = match level {
        Level::Info => ("i", ColourRole::Accent),
        Level::Warn => ("!", ColourRole::Warning),
        Level::Error => ("×", ColourRole::Error),
    };
    let line = Line::new(columns).pad_to(MARGIN).put(Style::of(role).bold(), sign).put(Style::PLAIN, " ");
    line.put(level_style(level), text)
}

fn level_style(level: Level) -> Style {
    match level {
        Level::Info => Style::PLAIN,
        Level::Warn => Style::of(ColourRole::Warning),
        Level::Error => Style::of(ColourRole::Error),
    }
}
