//! One session, large: peek with its queue, the picture of its terminal, what was said in it, and why it stands where it
//! stands.
//!
//! Each view is made as a list of lines of the terminal's width, once for a frame, and shown as far as there is room; how
//! far it can be scrolled is told to the machine, which cannot know.

mod explain;
mod peek;
mod screen;
pub(crate) mod transcript;
mod work;

use super::{MARGIN, list, page::wrapped};
use crate::{
    frame::{Line, Style},
    input::{Key, KeyCode},
    keymap::{self, Room},
    machine::Board,
    model::BoardRow,
    region::Target,
};
use board_protocol::{
    pipe::{QueryKind, QueryPart},
    state::{ColourRole, HostState},
};
use board_text::session as texts;

/// Room for what a line is about.
pub(crate) const LABEL_COLUMNS: usize = 10;

pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let Some(row) = board.selected_row() else { return Vec::new() };
    let mut lines = vec![title(board, row, columns)];
    if board.page == Room::Transcript {
        lines.extend(reading(board, row, rows.saturating_sub(lines.len()), columns));
        return settled(board, lines);
    }
    let (content, foot) = match board.page {
        Room::Screen => screen::lines(board, columns),
        Room::Explain => (explain::lines(board, row, columns), None),
        _ => (peek::lines(board, row, columns), None),
    };
    lines.extend(foot);
    let room = rows.saturating_sub(lines.len());
    let end = content.len().saturating_sub(room);
    // The end of a terminal is what matters, unless the person scrolls.
    let from_end = board.page == Room::Screen;
    let scroll = board.views.scroll.min(end);
    let top = if from_end { end - scroll } else { scroll };
    board.scrollable.set((room.saturating_sub(2).max(1), end));
    let (above, below) = (top, content.len().saturating_sub(top + room));
    let mut shown: Vec<Line> = content.into_iter().skip(top).take(room).collect();
    let more = |arrow: char, count: usize| {
        let key = if arrow == '↑' { KeyCode::PageUp } else { KeyCode::PageDown };
        let line =
            Line::new(columns).put(Style::FAINT, &format!("  {}", texts::more_lines(arrow, count + 1)));
        line.linked(Target::Key(Key::plain(key)))
    };
    if let Some(last) = shown.last_mut().filter(|_| below > 0 && room > 2) {
        *last = more('↓', below);
    }
    if let Some(first) = shown.first_mut().filter(|_| above > 0 && room > 2) {
        *first = more('↑', above);
    }
    lines.extend(shown);
    settled(board, lines)
}

/// What is not current is shown faint.
fn settled(board: &Board, lines: Vec<Line>) -> Vec<Line> {
    if board.is_current() { lines } else { lines.into_iter().map(Line::faded).collect() }
}

/// The transcript: its head, and the lines from where the person reads.
fn reading(board: &Board, row: &BoardRow, rows: usize, columns: usize) -> Vec<Line> {
    let transcript::Shown { head, lines, all } = transcript::lines(board, row, rows, columns);
    let room = rows.saturating_sub(1);
    // A page keeps two lines of the one before it.
    board.scrollable.set((room.saturating_sub(2).max(1), all.saturating_sub(room)));
    std::iter::once(head).chain(lines).collect()
}

/// Glyph, name, state and what its process does.
fn title(board: &Board, row: &BoardRow, columns: usize) -> Line {
    let facts = row.state.facts();
    let role = Style::of(facts.role);
    let mut line = Line::new(columns)
        .pad_to(MARGIN)
        .put(role, list::glyph(board, row))
        .put(Style::PLAIN, " ")
        .put_within(Style::BOLD, &row.name, columns / 2)
        .put(Style::PLAIN, "  ")
        .put(role.bold(), row.state.label());
    let process = match row.host_state {
        HostState::Alive => texts::alive(),
        HostState::Starting => texts::starting(),
        HostState::Stopping => texts::stopping(),
        HostState::None | HostState::Exited | HostState::Failed => "",
    };
    line = line.put(Style::FAINT, process);
    if row.pinned {
        line = line.put(Style::PLAIN, " ★");
    }
    for badge in list::badges(row, line.room()) {
        line = line.put(Style::PLAIN, " ");
        let start = line.used();
        line = line.put(badge.style, &badge.text);
        // Only what a key of this page opens too.
        if let Some(opens) = badge.opens.filter(|opens| keymap::has(board.page, *opens)) {
            line = line.linked_from(start, Target::Act(opens));
        }
    }
    line.put_right(Style::FAINT, &format!("{} ", board.age(row)))
}

/// What an answer says when there is none, or that it is on its way.
fn nothing_yet(board: &Board, kind: QueryKind, columns: usize) -> Option<Line> {
    let line = Line::new(columns).pad_to(MARGIN);
    match board.told(kind) {
        None => Some(line.put(Style::FAINT, texts::loading())),
        Some([QueryPart::Problem { text }, ..]) => Some(
            line.put(Style::of(ColourRole::Warning).bold(), "! ").put(Style::of(ColourRole::Warning), text),
        ),
        Some(_) => None,
    }
}

/// A text behind its label, in as many lines as it needs, at most `most`.
fn labelled(lines: &mut Vec<Line>, label: &str, style: Style, text: &str, most: usize, columns: usize) {
    let room = columns.saturating_sub(LABEL_COLUMNS + 2 * MARGIN).max(1);
    let mut parts: Vec<String> = text.lines().flat_map(|line| wrapped(line, room)).collect();
    let cut = parts.len() > most;
    parts.truncate(most);
    if cut && let Some(last) = parts.last_mut() {
        *last = format!("{}…", crate::cells::clip(last, room.saturating_sub(1)).0.trim_end_matches('…'));
    }
    for (index, part) in parts.iter().enumerate() {
        let label = if index == 0 { label } else { "" };
        let line = Line::new(columns).pad_to(MARGIN).put_column(Style::FAINT, label, LABEL_COLUMNS);
        lines.push(line.put(style, part));
    }
}
