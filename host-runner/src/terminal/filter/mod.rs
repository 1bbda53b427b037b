//! The byte scanner in front of everything: takes queries and clipboard accesses out of the program's output and
//! reports them, keeps the stack of titles, and keeps back what is not complete yet. Used by the host loop; answers
//! nothing itself.
//!
//! Output keeps its bytes and their order, but for three things: what is taken out, a control character inside a
//! half-received sequence goes before it (terminals execute it at once anyway), and what is incomplete comes later.

mod query;
mod sequence;
#[cfg(test)]
mod tests;
mod titles;

pub use query::{ColourSlot, Query, StringEnd};
use sequence::{Sequence, Step};
use titles::Titles;

const ESC: u8 = 0x1b;
/// Asks a terminal for its answerback text. Ours is empty, so the question is dropped.
const ENQ: u8 = 0x05;

/// Something that the host decides, not the client's terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The program asks its terminal something. The question is not in the output.
    Query {
        /// Where it stood: an index into `output`.
        at: usize,
        /// What it asks.
        query: Query,
    },
    /// The program touches the clipboard (OSC 52).
    Clipboard {
        /// Where it stands, or stood: an index into `output`.
        at: usize,
        /// What it does, and so whether it is still in the output.
        access: Clipboard,
    },
}

/// An access to the clipboard (field report D8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clipboard {
    /// Text for the clipboard. It is still in the output: every client gets it once.
    Write {
        /// The selections, as the program named them (`c`, `p`, …).
        selection: Vec<u8>,
        /// The text in base64, valid, at most 1 MiB of text.
        base64: Vec<u8>,
    },
    /// A read, an empty write (it would erase the clipboard), or a write that is no base64 or too long. Taken out.
    Refused,
}

/// Scans one stream of output, in pieces of any size.
#[derive(Debug, Default)]
pub struct OutputFilter {
    /// A sequence that may still become something to take out.
    sequence: Option<Sequence>,
    /// The first bytes of an unfinished UTF-8 character; empty while `sequence` is there.
    tail: Vec<u8>,
    titles: Titles,
}

impl OutputFilter {
    /// A scanner at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Scans `input`. Appends to `output` what clients, ring and terminal get, and to `found` what was noticed, in
    /// order. Everything up to the `at` of a query was printed before it was asked.
    pub fn scan(&mut self, input: &[u8], output: &mut Vec<u8>, found: &mut Vec<Found>) {
        let start = output.len();
        output.append(&mut self.tail);
        let mut rest = input;
        while let Some(&first) = rest.first() {
            if let Some(mut sequence) = self.sequence.take() {
                let used = sequence.advance(rest);
                rest = rest.get(used.taken..).unwrap_or_default();
                match used.step {
                    Step::More => {
                        output.extend_from_slice(&used.before);
                        self.sequence = Some(sequence);
                    }
                    Step::Done(outcome) => {
                        output.extend_from_slice(&used.before);
                        outcome.apply(sequence, output, found, &mut self.titles);
                        self.sequence = used.escaped.then(Sequence::new);
                    }
                }
            } else if first == ESC {
                let passed = sequence::passes_at_once(rest);
                if passed > 0 {
                    let (text, after) = rest.split_at(passed);
                    output.extend_from_slice(text);
                    rest = after;
                    continue;
                }
                self.sequence = Some(Sequence::new());
                rest = rest.get(1..).unwrap_or_default();
            } else if first == ENQ {
                rest = rest.get(1..).unwrap_or_default();
            } else {
                let plain = memchr::memchr2(ESC, ENQ, rest).unwrap_or(rest.len());
                let (text, after) = rest.split_at(plain);
                output.extend_from_slice(text);
                rest = after;
            }
        }
        if self.sequence.is_none() {
            let printed = output.get(start..).unwrap_or_default();
            let cut = output.len() - incomplete_utf8(printed);
            self.tail = output.split_off(cut);
            for noticed in found.iter_mut() {
                let (Found::Query { at, .. } | Found::Clipboard { at, .. }) = noticed;
                *at = (*at).min(output.len());
            }
        }
    }
}

/// How many bytes at the end are the beginning of a UTF-8 character (0 to 3). A parser that gets such a character in
/// two pieces may drop it (`vte` 0.15 does), so it is sent in one.
pub(crate) fn incomplete_utf8(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let Some(&byte) = bytes.get(bytes.len() - back) else { return 0 };
        match byte {
            0x80..=0xbf => {}
            0xc2..=0xf4 => {
                let tail = bytes.get(bytes.len() - back..).unwrap_or_default();
                // `error_len` is `None` exactly when more bytes could still make it valid.
                let incomplete = std::str::from_utf8(tail).is_err_and(|error| error.error_len().is_none());
                return if incomplete { back } else { 0 };
            }
            _ => return 0,
        }
    }
    0
}
