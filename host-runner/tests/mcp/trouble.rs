//! A daemon that is not there, a process outside of every session: each tool says so, nothing crashes, nothing is started.

use crate::{board::Board, client::Client};
use serde_json::json;

// Decision 17: it never starts the daemon; it works again once that is back.
#[test]
fn without_a_daemon_every_tool_says_what_a_person_can_do_and_works_once_it_is_back() {
    let board = Board::without_daemon();
    let mut client = Client::of(&board);
    for (tool, arguments) in [
        ("terminal_open", json!({})),
        ("terminal_list", json!({})),
        ("terminal_read", json!({"id": "0000000001"})),
    ] {
        let text = client.refused(tool, arguments);
        assert!(text.contains("host-runner ls") && text.contains("daemon"), "{tool}: {text}");
    }
    board.begin();
    assert_eq!(client.call("terminal_list", json!({})), json!({"terminals": []}));
    assert_eq!(client.call("terminal_open", json!({}))["id"], "0000000001");
}

#[test]
fn terminals_that_are_open_go_on_while_the_daemon_is_away() {
    let board = Board::start();
    let mut client = Client::of(&board);
    client.call("terminal_open", json!({}));
    board.end();
    client.call("terminal_send", json!({"id": "0000000001", "text": "x"}));
    assert!(client.refused("terminal_list", json!({})).contains("daemon"));
}

#[test]
fn outside_of_a_session_the_server_runs_and_every_tool_says_so() {
    let board = Board::start();
    let environment: Vec<_> =
        board.environment().into_iter().filter(|(name, _)| *name != "AGENT_BOARD_TOKEN").collect();
    let mut client = Client::start(&environment);
    let client_info = json!({"name": "test", "version": "1"});
    let greeted = client.ask(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client_info}),
    );
    assert_eq!(greeted["result"]["serverInfo"]["name"], "agent-board", "{greeted}");
    client.notify("notifications/initialized", json!({}));
    assert_eq!(client.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().len(), 8);
    for tool in ["terminal_open", "terminal_list"] {
        let text = client.refused(tool, json!({}));
        assert!(text.contains("AGENT_BOARD_TOKEN"), "{text}");
    }
}
