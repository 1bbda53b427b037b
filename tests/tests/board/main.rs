//! End-to-end tests of the board: one module for each of the flows that a person goes through, one for the command
//! line, one for what other tools' users reported, and one that proves the harness itself on a bare zellij.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed expectation is a failed test")]

mod harness;
