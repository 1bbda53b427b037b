//! Several clients of one session: each gets the whole stream, and the size follows a stated policy.

use crate::support::{Board, Client, FakeDaemon, SIZE, SIZE_REPORTER, pane::Pane};
use board_protocol::{
    hello::Role,
    host::{
        AttachMode, AttachRequest, AttachedClient, FromHost, HostFact, ScrollbackOwner, SnapshotCause,
        TerminalLook, ToHost,
    },
    ids::{OutputSeq, Size},
};
use rustix::process::{Pid, Signal, kill_process};

const LINES: usize = 400;

/// Waits for a line, then prints many, each with a text that stands nowhere else.
const BURST: &str = "stty -echo; echo ready; read -r go; for i in $(seq 400); do echo \"burst-$i;\"; done; echo over; exec cat";

fn assert_each_line_once(raw: &[u8], from: usize) {
    let text = String::from_utf8_lossy(raw);
    for line in from..=LINES {
        assert_eq!(text.matches(&format!("burst-{line};")).count(), 1, "line {line}");
    }
}

// I.4 A5: who subscribes in mid-stream gets every chunk once, beside another subscriber and a legacy client.
#[test]
fn i4_a5_every_chunk_comes_once_to_everybody_who_came_in_mid_stream() {
    let board = Board::new();
    let host = board.start(board.shell(BURST));
    let mut first = Client::attach(&host);
    first.wait_for("ready");
    // Attached and never subscribed: it gets the same bytes without numbers.
    let mut legacy = Client::connect(&host, Role::Attach);
    legacy.send(&ToHost::Attach(AttachRequest {
        size: SIZE,
        mode: AttachMode::Interactive,
        place: None,
        look: TerminalLook::default(),
        scrollback: ScrollbackOwner::Session,
    }));
    legacy.send(&ToHost::Reconcile);
    assert!(matches!(legacy.receive(), FromHost::Reconciled { .. }));
    first.type_in("go\r");
    // While the lines come: the order of the protocol is checked with every message.
    let mut second = Client::attach(&host);
    for client in [&mut first, &mut second] {
        client.wait_for_raw(b"over");
        assert_each_line_once(&client.raw, 1);
        assert_eq!(client.causes, [SnapshotCause::Asked]);
    }
    let mut unnumbered = Vec::new();
    while !unnumbered.windows(4).any(|part| part == b"over") {
        match legacy.receive() {
            FromHost::Unnumbered { data } => unnumbered.extend(data),
            other => panic!("only output without numbers: {other:?}"),
        }
    }
    assert_each_line_once(&unnumbered, 1);
    // Who subscribes gets no more of it.
    legacy.send(&ToHost::Subscribe { since: None });
    legacy.wait_for("over");
    first.type_in("after\r");
    let message = legacy.wait_for_message(|message| match message {
        FromHost::Output { data, .. } => Some(data.clone()),
        FromHost::Unnumbered { .. } => panic!("numbered or not, never both"),
        _ => None,
    });
    assert_eq!(message, b"after\r\n");
}

// I.4 A5: an overflow of the ring is a fresh snapshot, never a silent loss.
#[test]
fn i4_a5_a_cursor_that_left_the_ring_is_answered_by_a_snapshot() {
    let board = Board::new();
    let script =
        "stty -echo; echo ready; read -r go; head -c 3000000 /dev/zero | tr '\\0' x; echo over; exec cat";
    let host = board.start(board.shell(script));
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    client.type_in("go\r");
    client.wait_for_raw(b"over");
    let mut late = Client::attach_as(&host, SIZE, AttachMode::Interactive, Some(OutputSeq(1)));
    late.wait_for("over");
    assert_eq!(late.causes, [SnapshotCause::Resync]);
    let ahead = OutputSeq(late.next.unwrap().0 + 100);
    let mut foreign = Client::attach_as(&host, SIZE, AttachMode::Interactive, Some(ahead));
    foreign.wait_for("over");
    assert_eq!(foreign.causes, [SnapshotCause::Resync], "a cursor of another life");
}

