//! The daemon as a real process, with real hosts and the real command line.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends at the first thing that is not as expected"
)]

mod commands;
mod consult;
mod export;
mod inline;
mod insight;
mod kills;
mod languages;
mod leftovers;
mod lifecycle;
mod malformed;
mod notices;
mod recovery;
mod references;
mod replies;
mod support;
mod terminals;
mod verdicts;
mod warm;
mod wire;
