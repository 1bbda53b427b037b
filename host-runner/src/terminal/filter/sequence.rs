//! One escape sequence while it arrives, as far as it may become something that is taken out. Used by the filter.
//!
//! As soon as a sequence cannot be a query any more it is let through, its rest as plain output: nothing in the rest
//! of a string can start a query but ESC, which ends the string first.

use super::{
    Clipboard, ESC, Found,
    query::{self, Query, StringEnd},
    titles::{self, TitleStack, Titles},
};

const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
/// Longest CSI sequence that is looked at, in bytes. Queries are much shorter.
const MAX_CSI_BYTES: usize = 256;
/// Longest string that is looked at, in bytes: all 256 palette colours asked for at once are 1.5 KiB.
const MAX_STRING_BYTES: usize = 4 * 1024;
/// Most bytes of text that may be written to the clipboard (reference E.10).
const MAX_CLIPBOARD_BYTES: usize = 1024 * 1024;
/// The same as base64, with room for the head of the sequence.
const MAX_CLIPBOARD_SEQUENCE_BYTES: usize = MAX_CLIPBOARD_BYTES.div_ceil(3) * 4 + 32;

/// How many bytes at the start of `bytes`, which begin with ESC, are text and whole control sequences that ask nothing:
/// the common case, without a copy of each. 0 leaves the decision to [`Sequence`].
pub(super) fn passes_at_once(bytes: &[u8]) -> usize {
    let mut passed = 0;
    while let Some(rest) = bytes.get(passed..).and_then(|rest| rest.strip_prefix(b"\x1b[")) {
        let Some(end) = rest.iter().take(MAX_CSI_BYTES).position(|b| !matches!(b, 0x20..=0x3f)) else {
            break;
        };
        // The final bytes of everything that asks; see `query::csi`.
        let asks_nothing = match rest.get(end) {
            Some(b'c' | b'n' | b'p' | b'q' | b't' | b'u' | b'v' | b'w' | b'x' | b'y') => false,
            Some(b'm' | b'S') => rest.first() != Some(&b'?'),
            Some(b'@'..=b'~') => true,
            _ => false,
        };
        if !asks_nothing {
            break;
        }
        passed += 2 + end + 1;
        let text = bytes.get(passed..).unwrap_or_default();
        passed += memchr::memchr2(ESC, super::ENQ, text).unwrap_or(text.len());
    }
    passed
}

#[derive(Debug)]
enum State {
    /// After ESC.
    Escape,
    Csi,
    /// In the number of an operating system command.
    OscNumber,
    /// In one that may be taken out.
    Osc(u16),
    /// In the parameters of a device control string.
    DcsHead,
    /// In `DCS $ q` or `DCS + q`.
    Dcs,
    /// In an application command, before its first `;`.
    ApcHead,
    /// In a string that is dropped up to its end, with what to say about it.
    Dropped(Option<Clipboard>),
    /// A string, then ESC: `\` ends it, and so does everything else.
    StringEscape(Box<State>),
}

/// What became of a sequence.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It is none of our business.
    Pass,
    /// Taken out, with what it asks.
    Taken(Vec<Query>),
    /// Taken out, asking; what is left of it stays in the output.
    Replaced(Vec<Query>, Vec<u8>),
    /// OSC 52.
    Clipboard(Clipboard),
    /// A title, which stays: the body of OSC 0 or 2.
    Title(Vec<u8>),
    /// Taken out; a title may come back instead.
    TitleStack(TitleStack),
}

#[derive(Debug)]
pub(super) enum Step {
    More,
    Done(Outcome),
}

/// What [`Sequence::advance`] did.
#[derive(Debug)]
pub(super) struct Used {
    /// Bytes of the input that belong to the sequence.
    pub(super) taken: usize,
    /// Control characters that go to the output before it.
    pub(super) before: Vec<u8>,
    pub(super) step: Step,
    /// Whether the last byte was an ESC that ended a string and begins another sequence.
    pub(super) escaped: bool,
}

/// A sequence from its ESC on.
#[derive(Debug)]
pub(super) struct Sequence {
    bytes: Vec<u8>,
    state: State,
}

impl Sequence {
    /// One of which only the ESC arrived.
    pub(super) fn new() -> Self {
        Self { bytes: vec![ESC], state: State::Escape }
    }

