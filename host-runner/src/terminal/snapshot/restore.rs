//! Everything that is not a cell as bytes.

use super::{
    super::{
        emulator::{write_csi, write_position},
        model::{Model, write_mode},
        state::{Charset, Charsets, Position},
        style::{Style, number},
    },
    Writer,
};

impl Model {
    /// 1: colours that the session changed at any time go back to the terminal's own. Those that it never touched are
    /// none of our business: many people set a palette of their own by the same sequences.
    pub(super) fn write_colour_resets(&self, out: &mut Vec<u8>) {
        if self.state.touched.palette {
            out.extend_from_slice(b"\x1b]104\x1b\\");
        }
        for (slot, touched) in (110_u8..).zip(self.state.touched.dynamic) {
            if touched {
                out.extend_from_slice(b"\x1b]");
                number(slot, out);
                out.extend_from_slice(b"\x1b\\");
            }
        }
    }

    /// 5: the keyboard flags of a screen, on an empty stack.
    pub(super) fn write_kitty(&self, screen: usize, out: &mut Vec<u8>) {
        let kitty = &self.state.kitty[screen];
        out.extend_from_slice(b"\x1b[<99u\x1b[=");
        number(kitty.base, out);
        out.extend_from_slice(b";1u");
        for flags in &kitty.stack {
            out.extend_from_slice(b"\x1b[>");
            number(*flags, out);
            out.push(b'u');
        }
    }

