//! End-to-end tests of real Claude Code sessions with a loopback model, by the command line and at the board in a real
//! zellij. Single events, and what cannot be brought about here, are the business of the adapter's own tests.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod board;
mod conversations;
mod input;
mod transcript;
mod turns;
