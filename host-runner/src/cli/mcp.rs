//! `host-runner mcp`: the agent's own terminals as tools of the Model Context Protocol. Agents start it; people do not.

use super::Failure;
use crate::mcp;
use anyhow::Context as _;
use std::{
    io::{self, Write},
    sync::atomic::{AtomicUsize, Ordering},
};
use tracing_subscriber::fmt::MakeWriter;

/// Most bytes that one server says on standard error: some clients never read it, and a pipe takes 64 KiB until whoever
/// writes more stands still.
const MAX_LOG_BYTES: usize = 16 * 1024;

/// Arguments of `mcp`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// Carries the command out.
pub(super) fn run(_args: Args) -> Result<(), Failure> {
    // Agents read English; also with options in front of its name.
    board_text::set_language(board_text::Language::English);
    tracing_subscriber::fmt()
        .with_writer(Bounded(AtomicUsize::new(0)))
        .log_internal_errors(false)
        .with_ansi(false)
        .with_max_level(tracing::Level::WARN)
        .init();
    // A root that cannot be used is what every tool answers: a client must not see a server that fails.
    let root = super::board_root().map_err(|failure| failure.to_string());
    mcp::run(root).context("cannot serve the agent")?;
    Ok(())
}

/// Standard error, until the limit.
struct Bounded(AtomicUsize);

impl<'a> MakeWriter<'a> for Bounded {
    type Writer = &'a Bounded;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

impl Write for &Bounded {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let before = self.0.fetch_add(line.len(), Ordering::Relaxed);
        if before.saturating_add(line.len()) <= MAX_LOG_BYTES {
            // Nobody may read it any more.
            let _ = io::stderr().write_all(line);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
