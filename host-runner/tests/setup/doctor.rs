//! The doctor as people run it: on homes in every condition, beside a daemon and without one.

use crate::home::Home;
use serde_json::Value;
use std::{
    collections::BTreeMap, fs, os::unix::fs::PermissionsExt, os::unix::net::UnixListener, path::PathBuf,
};

/// Runs it; gives its report and its exit code.
fn doctor(home: &Home) -> (Value, i32) {
    let output = home.run(&["doctor", "--json"]);
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (report, output.status.code().unwrap())
}

/// The findings of one check.
fn of<'a>(report: &'a Value, name: &str) -> Vec<&'a Value> {
    report["findings"].as_array().unwrap().iter().filter(|finding| finding["name"] == name).collect()
}

fn only<'a>(report: &'a Value, name: &str) -> (&'a str, &'a str) {
    let [finding] = of(report, name)[..] else { panic!("{name}: {report:#}") };
    (finding["status"].as_str().unwrap(), finding["found"].as_str().unwrap())
}

/// A home in which nothing fails: a zellij, and a plugin that may stand for the one of this build.
fn healthy() -> Home {
    let home = Home::new();
    home.program("zellij", "echo zellij 0.45.1");
    home
}

/// Every file below a directory with its bytes, rights and age.
fn everything(directory: PathBuf) -> BTreeMap<PathBuf, (u32, std::time::SystemTime, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory];
    while let Some(next) = open.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for entry in entries.flatten() {
            let meta = entry.metadata().unwrap();
            if meta.is_dir() {
                open.push(entry.path());
            }
            let bytes = if meta.is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
            found.insert(entry.path(), (meta.permissions().mode(), meta.modified().unwrap(), bytes));
        }
    }
    found
}

#[test]
fn it_changes_nothing_and_starts_no_daemon() {
    let home = healthy();
    let before = everything(home.path(""));
    let (report, _) = doctor(&home);
    assert_eq!(everything(home.path("")), before);
    assert_eq!(only(&report, "root").0, "ok");
    assert!(only(&report, "root").1.contains("does not exist yet"));
    assert!(!home.path("root").exists());
    // A board with a store and a daemon that was shut down.
    home.text(&["ls"]);
    home.text(&["shutdown"]);
    let before = everything(home.path(""));
    let (report, _) = doctor(&home);
    assert_eq!(everything(home.path("")), before);
    assert!(only(&report, "daemon").1.contains("shut down by a person"), "{report:#}");
    assert_eq!(only(&report, "store").0, "ok");
    assert_eq!(only(&report, "strays").0, "unknown");
}

#[test]
fn beside_a_daemon_every_part_of_the_board_is_well() {
    let home = healthy();
    home.text(&["ls"]);
    let (report, _) = doctor(&home);
    for name in
        ["zellij", "zellij server", "root", "file system", "sockets", "store", "daemon", "strays", "link"]
            .into_iter()
            .chain(["configuration", "spool", "dead sockets", "dead locks", "damaged stores"])
    {
        assert_eq!(only(&report, name).0, "ok", "{name}: {report:#}");
    }
    assert!(only(&report, "daemon").1.contains(env!("CARGO_PKG_VERSION")));
    assert!(only(&report, "store").1.contains("0 sessions"));
    // People read the same, a line a finding.
    let text = String::from_utf8(home.run(&["doctor"]).stdout).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("      ")).count();
    assert_eq!(lines, report["findings"].as_array().unwrap().len(), "{text}");
}

#[test]
fn everything_but_ok_says_what_to_do_and_only_a_failure_is_an_exit_code() {
    let home = Home::new();
    home.program("zellij", "echo zellij 0.44.3");
    home.configure("x = 1");
    let (report, code) = doctor(&home);
    let (status, found) = only(&report, "zellij");
    assert_eq!(status, "fail");
    assert!(found.contains("0.44.3") && found.contains("cargo install"), "{found}");
    assert_eq!(code, 1);
    let failed = report["findings"].as_array().unwrap().iter().filter(|finding| finding["status"] == "fail");
    assert_eq!(report["failed"].as_u64().unwrap() as usize, failed.count());
    for finding in report["findings"].as_array().unwrap() {
        let does = finding["advice"].is_string() || matches!(finding["status"].as_str(), Some("ok" | "fail"));
        assert!(does, "{finding:#}");
    }
}

#[test]
fn a_setting_can_name_any_zellij() {
    let home = Home::new();
    home.program("other", "echo zellij 0.46.0");
    home.configure(&format!("zellij = \"{}\"", home.path("bin/other").display()));
    let (report, _) = doctor(&home);
    let (status, found) = only(&report, "zellij");
    assert_eq!(status, "warn");
    assert!(found.contains("0.46.0"), "{found}");
}

