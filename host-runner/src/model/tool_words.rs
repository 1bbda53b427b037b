//! What a running tool is called on the board, and what kind of command a shell line is (reference B.10). Pure.
//!
//! Every word that comes from an agent's arguments is made plain before it leaves here.

use super::tool_commands::KINDS;
use board_protocol::{
    evidence::{CommandKind, FileAction},
    text::plain_within,
};
use serde_json::Value;

/// Widest argument in a tool's words, in cells: the reference's length of a command.
const ARGUMENT_COLUMNS: usize = 32;

/// Keys under which tools keep a path or a pattern, most telling first.
const PATH_KEYS: [&str; 6] = ["file_path", "path", "filePath", "file", "filename", "pattern"];

/// Tools that run a shell line, in lower case: those of pi, Claude Code, Codex, OpenCode and their relatives.
const COMMAND_TOOLS: [&str; 8] = [
    "bash",
    "shell",
    "powershell",
    "local_shell",
    "exec_command",
    "command_execution",
    "run_command",
    "execute_command",
];

/// What the board says while a tool runs: `Running tests`, `Editing auth.rs`. One line of plain text.
pub fn tool_words(tool: &str, arguments: &Value) -> String {
    let lower = tool.to_lowercase();
    match lower.as_str() {
        "edit" | "multi_edit" | "multiedit" | "apply_patch" | "str_replace" | "notebookedit"
        | "file_change" => {
            format!("Editing {}", file_or(arguments, "files"))
        }
        "write" | "create_file" => format!("Writing {}", file_or(arguments, "files")),
        "read" | "view" => format!("Reading {}", file_or(arguments, "files")),
        "ls" | "list" => format!("Listing {}", file_or(arguments, "files")),
        "find" | "glob" => match pattern(arguments) {
            Some(pattern) => format!("Finding {pattern}"),
            None => "Finding files".to_owned(),
        },
        "grep" | "search" => match pattern(arguments) {
            Some(pattern) => format!("Searching /{pattern}/"),
            None => "Searching".to_owned(),
        },
        _ if runs_commands(tool) => command_words(arguments),
        _ => {
            let name = capitalised(&plain_within(tool, ARGUMENT_COLUMNS));
            match file(arguments) {
                Some(file) => format!("{name} {file}"),
                None => name,
            }
        }
    }
}

fn command_words(arguments: &Value) -> String {
    let Some(command) = command_of(arguments) else { return "Running command".to_owned() };
    match command_kind(&command) {
        CommandKind::Test => "Running tests".to_owned(),
        CommandKind::Build => "Building".to_owned(),
        CommandKind::Lint => "Linting".to_owned(),
        CommandKind::Git => {
            let simple = simple_commands(&command);
            let git = simple.iter().find(|words| is_git(words)).map(|words| git_words(words));
            plain_within(&git.unwrap_or_default(), ARGUMENT_COLUMNS)
        }
        CommandKind::Install | CommandKind::Other => {
            let shown = plain_within(&command, ARGUMENT_COLUMNS);
            if shown.is_empty() { "Running command".to_owned() } else { format!("Running {shown}") }
        }
    }
}

/// Whether a tool runs a shell line.
pub fn runs_commands(tool: &str) -> bool {
    COMMAND_TOOLS.contains(&tool.to_lowercase().as_str())
}

/// The shell line of a tool that runs one: a text, or a list of arguments (Codex).
pub fn command_of(arguments: &Value) -> Option<String> {
    match arguments.get("command").or_else(|| arguments.get("cmd"))? {
        Value::String(text) => Some(script_of(text).unwrap_or_else(|| text.clone())),
        Value::Array(words) => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
            // `bash -lc SCRIPT` is how a list runs a shell line.
            Some(match words.as_slice() {
                [shell, flag, script] if is_shell(shell, flag) => (*script).to_owned(),
                _ => words.join(" "),
            })
        }
        _ => None,
    }
}

fn is_shell(shell: &str, flag: &str) -> bool {
    shell.ends_with("sh") && flag.starts_with('-') && flag.ends_with('c')
}

