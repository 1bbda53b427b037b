//! The terminal itself: a front end that gives the engine only what it models, and a tracker beside it. Used by the
//! session terminal; never panics by itself, but the engine may.
//!
//! Bytes wait in `out` until the engine's cursor or cells are needed. Parts: [`parse`] finds sequences, [`skim`] and [`paint`]
//! leave out what nobody can see, [`text`] prints, [`csi`] and [`escape`] follow sequences, [`screen`] moves the cursor and
//! switches screens, [`size`] resizes.

mod csi;
mod escape;
mod paint;
mod parse;
mod screen;
mod size;
mod skim;
mod text;

pub(super) use csi::write_mode;

use super::{
    emulator::{Emulator, SCROLL_BUFFER_ROWS},
    extended::{ExtendedTable, LEADING_SPACER, Link},
    filter::incomplete_utf8,
    history::HistoryRows,
    rows,
    state::State,
    style::Style,
};
use board_protocol::ids::Size;

/// Longest unfinished sequence that is remembered for clients; the rest of a longer one reaches them without its start.
const MAX_UNFINISHED_BYTES: usize = 1024 * 1024;

/// One large read must not leave its memory behind in an idle session; what a usual one needs stays.
const KEPT_OUT_BYTES: usize = 64 * 1024;

/// One terminal.
pub(super) struct Model {
    pub(super) emulator: Emulator,
    pub(super) state: State,
    pub(super) table: ExtendedTable,
    pub(super) history: HistoryRows,
    pub(super) size: Size,
    /// Bytes that the engine has not seen yet.
    out: Vec<u8>,
    /// The style that the engine prints with after `out`.
    pen: Style,
    /// At most so many rows scrolled off since the history was filled.
    scrolls: usize,
    /// Whether a wrap may be pending; `false` is certain.
    may_wrap: bool,
    /// What does not fit into a row is dropped, while rows of another width are painted.
    clips: bool,
    /// The slow parser. Always there but while it runs.
    parser: Option<Box<vte::Parser>>,
    /// Whether an operating system command is so long that it is only read over, past the slow parser.
    overlong: bool,
    /// Whether the slow parser is inside a sequence.
    in_sequence: bool,
    /// The bytes of that sequence, without the control characters that were carried out already.
    unfinished: Vec<u8>,
    /// The first bytes of a character.
    tail: Vec<u8>,
    /// The marker of the attributes that were printed last, while style and link stay what they are.
    marker: Option<(Style, Option<Link>, char)>,
    /// Whether a blank may stand in a last column because a wide character did not fit there. A row that scrolls off with one is
    /// taken at once: whether the character still stands in the next row must not depend on how output was cut.
    has_spacers: bool,
    /// Flood lines are looked for again when no more than so many bytes of the read are left.
    skim_below: usize,
    /// The same for rows that are painted over.
    paint_below: usize,
}

impl Model {
    /// An empty terminal.
    pub(super) fn new(size: Size, history: HistoryRows) -> Self {
        Self {
            emulator: Emulator::new(size),
            state: State::new(size),
            table: ExtendedTable::default(),
            history,
            size,
            out: Vec::new(),
            pen: Style::default(),
            scrolls: 0,
            may_wrap: false,
            clips: false,
            parser: Some(Box::default()),
            overlong: false,
            in_sequence: false,
            unfinished: Vec::new(),
            tail: Vec::new(),
            marker: None,
            has_spacers: false,
            skim_below: usize::MAX,
            paint_below: usize::MAX,
        }
    }

    /// Takes output, cut anywhere.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.feed_some(bytes, usize::MAX);
    }

    /// Takes output, cut anywhere, until about `most` bytes of it had to be drawn. Returns how many bytes it took.
    pub(super) fn feed_some(&mut self, bytes: &[u8], most: usize) -> usize {
        self.skim_below = usize::MAX;
        self.paint_below = usize::MAX;
        let taken = if self.tail.is_empty() {
            self.feed_characters(bytes, most)
        } else {
            let part = bytes.get(..most).unwrap_or(bytes);
            let mut whole = std::mem::take(&mut self.tail);
            whole.extend_from_slice(part);
            self.feed_characters(&whole, usize::MAX);
            part.len()
        };
        self.flush();
        self.fill_history();
        if self.has_spacers && !self.state.is_alternate() {
            self.has_spacers = self.emulator.rows().any(|row| row.contains(LEADING_SPACER));
        }
        self.out.shrink_to(KEPT_OUT_BYTES);
        taken
    }

    /// Keeps the beginning of a character that is cut at the end for the next read.
    fn feed_characters(&mut self, bytes: &[u8], most: usize) -> usize {
        let (whole, tail) = bytes.split_at(bytes.len() - incomplete_utf8(bytes));
        let read = self.parse(whole, most);
        if read < whole.len() {
            return read;
        }
        self.tail = tail.to_vec();
        bytes.len()
    }

    /// Gives back what only reading needs.
    pub(super) fn rest(&mut self) {
        self.out.shrink_to_fit();
    }

    /// What a client must get in front of the next bytes.
    pub(super) fn unfinished(&self) -> Vec<u8> {
        [&self.unfinished[..], &self.tail].concat()
    }

    /// Gives the engine everything that waits.
    fn flush(&mut self) {
        if !self.out.is_empty() {
            self.emulator.process(&self.out);
            self.out.clear();
        }
    }

    /// Makes sure that `rows` more rows can scroll off without being lost.
    fn reserve_scrolls(&mut self, rows: usize) {
        if self.state.is_alternate() {
            return;
        }
        if self.scrolls + rows > SCROLL_BUFFER_ROWS {
            self.flush();
            self.fill_history();
        }
        self.scrolls += rows;
    }

    /// Takes what scrolled off into the history. The engine must have seen everything.
    fn fill_history(&mut self) {
        if self.scrolls == 0 || self.state.is_alternate() {
            return;
        }
        self.scrolls = 0;
        let scrolled = self.emulator.scrolled();
        if scrolled == 0 {
            return;
        }
        let mut left = scrolled.min(self.history.limit());
        while left > 0 {
            self.emulator.view(left);
            // One less than is in view: how a row ends depends on the next one.
            let step = self.last_row().max(1);
            for (row, text) in (0..step).zip(self.emulator.rows()).take(left) {
                let ending = rows::ending(&self.emulator, row);
                self.history.push(rows::format(&text, ending, &self.table, self.size.cols));
            }
            left = left.saturating_sub(usize::from(step));
        }
        self.emulator.view(0);
        self.emulator.clear_scrolled();
    }

    fn set_pen(&mut self, style: Style) {
        if self.pen != style {
            style.write(&mut self.out);
            self.pen = style;
        }
    }

    /// What erased cells keep now.
    fn erased(&self) -> Style {
        Style::erased(self.state.style.background)
    }

    fn last_column(&self) -> u16 {
        self.size.cols.saturating_sub(1)
    }

    fn last_row(&self) -> u16 {
        self.size.rows.saturating_sub(1)
    }
}
