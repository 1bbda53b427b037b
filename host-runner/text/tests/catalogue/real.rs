//! The real catalogue: it can be made, all of it is used, and its punctuation is of its language.

use super::generator::{self, LANGUAGES, parse};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn texts() -> generator::Catalogue {
    let catalogue = generator::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("texts")).unwrap();
    assert!(catalogue.values().all(|files| !files.is_empty()), "where are the texts?");
    catalogue
}

/// Every Rust source of the project outside of this crate, and of this crate's tests.
fn sources() -> Vec<String> {
    fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && name != "text" {
                walk(&path, found);
            } else if name.ends_with(".rs") {
                found.push(path);
            }
        }
    }
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for room in ["host-runner", "plugin", "tests"] {
        walk(&top.join(room), &mut found);
    }
    assert!(found.len() > 100, "where are the sources?");
    found.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Whether one of the sources names the function of a message, by its area or by what the source calls that area.
fn is_used(area: &str, function: &str, sources: &[String]) -> bool {
    sources.iter().any(|source| {
        let import = format!("use board_text::{area} as ");
        let alias =
            source.split_once(&import).and_then(|(_, rest)| rest.split_once(';')).map(|(name, _)| name);
        [Some(area), alias].into_iter().flatten().any(|area| names(source, &format!("{area}::{function}")))
    })
}

fn names(source: &str, path: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    source.match_indices(path).any(|(at, _)| {
        let before = source.get(..at).and_then(|text| text.chars().next_back());
        let after = source.get(at + path.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(word) && !after.is_some_and(word)
    })
}

#[test]
fn i8_keys_and_placeholders_are_the_same_in_every_language() {
    if let Err(faults) = generator::code(&texts()) {
        panic!("{}", faults.join("\n"));
    }
}

#[test]
fn every_message_is_used() {
    let sources = sources();
    let mut unused = Vec::new();
    for (area, text) in texts().get("en").unwrap() {
        // `row` and `told` are looked up by their words; a test of the sources says that each of them is somebody's.
        if generator::BY_NAME.contains(&area.as_str()) || ["row", "told"].contains(&area.as_str()) {
            continue;
        }
        for message in parse::parse("en", area, text).unwrap() {
            let function =
                message.id.trim_start_matches(area.as_str()).trim_start_matches('-').replace('-', "_");
            if !is_used(&area.replace('-', "_"), &function, &sources) {
                unused.push(message.id);
            }
        }
    }
    assert!(unused.is_empty(), "no source uses these messages: {unused:?}");
}

#[test]
fn the_search_for_uses_finds_whole_names_only() {
    let sources = ["use x; board_text::root::unknown(); root::foreigner(); a_root::io()".to_owned()];
    assert!(is_used("root", "unknown", &sources));
    assert!(!is_used("root", "foreign", &sources));
    let sources = ["use board_text::root as texts;\nfn f() { texts::foreign() }".to_owned()];
    assert!(is_used("root", "foreign", &sources));
    assert!(!is_used("daemon", "foreign", &sources));
    assert!(!is_used("root", "io", &sources));
}

/// A text that was left in English, or that was pasted into the wrong directory, has no character of its language.
#[test]
fn a_translation_is_written_in_its_language() {
    let mut broken = Vec::new();
    for language in LANGUAGES.into_iter().skip(1) {
        for (area, text) in texts().get(language).unwrap() {
            let english = texts().get("en").and_then(|files| files.get(area)).cloned().unwrap_or_default();
            let english = parse::parse("en", area, &english).unwrap();
            for message in parse::parse(language, area, text).unwrap() {
                let source = format!("{:?}", message.pattern);
                // Marks of full width stand for a text that is otherwise made of names and values.
                let own = |c: char| matches!(c, '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}');
                let kana = source.contains(|c: char| matches!(c, '\u{3041}'..='\u{30fa}'));
                // Names, keys and commands are the same everywhere.
                let same = english.iter().any(|other| {
                    other.id == message.id && format!("{:?}", other.pattern).eq_ignore_ascii_case(&source)
                });
                if !same && (!source.contains(own) || (language == "zh" && kana)) {
                    broken.push(format!("{language}/{area}.ftl: {}", message.id));
                }
            }
        }
    }
    assert!(broken.is_empty(), "not in their language: {broken:?}");
}
