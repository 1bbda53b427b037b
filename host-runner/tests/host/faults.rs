//! Floods and broken clients: the session goes on, a screen can be had, and nothing grows.

use crate::support::{Board, Client, FakeDaemon, Host, PATIENCE, SIZE};
use board_protocol::{
    frame,
    hello::{HOST_PROTOCOL, Hello, Role},
    host::{AttachMode, AttachRequest, FromHost, HostFact, ScrollbackOwner, TerminalLook, ToHost},
};
use host_runner::process;
use std::{
    fs,
    io::{Read, Write},
    os::unix::net::UnixStream,
    time::Instant,
};

/// What 1.3 MB a second come to in 30 s.
const FLOOD_BYTES: usize = 39_000_000;
/// The most that may be written about it.
pub(crate) const MAX_LOG_BYTES: u64 = 64 * 1024;
/// Most memory of a host: three times what ring, lag, history and queues may have.
pub(crate) const MAX_HOST_KIB: u64 = 64 * 1024;

pub(crate) fn resident_kib(host: &Host) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", host.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// What the host wrote about itself; it writes no file while there is nothing to say.
pub(crate) fn log(board: &Board, host: &Host) -> String {
    let path = board.root.logs().join(format!("host-{}.log", host.session()));
    fs::read_to_string(path).unwrap_or_default()
}

// I.4, Robustness: malformed output, as much as 30 s of 1.3 MB/s.
#[test]
fn i4_malformed_output_kills_no_host_and_is_logged_in_a_bounded_way() {
    let board = Board::new();
    // Broken UTF-8, sequences without end, strings without end, parameters without end.
    let script = format!(
        r#"$| = 1; print "ready\n"; <STDIN>; srand 1; my $all = 0;
        my @parts = ("\xff\xfe", "\xe2\x98", "\e[", "\e[999999999999999999;", "\e]0;", "\eP1;", "\e[?2026h", "\e[38;2;", "\x9b31",
            "\xf0\x9f", "\e[" . "1;" x 200 . "m", "\e_" . "z" x 3000, "\e]52;c;" . "A" x 5000, "\e[6", "\x18", "text\r\n", "\0" x 40);
        while ($all < {FLOOD_BYTES}) {{ my $s = join '', map {{ $parts[rand @parts] }} 1..200; print $s; $all += length $s }}
        print "\x18\e\\\x18\ec\e[?2026lover\n"; sleep 1 while 1"#
    );
    let host = board.start(board.launch(&["perl", "-e", &script]));
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    client.type_in("\r");
    // It reads all the time, as a pane does; a screen can be had in between.
    let end = Instant::now() + PATIENCE * 4;
    let (mut seen, mut tail, mut looks) = (0, Vec::new(), 0);
    while !tail.windows(5).any(|part| part == b"over\r") {
        assert!(Instant::now() < end, "the flood does not end after {seen} bytes");
        if let FromHost::Output { data, .. } | FromHost::SnapshotFrame { data } = client.receive() {
            seen += data.len();
            tail.extend(data);
            tail.drain(..tail.len().saturating_sub(64));
        }
        if seen / 8_000_000 > looks {
            looks += 1;
            let mut other = Client::attach(&host);
            other.wait_for_message(|message| matches!(message, FromHost::SnapshotEnd { .. }).then_some(()));
            assert!(resident_kib(&host) < MAX_HOST_KIB, "{} KiB", resident_kib(&host));
        }
    }
    let mut after = Client::attach(&host);
    after.wait_for("over");
    assert!((log(&board, &host).len() as u64) < MAX_LOG_BYTES, "{}", log(&board, &host));
}

