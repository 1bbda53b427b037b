//! What stands where no rows are: each says what is going on and what to do next.

use super::MARGIN;
use crate::{
    cells::clip,
    frame::{Line, Style},
    machine::Board,
};
use board_protocol::state::ColourRole;

/// Blank cells left of a text.
const INDENT: usize = MARGIN + 1;

/// The person has not answered yet; zellij shows its own question over this.
pub(super) fn asked(columns: usize) -> Vec<Line> {
    text(
        columns,
        "Agent Board asks for its permissions",
        &["Press y to allow them: it then shows your sessions."],
    )
}

/// The person said no (field report H8: a clear text, never a blank pane).
pub(super) fn denied(columns: usize) -> Vec<Line> {
    text(
        columns,
        "Agent Board may not do its work",
        &[
            "Its permissions were denied, so it cannot show or open sessions.",
            "Your sessions are not affected: host-runner ls lists them.",
            "Press Enter to be asked again, then y to allow.",
        ],
    )
}

/// There are no rows.
pub(super) fn nothing(board: &Board, columns: usize) -> Vec<Line> {
    if board.model.is_known() {
        return text(columns, "No sessions yet. Press i, type a command, Enter starts it.", &[]);
    }
    if board.is_waiting() {
        return text(
            columns,
            "Connecting to the board…",
            &["The first answer usually takes less than a second."],
        );
    }
    text(
        columns,
        "Not connected",
        &[
            "The line above says why, and what to do.",
            "Sessions go on without the board: host-runner ls lists them.",
        ],
    )
}

/// There are rows, and the filter shows none of them.
pub(super) fn nothing_fits(columns: usize) -> Vec<Line> {
    text(columns, "No sessions match the filter.", &["Press / to change it, Esc to clear it."])
}

fn text(columns: usize, title: &str, more: &[&str]) -> Vec<Line> {
    let mut lines = vec![Line::new(columns)];
    let room = columns.saturating_sub(2 * INDENT);
    let push = |lines: &mut Vec<Line>, style, text: &str| {
        for part in wrapped(text, room) {
            lines.push(Line::new(columns).pad_to(INDENT).put(style, &part));
        }
    };
    push(&mut lines, Style::of(ColourRole::Accent).bold(), title);
    if !more.is_empty() {
        lines.push(Line::new(columns));
    }
    for line in more {
        push(&mut lines, Style::PLAIN, line);
    }
    lines
}

/// Words in lines of at most `columns` cells.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let joined = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if crate::cells::width(&joined) <= columns {
            line = joined;
        } else {
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line = clip(word, columns).0;
        }
    }
    lines.push(line);
    lines
}