/// The script of `bash -lc 'SCRIPT'`, as Codex writes every command in a stream. One whose quotes are not simply around
/// the whole stays as it is: nothing here takes a shell's quotes apart.
fn script_of(line: &str) -> Option<String> {
    let (shell, rest) = line.trim().split_once(' ')?;
    let (flag, script) = rest.trim_start().split_once(' ')?;
    let script = script.trim();
    if !is_shell(shell, flag) {
        return None;
    }
    let within = |quote: char| script.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(inner) = within('\'') {
        let inner = inner.replace(r"'\''", "\0");
        return (!inner.contains('\'')).then(|| inner.replace('\0', "'"));
    }
    if let Some(inner) = within('"') {
        let inner = inner.replace(r"\\", "\0").replace("\\\"", "\u{1}");
        let plain = !inner.contains('"');
        return plain.then(|| {
            inner.replace(r"\$", "$").replace(r"\`", "`").replace('\u{1}', "\"").replace('\0', r"\")
        });
    }
    (!script.contains([' ', '\'', '"'])).then(|| script.to_owned())
}

/// What a shell line is for: the first of its commands that is for anything.
pub fn command_kind(command: &str) -> CommandKind {
    simple_commands(command)
        .iter()
        .map(|words| simple_kind(words))
        .find(|kind| *kind != CommandKind::Other)
        .unwrap_or(CommandKind::Other)
}

/// What a tool does to a file, if it is one that changes files.
pub fn file_change(tool: &str) -> Option<FileAction> {
    match tool.to_lowercase().as_str() {
        "edit" | "multi_edit" | "multiedit" | "apply_patch" | "str_replace" | "notebookedit" => {
            Some(FileAction::Edited)
        }
        "write" | "create_file" => Some(FileAction::Written),
        "delete" | "rm" | "remove_file" => Some(FileAction::Deleted),
        // Codex's report of a patch: each of its changes says what it was.
        "file_change" => Some(FileAction::Unknown),
        _ => None,
    }
}

/// The simple commands of a line, each as its words, without what only surrounds them (`cd`, variables, `sudo`, `time`).
/// Not a shell parser: quotes are taken as parts of words, which is enough to know the first words.
fn simple_commands(line: &str) -> Vec<Vec<&str>> {
    line.split(['\n', ';', '|', '&', '(', ')'])
        .map(|part| {
            let mut words: Vec<&str> = part.split_whitespace().collect();
            while let Some(first) = words.first() {
                let surrounds = matches!(
                    *first,
                    "sudo" | "time" | "env" | "nice" | "command" | "exec" | "then" | "do" | "{"
                ) || is_assignment(first);
                let timeout = *first == "timeout" && words.len() > 2;
                if timeout {
                    words.drain(..2);
                } else if surrounds {
                    words.remove(0);
                } else {
                    break;
                }
            }
            words
        })
        .filter(|words| words.first().is_some_and(|first| *first != "cd"))
        .collect()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

fn is_git(words: &[&str]) -> bool {
    matches!(words.first(), Some(&"git" | &"gh"))
}

/// `git <sub>`, with what `git` takes before its command left out.
fn git_words(words: &[&str]) -> String {
    let mut rest = words.iter().skip(1);
    let mut sub = "";
    while let Some(word) = rest.next() {
        if matches!(*word, "-C" | "-c") {
            rest.next();
        } else if !word.starts_with('-') {
            sub = word;
            break;
        }
    }
    format!("{} {sub}", words.first().unwrap_or(&"git")).trim_end().to_owned()
}

fn simple_kind(words: &[&str]) -> CommandKind {
    if is_git(words) {
        return CommandKind::Git;
    }
    // The program without its directory; the rest as it is, so that `cargo +nightly test` is not lost.
    let mut said: Vec<&str> = words.iter().filter(|word| !word.starts_with('+')).copied().collect();
    if let Some(first) = said.first_mut()
        && !first.starts_with("./")
    {
        *first = first.rsplit('/').next().unwrap_or(first);
    }
    KINDS
        .iter()
        .find(|(_, beginnings)| {
            beginnings.iter().any(|beginning| {
                let beginning: Vec<&str> = beginning.split(' ').collect();
                said.starts_with(&beginning) && !(beginning == ["test"] && said.len() > 1)
            })
        })
        .map_or(CommandKind::Other, |(kind, _)| *kind)
}

fn argument(arguments: &Value) -> Option<&str> {
    PATH_KEYS.iter().find_map(|key| arguments.get(key)?.as_str().filter(|text| !text.trim().is_empty()))
}

fn file(arguments: &Value) -> Option<String> {
    let path = argument(arguments)?.trim_end_matches('/');
    let name = path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("/");
    Some(plain_within(name, ARGUMENT_COLUMNS)).filter(|name| !name.is_empty())
}

fn file_or(arguments: &Value, fallback: &str) -> String {
    file(arguments).unwrap_or_else(|| fallback.to_owned())
}

/// A pattern is what a search is about, wherever it looks.
fn pattern(arguments: &Value) -> Option<String> {
    let pattern = arguments.get("pattern").or_else(|| arguments.get("query")).and_then(Value::as_str);
    let shown = plain_within(pattern.or_else(|| argument(arguments))?, ARGUMENT_COLUMNS);
    (!shown.is_empty()).then_some(shown)
}

fn capitalised(name: &str) -> String {
    let mut characters = name.chars();
    characters
        .next()
        .map_or_else(|| "Tool".to_owned(), |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests;
