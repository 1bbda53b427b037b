//! No text for people stands in the sources of rooms whose texts are in the catalogue (`board-text`).
//!
//! A text is a string literal with a space and a word of three small letters. Logs, assertions and attributes are not for
//! people; what else is no text is named in a list, with the reason.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the source tree has to fail")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The rooms whose texts are in the catalogue: files, or directories with everything below, under `host-runner/src`.
const CONVERTED: [&str; 12] = [
    "backlog",
    "deadlines",
    "fresh",
    "kernel",
    "orphans",
    "polling",
    "process",
    "program",
    "root",
    "worktree",
    "zellij",
    "main",
];

/// Literals that are no text for people, by their beginning, with the reason.
const NO_TEXT: [(&str, &str); 0] = [];

/// Macros and functions whose texts nobody but us reads.
const UNREAD: [&str; 16] = [
    "debug!",
    "info!",
    "warn!",
    "error!",
    "trace!",
    "event!",
    "assert!",
    "assert_eq!",
    "assert_ne!",
    "debug_assert!",
    "debug_assert_eq!",
    "panic!",
    "unreachable!",
    "matches!",
    "expect",
    "include_str!",
];

/// A string literal of a source: its line, from 1, and what is in it, escapes as they are written.
#[derive(Debug, PartialEq, Eq)]
struct Literal {
    line: usize,
    text: String,
}

/// The literals of a source that somebody could read as a text: neither comments, nor attributes, nor what [`UNREAD`]
/// takes, nor tests at the end of the file.
fn literals(source: &str) -> Vec<Literal> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let characters: Vec<char> = source.chars().collect();
    let mut found = Vec::new();
    // For every open bracket, whether what it holds is left out.
    let mut open = vec![false];
    let mut line = 1;
    let mut word = String::new();
    let mut at = 0;
    while at < characters.len() {
        let rest = &characters[at..];
        let length = match rest {
            ['/', '/', ..] => rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['"', ..] => closing(rest, 1),
            ['r', '"', ..] | ['r', '#', '"' | '#', ..] if word.is_empty() || word == "b" => raw(rest),
            ['\'', '\\', ..] => 3 + rest[3..].iter().position(|c| *c == '\'').unwrap(),
            ['\'', _, '\'', ..] => 3,
            _ => 0,
        };
        if length > 0 {
            let text: String = rest[..length].iter().collect();
            if rest[0] != '/' && rest[0] != '\'' && !open.last().copied().unwrap_or_default() {
                let inside = text.trim_start_matches(['r', '#']).trim_end_matches('#').trim_matches('"');
                found.push(Literal { line, text: inside.to_owned() });
            }
            line += text.matches('\n').count();
            at += length;
            word.clear();
            continue;
        }
        let c = rest[0];
        match c {
            '(' | '[' | '{' => {
                let outer = open.last().copied().unwrap_or_default();
                let attribute = c == '[' && (word == "#" || word == "#!");
                // The one attribute that is read.
                let error = attribute && rest[1..].starts_with(&['e', 'r', 'r', 'o', 'r', '(']);
                open.push(
                    outer
                        || (attribute && !error)
                        || (c == '(' && UNREAD.contains(&word.as_str()) && !error_attribute(&characters, at)),
                );
            }
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
        match c {
            '\n' => {
                line += 1;
                word.clear();
            }
            c if c.is_alphanumeric() || matches!(c, '_' | '!' | '#') => word.push(c),
            _ => word.clear(),
        }
        at += 1;
    }
    found
}

/// Whether the bracket at `at` is that of `#[error(`.
fn error_attribute(characters: &[char], at: usize) -> bool {
    at >= 7 && characters[at - 7..at].iter().collect::<String>() == "#[error"
}