    /// Reads as much of `input` as belongs to it.
    pub(super) fn advance(&mut self, input: &[u8]) -> Used {
        let mut before = Vec::new();
        let mut taken = 0;
        while let Some(&byte) = input.get(taken) {
            match self.byte(byte, &mut before) {
                Next::Read => taken += 1,
                Next::Ended(outcome) => {
                    return Used { taken: taken + 1, before, step: Step::Done(outcome), escaped: false };
                }
                Next::EndedBefore(outcome) => {
                    return Used { taken, before, step: Step::Done(outcome), escaped: false };
                }
                Next::EndedByEscape(outcome) => {
                    return Used { taken, before, step: Step::Done(outcome), escaped: true };
                }
            }
            // The bulk of a long string.
            if let State::Osc(_) | State::Dropped(_) = self.state {
                let rest = input.get(taken..).unwrap_or_default();
                let plain =
                    rest.iter().position(|b| matches!(*b, BEL | ESC | CAN | SUB)).unwrap_or(rest.len());
                let room = self.room();
                let plain = plain.min(room);
                if let State::Osc(_) = self.state {
                    self.bytes.extend_from_slice(rest.get(..plain).unwrap_or_default());
                }
                taken += plain;
            }
        }
        Used { taken, before, step: Step::More, escaped: false }
    }

    /// How many more bytes may be collected at once.
    fn room(&self) -> usize {
        match self.state {
            State::Dropped(_) => usize::MAX,
            State::Osc(number) => string_limit(number).saturating_sub(self.bytes.len()),
            _ => 0,
        }
    }

    fn byte(&mut self, byte: u8, before: &mut Vec<u8>) -> Next {
        match std::mem::replace(&mut self.state, State::Escape) {
            State::Escape => self.after_escape(byte, before),
            State::Csi => self.in_csi(byte, before),
            State::StringEscape(inside) => {
                let outcome = self.finish(*inside, StringEnd::St);
                if byte == b'\\' {
                    self.bytes.extend_from_slice(b"\x1b\\");
                    Next::Ended(outcome)
                } else {
                    self.bytes.extend_from_slice(b"\x1b\\");
                    Next::EndedByEscape(outcome)
                }
            }
            state => self.in_string(state, byte),
        }
    }

    fn after_escape(&mut self, byte: u8, before: &mut Vec<u8>) -> Next {
        match byte {
            ESC => return Next::EndedBefore(Outcome::Pass),
            super::ENQ => return Next::Read,
            CAN | SUB => {}
            0x00..=0x1f | 0x7f => {
                before.push(byte);
                return Next::Read;
            }
            _ => {}
        }
        self.bytes.push(byte);
        self.state = match byte {
            b'[' => State::Csi,
            b']' => State::OscNumber,
            b'P' => State::DcsHead,
            b'_' => State::ApcHead,
            // DECID, the old name of the primary attributes.
            b'Z' => return Next::Ended(Outcome::Taken(vec![Query::PrimaryAttributes])),
            _ => return Next::Ended(Outcome::Pass),
        };
        Next::Read
    }

    fn in_csi(&mut self, byte: u8, before: &mut Vec<u8>) -> Next {
        self.state = State::Csi;
        match byte {
            ESC => return Next::EndedBefore(Outcome::Pass),
            super::ENQ => {}
            CAN | SUB | 0x80.. => {
                self.bytes.push(byte);
                return Next::Ended(Outcome::Pass);
            }
            0x00..=0x1f | 0x7f => before.push(byte),
            0x20..=0x3f => self.bytes.push(byte),
            0x40..=0x7e => {
                self.bytes.push(byte);
                let body = self.bytes.get(2..).unwrap_or_default();
                if let Some(change) = titles::stack(body) {
                    return Next::Ended(Outcome::TitleStack(change));
                }
                return Next::Ended(query::csi(body).map_or(Outcome::Pass, Outcome::Taken));
            }
        }
        if self.bytes.len() >= MAX_CSI_BYTES { Next::Ended(Outcome::Pass) } else { Next::Read }
    }