    /// 5: tab stops.
    pub(super) fn write_tabs(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b[3g");
        for col in self.state.tabs.iter() {
            write_csi(col + 1, b'G', out);
            out.extend_from_slice(b"\x1bH");
        }
    }

    /// 3: what DECRC of a screen restores. Before the cells: a pending wrap needs a print, which would change
    /// a row that goes on.
    pub(super) fn write_saved_cursor(&self, screen: usize, to: &mut Writer) {
        let saved = self.state.saved[screen].clone();
        let Position { row, col, wrap_pending } = saved.position;
        let shown_row = if saved.origin {
            self.write_origin(to);
            row.saturating_sub(self.state.region.0)
        } else {
            row
        };
        write_position(shown_row, col, &mut to.out);
        if wrap_pending {
            to.out.push(b' ');
        }
        to.pen.set(saved.style, saved.link.as_ref(), &mut to.out);
        write_charsets(saved.charsets, &mut to.out);
        to.out.extend_from_slice(b"\x1b7");
        to.out.extend_from_slice(b"\x1b(B\x1b)B\x1b*B\x1b+B\x0f");
        if saved.origin {
            to.out.extend_from_slice(b"\x1b[?6l\x1b[r");
        }
        to.pen.set(Style::default(), None, &mut to.out);
        to.out.extend_from_slice(b"\x1b[H\x1b[J");
    }

    /// 7: the client must have printed the same character last (REP). It is printed where its print leaves no trace:
    /// over a cell with the same character, or on a blank that is erased again.
    pub(super) fn write_last_printed(&self, to: &mut Writer) {
        use unicode_width::UnicodeWidthChar;
        // Before anything was printed a client must not repeat what it showed of something else.
        let c = self.state.last_printed.unwrap_or(' ');
        // A mark needs something to stand on.
        let before: &[u8] = if c.width() == Some(0) { b" " } else { b"" };
        let width = c.width().unwrap_or(1).clamp(1, 2) as u16;
        let mut buffer = [0; 4];
        let text = c.encode_utf8(&mut buffer);
        let places = || {
            let last = self.size.cols.saturating_sub(width);
            (0..self.size.rows).flat_map(move |row| (0..last).map(move |col| (row, col)))
        };
        let is_blank = |row, col| {
            self.emulator.cell(row, col).is_some_and(|cell| cell.text.is_empty() && !cell.is_continuation)
        };
        if let Some((row, col)) = places().find(|(row, col)| (0..width).all(|n| is_blank(*row, *col + n))) {
            let background =
                self.emulator.cell(row, col).map(|cell| cell.style.background).unwrap_or_default();
            write_position(row, col, &mut to.out);
            to.pen.set(Style::erased(background), None, &mut to.out);
            to.out.extend_from_slice(before);
            to.out.extend_from_slice(text.as_bytes());
            write_position(row, col, &mut to.out);
            write_csi(width, b'X', &mut to.out);
        } else if let Some((row, col)) =
            places().find(|(row, col)| self.emulator.cell(*row, *col).is_some_and(|cell| cell.text == text))
        {
            let style = self.emulator.cell(row, col).map(|cell| cell.style).unwrap_or_default();
            write_position(row, col, &mut to.out);
            to.pen.set(style, None, &mut to.out);
            to.out.extend_from_slice(text.as_bytes());
        }
    }

    /// 8: region, origin mode, cursor.
    pub(super) fn write_region_and_cursor(&mut self, cursor: Position, to: &mut Writer) {
        if self.state.origin {
            self.write_origin(to);
            self.write_origin_cursor(cursor, to);
        } else {
            if self.state.region != (0, self.size.rows.saturating_sub(1)) {
                self.write_client_region(to);
            }
            self.write_cursor(cursor, to);
        }
    }

    fn write_client_region(&self, to: &mut Writer) {
        let (top, bottom) = self.state.region;
        to.out.extend_from_slice(b"\x1b[");
        number(u32::from(top) + 1, &mut to.out);
        to.out.push(b';');
        number(u32::from(bottom) + 1, &mut to.out);
        to.out.push(b'r');
    }

    fn write_origin(&self, to: &mut Writer) {
        self.write_client_region(to);
        to.out.extend_from_slice(b"\x1b[?6h");
    }

    /// A cursor as origin mode counts its rows.
    fn write_origin_cursor(&self, cursor: Position, to: &mut Writer) {
        let row = cursor.row.saturating_sub(self.state.region.0);
        if cursor.wrap_pending {
            let start = to.out.len();
            self.draw_last_cell(cursor.row, to);
            // The position is written first; the same cell counts from the region's top here.
            let end = to
                .out
                .get(start..)
                .and_then(|tail| tail.iter().position(|b| *b == b'H'))
                .map_or(start, |n| start + n + 1);
            let is_second_half =
                self.emulator.cell(cursor.row, cursor.col).is_some_and(|cell| cell.is_continuation);
            let mut position = Vec::new();
            write_position(row, cursor.col.saturating_sub(u16::from(is_second_half)), &mut position);
            to.out.splice(start..end, position);
        } else {
            write_position(row, cursor.col, &mut to.out);
        }
    }

    /// 9: everything that prints nothing.
    pub(super) fn write_modes(&self, to: &mut Writer) {
        let state = &self.state;
        to.pen.set(state.style, state.link.as_ref(), &mut to.out);
        let out = &mut to.out;
        write_charsets(state.charsets, out);
        if state.insert {
            out.extend_from_slice(b"\x1b[4h");
        }
        if state.newline {
            out.extend_from_slice(b"\x1b[20h");
        }
        if !state.autowrap {
            write_mode(7, false, out);
        }
        if let Some(style) = state.cursor_style {
            out.extend_from_slice(b"\x1b[");
            number(style, out);
            out.extend_from_slice(b" q");
        }
        for (mode, on) in state.modes.changed().filter(|(mode, _)| !matches!(mode, 25 | 2026)) {
            write_mode(mode, on, out);
        }
        if state.application_keypad {
            out.extend_from_slice(b"\x1b=");
        }
        if state.modify_other_keys > 0 {
            out.extend_from_slice(b"\x1b[>4;");
            number(state.modify_other_keys, out);
            out.push(b'm');
        }
        for (index, colour) in &state.palette {
            out.extend_from_slice(b"\x1b]4;");
            number(*index, out);
            out.push(b';');
            out.extend_from_slice(colour);
            out.extend_from_slice(b"\x1b\\");
        }
        for (slot, colour) in (10_u8..).zip(&state.dynamic) {
            if let Some(colour) = colour {
                out.extend_from_slice(b"\x1b]");
                number(slot, out);
                out.push(b';');
                out.extend_from_slice(colour);
                out.extend_from_slice(b"\x1b\\");
            }
        }
        if let Some(title) = &state.title {
            out.extend_from_slice(b"\x1b]2;");
            out.extend_from_slice(title.as_bytes());
            out.extend_from_slice(b"\x1b\\");
        }
        if state.modes.is_set(25) {
            write_mode(25, true, out);
        }
        // A client closes an update that nobody closes; what is above is shown before.
        if state.modes.is_set(2026) {
            write_mode(2026, true, out);
        }
    }
}

/// Character sets; the client has ASCII in all of them.
pub(super) fn write_charsets(charsets: Charsets, out: &mut Vec<u8>) {
    for (set, name) in charsets.sets.iter().zip(b"()*+") {
        if *set == Charset::Graphics {
            out.extend_from_slice(&[0x1b, *name, b'0']);
        }
    }
    match charsets.active {
        1 => out.push(0x0e),
        2 => out.extend_from_slice(b"\x1bn"),
        3 => out.extend_from_slice(b"\x1bo"),
        _ => {}
    }
}
