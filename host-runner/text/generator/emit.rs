//! The Rust source of functions that were found to fit together.
//!
//! A text becomes one string, in which the character 1 stands for the first variable, 2 for the second, and so on. Filling
//! them in is one function for all messages: a formatting expression for each would be three of them, and the plugin is
//! interpreted and has a limit.

use super::{
    BY_NAME, Case, LABELS, Pattern, Piece, RETOLD, RETOLD_IN_ROWS,
    check::{Area, Function, Variable},
};
use std::{collections::BTreeSet, fmt::Write};

/// A module for each file.
pub(super) fn modules(areas: &[Area]) -> String {
    areas.iter().map(module).collect()
}

// Writing to a String cannot fail, so the results are dropped everywhere below.
fn module(area: &Area) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/// The texts of `{}.ftl`.\npub mod {} {{\n    use super::*;",
        area.name,
        area.name.replace('-', "_")
    );
    for function in &area.functions {
        out.push_str(&one(function));
    }
    if BY_NAME.contains(&area.name.as_str()) {
        out.push_str(&by_name(&area.functions));
    }
    out.push_str("}\n");
    out
}

fn one(function: &Function) -> String {
    let mut out = String::new();
    for line in function.comment.lines() {
        let _ = writeln!(out, "    /// {line}");
    }
    if !function.comment.is_empty() {
        out.push_str("    ///\n");
    }
    let english = function.patterns.first().map(source).unwrap_or_default();
    out.push_str("    /// ```text\n");
    for line in english.lines() {
        let _ = writeln!(out, "    /// {line}");
    }
    out.push_str("    /// ```\n");
    let name = |variable: &Variable| variable.name.replace('-', "_");
    let arguments: Vec<String> = function
        .variables
        .iter()
        .map(|variable| {
            format!("{}: {}", name(variable), if variable.is_number { "impl Number" } else { "impl Display" })
        })
        .collect();
    let shown: Vec<&Variable> = function.variables.iter().filter(|variable| variable.is_shown).collect();
    let texts: Vec<String> = function.patterns.iter().map(|pattern| text(pattern, &shown)).collect();
    let numbers: String = function
        .variables
        .iter()
        .filter(|variable| variable.is_number)
        .map(|variable| format!("        let {0} = {0}.number();\n", name(variable)))
        .collect();
    let (result, body) = if shown.is_empty() {
        ("&'static str", format!("pick(&[{}])", texts.join(", ")))
    } else {
        let values: Vec<String> = shown.iter().map(|variable| format!("&{}", name(variable))).collect();
        ("String", format!("fill(&[{}], &[{}])", texts.join(", "), values.join(", ")))
    };
    let _ = writeln!(
        out,
        "    #[must_use]\n    pub fn {}({}) -> {result} {{\n{numbers}        {body}\n    }}",
        function.name,
        arguments.join(", ")
    );
    out
}

/// A pattern as an expression: a string, or a choice of strings.
fn text(pattern: &Pattern, shown: &[&Variable]) -> String {
    let first = pattern.iter().enumerate().find_map(|(at, piece)| match piece {
        Piece::Select(name, cases) => Some((at, name, cases)),
        _ => None,
    });
    let Some((at, name, cases)) = first else {
        let mut out = String::new();
        for piece in pattern {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Variable(name) => {
                    let place = shown.iter().position(|variable| variable.name == *name).unwrap_or_default();
                    out.extend(u32::try_from(place + 1).ok().and_then(char::from_u32));
                }
                Piece::Select(..) => {}
            }
        }
        return format!("{out:?}");
    };
    let arms: Vec<String> = cases
        .iter()
        .map(|(case, chosen)| {
            let whole: Pattern =
                pattern.iter().take(at).chain(chosen).chain(pattern.iter().skip(at + 1)).cloned().collect();
            let number = match case {
                Case::Exactly(number) => number.to_string(),
                Case::Other => "_".to_owned(),
            };
            format!("{number} => {}", text(&whole, shown))
        })
        .collect();
    format!("match {} {{ {} }}", name.replace('-', "_"), arms.join(", "))
}

