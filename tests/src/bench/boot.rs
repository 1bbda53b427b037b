//! A daemon's start on a large store, until its first answer.

use super::{
    Effort,
    report::{Line, Unit},
    stats::Samples,
    stored,
};
use crate::{World, wait::poll_for};
use board_protocol::{daemon::Request, hello::Role};
use host_runner::{
    client::{DaemonClient, StartPolicy},
    root::BoardRoot,
};
use rustix::process::Signal;
use std::{
    process::Stdio,
    time::{Duration, Instant},
};

/// Stored sessions.
const SESSIONS: usize = 10_000;
/// How often the daemon is tried while it starts: the resolution of the figure.
const TRY_EVERY: Duration = Duration::from_millis(1);
/// How long it may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    stored::fill(&world, SESSIONS);
    let root = BoardRoot::open(&world.root()).expect("the world's board root");
    let times: Vec<Duration> = (0..=effort.pick(15, 5)).map(|_| once(&world, &root)).skip(1).collect();
    vec![Line::new(
        "daemon start, 10,000 stored sessions",
        Unit::Milliseconds,
        &Samples::of_times(&times),
        "300 ms",
    )]
}

fn once(world: &World, root: &BoardRoot) -> Duration {
    let mut command = world.runner_command(&["daemon"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut daemon = command.spawn().expect("it can be run");
    let took = loop {
        let asked = DaemonClient::connect(root, Role::Cli, StartPolicy::Never)
            .and_then(|mut client| client.ask(Request::Ping));
        match asked {
            Ok(_) => break start.elapsed(),
            Err(error) => assert!(start.elapsed() < PATIENCE, "the daemon does not start: {error}"),
        }
        poll_for(&mut [], TRY_EVERY);
    };
    world.signal(&world.daemon(), Signal::TERM);
    daemon.wait().expect("our own child");
    took
}
