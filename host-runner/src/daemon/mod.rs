//! The daemon: one per board root. It owns the lock, the socket, the coordinator's thread and everything that the
//! coordinator asks to be done outside.
//!
//! Sockets live on one thread with `tokio`; the coordinator lives on another one, because a commit waits for the disk.
//! Between them go plain messages, one queue each way. Terminal bytes never come here.
//!
//! Reading order: [`mod@run`], `serve` (who may connect), `connection` (one conversation), `dispatch` (what the coordinator
//! says), `board` (numbered updates), `spawn` and `watch` (hosts), `world` (what the coordinator reads), `lock`,
//! `socket`, `preflight`, `log`.

mod board;
mod connection;
mod dispatch;
mod frames;
mod lock;
mod log;
mod preflight;
mod run;
mod serve;
mod shell;
mod socket;
mod spawn;
mod watch;
mod world;

pub use log::BoundedLog;
pub use run::{Start, run};
