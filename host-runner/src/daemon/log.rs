//! The log of a daemon that nobody watches: its standard error is a file, which is put aside whenever it is full, so that
//! a daemon that runs for months and an agent that complains a million times leave two files of a bounded size (field
//! report F8).

use crate::{
    client::{DAEMON_LOG, MAX_LOG_BYTES, open_log},
    root::BoardRoot,
};
use std::{
    fs,
    io::{self, Write},
    sync::atomic::{AtomicU64, Ordering},
};
use tracing_subscriber::fmt::MakeWriter;

/// Writes to standard error, and gives it another file when this one is full.
pub struct BoundedLog {
    root: BoardRoot,
    bytes: AtomicU64,
}

impl BoundedLog {
    /// For a daemon whose standard output and error are the log of this root.
    pub fn new(root: BoardRoot) -> Self {
        let bytes = fs::metadata(root.logs().join(DAEMON_LOG)).map_or(0, |meta| meta.len());
        Self { root, bytes: AtomicU64::new(bytes) }
    }

    fn wrote(&self, bytes: usize) {
        let before = self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        if before > MAX_LOG_BYTES {
            self.bytes.store(0, Ordering::Relaxed);
            // Where no new file can be had, the old one grows on: better than no log.
            if let Ok(file) = open_log(&self.root, DAEMON_LOG) {
                let _ = rustix::stdio::dup2_stderr(&file);
                let _ = rustix::stdio::dup2_stdout(&file);
            }
        }
    }
}

/// One line on its way.
pub struct Line<'a>(&'a BoundedLog);

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = io::stderr().write(bytes)?;
        self.0.wrote(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

impl<'a> MakeWriter<'a> for BoundedLog {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Self::Writer {
        Line(self)
    }
}
