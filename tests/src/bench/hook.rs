//! What a hook costs the agent that runs it: the wall time of `host-runner hook`, event delivered.

use super::{
    Effort, pass,
    report::{Line, Unit},
    stats::Samples,
};
use crate::{
    World,
    run::run,
    wait::{DEADLINE, eventually},
};
use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// An event as a hook gets it.
const EVENT: &str =
    r#"{"hook_event_name":"PostToolUse","session_id":"0123456789","tool_name":"Bash","cwd":"/srv"}"#;
/// Between two hooks.
const REST: Duration = Duration::from_millis(5);

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    let id = world.start_actor("hook", &["wait"]);
    // What the agent's own environment says about its session.
    let (socket, token) = eventually("the program's environment", || {
        let marked =
            world.processes().into_iter().find(|process| process.variable("AGENT_BOARD_TOKEN").is_some())?;
        Some((marked.variable("AGENT_BOARD_SOCKET")?, marked.variable("AGENT_BOARD_TOKEN")?))
    });
    let hook = || {
        let mut command = world.runner_command(&["hook", "generic", EVENT]);
        command
            .env("AGENT_BOARD_SESSION", &id)
            .env("AGENT_BOARD_SOCKET", &socket)
            .env("AGENT_BOARD_TOKEN", &token);
        command
    };
    let said = run(hook(), b"", DEADLINE).ok();
    assert!(said.stdout.is_empty() && said.stderr.is_empty(), "a hook says nothing: {said:?}");
    let spooled = std::fs::read_dir(world.root().join("spool")).map_or(0, Iterator::count);
    assert_eq!(spooled, 0, "the event went to the host, not to the disk");
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..effort.pick(400, 100) {
        pass(REST);
        ours.push(wall(hook()));
        pass(REST);
        floor.push(wall(world.command("/bin/true")));
    }
    vec![
        Line::new("hook process", Unit::Milliseconds, &Samples::new(ours.iter().copied()), "p95 5 ms")
            .beside("/bin/true", &ours, &floor),
    ]
}

fn wall(mut command: Command) -> f64 {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("it can be run");
    let took = start.elapsed();
    assert!(status.success(), "{command:?}");
    took.as_secs_f64() * 1e3
}
