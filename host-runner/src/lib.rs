//! Agent Board's native side: every role of the one binary, as a library that its tests can call.
//!
//! Reading order, from pure to impure:
//!
//! - [`model`] what a session is and how facts change it · [`coordinator`] which commands are allowed, and the single
//!   writer · [`store`] SQLite
//! - [`terminal`] the canonical terminal, its snapshots and its output ring
//! - [`agents`] one file per agent: how it is launched, what it reports
//! - [`root`], [`process`], [`program`], [`fresh`], [`wire`], [`spool`], [`kernel`], [`polling`], [`deadlines`], [`client`], [`config`] what every role needs
//! - `deliveries` what became of words that a host was told to write
//! - `worktree` whether a directory lies in a linked git worktree
//! - [`zellij`] finding zellij's binaries and servers · [`assets`] the plugin and the layouts that we bring along
//! - [`daemon`], [`host`], [`run`], [`attach`], [`link`], `mcp` the long-lived roles · [`doctor`] the checks · [`cli`] one file per command

pub mod agents;
mod assets;
pub mod attach;
mod backlog;
pub mod cli;
pub mod client;
mod columns;
pub mod config;
pub mod coordinator;
pub mod daemon;
mod deadlines;
mod deliveries;
mod doctor;
pub mod fresh;
pub mod host;
pub mod kernel;
pub mod link;
pub(crate) mod mcp;
pub mod model;
mod orphans;
mod polling;
pub mod process;
mod program;
pub mod refs;
pub mod root;
pub mod run;
pub mod spool;
pub mod store;
pub mod terminal;
mod transcript;
pub mod wire;
mod worktree;
mod zellij;

/// This build, as every hello carries it.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");
