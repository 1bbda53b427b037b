//! End-to-end tests of real pi sessions at the board: a real zellij, the real pi in both generations, and a loopback
//! model. One module for each of the flows that a person goes through, one for bad input. What the command line alone
//! can show is the business of the tests in `tests/pi`.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod evidence;
mod flow1;
mod flow2;
mod flow3;
mod flow4;
mod flow5;
mod flow6;
mod flow7;
mod input;
mod replies;
mod support;
mod transcript;

use e2e::both;
