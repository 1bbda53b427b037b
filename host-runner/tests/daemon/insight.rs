//! What a person and a script can ask about sessions: waiting for one, its diagnostics, its labels, the filter.

use crate::support::{Board, end};
use board_protocol::{
    board::Row,
    daemon::{Answer, Request},
    hello::Role,
    ids::SessionId,
    state::SemanticState,
};
use host_runner::wire::Connection;
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

#[test]
fn a_state_explains_itself() {
    let board = Board::new();
    let session = board.start(&["--name", "one", "exit 3"]);
    board.wait_state(&session, SemanticState::Failed);
    let daemon = board.daemon_process();
    end(daemon, Signal::KILL);
    let explained = json(&board.ok(&["explain", "one", "--json"]));
    let changes = explained["changes"].as_array().unwrap();
    let states: Vec<_> = changes.iter().map(|change| change["to"].as_str().unwrap()).collect();
    assert_eq!(states, ["queued", "working", "failed"], "{explained:#}");
    assert_eq!(changes[2]["event"], "process exit: exit code 3");
    assert!(changes.iter().all(|change| change["at_ms"].as_u64() > Some(0) && change["rule"] != ""));
    assert_eq!(explained["evidence"][0]["source"], "process exit");
    let text = board.ok(&["explain", &session.0]);
    assert!(
        text.contains("one") && text.contains("is Failed since") && text.contains("Running -> Failed"),
        "{text}"
    );
    board.fails(&["explain", "nobody"], 1);
}

// Field report A4, with the clock and the tick of a real daemon.
#[test]
fn a4_a_silent_session_says_so_on_its_row_and_in_its_log_and_stays_running() {
    let board = Board::new();
    let mut daemon = board.command(&["daemon"]);
    let mut daemon = daemon.env("AGENT_BOARD_STALLED_AFTER", "1").stderr(Stdio::null()).spawn().unwrap();
    let gate = board.path().join("gate");
    // A command would start one of its own, without the setting.
    board.until("the daemon serves", || Connection::connect(&board.root.daemon_socket()).is_ok());
    let silent = format!("until [ -e {} ]; do sleep 0.01; done; echo again; exec sleep 1000", gate.display());
    let session = board.start(&["--name", "silent", &silent]);
    let stalled =
        |rows: &[Row]| rows.iter().find(|row| row.id == session).is_some_and(|row| row.stalled_ms.is_some());
    let rows = board.wait("its row says that it is silent", stalled);
    assert_eq!(rows[0].state, SemanticState::Working);
    let text = board.ok(&["ls", "diag:stalled"]);
    assert!(text.contains("Running (1)") && text.contains("stalled "), "{text}");
    std::fs::write(&gate, "").unwrap();
    board.until("it is noted that it moved", || {
        board.ok(&["log", "silent"]).contains("provider_stall_resolved")
    });
    let lines = board.ok(&["log", "silent"]);
    assert!(lines.lines().next().is_some_and(|line| line.contains("service provider_stall:")), "{lines}");
    board.ok(&["shutdown", "--kill-hosts"]);
    daemon.wait().unwrap();
}

// Every command that people's scripts use answers in JSON where it is asked to, and in nothing else.
#[test]
fn every_command_that_takes_json_prints_json() {
    let board = Board::new();
    let working = board.start(&["--name", "working", "exec sleep 1000"]);
    let ended = board.start(&["--name", "ended", "exit 0"]);
    board.wait_state(&working, SemanticState::Working);
    board.wait_state(&ended, SemanticState::Idle);
    let run = |arguments: &[&str]| {
        let text = board.ok(arguments);
        // JSON lines, or one value over several lines.
        match serde_json::from_str(&text) {
            Ok(value) => value,
            Err(_) => Value::from(text.lines().map(json).collect::<Vec<_>>()),
        }
    };
    let said = |session: &SessionId| serde_json::json!({"session": session.0, "notice": null});
    let queued = |words: &str| {
        let answer = run(&["reply", "working", "--queue", "--json", words]);
        answer["queue"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned()
    };
    // On hold nothing is sent by itself, so what is queued stays until it is looked at.
    board.ok(&["hold", "working"]);
    let (first, second) = (queued("first"), queued("second"));
    let waiting = || {
        let queue = run(&["queue", "working", "--json"]);
        let texts = queue.as_array().unwrap().iter().map(|reply| reply["text"].as_str().unwrap().to_owned());
        texts.collect::<Vec<_>>()
    };
    assert_eq!(waiting(), ["first", "second"]);
    assert_eq!(run(&["queue", "edit", "--json", "working", &first, "other words"]), said(&working));
    assert_eq!(run(&["queue", "move", "working", &second, "1", "--json"]), said(&working));
    assert_eq!(waiting(), ["second", "other words"]);
    assert_eq!(run(&["queue", "rm", "working", &second, "--json"]), said(&working));
    assert_eq!(run(&["queue", "send", "working", &first, "--json"])["session"], working.0.as_str());
    board.until("it was sent", || waiting().is_empty());
    board.ok(&["hold", "working"]);
    queued("third");
    assert_eq!(run(&["queue", "clear", "working", "--json"])["session"], working.0.as_str());
    assert!(waiting().is_empty());

    let each = |answer: &Value| (answer[0]["session"].clone(), answer[0]["outcome"].clone());
    for verb in ["hold", "unhold", "done"] {
        let answer = run(&[verb, "ended", "--json"]);
        assert_eq!(each(&answer), (ended.0.as_str().into(), "applied".into()), "{verb}: {answer}");
        let refused = board.run(&[verb, "nobody", "--json"]);
        assert_eq!(refused.status.code(), Some(1));
        assert_eq!(json(&String::from_utf8_lossy(&refused.stdout))[0]["outcome"], "refused", "{verb}");
    }
    for arguments in [
        ["rename", "ended", "renamed"].as_slice(),
        &["pin", "renamed"],
        &["pin", "renamed", "--off"],
        &["tag", "renamed", "+one"],
        &["visit", "renamed", "--unread"],
        &["visit", "renamed"],
    ] {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        assert_eq!(run(&arguments), said(&ended), "{arguments:?}");
    }
    for (arguments, key) in [
        (["ls", "--json"].as_slice(), "/0/id"),
        (&["show", "working", "--json"], "/id"),
        (&["screen", "working", "--json"], ""),
        (&["tag", "renamed", "--json"], "/0"),
        (&["wait", "working", "--until", "holding", "--timeout", "30s", "--json"], "/0/state"),
        (&["explain", "renamed", "--json"], "/changes/0/to"),
        (&["log", "working", "--json"], ""),
        (&["log", "working", "--clear", "--json"], ""),
        (&["export", "--json"], "/0/export"),
        (&["config", "--json"], "/settings/0/key"),
    ] {
        let answer = run(arguments);
        assert!(answer.pointer(key).is_some(), "{key} of {arguments:?}: {answer:#}");
    }
    // What is not in order on this machine is none of this test's business.
    let doctor = board.run(&["doctor", "--json"]);
    json(&String::from_utf8_lossy(&doctor.stdout));
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
    board.until("the event was noted", || !logged().is_empty());
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
