//! Where sessions are shown that are entered (`attach_in`), and the keys that work from anywhere in a zellij session.

use crate::support::{enter, is_board, leave, select, up, wait_locked, wait_normal, wait_row};
use board_protocol::state::SemanticState::Working;
use e2e::{Screen, Terminal, World, keys, wait::eventually, world::Grant};
use std::fs;

/// The session that `up` opens.
const SESSION: &str = "agent-board";
/// The board, from anywhere.
const TO_BOARD: &str = "\x1b\x01";
/// The next session that needs an answer, from anywhere.
const TO_NEXT: &str = "\x1b\x0e";
/// Out of a session, from anywhere.
const OUT: &str = "\x1b\x0f";

/// A board whose sessions open there, and two of them.
fn board(attach_in: &str, layout: &str) -> (World, Terminal) {
    board_in(World::new(), attach_in, layout)
}

fn board_in(mut world: World, attach_in: &str, layout: &str) -> (World, Terminal) {
    world.set_variable("AGENT_BOARD_ATTACH_IN", attach_in);
    world.set_variable("AGENT_BOARD_LAYOUT", layout);
    let terminal = up(&world);
    for name in ["first", "second"] {
        world.start_actor(name, &["lines"]);
        wait_row(&terminal, name, Working);
    }
    (world, terminal)
}

/// Selects a row, enters it and waits for its screen and Locked mode; the board may stay in view.
fn go_in(terminal: &Terminal, name: &str) -> Screen {
    select(terminal, name);
    terminal.send(keys::RIGHT);
    terminal.wait_for("lines:");
    let screen = wait_locked(terminal);
    terminal.line(&format!("typed into {name}"));
    terminal.wait_for(&format!("got: typed into {name}"));
    screen
}

/// Leaves with Ctrl+\ and waits until the session's pane is gone.
fn go_out(terminal: &Terminal, name: &str) {
    terminal.send(keys::DETACH);
    terminal.wait("the board alone", |screen| is_board(screen) && !screen.has(&format!("typed into {name}")));
    wait_normal(terminal);
}

fn panes(world: &World) -> String {
    world.zellij(&["--session", SESSION, "action", "list-panes", "--all"]).ok().stdout
}

/// Waits until no pane of an attach client is left, not even one whose command has ended.
fn wait_no_attach_pane(world: &World) {
    world.wait_runners("attach", 0);
    eventually("no pane of an attach client", || (!panes(world).contains(" attach ")).then_some(()));
}

#[test]
fn places_beside_opens_next_to_the_board_and_stacks_further_sessions() {
    let (world, terminal) = board("layout", "agent-board-side");
    let screen = go_in(&terminal, "first");
    assert!(is_board(&screen), "the board stays in view:\n{screen}");
    // The mode follows the focus: the board has zellij's keys again, and the session gets every chord.
    terminal.send(TO_BOARD);
    wait_normal(&terminal);
    let screen = go_in(&terminal, "second");
    assert!(is_board(&screen) && screen.has("first"), "{screen}");
    world.wait_tabs(SESSION, 1);
    world.wait_runners("attach", 2);
    // A session with a pane is focused, not opened again.
    terminal.send(TO_BOARD);
    wait_normal(&terminal);
    select(&terminal, "first");
    terminal.send(keys::RIGHT);
    wait_locked(&terminal);
    terminal.wait_for("got: typed into first");
    world.wait_runners("attach", 2);
    go_out(&terminal, "first");
    world.wait_runners("attach", 1);
    select(&terminal, "second");
    terminal.send(keys::RIGHT);
    wait_locked(&terminal);
    terminal.line("quit");
    wait_no_attach_pane(&world);
    wait_normal(&terminal);
    // What stood there before is back.
    eventually("the shell of the layout", || panes(&world).contains("Sessions").then_some(()));
}

// As the README and the help say it.
#[test]
fn places_side_is_the_short_word_for_the_layout_beside() {
    let world = World::new();
    let terminal = world.terminal("up", &["host-runner", "up", "--layout", "side"]);
    terminal.wait("the board beside a shell", |screen| is_board(screen) && screen.has("$"));
    assert!(panes(&world).contains("Sessions"), "{}", panes(&world));
    world.start_actor("first", &["lines"]);
    wait_row(&terminal, "first", Working);
    let screen = go_in(&terminal, "first");
    assert!(is_board(&screen), "the board stays in view:\n{screen}");
}

#[test]
fn places_in_place_takes_the_boards_place_and_gives_it_back() {
    let (world, terminal) = board("in_place", "agent-board");
    let screen = go_in(&terminal, "first");
    assert!(!is_board(&screen), "{screen}");
    world.wait_tabs(SESSION, 1);
    go_out(&terminal, "first");
    wait_no_attach_pane(&world);
    go_in(&terminal, "second");
    terminal.line("quit");
    terminal.wait("the board again", is_board);
    wait_no_attach_pane(&world);
    wait_normal(&terminal);
    // By the key from anywhere as well; the session goes on.
    go_in(&terminal, "first");
    terminal.send(TO_BOARD);
    terminal.wait("the board again", is_board);
    wait_normal(&terminal);
    wait_no_attach_pane(&world);
    wait_row(&terminal, "first", Working);
    let boards = panes(&world).lines().filter(|line| line.contains("agent-board.wasm")).count();
    assert_eq!(boards, 1, "{}", panes(&world));
}

