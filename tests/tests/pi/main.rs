//! End-to-end tests of real pi sessions under the daemon, by the command line alone: what the rows say through turns,
//! questions, trouble, ends and resumes. The same in zellij is the business of the tests in `tests/pi_board`.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod ends;
mod evidence;
mod input;
mod legacy;
mod plan;
mod questions;
mod trouble;
mod turns;
mod verdicts;
mod warm;

use e2e::{both, pi_stage as stage};
