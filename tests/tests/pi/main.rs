//! End-to-end tests of real pi sessions under the daemon, by the command line: what the rows say through turns,
//! questions, trouble, ends and resumes; and what only the board can do.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod board;
mod ends;
mod input;
mod questions;
mod trouble;
mod turns;

use e2e::{both, pi_stage as stage};
