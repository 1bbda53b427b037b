//! What a client of the protocol sees: the greeting, the list of tools, and what is wrong with a call.

use crate::{board::Board, client::Client};
use serde_json::{Value, json};

#[test]
fn every_tool_is_listed_with_what_it_takes_and_what_it_answers() {
    let board = Board::start();
    let mut client = Client::of(&board);
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected = [
        "terminal_open",
        "terminal_send",
        "terminal_read",
        "terminal_wait_for",
        "terminal_signal",
        "terminal_resize",
        "terminal_list",
        "terminal_close",
    ];
    assert_eq!(names, expected);
    for tool in tools {
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{tool}");
        }
        assert!(tool["description"].as_str().unwrap().contains("Example"), "{tool}");
        assert!(tool["annotations"]["title"].is_string(), "{tool}");
    }
}

#[test]
fn what_is_wrong_with_a_call_is_said_and_the_server_goes_on() {
    let board = Board::start();
    let mut client = Client::of(&board);
    let unknown = client.ask("tools/call", json!({"name": "terminal_explode", "arguments": {}}));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("terminal_open"), "{unknown}");
    assert!(client.refused("terminal_send", json!({"id": "0000000001"})).contains("text"));
    assert!(client.refused("terminal_list", json!({"all": true})).contains("all"));
    assert!(client.refused("terminal_signal", json!({"id": "0000000001", "signal": "BANG"})).contains("INT"));
    let keys = client.refused("terminal_send", json!({"id": "0000000001", "text": "", "keys": ["Entre"]}));
    assert!(keys.contains("Entre") && keys.contains("PageDown"), "{keys}");
    assert_eq!(client.call("terminal_list", json!({})), json!({"terminals": []}));
}

// Architecture, process table: it ends with its agent, and nothing but the protocol is on its standard output. This client
// does not read standard error, as some do not: a pipe that is full must not keep the server from answering.
#[test]
fn the_server_ends_with_its_input_and_says_little_beside_the_protocol() {
    let board = Board::start();
    let mut client = Client::of(&board);
    for _ in 0..2_000 {
        let answer: Value = client.ask("tools/call", json!({"name": "x".repeat(200), "arguments": {}}));
        assert!(answer["error"].is_object());
    }
    let (status, said) = client.leave();
    assert!(status.success(), "{status}");
    assert!(said.len() <= 16 * 1024, "{} bytes on standard error", said.len());
}

#[test]
fn a_client_that_goes_before_it_has_said_a_word_leaves_nothing_behind() {
    let board = Board::start();
    let (status, _) = Client::start(&board.environment()).leave();
    assert!(status.success(), "{status}");
}
