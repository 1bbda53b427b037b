//! Why a session stands where it stands: what it did, what each source said last, what moved it, and its diagnostics.

use super::{MARGIN, nothing_yet, work};
use crate::{
    frame::{Line, Style},
    machine::{Board, age},
    model::BoardRow,
    view::page::wrapped,
};
use board_protocol::{
    daemon::LogLevel,
    ids::UnixMs,
    pipe::{QueryKind, QueryPart},
    state::ColourRole,
};
use board_text::session as texts;

/// Room for an age and a blank.
const AGE_COLUMNS: usize = 5;

pub(super) fn lines(board: &Board, row: &BoardRow, columns: usize) -> Vec<Line> {
    let mut lines = vec![Line::new(columns)];
    work::lines(board, row, columns, &mut lines);
    explanation(board, columns, &mut lines);
    lines.push(Line::new(columns));
    lines.push(heading(texts::diagnostics(), columns));
    match nothing_yet(board, QueryKind::Log, columns) {
        Some(line) => lines.push(line),
        None => log(board, columns, &mut lines),
    }
    lines
}

pub(super) fn heading(text: &str, columns: usize) -> Line {
    Line::new(columns).pad_to(MARGIN).put(Style::BOLD, text)
}

fn explanation(board: &Board, columns: usize, lines: &mut Vec<Line>) {
    lines.push(heading(texts::evidence(), columns));
    if let Some(line) = nothing_yet(board, QueryKind::Explanation, columns) {
        lines.push(line);
        return;
    }
    let parts = board.told(QueryKind::Explanation).unwrap_or_default();
    let mut first = true;
    for part in parts {
        if let QueryPart::Evidence(evidence) = part {
            let said = format!("{}: {}", evidence.source, evidence.what);
            let text = if std::mem::take(&mut first) { texts::decides(said) } else { said };
            timed(board, lines, evidence.at_ms, Style::PLAIN, &text, columns);
        }
    }
    if first {
        lines.push(Line::new(columns).pad_to(MARGIN).put(Style::FAINT, texts::nothing_said()));
    }
    lines.push(Line::new(columns));
    lines.push(heading(texts::what_moved_it(), columns));
    let mut moved = false;
    // The newest first: that is what one looks for.
    for part in parts.iter().rev() {
        if let QueryPart::Change(change) = part {
            moved = true;
            let from = change.from.map_or(texts::new(), |state| state.label());
            let text = format!("{from} → {} · {} · {}", change.to.label(), change.event, change.rule);
            timed(board, lines, change.at_ms, Style::of(change.to.facts().role), &text, columns);
        }
    }
    if !moved {
        lines.push(Line::new(columns).pad_to(MARGIN).put(Style::FAINT, texts::nothing_moved()));
    }
}

fn log(board: &Board, columns: usize, lines: &mut Vec<Line>) {
    let mut any = false;
    for part in board.told(QueryKind::Log).unwrap_or_default().iter().rev() {
        match part {
            QueryPart::Log(log) => {
                let style = match log.level {
                    LogLevel::Info => Style::FAINT,
                    LogLevel::Warn => Style::of(ColourRole::Warning),
                    LogLevel::Error => Style::of(ColourRole::Error),
                };
                let level = log.level.name().to_ascii_uppercase();
                let text = format!("{level} {}: {}", log.code, log.message);
                timed(board, lines, log.at_ms, style, &text, columns);
            }
            QueryPart::Cut { left_out } => {
                let text = texts::log_more(left_out);
                lines.push(Line::new(columns).pad_to(MARGIN).put(Style::FAINT, &text));
            }
            _ => continue,
        }
        any = true;
    }
    if !any {
        lines.push(Line::new(columns).pad_to(MARGIN).put(Style::FAINT, texts::none()));
    }
}

/// A text behind its age, wrapped below itself.
pub(super) fn timed(
    board: &Board,
    lines: &mut Vec<Line>,
    at: UnixMs,
    style: Style,
    text: &str,
    columns: usize,
) {
    let room = columns.saturating_sub(AGE_COLUMNS + 2 * MARGIN).max(1);
    for (index, part) in wrapped(text, room).iter().enumerate() {
        let age = if index == 0 { age(board.now.since(at)) } else { String::new() };
        let line = Line::new(columns).pad_to(MARGIN).put_column(Style::FAINT, &age, AGE_COLUMNS);
        lines.push(line.put(style, part));
    }
}