#[test]
fn agents_are_found_with_their_versions_and_one_that_hangs_costs_only_itself() {
    let home = healthy();
    home.program("pi", "echo 0.73.1");
    home.program("claude", "echo '2.1.197 (Claude Code)'");
    home.program("codex", "echo codex-cli 0.63.0");
    home.program("opencode", "sleep 1000 & exec sleep 1000");
    let (report, _) = doctor(&home);
    assert_eq!(only(&report, "agent pi").0, "ok");
    assert!(only(&report, "agent pi").1.starts_with("0.73.1 ("));
    assert!(only(&report, "agent claude").1.starts_with("2.1.197 ("));
    assert_eq!(only(&report, "agent codex").0, "ok");
    assert!(only(&report, "agent codex").1.starts_with("0.63.0 ("));
    assert_eq!(only(&report, "agent opencode").0, "unknown");
    assert!(only(&report, "agent opencode").1.contains("within 5 s"));
    home.program("codex", "echo codex-cli 0.46.0");
    home.program("opencode", "exit 3");
    home.program("pi", "echo 0.50.0");
    home.program("claude", "echo '2.0.1 (Claude Code)'");
    let (report, _) = doctor(&home);
    assert_eq!(only(&report, "agent claude").0, "warn");
    assert!(only(&report, "agent claude").1.contains("too old"), "{report:#}");
    assert_eq!(only(&report, "agent codex").0, "warn");
    assert!(only(&report, "agent codex").1.contains("too old"), "{report:#}");
    assert_eq!(only(&report, "agent opencode").0, "unknown");
    assert_eq!(only(&report, "agent pi").0, "warn");
    assert!(only(&report, "agent pi").1.contains("too old"), "{report:#}");
}

#[test]
fn rights_owner_and_machine_of_the_root_are_looked_at() {
    let home = healthy();
    home.text(&["ls"]);
    home.text(&["shutdown"]);
    fs::set_permissions(home.path("root"), fs::Permissions::from_mode(0o755)).unwrap();
    let (report, _) = doctor(&home);
    assert_eq!(only(&report, "root").0, "warn");
    assert!(of(&report, "root")[0]["advice"].as_str().unwrap().contains("chmod 700"));
    fs::write(home.path("root/machine"), "elsewhere").unwrap();
    let (report, code) = doctor(&home);
    assert_eq!((only(&report, "root").0, code), ("fail", 1));
    assert!(only(&report, "root").1.contains("another machine"));
    fs::write(home.path("file"), "").unwrap();
    let output = home.runner(&["doctor", "--root", home.path("file").to_str().unwrap()]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("FAIL  root"), "{output:?}");
}

// Field report F11: a damaged store is said, and the check itself writes nothing.
#[test]
fn f11_a_damaged_or_newer_store_fails_and_is_not_touched() {
    let home = healthy();
    home.text(&["ls"]);
    home.text(&["shutdown"]);
    let path = home.path("root/board.db");
    let whole = fs::read(&path).unwrap();
    let mut newer = whole.clone();
    // SQLite keeps `user_version` in bytes 60 to 63 of the header.
    newer[60..64].copy_from_slice(&9999_u32.to_be_bytes());
    for (bytes, words) in [
        (b"no database, and long enough to be none".to_vec(), "not a database"),
        (newer, "newer host-runner"),
    ] {
        fs::write(&path, &bytes).unwrap();
        let (report, code) = doctor(&home);
        let (status, found) = only(&report, "store");
        assert_eq!((status, code), ("fail", 1));
        assert!(found.contains(words), "{found}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn what_was_left_behind_is_named_with_the_command_that_removes_it() {
    let home = healthy();
    home.text(&["ls"]);
    let run = home.path("root/run");
    let alive = run.join("0000000001.aaaaaaaa.sock");
    let dead = run.join("0000000002.bbbbbbbb.sock");
    let _listener = UnixListener::bind(&alive).unwrap();
    drop(UnixListener::bind(&dead).unwrap());
    fs::write(run.join("link-1.lock"), "4194304 7").unwrap();
    fs::write(home.path("root/board.db.damaged-1"), "").unwrap();
    let (report, _) = doctor(&home);
    for (name, file) in [
        ("dead sockets", dead.to_str().unwrap()),
        ("dead locks", "link-1.lock"),
        ("damaged stores", "board.db.damaged-1"),
    ] {
        let [finding] = of(&report, name)[..] else { panic!("{name}") };
        assert_eq!(finding["status"], "warn", "{finding:#}");
        let advice = finding["advice"].as_str().unwrap();
        assert!(advice.contains("rm ") && advice.contains(file), "{advice}");
        assert!(!advice.contains("0000000001"), "{advice}");
    }
}

#[test]
fn a_process_that_left_its_session_is_listed_with_its_pid() {
    let home = healthy();
    // It says so itself once it has its own session, and its parent is gone before the shell goes on.
    let script = "(setsid sh -c 'echo left; exec sleep 1000' & ); echo ready; exec sleep 1000";
    let id = home.text(&["start", "--", "/bin/sh", "-c", script]);
    let id = id.trim();
    for words in ["left", "ready"] {
        home.screen_with(id, words);
    }
    home.text(&["stop", id]);
    let detail = home.ended(id);
    let strays = detail["stray_processes"].as_array().unwrap();
    let (report, _) = doctor(&home);
    let (status, found) = only(&report, "strays");
    let Some(stray) = strays.first() else { panic!("no stray: {detail:#}") };
    let pid = stray["process"]["pid"].as_i64().unwrap();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(pid as i32).unwrap(),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    assert_eq!(status, "warn", "{report:#}");
    assert!(found.contains(&pid.to_string()) && found.contains("sleep 1000"), "{found}");
}
