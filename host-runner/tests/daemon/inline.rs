//! `AGENT_BOARD_COORDINATOR=off`: the coordinator works inside the command, and it is the same one.

use crate::support::{Board, end};
use board_protocol::{
    board::Row,
    ids::SessionId,
    state::{HostState, SemanticState},
};
use host_runner::process;
use rustix::process::Signal;
use serde_json::Value;
use std::{collections::BTreeMap, process::Output};

/// How a command of this test is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Daemon,
    Inline,
}

fn run(board: &Board, way: Way, arguments: &[&str]) -> Output {
    let mut command = board.command(arguments);
    if way == Way::Inline {
        command.env("AGENT_BOARD_COORDINATOR", "off");
    }
    command.output().unwrap()
}

fn ok(board: &Board, way: Way, arguments: &[&str]) -> String {
    let output = run(board, way, arguments);
    assert!(output.status.success(), "{way:?} {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn rows(board: &Board, way: Way) -> BTreeMap<String, Row> {
    let rows: Vec<Row> = serde_json::from_str(&ok(board, way, &["ls", "--json"])).unwrap();
    rows.into_iter().map(|row| (row.name.clone(), row)).collect()
}

fn wait(board: &Board, way: Way, name: &str, state: SemanticState) -> Row {
    board.until(&format!("{name} is {state:?}"), || {
        rows(board, way).get(name).is_some_and(|row| row.state == state)
    });
    rows(board, way).remove(name).unwrap()
}

/// What a life left behind: rows without what differs from run to run, facts by session and kind, outcomes.
#[derive(Debug, PartialEq, Eq)]
struct Trace {
    rows: Vec<(String, SemanticState, HostState, Option<String>, bool)>,
    facts: BTreeMap<String, BTreeMap<String, u32>>,
    outcomes: Vec<(String, String)>,
    exits: Vec<Option<i32>>,
}

/// The same commands, one way or the other.
fn life(way: Way) -> Trace {
    let board = Board::new();
    let mut exits = Vec::new();
    ok(&board, way, &["start", "--name", "fails", "exit 3"]);
    ok(&board, way, &["start", "--name", "runs", "--", "sleep", "1000"]);
    ok(&board, way, &["start", "--name", "goes", "exit 0"]);
    wait(&board, way, "fails", SemanticState::Failed);
    wait(&board, way, "runs", SemanticState::Working);
    wait(&board, way, "goes", SemanticState::Idle);
    ok(&board, way, &["rm", "goes"]);
    ok(&board, way, &["stop", "runs"]);
    wait(&board, way, "runs", SemanticState::Stopped);
    for refused in [&["stop", "runs"][..], &["stop", "nobody"], &["start", "--", "/no/such/program"]] {
        exits.push(run(&board, way, refused).status.code());
    }
    let rows = rows(&board, way);
    let names: BTreeMap<SessionId, String> =
        rows.values().map(|row| (row.id.clone(), row.name.clone())).collect();
    let (mut facts, mut outcomes) = (BTreeMap::<_, BTreeMap<String, u32>>::new(), Vec::new());
    for line in ok(&board, way, &["export"]).lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if let Some(fact) = line.get("fact") {
            let session = SessionId(fact["session"].as_str().unwrap().into());
            let name = names.get(&session).cloned().unwrap_or_else(|| "goes".into());
            let kind = match &fact["fact"]["kind"] {
                Value::String(kind) => kind.clone(),
                Value::Object(kind) => kind.keys().next().unwrap().clone(),
                other => panic!("{other}"),
            };
            // Only a socket brings a host to introduce itself.
            if kind != "host_registered" {
                *facts.entry(name).or_default().entry(kind).or_default() += 1;
            }
        } else if let Some(outcome) = line.get("outcome") {
            let result = outcome["outcome"].as_object().unwrap();
            let said = result.get("refused").map_or("applied", |refused| refused["kind"].as_str().unwrap());
            outcomes.push((outcome["command"].as_str().unwrap().to_owned(), said.to_owned()));
        }
    }
    outcomes.sort();
    if way == Way::Inline {
        assert!(!board.root.daemon_socket().exists(), "nobody listens");
        assert!(!board.root.logs().join("daemon.log").exists(), "no daemon was ever started");
    }
    let rows =
        rows.into_values().map(|row| (row.name, row.state, row.host_state, row.ended, row.busy)).collect();
    Trace { rows, facts, outcomes, exits }
}

