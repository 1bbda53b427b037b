//! A key at a board of many rows, in a real zellij: typed, until the mark stands on the next row.

use super::{
    Effort, pass,
    raw::RawTerminal,
    report::{Line, Unit},
    stats::Samples,
    stored,
};
use crate::{Screen, World, keys, world::SIZE};
use std::time::{Duration, Instant};

/// Rows of the board.
const ROWS: usize = 1_000;
/// Between two keys everything comes to rest.
const QUIET: Duration = Duration::from_millis(40);

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    stored::fill(&world, ROWS);
    let terminal = world.terminal_of("board", SIZE, &["host-runner", "up"]);
    terminal.wait("a board of many rows", |screen| screen.groups().iter().any(|group| group.count >= ROWS));
    // The same zellij program, a plain pane, the shortest way that a key can take through it.
    let mut pane = pane(&world);
    let count = effort.pick(300, 60);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for number in 0..count + 10 {
        let before = mark(&terminal.screen());
        pass(QUIET);
        let start = Instant::now();
        terminal.send(keys::DOWN);
        terminal.wait("the mark moves", |screen| mark(screen) != before);
        let own = start.elapsed();
        pane.settle(QUIET);
        let key = [b"%&*_"[number % 4]];
        let start = Instant::now();
        pane.send(key);
        let floor = pane.until(&key) - start;
        // The first ones have the plugin's code translated.
        if number >= 10 {
            ours.push(own);
            theirs.push(floor);
        }
    }
    let (own, floor) = (Samples::of_times(&ours), Samples::of_times(&theirs));
    let millis = |times: &[Duration]| times.iter().map(|time| time.as_secs_f64() * 1e3).collect::<Vec<_>>();
    let note = format!("in it zellij's own way of a key: p99 {:.1} ms", floor.percentile(99));
    vec![
        Line::new("key to board frame, 1,000 rows", Unit::Milliseconds, &own, "p99 16 ms in the plugin")
            .beside("a key in a plain zellij pane", &millis(&ours), &millis(&theirs))
            .note(note),
    ]
}

fn pane(world: &World) -> RawTerminal {
    let layout = world.path("plain.kdl");
    std::fs::write(
        &layout,
        "layout {\n    pane command=\"actor\" {\n        args \"say\" \"pane-ready\" \"echo\"\n    }\n}\n",
    )
    .unwrap();
    let mut command = world.command(&world.programs().zellij);
    command.args(["--session", "plain", "--new-session-with-layout"]).arg(layout);
    let mut pane = RawTerminal::open(command, SIZE);
    pane.until(b"pane-ready");
    pane.settle(Duration::from_millis(500));
    pane
}

/// The row that the mark stands on: position and text.
fn mark(screen: &Screen) -> Option<(usize, String)> {
    let lines = screen.lines().iter().enumerate();
    let mut marked = lines.filter(|(_, line)| line.trim_start_matches(['│', '┃', ' ']).starts_with('›'));
    marked.next().map(|(at, line)| (at, line.clone()))
}
