//! The daemon: one per board root. It owns the lock, the socket, the coordinator's thread and everything that the
//! coordinator asks to be done outside.
//!
//! Sockets live on one thread with `tokio`; the coordinator lives on another one, because a commit waits for the disk.
//! Between them go plain messages, one queue each way. Terminal bytes never come here.
//!
//! Reading order: [`mod@run`], `serve` (who may connect), `connection` (one conversation), `dispatch` (what the coordinator
//! says), `board` (numbered updates), `spawn` and `watch` (hosts), `world` (what the coordinator reads), `lock`,
//! `socket`, `preflight`, `requests`, `log`; `inline` is the other shell, of a command without a daemon.

mod board;
mod connection;
mod consult;
mod dispatch;
mod frames;
mod inline;
mod lock;
mod log;
mod notify;
mod preflight;
mod references;
mod requests;
mod run;
mod screen_logs;
mod serve;
mod shell;
mod socket;
mod spawn;
mod watch;
mod world;

pub(crate) use inline::{Inline, Unavailable};
pub use log::BoundedLog;
pub use run::{Start, run};
