//! Control sequences.

use super::{
    super::{
        emulator::{write_csi, write_position},
        params::Csi,
        state::{Charsets, Saved, State},
        style::{Style, number},
        tabs::Tabs,
    },
    Model,
};

impl Model {
    /// Follows a control sequence. `raw` is how it was written, where that is known.
    pub(super) fn csi(&mut self, csi: &Csi, raw: Option<&[u8]>) {
        match (csi.prefix, csi.intermediate) {
            (0, 0) => self.plain_csi(csi, raw),
            (b'?', 0) => match csi.last {
                b'h' => self.set_private_modes(csi, true),
                b'l' => self.set_private_modes(csi, false),
                b'J' | b'K' => self.plain_csi(&Csi { prefix: 0, ..*csi }, None),
                b'W' if csi.params.get(0, 0) == 5 => self.state.tabs = Tabs::new(self.size.cols),
                _ => {}
            },
            (b'>', 0) => match csi.last {
                b'm' if csi.params.get(0, 0) == 4 => {
                    self.state.modify_other_keys = u8::try_from(csi.params.get(1, 0)).unwrap_or(0).min(3);
                }
                b'm' if csi.params.get(0, 0) == 0 => self.state.modify_other_keys = 0,
                b'n' if csi.params.get(0, 0) == 4 => self.state.modify_other_keys = 0,
                b'u' => self.state.kitty_mut().push(flags(csi.params.get(0, 0))),
                _ => {}
            },
            (b'<', 0) if csi.last == b'u' => self.state.kitty_mut().pop(csi.params.get(0, 1)),
            (b'=', 0) if csi.last == b'u' => {
                self.state.kitty_mut().set(flags(csi.params.get(0, 0)), csi.params.get(1, 1));
            }
            (0, b' ') if csi.last == b'q' => {
                if let Ok(style @ 0..=6) = u8::try_from(csi.params.get(0, 0)) {
                    self.state.cursor_style = (style > 0).then_some(style);
                    // The style says whether it blinks.
                    self.state.modes.set(12, false);
                }
            }
            (0, b'!') if csi.last == b'p' => self.soft_reset(),
            _ => {}
        }
    }

