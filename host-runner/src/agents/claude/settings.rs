//! The settings of a session of Claude Code: one file with our hooks, passed with `--settings` for that run only.
//!
//! Claude Code adds its hooks to those of the person's own settings, of the project and of the organisation; none of
//! these is written or replaced (measured with 2.1.197).

use crate::agents::launching::install;
use serde_json::{Value, json};
use std::{
    io,
    path::{Path, PathBuf},
};

/// What Claude Code shall tell us. `PreCompact` and what follows are seconds of silence that would look like none.
pub const EVENTS: [&str; 17] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "PermissionDenied",
    "Notification",
    "Elicitation",
    "ElicitationResult",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
];
/// How long Claude Code waits for one of our hooks, in seconds. A hook itself gives up after 200 ms; the rest is for a
/// machine that is slow to start a process.
const TIMEOUT_S: u32 = 5;

/// The settings, with `runner` as the program that each hook runs.
///
/// A hook that Claude Code could take for a refusal (exit code 2) or for words (standard output) would change what the
/// agent does. Ours never does either, and the shell sees to it even where our program is gone.
pub fn settings(runner: &Path) -> String {
    let command = format!("{} hook {} 2>/dev/null || :", quoted(&runner.to_string_lossy()), super::NAME);
    let hooks: serde_json::Map<String, Value> = EVENTS
        .iter()
        .map(|event| {
            let hook = json!({"type": "command", "command": command, "timeout": TIMEOUT_S});
            ((*event).to_owned(), json!([{"hooks": [hook]}]))
        })
        .collect();
    json!({ "hooks": hooks }).to_string()
}

/// One word for the shell that runs hooks.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Writes the settings below `root` (the board's) and returns the path for `--settings`. Claude Code reads a file of
/// settings again when it changes, and a running session must not get the hooks of another build.
///
/// # Errors
/// The file cannot be written.
pub fn install_settings(root: &Path, runner: &Path) -> io::Result<PathBuf> {
    let name = "settings.json";
    Ok(install(root, super::NAME, &[(name, &settings(runner))])?.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt, process::Command};

    #[test]
    fn every_event_runs_one_quick_hook() {
        let read: Value = serde_json::from_str(&settings(Path::new("/opt/b'r/host runner"))).unwrap();
        for event in EVENTS {
            let hook = &read["hooks"][event][0]["hooks"][0];
            assert_eq!((&hook["type"], &hook["timeout"]), (&json!("command"), &json!(5)), "{event}");
            assert_eq!(hook["command"], r"'/opt/b'\''r/host runner' hook claude 2>/dev/null || :", "{event}");
        }
        assert_eq!(read["hooks"].as_object().unwrap().len(), EVENTS.len());
    }

    // Field report J3: a hook that failed, or printed, changed what the agent did.
    #[test]
    fn j3_a_hook_whose_program_is_gone_or_fails_is_silent_and_succeeds() {
        for program in ["/nowhere/host-runner", "/bin/false"] {
            let read: Value = serde_json::from_str(&settings(Path::new(program))).unwrap();
            let command = read["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
            let output = Command::new("/bin/sh").arg("-c").arg(command).output().unwrap();
            assert!(
                output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
                "{output:?}"
            );
        }
    }

    #[test]
    fn the_file_is_private_written_once_and_mended() {
        let root = tempfile::tempdir().unwrap();
        let runner = Path::new("/bin/host-runner");
        let path = install_settings(root.path(), runner).unwrap();
        assert_eq!(install_settings(root.path(), runner).unwrap(), path);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&path, "broken").unwrap();
        install_settings(root.path(), runner).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), settings(runner));
        let other = install_settings(root.path(), Path::new("/bin/other")).unwrap();
        assert_ne!(other, path, "another build does not change what a running session reads");
    }
}
