//! The command line: what it starts, shows, stops and refuses, and with which exit code.

use crate::support::Board;
use board_protocol::{
    command::{Command, CommandOutcome},
    daemon::{Answer, Request},
    hello::Role,
    ids::SessionId,
    state::{HostState, SemanticState},
};
use host_runner::{client::launching_environment, process};
use serde_json::Value;

#[test]
fn a_session_is_started_seen_and_ends_by_its_own_will() {
    let board = Board::new();
    let good = board.start(&["--name", "good one", "echo it works"]);
    let bad = board.start(&["--", "/bin/sh", "-c", "exit 3"]);
    let killed = board.start(&["kill -9 $$"]);
    let row = board.wait_state(&good, SemanticState::Idle);
    assert_eq!(
        (row.name.as_str(), row.ended.as_deref(), row.unread),
        ("good one", Some("exit code 0"), true)
    );
    let row = board.wait_state(&bad, SemanticState::Failed);
    assert_eq!((row.error.as_deref(), row.host_state), (Some("exit code 3"), HostState::Exited));
    let row = board.wait_state(&killed, SemanticState::Failed);
    assert_eq!(row.ended.as_deref(), Some("signal 9 (SIGKILL)"));
    let screen = board.client(Role::Cli).ask(Request::LastScreen { session: good.clone() }).unwrap();
    assert!(
        matches!(&screen, Answer::Screen { text: Some(text) } if text.contains("it works")),
        "{screen:?}"
    );

    let listed: Value = serde_json::from_str(&board.ok(&["ls", "--json"])).unwrap();
    let first = listed.as_array().unwrap().iter().find(|row| row["id"] == good.0).unwrap();
    for field in [
        "id",
        "name",
        "agent",
        "state",
        "process_state",
        "host_state",
        "busy",
        "summary",
        "question",
        "cwd",
        "pinned",
        "unread",
        "created_at_ms",
        "last_activity_at_ms",
    ] {
        assert!(first.get(field).is_some(), "{field} in {first}");
    }
    assert_eq!((&first["state"], &first["process_state"]), (&"idle".into(), &"exited".into()));
    let compared: Value = serde_json::from_str(&board.ok(&["reconcile", "--json"])).unwrap();
    assert_eq!(compared, serde_json::json!({"compared": 3, "changed": []}), "every row is true already");
    assert_eq!(board.ok(&["reconcile"]), "3 sessions compared, 0 changed");
    let text = board.ok(&["ls"]);
    assert!(text.contains("Needs instructions (1)") && text.contains("Failed (2)"), "{text}");
    let shown: Value = serde_json::from_str(&board.ok(&["show", "good one", "--json"])).unwrap();
    assert_eq!((&shown["id"], &shown["argv"][2]), (&good.0.as_str().into(), &"echo it works".into()));
}

