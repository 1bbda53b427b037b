//! What a call of a tool is as evidence: a command, a change of files, or neither. Pure.

use super::texts;
use crate::{
    agents::event::ToolStarted,
    model::tool_words::{command_kind, command_of, file_change, runs_commands},
};
use board_protocol::evidence::{CommandKind, FileAction, MAX_COMMAND};
use serde_json::Value;

/// Keys under which tools keep the one file that they change, most telling first.
const FILE_KEYS: [&str; 6] = ["file_path", "path", "filePath", "notebook_path", "file", "filename"];
/// Keys under which tools keep a patch.
const PATCH_KEYS: [&str; 3] = ["patch", "input", "patchText"];
/// What begins a file's part of a patch in Codex's and OpenCode's form.
const PATCH_HEADS: [(&str, FileAction); 3] = [
    ("*** Update File: ", FileAction::Edited),
    ("*** Add File: ", FileAction::Written),
    ("*** Delete File: ", FileAction::Deleted),
];
/// Most files of one call that are kept: a patch over more of them is generated.
const MAX_FILES: usize = 32;
/// Longest path, in characters: a quarter of Linux's limit, and far beyond what a person reads.
const MAX_PATH: usize = 1_000;

/// What a call of a tool is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Call {
    /// It runs a shell line.
    Command { line: String, kind: CommandKind },
    /// It changes these files, once it has succeeded.
    Files(Vec<(String, FileAction)>),
    /// It is no evidence by itself.
    Other,
}

impl Call {
    /// What a call that begins is.
    pub(super) fn read(started: &ToolStarted) -> Self {
        let ToolStarted { tool, arguments, .. } = started;
        if runs_commands(tool) {
            let line = command_of(arguments).unwrap_or_default();
            return Self::Command { line: texts::lines(&line, MAX_COMMAND), kind: command_kind(&line) };
        }
        let Some(action) = file_change(tool) else { return Self::Other };
        let mut files = listed(arguments);
        if files.is_empty() {
            files = patched(arguments);
        }
        if files.is_empty() {
            let path = FILE_KEYS.iter().find_map(|key| arguments.get(key)?.as_str());
            files.extend(path.map(|path| (path.to_owned(), action)));
        }
        let files = files.into_iter().map(|(path, action)| (shown(&path), action));
        Self::Files(files.filter(|(path, _)| !path.is_empty()).take(MAX_FILES).collect())
    }
}

/// The changes of a list of them: Codex's `changes: [{path, kind}]`.
fn listed(arguments: &Value) -> Vec<(String, FileAction)> {
    let changes = arguments.get("changes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    changes
        .iter()
        .filter_map(|change| {
            let action = match change.get("kind").and_then(Value::as_str) {
                Some("update") => FileAction::Edited,
                Some("add") => FileAction::Written,
                Some("delete") => FileAction::Deleted,
                _ => FileAction::Unknown,
            };
            Some((change.get("path")?.as_str()?.to_owned(), action))
        })
        .collect()
}

/// The files that a patch names.
fn patched(arguments: &Value) -> Vec<(String, FileAction)> {
    let patch = PATCH_KEYS.iter().find_map(|key| arguments.get(key)?.as_str()).unwrap_or_default();
    let head = |line: &str| {
        PATCH_HEADS
            .iter()
            .find_map(|(head, action)| Some((line.strip_prefix(head)?.trim().to_owned(), *action)))
    };
    patch.lines().filter_map(head).collect()
}

/// A path as it is kept. `./a` and `a` are the same file.
fn shown(path: &str) -> String {
    let path = texts::line(path, MAX_PATH);
    path.strip_prefix("./").map_or_else(|| path.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str, arguments: Value) -> Call {
        Call::read(&ToolStarted { call: "c".into(), tool: tool.into(), arguments })
    }

    // What each agent sends: `agent-events` recorded these shapes.
    #[test]
    fn a8_the_tools_of_every_agent_are_read() {
        use FileAction as F;
        let command = |line: &str, kind| Call::Command { line: line.into(), kind };
        let files = |files: &[(&str, F)]| {
            Call::Files(files.iter().map(|(path, action)| ((*path).to_owned(), *action)).collect())
        };
        let patch = "*** Begin Patch\n*** Update File: a.rs\n@@\n-x\n+y\n*** Add File: b.rs\n+z\n*** Delete File: c.rs\n*** End Patch";
        let table = [
            // pi
            ("bash", json!({"command": "npm test"}), command("npm test", CommandKind::Test)),
            ("edit", json!({"path": "./src/a.rs", "edits": []}), files(&[("src/a.rs", F::Edited)])),
            ("write", json!({"path": "b.md", "content": "x"}), files(&[("b.md", F::Written)])),
            // Claude Code
            ("Bash", json!({"command": "git push", "timeout": 3}), command("git push", CommandKind::Git)),
            ("Edit", json!({"file_path": "/w/a.rs"}), files(&[("/w/a.rs", F::Edited)])),
            ("MultiEdit", json!({"file_path": "/w/a.rs"}), files(&[("/w/a.rs", F::Edited)])),
            ("Write", json!({"file_path": "/w/n.rs"}), files(&[("/w/n.rs", F::Written)])),
            ("NotebookEdit", json!({"notebook_path": "/w/n.ipynb"}), files(&[("/w/n.ipynb", F::Edited)])),
            // Codex
            (
                "command_execution",
                json!({"command": "bash -lc 'cargo build'"}),
                command("cargo build", CommandKind::Build),
            ),
            ("shell", json!({"command": ["sh", "-c", "ls"]}), command("ls", CommandKind::Other)),
            (
                "file_change",
                json!({"changes": [{"path": "a", "kind": "add"}, {"path": "b", "kind": "update"},
                    {"path": "c", "kind": "delete"}, {"path": "d"}, {"kind": "add"}]}),
                files(&[("a", F::Written), ("b", F::Edited), ("c", F::Deleted), ("d", F::Unknown)]),
            ),
            (
                "apply_patch",
                json!({"input": patch}),
                files(&[("a.rs", F::Edited), ("b.rs", F::Written), ("c.rs", F::Deleted)]),
            ),
            // Nothing to show for.
            ("read", json!({"path": "a"}), Call::Other),
            ("edit", json!({}), files(&[])),
            ("edit", json!("x"), files(&[])),
            ("bash", json!(null), command("", CommandKind::Other)),
        ];
        for (tool, arguments, expected) in table {
            assert_eq!(call(tool, arguments.clone()), expected, "{tool} {arguments}");
        }
    }

    #[test]
    fn a_call_costs_no_more_than_its_limits() {
        let many: Vec<_> =
            (0..100).map(|number| json!({"path": format!("f{number}"), "kind": "add"})).collect();
        let Call::Files(files) = call("file_change", json!({"changes": many})) else { panic!("no files") };
        assert_eq!(files.len(), MAX_FILES);
        let Call::Command { line, .. } = call("bash", json!({"command": "x".repeat(100_000)})) else {
            panic!("no command")
        };
        assert_eq!(line.chars().count(), MAX_COMMAND);
    }
}
