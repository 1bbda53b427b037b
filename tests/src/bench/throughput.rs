//! Much output: from the order to write it until its end stands in the attached terminal.

use super::{
    Effort,
    cpu::Cpu,
    raw::RawTerminal,
    report::{Line, Unit},
    stats::Samples,
    way::Way,
};
use crate::{World, processes::Process};
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
    // Ours alone has processes of these roles.
    let roles = ["host", "attach"].map(|role| world.runners(role));
    let mut spent = roles.each_ref().map(|_| Vec::new());
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); ways.len()];
    for round in 0..effort.pick(ROUNDS, 3) {
        for turn in 0..ways.len() {
            let way = (turn + round) % ways.len();
            let before = (way == 0).then(|| roles.each_ref().map(|role| used(role)));
            let took = pour(&mut terminals[way], round + 1);
            #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
            let megabytes = megabytes as f64;
            rates[way].push(megabytes / took.as_secs_f64());
            for ((role, before), spent) in roles.iter().zip(before.iter().flatten()).zip(&mut spent) {
                let all = role.iter().zip(before).map(|(process, before)| Cpu::of(process).since(*before));
                spent.push(all.sum::<f64>() / megabytes);
            }
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
    let [host, client] = spent.map(|spent| Samples::new(spent).median());
    line.note(format!("processor time of ours: host {host:.2}, client {client:.2} ms/MB"))
}

fn used(processes: &[Process]) -> Vec<Cpu> {
    processes.iter().map(Cpu::of).collect()
}

fn pour(terminal: &mut RawTerminal, number: usize) -> Duration {
    terminal.settle(Duration::from_millis(200));
    let start = Instant::now();
    terminal.send("g");
    terminal.until(format!("poured-{number}").as_bytes()) - start
}
