//! Composed mode: the picture of a session in a pane of another size. Pure.
//!
//! The client keeps a terminal of the session's size and draws as much of it as fits, around the cursor, under the
//! banner if there is one; bytes that were made for another size are never shown (architecture, "Terminal stream").

use super::banner::Banner;
use crate::terminal::SessionTerminal;
use board_protocol::{host::ScreenFormat, ids::Size};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthChar;

/// Below this height a pane has no room for a banner.
const BANNER_FROM_ROWS: u16 = 2;

/// The first row and column of the session that are shown.
pub type Corner = (u16, u16);

/// A frame for a pane, and the corner of the session that it shows: every row of the pane, the cursor where the session's is.
/// A banner takes the first row. `before` is the corner of the frame before: the picture moves no more than it must.
pub fn frame(
    terminal: &mut SessionTerminal,
    pane: Size,
    before: Option<Corner>,
    banner: Option<&Banner>,
) -> (Vec<u8>, Corner) {
    let (row, column) = terminal.cursor();
    let size = terminal.size();
    let above = rows_above(pane, banner);
    let top = first(row, pane.rows - above, size.rows, before.map(|corner| corner.0));
    let left = first(column, pane.cols, size.cols, before.map(|corner| corner.1));
    let text = terminal.text(0, ScreenFormat::Ansi);
    let mut lines = text.lines().skip(usize::from(top));
    let mut out = String::from("\x1b[?2026h\x1b[?25l\x1b[m");
    for line in above + 1..=pane.rows {
        let _ = write!(out, "\x1b[{line};1H\x1b[m\x1b[2K");
        if let Some(text) = lines.next() {
            out.push_str(&crop(text, usize::from(left), usize::from(pane.cols)));
        }
    }
    if let Some(banner) = banner.filter(|_| above > 0) {
        out.push_str(&banner.draw(pane.cols));
    }
    let cursor = (row.saturating_sub(top) + above + 1, column.saturating_sub(left) + 1);
    let shown = if terminal.has_mode(25) { "\x1b[?25h" } else { "" };
    let _ = write!(out, "\x1b[m\x1b[{};{}H{shown}\x1b[?2026l", cursor.0, cursor.1);
    (out.into_bytes(), (top, left))
}

/// How many rows of a pane a banner takes.
pub fn rows_above(pane: Size, banner: Option<&Banner>) -> u16 {
    u16::from(banner.is_some() && pane.rows >= BANNER_FROM_ROWS)
}

