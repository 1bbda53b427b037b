//! No text for people stands in the sources: they are in the catalogue (`board-text`), in every language.
//!
//! A text is a string literal with a space and a word of three small letters, or a label of one word with a capital letter.
//! Logs, assertions and attributes are not for people; what else is no text, or is not in the catalogue yet, is named in
//! `rooms`, with the reason. `AGENT_BOARD_TEXTS_OF="host-runner/src/cli plugin/src"` lists what these rooms hold, whatever
//! stands there.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the source tree has to fail")]

mod literals;
mod rooms;

use board_text::{Language, retold, speaking};
use literals::{Literal, is_label, is_text, literals};
use rooms::{NO_LABEL, NO_TEXT, NOT_FOR_PEOPLE, TOLD};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Where the sources of what people see lie, from the top of the repository.
const ROOTS: [&str; 5] =
    ["host-runner/src", "host-runner/protocol/src", "plugin/src", "plugin/board/src", "plugin/web/src"];

/// A source file, by its path from the top of the repository.
struct Source {
    name: String,
    text: String,
}

/// Every source of the roots that is not for tests only.
fn sources() -> Vec<Source> {
    fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for root in ROOTS {
        walk(&top.join(root), &mut found);
    }
    found.sort();
    let all: Vec<Source> = found
        .iter()
        .map(|path| Source {
            name: path.strip_prefix(top).unwrap().to_str().unwrap().to_owned(),
            text: fs::read_to_string(path).unwrap(),
        })
        .collect();
    let tests: BTreeSet<String> =
        all.iter().flat_map(|source| modules_for_tests(&source.name, &source.text)).collect();
    let is_for_tests =
        |name: &str| name.ends_with("/tests.rs") || tests.iter().any(|module| belongs(name, module));
    all.into_iter().filter(|source| !is_for_tests(&source.name)).collect()
}

/// The modules that a source declares for tests only, by their paths without `.rs`.
fn modules_for_tests(name: &str, text: &str) -> Vec<String> {
    let own = name.strip_suffix(".rs").unwrap();
    let (directory, file) = own.rsplit_once('/').unwrap();
    let below = if ["mod", "lib", "main"].contains(&file) { directory } else { own };
    text.split("#[cfg(test)]\n")
        .skip(1)
        .filter_map(|rest| {
            let named = rest.lines().find(|line| !line.starts_with("#["))?;
            let named = named.strip_prefix("pub(crate) ").unwrap_or(named);
            let module = named.strip_prefix("mod ")?.strip_suffix(';')?;
            Some(format!("{below}/{module}"))
        })
        .collect()
}

/// Whether a source is a room, or lies in it: a room is a file without `.rs`, a directory, or both.
fn belongs(name: &str, room: &str) -> bool {
    name.strip_prefix(room).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

fn is_listed(name: &str, list: &[(&str, &str)]) -> bool {
    list.iter().any(|(room, _)| belongs(name, room))
}

fn is_told(name: &str) -> bool {
    TOLD.iter().any(|room| belongs(name, room))
}

fn begins_as_listed(literal: &Literal, list: &[(&str, &str)]) -> bool {
    list.iter().any(|(start, _)| literal.text.starts_with(start))
}

/// Whether a literal belongs into the catalogue.
fn is_for_people(literal: &Literal) -> bool {
    (is_text(&literal.text) && !begins_as_listed(literal, &NO_TEXT))
        || (is_label(&literal.text) && !NO_LABEL.iter().any(|(label, _)| *label == literal.text))
}

/// The literals of a source that belong into the catalogue, with their places.
fn texts(source: &Source) -> Vec<String> {
    literals(&source.text)
        .into_iter()
        .filter(is_for_people)
        .map(|literal| format!("{}:{}: {}", source.name, literal.line, literal.text))
        .collect()
}

#[test]
fn no_source_has_a_text_of_its_own() {
    let sources = sources();
    let asked = std::env::var("AGENT_BOARD_TEXTS_OF").ok();
    let is_guarded = |name: &str| match &asked {
        Some(rooms) => rooms.split(' ').any(|room| belongs(name, room)),
        None => !is_listed(name, &NOT_FOR_PEOPLE) && !is_told(name),
    };
    let guarded: Vec<&Source> = sources.iter().filter(|source| is_guarded(&source.name)).collect();
    assert!(!guarded.is_empty(), "no such room");
    let found: Vec<String> = guarded.into_iter().flat_map(texts).collect();
    assert!(
        found.is_empty(),
        "{} texts belong into the catalogue, or into rooms.rs with a reason:\n  {}",
        found.len(),
        found.join("\n  ")
    );
}

/// A literal with something in the place of everything that is put in.
fn filled(literal: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in literal.chars() {
        match c {
            '{' => {
                depth += 1;
                out.push_str(if depth == 1 { "X1" } else { "" });
            }
            '}' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out.replace("\\\"", "\"")
}

#[test]
fn i8_what_is_written_down_in_english_is_known_where_it_is_shown() {
    let mut unknown = Vec::new();
    for source in sources().iter().filter(|source| is_told(&source.name)) {
        let shown = !is_listed(&source.name, &NOT_FOR_PEOPLE);
        for literal in literals(&source.text).into_iter().filter(|literal| shown && is_for_people(literal)) {
            let text = filled(&literal.text);
            let said = speaking(Language::Chinese, || retold(&text).into_owned());
            if said == text {
                unknown.push(format!("{}:{}: {}", source.name, literal.line, literal.text));
            }
        }
    }
    let known = unknown.join("\n  ");
    assert!(unknown.is_empty(), "{} texts are not in told.ftl:\n  {known}", unknown.len());
}

// A list that only grows would let texts in through names that nobody needs any more.
#[test]
fn the_lists_name_nothing_that_is_not_there() {
    let sources = sources();
    let mut gone = Vec::new();
    for room in TOLD.iter().chain(NOT_FOR_PEOPLE.iter().map(|(room, _)| room)) {
        if !sources.iter().any(|source| belongs(&source.name, room) && !texts(source).is_empty()) {
            gone.push(format!("{room} has no text that its name excuses"));
        }
    }
    let is_open = |source: &&Source| !is_listed(&source.name, &NOT_FOR_PEOPLE);
    let all: Vec<Literal> =
        sources.iter().filter(is_open).flat_map(|source| literals(&source.text)).collect();
    for (start, _) in NO_TEXT {
        if !all.iter().any(|literal| is_text(&literal.text) && literal.text.starts_with(start)) {
            gone.push(format!("no source has the literal {start:?}"));
        }
    }
    for (label, _) in NO_LABEL {
        if !all.iter().any(|literal| literal.text == label) {
            gone.push(format!("no source has the label {label:?}"));
        }
    }
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}

#[test]
fn a_module_for_tests_is_known_by_its_declaration() {
    let text = "mod a;\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\n#[path = \"x/y.rs\"]\npub(crate) mod samples;\n\
                #[cfg(test)]\nmod inline {\n    fn f() {}\n}\n";
    assert_eq!(modules_for_tests("room/src/x.rs", text), ["room/src/x/tests", "room/src/x/samples"]);
    assert_eq!(modules_for_tests("room/src/x/mod.rs", "#[cfg(test)]\nmod y;\n"), ["room/src/x/y"]);
    for (name, room) in [("a/b.rs", "a/b"), ("a/b/c.rs", "a/b"), ("a/b/c.rs", "a")] {
        assert!(belongs(name, room), "{name} {room}");
    }
    assert!(!belongs("a/bc.rs", "a/b"));
}
