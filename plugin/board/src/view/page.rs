//! What stands where no rows are: each says what is going on and what to do next.

use super::MARGIN;
use crate::{
    frame::{Line, Style},
    input::{Key, KeyCode},
    machine::Board,
    region::Target,
};
use board_protocol::{filter::unknown_word, state::ColourRole};
use board_text::view as texts;

/// Blank cells left of a text.
const INDENT: usize = MARGIN + 1;

/// The person has not answered yet; zellij shows its own question over this.
pub(super) fn asked(columns: usize) -> Vec<Line> {
    text(columns, texts::asks(), &[texts::asks_more()])
}

/// The person said no (field report H8: a clear text, never a blank pane).
pub(super) fn denied(columns: usize) -> Vec<Line> {
    let lines = text(
        columns,
        texts::denied(),
        &[texts::denied_why(), texts::denied_sessions(), texts::denied_next()],
    );
    lines.into_iter().map(|line| line.linked(Target::Key(Key::plain(KeyCode::Enter)))).collect()
}

/// There are no rows.
pub(super) fn nothing(board: &Board, columns: usize) -> Vec<Line> {
    if board.model.is_known() {
        return text(columns, &texts::no_sessions(board.invitation()), &[]);
    }
    if board.is_waiting() {
        return text(columns, texts::connecting(), &[texts::connecting_more()]);
    }
    text(columns, texts::not_connected(), &[texts::not_connected_why(), texts::not_connected_sessions()])
}

/// There are rows, and the filter shows none of them.
pub(super) fn nothing_fits(board: &Board, columns: usize) -> Vec<Line> {
    let unknown = unknown_word(board.filter.editor.text());
    let next = texts::nothing_fits_next();
    let lines: Vec<&str> = unknown.as_deref().into_iter().chain([next]).collect();
    text(columns, texts::nothing_fits(), &lines)
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

/// Words in lines of at most `columns` cells. A word that is wider than a line is broken where the line is full: a path
/// has no blanks, and some scripts have none at all.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let wide = crate::cells::width(word);
        let gap = usize::from(!line.is_empty());
        if used + gap + wide <= columns {
            line.push_str(if gap > 0 { " " } else { "" });
            line.push_str(word);
            used += gap + wide;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        used = 0;
        for cluster in crate::cells::clusters(word) {
            if used + cluster.width > columns && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push_str(cluster.text);
            used += cluster.width;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn words_are_kept_whole_where_they_fit_and_never_lost() {
        let table: [(&str, usize, &[&str]); 6] = [
            ("one two three", 7, &["one two", "three"]),
            ("/a/very/long/path x", 6, &["/a/ver", "y/long", "/path", "x"]),
            ("漢字かな", 5, &["漢字", "かな"]),
            ("a  b", 9, &["a  b"]),
            ("", 4, &[""]),
            ("ab", 1, &["a", "b"]),
        ];
        for (text, columns, lines) in table {
            assert_eq!(wrapped(text, columns), lines, "{text:?}");
        }
    }
}
