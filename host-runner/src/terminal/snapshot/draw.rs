//! Cells as bytes.

use super::{
    super::{
        emulator::{write_csi, write_position},
        model::Model,
        rows::Look,
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
        for row in 0..self.size.rows {
            above = self.draw_row(row, above, to);
        }
    }

    fn draw_row(&self, row: u16, above: Above, to: &mut Writer) -> Above {
        let cols = self.size.cols;
        let wraps = self.emulator.is_wrapped(row) && row + 1 < self.size.rows;
        // Where the client's cursor is, if that is certain.
        let mut at = None;
        if above == Above::Wraps {
            at = Some(0);
            if self.look(row, 0).is_none_or(|look| look.is_blank()) {
                // What wrapped into the row was erased later.
                to.pen.set(Style::default(), None, &mut to.out);
                to.out.extend_from_slice(b" \r\x1b[X");
            }
        }
        let mut col = 0;
        while col < cols {
            let Some(look) = self.look(row, col) else { break };
            let width = if look.is_wide { 2 } else { 1 };
            if look.is_nothing() {
                col += 1;
                continue;
            }
            if look.is_blank() {
                let end = (col..cols)
                    .find(|c| self.look(row, *c).is_none_or(|l| !l.is_blank() || l.style != look.style));
                let end = end.unwrap_or(cols);
                reach(row, col, at, to);
                to.pen.set(look.style, None, &mut to.out);
                write_csi(end - col, b'X', &mut to.out);
                at = Some(col);
                col = end;
                continue;
            }
            if look.is_leading_spacer && col + 1 == cols && wraps {
                // The client leaves this blank itself when a wide character follows: that of the next row, or one that
                // is erased again.
                reach(row, col, at, to);
                if self.leads_to(row + 1, &look) {
                    return Above::Wraps;
                }
                to.pen.set(look.style, look.link, &mut to.out);
                to.out.extend_from_slice("\u{3000}\r".as_bytes());
                to.pen.set(Style::default(), None, &mut to.out);
                to.out.extend_from_slice(b"\x1b[2X");
                return Above::Anywhere;
            }
            reach(row, col, at, to);
            to.pen.set(look.style, look.link, &mut to.out);
            look.write_text(&mut to.out);
            col += width;
            at = (!look.is_composed()).then_some(col);
            if look.is_composed() && col >= cols && wraps {
                // The row goes on in the next one, so the cursor is taken at its word.
                at = Some(col);
            }
        }
        if wraps && at == Some(cols) { Above::Wraps } else { Above::Anywhere }
    }

    fn look(&self, row: u16, col: u16) -> Option<Look<'_>> {
        self.emulator.cell(row, col).map(|cell| Look::of(cell, &self.table))
    }

    fn leads_to(&self, row: u16, spacer: &Look<'_>) -> bool {
        self.look(row, 0)
            .is_some_and(|first| first.is_wide && first.style == spacer.style && first.link == spacer.link)
    }

    /// Draws the last cell of a row once more, so that a wrap is pending after it.
    pub(super) fn draw_last_cell(&self, row: u16, to: &mut Writer) {
        let last = self.size.cols.saturating_sub(1);
        let is_second_half = self.emulator.cell(row, last).is_some_and(|cell| cell.is_continuation);
        let col = if is_second_half { last.saturating_sub(1) } else { last };
        let Some(look) = self.look(row, col) else { return };
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
