//! A host without snapshots, and the kill switch: output as it comes, and a program that draws because its size changed.

use crate::support::{Board, Client, FakeDaemon, Host, PATIENCE, SIZE, pane::Pane};
use board_protocol::{frame, host::ToHost, ids::Size};
use std::{
    io::{Read, Write},
    os::unix::net::{UnixListener, UnixStream},
    path::Path,
    thread,
    time::Instant,
};

/// Draws everything at each change of its size, as agents do: a frame, and a clear at the first of them. What it says before
/// it was ever resized is old.
const REDRAWS: &str = r#"$| = 1; print "old\n";
    $SIG{WINCH} = sub { my ($r, $c) = split ' ', `stty size`;
        print "\e[?2026h\e[2J\e[Hdrawn at $r $c\r\n\e[?2026l" };
    sleep 1 while 1"#;

fn started() -> (Board, FakeDaemon, Host) {
    started_with_log(0)
}

/// `days`: how long the log of the screen is kept; 0: none is written.
fn started_with_log(days: u32) -> (Board, FakeDaemon, Host) {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let mut launch = board.launch(&["perl", "-e", REDRAWS]);
    launch.settings.screen_log_days = days;
    let host = board.start(launch);
    daemon.wait_for_child();
    Client::attach(&host).wait_for("old");
    (board, daemon, host)
}

/// The session shows what it drew for its own size, in the pane and for whoever comes after it.
fn assert_drawn_and_not_shrunk(host: &Host, pane: &mut Pane) {
    pane.wait_for("drawn at 24 80");
    pane.type_in(b"\x1c");
    assert_eq!(pane.wait_for_exit(), Some(0));
    assert_eq!(pane.settings(), pane.before);
    let mut client = Client::attach(host);
    client.wait_for("drawn at 24 80");
}

#[test]
fn i4_the_kill_switch_shows_a_session_without_a_snapshot_and_leaves_its_size_alone() {
    let (board, _daemon, host) = started();
    let session = host.session().to_string();
    let switch = [("AGENT_BOARD_TERMINAL_SNAPSHOT", "0")];
    let mut pane = Pane::open_with(&board, SIZE, &["attach", &session], &switch);
    assert_drawn_and_not_shrunk(&host, &mut pane);
}

#[test]
fn i4_a_host_that_never_answers_a_subscription_is_shown_all_the_same() {
    let (board, _daemon, host) = started();
    let session = host.session().to_string();
    swallow_subscriptions(Path::new(&host.launch.socket));
    let mut pane = Pane::open(&board, SIZE, &["attach", &session]);
    pane.wait_for("drawn at 24 80");
    // Not from a snapshot: what was there before came to nobody.
    assert!(!String::from_utf8_lossy(&pane.raw).contains("old"));
    pane.resize(Size { cols: 70, rows: 20 });
    pane.wait_for("drawn at 20 70");
    pane.type_in(b"\x1c");
    assert_eq!(pane.wait_for_exit(), Some(0));
}

// E.7: without a snapshot what was printed before comes from the log, and the program's own picture after it.
#[test]
fn e7_without_snapshots_the_end_of_the_log_is_shown_first() {
    let (board, _daemon, host) = started_with_log(7);
    let log = board.root.screen_log(&host.session());
    let end = Instant::now() + PATIENCE;
    while !std::fs::read(&log).is_ok_and(|text| text.starts_with(b"old")) {
        assert!(Instant::now() < end, "the log of the screen is not written");
        thread::yield_now();
    }
    let session = host.session().to_string();
    let switch = [("AGENT_BOARD_TERMINAL_SNAPSHOT", "0")];
    let mut pane = Pane::open_with(&board, SIZE, &["attach", &session], &switch);
    pane.wait_for("drawn at 24 80");
    let raw = String::from_utf8_lossy(&pane.raw).into_owned();
    let (old, drawn) = (raw.find("old").unwrap(), raw.find("drawn at").unwrap());
    assert!(old < drawn, "{}", raw.escape_debug());
    // With them it is never read.
    std::fs::write(&log, "poisoned").unwrap();
    let mut other = Pane::open(&board, SIZE, &["attach", &session]);
    other.wait_for("drawn at");
    assert!(!String::from_utf8_lossy(&other.raw).contains("poisoned"));
}

#[test]
fn a_reader_without_snapshots_changes_nothing_of_the_session() {
    let (board, _daemon, host) = started();
    let session = host.session().to_string();
    let switch = [("AGENT_BOARD_TERMINAL_SNAPSHOT", "0")];
    let mut reader = Pane::open_with(&board, SIZE, &["attach", &session, "--read-only"], &switch);
    reader.wait_for_raw("read only".as_bytes());
    let mut client = Client::attach(&host);
    client.wait_for("old");
    client.send(&ToHost::Resize(Size { cols: 90, rows: 30 }));
    reader.wait_for("drawn at 30 90");
    assert_eq!(client.causes.len(), 1, "nobody resized before");
}

/// Puts itself between a host and its clients and passes everything on but subscriptions, as a host does that does not know
/// them.
fn swallow_subscriptions(socket: &Path) {
    let real = socket.with_extension("real");
    std::fs::rename(socket, &real).unwrap();
    let listener = UnixListener::bind(socket).unwrap();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let Ok(host) = UnixStream::connect(&real) else { return };
            let (mut from_host, mut to_client) = (host.try_clone().unwrap(), client.try_clone().unwrap());
            thread::spawn(move || std::io::copy(&mut from_host, &mut to_client));
            thread::spawn(move || pass_frames(client, host));
        }
    });
}

fn pass_frames(mut client: UnixStream, mut host: UnixStream) {
    loop {
        let mut length = [0; 4];
        if client.read_exact(&mut length).is_err() {
            let _ = host.shutdown(std::net::Shutdown::Both);
            return;
        }
        let mut body = vec![0; u32::from_le_bytes(length) as usize];
        client.read_exact(&mut body).unwrap();
        if !matches!(frame::decode(&body), Ok(ToHost::Subscribe { .. })) {
            host.write_all(&[&length[..], &body].concat()).unwrap();
        }
    }
}
