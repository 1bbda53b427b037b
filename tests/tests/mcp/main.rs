//! Terminals of agents with clients that are not ours: the official Python SDK, real pi, Claude Code and Codex against the
//! loopback model. A person ends a wait, and the agent goes on and knows who ended it.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod agents;
mod headless;
mod sdk;

use e2e::{World, wait::seen_within};
use serde_json::Value;
use std::time::Duration;

/// How long an agent may take on a loaded machine.
const DEADLINE: Duration = Duration::from_secs(120);

/// The id of the only terminal below a session.
fn terminal_of(world: &World, session: &str) -> String {
    let row = world.rows().into_iter().find(|row| row["parent"] == session).unwrap();
    row["id"].as_str().unwrap().to_owned()
}

/// Waits until an agent waits for this, and gives the id of the terminal.
fn wait_is_open(world: &World, needle: &str) -> String {
    seen_within(DEADLINE, &format!("a wait for {needle:?}"), || {
        let listed = world.runner(&["waits", "--json"]).stdout;
        let waits: Value = serde_json::from_str(&listed).unwrap_or_default();
        let open = waits.as_array().into_iter().flatten().find(|terminal| {
            let waits = terminal["waits"].as_array();
            waits.into_iter().flatten().any(|wait| wait["needle"] == needle)
        });
        open.and_then(|terminal| terminal["terminal"].as_str()).map(str::to_owned).ok_or(listed)
    })
}
