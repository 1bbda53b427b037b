//! Text that is being typed, in lines of cells, with the cursor in it.

use crate::{
    cells::clusters,
    editor::Editor,
    frame::{Line, Style},
};

/// A text in lines, cut to a window around the cursor.
pub(super) struct Typed {
    pub(super) lines: Vec<Line>,
    /// The cursor: column and line in the window.
    pub(super) cursor: (usize, usize),
}

/// Whether the text is being typed at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caret {
    /// It is: the window follows the cursor.
    Shown,
    /// It only stands there: the window is its beginning.
    Hidden,
}

/// One piece of a line: where it starts and ends in the text, in bytes.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
}

/// Draws the text behind `lead` in at most `rows` lines; later lines are indented as wide as that. What is cut away is
/// marked at the edge.
pub(super) fn typed(editor: &Editor, lead: &Line, rows: usize, columns: usize, caret: Caret) -> Typed {
    let indent = lead.used();
    // Two cells stay free behind the text: for the cursor, and for the mark of what is cut away.
    let room = columns.saturating_sub(indent + 2).max(1);
    let text = editor.text();
    let at = editor.halves().0.len();
    let pieces = pieces(text, room);
    let cursor_line = pieces.iter().rposition(|piece| piece.start <= at).unwrap_or(0);
    let rows = rows.max(1);
    let top = if caret == Caret::Shown { (cursor_line + 1).saturating_sub(rows) } else { 0 };
    let mut lines = Vec::new();
    let mut cursor = (indent, 0);
    for (index, piece) in pieces.iter().enumerate().skip(top).take(rows) {
        let mut line = if index == top { lead.clone() } else { Line::new(columns).pad_to(indent) };
        let hidden = (index == top && top > 0) || (index + 1 == top + rows && index + 1 < pieces.len());
        if index == cursor_line && caret == Caret::Shown {
            line = line.put(Style::PLAIN, &plain(text.get(piece.start..at)));
            cursor = (line.used(), index - top);
            let behind = text.get(at..piece.end).unwrap_or_default();
            let under = clusters(behind).next();
            let rest = clusters(behind).nth(1).map_or(behind.len(), |cluster| cluster.start);
            line = line
                .put(
                    Style { reversed: true, ..Style::PLAIN },
                    &under.map_or(" ".to_owned(), |c| plain(Some(c.text))),
                )
                .put(Style::PLAIN, &plain(behind.get(rest..)));
        } else {
            line = line.put(Style::PLAIN, &plain(text.get(piece.start..piece.end)));
        }
        if hidden {
            line = line.put_right(Style::FAINT, if index == top { "↑" } else { "↓" });
        }
        lines.push(line);
    }
    Typed { lines, cursor }
}

/// The text in its visual lines: broken where it has a line break, and where a line is full.
fn pieces(text: &str, room: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let mut begin = 0;
        let mut used = 0;
        for cluster in clusters_with_tabs(line) {
            let (at, width) = cluster;
            if used + width > room && at > begin {
                pieces.push(Piece { start: start + begin, end: start + at });
                begin = at;
                used = 0;
            }
            used += width;
        }
        pieces.push(Piece { start: start + begin, end: start + line.len() });
        start += line.len() + 1;
    }
    pieces
}

/// Places and widths of what is visible; a tab is one cell.
fn clusters_with_tabs(line: &str) -> impl Iterator<Item = (usize, usize)> {
    let shown = line.replace('\t', " ");
    let all: Vec<(usize, usize)> = clusters(&shown).map(|cluster| (cluster.start, cluster.width)).collect();
    all.into_iter()
}

fn plain(text: Option<&str>) -> String {
    text.unwrap_or_default().replace('\t', " ")
}