// I.4, Robustness: malformed messages, one connection after the other.
#[test]
fn i4_malformed_messages_cost_their_connections_and_are_counted_in_a_bounded_log() {
    const CONNECTIONS: usize = 3000;
    let board = Board::new();
    let mut host = board.start(board.shell("echo up; exec cat"));
    let mut good = Client::attach(&host);
    good.wait_for("up");
    let garbage = vec![0xc1; 8 * 1024];
    for _ in 0..CONNECTIONS {
        let mut bad = UnixStream::connect(&host.launch.socket).unwrap();
        // The host hangs up as soon as it has read the beginning.
        let _ = bad.write_all(&garbage);
        let mut rest = Vec::new();
        let _ = bad.read_to_end(&mut rest);
    }
    good.type_in("still here\r");
    good.wait_for("still here\nstill here");
    assert!(resident_kib(&host) < MAX_HOST_KIB, "{} KiB", resident_kib(&host));
    host.signal(rustix::process::Signal::TERM);
    host.wait();
    let text = log(&board, &host);
    assert!((text.len() as u64) < MAX_LOG_BYTES, "{} bytes", text.len());
    // Every one of them is counted, in a few lines.
    let counted: usize = text
        .lines()
        .filter(|line| line.contains("broken connections"))
        .filter_map(|line| line.split("count=").nth(1)?.split_whitespace().next()?.parse::<usize>().ok())
        .sum();
    assert_eq!(counted, CONNECTIONS, "{text}");
}

// I.4 and the budget of a flood: whatever is printed as fast as it can be, a screen is to be had at once.
#[test]
fn i4_a_mixed_stream_at_full_speed_keeps_memory_bounded_and_screens_coming() {
    const BYTES: usize = 20_000_000;
    let board = Board::new();
    let script = r#"$| = 1; print "ready\n"; <STDIN>; my $n = 0;
        while (1) { print join '', map { $n++; "\e[3" . ($n % 8) . "mline $n \e[1m\xe6\xbc\xa2\xe5\xad\x97\e[m\e[K\r\n",
            ($n % 50 ? '' : "\e[?1049h\e[H\e[2Jfull\e[?1049l") } 1..100 }"#;
    let host = board.start(board.launch(&["perl", "-e", script]));
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    client.type_in("\r");
    let mut seen = 0;
    let mut screens = 0;
    while seen < BYTES {
        if let FromHost::Output { data, .. } | FromHost::SnapshotFrame { data } = client.step() {
            seen += data.len();
            client.raw.clear();
        }
        if seen / 4_000_000 > screens {
            screens += 1;
            let mut other = Client::attach(&host);
            other.wait_for_message(|message| matches!(message, FromHost::SnapshotEnd { .. }).then_some(()));
            assert!(other.contents().contains("line "), "{}", other.contents());
            assert!(resident_kib(&host) < MAX_HOST_KIB, "{} KiB", resident_kib(&host));
        }
    }
    assert!(screens >= 4);
}

// A client may die at any moment: the session and the others do not notice.
#[test]
fn a_client_that_is_killed_at_any_byte_of_the_handshake_harms_nobody() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("echo up; exec cat"));
    daemon.wait_for_child();
    let mut good = Client::attach(&host);
    good.wait_for("up");
    let mut handshake = frame::encode(&Hello {
        versions: HOST_PROTOCOL,
        role: Role::Attach,
        build: "t".into(),
        generation: None,
        process: process::own_identity(),
    })
    .unwrap();
    let request = AttachRequest {
        size: SIZE,
        mode: AttachMode::Interactive,
        place: None,
        look: TerminalLook::default(),
        scrollback: ScrollbackOwner::Session,
    };
    for message in [ToHost::Attach(request), ToHost::Reconcile, ToHost::Subscribe { since: None }] {
        frame::encode_into(&message, &mut handshake).unwrap();
    }
    for cut in 0..=handshake.len() {
        let mut client = UnixStream::connect(&host.launch.socket).unwrap();
        client.write_all(&handshake[..cut]).unwrap();
    }
    good.type_in("unharmed\r");
    good.wait_for("unharmed\nunharmed");
    assert_eq!(good.causes.len(), 1, "nobody resized anything");
    // The last one of them is gone from the list, too.
    good.send(&ToHost::Detach);
    daemon.wait_for_fact("nobody", |fact| match fact {
        HostFact::AttachedChanged { attached, .. } => attached.is_empty().then_some(()),
        _ => None,
    });
}
