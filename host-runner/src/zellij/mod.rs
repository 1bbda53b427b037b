//! zellij as this machine has it: its binaries and their versions, its servers, and the names of its sessions.
//!
//! Called by `up`, by the link and by attach clients. It reads `/proc` and asks a zellij binary; it never speaks zellij's private protocol.

pub(crate) mod binary;
pub(crate) mod command;
pub(crate) mod name;
pub(crate) mod server;
