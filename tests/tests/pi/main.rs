//! End-to-end tests of real pi sessions under the daemon, by the command line alone: what the rows say through turns,
//! questions, trouble, ends and resumes. The same in zellij is the business of the board's tests.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod turns;

use e2e::both;
