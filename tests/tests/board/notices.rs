//! Notifications in a real zellij: they reach a person's terminal once, however many boards are open, and not while they
//! look at the session.

use crate::support::{EMPTY, enter, is_board};
use board_protocol::ids::Size;
use e2e::{Terminal, World, wait::seen_within};

const SIZE: Size = Size { cols: 120, rows: 36 };
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(90);
const BELL: u8 = 7;

/// A board in a zellij session of its own, in a terminal that keeps every byte.
fn board(world: &World, session: &str) -> Terminal {
    let terminal = world.recorded_terminal(session, SIZE, &["host-runner", "up", "--session", session]);
    terminal.wait("a board", is_board);
    terminal
}

fn bytes(terminal: &Terminal) -> Vec<u8> {
    terminal.recording().unwrap().bytes
}

/// How often a terminal was rung: every BEL but those that end a command to it, as that of a notification does.
fn bells(terminal: &Terminal) -> usize {
    let (mut bells, mut inside) = (0, false);
    let mut before = 0;
    for byte in bytes(terminal) {
        match (before, byte) {
            (0x1b, b']' | b'P' | b'_' | b'^') => inside = true,
            (0x1b, b'\\') => inside = false,
            (_, BELL) if inside => inside = false,
            (_, BELL) => bells += 1,
            _ => {}
        }
        before = byte;
    }
    bells
}

/// How often the terminals were told this.
fn told(terminals: &[&Terminal], text: &str) -> usize {
    let times = |terminal: &&Terminal| {
        bytes(terminal).windows(text.len()).filter(|window| *window == text.as_bytes()).count()
    };
    terminals.iter().map(times).sum()
}

fn wait_told(terminals: &[&Terminal], text: &str) {
    seen_within(PATIENCE, text, || match told(terminals, text) {
        0 => Err("nobody was told"),
        _ => Ok(()),
    });
}

#[test]
fn of_two_boards_one_terminal_is_told_once_and_nobody_who_looks_at_the_session() {
    let world = World::new();
    let first = board(&world, "first");
    first.wait_for(EMPTY);
    let second = board(&world, "second");
    world.wait_runners("link", 2);
    let both = [&first, &second];
    world.start_actor("good", &["exit", "0"]);
    wait_told(&both, "Agent Board: good has finished");

    world.start_actor("watched", &["ask", "Really?"]);
    enter(&first, "watched", "Really?");
    let rung = || both.map(bells).iter().sum::<usize>();
    let before = rung();
    assert!(before > 0, "the first one rang, too");
    first.line("yes");
    world.wait_state("watched", "idle");
    world.start_actor("last", &["exit", "3"]);
    wait_told(&both, "Agent Board: last failed");
    // What was to be told before it was told before it.
    assert_eq!(told(&both, "Agent Board: good has finished"), 1, "once, in one of them");
    assert_eq!(told(&both, "Agent Board: watched"), 0, "the person looked at it");
    assert_eq!(told(&both, "Agent Board: last failed"), 1);
    seen_within(PATIENCE, "a bell with it", || if rung() > before { Ok(()) } else { Err(both.map(bells)) });
}