/// A pattern as it stands in the catalogue, near enough for a reader of the documentation.
fn source(pattern: &Pattern) -> String {
    let mut out = String::new();
    for piece in pattern {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Variable(name) => {
                let _ = write!(out, "{{${name}}}");
            }
            Piece::Select(name, cases) => {
                let cases: Vec<String> = cases
                    .iter()
                    .map(|(case, pattern)| match case {
                        Case::Exactly(number) => format!("[{number}] {}", source(pattern)),
                        Case::Other => format!("*[other] {}", source(pattern)),
                    })
                    .collect();
                let _ = write!(out, "{{${name} -> {}}}", cases.join(" "));
            }
        }
    }
    out
}

/// The messages without variables, by the rest of their names.
fn by_name(functions: &[Function]) -> String {
    let mut plain: Vec<&Function> =
        functions.iter().filter(|function| function.variables.is_empty()).collect();
    plain.sort_by(|a, b| a.id.cmp(&b.id));
    let mut out = String::new();
    out.push_str("    /// The messages of this file that have no variables, by their whole names, sorted.\n");
    out.push_str("    pub const NAMES: &[Named] = &[\n");
    for function in plain {
        let _ = writeln!(out, "        ({:?}, {}),", function.id, function.name);
    }
    out.push_str("    ];\n    /// The message with this whole name.\n    #[must_use]\n");
    out.push_str("    pub fn named(name: &str) -> Option<&'static str> {\n");
    out.push_str("        NAMES.binary_search_by(|(known, _)| known.cmp(&name)).ok().and_then(|at| NAMES.get(at)).map(|(_, text)| text())\n    }\n");
    out
}

/// The texts that are found by their English words.
pub(super) fn all_retold(areas: &[Area]) -> String {
    let what = "can be said in another language once it was said in English";
    retold(areas, "RETOLD", &format!("What {what}."), &RETOLD)
        + &retold(areas, "RETOLD_IN_ROWS", &format!("What of a row {what}."), &RETOLD_IN_ROWS)
        + &retold(areas, "LABELS", "Single words that stand inside other texts.", &LABELS)
}

/// The texts of some files, each in every language, in every form that a number gives it.
fn retold(areas: &[Area], constant: &str, meaning: &str, names: &[&str]) -> String {
    let mut out = format!("/// {meaning}\nstatic {constant}: &[[&str; 3]] = &[\n");
    for name in names {
        for function in areas.iter().filter(|area| area.name == *name).flat_map(|area| &area.functions) {
            let shown: Vec<&Variable> =
                function.variables.iter().filter(|variable| variable.is_shown).collect();
            for texts in forms(&function.patterns) {
                let texts: Vec<String> = texts.iter().map(|pattern| text(pattern, &shown)).collect();
                let _ = writeln!(out, "    [{}],", texts.join(", "));
            }
        }
    }
    out.push_str("];\n");
    out
}

/// The patterns of one message, one of each language, without selections: once for each case that a language has.
fn forms(patterns: &[Pattern]) -> Vec<Vec<Pattern>> {
    let selected = patterns.iter().flatten().find_map(|piece| match piece {
        Piece::Select(name, _) => Some(name.clone()),
        _ => None,
    });
    let Some(selected) = selected else { return vec![patterns.to_vec()] };
    let cases: BTreeSet<Case> = patterns
        .iter()
        .flatten()
        .filter_map(|piece| match piece {
            Piece::Select(name, cases) if *name == selected => Some(cases),
            _ => None,
        })
        .flatten()
        .map(|(case, _)| *case)
        .collect();
    let chosen = |pattern: &Pattern, case: Case| -> Pattern {
        let mut out = Pattern::new();
        for piece in pattern {
            match piece {
                Piece::Select(name, cases) if *name == selected => {
                    let exact = cases.iter().find(|(of, _)| *of == case);
                    out.extend(
                        exact.or(cases.last()).map(|(_, pattern)| pattern.clone()).unwrap_or_default(),
                    );
                }
                other => out.push(other.clone()),
            }
        }
        // A case of one number says it in words or not at all; another language may say it.
        let number = |piece| match (&piece, case) {
            (Piece::Variable(name), Case::Exactly(number)) if *name == selected => {
                Piece::Text(number.to_string())
            }
            _ => piece,
        };
        out.into_iter().map(number).collect()
    };
    cases
        .into_iter()
        .flat_map(|case| forms(&patterns.iter().map(|pattern| chosen(pattern, case)).collect::<Vec<_>>()))
        .collect()
}