/// The first row or column to show so that the cursor is seen and nothing beyond the end is: the one that was shown, if the
/// cursor is still in sight.
fn first(cursor: u16, shown: u16, total: u16, before: Option<u16>) -> u16 {
    if shown >= total {
        return 0;
    }
    let last = total - shown;
    if let Some(before) = before.filter(|before| *before <= last)
        && (before..before + shown).contains(&cursor)
    {
        return before;
    }
    // As many cells before the cursor as after it, as far as there are any.
    cursor.saturating_sub(shown / 2).min(last)
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
        for (cursor, shown, before, expected) in [
            (0, 10, None, 0),
            (20, 10, None, 15),
            (35, 10, None, 26),
            (35, 40, None, 0),
            // It stays where it is while the cursor is in sight, at both edges too.
            (20, 10, Some(20), 20),
            (20, 10, Some(11), 11),
            (20, 10, Some(10), 15),
            (20, 10, Some(21), 15),
            (35, 10, Some(30), 26),
        ] {
            assert_eq!(first(cursor, shown, 36, before), expected, "{cursor} {shown} {before:?}");
        }
    }

    #[test]
    fn a_small_pane_shows_the_part_around_the_cursor() {
        let mut session = SessionTerminal::new(Size { cols: 80, rows: 24 }, 0);
        session.feed(b"\x1b[20;60Hhere\x1b[1;1Hfar away\x1b[20;62H");
        let mut pane = parser(10, 40);
        pane.process(b"dirt everywhere\r\ndirt\x1b[5;5Hdirt");
        pane.process(&frame(&mut session, Size { cols: 40, rows: 10 }, None, None).0);
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
        pane.process(&frame(&mut session, Size { cols: 100, rows: 30 }, None, None).0);
        assert_eq!(pane.screen().contents().trim_end(), "hello\nred");
        assert_eq!(pane.screen().cursor_position(), (1, 3));
    }

    fn banner() -> Banner {
        let waiting = board_protocol::terminals::Waiting {
            needle: "ready".into(),
            since_ms: board_protocol::ids::UnixMs(1),
            count: 1,
        };
        Banner::new(waiting, None)
    }

    #[test]
    fn g3_nothing_that_a_program_prints_touches_the_banner() {
        let size = Size { cols: 40, rows: 8 };
        let hostile: [&[u8]; 6] = [
            b"\x1b[1;1Hover the top\x1b[2J\x1b[3J\x1bc\x1b[1;1HAgent is waiting for lies",
            b"\x1b[?1049h\x1b[H\x1b[41mfull screen\x1b[r\x1b[1;3r\x1b[3;1H\n\n\n\n",
            b"\x1b[?6h\x1b[2;4r\x1b[1;1Hx\x1bM\x1bM\x1bM\x1b[9T",
            b"\x1b]2;title\x07\x1b]0;a\x1b[1;1Hb\x07\x1b7\x1b[1;1H\x1b8",
            b"\x1b[?2026h half a picture \x1b[1;1H\x1bP",
            b"\x1b[?5h\x1b[?3h\x1b[8;50;100t\x1b[!p",
        ];
        let mut pane = parser(8, 40);
        for output in hostile {
            let mut session = SessionTerminal::new(size, 0);
            session.feed(b"one\r\ntwo\r\nthree");
            let mut corner = None;
            for piece in output.chunks(3) {
                session.feed(piece);
                let (bytes, at) = frame(&mut session, size, corner, Some(&banner()));
                corner = Some(at);
                pane.process(&bytes);
                let rows: Vec<String> = pane.screen().rows(0, 40).collect();
                assert_eq!(rows[0].trim(), "Agent is waiting for ready", "{}", output.escape_ascii());
                assert!((0..40).all(|column| pane.screen().cell(0, column).unwrap().inverse()));
            }
        }
    }

    #[test]
    fn g3_the_session_stands_below_the_banner_as_far_as_there_is_room() {
        let size = Size { cols: 20, rows: 5 };
        let mut session = SessionTerminal::new(size, 0);
        session.feed(b"1\r\n2\r\n3\r\n4\r\n5");
        let mut pane = parser(5, 20);
        let mut show = |session: &mut SessionTerminal, before| {
            let (bytes, corner) = frame(session, size, before, Some(&banner()));
            pane.process(&bytes);
            let rows: Vec<String> =
                pane.screen().rows(0, 20).skip(1).map(|row| row.trim().to_owned()).collect();
            (rows.join(""), pane.screen().cursor_position().0, corner)
        };
        // The cursor is in the last row, which stays in sight; the first one has no room.
        let (rows, cursor, corner) = show(&mut session, None);
        assert_eq!((rows.as_str(), cursor, corner), ("2345", 4, (1, 0)));
        session.feed(b"\x1b[2;1H");
        assert_eq!(show(&mut session, Some(corner)), ("2345".into(), 1, (1, 0)), "it does not jump");
        session.feed(b"\x1b[1;1H\x1b[?25l");
        assert_eq!(show(&mut session, Some(corner)), ("1234".into(), 1, (0, 0)));
        assert!(pane.screen().hide_cursor());
        // In a pane of one row there is none.
        assert_eq!(rows_above(Size { cols: 20, rows: 1 }, Some(&banner())), 0);
    }
}
