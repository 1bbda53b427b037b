//! The picture of a session's terminal, as text. Its own width may be larger than the board's: it is cut, not wrapped.

use super::{MARGIN, nothing_yet};
use crate::{
    frame::{Line, Style},
    machine::Board,
};
use board_protocol::pipe::{QueryKind, QueryPart};
use board_text::session as texts;

/// The lines of the terminal, and the line above them.
pub(super) fn lines(board: &Board, columns: usize) -> (Vec<Line>, Option<Line>) {
    if let Some(line) = nothing_yet(board, QueryKind::Screen, columns) {
        return (vec![Line::new(columns), line], None);
    }
    let parts = board.told(QueryKind::Screen).unwrap_or_default();
    let live = parts.iter().any(|part| matches!(part, QueryPart::Screen { live: true }));
    let what = if live { texts::screen_live() } else { texts::screen_last() };
    let head = Line::new(columns).pad_to(MARGIN).put(Style::FAINT, "──").put(Style::FAINT, what);
    let rule = head.room().saturating_sub(MARGIN);
    let head = head.repeat(Style::FAINT, '─', rule);
    let mut lines: Vec<Line> = parts
        .iter()
        .filter_map(|part| match part {
            QueryPart::ScreenLine(text) => Some(Line::new(columns).pad_to(MARGIN).put(Style::PLAIN, text)),
            _ => None,
        })
        .collect();
    if lines.is_empty() {
        lines.push(Line::new(columns).pad_to(MARGIN).put(Style::FAINT, texts::screen_empty()));
    }
    (lines, Some(head))
}