#[test]
fn a_running_session_is_stopped_and_its_row_stays() {
    let board = Board::new();
    let session = board.start(&["--name", "sleeper", "--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    let detail = board.show(&session);
    board.ok(&["stop", &session.0[..6]]);
    let row = board.wait_state(&session, SemanticState::Stopped);
    assert!(!row.unread && !row.busy, "{row:?}");
    let (host, child) = (detail.host.unwrap().process, detail.child.unwrap());
    board.until("host and program are gone", || !process::is_running(host) && !process::is_running(child));
    assert!(board.fails(&["stop", "sleeper"], 1).contains("has ended already"));
    assert!(board.fails(&["interrupt", "sleeper"], 1).contains("does not run"));
    board.ok(&["rm", "sleeper"]);
    board.wait("the row is gone", <[_]>::is_empty);
    assert!(board.fails(&["rm", &session.0], 1).contains("there is no session"));
}

#[test]
fn a_running_row_that_is_removed_is_stopped_first() {
    let board = Board::new();
    // It ends only once it is told, and says that it was.
    let script = format!(
        "trap 'echo told >{}/told; exit' TERM; while :; do sleep 1000 & wait; done",
        board.path().display()
    );
    let session = board.start(&[&script]);
    board.wait_state(&session, SemanticState::Working);
    let said = board.run(&["rm", &session.0]);
    assert!(
        said.status.success() && String::from_utf8_lossy(&said.stderr).contains("still runs"),
        "{said:?}"
    );
    board.wait("the row is gone", <[_]>::is_empty);
    assert!(board.path().join("told").exists());
}

#[test]
fn an_interrupt_is_what_the_program_makes_of_it() {
    let board = Board::new();
    let session = board.start(&["trap 'exit 7' INT; echo up; while :; do sleep 1000 & wait; done"]);
    board.wait_state(&session, SemanticState::Working);
    // The trap may not be set yet; Ctrl+C then ends the shell by the signal. Either way it reached the program.
    board.ok(&["interrupt", &session.0]);
    let row = board.wait_state(&session, SemanticState::Failed);
    assert!(["exit code 7", "signal 2 (SIGINT)"].contains(&row.ended.as_deref().unwrap()), "{row:?}");
}

#[test]
fn what_cannot_be_started_is_refused_before_there_is_a_row() {
    let board = Board::new();
    let table: [(&[&str], i32, &str); 8] = [
        (&["start", ""], 1, "nothing to run"),
        (&["start", "--", "no-such-program"], 1, "on the PATH"),
        (&["start", "--", "./missing"], 1, "no program"),
        (&["start", "--cwd", "/no/such/directory", "true"], 1, "no directory"),
        (&["start", "--agent", "nobody", "true"], 1, "no agent"),
        (&["start", "--name", " ", "true"], 1, "visible character"),
        (&["start", "--size", "big", "true"], 2, "120x36"),
        (&["start"], 2, "nothing to run"),
    ];
    for (arguments, code, words) in table {
        let said = board.fails(arguments, code);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    assert_eq!(board.ok(&["ls", "--json"]), "[]");
}

#[test]
fn names_and_prefixes_must_be_unique() {
    let board = Board::new();
    let one = board.start(&["--name", "twin", "true"]);
    let two = board.start(&["--name", "twin", "true"]);
    let said = board.fails(&["show", "twin"], 1);
    assert!(said.contains(&one.0) && said.contains(&two.0), "{said}");
    assert!(board.ok(&["show", &one.0]).contains("twin"));
    assert!(board.fails(&["show", "zzz"], 1).contains("no session"));
}

// Field report F24: the daemon leaked the environment of whoever started it into every session.
#[test]
fn f24_a_session_sees_the_environment_of_the_shell_that_starts_it() {
    let board = Board::new();
    let started = board.command(&["ls"]).env("FOO", "1").env("ONLY_DAEMON", "yes").output().unwrap();
    assert!(started.status.success());
    let print = "echo \"[$FOO|${ONLY_DAEMON-unset}|${AGENT_BOARD_TOKEN-none}]\"";
    let output = board
        .command(&["start", print])
        .env("FOO", "2")
        .env("AGENT_BOARD_TOKEN", "of another session")
        .output()
        .unwrap();
    let session = SessionId(String::from_utf8(output.stdout).unwrap().trim().to_owned());
    board.wait_state(&session, SemanticState::Idle);
    let screen = board.client(Role::Cli).ask(Request::LastScreen { session: session.clone() }).unwrap();
    let Answer::Screen { text: Some(text) } = screen else { panic!("{screen:?}") };
    assert!(text.contains("[2|unset|"), "{text}");
    assert!(!text.contains("of another session"), "{text}");
    // Decision 12: it is nowhere in the store.
    for entry in std::fs::read_dir(board.root.directory()).unwrap().flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        assert!(
            !bytes
                .windows(20)
                .any(|part| part == b"of another session\0\0" || part == b"ONLY_DAEMON=yes\0\0\0\0\0")
        );
    }
    assert!(board.show(&session).environment_at_ms.is_some());
}

#[test]
fn a_session_has_the_usual_limit_of_open_files() {
    let board = Board::new();
    let ours = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let session = board.start(&["ulimit -Sn"]);
    board.wait_state(&session, SemanticState::Idle);
    let screen = board.client(Role::Cli).ask(Request::LastScreen { session }).unwrap();
    let Answer::Screen { text: Some(text) } = screen else { panic!("{screen:?}") };
    assert_eq!(text.trim(), ours.map_or("unlimited".to_owned(), |limit| limit.to_string()));
}

#[test]
fn an_ended_row_is_run_again_in_place() {
    let board = Board::new();
    let counter = board.path().join("runs");
    let session = board.start(&[&format!("echo run >>{}; exit 4", counter.display())]);
    board.wait_state(&session, SemanticState::Failed);
    let mut client = board.client(Role::Cli);
    let rerun = Command::Rerun { session: session.clone() };
    let outcome = client.command(rerun, Some(launching_environment())).unwrap();
    assert!(
        matches!(outcome, CommandOutcome::Applied { session: ref again, .. } if *again == session),
        "{outcome:?}"
    );
    board
        .until("it ran twice", || std::fs::read_to_string(&counter).unwrap_or_default().lines().count() == 2);
    board.wait_state(&session, SemanticState::Failed);
    assert_eq!(board.wait("one row", |rows| rows.len() == 1).len(), 1);
}

#[test]
fn every_command_about_a_session_obeys_the_root_option() {
    let board = Board::new();
    let session = board.start(&["--name", "here", "echo it works; exec cat"]);
    board.wait_state(&session, SemanticState::Working);
    // The environment names another board.
    let elsewhere = board.path().join("elsewhere");
    let run = |arguments: &[&str]| {
        let root = board.root.directory().to_str().unwrap();
        let arguments: Vec<&str> = ["--root", root].iter().chain(arguments).copied().collect();
        board.command(&arguments).env("AGENT_BOARD_ROOT", &elsewhere).output().unwrap()
    };
    for arguments in [
        &["ls"][..],
        &["show", "here"],
        &["screen", "here"],
        &["screen", "here", "--json"],
        &["stop", "here"],
    ] {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
    board.wait_state(&session, SemanticState::Stopped);
    assert!(run(&["screen", "here"]).status.success());
    assert!(!elsewhere.exists(), "another board was made");
}
