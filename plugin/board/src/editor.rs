//! One piece of text with a cursor: what the person types, for a new session, for an agent, as a name. Line breaks are
//! kept as they are. And what was sent before, to be sent again.

mod history;
#[cfg(test)]
mod tests;

pub(crate) use history::History;

use board_protocol::text::is_plain;
use unicode_segmentation::UnicodeSegmentation;

/// Longest text in bytes. Escaped as JSON it may double, and a line on a zellij pipe holds 64 KiB.
pub(crate) const MAX_BYTES: usize = 30 * 1024;

/// Text that did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLong;

/// What the editor can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// One character to the left.
    Left,
    /// One character to the right.
    Right,
    /// To the start of the word on the left.
    WordLeft,
    /// To the end of the word on the right.
    WordRight,
    /// A line up.
    Up,
    /// A line down.
    Down,
    /// To the start of the line.
    Home,
    /// To the end of the line.
    End,
    /// Deletes the character on the left.
    Backspace,
    /// Deletes the character on the right.
    Delete,
    /// Deletes back to the start of the word.
    DeleteWord,
    /// Deletes the line before the cursor.
    DeleteToStart,
    /// Deletes the line behind the cursor.
    DeleteToEnd,
    /// A line break.
    NewLine,
}

/// The text and the cursor, which is always at the border of a grapheme cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Editor {
    text: String,
    cursor: usize,
}

impl Editor {
    pub(crate) fn with(text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.len() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The text before and behind the cursor.
    pub(crate) fn halves(&self) -> (&str, &str) {
        self.text.split_at_checked(self.cursor).unwrap_or((&self.text, ""))
    }

    pub(crate) fn take(&mut self) -> String {
        self.cursor = 0;
        std::mem::take(&mut self.text)
    }

    /// Inserts at the cursor. Line ends become `\n`; other control characters and what cannot be seen are left out,
    /// so that what is started is what was shown.
    pub(crate) fn insert(&mut self, text: &str) -> Result<(), TooLong> {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text: String = text.chars().filter(|c| matches!(c, '\n' | '\t') || is_plain(*c)).collect();
        if self.text.len() + text.len() > MAX_BYTES {
            return Err(TooLong);
        }
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        self.settle();
        Ok(())
    }

    /// Carries an edit out.
    pub(crate) fn edit(&mut self, edit: Edit) -> Result<(), TooLong> {
        match edit {
            Edit::Left => self.cursor = self.previous(),
            Edit::Right => self.cursor = self.next(),
            Edit::WordLeft => self.cursor = self.word_left(),
            Edit::WordRight => self.cursor = self.word_right(),
            Edit::Up => self.cursor = self.above().unwrap_or(self.cursor),
            Edit::Down => self.cursor = self.below().unwrap_or(self.cursor),
            Edit::Home => self.cursor = self.line_start(),
            Edit::End => self.cursor = self.line_end(),
            Edit::Backspace => self.delete(self.previous(), self.cursor),
            Edit::Delete => self.delete(self.cursor, self.next()),
            Edit::DeleteWord => self.delete(self.word_left(), self.cursor),
            Edit::DeleteToStart => self.delete(self.line_start(), self.cursor),
            Edit::DeleteToEnd => self.delete(self.cursor, self.line_end()),
            Edit::NewLine => return self.insert("\n"),
        }
        Ok(())
    }

    /// Whether the cursor stands in the first line.
    pub(crate) fn is_in_first_line(&self) -> bool {
        self.line_start() == 0
    }

    /// Whether it stands in the last one.
    pub(crate) fn is_in_last_line(&self) -> bool {
        self.line_end() == self.text.len()
    }

    fn line_start(&self) -> usize {
        self.halves().0.rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.halves().1.find('\n').map_or(self.text.len(), |at| self.cursor + at)
    }

    /// The place in the line above that stands over the cursor, by clusters.
    fn above(&self) -> Option<usize> {
        let end = self.line_start().checked_sub(1)?;
        let start = self.text.get(..end)?.rfind('\n').map_or(0, |at| at + 1);
        Some(self.beside(start, end))
    }

    fn below(&self) -> Option<usize> {
        let start = self.line_end() + 1;
        let rest = self.text.get(start..)?;
        Some(self.beside(start, rest.find('\n').map_or(self.text.len(), |at| start + at)))
    }

    /// As many clusters into the line from `start` to `end` as the cursor is into its own.
    fn beside(&self, start: usize, end: usize) -> usize {
        let own = self.text.get(self.line_start()..self.cursor).unwrap_or_default();
        let line = self.text.get(start..end).unwrap_or_default();
        line.grapheme_indices(true).nth(own.graphemes(true).count()).map_or(end, |(at, _)| start + at)
    }

    fn delete(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
        self.settle();
    }

    /// Inserting a combining mark can move the cursor into a cluster: it then goes behind it.
    fn settle(&mut self) {
        let inside = |end: usize| end < self.cursor;
        self.cursor = self
            .text
            .grapheme_indices(true)
            .map(|(start, cluster)| start + cluster.len())
            .find(|end| !inside(*end))
            .filter(|_| self.cursor > 0)
            .unwrap_or(0);
    }

    fn previous(&self) -> usize {
        let (before, _) = self.halves();
        before.grapheme_indices(true).next_back().map_or(0, |(start, _)| start)
    }

    fn next(&self) -> usize {
        let (_, behind) = self.halves();
        self.cursor + behind.graphemes(true).next().map_or(0, str::len)
    }

    fn word_left(&self) -> usize {
        let (before, _) = self.halves();
        let mut place = before.len();
        let mut in_word = false;
        for (start, cluster) in before.grapheme_indices(true).rev() {
            let word = is_word(cluster);
            if in_word && !word {
                break;
            }
            in_word |= word;
            place = start;
        }
        place
    }

    fn word_right(&self) -> usize {
        let (_, behind) = self.halves();
        let mut place = 0;
        let mut in_word = false;
        for (start, cluster) in behind.grapheme_indices(true) {
            let word = is_word(cluster);
            if in_word && !word {
                break;
            }
            in_word |= word;
            place = start + cluster.len();
        }
        self.cursor + place
    }
}

fn is_word(cluster: &str) -> bool {
    cluster.chars().any(|c| c.is_alphanumeric() || c == '_')
}
