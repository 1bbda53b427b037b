//! Keeps an input method's candidate window still: pure (reference E.13).
//!
//! Programs that draw inside a synchronized update often park the cursor right after it. A terminal that honours the
//! update shows the cursor for an instant where drawing ended, and the candidate window jumps. So an end of update at
//! the end of what was read waits a moment, and cursor parking that follows goes out in front of it. Nothing is dropped,
//! added or otherwise reordered.

use crate::config::ImeFix;
use std::time::Duration;

/// The end of a synchronized update.
pub const SYNC_END: &[u8] = b"\x1b[?2026l";
/// How long it waits for parking.
pub const WAIT: Duration = Duration::from_millis(1);

/// Follows one stream of output.
#[derive(Debug)]
pub struct ImeFilter {
    fix: ImeFix,
    /// The beginning of an end of update, at the end of what was read.
    prefix: usize,
    /// A whole one is being kept.
    keeping: bool,
    /// The beginning of a parking sequence that followed it.
    parking: Vec<u8>,
}

impl ImeFilter {
    /// A filter, or with the kill switch one that lets everything through untouched.
    pub fn new(fix: ImeFix) -> Self {
        Self { fix, prefix: 0, keeping: false, parking: Vec::new() }
    }

    /// As [`ImeFilter::feed`] without a copy: how much of a piece may go out as it is; the rest waits. `None`: something
    /// waits already, and the piece must be fed.
    pub fn pass_whole(&mut self, input: &[u8]) -> Option<usize> {
        if self.fix == ImeFix::Off {
            return Some(input.len());
        }
        if self.is_waiting() {
            return None;
        }
        let common = self.keep_end_of(input);
        Some(input.len() - common)
    }

    /// Filters a piece of output; what may go out is appended to `out`.
    pub fn feed(&mut self, input: &[u8], out: &mut Vec<u8>) {
        if self.fix == ImeFix::Off {
            out.extend_from_slice(input);
            return;
        }
        if !self.keeping {
            return self.pass(input, out);
        }
        let mut kept = std::mem::take(&mut self.parking);
        kept.extend_from_slice(input);
        let mut rest = kept.as_slice();
        loop {
            match parking(rest) {
                Parking::Whole(length) => {
                    let (sequence, after) = rest.split_at(length);
                    out.extend_from_slice(sequence);
                    rest = after;
                }
                Parking::Cut => {
                    self.parking = rest.to_vec();
                    return;
                }
                Parking::None => break,
            }
        }
        self.keeping = false;
        out.extend_from_slice(SYNC_END);
        self.pass(rest, out);
    }

    /// Whether something waits for [`WAIT`].
    pub fn is_waiting(&self) -> bool {
        self.keeping || self.prefix > 0
    }

    /// Lets go of what waits: the time is up, or the stream ends.
    pub fn release(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(SYNC_END.get(..self.prefix).unwrap_or_default());
        self.prefix = 0;
        if std::mem::take(&mut self.keeping) {
            out.extend_from_slice(SYNC_END);
        }
        out.append(&mut self.parking);
    }

    fn pass(&mut self, input: &[u8], out: &mut Vec<u8>) {
        if input.is_empty() {
            return;
        }
        let start = out.len();
        out.extend_from_slice(SYNC_END.get(..self.prefix).unwrap_or_default());
        out.extend_from_slice(input);
        let common = self.keep_end_of(out.get(start..).unwrap_or_default());
        out.truncate(out.len() - common);
    }

    /// Keeps the end of a piece if an end of update stands there, or the beginning of one. Its length in bytes.
    fn keep_end_of(&mut self, piece: &[u8]) -> usize {
        let longest = piece.len().min(SYNC_END.len());
        let common = (0..=longest)
            .rev()
            .find(|length| SYNC_END.get(..*length).is_some_and(|beginning| piece.ends_with(beginning)))
            .unwrap_or(0);
        self.keeping = common == SYNC_END.len();
        self.prefix = if self.keeping { 0 } else { common };
        common
    }
}

enum Parking {
    Whole(usize),
    Cut,
    None,
}

