//! Flow 2: `i`, a command line, Enter: the session runs in the background and its row moves through its states.

use crate::support::{EMPTY, insert, select, up, wait_row};
use board_protocol::state::SemanticState::{Failed, Idle, Stopped, Working};
use e2e::{World, keys, wait::eventually};

#[test]
fn flow2_a_command_line_is_started_in_the_background_and_ends_well() {
    let world = World::new();
    let terminal = up(&world);
    terminal.wait_for(EMPTY);
    insert(&terminal, "actor ask Really?");
    // In the background: the board stays, the new row stands under Running.
    terminal.wait("a running row", |screen| {
        screen.groups().iter().any(|g| g.state == Working && g.rows.len() == 1)
    });
    let rows = world.rows();
    assert_eq!(rows.len(), 1, "{rows:#?}");
    let id = rows[0]["id"].as_str().unwrap().to_owned();
    let name = rows[0]["name"].as_str().unwrap().to_owned();
    world.wait_text(&id, "Really?");
    let mut other = world.terminal("other", &["host-runner", "attach", &id]);
    other.wait_for("Really?");
    other.line("yes");
    other.wait_ended();
    terminal.wait("the row under Needs instructions", |screen| {
        screen.groups().iter().any(|group| group.state == Idle && group.rows.len() == 1)
    });
    let row = world.wait_state(&id, "idle");
    assert_eq!((&row["host_state"], &row["busy"]), (&"exited".into(), &false.into()), "{row:#}");
    assert_eq!(row["name"], *name, "the name stays");
}

#[test]
fn flow2_the_line_is_given_to_the_persons_shell_where_the_board_is() {
    let world = World::new();
    let terminal = up(&world);
    insert(&terminal, "echo sum=$((40+2)) in=$(pwd); exec actor wait");
    let id = eventually("a row", || world.rows().first().map(|row| row["id"].as_str().unwrap().to_owned()));
    let screen = world.wait_text(&id, "sum=42");
    let home = world.home().canonicalize().unwrap();
    assert!(screen.replace('\n', "").contains(&format!("in={}", home.display())), "{screen}");
}

// zellij's plugin library keeps one byte of a typed character: 主 became `;`, and the rest of the line a second command.
#[test]
fn flow2_characters_beyond_latin_are_typed_as_they_are() {
    let world = World::new();
    let terminal = up(&world);
    terminal.wait_for(EMPTY);
    insert(&terminal, "echo 主习日本語é😀; exec actor wait");
    let id = eventually("a row", || world.rows().first().map(|row| row["id"].as_str().unwrap().to_owned()));
    world.wait_text(&id, "主习日本語é😀");
}

#[test]
fn flow2_failure_and_stop_are_seen_on_the_board() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("fails", &["exit", "3"]);
    wait_row(&terminal, "fails", Failed);
    world.start_actor("runs", &["wait"]);
    wait_row(&terminal, "runs", Working);
    select(&terminal, "runs");
    // A generic session has no turn to interrupt: `s` asks to stop at once, and only y does it (decisions 3 and 13).
    terminal.send("s");
    let asked = terminal.wait_for("(y/N)");
    assert!(asked.has("Stop \"runs\"? The agent ends; its session is kept. (y/N)"), "{asked}");
    terminal.send(keys::ENTER);
    terminal.wait_gone("(y/N)");
    assert_eq!(world.row("runs").unwrap()["state"], "working", "Enter cancels");
    terminal.send("s");
    terminal.wait_for("(y/N)");
    terminal.send("y");
    wait_row(&terminal, "runs", Stopped);
    // Groups stand in their order whatever happened when.
    let states: Vec<_> = terminal.screen().groups().iter().map(|group| group.state).collect();
    assert!(states.is_sorted(), "{states:?}");
}

#[test]
fn flow2_a_draft_is_edited_and_can_be_left() {
    let world = World::new();
    let terminal = up(&world);
    terminal.send("i");
    terminal.wait_for("INSERT");
    terminal.send("actor wrong");
    terminal.wait_for("actor wrong");
    for _ in 0..5 {
        terminal.send(keys::BACKSPACE);
    }
    terminal.wait("five characters less", |screen| screen.has("actor") && !screen.has("actor w"));
    terminal.send(keys::ESC);
    terminal.wait("the normal mode", |screen| !screen.has("INSERT"));
    assert!(world.rows().is_empty(), "Esc starts nothing");
    // A paste is text, whatever it holds; letters are no keys while a draft is written.
    terminal.send("i");
    terminal.wait_for("INSERT");
    for _ in 0..10 {
        terminal.send(keys::BACKSPACE);
    }
    terminal.send(keys::paste("actor say pasted wait"));
    terminal.wait_for("actor say pasted wait");
    terminal.send(keys::ENTER);
    let row = eventually("one row", || world.rows().first().cloned());
    world.wait_text(row["id"].as_str().unwrap(), "pasted");
    assert_eq!(world.rows().len(), 1);
}

#[test]
fn flow2_rows_keep_their_order_and_the_selection_follows_its_row() {
    let world = World::new();
    let terminal = up(&world);
    for name in ["first", "second", "third"] {
        world.start_actor(name, &["lines"]);
    }
    wait_row(&terminal, "third", Working);
    select(&terminal, "second");
    // Activity never reorders.
    let mut other = world.terminal("other", &["host-runner", "attach", "third"]);
    other.wait_for("lines:");
    other.line("busy");
    other.wait_for("got: busy");
    let order = |screen: &e2e::Screen| -> Vec<String> {
        screen.groups().into_iter().flat_map(|g| g.rows).map(|r| r.text).collect()
    };
    let rows = order(&terminal.screen());
    let position = |name: &str| rows.iter().position(|row| row.contains(name));
    assert!(position("first") < position("second") && position("second") < position("third"), "{rows:?}");
    // The row changes its group: the selection goes with it.
    world.runner(&["stop", "second"]).ok();
    wait_row(&terminal, "second", Stopped);
    terminal.wait("the selection on the same row", |screen| screen.selects("second"));
    other.line("quit");
    other.wait_ended();
    wait_row(&terminal, "third", Idle);
    terminal.wait("the selection still on the same row", |screen| screen.selects("second"));
}
