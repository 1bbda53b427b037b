//! Bytes that wait for a terminal which takes them when it likes: the person's, or the session's. Used by the attach
//! client and by the host's PTY.
//!
//! It never waits and never drops by itself: whoever fills it looks at its length first.

use std::io::{self, Write};

/// Written bytes in front of a backlog that never runs empty are dropped in steps of this size. Without that, everything
/// that a flood ever wrote to a slow terminal would stay in memory.
const COMPACT_BYTES: usize = 256 * 1024;
/// An empty backlog may keep this much room, that of a read or two; a flood's worth goes.
const KEPT_BYTES: usize = 128 * 1024;

/// The bytes that wait.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    bytes: Vec<u8>,
    written: usize,
}

impl Backlog {
    /// Adds bytes at the end.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.written >= COMPACT_BYTES {
            self.bytes.drain(..self.written);
            self.written = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// As [`Backlog::push`] and [`Backlog::write_to`]; without a copy of what the terminal takes at once.
    pub(crate) fn pass(&mut self, bytes: &[u8], terminal: &mut impl Write) {
        let mut rest = bytes;
        while self.len() == 0 && !rest.is_empty() {
            match terminal.write(rest) {
                Ok(count) if count > 0 => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Ok(_) | Err(_) => return,
            }
        }
        if !rest.is_empty() {
            self.push(rest);
        }
    }

    /// Writes what the terminal takes now. A terminal that is gone takes everything: reading it tells its end.
    pub(crate) fn write_to(&mut self, terminal: &mut impl Write) {
        while let Some(rest) = self.bytes.get(self.written..)
            && !rest.is_empty()
        {
            match terminal.write(rest) {
                Ok(count) if count > 0 => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Ok(_) | Err(_) => break,
            }
        }
        self.clear();
    }

    /// Forgets what waits.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_BYTES);
        self.written = 0;
    }

    /// Bytes that wait.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len().saturating_sub(self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal that takes so many bytes a turn.
    struct Slow {
        room: usize,
        shown: Vec<u8>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.room == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let count = bytes.len().min(self.room);
            self.room -= count;
            self.shown.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    // An attach client in front of a flood kept every byte that it had ever written to a slow terminal.
    #[test]
    fn what_a_slow_terminal_has_taken_does_not_stay_in_memory() {
        const TURN: usize = 64 * 1024;
        let mut backlog = Backlog::default();
        let mut terminal = Slow { room: 0, shown: Vec::new() };
        let mut pushed = Vec::new();
        for turn in 0..200_u8 {
            let bytes = vec![turn; TURN];
            if turn % 2 == 0 {
                backlog.push(&bytes);
            } else {
                backlog.pass(&bytes, &mut terminal);
            }
            pushed.extend_from_slice(&bytes);
            // Always a little less than what waits.
            terminal.room = if turn == 0 { TURN / 2 } else { TURN };
            backlog.write_to(&mut terminal);
            assert_eq!(backlog.len(), TURN / 2);
            assert!(
                backlog.bytes.capacity() <= 2 * (COMPACT_BYTES + 2 * TURN),
                "{}",
                backlog.bytes.capacity()
            );
        }
        terminal.room = usize::MAX;
        backlog.write_to(&mut terminal);
        backlog.pass(b"at once", &mut terminal);
        pushed.extend_from_slice(b"at once");
        assert!(terminal.shown == pushed, "bytes were lost or changed");
        assert!(backlog.len() == 0 && backlog.bytes.capacity() <= KEPT_BYTES);
    }
}
