//! What the board counts of itself, for a benchmark that watches it from outside: keys, frames, timers, times, memory.
//!
//! The machine counts what it takes, the shell adds what only it knows ([`crate::Board::drew`]), and the header shows the
//! numbers where the plugin's setting `count_keys` is `yes`. Nothing is decided by them.

use board_protocol::ids::UnixMs;
use std::fmt;

/// Bytes of a kibibyte.
const KIB: u64 = 1024;

/// What the shell knows of a frame that it has just printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    /// When it was printed.
    pub at: UnixMs,
    /// Microseconds from the arrival of the key that the frame answers until it was printed; `None` where no key did.
    pub key_us: Option<u64>,
    /// Bytes of linear memory, which never shrinks.
    pub memory_bytes: u64,
}

/// The counts of one life of an instance.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meters {
    keys: u64,
    timers: u64,
    draws: u64,
    key_us: u64,
    memory_bytes: u64,
    /// When a link was told who speaks here, until the whole board is drawn.
    asked_at: Option<UnixMs>,
    list_ms: u64,
}

impl Meters {
    pub(crate) fn key(&mut self) {
        self.keys += 1;
    }

    pub(crate) fn timer(&mut self) {
        self.timers += 1;
    }

    /// The whole board was asked for.
    pub(crate) fn asked(&mut self, now: UnixMs) {
        self.asked_at = Some(now);
    }

    /// A frame was printed; it shows a whole board, or not yet.
    pub(crate) fn drew(&mut self, drawn: Drawn, whole: Whole) {
        self.draws += 1;
        self.memory_bytes = drawn.memory_bytes;
        if let Some(key_us) = drawn.key_us {
            self.key_us = key_us;
        }
        if whole == Whole::Yes
            && let Some(asked_at) = self.asked_at.take()
        {
            self.list_ms = drawn.at.since(asked_at);
        }
    }
}

/// Whether a frame shows every row of the board that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    Yes,
    NotYet,
}

/// One line; the frame that it stands in is not among its draws.
impl fmt::Display for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { keys, timers, draws, key_us, list_ms, .. } = self;
        let kib = self.memory_bytes / KIB;
        write!(
            f,
            "keys {keys} draws {draws} timers {timers} key {key_us} us list {list_ms} ms memory {kib} KiB"
        )
    }
}