/// Whether bytes start with a sequence that only moves, shows or hides the cursor: `ESC[nA`, `ESC[nB`, `ESC[nG`,
/// `ESC[?25h`, `ESC[?25l`.
fn parking(bytes: &[u8]) -> Parking {
    for whole in [&b"\x1b[?25h"[..], b"\x1b[?25l"] {
        if bytes.starts_with(whole) {
            return Parking::Whole(whole.len());
        }
        if !bytes.is_empty() && whole.starts_with(bytes) {
            return Parking::Cut;
        }
    }
    let Some(parameters) = bytes.strip_prefix(b"\x1b[") else { return Parking::None };
    let digits = parameters.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // A longer number is no cursor position.
    if digits > 5 {
        return Parking::None;
    }
    match parameters.get(digits) {
        None => Parking::Cut,
        Some(b'A' | b'B') => Parking::Whole(2 + digits + 1),
        Some(b'G') if digits > 0 => Parking::Whole(2 + digits + 1),
        Some(_) => Parking::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filter(pieces: &[&[u8]]) -> Vec<u8> {
        let mut filter = ImeFilter::new(ImeFix::On);
        let mut out = Vec::new();
        for piece in pieces {
            match filter.pass_whole(piece) {
                Some(whole) => out.extend_from_slice(&piece[..whole]),
                None => filter.feed(piece, &mut out),
            }
        }
        filter.release(&mut out);
        out
    }

    #[test]
    fn parking_after_an_update_goes_in_front_of_its_end() {
        let table: [(&[&[u8]], &[u8]); 8] = [
            (&[b"x\x1b[?2026l", b"\x1b[2A\x1b[5G\x1b[?25h"], b"x\x1b[2A\x1b[5G\x1b[?25h\x1b[?2026l"),
            (&[b"x\x1b[?2026l", b"\x1b[2Ay"], b"x\x1b[2A\x1b[?2026ly"),
            (&[b"x\x1b[?2026l", b"y\x1b[2A"], b"x\x1b[?2026ly\x1b[2A"),
            (&[b"x\x1b[?20", b"26l", b"\x1b[", b"2", b"A"], b"x\x1b[2A\x1b[?2026l"),
            (&[b"\x1b[?2026l", b"\x1b[?2026l", b"\x1b[A"], b"\x1b[?2026l\x1b[A\x1b[?2026l"),
            // Not at the end of a read: too late to move anything.
            (&[b"\x1b[?2026l\x1b[2A"], b"\x1b[?2026l\x1b[2A"),
            (&[b"\x1b[?2026l", b"\x1b[?25x"], b"\x1b[?2026l\x1b[?25x"),
            (&[b"\x1b[?2026l", b"\x1b[G"], b"\x1b[?2026l\x1b[G"),
        ];
        for (pieces, expected) in table {
            assert_eq!(filter(pieces).escape_ascii().to_string(), expected.escape_ascii().to_string());
        }
    }

    #[test]
    fn the_kill_switch_lets_everything_through_at_once() {
        let mut filter = ImeFilter::new(ImeFix::Off);
        assert_eq!(filter.pass_whole(b"x\x1b[?2026l"), Some(9));
        let mut out = Vec::new();
        filter.feed(b"x\x1b[?2026l", &mut out);
        assert!(!filter.is_waiting());
        filter.feed(b"\x1b[2A", &mut out);
        assert_eq!(out, b"x\x1b[?2026l\x1b[2A");
    }

    #[test]
    fn nothing_waits_without_an_end_of_update() {
        let mut filter = ImeFilter::new(ImeFix::On);
        let mut out = Vec::new();
        filter.feed(b"plain \x1b[31mred\x1b[2A", &mut out);
        assert_eq!((out.as_slice(), filter.is_waiting()), (&b"plain \x1b[31mred\x1b[2A"[..], false));
        filter.feed(b"\x1b[?2026l", &mut out);
        assert!(filter.is_waiting());
    }

    proptest! {
        /// The output is the input, but for ends of updates that moved behind parking sequences.
        #[test]
        fn only_ends_of_updates_move_and_only_over_parking(
            parts in prop::collection::vec(prop::sample::select(vec![
                "a", "é", "\x1b[?2026h", "\x1b[?2026l", "\x1b[A", "\x1b[12B", "\x1b[7G", "\x1b[?25h", "\x1b[?25l",
                "\x1b[G", "\x1b[31m", "\x1b[?2026", "\x1b[", "\x1b",
            ]), 0..30),
            step in 1_usize..12,
        ) {
            let input = parts.concat().into_bytes();
            let pieces: Vec<&[u8]> = input.chunks(step).collect();
            let out = filter(&pieces);
            // Moving every end of update back over the parking in front of it gives the same normal form.
            prop_assert_eq!(normal(&out), normal(&input));
        }
    }

    /// The stream with every end of update moved in front of the parking sequences before it.
    fn normal(bytes: &[u8]) -> Vec<u8> {
        let mut done: Vec<u8> = Vec::new();
        let mut parked: Vec<u8> = Vec::new();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if let Some(after) = rest.strip_prefix(SYNC_END) {
                done.extend_from_slice(SYNC_END);
                rest = after;
            } else if let Parking::Whole(length) = parking(rest) {
                parked.extend_from_slice(&rest[..length]);
                rest = &rest[length..];
            } else {
                done.append(&mut parked);
                done.push(first);
                rest = &rest[1..];
            }
        }
        done.append(&mut parked);
        done
    }
}
