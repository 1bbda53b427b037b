//! The text of a terminal's output, for matching and reading (reference G.1): sequences removed, wrapped lines joined,
//! progress lines as last shown. Fed by the host of an agent's terminal with what its program printed; never by others.
//!
//! Lines are those of the stream. What a program writes over (a progress bar, a command that a shell edits, lines that it
//! went back up to) is as it was last shown. A cleared screen stays above as text that was printed. What is drawn on the
//! alternate screen is no text.

mod page;
mod perform;
mod store;
#[cfg(test)]
mod tests;

use super::{
    filter::incomplete_utf8,
    needle::{Found, Looked, Needle, Step},
};
use board_protocol::{
    ids::Size,
    terminals::{TERMINAL_PAGE_LINES, TextPage},
};
use page::Page;
use perform::Performer;
use std::borrow::Cow;

/// The text so far, as much of it as is kept.
pub struct PlainText {
    parser: vte::Parser,
    /// The first bytes of a character whose rest has not come: the parser (0.15.0) loses what follows a character that it
    /// gets in two pieces.
    tail: Vec<u8>,
    performer: Performer,
}

impl PlainText {
    /// No text, on a terminal of this size.
    pub fn new(size: Size) -> Self {
        let page = Page::new(size);
        Self {
            parser: vte::Parser::new(),
            tail: Vec::new(),
            performer: Performer { page, is_alternate: false, is_home: false },
        }
    }

    /// Takes output, cut anywhere. The result is the offset from which on the text changed, if it did.
    pub fn feed(&mut self, output: &[u8]) -> Option<u64> {
        let tail = std::mem::take(&mut self.tail);
        let joined =
            if tail.is_empty() { Cow::Borrowed(output) } else { Cow::Owned([&tail, output].concat()) };
        let (whole, rest) = joined.split_at(joined.len() - incomplete_utf8(&joined));
        self.tail = rest.to_vec();
        self.parser.advance(&mut self.performer, whole);
        self.performer.page.trim();
        self.performer.page.store.take_edited()
    }

    /// The terminal has another size.
    pub fn resize(&mut self, size: Size) {
        self.performer.page.resize(size);
    }

    /// Whether a full-screen program draws: its screen is not part of the text.
    pub fn is_alternate(&self) -> bool {
        self.performer.is_alternate
    }

    /// Lines ever. An empty last one, which only a cursor is on, does not count.
    pub fn total_lines(&self) -> u64 {
        let store = &self.performer.page.store;
        let last = store.last_line();
        if store.start(last) < store.end() { last + 1 } else { last }
    }

    /// The offset behind the last byte.
    pub fn end(&self) -> u64 {
        self.performer.page.store.end()
    }

    /// Lines from `from`, or the last ones, at most `lines` and [`TERMINAL_PAGE_LINES`].
    pub fn page(&self, from: Option<u64>, lines: u32) -> TextPage {
        let store = &self.performer.page.store;
        let count = u64::from(lines.min(TERMINAL_PAGE_LINES));
        let (oldest, total) = (store.first_line(), self.total_lines());
        let from = from.unwrap_or_else(|| total.saturating_sub(count)).clamp(oldest, total.max(oldest));
        let lines = (from..total.min(from + count))
            .map(|line| {
                String::from_utf8_lossy(store.part(store.start(line), store.line_end(line))).into_owned()
            })
            .collect();
        TextPage { from, lines, total_lines: total, oldest_line: oldest }
    }

    /// Looks for a needle in a little of the text, from where an earlier look ended.
    pub fn look(&self, needle: &Needle, from: u64) -> Looked {
        let store = &self.performer.page.store;
        let oldest = store.oldest();
        let at = usize::try_from(from.saturating_sub(oldest)).unwrap_or(usize::MAX);
        match needle.look(store.bytes(), at) {
            Step::Looked(upto) => Looked::Upto(oldest + upto as u64),
            Step::Found(found) => {
                let line = store.line_at(oldest + found.at as u64);
                let before = store.part(store.start(line), oldest + found.at as u64);
                Looked::Found(Found { line, column: columns(before), matched: found.matched })
            }
        }
    }
}

/// Characters in front of a match.
pub(super) fn columns(before: &[u8]) -> u32 {
    u32::try_from(String::from_utf8_lossy(before).chars().count()).unwrap_or(u32::MAX)
}
