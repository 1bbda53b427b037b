//! The daemon as a real process, with real hosts and the real command line.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends at the first thing that is not as expected"
)]

mod commands;
mod insight;
mod lifecycle;
mod recovery;
mod support;
mod verdicts;
mod wire;
