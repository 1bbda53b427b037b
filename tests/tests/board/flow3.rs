//! Flow 3: entering a session, typing into it, leaving it, coming back.

use crate::support::{enter, is_board, leave, select, up, wait_normal, wait_row};
use board_protocol::state::SemanticState::{Idle, Working};
use e2e::{World, keys};
use std::fs;

#[test]
fn flow3_the_attach_pane_is_drawn_and_typing_reaches_the_session() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("talker", &["say", "drawn before", "lines"]);
    wait_row(&terminal, "talker", Working);
    enter(&terminal, "talker", "drawn before");
    // zellij draws the pane first and its tab bar when it comes to it.
    terminal.wait_for("talker");
    terminal.line("hello from the pane");
    terminal.wait_for("got: hello from the pane");
    // In a tab of its own.
    world.wait_tabs("agent-board", 2);
    world.wait_row("talker", "alive", |row| row["state"] == "working");
}

#[test]
fn flow3_detaching_returns_to_the_board_and_attaching_again_focuses_the_same_pane() {
    let world = World::new();
    let terminal = up(&world);
    let id = world.start_actor("kept", &["lines"]);
    wait_row(&terminal, "kept", Working);
    enter(&terminal, "kept", "lines:");
    terminal.line("one");
    terminal.wait_for("got: one");
    terminal.line("half a li\x1b[D");
    leave(&terminal);
    assert_eq!(world.row(&id).unwrap()["host_state"], "alive");
    // Meanwhile the session goes on.
    let mut other = world.terminal("other", &["host-runner", "attach", "kept"]);
    other.wait_for("got: one");
    other.line("two");
    other.wait_for("got: two");
    other.send(keys::DETACH);
    other.wait_ended();
    let screen = enter(&terminal, "kept", "got: two");
    assert!(screen.has("got: one"), "nothing is lost:\n{screen}");
    // One tab for the session, however often it is entered.
    world.wait_tabs("agent-board", 2);
    leave(&terminal);
    // Ctrl+Left detaches as well.
    enter(&terminal, "kept", "got: two");
    terminal.send(keys::CTRL_LEFT);
    terminal.wait("the board again", is_board);
    assert_eq!(world.row(&id).unwrap()["state"], "working");
}

#[test]
fn flow3_a_pane_that_already_shows_the_session_is_focused() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("twice", &["lines"]);
    wait_row(&terminal, "twice", Working);
    enter(&terminal, "twice", "lines:");
    // Back to the board with zellij's own keys: the attach client stays where it is.
    terminal.send("\x1b\x07");
    wait_normal(&terminal);
    terminal.send(keys::alt('h'));
    terminal.wait("the board by zellij's keys", is_board);
    world.wait_runners("attach", 1);
    let client = world.runners("attach").remove(0);
    enter(&terminal, "twice", "lines:");
    let clients = world.runners("attach");
    assert_eq!(clients, [client], "the same client in the same pane");
}

// Field report B13: zellij kept chords that agents need. Every chord of its default bindings.
#[test]
fn flow3_b13_zellijs_chords_reach_the_session_and_work_again_after_it() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("chords", &["hex"]);
    wait_row(&terminal, "chords", Working);
    enter(&terminal, "chords", "hex:");
    for (letter, hex) in [
        ('t', "<14>"),
        ('o', "<0f>"),
        ('g', "<07>"),
        ('p', "<10>"),
        ('n', "<0e>"),
        ('s', "<13>"),
        ('q', "<11>"),
        ('b', "<02>"),
        ('h', "<08>"),
    ] {
        terminal.send(keys::ctrl(letter));
        terminal.wait_for(hex);
    }
    // Alt with a bracket is the beginning of a sequence in the bytes of a plain terminal, and no key of its own.
    for letter in "nfiohjkl=+-p".chars() {
        terminal.send(keys::alt(letter));
        let hex = format!("<1b><{:02x}>", letter as u32);
        // The line of all that came may be wrapped in between.
        terminal.wait(&format!("{hex} on the screen"), |screen| {
            let text: String = screen.text().split_whitespace().collect();
            text.contains(&hex)
        });
    }
    leave(&terminal);
    // Normal mode: a tab opens as always.
    terminal.send(keys::ctrl('t')).send("n");
    terminal.wait("a new tab", |screen| !is_board(screen) && screen.has("$"));
    let screen = world.wait_text("chords", "<02>");
    assert_eq!(screen.matches("<14>").count(), 1, "nothing arrived twice: {screen}");
}

