//! Composed mode: the picture of a session in a pane of another size. Pure.
//!
//! The client keeps a terminal of the session's size and draws as much of it as fits, around the cursor; bytes that were
//! made for another size are never shown (architecture, "Terminal stream").

use crate::terminal::SessionTerminal;
use board_protocol::{host::ScreenFormat, ids::Size};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthChar;

/// A frame for a pane: every row of it, the cursor where the session's is.
pub fn frame(terminal: &mut SessionTerminal, pane: Size) -> Vec<u8> {
    let (row, column) = terminal.cursor();
    let size = terminal.size();
    let top = first(row, pane.rows, size.rows);
    let left = first(column, pane.cols, size.cols);
    let text = terminal.text(0, ScreenFormat::Ansi);
    let mut lines = text.lines().skip(usize::from(top));
    let mut out = String::from("\x1b[?2026h\x1b[?25l\x1b[m");
    for line in 1..=pane.rows {
        let _ = write!(out, "\x1b[{line};1H\x1b[m\x1b[2K");
        if let Some(text) = lines.next() {
            out.push_str(&crop(text, usize::from(left), usize::from(pane.cols)));
        }
    }
    let cursor = (row.saturating_sub(top) + 1, column.saturating_sub(left) + 1);
    let _ = write!(out, "\x1b[m\x1b[{};{}H\x1b[?25h\x1b[?2026l", cursor.0, cursor.1);
    out.into_bytes()
}

/// The first row or column to show so that the cursor is seen and nothing beyond the end is.
fn first(cursor: u16, shown: u16, total: u16) -> u16 {
    if shown >= total {
        return 0;
    }
    // As many cells before the cursor as after it, as far as there are any.
    cursor.saturating_sub(shown / 2).min(total - shown)
}

/// The cells `left..left + width` of a line with SGR sequences, cursor-forward (blanks) and erase-character (coloured
/// blanks). All SGR sequences stay, also of cells that are cut away: they colour what follows. A wide character that is
/// cut becomes a blank.
fn crop(line: &str, left: usize, width: usize) -> String {
    let right = left + width;
    let mut out = String::new();
    let mut at = 0_usize;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if c == '\u{1b}' {
            let (sequence, after) = rest.split_at(sequence_length(rest));
            rest = after;
            let count =
                sequence.get(2..sequence.len().saturating_sub(1)).map(|n| n.parse().unwrap_or(1_usize));
            let last = sequence.chars().next_back();
            let (Some(count), Some(last @ ('C' | 'X'))) = (count, last) else {
                out.push_str(sequence);
                continue;
            };
            let seen = right.min(at + count).saturating_sub(left.max(at));
            if seen > 0 {
                let _ = write!(out, "\x1b[{seen}{last}");
            }
            if last == 'C' {
                at += count;
            }
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let cells = c.width().unwrap_or(0);
        let end = at + cells;
        if at >= left && end <= right && (cells > 0 || at > left) {
            out.push(c);
        } else if cells == 2 && end > left && at < right {
            out.push(' ');
        }
        at = end;
    }
    out
}

/// The length of the control sequence that a text starts with; a lone ESC is one byte.
fn sequence_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if bytes.get(1) != Some(&b'[') {
        return 1;
    }
    let parameters = bytes.iter().skip(2).take_while(|byte| (0x20..0x40).contains(*byte)).count();
    // The final byte is ASCII in what a terminal writes; anything else stays outside, so that no character is split.
    2 + parameters + usize::from(bytes.get(2 + parameters).is_some_and(u8::is_ascii))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZero;

    fn parser(rows: u16, cols: u16) -> vt100::Parser {
        vt100::Parser::new(NonZero::new(rows).unwrap(), NonZero::new(cols).unwrap(), 0)
    }

    #[test]
    fn a_line_is_cut_by_cells_and_keeps_its_colours() {
        assert_eq!(crop("abcdef", 0, 4), "abcd");
        assert_eq!(crop("abcdef", 2, 3), "cde");
        assert_eq!(crop("\x1b[31mab\x1b[0mcdef", 1, 2), "\x1b[31mb\x1b[0mc");
        assert_eq!(crop("漢字漢", 1, 4), " 字 ");
        assert_eq!(crop("e\u{301}x", 0, 1), "e\u{301}");
        assert_eq!(crop("", 3, 4), "");
        assert_eq!(crop("ab\x1b[10Cxy", 5, 4), "\x1b[4C");
        assert_eq!(crop("ab\x1b[10Cxy", 8, 5), "\x1b[4Cx");
        assert_eq!(crop("\x1b[41m\x1b[6X\x1b[6Cz", 4, 4), "\x1b[41m\x1b[2X\x1b[2Cz");
        assert_eq!(crop("a\x1b", 0, 9), "a\x1b");
    }

    #[test]
    fn the_window_follows_the_cursor_and_stays_inside() {
        assert_eq!(first(0, 10, 36), 0);
        assert_eq!(first(20, 10, 36), 15);
        assert_eq!(first(35, 10, 36), 26);
        assert_eq!(first(35, 40, 36), 0);
    }

    #[test]
    fn a_small_pane_shows_the_part_around_the_cursor() {
        let mut session = SessionTerminal::new(Size { cols: 80, rows: 24 }, 0);
        session.feed(b"\x1b[20;60Hhere\x1b[1;1Hfar away\x1b[20;62H");
        let mut pane = parser(10, 40);
        pane.process(b"dirt everywhere\r\ndirt\x1b[5;5Hdirt");
        pane.process(&frame(&mut session, Size { cols: 40, rows: 10 }));
        let screen = pane.screen();
        assert_eq!(screen.contents().trim(), "here");
        assert_eq!(
            screen.cell(screen.cursor_position().0, screen.cursor_position().1).unwrap().contents(),
            "r"
        );
    }

    #[test]
    fn a_large_pane_is_padded_with_blanks() {
        let mut session = SessionTerminal::new(Size { cols: 20, rows: 5 }, 0);
        session.feed(b"hello\r\n\x1b[41mred");
        let mut pane = parser(30, 100);
        pane.process(b"\x1b[30;90Hdirt");
        pane.process(&frame(&mut session, Size { cols: 100, rows: 30 }));
        assert_eq!(pane.screen().contents().trim_end(), "hello\nred");
        assert_eq!(pane.screen().cursor_position(), (1, 3));
    }
}
