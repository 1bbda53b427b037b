//! Rows that are painted over: a program that draws its screen again and again, each part at a place of its own, costs the
//! engine only what is still to be seen at the end of what was read.
//!
//! Nothing is kept from one read to the next, and whatever is not understood ends the look ahead: the engine sees it, and
//! everything in front of it that it could depend on.

use super::{
    super::{
        extended::kept_by_engine,
        params::{Csi, Parsed, parse_csi},
        style::Style,
    },
    Model,
};
use unicode_width::UnicodeWidthChar;

/// Parts of one row that are compared with a new one. A row of more parts is drawn part by part.
const MAX_PARTS: usize = 16;

/// What became of the bytes at the start of a read.
#[derive(Debug, Default)]
pub(super) struct Painted {
    /// Bytes that are done with; 0 is the usual answer.
    pub(super) read: usize,
    /// Of them, bytes that had to be drawn.
    pub(super) drawn: usize,
}

/// One place of the screen and what is printed from there on, without leaving the row.
#[derive(Debug, Clone, Copy)]
struct Part {
    row: u16,
    /// The first column, and the one behind the last.
    from: u16,
    to: u16,
    /// Whether the rest of the row was erased.
    erases: bool,
    /// Its bytes, from the sequence that goes there.
    start: usize,
    end: usize,
    /// The style that it begins with.
    style: Style,
    is_seen: bool,
}

impl Part {
    /// Whether nothing of `other`, which was drawn before, is left.
    fn hides(&self, other: &Self, cols: u16) -> bool {
        // At the same right edge the halves of a wide character may stand, whose look is the first printer's.
        let to_the_right =
            self.erases || (!other.erases && (self.to > other.to || self.to == cols && other.to == cols));
        self.from <= other.from && to_the_right
    }

    fn is_empty(&self) -> bool {
        self.from == self.to && !self.erases
    }
}

impl Model {
    /// Reads parts of the screen at the start of `bytes`, which begin with `csi`, as far as they go, and draws those that are
    /// not hidden by later ones.
    pub(super) fn paint(&mut self, csi: &Csi, bytes: &[u8]) -> Painted {
        let cells = usize::from(self.size.rows) * usize::from(self.size.cols);
        // Fewer bytes than cells paint no screen twice, and looking ahead is work, too.
        if !goes_somewhere(csi) || bytes.len() > self.paint_below || bytes.len() < cells {
            return Painted::default();
        }
        if self.state.origin || !self.prints_plainly() {
            return Painted::default();
        }
        let mut look = LookAhead::new(self);
        let stopped = look.run(bytes);
        // The last part, which is not whole, is read again: by the engine.
        self.paint_below = bytes.len() - stopped;
        let LookAhead { parts, style, last, .. } = look;
        let read = parts.last().map_or(0, |part| part.end);
        if parts.iter().all(|part| part.is_seen) {
            return Painted::default();
        }
        let mut drawn = 0;
        for part in parts.iter().filter(|part| part.is_seen) {
            self.state.style = part.style;
            let visible = bytes.get(part.start..part.end).unwrap_or_default();
            drawn += visible.len();
            self.parse(visible, usize::MAX);
        }
        self.state.style = style;
        self.state.last_printed = last.or(self.state.last_printed);
        Painted { read, drawn }
    }
}

/// Whether a sequence goes to a place of the screen whatever was before.
fn goes_somewhere(csi: &Csi) -> bool {
    matches!((csi.prefix, csi.intermediate, csi.last), (0, 0, b'H' | b'f'))
}

struct LookAhead {
    rows: u16,
    cols: u16,
    /// The parts that are whole, oldest first.
    parts: Vec<Part>,
    /// For each row, those that may still be seen.
    seen: Vec<Vec<usize>>,
    /// The style behind them.
    style: Style,
    /// The character that was printed last in them.
    last: Option<char>,
}

impl LookAhead {
    fn new(model: &Model) -> Self {
        let rows = model.size.rows;
        Self {
            rows,
            cols: model.size.cols,
            parts: Vec::new(),
            seen: vec![Vec::new(); usize::from(rows)],
            style: model.state.style,
            last: model.state.last_printed,
        }
    }

