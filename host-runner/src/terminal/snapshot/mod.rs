//! A screen as bytes that put any terminal, clean or dirty, into the state of the model. Used by the session terminal.
//!
//! The order matters and is kept step by step below: what prints comes before what is restored last. Nothing is
//! printed after the cursor stands, but for the cell that makes a wrap pending.

mod draw;
mod restore;

use super::{
    emulator::write_position,
    history::RowEnd,
    model::Model,
    rows::{self, ClientPen},
    session::{History, Snapshot},
    state::{Position, Shown},
};
use unicode_width::UnicodeWidthChar;

/// 1: a known state, whatever came before. CAN ends a sequence that was cut; a synchronized update is closed; single
/// modes follow DECSTR since not every terminal knows it; `J` instead of `2J`, which pushes the screen into the
/// scrollback of some.
const KNOWN_STATE: &[u8] = b"\x18\x1b[?2026l\x1b[<99u\x1b[?1049l\x1b[!p\x1b[?6l\x1b[?7h\x1b[4l\x1b[20l\x1b[r\x1b[m\x1b]8;;\x1b\\\
\x1b(B\x1b)B\x1b*B\x1b+B\x0f\x1b>\x1b[?1l\x1b[?5l\x1b[?45l\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1004l\
\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?2004l\x1b[?12l\x1b[?2031l\x1b[?2048l\x1b[?1007h\x1b[<99u\x1b[=0;1u\
\x1b[>4;0m\x1b[0 q\x1b[?25l";

/// Bytes and state of a snapshot while it is written.
struct Writer {
    out: Vec<u8>,
    pen: ClientPen,
}

impl Model {
    /// Writes the whole terminal.
    pub(super) fn snapshot(&mut self, history: History) -> Snapshot {
        let mut to = Writer { out: KNOWN_STATE.to_vec(), pen: ClientPen::default() };
        self.write_colour_resets(&mut to.out);
        let shown = self.state.screen();
        if shown == 0 {
            // What the alternate screen remembers although it is not shown.
            to.out.extend_from_slice(b"\x1b[?1049h");
            self.write_kitty(1, &mut to.out);
            self.write_saved_cursor(1, &mut to);
            to.out.extend_from_slice(b"\x1b[?1049l");
        }
        if history == History::Include {
            to.out.extend_from_slice(b"\x1b[3J");
        }
        to.out.extend_from_slice(b"\x1b[H\x1b[J");
        let cursor = self.cursor();
        if history == History::Include {
            self.write_history(&mut to);
        }
        if let Shown::Alternate(mode) = self.state.shown {
            self.on_other_screen(|model| {
                model.draw_screen(&mut to);
                model.write_primary_cursor(&mut to);
            });
            super::model::write_mode(mode, true, &mut to.out);
            to.out.extend_from_slice(b"\x1b(B\x1b)B\x1b*B\x1b+B\x0f");
            to.pen.set(Default::default(), None, &mut to.out);
        }
        self.write_saved_cursor(shown, &mut to);
        self.draw_screen(&mut to);
        self.write_kitty(shown, &mut to.out);
        self.write_tabs(&mut to.out);
        self.write_last_printed(&mut to);
        self.write_region_and_cursor(cursor, &mut to);
        self.write_modes(&mut to);
        Snapshot { bytes: to.out, unfinished: self.unfinished() }
    }

    /// 2: the history, pushed up out of sight.
    fn write_history(&mut self, to: &mut Writer) {
        let mut last = &RowEnd::Line;
        for row in self.history.newest(usize::MAX) {
            write_wrap(last, to);
            to.out.extend_from_slice(&row.bytes);
            last = &row.end;
            if *last == RowEnd::Line {
                to.out.extend_from_slice(b"\r\n");
            }
        }
        // The screen is drawn over it.
        write_wrap(last, to);
        let rows = self.size.rows;
        let visible = self.history_on_screen(usize::from(rows.saturating_sub(1)));
        write_position(rows.saturating_sub(1), 0, &mut to.out);
        to.out.extend(std::iter::repeat_n(b'\n', visible));
        to.out.extend_from_slice(b"\x1b[H\x1b[J");
    }

    /// How many rows of the client's screen the history fills once it was printed, at most `most`. A line from a wider
    /// screen takes several.
    fn history_on_screen(&self, most: usize) -> usize {
        if self.history.len() >= most {
            return most;
        }
        let lines = self.history.newest(usize::MAX);
        lines.map(|line| client_rows(&line.bytes, self.size.cols)).sum::<usize>().min(most)
    }

    /// 4: what the primary screen gets back when the alternate one is left.
    fn write_primary_cursor(&mut self, to: &mut Writer) {
        self.write_kitty(0, &mut to.out);
        let saved = self.state.saved[0].clone();
        let position = match self.state.shown {
            Shown::Alternate(1049) => saved.position,
            _ => self.cursor_now(),
        };
        self.write_cursor(position, to);
        to.pen.set(saved.style, saved.link.as_ref(), &mut to.out);
        restore::write_charsets(saved.charsets, &mut to.out);
    }

    /// A cursor in absolute rows, with its pending wrap. The screen that is shown must be the one that it is on.
    fn write_cursor(&mut self, position: Position, to: &mut Writer) {
        if position.wrap_pending {
            self.draw_last_cell(position.row, to);
        } else {
            write_position(position.row, position.col, &mut to.out);
        }
    }
}

/// How many rows a line takes where it is printed on an empty one.
fn client_rows(line: &[u8], cols: u16) -> usize {
    let text = String::from_utf8_lossy(line);
    let (mut rows, mut at) = (1, 0);
    for c in rows::without_sequences(&text, rows::Keep::Nothing).chars() {
        let cells = c.width().unwrap_or(0);
        if at + cells > usize::from(cols) {
            rows += 1;
            at = 0;
        }
        at += cells;
    }
    rows
}

/// Makes the client wrap into the next row, which is blank after it. Something must be printed for that, and without a
/// background: a row that scrolls in takes the one of what is printed.
fn write_wrap(end: &RowEnd, to: &mut Writer) {
    match end {
        RowEnd::Line => {}
        RowEnd::Wraps => to.out.extend_from_slice(b" \r"),
        RowEnd::WrapsBeforeWide(style, link) => {
            to.pen.set(*style, link.as_ref(), &mut to.out);
            to.out.extend_from_slice("\u{3000}\r".as_bytes());
            to.pen.set(Default::default(), None, &mut to.out);
            to.out.extend_from_slice(b"\x1b[K");
        }
    }
}
