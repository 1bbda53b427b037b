//! Flow 5: several zellij clients and sessions on one root. Each board works and follows; an action happens once.

use crate::support::{EMPTY, enter, insert, is_board, join, leave, select, selected, up, up_as, wait_row};
use board_protocol::state::SemanticState::{Stopped, Working};
use e2e::{World, keys, processes::Process, wait::eventually};

#[test]
fn flow5_two_clients_on_one_session_each_work_and_an_action_happens_once() {
    let world = World::new();
    let first = up(&world);
    first.wait_for(EMPTY);
    let second = up_as(&world, "second");
    second.wait_for(EMPTY);
    insert(&first, "exec actor lines");
    for terminal in [&first, &second] {
        terminal.wait("one running row", |screen| {
            screen.groups().iter().any(|group| group.state == Working && group.rows.len() == 1)
        });
    }
    assert_eq!(world.rows().len(), 1, "started once");
    insert(&second, "exec actor wait");
    first.wait("two running rows", |screen| {
        screen.groups().iter().any(|group| group.state == Working && group.rows.len() == 2)
    });
    assert_eq!(world.rows().len(), 2);
    // Each has a selection of its own.
    let of_second = selected(&second.wait("a selection", |screen| selected(screen).is_some()));
    let before = selected(&first.wait("a selection", |screen| selected(screen).is_some()));
    first.send(keys::DOWN);
    first.wait("the selection moves", |screen| {
        let now = selected(screen);
        now.is_some() && now != before
    });
    second.wait("its own selection", |screen| selected(screen) == of_second);
    // One client attaches: one pane, and the other one keeps its board.
    let name = world
        .rows()
        .iter()
        .find(|row| row["summary"].to_string().contains("lines") || row["name"].to_string().contains("lines"))
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .unwrap_or_else(|| world.rows()[0]["name"].as_str().unwrap().to_owned());
    let id = world.rows().iter().find(|row| row["name"] == *name).unwrap()["id"].as_str().unwrap().to_owned();
    select(&first, name.split_whitespace().last().unwrap());
    first.send(keys::RIGHT);
    first.wait_for("lines:");
    world.wait_runners("attach", 1);
    second.wait("the board that it had", is_board);
    first.line("one");
    first.wait_for("got: one");
    leave(&first);
    assert_eq!(world.row(&id).unwrap()["state"], "working");
    world.wait_runners("link", 1);
    eventually("one pair of pipes", || {
        (world.processes().iter().filter(|process| process.is_zellij_pipe()).count() == 2).then_some(())
    });
}

#[test]
fn flow5_two_zellij_sessions_on_one_root_follow_each_other() {
    let world = World::new();
    let first = up(&world);
    let second = world.terminal("second", &["zellij", "--session", "another"]);
    second.wait("a prompt", |screen| screen.has("another") && screen.has("$"));
    second.line("host-runner up");
    second.wait("the other board", is_board);
    world.start_actor("seen", &["lines"]);
    wait_row(&first, "seen", Working);
    wait_row(&second, "seen", Working);
    world.wait_runners("daemon", 1);
    world.wait_runners("link", 2);
    // Both enter the same session; each gets a pane in its own zellij.
    enter(&first, "seen", "lines:");
    second.wait("the board that it had: the other zellij does nothing", is_board);
    enter(&second, "seen", "lines:");
    first.line("from the first");
    second.wait_for("got: from the first");
    second.line("from the second");
    first.wait_for("got: from the second");
    leave(&first);
    second.wait_for("got: from the second");
    leave(&second);
    // One acts, both see it.
    select(&second, "seen");
    second.send("s");
    second.wait_for("(y/N)");
    second.send("y");
    wait_row(&second, "seen", Stopped);
    wait_row(&first, "seen", Stopped);
}

#[test]
fn flow5_a_client_that_detached_finds_its_board_again() {
    let world = World::new();
    let mut first = up(&world);
    world.start_actor("patient", &["lines"]);
    wait_row(&first, "patient", Working);
    // Zellij's own detach.
    first.send(keys::ctrl('o')).send("d");
    first.wait_ended();
    world.start_actor("meanwhile", &["lines"]);
    let again = up_as(&world, "again");
    wait_row(&again, "meanwhile", Working);
    // Once more, by closing the window, while it is inside a session.
    enter(&again, "patient", "lines:");
    again.close();
    let third = join(&world, "third");
    third.wait("board or session", |screen| is_board(screen) || screen.has("lines:"));
    if !is_board(&third.screen()) {
        leave(&third);
    }
    world.runner(&["stop", "meanwhile"]).ok();
    wait_row(&third, "meanwhile", Stopped);
    enter(&third, "patient", "lines:");
    third.line("hello");
    third.wait_for("got: hello");
    world.wait_runners("link", 1);
    // An action happens once, whatever instances remain.
    world.wait_tabs("agent-board", 2);
}

#[test]
fn flow5_a_renamed_session_still_follows_and_recovers() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("early", &["lines"]);
    wait_row(&terminal, "early", Working);
    world.zellij(&["--session", "agent-board", "action", "rename-session", "renamed"]).ok();
    terminal.wait_for("renamed");
    world.start_actor("late", &["lines"]);
    wait_row(&terminal, "late", Working);
    // A lost pipe child is replaced under the new name.
    eventually("a pair of pipes", || {
        (world.processes().iter().filter(|process| process.is_zellij_pipe()).count() == 2).then_some(())
    });
    // Down first, then whichever child listens by then: the link may have replaced both.
    for _ in 0..2 {
        let pipe = eventually("a pipe child", || world.processes().into_iter().find(Process::is_zellij_pipe));
        world.kill_if_running(&pipe);
    }
    world.start_actor("latest", &["lines"]);
    wait_row(&terminal, "latest", Working);
    enter(&terminal, "latest", "lines:");
    leave(&terminal);
}
