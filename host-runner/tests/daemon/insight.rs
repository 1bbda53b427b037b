//! What a person and a script can ask about sessions: waiting for one, its diagnostics, its labels, the filter.

use crate::support::{Board, end, until};
use board_protocol::{
    daemon::{Answer, Request},
    hello::Role,
    state::SemanticState,
};
use rustix::process::Signal;
use serde_json::Value;
use std::process::{Child, Stdio};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn waiting(board: &Board, arguments: &[&str]) -> Child {
    let arguments: Vec<&str> = ["wait"].iter().chain(arguments).copied().collect();
    board.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn waiting_for_what_is_there_already_returns_at_once() {
    let board = Board::new();
    let (one, two) = (board.start(&["--name", "one", "exit 0"]), board.start(&["--name", "two", "exit 2"]));
    board.wait_state(&one, SemanticState::Idle);
    board.wait_state(&two, SemanticState::Failed);
    let rows = json(&board.ok(&["wait", "one", &two.0, "one", "--until", "idle,failed", "--json"]));
    let states: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["idle", "failed"], "each once, as named");
    let text = board.ok(&["wait", "one", "--until", "needs-instructions"]);
    assert!(text.contains(&one.0) && text.contains("Needs instructions"), "{text}");
    // What does not come in time is told with what it is instead.
    let said = board.fails(&["wait", "one", "two", "--until", "failed", "--timeout", "10ms"], 4);
    assert!(said.contains("one") && said.contains("Needs instructions") && !said.contains("(two)"), "{said}");
    board.fails(&["wait", "one", "--until", "needs"], 2);
    board.fails(&["wait", "one"], 2);
    board.fails(&["wait", "nobody", "--until", "idle"], 1);
}

#[test]
fn a_wait_goes_on_with_the_next_daemon_and_ends_with_its_session() {
    let board = Board::new();
    let gate = board.path().join("gate");
    let session = board.start(&[&format!("until [ -e {} ]; do sleep 0.01; done; exit 6", gate.display())]);
    let other = board.start(&["--name", "other", "--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    board.wait_state(&other, SemanticState::Working);
    let failed = waiting(&board, &[&session.0, "--until", "failed", "--json"]);
    let gone = waiting(&board, &["other", "--until", "failed"]);
    let daemon = board.daemon_process();
    end(daemon, Signal::KILL);
    board.wait_successor(daemon);
    std::fs::write(&gate, "").unwrap();
    let output = failed.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(json(&String::from_utf8_lossy(&output.stdout))[0]["state"], "failed");
    board.ok(&["rm", "other"]);
    let output = gone.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn labels_are_given_on_the_command_line() {
    let board = Board::new();
    let session = board.start(&["--name", "one", "exit 0"]);
    let row = board.wait_state(&session, SemanticState::Idle);
    assert!(row.unread, "{row:?}");
    assert_eq!(json(&board.ok(&["visit", "one", "--json"]))["session"], session.0.as_str());
    assert!(!board.show(&session).row.unread);
    board.ok(&["visit", "one", "--unread"]);
    assert!(board.show(&session).row.unread);
    board.ok(&["pin", "one"]);
    assert!(board.show(&session).row.pinned);
    board.ok(&["pin", "one", "--off", "--json"]);
    assert!(!board.show(&session).row.pinned);
    board.ok(&["tag", "one", "+later", "p1", "-nothing", "--json"]);
    board.ok(&["tag", "one", "-p1"]);
    assert_eq!(board.show(&session).row.tags, ["later"]);
    assert_eq!(board.ok(&["tag", "one"]), "later");
    assert_eq!(json(&board.ok(&["tag", "one", "--json"])), serde_json::json!(["later"]));
    board.ok(&["rename", "one", "another name"]);
    assert_eq!(board.show(&session).row.name, "another name");
    board.fails(&["rename", "one", "x"], 1);
    board.fails(&["rename", "another name", " "], 1);
    board.fails(&["tag", "another name", "--wrong"], 2);
}

#[test]
fn the_list_shows_what_fits() {
    let board = Board::new();
    let one = board.start(&["--name", "one", "exit 0"]);
    let two = board.start(&["--name", "two", "exit 2"]);
    board.wait_state(&one, SemanticState::Idle);
    board.wait_state(&two, SemanticState::Failed);
    board.ok(&["tag", "one", "keep"]);
    let names = |arguments: &[&str]| {
        let arguments: Vec<&str> = ["ls"].iter().chain(arguments).copied().chain(["--json"]).collect();
        let rows = json(&board.ok(&arguments));
        rows.as_array()
            .unwrap()
            .iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&["s:failed"]), ["two"]);
    assert_eq!(names(&["-s:failed"]), ["one"]);
    assert_eq!(names(&["#keep", "s:needs"]), ["one"]);
    assert_eq!(names(&["-#keep"]), ["two"]);
    assert_eq!(names(&["on"]), ["one"]);
    assert!(names(&["nowhere"]).is_empty());
    let text = board.ok(&["ls", "-s:needs"]);
    assert!(text.contains("Failed (1)") && !text.contains("Needs instructions"), "{text}");
    board.fails(&["ls", "--wrong"], 2);
}

// An event that nobody knows leaves a diagnostic: `log` and `show` read the same ones, also after the daemon was killed.
#[test]
fn diagnostics_are_read_after_a_crash_and_cleared() {
    let board = Board::new();
    // The generic agent reports nothing, so every event of its session is one that is not read.
    let session = board.start(&[
        "--name",
        "one",
        "--",
        "/bin/sh",
        "-c",
        &format!(
            "echo '{{\"api_key\":\"sk-1\"}}' | {} hook generic; exec sleep 1000",
            env!("CARGO_BIN_EXE_host-runner")
        ),
    ]);
    let logged = || match board.client(Role::Cli).ask(Request::Log { session: session.0.clone(), limit: 50 })
    {
        Ok(Answer::Log(lines)) => lines,
        other => panic!("{other:?}"),
    };
    until("the event was noted", || !logged().is_empty());
    let lines = json(&board.ok(&["log", "one", "--json"]));
    assert_eq!((&lines[0]["code"], &lines[0]["level"]), (&"unread_event".into(), &"warn".into()), "{lines}");
    let daemon = board.daemon_process();
    end(daemon, Signal::KILL);
    board.wait_successor(daemon);
    let text = board.ok(&["log", "one", "--limit", "1"]);
    assert!(text.contains("warn") && text.contains("agent unread_event"), "{text}");
    let shown = json(&board.ok(&["show", "one", "--json"]));
    assert_eq!(shown["agent_detail"]["diagnostics"][0]["code"], "unread_event", "{shown}");
    board.ok(&["log", "one", "--clear"]);
    assert_eq!(board.ok(&["log", "one"]), "");
    assert!(board.show(&session).agent.diagnostics.is_empty());
    board.fails(&["log", "nobody"], 1);
}
