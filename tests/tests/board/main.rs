//! End-to-end tests of the board: one module for each of the flows that a person goes through, one for the command
//! line, one for security, one for what other tools' users reported, and one that proves the harness on a bare zellij.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod bad_input;
mod cli;
mod flow1;
mod flow2;
mod flow3;
mod flow4;
mod flow5;
mod flow6;
mod harness;
mod launch;
mod living;
mod looks;
mod mouse;
mod notices;
mod places;
mod reports;
mod resurrected;
mod security;
mod status_bar;
mod terminals;
mod upgrade;

use e2e::steps as support;
