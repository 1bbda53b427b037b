//! Headless runs as real processes: a real daemon, real run processes, and workers that are small shell scripts.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends at the first thing that is not as expected"
)]

mod daemons;
mod scene;
mod stops;
#[expect(dead_code, reason = "shared with the tests of the daemon, which use all of it")]
#[path = "../daemon/support.rs"]
mod support;
mod workers;
