//! Moves and deletions by whole clusters, and what is kept out.

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
        (Edit::Home, at("one\ntw", "o\nthree"), at("one\n", "two\nthree")),
        (Edit::End, at("one\ntw", "o\nthree"), at("one\ntwo", "\nthree")),
        (Edit::Up, at("漢b\ncd", "e"), at("漢b", "\ncde")),
        (Edit::Up, at("a\nbcd", ""), at("a", "\nbcd")),
        (Edit::Up, at("ab", "c"), at("ab", "c")),
        (Edit::Down, at("a", "b\nc\nd"), at("ab\nc", "\nd")),
        (Edit::Down, at("ab\nc", ""), at("ab\nc", "")),
        (Edit::Backspace, at("ae\u{301}", "b"), at("a", "b")),
        (Edit::Backspace, at("", "b"), at("", "b")),
        (Edit::Delete, at("a", "漢b"), at("a", "b")),
        (Edit::Delete, at("a", ""), at("a", "")),
        (Edit::DeleteWord, at("one two", "!"), at("one ", "!")),
        (Edit::DeleteToStart, at("one ", "two"), at("", "two")),
        (Edit::DeleteToEnd, at("one ", "two"), at("one ", "")),
        (Edit::DeleteToStart, at("one\ntw", "o"), at("one\n", "o")),
        (Edit::DeleteToEnd, at("o", "ne\ntwo"), at("o", "\ntwo")),
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
    fn the_cursor_is_always_between_clusters(steps in proptest::collection::vec((0_u8..16, "\\PC{0,4}"), 0..40)) {
        let edits = [Edit::Left, Edit::Right, Edit::WordLeft, Edit::WordRight, Edit::Home, Edit::End, Edit::Backspace,
            Edit::Delete, Edit::DeleteWord, Edit::DeleteToStart, Edit::DeleteToEnd, Edit::NewLine, Edit::Up, Edit::Down];
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