/// Where a literal with escapes ends, counted from its beginning.
fn closing(rest: &[char], from: usize) -> usize {
    let mut escaped = false;
    for (at, c) in rest.iter().enumerate().skip(from) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Where a raw literal ends.
fn raw(rest: &[char]) -> usize {
    let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let body = 2 + hashes;
    rest[body..]
        .windows(end.len())
        .position(|window| window == end)
        .map_or(rest.len(), |at| body + at + end.len())
}

/// Whether a literal reads like a text: a space, and a word of three small letters that is no placeholder.
fn is_text(literal: &str) -> bool {
    let mut plain = String::new();
    let mut depth = 0_usize;
    for c in literal.chars() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                plain.push('_');
            }
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let word = |word: &str| word.chars().filter(|c| c.is_ascii_lowercase()).count() >= 3;
    plain.trim().contains(' ') && plain.split(' ').any(|part| !part.starts_with('-') && word(part))
}

/// Every Rust file below a directory, by its path from there.
fn sources(directory: &Path) -> Vec<(String, String)> {
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
    let mut found = Vec::new();
    walk(directory, &mut found);
    found.sort();
    let name = |path: &Path| path.strip_prefix(directory).unwrap().to_str().unwrap().to_owned();
    found.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

fn is_for_tests(name: &str) -> bool {
    name.contains("/tests/") || name.ends_with("tests.rs") || name.ends_with("samples.rs")
}

#[test]
fn converted_rooms_have_no_text_of_their_own() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let rooms: Vec<String> = match std::env::var("AGENT_BOARD_TEXTS_OF") {
        Ok(rooms) => rooms.split(' ').map(str::to_owned).collect(),
        Err(_) => CONVERTED.map(str::to_owned).to_vec(),
    };
    let mut texts = Vec::new();
    for room in &rooms {
        let inside = |name: &str| {
            name.strip_prefix(room.as_str())
                .is_some_and(|rest| rest.is_empty() || rest == ".rs" || rest.starts_with('/'))
        };
        let mut seen = false;
        for (name, source) in sources.iter().filter(|(name, _)| inside(name)) {
            seen = true;
            if is_for_tests(name) {
                continue;
            }
            for literal in literals(source) {
                if is_text(&literal.text) && !NO_TEXT.iter().any(|(start, _)| literal.text.starts_with(start))
                {
                    texts.push(format!("{name}:{}: {}", literal.line, literal.text));
                }
            }
        }
        assert!(seen, "{room} is no room");
    }
    assert!(texts.is_empty(), "{} texts belong into the catalogue:\n  {}", texts.len(), texts.join("\n  "));
}

#[test]
fn what_is_no_text_any_more_leaves_the_list() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let all: Vec<Literal> = sources.iter().flat_map(|(_, source)| literals(source)).collect();
    let gone: Vec<_> = NO_TEXT
        .iter()
        .filter(|(start, _)| !all.iter().any(|literal| literal.text.starts_with(start)))
        .collect();
    assert!(gone.is_empty(), "no source has these literals: {gone:?}");
}

#[test]
fn texts_are_found_and_nothing_else() {
    let source = "//! a \"comment with words\"\n\
        #[expect(x, reason = \"not for people\")]\n\
        #[error(\"for {people} here\")]\n\
        fn f() {\n\
            tracing::warn!(x, \"only in logs {}\", g(\"still logs\"));\n\
            assert!(x, \"never seen\");\n\
            let c = ['\"', '\\'', 'a'];\n\
            say(\"hello there\", r#\"raw \"text\" here\"#, x.expect(\"a bug\"));\n\
            let life: &'static str = \"one\ntwo lines\";\n\
        }\n\
        #[cfg(test)]\nmod tests {\n    \"in tests only\"\n}\n";
    let found: Vec<_> = literals(source).into_iter().map(|literal| (literal.line, literal.text)).collect();
    let expected =
        [(3, "for {people} here"), (8, "hello there"), (8, "raw \"text\" here"), (9, "one\ntwo lines")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    for text in ["no such session", "{count} processes", "Not a file", "it is {what}: mend it"] {
        assert!(is_text(text), "{text}");
    }
    for other in
        ["word", "{} {}", "a-b_c.d", "--json --all", "{long_name} {other_name:?}", "A B C", " padded "]
    {
        assert!(!is_text(other), "{other}");
    }
}
