//! Waiting: the four ends and what each carries, taking a wait back, and what becomes of it when somebody goes.

use crate::{
    board::{Board, Seen},
    client::Client,
};
use board_protocol::terminals::{TerminalAsk, WaitEnd};
use serde_json::{Value, json};

/// A client with one terminal.
fn open() -> (Board, Client) {
    let board = Board::start();
    let mut client = Client::of(&board);
    client.call("terminal_open", json!({}));
    (board, client)
}

/// Begins a wait, and comes back once it is open at the host.
fn begin(board: &Board, client: &mut Client, arguments: Value) -> u64 {
    let id = client.begin("terminal_wait_for", arguments);
    board.wait("a wait", |seen| matches!(seen, Seen::Host(TerminalAsk::WaitFor { .. })).then_some(()));
    id
}

fn ready() -> Value {
    json!({"id": "0000000001", "needle": "ready"})
}

/// How a wait that ends like this is told.
fn told(end: &WaitEnd, literal: Option<&str>) -> Value {
    let (board, mut client) = open();
    let id = begin(&board, &mut client, ready());
    board.end_waits(end, literal);
    let mut told = client.structure(id);
    assert!(told.as_object_mut().unwrap().remove("message").is_some_and(|message| message.is_string()));
    told
}

// Reference G.1.
#[test]
fn a_needle_that_appears_is_found_with_its_place() {
    let end = WaitEnd::Found {
        needle: "ready".into(),
        line: 3,
        column: 7,
        matched: "ready!".into(),
        elapsed_ms: 12,
    };
    let expected = json!({"kind": "found", "needle": "ready", "line": 3, "column": 7, "match": "ready!", "elapsed_ms": 12});
    assert_eq!(told(&end, None), expected);
}

#[test]
fn time_that_is_up_is_a_timeout() {
    let end = WaitEnd::Timeout { needle: "ready".into(), timeout_ms: 10_000, total_lines: 9 };
    assert_eq!(
        told(&end, None),
        json!({"kind": "timeout", "needle": "ready", "timeout_ms": 10_000, "total_lines": 9})
    );
}

#[test]
fn a_program_that_ends_is_an_exit() {
    let end = WaitEnd::Exited { needle: "ready".into(), exit_code: None, signal: Some(9) };
    assert_eq!(
        told(&end, None),
        json!({"kind": "exited", "needle": "ready", "exit_code": null, "signal": 9})
    );
}

#[test]
fn an_invalid_pattern_is_said_to_be_taken_literally() {
    let end = WaitEnd::Skipped { needle: "ready".into() };
    assert_eq!(told(&end, Some("unclosed group"))["literal"], "unclosed group");
}

// Reference G.2: neither a timeout nor a failure, in these words.
#[test]
fn a_wait_that_the_person_skips_is_skipped_and_says_so() {
    let (board, mut client) = open();
    let id = begin(&board, &mut client, ready());
    board.end_waits(&WaitEnd::Skipped { needle: "ready".into() }, None);
    let answer = client.answer(id);
    let text = "Skipped by user while waiting for \"ready\" — the wait ended early; call terminal_read to inspect the transcript if needed.";
    assert_eq!(answer["result"]["content"], json!([{"type": "text", "text": text}]), "{answer}");
    assert_eq!(
        answer["result"]["structuredContent"],
        json!({"kind": "skipped", "needle": "ready", "message": text})
    );
    assert_ne!(answer["result"]["isError"], json!(true));
}

#[test]
fn a_wait_has_the_usual_time_or_the_one_that_was_asked_for_within_its_limits() {
    let (board, mut client) = open();
    for (asked, expected) in
        [(None, 10_000), (Some(1), 100), (Some(25_000), 25_000), (Some(u64::MAX), 86_400_000)]
    {
        let mut arguments = ready();
        if let Some(asked) = asked {
            arguments["timeout_ms"] = json!(asked);
        }
        client.begin("terminal_wait_for", arguments);
        let timeout = board.wait("a wait", |seen| match seen {
            Seen::Host(TerminalAsk::WaitFor { timeout_ms, .. }) => Some(*timeout_ms),
            _ => None,
        });
        assert_eq!(timeout, expected, "{asked:?}");
    }
}

