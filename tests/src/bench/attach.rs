//! Attaching to a session with 2,000 lines of history: from the start of the client to the last row of the screen.

use super::{
    Effort, pass,
    raw::RawTerminal,
    report::{Line, Unit},
    stats::Samples,
    way::{Way, tmux},
};
use crate::{World, world::SIZE};
use std::{
    os::unix::process::CommandExt,
    process::Command,
    time::{Duration, Instant},
};

/// The last words of the session, on its last row but one.
const LAST: &str = "the-last-row";
/// Between two clients.
const REST: Duration = Duration::from_millis(30);

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    let words = ["flood", "2100", "say", LAST, "wait"];
    let id = world.start_actor("attach", &words);
    world.wait_text(&id, LAST);
    let with_tmux = Way::available().contains(&Way::Tmux);
    if with_tmux {
        tmux(&world).args(["new-session", "-d", "-s", "attach", "actor"]).args(words).status().unwrap();
    }
    let (mut screens, mut panes, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    let rounds = effort.pick(30, 10);
    // The first of each is not counted: it has the programs read from the disk.
    for round in 0..=rounds {
        let screen = once(world.runner_command(&["attach", &id]));
        let pane = once(as_a_pane(&world, &id));
        let their = with_tmux.then(|| {
            let mut command = tmux(&world);
            command.args(["attach-session", "-t", "attach"]);
            once(command)
        });
        if round > 0 {
            screens.push(screen);
            panes.push(pane);
            theirs.extend(their);
        }
    }
    let (screens, panes) = (millis(&screens), millis(&panes));
    let mut lines = [
        Line::new(
            "attach, first full screen",
            Unit::Milliseconds,
            &Samples::new(screens.iter().copied()),
            "1.00x tmux",
        ),
        Line::new(
            "attach, screen and 2,000 lines of history",
            Unit::Milliseconds,
            &Samples::new(panes.iter().copied()),
            "2.00x tmux",
        )
        .note("tmux sends no history"),
    ];
    if with_tmux {
        let theirs = millis(&theirs);
        lines = beside(lines, "tmux", &screens, &panes, &theirs);
    }
    lines.into()
}

fn beside(lines: [Line; 2], name: &str, screens: &[f64], panes: &[f64], theirs: &[f64]) -> [Line; 2] {
    let [screen, pane] = lines;
    [screen.beside(name, screens, theirs), pane.beside(name, panes, theirs)]
}

fn millis(times: &[Duration]) -> Vec<f64> {
    times.iter().map(|time| time.as_secs_f64() * 1e3).collect()
}

/// The client as zellij starts it, in a pane that shows nothing else: only there it gets the history, too. A shell that
/// calls itself a zellij server stands in for the parent; its own start is part of the figure.
fn as_a_pane(world: &World, id: &str) -> Command {
    let mut command = world.command("/bin/sh");
    command.arg0("zellij").args(["-c", "host-runner attach \"$1\"; :", "--server", id]);
    command
}

fn once(command: Command) -> Duration {
    pass(REST);
    let start = Instant::now();
    let mut terminal = RawTerminal::open(command, SIZE);
    let took = terminal.until(LAST.as_bytes()) - start;
    terminal.close();
    took
}
