//! Watches for a synchronized update that is never closed: pure. A terminal would show nothing any more (field report C11).

use super::ime::SYNC_END;
use memchr::memmem::Finder;
use std::time::{Duration, Instant};

/// How long an update may stay open.
const LONGEST: Duration = Duration::from_secs(1);
/// Both sequences but for their last byte.
const COMMON: &[u8] = b"\x1b[?2026";

/// Follows one stream of output.
#[derive(Debug)]
pub struct SyncWatch {
    finder: Finder<'static>,
    /// The end of the last piece, where a sequence may have been cut.
    carry: Vec<u8>,
    close_at: Option<Instant>,
}

impl Default for SyncWatch {
    fn default() -> Self {
        Self { finder: Finder::new(COMMON), carry: Vec::new(), close_at: None }
    }
}

impl SyncWatch {
    /// Follows a piece of output.
    pub fn feed(&mut self, bytes: &[u8], now: Instant) {
        if !self.carry.is_empty() {
            // One byte less than a sequence is carried: with as much of this piece no whole one of it is found twice.
            let mut seam = std::mem::take(&mut self.carry);
            seam.extend_from_slice(bytes.get(..bytes.len().min(COMMON.len())).unwrap_or_default());
            self.look(&seam, now);
            self.carry = seam;
        }
        self.look(bytes, now);
        // Nothing shorter than a sequence may be forgotten, however small the pieces are.
        if bytes.len() >= COMMON.len() {
            self.carry.clear();
            self.carry.extend_from_slice(bytes.get(bytes.len() - COMMON.len()..).unwrap_or_default());
        } else {
            if self.carry.is_empty() {
                self.carry.extend_from_slice(bytes);
            }
            let over = self.carry.len().saturating_sub(COMMON.len());
            self.carry.drain(..over);
        }
    }

    fn look(&mut self, bytes: &[u8], now: Instant) {
        let mut rest = bytes;
        while let Some(at) = self.finder.find(rest) {
            rest = rest.get(at + COMMON.len()..).unwrap_or_default();
            match rest.first() {
                Some(b'h') => self.close_at = self.close_at.or(Some(now + LONGEST)),
                Some(b'l') => self.close_at = None,
                _ => {}
            }
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
    fn a_sequence_is_seen_at_every_cut() {
        let start = Instant::now();
        for step in 1..30 {
            let mut watch = SyncWatch::default();
            for piece in b"some text \x1b[31m\x1b[?2026h and more of it".chunks(step) {
                watch.feed(piece, start);
            }
            assert_eq!(watch.next_deadline(), Some(start + LONGEST), "{step}");
            for piece in b"text\x1b[?2026h more\x1b[?2026ltext".chunks(step) {
                watch.feed(piece, start + LONGEST / 2);
            }
            assert_eq!(watch.next_deadline(), None, "{step}");
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