// I.4 A5c: the runner was killed and another child came; nothing of the old one may be seen.
#[test]
fn i4_a5c_after_a_new_child_nothing_of_the_old_one_is_in_any_frame() {
    let board = Board::new();
    let script =
        "if [ -e old ]; then read -r go; echo new child; else touch old; echo OLD TEXT; fi; exec cat";
    let host = board.start(board.shell(script));
    let mut client = Client::attach(&host);
    client.wait_for("OLD TEXT");
    host.signal(Signal::KILL);
    drop((client, host));
    let host = board.start(board.shell(script));
    // A cursor from the old life: the host has another generation, and answers for itself.
    let mut client = Client::attach_as(&host, SIZE, AttachMode::Interactive, Some(OutputSeq(40)));
    let begun = client.wait_for_message(|message| match message {
        FromHost::SnapshotBegin { snapshot_seq, .. } => Some(*snapshot_seq),
        _ => None,
    });
    let next = client.wait_for_message(|message| match message {
        FromHost::SnapshotEnd { next_seq } => Some(*next_seq),
        _ => None,
    });
    assert_eq!((begun, next), (None, OutputSeq(1)));
    client.type_in("go\r");
    client.wait_for("new child");
    assert!(!String::from_utf8_lossy(&client.raw).contains("OLD"));
}

// Field report B15: Back in one window detached the others.
#[test]
fn b15_detaching_in_one_window_leaves_the_others_alone() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("echo up; exec cat"));
    daemon.wait_for_child();
    let session = host.session().to_string();
    let mut panes = [(); 2].map(|()| Pane::open(&board, SIZE, &["attach", &session]));
    for pane in &mut panes {
        pane.wait_for("up");
    }
    let [one, other] = &mut panes;
    one.type_in(b"\x1c");
    assert_eq!(one.wait_for_exit(), Some(0));
    other.type_in(b"still here\r");
    other.wait_for("still here\r\nstill here".replace('\r', "").as_str());
}

// Field report E1: the size followed the last client that attached, and stayed when it left.
#[test]
fn e1_the_size_goes_back_when_the_one_that_typed_last_leaves() {
    let board = Board::new();
    let host = board.start(board.launch(&["perl", "-e", SIZE_REPORTER]));
    let mut first = Client::attach(&host);
    first.wait_for("ready");
    let large = Size { cols: 200, rows: 50 };
    let mut second = Client::attach_as(&host, large, AttachMode::Interactive, None);
    second.wait_for("ready");
    second.type_in("x");
    first.wait_for("size 50 200");
    second.send(&ToHost::Detach);
    first.wait_for("size 24 80");
}

// Field report E3: a killed client kept the size for ever.
#[test]
fn e3_a_killed_client_frees_the_size_at_once() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.launch(&["perl", "-e", SIZE_REPORTER]));
    daemon.wait_for_child();
    let mut other = Client::attach(&host);
    other.wait_for("ready");
    let session = host.session().to_string();
    let mut pane = Pane::open(&board, Size { cols: 100, rows: 30 }, &["attach", &session]);
    pane.wait_for("ready");
    pane.type_in(b"x");
    other.wait_for("size 30 100");
    kill_process(Pid::from_raw(pane.identity().pid as i32).unwrap(), Signal::KILL).unwrap();
    other.wait_for("size 24 80");
    let only_one = |fact: &HostFact| match fact {
        HostFact::AttachedChanged { attached, .. } if attached.len() == 1 => Some(attached.clone()),
        _ => None,
    };
    daemon.wait_for_fact("first client", only_one);
    let left = daemon.wait_for_fact("departure", only_one).1;
    assert_eq!(left, [AttachedClient { mode: AttachMode::Interactive, place: None }]);
    other.send(&ToHost::Resize(Size { cols: 90, rows: 20 }));
    other.wait_for("size 20 90");
}
