//! `host-runner mcp` as an agent runs it: raw JSON-RPC on its standard input and output, and behind it a daemon and hosts
//! that the test plays, so that each can be away, slow, or gone at the moment that matters.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends at the first thing that is not as expected"
)]

mod board;
mod client;
mod protocol;
mod terminals;
mod trouble;
mod waits;

use std::time::Duration;

/// How long anything may take before the test is lost.
const PATIENCE: Duration = Duration::from_secs(30);