#[test]
fn a_needle_that_is_none_is_refused() {
    let (_board, mut client) = open();
    for needle in [String::new(), "x".repeat(4 * 1024 + 1)] {
        let text = client.refused("terminal_wait_for", json!({"id": "0000000001", "needle": needle}));
        assert!(text.contains("needle"), "{text}");
    }
}

#[test]
fn a_wait_that_the_client_cancels_is_taken_back_at_the_host_and_not_answered() {
    let (board, mut client) = open();
    let id = begin(&board, &mut client, ready());
    client.notify("notifications/cancelled", json!({"requestId": id, "reason": "the person pressed Esc"}));
    let cancelled = board.wait("a cancel", |seen| match seen {
        Seen::Host(TerminalAsk::Cancel { wait }) => Some(*wait),
        _ => None,
    });
    assert_eq!(cancelled, 1, "the id of the question on its connection");
    board.wait("the end of the connection", |seen| (*seen == Seen::Left).then_some(()));
    client.call("terminal_list", json!({}));
    assert!(!client.is_answered(id));
}

// Several waits stand side by side, and each gets its own answer.
#[test]
fn other_tools_work_while_a_wait_is_open() {
    let (board, mut client) = open();
    let first = begin(&board, &mut client, ready());
    let second = begin(&board, &mut client, json!({"id": "0000000001", "needle": "listening"}));
    client.call("terminal_send", json!({"id": "0000000001", "text": "x"}));
    client.call("terminal_list", json!({}));
    board.end_waits(&WaitEnd::Skipped { needle: "ready".into() }, None);
    for id in [first, second] {
        assert_eq!(client.structure(id)["kind"], "skipped");
    }
}

// Issue: an MCP process that dies ends its waits; here its client goes, which is how it ends.
#[test]
fn a_client_that_goes_takes_its_waits_back_at_once() {
    let (board, mut client) = open();
    begin(&board, &mut client, json!({"id": "0000000001", "needle": "never", "timeout_ms": 86_400_000}));
    let (status, _) = client.leave();
    assert!(status.success(), "{status}");
    board.wait("a cancel", |seen| matches!(seen, Seen::Host(TerminalAsk::Cancel { .. })).then_some(()));
}

#[test]
fn a_host_that_goes_without_a_word_ends_the_wait_as_an_exit() {
    let (board, mut client) = open();
    let id = begin(&board, &mut client, ready());
    board.hosts_end("signal 9 (SIGKILL)", "");
    let told = client.structure(id);
    assert_eq!(
        (&told["kind"], &told["exit_code"], &told["signal"]),
        (&json!("exited"), &json!(null), &json!(9))
    );
    let later = client.call("terminal_wait_for", ready());
    assert_eq!(
        (&later["kind"], &later["signal"]),
        (&json!("exited"), &json!(9)),
        "and so does every later one"
    );
}

#[test]
fn a_daemon_that_goes_does_not_end_a_wait() {
    let (board, mut client) = open();
    let id = begin(&board, &mut client, ready());
    board.end();
    board.end_waits(&WaitEnd::Timeout { needle: "ready".into(), timeout_ms: 10_000, total_lines: 1 }, None);
    assert_eq!(client.structure(id)["kind"], "timeout");
}

// Clients give up on a silent tool after a minute or so; one that asks hears that the wait goes on.
#[test]
fn a_client_that_gave_a_progress_token_hears_that_a_wait_goes_on() {
    let (board, mut client) = open();
    let mut arguments = ready();
    arguments["timeout_ms"] = json!(60_000);
    let params =
        json!({"name": "terminal_wait_for", "arguments": arguments, "_meta": {"progressToken": "t"}});
    let id = client.send("tools/call", params);
    board.wait("a wait", |seen| matches!(seen, Seen::Host(TerminalAsk::WaitFor { .. })).then_some(()));
    let told = client.notification("notifications/progress");
    assert_eq!((&told["params"]["progressToken"], &told["params"]["total"]), (&json!("t"), &json!(60_000.0)));
    board.end_waits(&WaitEnd::Skipped { needle: "ready".into() }, None);
    assert_eq!(client.structure(id)["kind"], "skipped");
}
