//! The harness proves itself on a bare zellij, without a line of ours in it.

use board_protocol::ids::Size;
use e2e::{World, keys, wait::eventually};
use std::process::Command;

fn bare(world: &World) -> e2e::Terminal {
    let terminal = world.recorded_terminal("zellij", e2e::world::SIZE, &["zellij", "--session", "bare"]);
    // The session's name stands in the tab bar, the prompt in the first pane.
    terminal.wait("a prompt inside zellij", |screen| screen.has("bare") && screen.has("$"));
    terminal
}

#[test]
fn a_person_types_into_a_pane_and_opens_a_tab() {
    let world = World::new();
    let terminal = bare(&world);
    terminal.line("echo one-$((1+1))");
    terminal.wait_for("one-2");
    terminal.send(keys::ctrl('t')).send("n");
    terminal.wait("a second tab", |screen| screen.has("Tab #2") && !screen.has("one-2"));
    terminal.line("echo two-$((1+1))");
    terminal.wait_for("two-2");
    // zellij was told that this terminal shows whole pictures only: no predicate ever sees half of one.
    let bytes = terminal.recording().unwrap().bytes;
    assert!(bytes.windows(8).any(|part| part == b"\x1b[?2026h"), "{}", bytes.escape_ascii());
}

#[test]
fn a_killed_server_ends_its_client_and_a_detached_one_is_attached_again() {
    let world = World::new();
    let mut terminal = bare(&world);
    terminal.line("echo kept-$((1+1))");
    terminal.wait_for("kept-2");
    terminal.send(keys::ctrl('o')).send("d");
    assert!(terminal.wait_ended().success());
    let mut again = world.terminal("again", &["zellij", "attach", "bare"]);
    again.wait_for("kept-2");
    let servers = world.zellij_servers();
    assert_eq!(servers.len(), 1, "{servers:?}");
    world.kill(&servers[0]);
    again.wait_ended();
}

#[test]
fn two_clients_share_a_session_and_it_can_be_renamed() {
    let world = World::new();
    let first = bare(&world);
    let second = world.terminal("second", &["zellij", "attach", "bare"]);
    second.wait_for("$");
    first.line("echo both-$((1+1))");
    second.wait_for("both-2");
    world.zellij(&["--session", "bare", "action", "rename-session", "renamed"]).ok();
    first.wait_for("renamed");
    second.wait_for("renamed");
}

#[test]
fn the_end_of_a_world_is_the_end_of_its_processes_and_of_no_other() {
    let mut foreign = Command::new("sleep").arg("600").spawn().unwrap();
    let world = World::new();
    let terminal = world.terminal("actor", &["actor", "say", "hello", "child", "stray", "wait"]);
    let screen = terminal.wait("both children", |screen| screen.has("child ") && screen.has("stray "));
    let pid = |name: &str| screen.line_with(name).unwrap().trim_start_matches(name).parse::<u32>().unwrap();
    let (child, stray) = (pid("child "), pid("stray "));
    let running = eventually("the actor and both children", || {
        let running = world.processes();
        let there = |pid: u32| running.iter().any(|process| process.identity.pid == pid);
        (running.len() == 3 && there(child) && there(stray)).then_some(running)
    });
    let session = |pid| running.iter().find(|process| process.identity.pid == pid).unwrap().session;
    assert_ne!(session(child), session(stray), "{running:?}");
    drop((terminal, world));
    assert!(running.iter().all(|process| !process.runs()), "{running:?}");
    assert!(foreign.try_wait().unwrap().is_none(), "a process of somebody else was ended");
    foreign.kill().unwrap();
    foreign.wait().unwrap();
}

#[test]
fn the_actor_plays_every_part() {
    let world = World::new();
    let terminal = world.terminal_of(
        "actor",
        Size { cols: 60, rows: 20 },
        &["actor", "env", "HOME", "env", "NOBODY", "ask", "Really?", "raw", "3c3e0a", "hex", "exit", "7"],
    );
    terminal.wait("a question", |screen| screen.has("HOME=/tmp/ab") && screen.has("NOBODY=(unset)"));
    terminal.line("yes");
    terminal.wait("the answer", |screen| screen.has("answer: yes") && screen.has("<>") && screen.has("hex:"));
    terminal.send([0x14, 0x1c, 0x07, 0x04]);
    let mut terminal = terminal;
    assert_eq!(terminal.wait_ended().code(), Some(7));
    assert!(terminal.screen().has("<14><1c><07><04>"), "{}", terminal.screen());

    let drawn = world.terminal_of("drawn", Size { cols: 40, rows: 10 }, &["actor", "draw", "wait"]);
    let screen = drawn.wait_for("row 10");
    assert_eq!(screen.lines()[9], "row 10");

    let sized = world.terminal_of("sized", Size { cols: 40, rows: 10 }, &["actor", "size"]);
    sized.wait_for("size 40x10");
    sized.resize(Size { cols: 44, rows: 12 });
    sized.wait_for("size 44x12");
}
