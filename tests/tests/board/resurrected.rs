//! A zellij session that ended and is brought back: its panes are held, and its layout's keys are forgotten. The board runs
//! its own panes again, or closes them.

use crate::support::{enter, is_board, leave, select, up, wait_locked, wait_normal, wait_row};
use board_protocol::state::SemanticState::{Stopped, Working};
use e2e::{
    Terminal, World, keys,
    wait::{eventually, seen_within},
    world::Grant,
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// The session that `up` opens.
const SESSION: &str = "agent-board";
/// The board, from anywhere.
const TO_BOARD: &str = "\x1b\x01";
/// zellij writes its layout down once a second here, and may take several of them.
const PATIENCE: Duration = Duration::from_secs(90);

/// How often somebody attaches whom zellij then throws out, and how long it may take to draw its first line.
const JOINS: usize = 5;
const FIRST_LINE: Duration = Duration::from_secs(20);

/// What zellij would bring back.
fn serialised(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => serialised(&path),
            false => vec![path],
        })
        .filter(|path| path.ends_with("session-layout.kdl"))
        .collect()
}

/// Waits until zellij has written down panes with all of these words.
fn wait_serialised(world: &World, words: &[&str]) {
    seen_within(PATIENCE, "a session on disk with every pane", || {
        let texts: Vec<String> = serialised(&world.path("home/.cache"))
            .iter()
            .map(|path| fs::read_to_string(path).unwrap_or_default())
            .collect();
        let all = texts.iter().any(|text| words.iter().all(|word| text.contains(word)));
        if all { Ok(()) } else { Err(texts) }
    });
}

/// Kills zellij as a power cut would, and brings its session back.
fn back_from_the_dead(world: &World, terminal: Terminal) -> Terminal {
    for server in world.zellij_servers() {
        world.kill(&server);
    }
    drop(terminal);
    world.wait_runners("attach", 0);
    world.wait_runners("link", 0);
    // zellij may remove a client that has just come, as [`e2e::steps::join`] tells.
    for _ in 0..JOINS {
        let terminal = world.terminal("resurrected", &["zellij", "attach", SESSION]);
        if terminal.shows_within(FIRST_LINE, |screen| screen.has("Zellij (")) {
            terminal.wait("the board again", is_board);
            return terminal;
        }
    }
    panic!("zellij lets nobody in");
}

#[test]
fn a_session_that_zellij_brings_back_has_its_link_its_panes_and_its_keys_again() {
    let world = World::with(Grant::Given, "serialization_interval 1");
    let terminal = up(&world);
    let mut ids = Vec::new();
    for name in ["goes-on", "ended"] {
        ids.push(world.start_actor(name, &["lines"]));
        wait_row(&terminal, name, Working);
        enter(&terminal, name, "lines:");
        terminal.line(&format!("typed into {name}"));
        terminal.wait_for(&format!("got: typed into {name}"));
        terminal.send(TO_BOARD);
        terminal.wait("the board", is_board);
        wait_normal(&terminal);
    }
    world.wait_tabs(SESSION, 3);
    let words: Vec<&str> = ids.iter().map(String::as_str).chain(["\"link\"", "agent-board.wasm"]).collect();
    wait_serialised(&world, &words);
    let terminal = {
        world.runner(&["stop", "ended"]).ok();
        wait_row(&terminal, "ended", Stopped);
        back_from_the_dead(&world, terminal)
    };
    // The link's pane waits, as every command of a session that was brought back: the board runs it.
    world.wait_runners("link", 1);
    wait_row(&terminal, "goes-on", Working);
    // The pane of the session that lives shows it again, the other one is gone.
    world.wait_runners("attach", 1);
    world.wait_tabs(SESSION, 2);
    select(&terminal, "goes-on");
    terminal.send(keys::RIGHT);
    wait_locked(&terminal);
    terminal.wait_for("got: typed into goes-on");
    world.wait_runners("attach", 1);
    // The keys that work from anywhere are the board's, not the layout's.
    terminal.send(TO_BOARD);
    terminal.wait("the board", is_board);
    wait_normal(&terminal);
    enter(&terminal, "goes-on", "typed into goes-on");
    leave(&terminal);
    world.wait_tabs(SESSION, 1);
    eventually("nothing that waits for a key", || {
        let panes = world.zellij(&["--session", SESSION, "action", "list-panes", "--all"]).ok().stdout;
        (!panes.contains(" attach ")).then_some(())
    });
}
