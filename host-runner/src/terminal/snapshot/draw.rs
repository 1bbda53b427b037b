//! Cells as bytes.

use super::{
    super::{
        emulator::{write_csi, write_position},
        model::Model,
        rows::{Look, Piece, pieces},
        style::Style,
    },
    Writer,
};

/// How the row above ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    /// The client's cursor is somewhere.
    Anywhere,
    /// The next character that is printed wraps into this row.
    Wraps,
}

impl Model {
    /// 3: the shown screen, onto a blank one.
    pub(super) fn draw_screen(&self, to: &mut Writer) {
        let mut above = Above::Anywhere;
        for (row, text) in (0_u16..).zip(self.emulator.rows()) {
            above = self.draw_row(row, &text, above, to);
        }
    }

    fn draw_row(&self, row: u16, text: &str, above: Above, to: &mut Writer) -> Above {
        let cols = self.size.cols;
        let wraps = row + 1 < self.size.rows && self.emulator.is_wrapped(row);
        // Where the client's cursor is, if that is certain.
        let mut at = None;
        if above == Above::Wraps {
            at = Some(0);
            if self.emulator.cell(row, 0).is_none_or(|cell| cell.text.is_empty()) {
                // What wrapped into the row was erased later.
                to.pen.set(Style::default(), None, &mut to.out);
                to.out.extend_from_slice(b" \r\x1b[X");
            }
        }
        let mut end = Above::Anywhere;
        pieces(text, cols, |piece| match piece {
            Piece::Run { col, text, cells, style } => {
                reach(row, col, at, to);
                to.pen.set(style, None, &mut to.out);
                to.out.extend_from_slice(text.as_bytes());
                at = Some(col + cells);
            }
            Piece::Blank { col, cells, style } => {
                reach(row, col, at, to);
                to.pen.set(style, None, &mut to.out);
                write_csi(cells, b'X', &mut to.out);
                at = Some(col);
            }
            Piece::Cell { col, text, cells, style } => {
                let look = Look::of(text, style, &self.table);
                reach(row, col, at, to);
                if look.is_leading_spacer && col + 1 == cols && wraps {
                    end = self.draw_leading_spacer(row, &look, to);
                    at = None;
                    return;
                }
                to.pen.set(look.style, look.link, &mut to.out);
                look.write_text(&mut to.out);
                // A row that goes on in the next one is taken at its word.
                at = (!look.is_composed() || (wraps && col + cells >= cols)).then_some(col + cells);
            }
        });
        if wraps && at == Some(cols) { Above::Wraps } else { end }
    }

    /// The client leaves this blank itself when a wide character follows: that of the next row, or one that is erased
    /// again.
    fn draw_leading_spacer(&self, row: u16, spacer: &Look<'_>, to: &mut Writer) -> Above {
        let leads = self.emulator.cell(row + 1, 0).is_some_and(|cell| {
            let first = Look::of(cell.text, cell.style, &self.table);
            cell.is_wide && first.style == spacer.style && first.link == spacer.link
        });
        if leads {
            return Above::Wraps;
        }
        to.pen.set(spacer.style, spacer.link, &mut to.out);
        to.out.extend_from_slice("\u{3000}\r".as_bytes());
        to.pen.set(Style::default(), None, &mut to.out);
        to.out.extend_from_slice(b"\x1b[2X");
        Above::Anywhere
    }

    /// Draws the last cell of a row once more, so that a wrap is pending after it.
    pub(super) fn draw_last_cell(&self, row: u16, to: &mut Writer) {
        let last = self.size.cols.saturating_sub(1);
        let is_second_half = self.emulator.cell(row, last).is_some_and(|cell| cell.is_continuation);
        let col = if is_second_half { last.saturating_sub(1) } else { last };
        let Some(cell) = self.emulator.cell(row, col) else { return };
        let look = Look::of(cell.text, cell.style, &self.table);
        write_position(row, col, &mut to.out);
        to.pen.set(look.style, look.link, &mut to.out);
        if look.is_blank() {
            to.out.push(b' ');
        } else {
            look.write_text(&mut to.out);
        }
    }
}

/// Brings the client's cursor to a cell.
fn reach(row: u16, col: u16, at: Option<u16>, to: &mut Writer) {
    match at {
        Some(at) if at == col => {}
        Some(at) if at < col && at > 0 => write_csi(col - at, b'C', &mut to.out),
        _ => write_position(row, col, &mut to.out),
    }
}
