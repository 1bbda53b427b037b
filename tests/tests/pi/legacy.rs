//! Attach without snapshots, the way out if they are ever wrong: pi draws its own screen because its size changes for a moment
//! (reference E.12), and has its size back afterwards.

use crate::{
    both,
    stage::{DEADLINE, Stage},
};
use e2e::{Terminal, model_server::Step, wait::seen_within};
use std::fs;

const SAID: &str = "There is nothing left to do.";

/// Attaches with the kill switch.
fn attach(stage: &Stage, id: &str) -> Terminal {
    let argv = ["env", "AGENT_BOARD_TERMINAL_SNAPSHOT=0", "host-runner", "attach", id];
    stage.world.terminal("legacy attach", &argv)
}

/// The terminal that pi runs on, as `stty size` prints its size.
fn size_of(stage: &Stage, id: &str) -> String {
    let host = stage.show(id)["host"]["process"]["pid"].as_u64().unwrap();
    let children = fs::read_to_string(format!("/proc/{host}/task/{host}/children")).unwrap();
    let child = children.split_whitespace().next().unwrap();
    let stdin = fs::File::open(format!("/proc/{child}/fd/0")).unwrap();
    let size = rustix::termios::tcgetwinsize(stdin).unwrap();
    format!("{} {}", size.ws_row, size.ws_col)
}

/// The pane comes to show what the session's own terminal shows, and the size is whole.
fn assert_whole(stage: &Stage, id: &str, mut terminal: Terminal) {
    terminal.wait_within(DEADLINE, "what pi said", |screen| screen.has(SAID));
    seen_within(DEADLINE, "the pane shows pi's own screen", || {
        let shown = terminal.screen().text();
        let own = stage.world.runner(&["screen", id]).stdout;
        let rows =
            |text: &str| text.trim_end().lines().map(|row| row.trim_end().to_owned()).collect::<Vec<_>>();
        if rows(&shown) == rows(&own) { Ok(()) } else { Err(format!("{shown}\n-- its own:\n{own}")) }
    });
    seen_within(DEADLINE, "pi has its size back", || match size_of(stage, id) {
        size if size == "36 120" => Ok(()),
        size => Err(size),
    });
    terminal.send(e2e::keys::DETACH);
    terminal.wait_ended();
    assert_eq!(size_of(stage, id), "36 120");
}

both! {
    /// pi has drawn everything before anybody looks.
    fn i4_legacy_warm(stage) {
        stage.model.push(Step::text(SAID));
        let id = stage.start("do it");
        stage.wait_summary(&id, SAID);
        let terminal = attach(stage, &id);
        assert_whole(stage, &id, terminal);
    }

    /// It is still starting.
    fn i4_legacy_cold(stage) {
        stage.model.push(Step::text(SAID));
        let id = stage.start("do it");
        let terminal = attach(stage, &id);
        assert_whole(stage, &id, terminal);
    }
}