    fn in_string(&mut self, state: State, byte: u8) -> Next {
        let is_osc = matches!(state, State::OscNumber | State::Osc(_) | State::Dropped(Some(_)));
        match byte {
            ESC if matches!(state, State::OscNumber | State::DcsHead) => {
                return Next::EndedBefore(Outcome::Pass);
            }
            ESC => {
                self.state = State::StringEscape(Box::new(state));
                return Next::Read;
            }
            BEL if is_osc => {
                let outcome = self.finish(state, StringEnd::Bel);
                self.bytes.push(byte);
                return Next::Ended(outcome);
            }
            CAN | SUB => {
                if let State::Dropped(_) = state {
                    return Next::EndedBefore(self.finish(state, StringEnd::St));
                }
                self.bytes.push(byte);
                return Next::Ended(Outcome::Pass);
            }
            _ => {}
        }
        if let State::Dropped(_) = state {
            self.state = state;
            return Next::Read;
        }
        self.bytes.push(byte);
        let body = self.bytes.get(2..).unwrap_or_default();
        self.state = match state {
            State::OscNumber => match osc_number(body) {
                OscNumber::More => State::OscNumber,
                OscNumber::Known(number) => State::Osc(number),
                OscNumber::Other => return Next::Ended(Outcome::Pass),
            },
            State::DcsHead => match body {
                b"$" | b"+" => State::DcsHead,
                b"$q" | b"+q" => State::Dcs,
                _ => return Next::Ended(Outcome::Pass),
            },
            State::ApcHead => match (body.first(), byte) {
                (Some(b'G'), b';') if query::is_graphics_query(body) => State::Dropped(None),
                (Some(b'G'), b';') => return Next::Ended(Outcome::Pass),
                (Some(b'G'), _) => State::ApcHead,
                _ => return Next::Ended(Outcome::Pass),
            },
            state => state,
        };
        let limit = if let State::Osc(number) = self.state { string_limit(number) } else { MAX_STRING_BYTES };
        if self.bytes.len() < limit {
            return Next::Read;
        }
        match self.state {
            State::Osc(52) => {
                self.state = State::Dropped(Some(Clipboard::Refused));
                Next::Read
            }
            // Terminals cut it, too.
            State::Osc(0 | 2) => Next::Ended(self.finish(State::Osc(2), StringEnd::St)),
            _ => Next::Ended(Outcome::Pass),
        }
    }

    /// Decides about a string that just ended. `self.bytes` has no terminator yet.
    fn finish(&self, state: State, end: StringEnd) -> Outcome {
        let body = self.bytes.get(2..).unwrap_or_default();
        match state {
            State::Osc(52) => Outcome::Clipboard(query::clipboard(body, MAX_CLIPBOARD_BYTES)),
            State::Osc(0 | 2) => Outcome::Title(body.to_vec()),
            State::Osc(number) => query::osc(number, body, end),
            State::Dcs => query::dcs(body).map_or(Outcome::Pass, Outcome::Taken),
            State::ApcHead if query::is_graphics_query(body) => Outcome::Taken(Vec::new()),
            State::Dropped(None) => Outcome::Taken(Vec::new()),
            State::Dropped(Some(clipboard)) => Outcome::Clipboard(clipboard),
            _ => Outcome::Pass,
        }
    }
}

enum Next {
    /// The byte belongs to the sequence, which goes on.
    Read,
    /// The byte was its last one.
    Ended(Outcome),
    /// It ended before the byte.
    EndedBefore(Outcome),
    /// The ESC before the byte ended it, and begins another sequence.
    EndedByEscape(Outcome),
}

enum OscNumber {
    More,
    Known(u16),
    Other,
}

fn osc_number(body: &[u8]) -> OscNumber {
    match body.split_last() {
        Some((b';', digits)) => match std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()) {
            Some(number @ (0 | 2 | 4 | 5 | 10..=19 | 21 | 22 | 50 | 52)) => OscNumber::Known(number),
            _ => OscNumber::Other,
        },
        Some((b'0'..=b'9', rest)) if rest.len() < 4 => OscNumber::More,
        _ => OscNumber::Other,
    }
}

fn string_limit(number: u16) -> usize {
    if number == 52 { MAX_CLIPBOARD_SEQUENCE_BYTES } else { MAX_STRING_BYTES }
}

impl Outcome {
    /// Writes what stays of the sequence to the output and reports the rest.
    pub(super) fn apply(
        self,
        sequence: Sequence,
        output: &mut Vec<u8>,
        found: &mut Vec<Found>,
        titles: &mut Titles,
    ) {
        let at = output.len();
        let mut ask =
            |queries: Vec<Query>| found.extend(queries.into_iter().map(|query| Found::Query { at, query }));
        match self {
            Self::Pass => output.extend_from_slice(&sequence.bytes),
            Self::Taken(queries) => ask(queries),
            Self::Title(body) => {
                titles.set(&body);
                output.extend_from_slice(&sequence.bytes);
            }
            Self::TitleStack(change) => titles.follow(change, output),
            Self::Replaced(queries, rest) => {
                ask(queries);
                output.extend_from_slice(&rest);
            }
            Self::Clipboard(access) => {
                if let Clipboard::Write { .. } = access {
                    output.extend_from_slice(&sequence.bytes);
                }
                found.push(Found::Clipboard { at, access });
            }
        }
    }
}
