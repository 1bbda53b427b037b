//! Much output: from the order to write it until its end stands in the attached terminal.

use super::{
    Effort,
    raw::RawTerminal,
    report::{Line, Unit},
    stats::Samples,
    way::Way,
};
use crate::World;
use std::time::{Duration, Instant};

/// Every way has its turn in each round.
const ROUNDS: usize = 5;

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    vec![kind("plain", effort), kind("repaint", effort)]
}

fn kind(kind: &str, effort: Effort) -> Line {
    let world = World::new();
    let ways = Way::available();
    let megabytes = effort.pick(32, 8);
    let amount = megabytes.to_string();
    let mut terminals: Vec<RawTerminal> = ways
        .iter()
        .map(|way| {
            let mut terminal = way.enter(&world, kind, &["pour", kind, &amount]);
            terminal.until(b"pour:");
            pour(&mut terminal, 0);
            terminal
        })
        .collect();
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); ways.len()];
    for round in 0..effort.pick(ROUNDS, 3) {
        for turn in 0..ways.len() {
            let way = (turn + round) % ways.len();
            let took = pour(&mut terminals[way], round + 1);
            #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
            rates[way].push(megabytes as f64 / took.as_secs_f64());
        }
    }
    let mut line = Line::rate(
        &format!("output throughput, {kind}"),
        Unit::MegabytesPerSecond,
        &Samples::new(rates[0].iter().copied()),
        "1.00x tmux, 0.60x bare",
    );
    for way in 1..ways.len() {
        line = line.beside(ways[way].name(), &rates[0], &rates[way]);
    }
    line
}

fn pour(terminal: &mut RawTerminal, number: usize) -> Duration {
    terminal.settle(Duration::from_millis(200));
    let start = Instant::now();
    terminal.send("g");
    terminal.until(format!("poured-{number}").as_bytes()) - start
}
