//! Durable commands: each is answered once it is on the disk.

use super::{
    Effort,
    report::{Line, Unit},
    stats::Samples,
};
use crate::World;
use board_protocol::{
    command::{Command, CommandOutcome},
    hello::Role,
    ids::SessionId,
};
use host_runner::{
    client::{DaemonClient, StartPolicy},
    root::BoardRoot,
};
use std::{
    sync::Barrier,
    time::{Duration, Instant},
};

/// Clients at once in the second figure.
const MANY: usize = 32;

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    let id = SessionId(world.start_actor("commands", &["wait"]));
    let root = BoardRoot::open(&world.root()).expect("the world's board root");
    let mut lines = Vec::new();
    for (clients, each) in [(1, effort.pick(1_000, 200)), (MANY, effort.pick(500, 100))] {
        run(&root, &id, clients, 20);
        let rounds: Vec<(f64, Vec<Duration>)> = (0..3).map(|_| run(&root, &id, clients, each)).collect();
        let rates = Samples::new(rounds.iter().map(|(rate, _)| *rate));
        let times = Samples::of_times(rounds.iter().flat_map(|(_, times)| times));
        let who = if clients == 1 { "1 client".to_owned() } else { format!("{clients} clients") };
        let budget = if clients == 1 { "-" } else { "1000 /s" };
        lines.push(Line::rate(&format!("durable commands, {who}"), Unit::PerSecond, &rates, budget));
        lines.push(Line::new(
            &format!("one durable command, {who}"),
            Unit::Milliseconds,
            &times,
            "p99 20 ms",
        ));
    }
    lines
}

/// Commands a second, and what each took.
fn run(root: &BoardRoot, id: &SessionId, clients: usize, each: usize) -> (f64, Vec<Duration>) {
    let barrier = Barrier::new(clients + 1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..clients)
            .map(|_| {
                scope.spawn(|| {
                    let mut client =
                        DaemonClient::connect(root, Role::Cli, StartPolicy::Never).expect("a daemon");
                    barrier.wait();
                    let times: Vec<Duration> = (0..each).map(|_| command(&mut client, id)).collect();
                    times
                })
            })
            .collect();
        barrier.wait();
        let start = Instant::now();
        let times: Vec<Duration> =
            workers.into_iter().flat_map(|worker| worker.join().expect("a client")).collect();
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let rate = times.len() as f64 / start.elapsed().as_secs_f64();
        (rate, times)
    })
}

fn command(client: &mut DaemonClient, id: &SessionId) -> Duration {
    let start = Instant::now();
    let outcome = client.command(Command::Visit { session: id.clone() }, None).expect("an outcome");
    assert!(matches!(outcome, CommandOutcome::Applied { .. }), "{outcome:?}");
    start.elapsed()
}
