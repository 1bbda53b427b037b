//! One key through an attached session: typed, read by a raw program, echoed by it, read by the terminal.

use super::{
    Effort,
    raw::RawTerminal,
    report::{Line, Unit},
    stats::Samples,
    way::Way,
};
use crate::World;
use std::time::{Duration, Instant};

/// Rounds; in each, every way has its turn.
const ROUNDS: usize = 5;
/// Keys before the first one that counts.
const WARM_UP: usize = 30;
/// Between two keys everything comes to rest, as between two keys of a person.
const QUIET: Duration = Duration::from_millis(2);
/// Characters that stand in no escape sequence, so that whatever else a way sends is not taken for the echo.
const KEYS: &[u8] = b"%&*_`{|}~";

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    let ways = Way::available();
    let mut terminals: Vec<RawTerminal> = ways
        .iter()
        .map(|way| {
            let mut terminal = way.enter(&world, "echo", &["say", "echo-ready", "echo"]);
            terminal.until(b"echo-ready");
            terminal.settle(Duration::from_millis(200));
            keys(&mut terminal, WARM_UP);
            terminal
        })
        .collect();
    let count = effort.pick(300, 60);
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); ways.len()];
    let mut medians: Vec<Vec<f64>> = vec![Vec::new(); ways.len()];
    for round in 0..ROUNDS {
        for turn in 0..ways.len() {
            let way = (turn + round) % ways.len();
            let found = keys(&mut terminals[way], count);
            medians[way].push(Samples::of_times(&found).median());
            times[way].extend(found);
        }
    }
    let mut line = Line::new(
        "keystroke echo",
        Unit::Milliseconds,
        &Samples::of_times(&times[0]),
        "1.10x the faster of dtach and tmux",
    );
    let rivals = || (1..ways.len()).filter(|way| matches!(ways[*way], Way::Dtach | Way::Tmux));
    if rivals().count() > 1 {
        let faster: Vec<f64> = (0..ROUNDS)
            .map(|round| rivals().map(|way| medians[way][round]).fold(f64::INFINITY, f64::min))
            .collect();
        line = line.beside("the faster", &medians[0], &faster);
    }
    for way in 1..ways.len() {
        line = line.beside(ways[way].name(), &medians[0], &medians[way]);
    }
    vec![line]
}

/// Types so many keys, one after the other.
pub(super) fn keys(terminal: &mut RawTerminal, count: usize) -> Vec<Duration> {
    (0..count)
        .map(|number| {
            let key = [KEYS[number % KEYS.len()]];
            terminal.settle(QUIET);
            let start = Instant::now();
            terminal.send(key);
            terminal.until(&key) - start
        })
        .collect()
}
