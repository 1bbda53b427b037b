//! A terminal that only counts: bytes in, bytes out, and the moment at which something arrived. It draws nothing, so that
//! it is never what a figure waits for.

use crate::{
    pty,
    wait::{poll_for, readable},
};
use board_protocol::ids::Size;
use memchr::memmem;
use rustix::event::{PollFd, PollFlags};
use std::{
    fs::File,
    io::{Read, Write},
    process::{Child, Command},
    time::{Duration, Instant},
};

/// How long anything may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_secs(120);
/// How much is read at once: what a quick terminal reads.
const READ_BYTES: usize = 64 * 1024;

/// A running terminal. Dropping it hangs up.
pub struct RawTerminal {
    what: String,
    master: Option<File>,
    child: Child,
    buffer: Vec<u8>,
    /// The end of what was read, in which the beginning of something may stand that is looked for.
    tail: Vec<u8>,
}

impl RawTerminal {
    /// Starts a command in a new terminal.
    ///
    /// # Panics
    /// It cannot be started.
    pub fn open(command: Command, size: Size) -> Self {
        let what = format!("{command:?}");
        let (master, child) = pty::spawn(command, size).expect("a PTY and its child");
        Self { what, master: Some(File::from(master)), child, buffer: vec![0; READ_BYTES], tail: Vec::new() }
    }

    /// Types these bytes.
    ///
    /// # Panics
    /// The terminal is gone.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let master = self.master.as_mut().expect("the terminal is open");
        master.write_all(bytes.as_ref()).expect("a terminal takes what is typed");
    }

    /// Reads until this arrives, and returns when it did. Everything in front of it is gone.
    ///
    /// # Panics
    /// It does not arrive, or the command ended.
    pub fn until(&mut self, needle: &[u8]) -> Instant {
        let end = Instant::now() + PATIENCE;
        let finder = memmem::Finder::new(needle);
        loop {
            if let Some(at) = finder.find(&self.tail) {
                self.tail.drain(..at + needle.len());
                return Instant::now();
            }
            let kept = self.tail.len().min(needle.len().saturating_sub(1));
            self.tail.drain(..self.tail.len() - kept);
            let left = end.saturating_duration_since(Instant::now());
            let arrived = !left.is_zero() && self.read(left);
            assert!(
                arrived,
                "{}: {:?} did not arrive; the last was {:?}",
                self.what,
                String::from_utf8_lossy(needle),
                String::from_utf8_lossy(&self.tail)
            );
        }
    }

    /// Reads and forgets until nothing came for so long.
    pub fn settle(&mut self, quiet: Duration) {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end && self.master.as_ref().is_some_and(|master| readable(master, quiet)) {
            if !self.read(quiet) {
                break;
            }
        }
        self.tail.clear();
    }

    /// Reads once. `false`: nothing came in time, or the other side is closed.
    fn read(&mut self, left: Duration) -> bool {
        let Some(master) = self.master.as_mut() else { return false };
        poll_for(&mut [PollFd::new(master, PollFlags::IN)], left);
        match master.read(&mut self.buffer) {
            Ok(count) if count > 0 => {
                self.tail.extend_from_slice(self.buffer.get(..count).unwrap_or_default());
                true
            }
            _ => false,
        }
    }

    /// Hangs up as closing the window does, and waits for the end of the command.
    pub fn close(mut self) {
        self.hang_up();
    }

    fn hang_up(&mut self) {
        self.master = None;
        let _ = self.child.wait();
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        if self.master.is_some() && !std::thread::panicking() {
            self.hang_up();
        }
    }
}
