//! `.ci/again`: which failures get a second attempt, and that nothing is hidden by one. What cargo prints is played.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

/// Plays `cargo test`: the first call prints a file and fails, the later ones do what stands in another one.
const CARGO: &str =
    "#!/bin/sh\ncase \"$*\" in *--exact*) . \"$0.second\" ;; *) cat \"$0.first\"; exit 101 ;; esac\n";
const PASSES: &str = "echo 'test result: ok. 1 passed; 0 failed; 0 ignored'";
const FAILS: &str = "echo 'test result: FAILED. 0 passed; 1 failed; 0 ignored'; exit 101";
const FINDS_NOTHING: &str = "echo 'test result: ok. 0 passed; 0 failed; 0 ignored'";

/// What cargo prints of a target of which these tests failed.
fn target(name: &str, failed: &[&str]) -> String {
    let told: String =
        failed.iter().map(|test| format!("---- {test} stdout ----\n{test} said this\n\n")).collect();
    let names: String = failed.iter().map(|test| format!("    {test}\n")).collect();
    format!(
        "     Running tests/{name}.rs (target/debug/deps/{name}-0123456789abcdef)\n\nrunning 9 tests\n\nfailures:\n\n\
         {told}\nfailures:\n{names}\ntest result: FAILED. 5 passed; {} failed; 0 ignored\n\n",
        failed.len()
    )
}

/// What cargo says at the end.
fn end(targets: &[&str]) -> String {
    let lines: String = targets.iter().map(|target| format!("    `{target}`\n")).collect();
    let noun = if targets.len() == 1 { "target" } else { "targets" };
    format!("error: {} {noun} failed:\n{lines}", targets.len())
}

fn again(first: &str, second: &str) -> (bool, String) {
    let directory = tempfile::tempdir().unwrap();
    let cargo = directory.path().join("cargo");
    fs::write(directory.path().join("cargo.first"), first).unwrap();
    fs::write(directory.path().join("cargo.second"), second).unwrap();
    fs::write(&cargo, CARGO).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(".ci/again");
    // By the shell: a file that was just written cannot be run while another test forks.
    let Output { status, stdout, stderr } = Command::new(script).arg("sh").arg(&cargo).output().unwrap();
    let said = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
    assert!(status.success() || status.code() == Some(101), "{status}: {said}");
    (status.success(), said)
}

#[test]
fn a_few_tests_of_whole_processes_may_pass_the_second_time_and_are_told() {
    let first = target("board", &["flow1::up", "flow2::start"])
        + &target("daemon", &["recovery::replay"])
        + &end(&["-p e2e --test board", "-p host-runner --test daemon"]);
    let (passed, said) = again(&first, PASSES);
    assert!(passed, "{said}");
    let (run, told) = said.split_once("needed a second attempt").unwrap();
    assert!(run.starts_with(&first), "all of what cargo said, its closing lines too: {run}");
    for test in ["flow1::up", "flow2::start", "recovery::replay"] {
        assert!(told.contains(&format!("{test} said this")), "{told}");
    }
}

#[test]
fn who_fails_twice_or_is_not_found_has_failed() {
    let first = target("board", &["flow1::up"]) + &end(&["-p e2e --test board"]);
    for second in [FAILS, FINDS_NOTHING] {
        let (passed, said) = again(&first, second);
        assert!(!passed && said.contains("Failed twice: flow1::up of board"), "{said}");
    }
}

#[test]
fn nothing_else_gets_a_second_attempt() {
    let board = target("board", &["flow1::up"]);
    let on_board = "-p e2e --test board";
    for (first, why) in [
        ("error: could not compile `e2e` (test \"pi\")\n".to_owned(), "the run as a whole"),
        (
            board.clone() + &target("host_runner", &["model::x"]) + &end(&[on_board, "-p host-runner --lib"]),
            "--lib",
        ),
        (target("tidy", &["length"]) + &end(&["-p host-runner --test tidy"]), "--test tidy"),
        (target("board", &["a", "b", "c", "d"]) + &end(&[on_board]), "4 tests failed; 3 may"),
        (target("daemon", &["kills::chance"]) + &end(&["-p host-runner --test daemon"]), "by chance"),
        // A test program that crashed has no result.
        (end(&[on_board]), "cannot be read for certain"),
        (board.clone() + &end(&[on_board, "-p e2e --test pi"]), "cannot be read for certain"),
        (board.replace("1 failed", "2 failed") + &end(&[on_board]), "cannot be read for certain"),
    ] {
        let (passed, said) = again(&first, PASSES);
        assert!(!passed && said.contains("No second attempt") && said.contains(why), "{why}: {said}");
    }
}
