//! The settings of a session of Claude Code: one file with our hooks, passed with `--settings` for that run only.
//!
//! Claude Code adds its hooks to those of the person's own settings, of the project and of the organisation; none of
//! these is written or replaced (measured with 2.1.197).

use crate::agents::{
    launching::{Installed, install},
    terminals::{AgentTerminals, claude_config},
};
use serde_json::{Value, json};
use std::{io, path::Path};

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

/// Writes the settings below `root` (the board's), for `--settings`, and what tells of terminals, for `--mcp-config`. Claude
/// Code reads a file of settings again when it changes, and a running session must not get the hooks of another build.
///
/// # Errors
/// A file cannot be written.
pub(in crate::agents) fn install_files(
    root: &Path,
    runner: &Path,
    told: AgentTerminals,
) -> io::Result<Installed> {
    let (name, servers) = ("settings.json", "mcp.json");
    let files = [(name, settings(runner)), (servers, claude_config(runner))];
    let directory = install(root, super::NAME, &files.each_ref().map(|(name, text)| (*name, text.as_str())))?;
    Ok(Installed {
        loaded: directory.join(name),
        terminals: (told == AgentTerminals::On).then(|| directory.join(servers)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command};

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

    fn install_settings(root: &Path, runner: &Path) -> PathBuf {
        install_files(root, runner, AgentTerminals::Off).unwrap().loaded
    }

    #[test]
    fn terminals_are_told_of_in_a_file_of_their_own_unless_they_are_off() {
        let root = tempfile::tempdir().unwrap();
        let runner = Path::new("/bin/host-runner");
        let on = install_files(root.path(), runner, AgentTerminals::On).unwrap();
        assert_eq!(fs::read_to_string(on.terminals.unwrap()).unwrap(), claude_config(runner));
        assert!(install_files(root.path(), runner, AgentTerminals::Off).unwrap().terminals.is_none());
    }

    #[test]
    fn the_file_is_private_written_once_and_mended() {
        let root = tempfile::tempdir().unwrap();
        let runner = Path::new("/bin/host-runner");
        let path = install_settings(root.path(), runner);
        assert_eq!(install_settings(root.path(), runner), path);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&path, "broken").unwrap();
        install_settings(root.path(), runner);
        assert_eq!(fs::read_to_string(&path).unwrap(), settings(runner));
        let other = install_settings(root.path(), Path::new("/bin/other"));
        assert_ne!(other, path, "another build does not change what a running session reads");
    }
}
