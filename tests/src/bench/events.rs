//! Something happens in a session; the person sees it on the board, in a real zellij.

use super::{
    Effort, pass,
    report::{Line, Unit},
    stats::Samples,
};
use crate::{World, world::SIZE};
use board_protocol::state::SemanticState;
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// Nothing else happens for so long before each event: the budget speaks of a quiet board.
const QUIET: Duration = Duration::from_millis(150);

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    let terminal = world.terminal_of("board", SIZE, &["host-runner", "up"]);
    terminal.wait_for("No sessions yet");
    let mut times = Vec::new();
    for number in 0..=effort.pick(60, 15) {
        let name = format!("event-{number}");
        let id = world.start_actor(&name, &["wait"]);
        terminal.wait("a running row", |screen| screen.state_of(&name) == Some(SemanticState::Working));
        let program = program_of(&world, &id);
        pass(QUIET);
        let start = Instant::now();
        world.signal(&program, Signal::KILL);
        terminal.wait("the row under Failed", |screen| screen.state_of(&name) == Some(SemanticState::Failed));
        // The first one has the plugin's code translated.
        if number > 0 {
            times.push(start.elapsed());
        }
        world.runner(&["rm", &id]).ok();
        terminal.wait("a row less", |screen| screen.state_of(&name).is_none());
    }
    vec![Line::new(
        "program's end to row on the board",
        Unit::Milliseconds,
        &Samples::of_times(&times),
        "p95 50 ms",
    )]
}

fn program_of(world: &World, id: &str) -> crate::processes::Process {
    let shown = world.runner(&["show", "--json", id]).ok().json();
    let pid = shown["child"]["pid"].as_u64().expect("its program runs");
    let of_it = |process: &crate::processes::Process| u64::from(process.identity.pid) == pid;
    world.processes().into_iter().find(of_it).expect("its program is of this world")
}
