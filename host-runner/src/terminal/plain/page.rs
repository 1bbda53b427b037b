//! Where the cursor is in the lines, and what printing, moving and erasing does to them.
//!
//! A line is one however wide the terminal is; the width only says where its rows begin, so that a carriage return, a
//! cursor that goes up and a shell that edits a wrapped command do what a person sees. The cursor reaches as far up as
//! the screen does. Used by the parser's performer; it never looks at a byte of a sequence.

use super::store::Store;
use board_protocol::ids::Size;
use unicode_width::UnicodeWidthChar;

/// Longest line in bytes; what goes on behind it is a line of its own. A match does not reach over such a cut, and no
/// program's line that a person reads is as long.
pub(super) const MAX_LINE_BYTES: u64 = 64 * 1024;
/// Most marks on one character: more are a joke, and looking for the character below them would take long.
const MAX_MARKS: u8 = 16;
/// Columns between tab stops.
const TAB: u32 = 8;

/// What a sequence erases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Erase {
    /// From the cursor on.
    After,
    /// Up to the cursor, with it.
    Before,
    /// Everything.
    All,
}

/// A place in the lines.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    line: u64,
    /// The offset of the character below the cursor; the line's end if there is none.
    byte: u64,
    /// The column in the whole line.
    col: u32,
    /// The column at which the cursor's row begins.
    row: u32,
    /// Columns behind the line's end.
    gap: u32,
    /// It is on the second half of the wide character at `byte`.
    half: bool,
}

/// The lines and the cursor in them.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) store: Store,
    size: Size,
    at: Place,
    /// Rows between the top of the screen and the cursor.
    depth: u16,
    saved: (Place, u16),
    /// The last row of the scroll region, if it ends above the bottom.
    bottom: Option<u16>,
    marks: u8,
    last: Option<char>,
}