#[test]
fn places_floating_lies_over_the_board_and_is_focused_again() {
    let (world, terminal) = board("floating", "agent-board");
    go_in(&terminal, "first");
    world.wait_tabs(SESSION, 1);
    // zellij's own key hides it; the board finds it again.
    terminal.send(TO_BOARD);
    terminal.wait("the board alone", |screen| is_board(screen) && !screen.has("typed into first"));
    wait_normal(&terminal);
    let client = world.runners("attach").remove(0);
    select(&terminal, "first");
    terminal.send(keys::RIGHT);
    terminal.wait_for("got: typed into first");
    wait_locked(&terminal);
    assert_eq!(world.runners("attach"), [client], "the same client in the same pane");
    go_out(&terminal, "first");
    wait_no_attach_pane(&world);
    go_in(&terminal, "second");
    terminal.line("quit");
    terminal.wait("the board alone", |screen| is_board(screen) && !screen.has("typed into second"));
    wait_no_attach_pane(&world);
    wait_normal(&terminal);
}

#[test]
fn places_a_tab_carries_name_and_glyph() {
    let (_world, terminal) = board("tab", "agent-board");
    enter(&terminal, "first", "lines:");
    terminal.wait_for("● first");
    leave(&terminal);
}

#[test]
fn places_an_unknown_value_is_a_warning() {
    let mut world = World::new();
    world.set_variable("AGENT_BOARD_ATTACH_IN", "moon");
    let terminal = up(&world);
    world.start_actor("first", &["lines"]);
    wait_row(&terminal, "first", Working);
    terminal.wait_for("AGENT_BOARD_ATTACH_IN: \"moon\" is not used");
    enter(&terminal, "first", "lines:");
    world.wait_tabs(SESSION, 2);
}

/// As the documentation says it.
const OWN_KEY: &str = r#"
keybinds {
    shared {
        bind "F12" {
            MessagePlugin {
                name "agent-board-key"
                payload "board"
            }
        }
    }
}
"#;

#[test]
fn places_keys_work_from_anywhere() {
    let (world, terminal) = board_in(World::with(Grant::Given, OWN_KEY), "tab", "agent-board");
    enter(&terminal, "first", "lines:");
    // From a session, in Locked mode.
    terminal.send(TO_BOARD);
    terminal.wait("the board", is_board);
    wait_normal(&terminal);
    world.wait_runners("attach", 1);
    // From a shell of the person's own.
    terminal.send(keys::ctrl('t')).send("n");
    terminal.wait("a shell", |screen| !is_board(screen) && screen.has("$"));
    terminal.send(OUT);
    terminal.wait("the board", is_board);
    terminal.send(TO_NEXT);
    terminal.wait_for("No session needs an answer");
    // By a key of the person's own configuration.
    enter(&terminal, "first", "lines:");
    terminal.send("\x1b[24~");
    terminal.wait("the board", is_board);
    wait_normal(&terminal);
    // Out of a session: its pane closes, and the session goes on.
    enter(&terminal, "first", "lines:");
    terminal.send(OUT);
    terminal.wait("the board", is_board);
    wait_normal(&terminal);
    wait_no_attach_pane(&world);
    wait_row(&terminal, "first", Working);
}

// zellij says nothing about a command that it does not find, and leaves a pane that waits for a key.
#[test]
fn places_a_pane_whose_command_is_not_found_is_closed() {
    for attach_in in ["beside", "in_place", "floating"] {
        let mut world = World::new();
        world.set_variable("AGENT_BOARD_ATTACH_IN", attach_in);
        // A runner that goes away once the board is open.
        let directory = world.path("installed");
        fs::create_dir_all(&directory).unwrap();
        let runner = directory.join("host-runner");
        for (from, to) in [
            (&world.programs().runner, &runner),
            (&world.programs().plugin, &directory.join("agent-board.wasm")),
        ] {
            if fs::hard_link(from, to).is_err() {
                fs::copy(from, to).unwrap();
            }
        }
        let terminal = world.terminal("up", &[runner.to_str().unwrap(), "up"]);
        terminal.wait("a board", is_board);
        world.start_actor("first", &["lines"]);
        wait_row(&terminal, "first", Working);
        fs::remove_file(&runner).unwrap();
        terminal.send(keys::RIGHT);
        terminal.wait_for("did not start");
        terminal.wait("the board again", is_board);
        wait_normal(&terminal);
        eventually("its pane is closed", || (!panes(&world).contains(" attach ")).then_some(()));
    }
}
