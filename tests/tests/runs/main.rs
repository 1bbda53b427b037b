//! Headless runs of real agents with a loopback model: what the adapters execute and read, and what the product makes of
//! it.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

mod adapters;
mod conversations;
mod ends;
mod plans;
mod transcripts;
mod turns;
