//! Finds text, controls and sequences in the output: the usual ones directly, everything else through `vte`.

use super::{
    super::{
        filter::incomplete_utf8,
        params::{Csi, Parsed, parse_csi},
    },
    MAX_UNFINISHED_BYTES, Model,
    paint::Painted,
};

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
/// Parts of an operating system command that are looked at: as many as `vte` keeps, so that a cut changes nothing.
const MAX_COMMAND_PARTS: usize = 16;
/// Bytes of UTF-8 in one character: text is never cut into less.
const LONGEST_CHARACTER: usize = 4;
/// How much less work a byte is that only has to be read over, measured for plain lines and for screens that are painted
/// over; rounded down.
const CHEAPER: usize = 8;

impl Model {
    /// Reads output until about `most` bytes of it were work for the engine. Returns how many bytes it read: all of them but
    /// for that limit, and more than the limit where nothing of them had to be drawn.
    pub(super) fn parse(&mut self, bytes: &[u8], most: usize) -> usize {
        let mut rest = bytes;
        let mut room = most;
        while let Some(&first) = rest.first()
            && room > 0
        {
            if self.in_sequence {
                let used = self.parse_slowly(rest.get(..room).unwrap_or(rest));
                rest = rest.get(used..).unwrap_or_default();
                room = room.saturating_sub(used);
                continue;
            }
            let used = match first {
                ESC => match rest.get(1) {
                    Some(b'[') => match parse_csi(rest) {
                        Parsed::Complete(csi, length) => {
                            let Painted { read, drawn } = self.paint(&csi, rest);
                            if read > 0 {
                                rest = rest.get(read..).unwrap_or_default();
                                room = room.saturating_sub(drawn + read / CHEAPER);
                                continue;
                            }
                            self.csi(&csi, rest.get(..length));
                            length
                        }
                        Parsed::Other => self.parse_slowly(rest),
                    },
                    Some(b']') => match whole_command(rest) {
                        Some((body, length)) => {
                            let params: Vec<&[u8]> =
                                body.split(|b| *b == b';').take(MAX_COMMAND_PARTS).collect();
                            self.operating_system_command(&params);
                            length
                        }
                        None => self.parse_slowly(rest),
                    },
                    _ => self.parse_slowly(rest),
                },
                0x00..=0x1f | 0x7f => {
                    let skimmed = if first == b'\n' { self.skim(rest) } else { 0 };
                    if skimmed > 0 {
                        rest = rest.get(skimmed..).unwrap_or_default();
                        room = room.saturating_sub(skimmed / CHEAPER);
                        continue;
                    }
                    self.control(first);
                    1
                }
                _ => {
                    let mut length = rest.iter().position(|b| *b < 0x20 || *b == 0x7f).unwrap_or(rest.len());
                    if let Some(part) = rest.get(..room.max(LONGEST_CHARACTER))
                        && part.len() < length
                    {
                        length = part.len() - incomplete_utf8(part);
                    }
                    self.text(rest.get(..length).unwrap_or_default());
                    length
                }
            };
            if self.has_spacers && self.scrolls > 0 {
                self.flush();
                self.fill_history();
            }
            rest = rest.get(used..).unwrap_or_default();
            room = room.saturating_sub(used);
        }
        bytes.len() - rest.len()
    }

    /// Runs `vte` to the end of the sequence, or of `bytes`. Returns how many it read.
    fn parse_slowly(&mut self, bytes: &[u8]) -> usize {
        if self.overlong {
            return self.read_over(bytes);
        }
        let Some(mut parser) = self.parser.take() else { return bytes.len() };
        let mut performer = Performer { model: self, event: Event::Inside };
        let used = parser.advance_until_terminated(&mut performer, bytes);
        let event = performer.event;
        self.parser = Some(parser);
        match event {
            Event::Ended => {
                self.in_sequence = false;
                self.unfinished.clear();
            }
            Event::StringEnded => {
                // The ESC that ended the string is the start of the next sequence.
                self.in_sequence = true;
                self.unfinished.clear();
                self.unfinished.push(ESC);
            }
            Event::Inside => {
                self.in_sequence = true;
                let read = bytes.get(..used).unwrap_or_default();
                let room = MAX_UNFINISHED_BYTES.saturating_sub(self.unfinished.len());
                let kept = read.iter().copied().filter(|b| *b >= 0x20 || *b == ESC);
                self.unfinished.extend(kept.take(room));
                // `vte` keeps all of a command, however long; nobody means one like this.
                if self.unfinished.len() >= MAX_UNFINISHED_BYTES && self.unfinished.starts_with(b"\x1b]") {
                    self.parser = Some(Box::default());
                    self.overlong = true;
                }
            }
        }
        used
    }

