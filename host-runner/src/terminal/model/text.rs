//! Printing. Runs that the engine prints exactly as a terminal does go through as they are; everything else goes
//! character by character with the cursor followed here.

use super::{
    super::{
        emulator::{write_csi, write_position},
        extended::{self, Extended, kept_by_engine},
        state::{Charset, Position},
    },
    Model,
};
use unicode_width::UnicodeWidthChar;

/// Characters of DEC special graphics from `_` to `~`.
const GRAPHICS: [char; 32] = [
    ' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺', '⎻', '─', '⎼', '⎽',
    '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
];

/// The engine's cursor while a run is printed: the column equals the width while a wrap is pending.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pen {
    row: u16,
    col: u16,
}

impl Model {
    /// Whether the engine prints ASCII as it is, marks aside.
    pub(super) fn prints_plainly(&self) -> bool {
        let state = &self.state;
        state.autowrap
            && !state.insert
            && state.charsets.current() == Charset::Ascii
            && state.link.is_none()
            && kept_by_engine(state.style) == state.style
    }

    /// Prints a run without controls.
    pub(super) fn text(&mut self, run: &[u8]) {
        if run.is_ascii() && self.prints_plainly() && self.scrolls_plainly(run.len()) {
            self.set_pen(self.state.style);
            self.reserve_scrolls(run.len() / usize::from(self.size.cols.max(1)) + 1);
            self.out.extend_from_slice(run);
            self.state.last_printed = run.last().map(|b| char::from(*b));
            self.may_wrap = true;
            return;
        }
        let mut pen = self.start();
        if self.prints_plainly() && self.fits_plainly(run, pen) {
            self.set_pen(self.state.style);
            self.out.extend_from_slice(run);
            self.may_wrap = true;
            return;
        }
        for chunk in run.utf8_chunks() {
            for c in chunk.valid().chars() {
                self.print(c, &mut pen);
            }
            if !chunk.invalid().is_empty() {
                self.print('\u{fffd}', &mut pen);
            }
        }
    }

    /// Whether rows that scroll in while `cells` are printed need no background of their own.
    fn scrolls_plainly(&mut self, cells: usize) -> bool {
        if self.erased() == Default::default() {
            return true;
        }
        let Pen { row, col } = self.start();
        let rows = (usize::from(col) + cells) / usize::from(self.size.cols.max(1));
        let bottom = if row <= self.state.region.1 { self.state.region.1 } else { u16::MAX };
        usize::from(row) + rows < usize::from(bottom)
    }

    /// Whether a run has no marks and ends before the margin: the engine prints it as it is.
    fn fits_plainly(&mut self, run: &[u8], pen: Pen) -> bool {
        let Ok(text) = std::str::from_utf8(run) else { return false };
        let mut room = usize::from(self.size.cols.saturating_sub(pen.col));
        for c in text.chars() {
            let width = c.width().unwrap_or(0);
            if !matches!(width, 1 | 2) || width > room || c == '\u{fffd}' {
                return false;
            }
            room -= width;
        }
        self.state.last_printed = text.chars().next_back();
        true
    }

    fn start(&mut self) -> Pen {
        self.flush();
        let (row, col) = self.emulator.cursor();
        Pen { row, col }
    }

    /// REP.
    pub(super) fn repeat(&mut self, count: u16) {
        let Some(c) = self.state.last_printed else { return };
        let mut pen = self.start();
        // More than a screen full changes nothing that anybody could count, but would take seconds.
        let most = u32::from(self.size.cols) * u32::from(self.size.rows);
        for _ in 0..u32::from(count).min(most) {
            self.print(c, &mut pen);
        }
    }

