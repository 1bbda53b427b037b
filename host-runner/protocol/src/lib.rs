//! What the processes of Agent Board say to each other: ids, hello, frames and messages. Wire types only.
//!
//! Used by `host-runner` (every role), by the plugin and by the end-to-end tests. It never opens a socket, reads a
//! clock or makes an id, and it builds for WebAssembly.
//!
//! Compatibility rules: a variant or a field is never renamed or reused; a field added later carries
//! `#[serde(default)]`; the golden samples in `tests/golden/messages.txt` are add-only.
//!
//! Reading order: [`ids`], [`state`], [`text`], [`frame`], [`hello`], [`refusal`], [`board`], [`run`], [`command`],
//! [`daemon`], [`host`], [`pipe`].

pub mod board;
pub mod command;
pub mod daemon;
pub mod frame;
pub mod hello;
pub mod host;
pub mod ids;
pub mod pipe;
pub mod refusal;
pub mod run;
pub mod state;
pub mod text;
