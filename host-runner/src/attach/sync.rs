//! Watches for a synchronized update that is never closed: pure. A terminal would show nothing any more (field report C11).

use super::ime::SYNC_END;
use std::time::{Duration, Instant};

/// How long an update may stay open.
const LONGEST: Duration = Duration::from_secs(1);
/// Both sequences but for their last byte.
const COMMON: &[u8] = b"\x1b[?2026";

/// Follows one stream of output.
#[derive(Debug, Default)]
pub struct SyncWatch {
    /// How much of a sequence was seen at the end of the last piece.
    seen: usize,
    close_at: Option<Instant>,
}

impl SyncWatch {
    /// Follows a piece of output.
    pub fn feed(&mut self, bytes: &[u8], now: Instant) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.seen == 0 {
                let Some(at) = memchr::memchr(0x1b, rest) else { return };
                rest = rest.get(at + 1..).unwrap_or_default();
                self.seen = 1;
                continue;
            }
            let Some((&byte, after)) = rest.split_first() else { return };
            rest = after;
            if self.seen < COMMON.len() {
                self.seen = if COMMON.get(self.seen) == Some(&byte) {
                    self.seen + 1
                } else {
                    usize::from(byte == 0x1b)
                };
                continue;
            }
            match byte {
                b'h' => self.close_at = self.close_at.or(Some(now + LONGEST)),
                b'l' => self.close_at = None,
                _ => {}
            }
            self.seen = usize::from(byte == 0x1b);
        }
    }

    /// When the open update is closed by force.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.close_at
    }

    /// What closes it, once it is due.
    pub fn on_time(&mut self, now: Instant) -> &'static [u8] {
        if self.close_at.is_some_and(|at| now >= at) {
            self.close_at = None;
            return SYNC_END;
        }
        b""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Field report C11: an update that was never closed froze the screen for ever.
    #[test]
    fn c11_an_update_that_stays_open_is_closed_after_a_second() {
        let start = Instant::now();
        for pieces in
            [vec![&b"a\x1b[?2026hX"[..]], b"\x1b[?2026h".chunks(1).collect(), vec![b"\x1b\x1b[?20", b"26hX"]]
        {
            let mut watch = SyncWatch::default();
            for piece in pieces {
                watch.feed(piece, start);
            }
            assert_eq!(watch.on_time(start), b"");
            assert_eq!(watch.next_deadline(), Some(start + LONGEST));
            assert_eq!(watch.on_time(start + LONGEST), SYNC_END);
            assert_eq!(watch.next_deadline(), None);
        }
    }

    #[test]
    fn a_closed_one_and_nested_starts_are_as_terminals_see_them() {
        let start = Instant::now();
        let mut watch = SyncWatch::default();
        watch.feed(b"\x1b[?2026hX\x1b[?2026h\x1b[?2026l", start);
        assert_eq!(watch.next_deadline(), None, "terminals do not count them");
        watch.feed(b"\x1b[?2026$p\x1b[?2026;1h", start);
        assert_eq!(watch.next_deadline(), None);
        // A program that opens one update after another without end is no better than one that never closes.
        watch.feed(b"\x1b[?2026h", start);
        watch.feed(b"\x1b[?2026h", start + LONGEST / 2);
        assert_eq!(watch.next_deadline(), Some(start + LONGEST));
    }
}
