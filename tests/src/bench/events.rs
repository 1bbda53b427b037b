//! Something happens in a session; the person sees it on the board, in a real zellij.

use super::{
    Effort,
    ear::{Ear, program_of},
    pass,
    report::{Line, Unit},
    stats::Samples,
};
use crate::{Terminal, World, wait::eventually};
use board_protocol::state::SemanticState;
use rustix::process::Signal;
use serde_json::json;
use std::time::{Duration, Instant};

/// Nothing else happens for so long before each event: the budget speaks of a quiet board.
const QUIET: Duration = Duration::from_millis(150);

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    let terminal = world.terminal("board", &["host-runner", "up"]);
    terminal.wait_for("No sessions yet");
    let questions = questions(&world, &terminal, effort.pick(100, 20));
    let ends = ends(&world, &terminal, effort.pick(40, 10));
    vec![
        Line::new(
            "agent's event to row on the board",
            Unit::Milliseconds,
            &Samples::of_times(&questions),
            "p95 50 ms",
        ),
        Line::new("program's end to row on the board", Unit::Milliseconds, &Samples::of_times(&ends), "-"),
    ]
}

/// A question opens and closes: the row moves to Needs answer and back.
fn questions(world: &World, terminal: &Terminal, count: usize) -> Vec<Duration> {
    let name = "asking";
    let mut ear = Ear::start(world, name);
    ear.say(json!({"type": "agent_start"}));
    ear.taken();
    terminal.wait("a running row", |screen| screen.state_of(name) == Some(SemanticState::Working));
    let mut times = Vec::new();
    for number in 0..count + 2 {
        let (kind, state) = if number % 2 == 0 {
            ("ui_prompt_start", SemanticState::NeedsInput)
        } else {
            ("ui_prompt_end", SemanticState::Working)
        };
        pass(QUIET);
        let start = Instant::now();
        ear.say(
            json!({"type": kind, "id": format!("q{}", number / 2), "kind": "confirm", "title": "May I?"}),
        );
        terminal.wait("the row under its state", |screen| screen.state_of(name) == Some(state));
        // The first two have the plugin's code translated.
        if number >= 2 {
            times.push(start.elapsed());
        }
        ear.taken();
    }
    times
}

/// A program is killed: the row moves to Failed.
fn ends(world: &World, terminal: &Terminal, count: usize) -> Vec<Duration> {
    let mut times = Vec::new();
    for number in 0..count {
        let name = format!("event-{number}");
        let id = world.start_actor(&name, &["wait"]);
        terminal.wait("a running row", |screen| screen.state_of(&name) == Some(SemanticState::Working));
        let program = eventually("its program", || program_of(world, &id));
        pass(QUIET);
        let start = Instant::now();
        world.signal(&program, Signal::KILL);
        terminal.wait("the row under Failed", |screen| screen.state_of(&name) == Some(SemanticState::Failed));
        times.push(start.elapsed());
        world.runner(&["rm", &id]).ok();
        terminal.wait("a row less", |screen| screen.state_of(&name).is_none());
    }
    times
}
