//! The pipe output for status bars, read by a bar in a real zellij that takes messages apart as zjstatus does.

use crate::support::{up, wait_row};
use board_protocol::state::SemanticState::Working;
use e2e::{World, programs::Programs};

/// Opens the test's bar in a tab of its own, as a layout with a bar has one in every tab.
fn open_bar(world: &World) {
    let bar = format!("file:{}", Programs::status_bar().display());
    let act = |arguments: &[&str]| {
        world.zellij(&[&["--session", "agent-board", "action"], arguments].concat()).ok();
    };
    act(&["new-tab", "--name", "bars"]);
    world.wait_tabs("agent-board", 2);
    act(&["new-pane", "--plugin", &bar]);
}

#[test]
fn a_status_bar_is_told_the_counts_and_a_later_one_too() {
    let mut world = World::new();
    world.set_variable("AGENT_BOARD_STATUS_BAR", "zjstatus:jobs");
    world.set_variable("AGENT_BOARD_STATUS_BAR_FORMAT", "run {working} ask {needs_input} of {total}");
    let terminal = up(&world);
    world.start_actor("first", &["wait"]);
    wait_row(&terminal, "first", Working);
    // Born after the counts were said for the first time.
    open_bar(&world);
    terminal.wait_for("<pipe_jobs|run 1 ask 0 of 1>");
    world.start_actor("second", &["wait"]);
    terminal.wait_for("<pipe_jobs|run 2 ask 0 of 2>");
    world.runner(&["stop", "first"]).ok();
    terminal.wait_for("<pipe_jobs|run 1 ask 0 of 2>");
    // Without a daemon the counts are the last ones known.
    world.runner(&["shutdown"]).ok();
    terminal.wait_for("<pipe_jobs|? run 1 ask 0 of 2>");
}

#[test]
fn nothing_is_told_where_nobody_asked_for_it() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("first", &["wait"]);
    wait_row(&terminal, "first", Working);
    open_bar(&world);
    let line = "zjstatus::pipe::pipe_mine::said by hand";
    world.zellij(&["--session", "agent-board", "pipe", "--name", "zjstatus", "--", line]).ok();
    terminal.wait_for("<pipe_mine|said by hand>");
    // A change would be said at once.
    world.start_actor("second", &["exit", "0"]);
    world.wait_state("second", "idle");
    world
        .zellij(&["--session", "agent-board", "pipe", "--name", "zjstatus", "--", &format!("{line} again")])
        .ok();
    let screen = terminal.wait_for("said by hand again");
    assert!(!screen.has("pipe_agent_board"), "{screen}");
}