    /// Reads on to the end of an operating system command that is too long to mean anything.
    fn read_over(&mut self, bytes: &[u8]) -> usize {
        let end = bytes.iter().position(|b| matches!(*b, BEL | CAN | SUB | ESC));
        let Some(end) = end else { return bytes.len() };
        self.overlong = false;
        self.unfinished = Vec::new();
        self.in_sequence = false;
        // An ESC begins the string terminator or the next sequence, and is read again.
        if bytes.get(end) == Some(&ESC) { end } else { end + 1 }
    }
}

/// The body and the length of an operating system command at the start of `bytes`, if it is whole and has nothing odd in
/// it.
fn whole_command(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let body = bytes.get(2..)?;
    let end = body.iter().position(|b| *b < 0x20)?;
    let length = match body.get(end..)? {
        [0x07, ..] => end + 1,
        [ESC, b'\\', ..] => end + 2,
        _ => return None,
    };
    Some((body.get(..end)?, 2 + length))
}

/// What happened while `vte` ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    /// Nothing that ended the sequence.
    Inside,
    /// A string ended; if by ESC, the parser is inside the next sequence.
    StringEnded,
    Ended,
}

struct Performer<'a> {
    model: &'a mut Model,
    event: Event,
}

impl vte::Perform for Performer<'_> {
    fn print(&mut self, c: char) {
        let mut buffer = [0; 4];
        self.model.text(c.encode_utf8(&mut buffer).as_bytes());
        self.event = Event::Ended;
    }

    fn execute(&mut self, byte: u8) {
        self.model.control(byte);
        if matches!(byte, CAN | SUB) {
            self.event = Event::Ended;
        }
    }

    fn csi_dispatch(&mut self, params: &vte::Params, intermediates: &[u8], ignore: bool, action: char) {
        self.event = Event::Ended;
        let mut csi = Csi { last: u8::try_from(action).unwrap_or(0), ..Csi::default() };
        for &byte in intermediates {
            if matches!(byte, b'<'..=b'?') {
                csi.prefix = byte;
            } else {
                csi.intermediate = byte;
            }
        }
        for group in params {
            for (n, &value) in group.iter().enumerate() {
                csi.params.push(value, n > 0);
            }
        }
        if !ignore {
            self.model.csi(&csi, None);
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], ignore: bool, byte: u8) {
        self.event = Event::Ended;
        if !ignore {
            self.model.escape(intermediates, byte);
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], bell_terminated: bool) {
        self.event = if bell_terminated { Event::Ended } else { Event::StringEnded };
        self.model.operating_system_command(params);
    }

    fn unhook(&mut self) {
        self.event = Event::StringEnded;
    }

    fn terminated(&self) -> bool {
        self.event != Event::Inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::history::HistoryRows;
    use board_protocol::ids::Size;

    // A program that began a title and never ended it made its host grow by every byte that it printed.
    #[test]
    fn an_endless_command_is_read_over_to_its_end() {
        for end in ["\x07", "\x1b\\", "\x18", "\x1a", "\x1b[m", "\x1b]2;short\x07"] {
            let mut model = Model::new(Size { cols: 20, rows: 5 }, HistoryRows::new(10));
            model.feed(b"\x1b]2;");
            let piece = "é; ".repeat(20_000);
            let mut fed = 0;
            while fed < 3 * MAX_UNFINISHED_BYTES {
                model.feed(piece.as_bytes());
                fed += piece.len();
                assert_eq!(model.overlong, fed + 4 >= MAX_UNFINISHED_BYTES, "{fed}");
                assert!(model.in_sequence && model.unfinished.len() <= MAX_UNFINISHED_BYTES);
            }
            model.feed(end.as_bytes());
            assert!(!model.overlong && !model.in_sequence && model.unfinished().is_empty(), "{end:?}");
            model.feed(b"after");
            assert_eq!(model.emulator.cursor(), (0, 5), "{end:?}");
        }
    }
}
