//! Settings as people use them: file and environment in, and what commands, daemon and hosts make of them.

use crate::home::Home;
use std::{
    io::Write,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

fn setting<'a>(config: &'a serde_json::Value, key: &str) -> &'a serde_json::Value {
    config["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == key).unwrap()
}

#[test]
fn config_prints_values_with_their_sources_and_the_path_of_the_file() {
    let home = Home::new();
    let path = home.text(&["config", "--path"]);
    assert_eq!(path.trim(), home.path("config/agent-board/config.toml").to_str().unwrap());
    home.configure("history_lines = 7\nlayout = \"dev\"\n");
    let output =
        home.runner(&["config", "--json"]).env("AGENT_BOARD_LAYOUT", "agent-board-side").output().unwrap();
    let config: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for (key, value, source) in [
        ("history_lines", serde_json::json!(7), "file"),
        ("layout", serde_json::json!("agent-board-side"), "environment"),
        ("size", serde_json::json!("120x36"), "default"),
    ] {
        let setting = setting(&config, key);
        assert_eq!((&setting["value"], setting["source"].as_str().unwrap()), (&value, source), "{key}");
        assert!(setting["meaning"].as_str().unwrap().ends_with('.'));
    }
    assert!(config["warnings"].as_array().unwrap().is_empty());
    assert!(home.text(&["config"]).contains("\nhistory_lines = 7  # file\n"));
    // Reading settings makes no board.
    assert!(!home.path("root").exists());
}

#[test]
fn what_is_wrong_with_the_file_stands_on_the_board_and_starts_all_the_same() {
    let home = Home::new();
    home.configure("colour = 1\nhistory_lines = 99999999\n");
    let listed = home.run(&["ls"]);
    assert!(listed.status.success());
    let warned = String::from_utf8(listed.stderr).unwrap();
    assert!(warned.contains("no setting \"colour\""), "{warned}");
    assert!(warned.contains("history_lines") && warned.contains("20000 is used"), "{warned}");
    let doctor = home.run(&["doctor"]);
    let found = String::from_utf8(doctor.stdout).unwrap();
    let lines = found.lines().filter(|line| line.starts_with("warn  configuration")).count();
    assert_eq!(lines, 2, "{found}");
    assert!(!found.contains("warn  board"), "said once, not twice: {found}");
}

#[test]
fn a_session_gets_the_configured_size_shell_and_history() {
    let home = Home::new();
    home.program("myshell", "echo \"shell $1\"; stty size; seq 1 100; exec sleep 1000");
    let shell = home.path("bin/myshell");
    home.configure(&format!("size = \"50x10\"\nhistory_lines = 3\nshell = \"{}\"\n", shell.display()));
    let id = home.text(&["start", "anything"]);
    let id = id.trim();
    let shown = home.screen_with(id, "100");
    // Ten rows, the last of them the empty one below 100, and three lines of history.
    assert_eq!(shown.lines().next(), Some("89"), "{shown}");

    // The same again with more history shows what scrolled away.
    home.configure(&format!("size = \"50x10\"\nshell = \"{}\"\n", shell.display()));
    home.text(&["shutdown"]);
    let id = home.text(&["start", "anything"]);
    let id = id.trim();
    let shown = home.screen_with(id, "100");
    assert!(shown.contains("shell -c\n10 50\n1\n2\n"), "{shown}");
}

/// How often a stop is measured: what else the machine does can only make one longer.
const STOPS: usize = 5;
/// Shorter than the default, which is four seconds.
const SHORTER_THAN_THE_DEFAULT: Duration = Duration::from_millis(3_500);

#[test]
fn a_stop_waits_as_long_as_is_configured() {
    let home = Home::new();
    home.configure("stop_grace_ms = 0\n");
    let stubborn = ["start", "--", "/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1000; done"];
    let mut took = (0..STOPS).map(|_| {
        let id = home.text(&stubborn);
        let id = id.trim();
        home.screen_with(id, "ready");
        let asked = Instant::now();
        home.text(&["stop", id]);
        home.ended(id);
        asked.elapsed()
    });
    assert!(took.any(|took| took < SHORTER_THAN_THE_DEFAULT));
}

#[test]
fn every_shell_gets_a_script_and_bash_can_read_its_own() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = home.text(&["completions", shell]);
        for word in ["host-runner", "doctor", "completions", "interrupt"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    let script = home.text(&["completions", "bash"]);
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
    assert_eq!(home.run(&["completions", "tcsh"]).status.code(), Some(2));
}
