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

/// The cells `left..left + width` of a line with SGR sequences. All sequences stay, also of cells that are cut away: they
/// colour what follows. A wide character that is cut becomes a blank.
fn crop(line: &str, left: usize, width: usize) -> String {
    let mut out = String::new();
    let mut at = 0_usize;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            out.push(c);
            for c in chars.by_ref() {
                out.push(c);
                if ('@'..='~').contains(&c) && c != '[' {
                    break;
                }
            }
            continue;
        }
        let cells = c.width().unwrap_or(0);
        let end = at + cells;
        let inside = at >= left && end <= left + width;
        if inside && (cells > 0 || at > left) {
            out.push(c);
        } else if cells == 2 && end > left && at < left + width {
            out.push(' ');
        }
        at = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_by_cells_and_keeps_its_colours() {
        assert_eq!(crop("abcdef", 0, 4), "abcd");
        assert_eq!(crop("abcdef", 2, 3), "cde");
        assert_eq!(crop("\x1b[31mab\x1b[0mcdef", 1, 2), "\x1b[31mb\x1b[0mc");
        assert_eq!(crop("漢字漢", 1, 4), " 字 ");
        assert_eq!(crop("e\u{301}x", 0, 1), "e\u{301}");
        assert_eq!(crop("", 3, 4), "");
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
        let mut pane = vt100::Parser::new(10, 40, 0);
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
        let mut pane = vt100::Parser::new(30, 100, 0);
        pane.process(b"\x1b[30;90Hdirt");
        pane.process(&frame(&mut session, Size { cols: 100, rows: 30 }));
        assert_eq!(pane.screen().contents().trim_end(), "hello\nred");
        assert_eq!(pane.screen().cursor_position(), (1, 3));
    }
}
