//! One piece of text with a cursor: what the person types for a new session. Line breaks are kept as they are.

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
    /// To the start.
    Home,
    /// To the end.
    End,
    /// Deletes the character on the left.
    Backspace,
    /// Deletes the character on the right.
    Delete,
    /// Deletes back to the start of the word.
    DeleteWord,
    /// Deletes everything before the cursor.
    DeleteToStart,
    /// Deletes everything behind the cursor.
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
            Edit::Home => self.cursor = 0,
            Edit::End => self.cursor = self.text.len(),
            Edit::Backspace => self.delete(self.previous(), self.cursor),
            Edit::Delete => self.delete(self.cursor, self.next()),
            Edit::DeleteWord => self.delete(self.word_left(), self.cursor),
            Edit::DeleteToStart => self.delete(0, self.cursor),
            Edit::DeleteToEnd => self.delete(self.cursor, self.text.len()),
            Edit::NewLine => return self.insert("\n"),
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(before: &str, behind: &str) -> Editor {
        Editor { text: format!("{before}{behind}"), cursor: before.len() }
    }

    #[test]
    fn edits_move_and_delete_whole_characters_and_words() {
        let table = [
            (Edit::Left, at("e\u{301}漢", "x"), at("e\u{301}", "漢x")),
            (Edit::Right, at("", "👩\u{200d}💻x"), at("👩\u{200d}💻", "x")),
            (Edit::WordLeft, at("cargo test --lib", ""), at("cargo test --", "lib")),
            (Edit::WordLeft, at("cargo test --", "lib"), at("cargo ", "test --lib")),
            (Edit::WordRight, at("", "cargo test"), at("cargo", " test")),
            (Edit::WordRight, at("cargo", " test"), at("cargo test", "")),
            (Edit::Home, at("ab", "c"), at("", "abc")),
            (Edit::End, at("a", "bc"), at("abc", "")),
            (Edit::Backspace, at("ae\u{301}", "b"), at("a", "b")),
            (Edit::Backspace, at("", "b"), at("", "b")),
            (Edit::Delete, at("a", "漢b"), at("a", "b")),
            (Edit::Delete, at("a", ""), at("a", "")),
            (Edit::DeleteWord, at("one two", "!"), at("one ", "!")),
            (Edit::DeleteToStart, at("one ", "two"), at("", "two")),
            (Edit::DeleteToEnd, at("one ", "two"), at("one ", "")),
            (Edit::NewLine, at("a", "b"), at("a\n", "b")),
        ];
        for (edit, mut editor, expected) in table {
            assert_eq!(editor.edit(edit), Ok(()));
            assert_eq!(editor, expected, "{edit:?}");
        }
    }

    #[test]
    fn pasted_line_ends_are_line_breaks_and_controls_go() {
        let mut editor = Editor::default();
        assert_eq!(editor.insert("one\rtwo\r\nthree\u{1b}[2J\u{7}\u{202e}"), Ok(()));
        assert_eq!(editor.text(), "one\ntwo\nthree[2J");
    }

    #[test]
    fn too_much_text_is_refused_whole() {
        let mut editor = Editor::with("kept");
        assert_eq!(editor.insert(&"x".repeat(MAX_BYTES)), Err(TooLong));
        assert_eq!(editor.text(), "kept");
    }

    proptest! {
        #[test]
        fn the_cursor_is_always_between_clusters(steps in proptest::collection::vec((0_u8..14, "\\PC{0,4}"), 0..40)) {
            let edits = [Edit::Left, Edit::Right, Edit::WordLeft, Edit::WordRight, Edit::Home, Edit::End, Edit::Backspace,
                Edit::Delete, Edit::DeleteWord, Edit::DeleteToStart, Edit::DeleteToEnd, Edit::NewLine];
            let mut editor = Editor::default();
            for (step, text) in steps {
                match edits.get(usize::from(step)) {
                    Some(edit) => editor.edit(*edit).unwrap(),
                    None => editor.insert(&text).unwrap(),
                }
                let (before, behind) = editor.halves();
                prop_assert_eq!(before.len() + behind.len(), editor.text().len());
                let borders = editor.text().grapheme_indices(true).map(|(i, _)| i).chain([editor.text().len()]);
                prop_assert!(borders.into_iter().any(|border| border == before.len()));
            }
        }
    }
}