#[test]
fn i1_a19_without_a_daemon_decisions_journal_and_results_are_the_same() {
    assert_eq!(life(Way::Inline), life(Way::Daemon));
}

#[test]
fn i1_a19_while_a_daemon_has_the_board_it_is_refused() {
    let board = Board::new();
    let session = board.start(&["--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    let output = run(&board, Way::Inline, &["stop", &session.0]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    let pid = board.daemon_process().pid.to_string();
    assert!(said.contains(&pid) && said.contains("Unset that variable"), "{said}");
    assert_eq!(board.show(&session).row.state, SemanticState::Working);
    // What needs a daemon says so, and a daemon is not even started.
    let other = Board::new();
    for arguments in [&["up"][..], &["shutdown", "--kill-hosts"]] {
        let output = run(&other, Way::Inline, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?} {output:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("AGENT_BOARD_COORDINATOR=off"));
    }
    assert!(run(&other, Way::Inline, &["daemon"]).status.success());
    assert!(!other.root.daemon_socket().exists());
}

#[test]
fn i1_a19_a_session_that_was_started_without_a_daemon_is_seen_entered_and_later_adopted() {
    let board = Board::new();
    let session = ok(&board, Way::Inline, &["start", "--name", "one", "echo hello; exec sleep 1000"]);
    wait(&board, Way::Inline, "one", SemanticState::Working);
    board.until("its screen can be read from its host", || {
        ok(&board, Way::Inline, &["screen", "one"]).contains("hello")
    });
    let shown: Value = serde_json::from_str(&ok(&board, Way::Inline, &["show", "one", "--json"])).unwrap();
    let child = shown["child"]["pid"].as_u64().unwrap();
    // The daemon that comes one day finds the same process.
    board.ok(&["ls"]);
    let id = SessionId(session);
    board.until("the host has introduced itself", || board.show(&id).host.is_some());
    let detail = board.show(&id);
    assert_eq!((detail.row.state, detail.row.host_state), (SemanticState::Working, HostState::Alive));
    assert_eq!(u64::from(detail.child.unwrap().pid), child);
    // And the other way round: the daemon is gone, the session ends by a command alone.
    let host = detail.host.unwrap().process;
    std::fs::write(board.root.shutdown_marker(), "").unwrap();
    end(board.daemon_process(), Signal::KILL);
    ok(&board, Way::Inline, &["rm", "one"]);
    assert_eq!(ok(&board, Way::Inline, &["ls", "--json"]), "[]");
    assert!(!process::is_running(host) && !process::is_running(detail.child.unwrap()));
}

// Reference I.5 A9: whoever is not the one coordinator cannot write, and is told so.
#[test]
fn i5_a9_two_commands_at_once_take_turns_or_are_refused_and_none_is_half_done() {
    let board = Board::new();
    let children: Vec<_> = (0..6)
        .map(|n| {
            let mut command = board.command(&["start", "--name", &format!("s{n}"), "exit 0"]);
            command.env("AGENT_BOARD_COORDINATOR", "off").stdout(std::process::Stdio::null());
            command.stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    let done: Vec<Option<i32>> = children.into_iter().map(|mut child| child.wait().unwrap().code()).collect();
    assert!(done.iter().all(|code| matches!(code, Some(0 | 1))), "{done:?}");
    let started = done.iter().filter(|code| **code == Some(0)).count();
    assert_eq!(rows(&board, Way::Inline).len(), started);
    assert!(started > 0);
}
