//! The last lines: what is typed, what happened, which keys there are. A question is always visible.

use super::{MARGIN, mark_line};
use crate::{
    cells::{clusters, width},
    frame::{Line, Style},
    keymap::{self, Room},
    machine::{Board, Standing},
    notice::Level,
};
use board_protocol::state::ColourRole;

/// From this height on the footer has all its lines.
const FULL_ROWS: usize = 14;
/// From this height on it has two.
const TWO_ROWS: usize = 8;
/// Shows a line break in a text of one line.
const LINE_BREAK: &str = "↵";

pub(super) struct Footer {
    pub(super) lines: Vec<Line>,
    /// Column, and line inside the footer.
    pub(super) cursor: Option<(usize, usize)>,
}

pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Footer {
    let mut footer = Footer { lines: Vec::new(), cursor: None };
    let notice = notice(board, columns);
    if rows >= FULL_ROWS {
        footer.lines.push(rule(columns));
        footer.push_input(board, columns);
        footer.lines.push(notice.unwrap_or_else(|| Line::new(columns)));
        footer.lines.push(hints(board, columns));
        return footer;
    }
    // Little room: a question before all, then what is typed, then what happened.
    let asking = board.room == Room::Confirm;
    let first = if asking { notice.clone() } else { None };
    match first {
        Some(question) => footer.lines.push(question),
        None if board.room == Room::Insert => footer.push_input(board, columns),
        None => footer.lines.extend(notice),
    }
    if footer.lines.is_empty() || rows >= TWO_ROWS {
        footer.lines.push(hints(board, columns));
    }
    footer
}

fn rule(columns: usize) -> Line {
    Line::new(columns).pad_to(MARGIN).repeat(Style::FAINT, '─', columns.saturating_sub(2 * MARGIN))
}

fn notice(board: &Board, columns: usize) -> Option<Line> {
    if let Some(confirm) = &board.confirm {
        return Some(mark_line(Level::Warn, &fitted_question(&confirm.question, columns), columns));
    }
    let notice = board.notice.as_ref()?;
    Some(mark_line(notice.level, &notice.text, columns))
}

/// A question that does not fit keeps its end: what to press must be readable.
fn fitted_question(question: &str, columns: usize) -> String {
    let room = columns.saturating_sub(MARGIN + 2);
    if width(question) <= room {
        return question.to_owned();
    }
    let end = " (y/N)";
    let (start, _) = crate::cells::clip(question, room.saturating_sub(end.len()));
    format!("{start}{end}")
}

fn hints(board: &Board, columns: usize) -> Line {
    let mut line = Line::new(columns).pad_to(MARGIN);
    let room = match board.link.standing() {
        // Nothing can be changed: only what still works is offered.
        Standing::ReadOnly(_) if board.room == Room::List => {
            return line.put(Style::FAINT, "↑↓ move · ? help");
        }
        _ => board.room,
    };
    let mut first = true;
    for hint in keymap::hints(room) {
        let needed = width(hint) + if first { 0 } else { 3 };
        if needed + MARGIN > line.room() {
            break;
        }
        if !first {
            line = line.put(Style::FAINT, " · ");
        }
        first = false;
        match hint.split_once(' ') {
            Some((key, meaning)) => {
                line = line.put(Style::PLAIN, key).put(Style::FAINT, &format!(" {meaning}"));
            }
            None => line = line.put(Style::PLAIN, hint),
        }
    }
    line
}

impl Footer {
    fn push_input(&mut self, board: &Board, columns: usize) {
        let line = Line::new(columns).pad_to(MARGIN);
        let (before, behind) = board.editor.halves();
        if board.room == Room::Insert {
            let line = line.put(Style::of(ColourRole::Success).bold(), "INSERT").put(Style::FAINT, " › ");
            let (line, column) = typed(line, before, behind);
            self.cursor = Some((column, self.lines.len()));
            self.lines.push(line);
        } else if board.editor.text().is_empty() {
            self.lines.push(line.put(Style::FAINT, "› Press i, type a command, Enter starts it"));
        } else {
            let text = one_line(board.editor.text());
            self.lines.push(
                line.put(Style::of(ColourRole::Success), "draft")
                    .put(Style::FAINT, " › ")
                    .put(Style::FAINT, &text),
            );
        }
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', LINE_BREAK).replace('\t', " ")
}

/// The text around the cursor, which is drawn reversed and always visible. Returns its column.
fn typed(line: Line, before: &str, behind: &str) -> (Line, usize) {
    let (before, behind) = (one_line(before), one_line(behind));
    let at = clusters(&behind).next();
    let at_width = at.map_or(1, |cluster| cluster.width);
    let room = line.room().saturating_sub(at_width);
    let (marker, start) = tail(&before, room);
    let line = line.put(Style::FAINT, marker).put(Style::PLAIN, before.get(start..).unwrap_or_default());
    let column = line.used();
    let cursor = Style { reversed: true, ..Style::PLAIN };
    let line = line.put(cursor, at.map_or(" ", |cluster| cluster.text));
    let rest = clusters(&behind).nth(1).map_or(behind.len(), |cluster| cluster.start);
    (line.put(Style::PLAIN, behind.get(rest..).unwrap_or_default()), column)
}

/// Where the end of a text starts that fits into `room` cells, and what marks that something was cut.
fn tail(text: &str, room: usize) -> (&'static str, usize) {
    let total = width(text);
    if total <= room {
        return ("", 0);
    }
    let mut surplus = (total + 1).saturating_sub(room);
    for cluster in clusters(text) {
        if surplus == 0 {
            return ("…", cluster.start);
        }
        surplus = surplus.saturating_sub(cluster.width);
    }
    (if room > 0 { "…" } else { "" }, text.len())
}