impl Page {
    pub(super) fn new(size: Size) -> Self {
        Self {
            store: Store::new(),
            size,
            at: Place::default(),
            depth: 0,
            saved: (Place::default(), 0),
            bottom: None,
            marks: 0,
            last: None,
        }
    }

    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
        self.depth = self.depth.min(size.rows.saturating_sub(1));
        self.bottom = None;
        if self.at.col.saturating_sub(self.at.row) > self.cols() {
            self.at.row = self.at.col;
        }
    }

    fn cols(&self) -> u32 {
        u32::from(self.size.cols.max(1))
    }

    fn last_row(&self) -> u16 {
        self.size.rows.saturating_sub(1)
    }

    fn end(&self) -> u64 {
        self.store.line_end(self.at.line)
    }

    /// The next cell from `byte` on: its bytes and its columns.
    fn cell_at(&self, byte: u64, end: u64) -> Option<(u64, u32)> {
        let (mut length, width) = self.char_at(byte, end)?;
        while let Some((more, 0)) = self.char_at(byte + length, end) {
            length += more;
        }
        Some((length, width))
    }

    fn char_at(&self, byte: u64, end: u64) -> Option<(u64, u32)> {
        if byte >= end {
            return None;
        }
        let first = self.store.byte(byte)?;
        let length = match first {
            0..0x80 => return Some((1, 1)),
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        let text = std::str::from_utf8(self.store.part(byte, byte + length)).ok()?;
        Some((length, width(text.chars().next()?)))
    }

    /// The cell in front of `byte`.
    fn cell_before(&self, byte: u64, start: u64) -> Option<(u64, u32)> {
        let mut from = byte;
        loop {
            if from <= start {
                return None;
            }
            from -= 1;
            while from > start && self.store.byte(from).is_some_and(|byte| byte & 0xc0 == 0x80) {
                from -= 1;
            }
            match self.char_at(from, byte)? {
                (_, 0) => {}
                (_, width) => return Some((byte - from, width)),
            }
        }
    }

    /// Puts the cursor on a column of its line.
    fn seek(&mut self, target: u32) {
        let (start, end) = (self.store.start(self.at.line), self.end());
        let at = &mut self.at;
        if at.half {
            at.half = false;
            at.col -= 1;
        }
        at.col -= at.gap;
        at.gap = 0;
        let mut at = self.at;
        while at.col > target
            && let Some((length, width)) = self.cell_before(at.byte, start)
        {
            at.byte -= length;
            at.col = at.col.saturating_sub(width);
        }
        while at.col < target {
            match self.cell_at(at.byte, end) {
                None => {
                    at.gap = target - at.col;
                    at.col = target;
                }
                Some((_, width)) if at.col + width > target => {
                    at.half = true;
                    at.col += 1;
                }
                Some((length, width)) => {
                    at.byte += length;
                    at.col += width;
                }
            }
        }
        self.at = at;
        self.marks = 0;
    }

    /// The column of the cursor in its row; the last one while a wrap is pending.
    fn offset(&self) -> u32 {
        self.at.col.saturating_sub(self.at.row).min(self.cols() - 1)
    }

    /// Makes bytes of what is only a place: blanks up to the cursor, two blanks for a halved character.
    fn settle(&mut self) {
        if self.at.gap > 0 {
            let blanks = vec![b' '; self.at.gap as usize];
            self.store.replace(self.at.line, self.at.byte, 0, &blanks);
            self.at.byte += u64::from(self.at.gap);
            self.at.gap = 0;
        }
        if self.at.half {
            if let Some((length, _)) = self.cell_at(self.at.byte, self.end()) {
                self.store.replace(self.at.line, self.at.byte, length as usize, b"  ");
            }
            self.at.byte += 1;
            self.at.half = false;
        }
    }

    /// Bytes of the cells that `columns` from the cursor on touch, and how many columns they have.
    fn covered(&self, columns: u32) -> (usize, u32) {
        let end = self.end();
        let (mut bytes, mut covered) = (0, 0);
        while covered < columns
            && let Some((length, width)) = self.cell_at(self.at.byte + bytes, end)
        {
            bytes += length;
            covered += width;
        }
        (bytes as usize, covered)
    }

    pub(super) fn print(&mut self, c: char) {
        let columns = width(c);
        let mut buffer = [0; 8];
        let length = c.encode_utf8(&mut buffer).len();
        if columns == 0 {
            let alone = self.at.gap > 0 || self.at.half || self.at.byte <= self.store.start(self.at.line);
            if !alone && self.marks < MAX_MARKS && c != '\u{0}' {
                self.marks += 1;
                self.store.replace(self.at.line, self.at.byte, 0, buffer.get(..length).unwrap_or_default());
                self.at.byte += length as u64;
            }
            return;
        }
        if self.at.col - self.at.row + columns > self.cols() {
            self.at.row = self.at.col;
            self.depth = (self.depth + 1).min(self.last_row());
        }
        self.marks = 0;
        self.last = Some(c);
        self.settle();
        let end = self.end();
        if end - self.store.start(self.at.line) + 8 > MAX_LINE_BYTES {
            if self.at.line < self.store.last_line() {
                return;
            }
            if self.at.byte >= end {
                self.break_line();
            }
        }
        if self.at.byte >= self.end() {
            self.store.replace(self.at.line, self.at.byte, 0, buffer.get(..length).unwrap_or_default());
        } else {
            let (old, covered) = self.covered(columns);
            // Half of a wide character that is not overwritten is a blank.
            let mut new = length;
            if covered > columns
                && let Some(blank) = buffer.get_mut(length)
            {
                *blank = b' ';
                new += 1;
            }
            self.store.replace(self.at.line, self.at.byte, old, buffer.get(..new).unwrap_or_default());
        }
        self.at.byte += length as u64;
        self.at.col += columns;
    }

    /// The line is too long: what follows is another one.
    fn break_line(&mut self) {
        self.store.push_line();
        let line = self.store.last_line();
        self.at = Place { line, byte: self.store.start(line), ..Place::default() };
    }

    pub(super) fn repeat(&mut self, count: u32) {
        if let Some(c) = self.last {
            for _ in 0..count.min(self.cols()) {
                self.print(c);
            }
        }
    }

    pub(super) fn carriage_return(&mut self) {
        self.seek(self.at.row);
    }

    pub(super) fn backspace(&mut self) {
        self.seek(self.at.row + self.offset().saturating_sub(1));
    }

    pub(super) fn tab(&mut self) {
        let next = (self.offset() / TAB + 1) * TAB;
        self.column(next);
    }

    /// Puts the cursor on a column of its row.
    pub(super) fn column(&mut self, column: u32) {
        self.seek(self.at.row + column.min(self.cols() - 1));
    }

    pub(super) fn right(&mut self, columns: u32) {
        self.column(self.offset().saturating_add(columns));
    }

    pub(super) fn left(&mut self, columns: u32) {
        self.column(self.offset().saturating_sub(columns));
    }

    /// A line feed begins the next row at its first column: blanks that nobody printed would only be in the way.
    pub(super) fn line_feed(&mut self) {
        if self.bottom == Some(self.depth) {
            // Rows below the region stay below it.
            self.store.insert_line(self.at.line);
            self.go_to_line(self.at.line + 1);
            return;
        }
        self.row_below();
        self.depth = (self.depth + 1).min(self.last_row());
    }

    fn go_to_line(&mut self, line: u64) {
        let line = line.clamp(self.store.first_line(), self.store.last_line());
        self.at = Place { line, byte: self.store.start(line), ..Place::default() };
        self.marks = 0;
    }

    /// The first column of the row below.
    fn row_below(&mut self) {
        let next = self.at.row + self.cols();
        self.seek(next);
        if self.at.gap == 0 && self.at.byte < self.end() {
            self.at.row = next;
        } else if self.at.line < self.store.last_line() {
            self.go_to_line(self.at.line + 1);
        } else {
            self.store.push_line();
            self.go_to_line(self.store.last_line());
        }
    }

    pub(super) fn down(&mut self, rows: u32) {
        let offset = self.offset();
        for _ in 0..rows.min(u32::from(self.last_row() - self.depth)) {
            self.row_below();
            self.depth += 1;
        }
        self.column(offset);
    }

    pub(super) fn up(&mut self, rows: u32) {
        let offset = self.offset();
        for _ in 0..rows.min(u32::from(self.depth)) {
            if self.at.row >= self.cols() {
                self.at.row -= self.cols();
            } else if self.at.line > self.store.first_line() {
                self.go_to_line(self.at.line - 1);
                let bytes = u32::try_from(self.end() - self.at.byte).unwrap_or(u32::MAX);
                // No line is wider than its bytes are many.
                self.seek(bytes);
                let width = self.at.col - self.at.gap;
                self.at.row = width.saturating_sub(1) / self.cols() * self.cols();
            } else {
                break;
            }
            self.depth -= 1;
        }
        self.column(offset);
    }

    /// Goes to a row of the screen.
    pub(super) fn row(&mut self, row: u32) {
        let depth = u32::from(self.depth);
        if row < depth { self.up(depth - row) } else { self.down(row - depth) }
    }

    pub(super) fn save(&mut self) {
        self.saved = (self.at, self.depth);
    }

    pub(super) fn restore(&mut self) {
        let (place, depth) = self.saved;
        self.go_to_line(place.line);
        self.at.row = place.row;
        self.depth = depth.min(self.last_row());
        self.seek(place.col);
    }

    /// Where lines scroll: the row below which they do not, from 0.
    pub(super) fn region(&mut self, bottom: Option<u32>) {
        let bottom = bottom.and_then(|row| u16::try_from(row).ok());
        self.bottom = bottom.filter(|row| *row < self.last_row());
        self.row(0);
        self.column(0);
    }

    pub(super) fn erase_line(&mut self, erase: Erase) {
        let offset = self.offset();
        if erase == Erase::Before {
            self.column(0);
            self.blank(offset + 1);
        } else {
            if erase == Erase::All {
                self.column(0);
            }
            self.blank(self.cols() - self.offset());
        }
        self.column(offset);
    }

    /// Erases so many columns from the cursor on: what is the end of the line goes, what is inside it becomes blanks.
    pub(super) fn blank(&mut self, columns: u32) {
        if self.at.gap > 0 {
            return;
        }
        self.settle();
        let (bytes, covered) = self.covered(columns.min(self.cols()));
        let is_the_end = self.at.byte + bytes as u64 >= self.end();
        let blanks = vec![b' '; if is_the_end { 0 } else { covered as usize }];
        self.store.replace(self.at.line, self.at.byte, bytes, &blanks);
    }

    pub(super) fn delete(&mut self, columns: u32) {
        if self.at.gap == 0 {
            self.settle();
            let columns = columns.min(self.cols());
            let (bytes, covered) = self.covered(columns);
            // The second half of a wide character whose first one went is a blank.
            let blanks = vec![b' '; covered.saturating_sub(columns) as usize];
            self.store.replace(self.at.line, self.at.byte, bytes, &blanks);
        }
    }

    pub(super) fn insert(&mut self, columns: u32) {
        if self.at.gap > 0 || self.at.byte >= self.end() {
            return;
        }
        self.settle();
        let (place, row_end) = (self.at, self.at.row + self.cols());
        let blanks = vec![b' '; columns.min(self.cols()) as usize];
        self.store.replace(self.at.line, self.at.byte, 0, &blanks);
        // What is pushed over the end of the row is gone.
        self.seek(row_end);
        if self.at.gap == 0 {
            self.settle();
            let rest = self.end() - self.at.byte;
            self.store.replace(self.at.line, self.at.byte, rest as usize, &[]);
        }
        self.at = place;
    }

    pub(super) fn erase_screen(&mut self, erase: Erase) {
        match erase {
            Erase::After => {
                if self.at.gap == 0 {
                    self.settle();
                    let rest = self.end() - self.at.byte;
                    self.store.replace(self.at.line, self.at.byte, rest as usize, &[]);
                }
                self.store.clear_below(self.at.line);
            }
            // What was above is text that was printed, and stays so.
            Erase::Before => {}
            Erase::All => self.new_screen(),
        }
    }

    /// An empty screen: what was on the old one stays, above.
    pub(super) fn new_screen(&mut self) {
        let last = self.store.last_line();
        if self.store.start(last) < self.store.end() {
            self.store.push_line();
        }
        self.go_to_line(self.store.last_line());
        self.depth = 0;
    }

    /// Keeps the limits. A cursor on a line that went goes to the oldest one.
    pub(super) fn trim(&mut self) {
        self.store.trim();
        if self.at.line < self.store.first_line() {
            self.go_to_line(self.store.first_line());
        }
    }
}

/// Columns of a character; 0 for marks and for what shows nothing.
fn width(c: char) -> u32 {
    if c.is_ascii() { 1 } else { u32::try_from(c.width().unwrap_or(0)).unwrap_or(0) }
}
