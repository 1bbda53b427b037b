//! Starting a session where others run already: until its first screen is seen, and until the starter may go on.

use super::{
    Effort,
    raw::RawTerminal,
    report::{Line, Unit},
    stats::Samples,
    way::{Way, tmux},
};
use crate::{World, run::run, wait::DEADLINE, world::SIZE};
use std::{
    process::Command,
    time::{Duration, Instant},
};

/// What the session prints, in hexadecimal: its words must not stand on any command line that could be shown.
const FIRST_HEX: &str = "66697273742d73637265656e";
/// The same as it is seen.
const FIRST: &[u8] = b"first-screen";

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    let with_tmux = Way::available().contains(&Way::Tmux);
    let (mut seen, mut gone_on) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let rounds = effort.pick(20, 8);
    for round in 0..=rounds {
        let ours = screen(world.runner_command(&[
            "start", "--attach", "--name", "seen", "--", "actor", "raw", FIRST_HEX, "wait",
        ]));
        let left = detached(world.runner_command(&["start", "--name", "left", "--", "actor", "wait"]));
        let theirs = with_tmux.then(|| {
            let mut command = tmux(&world);
            command.args(["new-session", "actor", "raw", FIRST_HEX, "wait"]);
            let seen = screen(command);
            let mut command = tmux(&world);
            command.args(["new-session", "-d", "actor", "wait"]);
            (seen, detached(command))
        });
        // The first round starts daemon and server.
        if round > 0 {
            seen[0].push(ours);
            gone_on[0].push(left);
            if let Some((their, left)) = theirs {
                seen[1].push(their);
                gone_on[1].push(left);
            }
        }
    }
    vec![
        line("start to first screen", &seen, "-"),
        line("start in the background, until the command returns", &gone_on, "-"),
    ]
}

fn line(name: &str, [ours, theirs]: &[Vec<f64>; 2], budget: &str) -> Line {
    let line = Line::new(name, Unit::Milliseconds, &Samples::new(ours.iter().copied()), budget);
    if theirs.is_empty() { line } else { line.beside("tmux", ours, theirs) }
}

fn screen(command: Command) -> f64 {
    super::pass(Duration::from_millis(50));
    let start = Instant::now();
    let mut terminal = RawTerminal::open(command, SIZE);
    let took = terminal.until(FIRST) - start;
    terminal.close();
    took.as_secs_f64() * 1e3
}

fn detached(command: Command) -> f64 {
    super::pass(Duration::from_millis(50));
    run(command, b"", DEADLINE).ok().took.as_secs_f64() * 1e3
}
