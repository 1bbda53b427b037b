//! The only file that names `vt100`: the cells of both screens and the cursor. Used by the model, which gives it
//! complete sequences only, and only those that it models.

use super::style::{Colour, Flag, Style, Underline, number};
use board_protocol::ids::Size;
use std::num::NonZeroU16;

/// Rows that the engine keeps after they scrolled off, until the model takes them into the history. It is a buffer, not
/// the history: rows of cells cost ten times the memory of formatted ones.
pub(super) const SCROLL_BUFFER_ROWS: usize = 512;

/// One engine.
pub(super) struct Emulator {
    parser: vt100::Parser,
}

/// A cell as the engine keeps it.
#[derive(Debug, Clone, Copy)]
pub(super) struct EngineCell<'a> {
    /// Base character, marks and markers; empty for an erased cell.
    pub(super) text: &'a str,
    pub(super) is_wide: bool,
    /// The second half of a wide character.
    pub(super) is_continuation: bool,
    pub(super) style: Style,
}

fn dimension(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap_or(NonZeroU16::MIN)
}

impl Emulator {
    pub(super) fn new(size: Size) -> Self {
        let buffer = SCROLL_BUFFER_ROWS.max(usize::from(size.rows));
        Self { parser: vt100::Parser::new(dimension(size.rows), dimension(size.cols), buffer) }
    }

    pub(super) fn process(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
    }

    /// Changes the size of both screens. What is pushed off the top stays in the buffer.
    pub(super) fn set_size(&mut self, size: Size) {
        self.parser.set_size(dimension(size.rows), dimension(size.cols));
    }

    /// Row and column; the column equals the width while a wrap is pending.
    pub(super) fn cursor(&self) -> (u16, u16) {
        self.parser.screen().cursor_position()
    }

    /// The cell at a place of the view (see [`Emulator::view`]).
    pub(super) fn cell(&self, row: u16, col: u16) -> Option<EngineCell<'_>> {
        let cell = self.parser.screen().cell(row, col)?;
        Some(EngineCell {
            text: cell.contents(),
            is_wide: cell.is_wide(),
            is_continuation: cell.is_wide_continuation(),
            style: style(cell),
        })
    }

    /// The rows of the view, each as text with SGR, `CUF`, `ECH` and `EL` (see [`super::rows::pieces`]). Much faster than
    /// asking for each cell.
    pub(super) fn rows(&self) -> impl Iterator<Item = String> + '_ {
        let cols = self.parser.screen().size().1.get();
        // At exactly the width the engine writes rows that depend on the one before.
        self.parser.screen().rows_formatted(0, cols.saturating_add(1))
    }

    /// Whether a row of the view goes on in the next one.
    pub(super) fn is_wrapped(&self, row: u16) -> bool {
        self.parser.screen().row_wrapped(row)
    }

    /// How many rows of the primary screen scrolled off and were not taken yet. Valid while it is shown.
    pub(super) fn scrolled(&self) -> usize {
        self.parser.screen().scrollback_len()
    }

    /// Moves the view `rows` up into what scrolled off; 0 is the screen itself.
    pub(super) fn view(&mut self, rows: usize) {
        self.parser.screen_mut().set_scrollback(rows);
    }

    /// Forgets what scrolled off. After it a growing screen gets blank rows at the bottom only.
    pub(super) fn clear_scrolled(&mut self) {
        self.parser.screen_mut().clear_scrollback();
    }
}

fn style(cell: &vt100::Cell) -> Style {
    let mut style =
        Style { foreground: colour(cell.fgcolor()), background: colour(cell.bgcolor()), ..Style::default() };
    style.set(Flag::Bold, cell.bold());
    style.set(Flag::Dim, cell.dim());
    style.set(Flag::Italic, cell.italic());
    style.set(Flag::Inverse, cell.inverse());
    if cell.underline() {
        style.underline = Underline::Single;
    }
    style
}

fn colour(colour: vt100::Color) -> Colour {
    match colour {
        vt100::Color::Default => Colour::Default,
        vt100::Color::Idx(n) => Colour::Index(n),
        vt100::Color::Rgb(r, g, b) => Colour::Rgb(r, g, b),
    }
}

/// Writes a cursor position, from 0.
pub(super) fn write_position(row: u16, col: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[");
    number(u32::from(row) + 1, out);
    out.push(b';');
    number(u32::from(col) + 1, out);
    out.push(b'H');
}

/// Writes a control sequence with one number.
pub(super) fn write_csi(value: u16, last: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[");
    number(value, out);
    out.push(last);
}
