//! What must be the same in every language: the files, the messages and their variables.

use super::{LANGUAGES, Message, Pattern, Piece};
use std::collections::{BTreeMap, BTreeSet};

/// The most variables of a message: as many as clippy lets a function have arguments. A message with more says too much.
const MAX_VARIABLES: usize = 7;

/// Words that cannot be the name of a function or an argument.
const RESERVED: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// One function to make.
#[derive(Debug)]
pub(super) struct Function {
    /// The message's whole name.
    pub(super) id: String,
    /// Its name in Rust.
    pub(super) name: String,
    /// The comment above the English message.
    pub(super) comment: String,
    /// Its variables in the order in which the English text names them.
    pub(super) variables: Vec<Variable>,
    /// The pattern of each language, in the order of [`LANGUAGES`].
    pub(super) patterns: Vec<Pattern>,
}

/// One argument of a function.
#[derive(Debug)]
pub(super) struct Variable {
    /// Its name in the catalogue.
    pub(super) name: String,
    /// Whether a language selects by it, so that it has to be a number.
    pub(super) is_number: bool,
    /// Whether a language shows it.
    pub(super) is_shown: bool,
}

/// One file of the catalogue.
#[derive(Debug)]
pub(super) struct Area {
    /// Its name, without `.ftl`.
    pub(super) name: String,
    /// Its messages, in the order of the English file.
    pub(super) functions: Vec<Function>,
}

type Files<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Vec<Message>>>;

/// The functions of all files; what does not fit together is added to `faults`.
pub(super) fn areas(read: &Files<'_>, faults: &mut Vec<String>) -> Vec<Area> {
    let names: BTreeSet<&str> = read.values().flat_map(BTreeMap::keys).copied().collect();
    let mut areas = Vec::new();
    for name in names {
        let files: Vec<_> =
            LANGUAGES.iter().map(|language| read.get(language).and_then(|files| files.get(name))).collect();
        for (language, file) in LANGUAGES.iter().zip(&files) {
            if file.is_none() {
                faults.push(format!("{language}/{name}.ftl is missing: another language has this file"));
            }
        }
        let Some(files) = files.into_iter().collect::<Option<Vec<_>>>() else { continue };
        areas.push(Area { name: name.to_owned(), functions: area(name, &files, faults) });
    }
    areas
}

fn area(area: &str, files: &[&Vec<Message>], faults: &mut Vec<String>) -> Vec<Function> {
    for (language, file) in LANGUAGES.iter().zip(files) {
        let mut seen = BTreeSet::new();
        for message in *file {
            if !seen.insert(&message.id) {
                faults.push(format!("{language}/{area}.ftl: {} is there twice", message.id));
            }
        }
    }
    let Some((english, others)) = files.split_first() else { return Vec::new() };
    for (language, file) in LANGUAGES.iter().skip(1).zip(others) {
        for message in *file {
            if !english.iter().any(|known| known.id == message.id) {
                faults.push(format!("{language}/{area}.ftl: {} is not in en/{area}.ftl", message.id));
            }
        }
    }
    let mut functions = Vec::new();
    for message in *english {
        let mut patterns = vec![message.pattern.clone()];
        for (language, file) in LANGUAGES.iter().skip(1).zip(others) {
            match file.iter().find(|other| other.id == message.id) {
                Some(other) => {
                    same_variables(area, language, message, other, faults);
                    patterns.push(other.pattern.clone());
                }
                None => faults.push(format!("{language}/{area}.ftl: {} is missing", message.id)),
            }
        }
        if patterns.len() == LANGUAGES.len() {
            functions.extend(function(area, message, patterns, faults));
        }
    }
    functions
}

fn function(
    area: &str,
    message: &Message,
    patterns: Vec<Pattern>,
    faults: &mut Vec<String>,
) -> Option<Function> {
    let place = format!("en/{area}.ftl: {}", message.id);
    let Some(rest) = message.id.strip_prefix(area).and_then(|rest| rest.strip_prefix('-')) else {
        faults.push(format!("{place} does not start with {area}-, as every message of this file has to"));
        return None;
    };
    let is_kebab = |name: &str| {
        let mut parts = name.split('-');
        let first = parts.next().unwrap_or_default();
        first.starts_with(|c: char| c.is_ascii_lowercase())
            && first.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            && parts.all(|part| {
                !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            })
    };
    let names = variables(&message.pattern);
    for name in std::iter::once(rest).chain(names.iter().map(String::as_str)) {
        if !is_kebab(name) || RESERVED.contains(&name) {
            faults.push(format!(
                "{place}: {name} cannot be a name: lower-case words with hyphens that mean nothing in Rust"
            ));
        }
    }
    if names.len() > MAX_VARIABLES {
        faults.push(format!("{place} has {} variables; {MAX_VARIABLES} are allowed", names.len()));
    }
    let variables = names
        .into_iter()
        .map(|name| Variable {
            is_number: patterns.iter().any(|pattern| selected(pattern).contains(&name)),
            is_shown: patterns.iter().any(|pattern| shown(pattern).contains(&name)),
            name,
        })
        .collect();
    Some(Function {
        id: message.id.clone(),
        name: rest.replace('-', "_"),
        comment: message.comment.clone(),
        variables,
        patterns,
    })
}

/// A language shows what English shows. What English only selects by, another language may leave out: it has no plural.
fn same_variables(area: &str, language: &str, english: &Message, other: &Message, faults: &mut Vec<String>) {
    let place = format!("{language}/{area}.ftl: {}", other.id);
    let (known, here) = (variables(&english.pattern), variables(&other.pattern));
    for name in here.iter().filter(|name| !known.contains(name)) {
        faults.push(format!("{place} has the variable ${name}, which English does not have"));
    }
    let shows = shown(&other.pattern);
    for name in shown(&english.pattern).iter().filter(|name| !shows.contains(*name)) {
        faults.push(format!("{place} does not show ${name}, which English shows"));
    }
}

/// Every variable of a pattern, in the order in which they first stand there.
fn variables(pattern: &Pattern) -> Vec<String> {
    fn collect(pattern: &Pattern, names: &mut Vec<String>) {
        for piece in pattern {
            if let Piece::Variable(name) | Piece::Select(name, _) = piece
                && !names.contains(name)
            {
                names.push(name.clone());
            }
            if let Piece::Select(_, cases) = piece {
                cases.iter().for_each(|(_, pattern)| collect(pattern, names));
            }
        }
    }
    let mut names = Vec::new();
    collect(pattern, &mut names);
    names
}

/// The variables whose values a pattern shows, in one case of a selection at least.
fn shown(pattern: &Pattern) -> BTreeSet<String> {
    pattern
        .iter()
        .flat_map(|piece| match piece {
            Piece::Text(_) => BTreeSet::new(),
            Piece::Variable(name) => BTreeSet::from([name.clone()]),
            Piece::Select(_, cases) => cases.iter().flat_map(|(_, pattern)| shown(pattern)).collect(),
        })
        .collect()
}

/// The variables by which a pattern selects.
fn selected(pattern: &Pattern) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for piece in pattern {
        if let Piece::Select(name, cases) = piece {
            names.insert(name.clone());
            names.extend(cases.iter().flat_map(|(_, pattern)| selected(pattern)));
        }
    }
    names
}
