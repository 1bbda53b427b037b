//! Hosts, attach clients and hooks as real processes, with a daemon of the test's own.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected fails there and then"
)]

mod attach;
mod banner;
mod clients;
mod controls;
mod end;
mod faults;
mod full;
mod hook;
mod legacy;
mod paced;
mod reclaim;
mod stream;
mod support;
mod waits;
mod words;