    fn print(&mut self, c: char, pen: &mut Pen) {
        let Some(width) = c.width() else { return };
        if extended::is_marker(c) {
            return;
        }
        self.state.last_printed = Some(c);
        if width == 0 {
            self.print_mark(c, *pen);
            return;
        }
        let width = if width == 1 { 1 } else { 2 };
        let cols = self.size.cols;
        if width > cols {
            return;
        }
        let (mut wraps, mut fills) = (false, false);
        if pen.col + width > cols {
            if !self.state.autowrap {
                if width == 2 || self.clips {
                    return;
                }
                write_csi(cols, b'G', &mut self.out);
                pen.col = cols - 1;
            } else {
                if pen.col < cols {
                    self.print_leading_spacer();
                }
                if self.state.insert {
                    self.insert_after_wrap(width, *pen);
                }
                wraps = true;
                fills = self.wrap(pen) && self.erased() != Default::default();
            }
        }
        if self.state.insert && !wraps && pen.col + width < cols {
            write_csi(width, b'@', &mut self.out);
        }
        let drawn = match (self.state.charsets.current(), c) {
            (Charset::Graphics, '_'..='~') => {
                GRAPHICS.get((u32::from(c) - u32::from('_')) as usize).copied().unwrap_or(c)
            }
            _ => c,
        };
        self.set_pen(kept_by_engine(self.state.style));
        let mut buffer = [0; 4];
        if drawn == '\u{fffd}' {
            self.out.push(b'?');
            self.out.extend_from_slice(extended::REPLACEMENT.encode_utf8(&mut buffer).as_bytes());
        } else {
            self.out.extend_from_slice(drawn.encode_utf8(&mut buffer).as_bytes());
        }
        self.write_marker();
        pen.col += width;
        self.may_wrap = pen.col >= cols;
        if fills {
            self.set_pen(self.erased());
            self.out.extend_from_slice(b"\x1b[K");
        }
    }

    /// Appends the marker of the attributes that the engine does not have.
    fn write_marker(&mut self) {
        if self.state.link.is_none() && kept_by_engine(self.state.style) == self.state.style {
            return;
        }
        let Some(marker) = self.current_marker() else { return };
        let mut buffer = [0; 4];
        self.out.extend_from_slice(marker.encode_utf8(&mut buffer).as_bytes());
    }

    fn current_marker(&mut self) -> Option<char> {
        if let Some((style, link, marker)) = &self.marker
            && *style == self.state.style
            && *link == self.state.link
        {
            return Some(*marker);
        }
        let extended = Extended::of(self.state.style, self.state.link.as_ref());
        if self.table.is_full() {
            self.forget_unused_markers();
        }
        let marker = self.table.marker(&extended)?;
        self.marker = Some((self.state.style, self.state.link.clone(), marker));
        Some(marker)
    }

    /// A mark of no width goes to the character before it.
    fn print_mark(&mut self, c: char, pen: Pen) {
        let c = match c {
            '\u{fe0f}' => extended::EMOJI_PRESENTATION,
            c => c,
        };
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).as_bytes();
        if pen.col == 0 {
            // The engine has no character before the first column; terminals put the mark into it.
            self.out.extend_from_slice(b"\x1b[C");
            self.out.extend_from_slice(bytes);
            self.out.extend_from_slice(b"\x1b[D");
        } else {
            self.out.extend_from_slice(bytes);
        }
    }

    /// A wide character does not fit into the last column: a marked blank takes its place.
    fn print_leading_spacer(&mut self) {
        self.has_spacers = true;
        self.set_pen(kept_by_engine(self.state.style));
        self.out.push(b' ');
        let mut buffer = [0; 4];
        self.out.extend_from_slice(extended::LEADING_SPACER.encode_utf8(&mut buffer).as_bytes());
        self.write_marker();
    }

    /// Follows the engine's wrap; `true` when a row scrolled in.
    fn wrap(&mut self, pen: &mut Pen) -> bool {
        pen.col = 0;
        if pen.row == self.state.region.1 {
            self.reserve_scrolls(1);
            return true;
        }
        pen.row = (pen.row + 1).min(self.last_row());
        false
    }

    /// Insert mode and a pending wrap: the engine wraps and prints at once, so the next row is shifted beforehand.
    fn insert_after_wrap(&mut self, width: u16, pen: Pen) {
        if pen.row == self.state.region.1 {
            return;
        }
        write_position((pen.row + 1).min(self.last_row()), 0, &mut self.out);
        write_csi(width, b'@', &mut self.out);
        self.goto(Position { row: pen.row, col: self.last_column(), wrap_pending: true });
    }

    /// All markers are taken: those that no cell of either screen uses become free. The history has none.
    fn forget_unused_markers(&mut self) {
        let mut used = std::collections::HashSet::new();
        self.on_each_screen(|model| {
            for row in model.emulator.rows() {
                used.extend(row.chars().filter(|c| extended::is_marker(*c)));
            }
        });
        self.table.retain(&used);
        self.marker = None;
    }
}