    fn plain_csi(&mut self, csi: &Csi, raw: Option<&[u8]>) {
        let count = csi.params.get(0, 1);
        match csi.last {
            b'm' => self.state.style.apply(&csi.params),
            b'H' | b'f' => {
                self.may_wrap = false;
                match raw {
                    Some(raw) if !self.state.origin => self.out.extend_from_slice(raw),
                    _ => {
                        let row = self.absolute_row(count - 1);
                        write_position(row, csi.params.get(1, 1) - 1, &mut self.out);
                    }
                }
            }
            b'A' | b'B' | b'D' => {
                self.unwrap_cursor();
                write_csi(count, csi.last, &mut self.out);
            }
            b'e' => {
                self.unwrap_cursor();
                write_csi(count, b'B', &mut self.out);
            }
            b'C' | b'a' => write_csi(count, b'C', &mut self.out),
            b'G' | b'`' => {
                self.may_wrap = false;
                write_csi(count, b'G', &mut self.out);
            }
            b'd' => {
                self.unwrap_cursor();
                write_csi(self.absolute_row(count - 1) + 1, b'd', &mut self.out);
            }
            b'E' | b'F' => {
                self.may_wrap = false;
                write_csi(count, csi.last, &mut self.out);
            }
            b'J' => match csi.params.get(0, 0) {
                mode @ 0..=2 => {
                    if mode == 2 {
                        self.keep_screen();
                    }
                    self.set_pen(self.erased());
                    write_csi(mode, b'J', &mut self.out);
                }
                3 if !self.state.is_alternate() => {
                    self.flush();
                    self.fill_history();
                    self.history.clear();
                }
                _ => {}
            },
            b'K' => {
                let mode = csi.params.get(0, 0);
                if mode <= 2 {
                    self.set_pen(self.erased());
                    write_csi(mode, b'K', &mut self.out);
                }
            }
            b'X' => {
                self.unwrap_cursor();
                self.set_pen(self.erased());
                write_csi(count, b'X', &mut self.out);
            }
            b'@' => {
                self.unwrap_cursor();
                write_csi(count, b'@', &mut self.out);
                if self.erased() != Style::default() {
                    self.set_pen(self.erased());
                    write_csi(count, b'X', &mut self.out);
                }
            }
            b'P' => self.delete_characters(count),
            b'L' | b'M' => self.insert_or_delete_lines(csi.last, count),
            b'S' | b'T' => self.scroll(csi.last, count),
            b'b' => self.repeat(count),
            b'r' => {
                let bottom = csi.params.get(1, self.size.rows).min(self.size.rows);
                if count < bottom {
                    self.set_region(count - 1, bottom - 1);
                }
            }
            b's' if csi.params.len() == 1 => self.save_cursor(),
            b'u' => self.restore_cursor(),
            b'g' => match csi.params.get(0, 0) {
                0 => {
                    let col = self.cursor().col;
                    self.state.tabs.set(col, false);
                }
                3 => self.state.tabs.clear(),
                _ => {}
            },
            b'I' => self.tab(count),
            b'Z' => {
                let mut col = self.cursor().col;
                for _ in 0..count.min(self.size.cols) {
                    col = self.state.tabs.before(col);
                }
                self.goto_column(col);
            }
            b'h' | b'l' => {
                let on = csi.last == b'h';
                for group in csi.params.groups() {
                    match group.first() {
                        Some(4) => self.state.insert = on,
                        Some(20) => self.state.newline = on,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn goto_column(&mut self, col: u16) {
        self.may_wrap = false;
        write_csi(col.saturating_add(1), b'G', &mut self.out);
    }

    /// Moves to the next tab stop, `count` times.
    pub(super) fn tab(&mut self, count: u16) {
        let mut col = self.cursor().col;
        for _ in 0..count.min(self.size.cols) {
            col = self.state.tabs.after(col);
        }
        self.goto_column(col);
    }

    fn delete_characters(&mut self, count: u16) {
        self.unwrap_cursor();
        write_csi(count, b'P', &mut self.out);
        if self.erased() == Style::default() {
            return;
        }
        let col = self.cursor().col;
        let count = count.min(self.size.cols - col);
        self.set_pen(self.erased());
        write_csi(self.size.cols - count + 1, b'G', &mut self.out);
        write_csi(count, b'X', &mut self.out);
        self.goto_column(col);
    }

    fn insert_or_delete_lines(&mut self, last: u8, count: u16) {
        write_csi(count, last, &mut self.out);
        if self.erased() == Style::default() {
            return;
        }
        let row = self.cursor().row;
        let (top, bottom) = self.state.region;
        if (top..=bottom).contains(&row) {
            let count = count.min(bottom - row + 1);
            let rows = if last == b'L' { row..=row + count - 1 } else { bottom + 1 - count..=bottom };
            self.fill_rows(rows);
        }
    }

    fn scroll(&mut self, last: u8, count: u16) {
        let (top, bottom) = self.state.region;
        let count = count.min(bottom - top + 1);
        if last == b'S' {
            self.reserve_scrolls(usize::from(count));
        }
        write_csi(count, last, &mut self.out);
        let rows = if last == b'T' { top..=top + count - 1 } else { bottom + 1 - count..=bottom };
        self.fill_rows(rows);
    }

    fn set_private_modes(&mut self, csi: &Csi, on: bool) {
        for mode in csi.params.groups().filter_map(|group| group.first().copied()) {
            match mode {
                // The width of the screen is not the program's to choose.
                3 => {}
                6 => {
                    self.state.origin = on;
                    self.home();
                }
                7 => self.state.autowrap = on,
                47 | 1047 | 1049 => {
                    if on {
                        self.show_alternate(mode);
                    } else {
                        self.show_primary(mode);
                    }
                }
                66 => self.state.application_keypad = on,
                1048 => {
                    if on {
                        self.save_cursor();
                    } else {
                        self.restore_cursor();
                    }
                }
                _ => self.state.modes.set(mode, on),
            }
        }
    }

    /// DECSTR, as xterm does it.
    fn soft_reset(&mut self) {
        let cursor = self.cursor();
        let state = &mut self.state;
        state.style = Style::default();
        state.link = None;
        state.charsets = Charsets::default();
        state.origin = false;
        state.insert = false;
        state.autowrap = true;
        state.application_keypad = false;
        state.modes.set(1, false);
        state.modes.set(25, true);
        state.saved[usize::from(state.is_alternate())] = Saved::default();
        state.region = (0, self.size.rows.saturating_sub(1));
        self.write_region();
        self.goto(cursor);
    }

    /// RIS. The history goes, too.
    pub(super) fn reset(&mut self) {
        self.show_primary(47);
        self.out.clear();
        self.emulator.process(b"\x1bc");
        self.pen = Style::default();
        self.scrolls = 0;
        self.may_wrap = false;
        self.history.clear();
        self.state = State { touched: self.state.touched, ..State::new(self.size) };
        self.table = Default::default();
        self.marker = None;
    }

    /// DECALN: the whole screen full of `E`, the cursor stays.
    pub(super) fn alignment_test(&mut self) {
        let back = self.cursor();
        self.set_pen(Style::default());
        for row in 0..self.size.rows {
            write_position(row, 0, &mut self.out);
            self.out.extend(std::iter::repeat_n(b'E', usize::from(self.size.cols)));
        }
        self.goto(back);
    }
}

fn flags(value: u16) -> u8 {
    // Five flags are defined.
    (value & 0x1f) as u8
}

/// What the snapshot of modes needs, spelled once.
pub(in super::super) fn write_mode(mode: u16, on: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[?");
    number(mode, out);
    out.push(if on { b'h' } else { b'l' });
}
