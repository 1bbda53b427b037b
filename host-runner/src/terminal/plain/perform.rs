//! What sequences mean for the text. Used by [`super::PlainText`], which runs the parser.
//!
//! Colours, titles, modes and questions mean nothing here. What a program draws on the alternate screen is a picture,
//! not text that it printed: it is read over.

use super::page::{Erase, Page};

/// Takes what the parser found.
#[derive(Debug)]
pub(super) struct Performer {
    pub(super) page: Page,
    /// A full-screen program has the alternate screen.
    pub(super) is_alternate: bool,
    /// The cursor was just put on the first cell of the screen: what erases from there on erases all of it. A program that
    /// goes back up to its first line means its own lines.
    pub(super) is_home: bool,
}

/// The first value, or `missing` where none was written. A written 0 counts as none, as for every moving sequence.
fn first(params: &vte::Params, missing: u32) -> u32 {
    nth(params, 0).filter(|value| *value > 0).unwrap_or(missing)
}

fn nth(params: &vte::Params, n: usize) -> Option<u32> {
    params.iter().nth(n).and_then(|group| group.first()).map(|value| u32::from(*value))
}

impl Performer {
    fn mode(&mut self, params: &vte::Params, last: char) {
        for value in params.iter().filter_map(|group| group.first()) {
            if matches!(value, 47 | 1047 | 1049) {
                self.is_alternate = last == 'h';
            }
        }
    }

    fn csi(&mut self, params: &vte::Params, last: char) {
        let page = &mut self.page;
        let count = first(params, 1);
        let was_home = std::mem::take(&mut self.is_home);
        match last {
            'A' => page.up(count),
            'B' | 'e' => page.down(count),
            'C' | 'a' => page.right(count),
            'D' => page.left(count),
            'E' => {
                page.down(count);
                page.column(0);
            }
            'F' => {
                page.up(count);
                page.column(0);
            }
            'G' | '`' => page.column(count - 1),
            'H' | 'f' => {
                let column = nth(params, 1).unwrap_or(1).max(1);
                page.row(count - 1);
                page.column(column - 1);
                self.is_home = (count, column) == (1, 1);
            }
            'd' => page.row(count - 1),
            'I' => (0..count.min(128)).for_each(|_| page.tab()),
            'J' | 'K' => {
                let erase = match nth(params, 0).unwrap_or(0) {
                    0 if was_home && last == 'J' => Erase::All,
                    0 => Erase::After,
                    1 => Erase::Before,
                    2 => Erase::All,
                    // 3 clears what scrolled away, which is ours to keep.
                    _ => return,
                };
                if last == 'J' { page.erase_screen(erase) } else { page.erase_line(erase) }
            }
            'X' => page.blank(count),
            'P' => page.delete(count),
            '@' => page.insert(count),
            'b' => page.repeat(count),
            'r' => page.region(nth(params, 1).filter(|row| *row > 0).map(|row| row - 1)),
            's' => page.save(),
            'u' => page.restore(),
            _ => {}
        }
    }
}

impl vte::Perform for Performer {
    fn print(&mut self, c: char) {
        if !self.is_alternate {
            self.is_home = false;
            self.page.print(c);
        }
    }

    fn execute(&mut self, byte: u8) {
        if self.is_alternate {
            return;
        }
        self.is_home = false;
        match byte {
            0x08 => self.page.backspace(),
            b'\t' => self.page.tab(),
            b'\n' | 0x0b | 0x0c => self.page.line_feed(),
            b'\r' => self.page.carriage_return(),
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &vte::Params, intermediates: &[u8], ignore: bool, action: char) {
        match (ignore, intermediates, action) {
            (false, b"?", 'h' | 'l') => self.mode(params, action),
            (false, b"", _) if !self.is_alternate => self.csi(params, action),
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], ignore: bool, byte: u8) {
        if ignore || !intermediates.is_empty() {
            return;
        }
        if byte == b'c' {
            self.is_alternate = false;
            self.page.new_screen();
        }
        if self.is_alternate {
            return;
        }
        match byte {
            b'7' => self.page.save(),
            b'8' => self.page.restore(),
            b'D' | b'E' => self.page.line_feed(),
            b'M' => self.page.up(1),
            _ => {}
        }
    }
}
