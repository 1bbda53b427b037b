//! zellij's permission for the plugin: it asks once per path and keeps the answer in `permissions.kdl` of its cache
//! directory (measured with 0.45.1). A denial is kept as an empty list.

use super::{Finding, Scene};
use crate::assets;
use board_text::doctor as texts;
use std::{collections::BTreeSet, fs, io, path::PathBuf};

const NAME: &str = "permission";
/// What the plugin asks for, in zellij's words; all in one question.
const NEEDED: [&str; 7] = [
    "ReadApplicationState",
    "ChangeApplicationState",
    "RunCommands",
    "OpenTerminalsOrPlugins",
    "ReadCliPipes",
    "MessageAndLaunchOtherPlugins",
    "Reconfigure",
];

/// Looks for the answer.
pub(super) fn check(scene: &Scene) -> Finding {
    let (Ok(plugin), Some(file)) = (assets::plugin_path(), file(scene)) else {
        return Finding::unknown(NAME, texts::no_cache(), texts::set_home());
    };
    let shown = file.display();
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Finding::unknown(NAME, texts::unreadable(&shown, &error), texts::make_readable());
        }
    };
    judge(granted(&text, &plugin.to_string_lossy()), &shown.to_string())
}

fn judge(granted: Option<BTreeSet<String>>, file: &str) -> Finding {
    let ask_again = texts::permission_ask_again();
    match granted {
        None => Finding::warn(NAME, texts::permission_not_asked(), texts::permission_open()),
        Some(granted) if granted.is_empty() => Finding::fail(NAME, texts::permission_denied(file), ask_again),
        Some(granted) => {
            let missing: Vec<_> = NEEDED.into_iter().filter(|needed| !granted.contains(*needed)).collect();
            if missing.is_empty() {
                Finding::ok(NAME, texts::permission_granted(file))
            } else {
                Finding::fail(NAME, texts::permission_partly(missing.join(", ")), ask_again)
            }
        }
    }
}

/// zellij's cache directory follows `XDG_CACHE_HOME`, and never `ZELLIJ_*`.
fn file(scene: &Scene) -> Option<PathBuf> {
    let cache =
        scene.path("XDG_CACHE_HOME").or_else(|| scene.path("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("zellij/permissions.kdl"))
}

/// What was granted to the plugin of this path; `None` without an answer. zellij writes the file itself: one node a line,
/// the path in quotes unless it is an identifier.
fn granted(text: &str, plugin: &str) -> Option<BTreeSet<String>> {
    let mut lines = text.lines().map(str::trim);
    let head = |line: &str| line.strip_suffix('{').map(|name| unquoted(name.trim()));
    lines.find(|line| head(line).is_some_and(|name| name == plugin) || is_empty_list(line, plugin)).map(
        |line| {
            if is_empty_list(line, plugin) {
                return BTreeSet::new();
            }
            lines
                .take_while(|line| !line.starts_with('}'))
                .map(unquoted)
                .filter(|word| !word.is_empty())
                .collect()
        },
    )
}

/// An empty list may be written on one line: `"path" {}`.
fn is_empty_list(line: &str, plugin: &str) -> bool {
    line.strip_suffix('}')
        .and_then(|rest| rest.trim_end().strip_suffix('{'))
        .is_some_and(|name| unquoted(name.trim()) == plugin)
}

/// A KDL string without its quotes and escapes.
fn unquoted(word: &str) -> String {
    let Some(inside) = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return word.to_owned();
    };
    let mut out = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    const PLUGIN: &str = "/data/a b/agent-board/agent-board.wasm";

    fn listed(permissions: &[&str]) -> String {
        format!("other {{\n    RunCommands\n}}\n\"{PLUGIN}\" {{\n    {}\n}}\n", permissions.join("\n    "))
    }

    #[test]
    fn every_answer_of_a_person_is_told_apart() {
        let table = [
            (String::new(), Status::Warn, "not asked"),
            ("\"/other.wasm\" {\n    RunCommands\n}\n".to_owned(), Status::Warn, "not asked"),
            (format!("\"{PLUGIN}\" {{\n}}\n"), Status::Fail, "denied"),
            (format!("\"{PLUGIN}\" {{}}\n"), Status::Fail, "denied"),
            (listed(&NEEDED), Status::Ok, "granted"),
            (listed(&NEEDED[1..]), Status::Fail, "without ReadApplicationState"),
            (format!("{}\"{PLUGIN}2\" {{\n}}\n", listed(&NEEDED)), Status::Ok, "granted"),
        ];
        for (text, status, words) in table {
            let finding = judge(granted(&text, PLUGIN), "permissions.kdl");
            assert_eq!(finding.status, status, "{text}");
            assert!(finding.found.contains(words), "{finding:?}");
        }
    }

    #[test]
    fn names_are_read_as_kdl_writes_them() {
        for (word, name) in [("a", "a"), ("\"a b\"", "a b"), (r#""a\"b\\c""#, "a\"b\\c"), ("\"", "\"")] {
            assert_eq!(unquoted(word), name);
        }
    }
}
