//! Random input for everything that reads bytes from outside: no panic, no engine fault, memory bounded.
//!
//! The seed is printed (`AGENT_BOARD_SEED=N` runs it again); `AGENT_BOARD_FUZZ=N` says how many inputs each reader gets,
//! `make fuzz` gives ten million.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

#[path = "fuzz/input.rs"]
mod input;
#[path = "continuation/random.rs"]
mod random;

use board_protocol::{
    frame::FrameReader,
    host::{FromHost, TerminalLook, ToHost},
    ids::Size,
};
use host_runner::{
    attach::{
        boundary::Boundary,
        ime::ImeFilter,
        keys::{KeyScanner, Typed},
        look::LookAnswers,
        sync::SyncWatch,
    },
    config::ImeFix,
    terminal::{History, OutputFilter, SessionTerminal, answer},
};
use random::Random;
use std::{
    fs,
    time::{Duration, Instant},
};

/// Inputs for each reader in an ordinary test run: some seconds without optimisation.
const INPUTS: u64 = 20_000;
/// How many times larger the whole program may become than the largest state that it may keep: 2,000 rows of 500 cells, all
/// different, twice (a terminal and its snapshot), and what the allocator keeps of both.
const MAX_GROWTH_BYTES: u64 = 384 * 1024 * 1024;
/// Most bytes of a snapshot of 500x200 with [`HISTORY`] lines, each cell another style.
const MAX_SNAPSHOT_BYTES: usize = 24 * 1024 * 1024;
const HISTORY: usize = 500;