    /// Reads on to whatever is no part. Returns where that is.
    fn run(&mut self, bytes: &[u8]) -> usize {
        let (mut at, mut style, mut last) = (0, self.style, self.last);
        let mut part: Option<Part> = None;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            if rest.first() != Some(&0x1b) {
                let length = rest.iter().position(|b| *b < 0x20 || *b == 0x7f).unwrap_or(rest.len());
                let text = rest.get(..length).unwrap_or_default();
                let Some(part) = &mut part else { return at };
                let Some((cells, end)) = plain_cells(text, self.cols - part.to) else { return at };
                part.to += cells;
                last = end.or(last);
                if length == 0 {
                    return at;
                }
                at += length;
                continue;
            }
            if rest.get(1) != Some(&b'[') {
                return at;
            }
            let Parsed::Complete(csi, length) = parse_csi(rest) else { return at };
            match (csi.prefix, csi.intermediate, csi.last) {
                (0, 0, b'm') => {
                    style.apply(&csi.params);
                    if kept_by_engine(style) != style {
                        return at;
                    }
                }
                // Behind a full row it erases nothing, and does not part the row from the next one as elsewhere.
                (0, 0, b'K') if csi.params.get(0, 0) == 0 && part.is_none_or(|part| part.to < self.cols) => {
                    if let Some(part) = &mut part {
                        part.erases = true;
                    }
                }
                (0, 0, b'H' | b'f') => {
                    if let Some(whole) = part.take() {
                        self.add(Part { end: at, ..whole });
                        (self.style, self.last) = (style, last);
                    }
                    let row = csi.params.get(0, 1).min(self.rows) - 1;
                    let col = csi.params.get(1, 1).min(self.cols) - 1;
                    part = Some(Part {
                        row,
                        from: col,
                        to: col,
                        erases: false,
                        start: at,
                        end: at,
                        style,
                        is_seen: true,
                    });
                }
                _ => return at,
            }
            at += length;
        }
    }

    /// Takes a whole part and hides those behind it.
    fn add(&mut self, mut part: Part) {
        let number = self.parts.len();
        if part.is_empty() {
            part.is_seen = false;
        } else if let Some(seen) = self.seen.get_mut(usize::from(part.row)) {
            let (parts, cols) = (&mut self.parts, self.cols);
            seen.retain(|other| {
                let Some(other) = parts.get_mut(*other) else { return false };
                other.is_seen = !part.hides(other, cols);
                other.is_seen
            });
            if seen.len() < MAX_PARTS {
                seen.push(number);
            }
        }
        self.parts.push(part);
    }
}

/// How many cells text fills that the engine prints as it is, and its last character. `None` where it does not fit.
fn plain_cells(text: &[u8], room: u16) -> Option<(u16, Option<char>)> {
    if text.is_ascii() {
        let cells = u16::try_from(text.len()).ok().filter(|cells| *cells <= room)?;
        return Some((cells, text.last().map(|byte| char::from(*byte))));
    }
    let text = std::str::from_utf8(text).ok()?;
    let mut cells = 0;
    for c in text.chars() {
        let width = c.width().filter(|width| matches!(width, 1 | 2) && c != '\u{fffd}')?;
        cells += u16::try_from(width).unwrap_or(u16::MAX);
        if cells > room {
            return None;
        }
    }
    Some((cells, text.chars().next_back()))
}

#[cfg(test)]
mod tests {
    use crate::terminal::{History, SessionTerminal};
    use board_protocol::{host::ScreenFormat, ids::Size};
    use proptest::prelude::*;

    const SIZE: Size = Size { cols: 12, rows: 4 };

    /// Everything that can be seen of a terminal, and what it will print next.
    fn picture(terminal: &mut SessionTerminal) -> (String, String) {
        terminal.feed(b"\x1b[bq");
        let snapshot = terminal.snapshot(History::Include).bytes;
        (snapshot.escape_ascii().to_string(), terminal.text(100, ScreenFormat::Ansi))
    }

