//! Makes Rust of the catalogue: one typed function for each message.
//!
//! The build script calls it, and the tests of this crate. It knows the part of Project Fluent's syntax that the texts
//! use (plain text, string literals, variables, and selection by a number) and refuses the rest, so that nothing is
//! silently dropped.

mod check;
mod emit;
pub(crate) mod parse;

use parse::{Case, Message, Pattern, Piece};

use std::{collections::BTreeMap, fs, io, path::Path};

/// The languages, by their directories; the first one is what the others are compared with.
pub(crate) const LANGUAGES: [&str; 3] = ["en", "zh", "ja"];

/// Files whose messages can also be found by their names, because the program that they describe is walked at run time.
pub(crate) const BY_NAME: [&str; 2] = ["check", "help"];

/// Files whose messages are also found by their English words: what the daemon, hosts and runs write down and send is
/// English, and whoever shows it says it in the reader's language. In the order in which they are looked through.
pub(crate) const RETOLD: [&str; 16] = [
    "row",
    "told",
    "model",
    "coordinator",
    "store",
    "daemon",
    "host",
    "agents",
    "refs",
    "root",
    "program",
    "wire",
    "protocol",
    "terminals",
    "run",
    "config",
];

/// Of them, those that a row may hold.
pub(crate) const RETOLD_IN_ROWS: [&str; 3] = ["row", "program", "agents"];

/// The file whose messages may stand inside others as single words.
pub(crate) const LABELS: [&str; 1] = ["state"];

/// The text of every file: language, area (the file's name without `.ftl`), text.
pub(crate) type Catalogue = BTreeMap<&'static str, BTreeMap<String, String>>;

/// Reads every `*.ftl` below a directory that has one directory for each language.
///
/// # Errors
/// A directory or file that cannot be read.
pub(crate) fn read(directory: &Path) -> io::Result<Catalogue> {
    let mut catalogue = Catalogue::new();
    for language in LANGUAGES {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(directory.join(language))? {
            let path = entry?.path();
            let area =
                path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".ftl"));
            if let Some(area) = area {
                files.insert(area.to_owned(), fs::read_to_string(&path)?);
            }
        }
        catalogue.insert(language, files);
    }
    Ok(catalogue)
}

/// The Rust source of a catalogue.
///
/// # Errors
/// Every fault, each as a sentence that names file and message.
pub(crate) fn code(catalogue: &Catalogue) -> Result<String, Vec<String>> {
    let mut faults = Vec::new();
    let mut read: BTreeMap<&str, BTreeMap<&str, Vec<Message>>> = BTreeMap::new();
    for (language, files) in catalogue {
        for (area, text) in files {
            match parse::parse(language, area, text) {
                Ok(messages) => {
                    read.entry(language).or_default().insert(area, messages);
                }
                Err(found) => faults.extend(found),
            }
        }
    }
    if faults.is_empty() {
        let areas = check::areas(&read, &mut faults);
        if faults.is_empty() {
            return Ok(emit::modules(&areas) + &emit::all_retold(&areas));
        }
    }
    Err(faults)
}