#[test]
fn flow3_full_screen_programs_are_drawn_and_sized_to_the_pane() {
    let world = World::new();
    let terminal = up(&world);
    let text: String = (1..=500).map(|number| format!("text line {number}\n")).collect();
    fs::write(world.path("home/work/text"), text).unwrap();
    world.start(&["--name", "pager", "--", "less", "work/text"]);
    world.wait_text("pager", "text line 1");
    wait_row(&terminal, "pager", Working);
    enter(&terminal, "pager", "text line 20");
    // less leaves its read by a long jump when the size changes, and may lose a key that it had read just then: the key
    // is typed once it has drawn for the pane.
    terminal.wait("less in the size of the pane", |screen| {
        screen.lines().get(1).is_some_and(|line| line == "text line 1")
            && screen.has("text line 32")
            && !screen.has("text line 35")
    });
    terminal.send("G");
    terminal.wait_for("text line 500");
    leave(&terminal);
    world.start_actor("sized", &["size"]);
    world.wait_text("sized", "size 120x36");
    enter(&terminal, "sized", "size ");
    // The session takes the size of the pane, which is smaller than the terminal by zellij's frames and bars.
    terminal.wait("the size of the pane", |screen| {
        screen.lines().iter().filter(|line| line.contains("size ") && !line.contains("size 120x36")).count()
            > 0
    });
    terminal.resize(board_protocol::ids::Size { cols: 100, rows: 30 });
    terminal.wait("the size after a change", |screen| {
        screen.lines().iter().any(|line| line.contains("size 100x") || line.contains("size 98x"))
    });
}

#[test]
fn flow3_a_session_that_ends_closes_its_pane_and_brings_the_board_back() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("ends", &["lines"]);
    wait_row(&terminal, "ends", Working);
    enter(&terminal, "ends", "lines:");
    terminal.line("quit");
    let screen = terminal.wait("the board", is_board);
    assert!(!screen.has("re-run"), "{screen}");
    wait_row(&terminal, "ends", Idle);
    world.wait_runners("attach", 0);
    // zellij's own keys work there: the mode went back with the focus.
    wait_normal(&terminal);
    terminal.send(keys::ctrl('t')).send("n");
    terminal.wait("a new tab", |screen| !is_board(screen) && screen.has("$"));
}

#[test]
fn flow3_an_ended_generic_row_says_how_it_ended_and_offers_a_rerun() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("over", &["say", "ran", "exit", "3"]);
    wait_row(&terminal, "over", board_protocol::state::SemanticState::Failed);
    let created = world.row("over").unwrap()["created_at_ms"].clone();
    select(&terminal, "over");
    terminal.send(keys::RIGHT);
    let screen = terminal.wait_for("(y/N)");
    assert!(screen.has("code 3"), "how it ended: {screen}");
    terminal.send("n");
    terminal.wait_gone("(y/N)");
    assert_eq!(world.row("over").unwrap()["state"], "failed");
    terminal.send(keys::RIGHT);
    terminal.wait_for("(y/N)");
    terminal.send("y");
    // The same row runs once more and ends the same way.
    let row = world.wait_row("over", "ran again", |row| {
        row["state"] == "failed" && row["last_activity_at_ms"].as_u64() > created.as_u64()
    });
    assert_eq!(row["created_at_ms"], created);
    assert_eq!(world.rows().len(), 1);
}