    fn token() -> impl Strategy<Value = String> {
        prop_oneof![
            6 => (0_u16..6, 0_u16..15).prop_map(|(row, col)| format!("\x1b[{row};{col}H")),
            3 => (1_u16..5).prop_map(|row| format!("\x1b[{row};1H")),
            6 => "[a-z ]{1,12}",
            2 => Just("\x1b[K".to_owned()),
            4 => (30_u16..48).prop_map(|colour| format!("\x1b[{colour}m")),
            1 => prop::sample::select(vec![
                "漢", "x漢", "é", "e\u{301}", "☁\u{fe0f}", "\u{fffd}", "\r\n", "\x1b[m", "\x1b[1;2m", "\x1b[9m", "\x1b[2J", "\x1b[1K", "\x1b[2;3r",
                "\x1b[?6h", "\x1b[?6l", "\x1b[4h", "\x1b[4l", "\x1b[?7l", "\x1b[?7h", "\x1b[?1049h", "\x1b[?1049l", "\x1b(0", "\x1b(B", "\x1b7",
                "\x1b8", "\x1b[A", "\x1b[3P", "\x1bM", "\x1b[b",
            ]).prop_map(str::to_owned),
        ]
    }

    proptest! {
        /// Byte for byte nothing can be left out: each byte is a read of its own.
        #[test]
        fn a_screen_that_is_painted_over_looks_as_if_every_byte_had_been_drawn(
            tokens in prop::collection::vec(token(), 20..200),
            most in 1_usize..400,
        ) {
            let bytes = tokens.concat().into_bytes();
            let mut slowly = SessionTerminal::new(SIZE, 100);
            for byte in &bytes {
                slowly.feed(std::slice::from_ref(byte));
            }
            let expected = picture(&mut slowly);
            let mut at_once = SessionTerminal::new(SIZE, 100);
            at_once.feed(&bytes);
            prop_assert_eq!(&picture(&mut at_once), &expected);
            let mut in_turns = SessionTerminal::new(SIZE, 100);
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let taken = in_turns.feed_some(rest, most);
                prop_assert!(taken > 0);
                rest = &rest[taken..];
            }
            prop_assert_eq!(&picture(&mut in_turns), &expected);
        }
    }

    /// A row that went on in the next one, erased, and filled to its end again.
    #[test]
    fn a_row_that_was_erased_is_parted_from_the_next_one() {
        let mut bytes = b"\x1b[2;1Ha aa  aaaa aa".to_vec();
        for painted in
            ["\x1b[1;1H", "\x1b[2;1H\x1b[K", "\x1b[2;1H aa  a a aaa\x1b[K", "\x1b[3;1H", "\x1b[1;1H"]
        {
            bytes.extend_from_slice(painted.as_bytes());
        }
        bytes.extend(b"\x1b[1;1H".repeat(8));
        let mut slowly = SessionTerminal::new(SIZE, 100);
        bytes.iter().for_each(|byte| slowly.feed(std::slice::from_ref(byte)));
        let mut at_once = SessionTerminal::new(SIZE, 100);
        at_once.feed(&bytes);
        assert_eq!(picture(&mut at_once), picture(&mut slowly));
    }

    /// A wide character that did not fit into a row, and was printed over once that row had scrolled off.
    #[test]
    fn a_row_before_a_wide_character_is_kept_as_it_scrolled_off() {
        let bytes = "\x1b[0;12H漢\x1b[4;1Haa aaa a aa  \x1b[1;1Ha".as_bytes();
        let mut slowly = SessionTerminal::new(SIZE, 100);
        bytes.iter().for_each(|byte| slowly.feed(std::slice::from_ref(byte)));
        let mut at_once = SessionTerminal::new(SIZE, 100);
        at_once.feed(bytes);
        assert_eq!(picture(&mut at_once), picture(&mut slowly));
    }

    // Without it a program that draws its whole screen all the time costs ten times as much.
    #[test]
    fn of_many_screens_only_the_last_one_is_work() {
        let size = Size { cols: 80, rows: 24 };
        let screen = |number: usize| -> String {
            (1..=24)
                .map(|row| format!("\x1b[{row};1H\x1b[38;5;{}m{:>80}", (number + row) % 200, number * row))
                .collect()
        };
        let all: String = (0..50).map(screen).collect();
        let mut terminal = SessionTerminal::new(size, 0);
        let most = 4 * screen(0).len();
        let taken = terminal.feed_some(all.as_bytes(), most);
        assert!(taken > 6 * most, "{taken} of {}", all.len());
    }
}
