//! The lines of a terminal's text in one piece of memory: bounded, the oldest go first, and numbers never shift.
//!
//! Used by the page, which knows where the cursor is. Offsets count from the first byte ever and lines from the first
//! line ever, so that neither changes when old ones go.

use board_protocol::terminals::MAX_TERMINAL_TEXT_BYTES;
use std::collections::VecDeque;

/// Most lines that are kept, however short: their table stays below half a megabyte.
pub(super) const MAX_LINES: usize = 64 * 1024;
/// How much room of lines that are gone may pile up in front of the text before it is moved together.
const COMPACT_BYTES: usize = 256 * 1024;

/// The kept lines, separated by `\n`.
#[derive(Debug)]
pub(super) struct Store {
    /// Whole characters only. The first `gone` bytes belong to no line any more.
    text: Vec<u8>,
    gone: usize,
    /// The offset of the first byte of `text`.
    base: u64,
    /// Where each kept line starts.
    starts: VecDeque<u64>,
    /// The number of the oldest kept line.
    first: u64,
    /// The lowest offset that changed since somebody asked.
    edited: Option<u64>,
}

impl Store {
    /// One empty line.
    pub(super) fn new() -> Self {
        Self { text: Vec::new(), gone: 0, base: 0, starts: VecDeque::from([0]), first: 0, edited: None }
    }

    /// The number of the oldest line.
    pub(super) fn first_line(&self) -> u64 {
        self.first
    }

    /// The number of the newest line.
    pub(super) fn last_line(&self) -> u64 {
        self.first + self.starts.len().saturating_sub(1) as u64
    }

    /// The offset of the oldest kept byte.
    pub(super) fn oldest(&self) -> u64 {
        self.base + self.gone as u64
    }

    /// The offset behind the newest byte.
    pub(super) fn end(&self) -> u64 {
        self.base + self.text.len() as u64
    }

    /// Everything that is kept.
    pub(super) fn bytes(&self) -> &[u8] {
        self.text.get(self.gone..).unwrap_or_default()
    }

    /// Where a line starts; one that is not kept starts where the oldest does.
    pub(super) fn start(&self, line: u64) -> u64 {
        let index = usize::try_from(line.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.starts.get(index).copied().unwrap_or_else(|| self.end())
    }

    /// Where a line ends, its `\n` not included.
    pub(super) fn line_end(&self, line: u64) -> u64 {
        if line >= self.last_line() { self.end() } else { self.start(line + 1).saturating_sub(1) }
    }

    /// The kept part of `from..to`.
    pub(super) fn part(&self, from: u64, to: u64) -> &[u8] {
        self.text.get(self.index(from)..self.index(to)).unwrap_or_default()
    }

    /// One byte.
    pub(super) fn byte(&self, at: u64) -> Option<u8> {
        self.text.get(self.index(at)).copied()
    }

    /// Which line an offset belongs to.
    pub(super) fn line_at(&self, at: u64) -> u64 {
        let index = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        self.first + index as u64
    }

    fn index(&self, at: u64) -> usize {
        usize::try_from(at.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.text.len())
    }

    /// Puts `new` in the place of `old` bytes of a line. Neither has a `\n`.
    pub(super) fn replace(&mut self, line: u64, at: u64, old: usize, new: &[u8]) {
        self.note(at);
        let from = self.index(at);
        let to = from.saturating_add(old).min(self.text.len());
        if from == self.text.len() {
            self.text.extend_from_slice(new);
            return;
        }
        if to - from == new.len()
            && let Some(place) = self.text.get_mut(from..to)
        {
            place.copy_from_slice(new);
            return;
        }
        self.text.splice(from..to, new.iter().copied());
        let behind = usize::try_from(line + 1 - self.first.min(line)).unwrap_or(usize::MAX);
        for start in self.starts.iter_mut().skip(behind) {
            *start = *start - (to - from) as u64 + new.len() as u64;
        }
    }

    /// A new line behind the last one.
    pub(super) fn push_line(&mut self) {
        self.note(self.end());
        self.text.push(b'\n');
        self.starts.push_back(self.end());
        self.trim();
    }

    /// A new line behind this one; those below it get higher numbers.
    pub(super) fn insert_line(&mut self, line: u64) {
        let at = self.line_end(line);
        self.note(at);
        let index = self.index(at);
        self.text.insert(index, b'\n');
        let behind =
            usize::try_from(line + 1 - self.first.min(line)).unwrap_or(usize::MAX).min(self.starts.len());
        for start in self.starts.iter_mut().skip(behind) {
            *start += 1;
        }
        self.starts.insert(behind, at + 1);
        self.trim();
    }

    /// Empties every line below this one; they stay as lines, so that no number is given twice.
    pub(super) fn clear_below(&mut self, line: u64) {
        let at = self.line_end(line);
        if at >= self.end() {
            return;
        }
        self.note(at);
        let count = self.last_line() - line;
        self.text.truncate(self.index(at));
        let kept = usize::try_from(line + 1 - self.first.min(line)).unwrap_or(usize::MAX);
        self.starts.truncate(kept);
        for _ in 0..count {
            self.text.push(b'\n');
            self.starts.push_back(self.end());
        }
    }

    /// Lets the oldest lines go until the rest is within the limits. One line alone is kept to its limit by the page.
    pub(super) fn trim(&mut self) {
        while self.starts.len() > 1
            && (self.text.len() - self.gone > MAX_TERMINAL_TEXT_BYTES || self.starts.len() > MAX_LINES)
        {
            self.starts.pop_front();
            self.first += 1;
            let oldest = self.starts.front().copied().unwrap_or_default();
            self.gone = self.index(oldest);
        }
        if self.gone >= COMPACT_BYTES {
            self.text.drain(..self.gone);
            self.base += self.gone as u64;
            self.gone = 0;
        }
    }

    fn note(&mut self, at: u64) {
        self.edited = Some(self.edited.map_or(at, |edited| edited.min(at)));
    }

    /// The lowest offset that changed since this was last asked.
    pub(super) fn take_edited(&mut self) -> Option<u64> {
        self.edited.take()
    }
}
