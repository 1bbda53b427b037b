//! What the processes of Agent Board say to each other: ids, hello, frames and messages. Wire types only.
//!
//! Used by `host-runner` (every role), by the plugin and by the end-to-end tests. It never opens a socket, reads a
//! clock or makes an id, and it builds for WebAssembly.
//!
//! Compatibility rules: a variant or a field is never renamed or reused; a field added later carries
//! `#[serde(default)]`; the golden samples in `tests/golden/messages.txt` are add-only.
//!
//! Reading order: [`ids`], [`state`], [`look`], [`text`], [`frame`], [`hello`], [`refusal`], [`board`], [`run`], [`evidence`],
//! [`plan`], [`command`], [`daemon`], [`diagnostics`], [`host`], [`terminals`], [`transcript`], [`pipe`]; [`filter`] and [`group`] say which rows are shown and where they stand.

pub mod board;
pub mod command;
pub mod daemon;
pub mod diagnostics;
pub mod evidence;
pub mod filter;
pub mod frame;
pub mod group;
pub mod hello;
pub mod host;
pub mod ids;
pub mod look;
pub mod needle;
pub mod pipe;
pub mod plan;
pub mod refs;
pub mod refusal;
pub mod run;
pub mod state;
pub mod terminals;
pub mod text;
pub mod transcript;

#[cfg(test)]
mod samples;