fn inputs() -> u64 {
    std::env::var("AGENT_BOARD_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(INPUTS)
}

/// Memory of this process that is in use, in bytes.
fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

fn any_size(random: &mut Random) -> Size {
    // Small ones have the most margins; large ones cost the most.
    match random.below(8) {
        0 => Size { cols: 1 + random.below(500) as u16, rows: 1 + random.below(200) as u16 },
        1 => Size { cols: 1, rows: 1 },
        _ => Size { cols: 1 + random.below(40) as u16, rows: 1 + random.below(12) as u16 },
    }
}

#[test]
fn the_terminal_and_its_filter_survive_random_output_and_sizes() {
    let (mut random, count) = (Random::announced(), inputs());
    let mut terminal = SessionTerminal::new(any_size(&mut random), HISTORY);
    let (mut filter, mut found, mut sent, mut bytes) = (OutputFilter::new(), Vec::new(), Vec::new(), 0);
    let mut recent: Vec<Vec<u8>> = Vec::new();
    let (before, look) = (resident(), TerminalLook::default());
    for n in 0..count {
        let input = input::output(&mut random);
        bytes += input.len();
        recent.push(input.clone());
        sent.clear();
        found.clear();
        filter.scan(&input, &mut sent, &mut found);
        terminal.feed(&sent);
        for noticed in &found {
            if let host_runner::terminal::Found::Query { query, .. } = noticed {
                answer(query, &terminal, &look);
            }
        }
        if random.below(64) == 0 {
            let size = any_size(&mut random);
            recent.push(format!("<{}x{}>", size.cols, size.rows).into_bytes());
            terminal.resize(size);
        }
        if random.below(512) == 0 {
            let snapshot = terminal.snapshot(History::Include);
            assert!(snapshot.bytes.len() < MAX_SNAPSHOT_BYTES, "{} bytes", snapshot.bytes.len());
        }
        assert_eq!(terminal.faults(), 0, "input {n}: {}", recent.concat().escape_ascii());
        if recent.len() > 4096 {
            // A new terminal from time to time: whatever is needed to show a fault stands in the failure's text.
            recent.clear();
            filter = OutputFilter::new();
            terminal = SessionTerminal::new(any_size(&mut random), HISTORY);
            recent.push(format!("<new {:?}>", terminal.size()).into_bytes());
        }
    }
    let grown = resident().saturating_sub(before);
    println!("{count} inputs, {bytes} bytes, {} MiB more than at the start", grown / 1024 / 1024);
    assert!(grown < MAX_GROWTH_BYTES, "{grown} bytes more than at the start");
}

#[test]
fn the_frame_reader_survives_random_frames() {
    let (mut random, count) = (Random::announced(), inputs());
    let (mut reader, mut refused, mut read, mut silent) = (FrameReader::new(), 0, 0, 0);
    let before = resident();
    for _ in 0..count {
        // A broken length may ask for megabytes that never come; the peer hangs up then.
        silent += 1;
        if silent > 20 {
            (reader, silent) = (FrameReader::new(), 0);
        }
        reader.push(&input::frame(&mut random));
        loop {
            let message = if random.below(2) == 0 {
                reader.next_message::<ToHost>().map(|message| message.is_some())
            } else {
                reader.next_message::<FromHost>().map(|message| message.is_some())
            };
            match message {
                Ok(true) => (read, silent) = (read + 1, 0),
                Ok(false) => break,
                // A connection ends here; the next one has a reader of its own.
                Err(_) => {
                    (refused, silent) = (refused + 1, 0);
                    reader = FrameReader::new();
                    break;
                }
            }
        }
    }
    println!("{count} inputs, {read} messages, {refused} refused");
    assert!(read > 0 && refused > 0, "both happen");
    assert!(resident().saturating_sub(before) < MAX_GROWTH_BYTES);
}

#[test]
fn the_key_scanner_survives_random_typing_and_keeps_its_order() {
    let (mut random, count) = (Random::announced(), inputs());
    let start = Instant::now();
    let size = Size { cols: 80, rows: 24 };
    let mut keys = KeyScanner::default();
    let mut answers = LookAnswers::new(TerminalLook::default(), size, start);
    let (mut expected, mut passed, mut left, mut now) = (Vec::new(), Vec::new(), 0, start);
    for _ in 0..count {
        let input = input::typing(&mut random);
        now += Duration::from_millis(random.below(40) as u64);
        let mut out = Vec::new();
        answers.feed(&input, now, &mut out);
        answers.on_time(now, &mut out);
        if answers.is_over() || random.below(100) == 0 {
            answers = LookAnswers::new(TerminalLook::default(), size, now);
        }
        expected.extend_from_slice(&input);
        match keys.feed(&input, now, &mut passed) {
            // What follows the detach key is dropped, and everything before it passed.
            Typed::Detach => {
                left += 1;
                assert!(
                    expected.starts_with(&passed),
                    "{} of {}",
                    passed.escape_ascii(),
                    expected.escape_ascii()
                );
                passed.clear();
                expected.clear();
            }
            Typed::Through => keys.on_time(now, &mut passed),
        }
        if keys.next_deadline().is_none() {
            assert_eq!(passed, expected, "{}", expected.escape_ascii());
            passed.clear();
            expected.clear();
        }
        // Only a paste may stay open; it ends by itself.
        if expected.len() > 1024 * 1024 {
            keys.on_time(now + Duration::from_secs(60), &mut passed);
        }
    }
    println!("{count} inputs, left {left} times");
    assert!(left > 0, "the detach key is among what is typed");
}

#[test]
fn what_follows_the_output_of_a_session_survives_it() {
    let (mut random, count) = (Random::announced(), inputs());
    let (mut ime, mut sync, mut boundary) =
        (ImeFilter::new(ImeFix::On), SyncWatch::default(), Boundary::default());
    let (mut now, mut fed, mut shown) = (Instant::now(), 0, Vec::new());
    for _ in 0..count {
        let input = input::output(&mut random);
        now += Duration::from_micros(random.below(3000) as u64);
        fed += input.len();
        shown.clear();
        ime.feed(&input, &mut shown);
        if random.below(4) == 0 {
            ime.release(&mut shown);
        }
        sync.feed(&shown, now);
        sync.on_time(now);
        boundary.feed(&shown);
        assert!(sync.next_deadline().is_none_or(|at| at <= now + Duration::from_secs(1)));
        boundary.is_ground();
        assert!(shown.len() <= fed, "{} bytes were added", shown.len() - fed);
        fed -= shown.len();
        // Nothing is dropped or added, and only one end of an update is ever kept back.
        assert!(fed <= 64, "{fed} bytes are kept back");
    }
    println!("{count} inputs");
}
