//! What was sent before, to be taken up again: ↑ in the first line goes back, ↓ in the last one comes forward.

use super::Editor;
use std::collections::VecDeque;

/// Most texts that are kept.
const MAX_ENTRIES: usize = 50;
/// Most bytes of all of them together: the plugin's memory is small.
const MAX_BYTES: usize = 128 * 1024;

/// Texts that were sent, newest last.
#[derive(Debug, Default)]
pub(crate) struct History {
    entries: VecDeque<String>,
    /// How far back the editor shows one of them, and what was being typed meanwhile.
    place: Option<(usize, String)>,
}

impl History {
    /// Keeps a text that was sent.
    pub(crate) fn keep(&mut self, text: &str) {
        self.place = None;
        if text.trim().is_empty() || self.entries.back().is_some_and(|last| last == text) {
            return;
        }
        self.entries.push_back(text.to_owned());
        while self.entries.len() > MAX_ENTRIES
            || self.entries.iter().map(String::len).sum::<usize>() > MAX_BYTES
        {
            self.entries.pop_front();
        }
    }

    /// The editor was left, or its text changed: what it shows is a new text from here on.
    pub(crate) fn settle(&mut self) {
        self.place = None;
    }

    /// The text before the shown one.
    pub(crate) fn back(&mut self, editor: &mut Editor) {
        let (place, typed) = match self.place.take() {
            Some((place, typed)) => (place + 1, typed),
            None => (0, editor.text().to_owned()),
        };
        let at = self.entries.len().checked_sub(place + 1);
        if let Some(text) = at.and_then(|at| self.entries.get(at)) {
            *editor = Editor::with(text);
            self.place = Some((place, typed));
        } else if place > 0 {
            self.place = Some((place - 1, typed));
        }
    }

    /// The text behind the shown one; behind the newest stands what was being typed.
    pub(crate) fn forth(&mut self, editor: &mut Editor) {
        let Some((place, typed)) = self.place.take() else { return };
        match place.checked_sub(1) {
            Some(place) => {
                let at = self.entries.len().saturating_sub(place + 1);
                *editor = Editor::with(self.entries.get(at).map_or("", String::as_str));
                self.place = Some((place, typed));
            }
            None => *editor = Editor::with(&typed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_being_typed_comes_back_behind_the_newest() {
        let mut history = History::default();
        let mut editor = Editor::with("typing");
        history.back(&mut editor);
        assert_eq!(editor.text(), "typing", "nothing was sent yet");
        for text in ["one", "two", "two", " "] {
            history.keep(text);
        }
        let mut shown = Vec::new();
        for _ in 0..3 {
            history.back(&mut editor);
            shown.push(editor.text().to_owned());
        }
        for _ in 0..3 {
            history.forth(&mut editor);
            shown.push(editor.text().to_owned());
        }
        assert_eq!(shown, ["two", "one", "one", "two", "typing", "typing"]);
    }

    #[test]
    fn it_does_not_grow_without_limit() {
        let mut history = History::default();
        for n in 0..1_000 {
            history.keep(&format!("{n}{}", "x".repeat(20_000)));
        }
        assert!(history.entries.iter().map(String::len).sum::<usize>() <= MAX_BYTES);
    }
}
