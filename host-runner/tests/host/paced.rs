//! Output in time, not as fast as it can be: frames for a minute, a broken stream for half a minute (I.5 A11, I.4). In a usual
//! run the test paces the program by keys and by bytes, and no clock decides anything; with `AGENT_BOARD_TIMED=1` the
//! program keeps the time itself, and what was measured is printed.

use crate::{
    faults::{MAX_HOST_KIB, MAX_LOG_BYTES, log, resident_kib},
    support::{Board, Client, Host, PATIENCE},
};
use board_protocol::host::{AttachMode, FromHost, SnapshotCause};
use std::time::{Duration, Instant};

/// 12.5 frames a second for 60 s.
const FRAMES: usize = 750;
/// Bytes of one frame: a whole screen in colours, several times what an agent draws.
const FRAME_BYTES: usize = 8 * 1024;

fn is_timed() -> bool {
    std::env::var_os("AGENT_BOARD_TIMED").is_some()
}

/// Draws a frame for each byte that it reads, or 12.5 in a second after the first.
fn frames(board: &Board) -> Host {
    let wait =
        if is_timed() { "select undef, undef, undef, 0.08 if $n > 1" } else { "sysread STDIN, my $k, 1" };
    let script = format!(
        r#"system "stty raw -echo"; $| = 1; print "ready\n"; sysread STDIN, my $first, 1; my $n = 0;
        while ($n++ < {FRAMES}) {{ {wait}; my $frame = join '', map {{ my $r = $_; "\e[$r;1H" . join '', map {{ sprintf "\e[38;5;%dm%8d", ($n + $_) % 256, $n * $r }} 1..10 }} 1..24;
            $frame .= "\e[m" x 4000; print substr($frame, 0, {FRAME_BYTES} - 40) =~ s/\e[^m]*$//r . "\e[m\e[24;1H\e[2Kframe $n." }}
        print "\e[Hthe end"; sleep 1 while 1"#
    );
    board.start(board.launch(&["perl", "-e", &script]))
}

// I.5, A11: 12.5 frames a second for a minute. The terminal never falls behind by more than its limit, a snapshot is to be had
// at any moment and shows the frame that was asked for, and who does not read gets a snapshot instead of what it missed.
#[test]
fn i5_a11_frames_for_a_minute_keep_lag_and_snapshots_bounded_and_an_overflow_leads_to_a_snapshot() {
    let board = Board::new();
    let host = frames(&board);
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    let mut idle = Client::attach_as(&host, crate::support::SIZE, AttachMode::ReadOnly, None);
    idle.wait_for("ready");
    client.type_in("g");
    let start = Instant::now();
    let (mut slowest, mut most) = (Duration::ZERO, 0);
    for frame in 1..=FRAMES {
        let shown = format!("frame {frame}.");
        if !is_timed() {
            client.type_in("k");
        }
        client.wait_for_raw(shown.as_bytes());
        if frame % 50 == 0 {
            // Whoever comes now sees this frame, or, in time, a later one.
            let asked = Instant::now();
            let mut late = Client::attach_as(&host, crate::support::SIZE, AttachMode::ReadOnly, None);
            late.wait_for_message(|message| matches!(message, FromHost::SnapshotEnd { .. }).then_some(()));
            slowest = slowest.max(asked.elapsed());
            let seen = late.contents();
            let number =
                seen.split("frame ").nth(1).and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
            assert!(number.is_some_and(|number| number >= frame), "frame {frame}: {seen}");
            most = most.max(resident_kib(&host));
            assert!(most < MAX_HOST_KIB, "{most} KiB");
            // What follows the last frame may have come with it.
            if frame < FRAMES {
                client.raw.clear();
            }
        }
    }
    client.wait_for_raw(b"the end");
    let took = start.elapsed();
    if is_timed() {
        println!(
            "{FRAMES} frames in {took:?}; the slowest snapshot took {slowest:?}; the host had {most} KiB at most"
        );
    }
    // More came than may wait for one client.
    const { assert!(FRAMES * FRAME_BYTES > 4 * 1024 * 1024) };
    let end = Instant::now() + PATIENCE;
    while !idle.contents().contains("the end") {
        assert!(Instant::now() < end, "{}", idle.contents());
        idle.step();
    }
    assert!(idle.causes.contains(&SnapshotCause::Resync), "it got every byte late: {:?}", idle.causes);
}

// I.4: 1.3 MB of broken output a second for 30 s, by the clock. `faults` has the same amount in a usual run.
#[test]
fn i4_half_a_minute_of_malformed_output_by_the_clock() {
    if !is_timed() {
        println!("skipped: AGENT_BOARD_TIMED=1 runs it");
        return;
    }
    let board = Board::new();
    let script = r#"use Time::HiRes qw(time sleep); $| = 1; print "ready\n"; <STDIN>; srand 1; my ($all, $start) = (0, time);
        my @parts = ("\xff\xfe", "\xe2\x98", "\e[", "\e[999999999999999999;", "\e]0;", "\eP1;", "\e[?2026h", "\e[38;2;", "\x9b31",
            "\xf0\x9f", "\e[" . "1;" x 200 . "m", "\e_" . "z" x 3000, "\e]52;c;" . "A" x 5000, "\e[6", "\x18", "text\r\n", "\0" x 40);
        while (time < $start + 30) { my $s = join '', map { $parts[rand @parts] } 1..200; print $s; $all += length $s;
            my $ahead = $all / 1.3e6 - (time - $start); sleep $ahead if $ahead > 0 }
        print "\x18\e\\\x18\ec\e[?2026lover $all\n"; sleep 1 while 1"#;
    let host = board.start(board.launch(&["perl", "-e", script]));
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    client.type_in("\r");
    let start = Instant::now();
    let (mut seen, mut tail, mut looks, mut slowest, mut most) = (0, Vec::new(), 0, Duration::ZERO, 0);
    while !tail.windows(5).any(|part| part == b"over ") {
        if let FromHost::Output { data, .. } | FromHost::SnapshotFrame { data } = client.receive() {
            seen += data.len();
            tail.extend(data);
            tail.drain(..tail.len().saturating_sub(64));
        }
        if start.elapsed() > Duration::from_secs(looks) {
            looks += 1;
            let asked = Instant::now();
            let mut other = Client::attach_as(&host, crate::support::SIZE, AttachMode::ReadOnly, None);
            other.wait_for_message(|message| matches!(message, FromHost::SnapshotEnd { .. }).then_some(()));
            slowest = slowest.max(asked.elapsed());
            most = most.max(resident_kib(&host));
        }
    }
    let mut after = Client::attach(&host);
    after.wait_for("over");
    let logged = log(&board, &host).len();
    println!(
        "{seen} bytes seen in {:?}; {looks} snapshots, the slowest {slowest:?}; the host had {most} KiB at most and logged {logged} bytes",
        start.elapsed()
    );
    assert!(most < MAX_HOST_KIB && (logged as u64) < MAX_LOG_BYTES);
}

// A mixed stream at full speed for 3 s, by the clock. `faults` has the same by bytes.
#[test]
fn i4_three_seconds_of_a_mixed_stream_at_full_speed() {
    if !is_timed() {
        println!("skipped: AGENT_BOARD_TIMED=1 runs it");
        return;
    }
    let board = Board::new();
    let script = r#"$| = 1; print "ready\n"; <STDIN>; my $n = 0;
        while (1) { print join '', map { $n++; "\e[3" . ($n % 8) . "mline $n \e[1m\xe6\xbc\xa2\xe5\xad\x97\e[m\e[K\r\n",
            ($n % 50 ? '' : "\e[?1049h\e[H\e[2Jfull\e[?1049l") } 1..100 }"#;
    let host = board.start(board.launch(&["perl", "-e", script]));
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    client.type_in("\r");
    let (start, mut seen, mut looks) = (Instant::now(), 0, 0_u32);
    let (mut slowest, mut most) = (Duration::ZERO, 0);
    while start.elapsed() < Duration::from_secs(3) {
        if let FromHost::Output { data, .. } | FromHost::SnapshotFrame { data } = client.step() {
            seen += data.len();
            client.raw.clear();
        }
        if start.elapsed() > looks * Duration::from_millis(250) {
            looks += 1;
            let asked = Instant::now();
            let mut other = Client::attach_as(&host, crate::support::SIZE, AttachMode::ReadOnly, None);
            other.wait_for_message(|message| matches!(message, FromHost::SnapshotEnd { .. }).then_some(()));
            slowest = slowest.max(asked.elapsed());
            most = most.max(resident_kib(&host));
        }
    }
    println!(
        "{seen} bytes in 3 s; {looks} snapshots, the slowest {slowest:?}; the host had {most} KiB at most"
    );
    assert!(looks >= 10 && most < MAX_HOST_KIB, "{looks} snapshots, {most} KiB");
}
