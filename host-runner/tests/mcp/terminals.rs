//! Opening, typing, reading, closing: what the daemon and the hosts are asked, and what the agent gets.

use crate::{
    board::{Board, Seen},
    client::Client,
};
use board_protocol::{
    ids::Size,
    terminals::{AgentAsk, CursorKeys, TerminalAsk, TerminalSignal},
};
use serde_json::json;

#[test]
fn a_terminal_is_opened_with_everything_that_was_asked_for() {
    let board = Board::start();
    let mut client = Client::of(&board);
    let asked = json!({"command": "npm run dev", "cwd": "/tmp", "cols": 100, "rows": 30, "env": {"PORT": "80"}, "title": "dev"});
    let opened = client.call("terminal_open", asked);
    assert_eq!(
        opened,
        json!({"id": "0000000001", "title": "dev", "command": "npm run dev", "cwd": "/tmp", "state": "running", "cols": 100, "rows": 30})
    );
    let (open, environment) = board.wait("an open", |seen| match seen {
        Seen::Daemon(AgentAsk::Open { open, environment, .. }) => Some((open.clone(), environment.clone())),
        _ => None,
    });
    assert_eq!(open.size, Some(Size { cols: 100, rows: 30 }));
    let names: Vec<_> = environment.iter().map(|var| String::from_utf8(var.name.to_vec()).unwrap()).collect();
    assert!(names.contains(&"PORT".to_owned()) && names.contains(&"PATH".to_owned()), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("TOKEN")), "no secret of the session: {names:?}");
    let listed = client.call("terminal_list", json!({}));
    assert_eq!(listed, json!({"terminals": [opened]}));
    client.call("terminal_close", json!({"id": "0000000001"}));
    assert_eq!(client.call("terminal_list", json!({})), json!({"terminals": []}));
}

#[test]
fn text_and_keys_arrive_as_bytes_signals_and_sizes_as_they_are() {
    let board = Board::start();
    let mut client = Client::of(&board);
    client.call("terminal_open", json!({}));
    let id = "0000000001";
    client.call(
        "terminal_send",
        json!({"id": id, "text": "Enter F1", "keys": ["Up", "Ctrl+C"], "enter": true}),
    );
    assert_eq!(board.asked(), TerminalAsk::Screen, "which cursor keys the program wants");
    assert_eq!(board.asked(), TerminalAsk::Send { data: b"Enter F1\x1b[A\x03\r".to_vec() });
    board.programs_want(CursorKeys::Application);
    client.call("terminal_send", json!({"id": id, "text": "", "keys": ["Up", "Ctrl+Up"]}));
    assert_eq!(board.asked(), TerminalAsk::Screen);
    assert_eq!(board.asked(), TerminalAsk::Send { data: b"\x1bOA\x1b[1;5A".to_vec() });
    client.call("terminal_signal", json!({"id": id, "signal": "SIGHUP"}));
    assert_eq!(board.asked(), TerminalAsk::Signal { signal: TerminalSignal::Hup });
    client.call("terminal_resize", json!({"id": id, "cols": 5, "rows": 9999}));
    assert_eq!(board.asked(), TerminalAsk::Resize(Size { cols: 20, rows: 500 }));
}

#[test]
fn several_sends_at_once_are_written_in_their_order() {
    let board = Board::start();
    let mut client = Client::of(&board);
    client.call("terminal_open", json!({}));
    let sent: Vec<u64> = (0..50)
        .map(|number| client.begin("terminal_send", json!({"id": "0000000001", "text": number.to_string()})))
        .collect();
    for id in sent {
        client.structure(id);
    }
    for number in 0..50 {
        assert_eq!(board.asked(), TerminalAsk::Send { data: number.to_string().into_bytes() });
    }
}

#[test]
fn a_page_of_the_transcript_says_where_the_next_one_begins_and_a_screen_is_a_screen() {
    let board = Board::start();
    let mut client = Client::of(&board);
    client.call("terminal_open", json!({}));
    let page = client.call("terminal_read", json!({"id": "0000000001", "from": 20, "lines": 9_999}));
    assert_eq!(
        board.asked(),
        TerminalAsk::Read { from: Some(20), lines: 500 },
        "a page has 500 lines at most"
    );
    assert_eq!(
        (&page["from"], &page["next"], &page["total_lines"]),
        (&json!(20), &json!(520), &json!(1_000))
    );
    assert_eq!(page["lines"].as_array().unwrap().len(), 500);
    let screen = client.call("terminal_read", json!({"id": "0000000001", "screen": true}));
    assert_eq!((&screen["source"], &screen["cursor"]), (&json!("screen"), &json!([5, 0])));
}

#[test]
fn an_ended_terminal_shows_its_last_screen_and_takes_nothing_more() {
    let board = Board::start();
    let mut client = Client::of(&board);
    client.call("terminal_open", json!({}));
    // Its socket is known by now, and leads nowhere later.
    client.call("terminal_send", json!({"id": "0000000001", "text": "x"}));
    board.hosts_end("exit code 3", "build failed\n$");
    let read = client.call("terminal_read", json!({"id": "0000000001"}));
    assert_eq!((&read["source"], &read["lines"]), (&json!("last_screen"), &json!(["build failed", "$"])));
    assert_eq!(read["ended"], "exit code 3");
    let text = client.refused("terminal_send", json!({"id": "0000000001", "text": "x"}));
    assert!(text.contains("exit code 3") && text.contains("terminal_open"), "{text}");
    let listed = client.call("terminal_list", json!({}));
    assert_eq!(listed["terminals"][0]["state"], "ended");
}

// Issue: an agent can touch only its own session's terminals; a foreign id looks unknown.
#[test]
fn a_foreign_id_looks_like_one_that_never_was() {
    let board = Board::start();
    let mut client = Client::of(&board);
    let calls = [
        ("terminal_send", json!({"text": "x"})),
        ("terminal_read", json!({})),
        ("terminal_wait_for", json!({"needle": "x"})),
        ("terminal_signal", json!({"signal": "KILL"})),
        ("terminal_resize", json!({"cols": 80, "rows": 24})),
        ("terminal_close", json!({})),
    ];
    for id in ["fedcba9876", "../../etc/passwd", ""] {
        for (tool, arguments) in &calls {
            let mut arguments = arguments.clone();
            arguments["id"] = json!(id);
            let text = client.refused(tool, arguments);
            assert!(text.contains("terminal") && !text.contains("token"), "{tool} {id}: {text}");
        }
    }
}
