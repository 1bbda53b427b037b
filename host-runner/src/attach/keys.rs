//! Finds the person's detach key in what they type: pure.
//!
//! Each key ([`Chord`]) is recognised in its legacy, kitty and modifyOtherKeys forms and anywhere inside a batch of bytes, never inside
//! a bracketed paste or a half-received sequence (decision 7, field report B1). Everything else passes in order and
//! unchanged; a sequence that arrives in pieces passes whole (field report B10). Plain Left detaches only while the host
//! says that it may, and only if nothing was typed just before it: the agent's word about its editor may still be on its
//! way.

use super::{
    chord::{Chord, Prefix, has_modifiers},
    pointer::{Layout, Pointed, Pointer},
};
use board_protocol::host::PlainLeft;
use std::time::{Duration, Instant};

const ESC: u8 = 0x1b;
/// How long a lone ESC waits for the rest of a sequence: below what a person notices.
const ESC_WAIT: Duration = Duration::from_millis(20);
/// How long a sequence with parameters waits for its end: longer than any gap seen on a slow line (80 ms in B10).
const SEQUENCE_WAIT: Duration = Duration::from_millis(500);
/// How long a string (a terminal's answer) may pause. Alt+] looks like the start of one; after this it is none.
const STRING_WAIT: Duration = Duration::from_millis(100);
/// How long a paste may pause before its end is taken as lost, so that the detach key works again.
const PASTE_WAIT: Duration = Duration::from_secs(3);
/// Longest sequence that is followed; a longer one passes as it is.
const MAX_SEQUENCE: usize = 128;
/// How long after any other key plain Left still belongs to the agent: it tells of a change of its editor within 100 ms.
const EDITOR_WAIT: Duration = Duration::from_millis(300);
const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Ground,
    /// After ESC.
    Escape,
    /// In a control sequence.
    Control,
    /// After ESC O: one more byte.
    Shift,
    /// In an OSC, DCS, APC, PM or SOS string; `true` after an ESC in it.
    Text {
        escaped: bool,
    },
    /// In a bracketed paste; how much of its end was seen.
    Paste {
        seen: usize,
    },
}

/// What a batch of typing came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// Everything that is complete is in the output.
    Through,
    /// The person wants to leave. What they typed before is in the output; what came after is dropped.
    Detach,
}

/// Where what was typed so far ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Between keys, or in one.
    Keys,
    /// In a bracketed paste.
    Paste,
}

/// Follows what a person types.
#[derive(Debug)]
pub struct KeyScanner {
    /// The keys that detach.
    detach: Vec<Chord>,
    state: State,
    /// The sequence so far.
    kept: Vec<u8>,
    deadline: Option<Instant>,
    left: PlainLeft,
    /// When something last passed.
    typed_at: Option<Instant>,
    /// The keys that skip waits.
    skip: Vec<Chord>,
    /// Whether they do: while a banner names them.
    skipping: Skipping,
    /// One of them came.
    skipped: bool,
    /// What the mouse means, while the client draws the session itself.
    pointer: Option<Pointer>,
}

/// What the keys that skip waits do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipping {
    /// They belong to the program.
    Off,
    /// They skip.
    On,
}

impl Default for KeyScanner {
    fn default() -> Self {
        Self::new(Chord::DEFAULT.to_vec())
    }
}

impl KeyScanner {
    /// A scanner for these keys.
    pub fn new(detach: Vec<Chord>) -> Self {
        Self {
            detach,
            state: State::Ground,
            kept: Vec::new(),
            deadline: None,
            left: PlainLeft::Typed,
            typed_at: None,
            skip: Vec::new(),
            skipping: Skipping::Off,
            skipped: false,
            pointer: None,
        }
    }

    /// The same, with keys that skip waits.
    #[must_use]
    pub fn with_skip(self, skip: Vec<Chord>) -> Self {
        Self { skip, ..self }
    }

    /// Whether the keys that skip waits do so from here on.
    pub fn skipping_is(&mut self, skipping: Skipping) {
        self.skipping = skipping;
    }

    /// Whether one of those keys, or a click that stands for one, came since this was asked last.
    pub fn take_skipped(&mut self) -> bool {
        std::mem::take(&mut self.skipped)
    }

    /// How the pane is laid out from here on; `None`: the mouse is the program's as it comes.
    pub fn laid_out(&mut self, layout: Option<Layout>) {
        match (&mut self.pointer, layout) {
            (Some(pointer), Some(layout)) => pointer.lay_out(layout),
            (pointer, layout) => *pointer = layout.map(Pointer::new),
        }
    }

    /// Scans a batch; what passes is appended to `out`.
    pub fn feed(&mut self, input: &[u8], now: Instant, out: &mut Vec<u8>) -> Typed {
        for &byte in input {
            let before = out.len();
            if self.take(byte, now, out) == Typed::Detach {
                let skip = std::mem::take(&mut self.skip);
                *self = Self::new(std::mem::take(&mut self.detach)).with_skip(skip);
                return Typed::Detach;
            }
            // Left itself changes no text: whoever keeps it pressed leaves as soon as it may.
            let left = out.get(before..).is_some_and(is_left);
            if out.len() > before && !left {
                self.typed_at = Some(now);
            }
        }
        self.deadline = match self.state {
            State::Ground => None,
            // ESC [ alone is Alt+[, which a person may type.
            State::Escape | State::Shift => Some(now + ESC_WAIT),
            State::Control if self.kept.len() <= 2 => Some(now + ESC_WAIT),
            State::Control => Some(now + SEQUENCE_WAIT),
            State::Text { .. } => Some(now + STRING_WAIT),
            State::Paste { .. } => Some(now + PASTE_WAIT),
        };
        Typed::Through
    }

    /// What plain Left does from here on.
    pub fn left_is(&mut self, left: PlainLeft) {
        self.left = left;
    }

    /// Where what was fed so far ends.
    pub fn within(&self) -> Within {
        if matches!(self.state, State::Paste { .. }) { Within::Paste } else { Within::Keys }
    }

    fn left_detaches(&self, now: Instant) -> bool {
        let quiet = self.typed_at.is_none_or(|typed| now.duration_since(typed) >= EDITOR_WAIT);
        self.left == PlainLeft::Detaches && quiet
    }

    /// When [`KeyScanner::on_time`] is due.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Lets go of what waited too long for its end.
    pub fn on_time(&mut self, now: Instant, out: &mut Vec<u8>) {
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.deadline = None;
            self.state = State::Ground;
            self.typed_at = Some(now);
            out.append(&mut self.kept);
        }
    }

    fn take(&mut self, byte: u8, now: Instant, out: &mut Vec<u8>) -> Typed {
        match self.state {
            State::Ground => match byte {
                ESC => self.start(),
                _ if self.is_detach_byte(byte, Prefix::Nothing) => return Typed::Detach,
                _ if self.is_skip_byte(byte, Prefix::Nothing) => self.skips(),
                _ => out.push(byte),
            },
            State::Escape => match byte {
                // Alt+Esc, or a lone ESC in front of a sequence.
                ESC => {
                    out.append(&mut self.kept);
                    self.start();
                }
                b'[' => self.keep(State::Control, byte),
                b'O' => self.keep(State::Shift, byte),
                b']' | b'P' | b'_' | b'^' | b'X' => self.pass(State::Text { escaped: false }, byte, out),
                // ESC in front of Ctrl+\ is Alt+Ctrl+\: another key.
                _ if self.is_detach_byte(byte, Prefix::Escape) => return Typed::Detach,
                _ if self.is_skip_byte(byte, Prefix::Escape) => self.skips(),
                _ => self.pass(State::Ground, byte, out),
            },
            State::Control => return self.take_control(byte, now, out),
            State::Shift => match byte {
                // Left in a terminal whose cursor keys are in application mode.
                b'D' if self.left_detaches(now) => return Typed::Detach,
                _ if self.is_detach(&[ESC, b'O', byte]) => return Typed::Detach,
                _ if self.is_skip(&[ESC, b'O', byte]) => self.skips(),
                ESC => {
                    out.append(&mut self.kept);
                    self.start();
                }
                _ => self.pass(State::Ground, byte, out),
            },
            State::Text { escaped } => {
                let state = match byte {
                    0x07 => State::Ground,
                    b'\\' if escaped => State::Ground,
                    _ => State::Text { escaped: byte == ESC },
                };
                self.pass(state, byte, out);
            }
            State::Paste { seen } => {
                let seen =
                    if PASTE_END.get(seen) == Some(&byte) { seen + 1 } else { usize::from(byte == ESC) };
                let over = seen == PASTE_END.len();
                self.pass(if over { State::Ground } else { State::Paste { seen } }, byte, out);
            }
        }
        Typed::Through
    }

    fn take_control(&mut self, byte: u8, now: Instant, out: &mut Vec<u8>) -> Typed {
        match byte {
            ESC => {
                out.append(&mut self.kept);
                self.start();
            }
            0x20..=0x3f if self.kept.len() < MAX_SEQUENCE => self.keep(State::Control, byte),
            0x40..=0x7e => {
                self.kept.push(byte);
                if self.is_detach(&self.kept) || is_left(&self.kept) && self.left_detaches(now) {
                    return Typed::Detach;
                }
                if self.is_skip(&self.kept) {
                    self.skips();
                    return Typed::Through;
                }
                self.state = if self.kept == PASTE_START { State::Paste { seen: 0 } } else { State::Ground };
                match self.pointer.as_mut().map_or(Pointed::Other, |pointer| pointer.take(&self.kept)) {
                    Pointed::Other => out.append(&mut self.kept),
                    Pointed::Nothing => self.kept.clear(),
                    Pointed::Skip if self.skipping == Skipping::On => self.skips(),
                    Pointed::Skip => self.kept.clear(),
                    Pointed::Told(told) => {
                        self.kept.clear();
                        out.extend(told);
                    }
                }
            }
            // Not a sequence after all, or too long for one of ours.
            _ => self.pass(State::Ground, byte, out),
        }
        Typed::Through
    }

    fn is_detach_byte(&self, byte: u8, prefix: Prefix) -> bool {
        self.detach.iter().any(|chord| chord.is_byte(byte, prefix))
    }

    fn is_detach(&self, sequence: &[u8]) -> bool {
        self.detach.iter().any(|chord| chord.is_sequence(sequence))
    }

    fn is_skip_byte(&self, byte: u8, prefix: Prefix) -> bool {
        self.skipping == Skipping::On && self.skip.iter().any(|chord| chord.is_byte(byte, prefix))
    }

    fn is_skip(&self, sequence: &[u8]) -> bool {
        self.skipping == Skipping::On && self.skip.iter().any(|chord| chord.is_sequence(sequence))
    }

    /// A key that skips: the program gets nothing of it.
    fn skips(&mut self) {
        self.kept.clear();
        self.state = State::Ground;
        self.skipped = true;
    }

    fn start(&mut self) {
        self.state = State::Escape;
        self.kept.push(ESC);
    }

    fn keep(&mut self, state: State, byte: u8) {
        self.state = state;
        self.kept.push(byte);
    }

    fn pass(&mut self, state: State, byte: u8, out: &mut Vec<u8>) {
        self.state = state;
        out.append(&mut self.kept);
        out.push(byte);
    }
}

/// Whether a whole control sequence is Left without modifiers, pressed or repeated.
fn is_left(sequence: &[u8]) -> bool {
    if sequence == b"\x1bOD" {
        return true;
    }
    let Some((b'D', body)) = sequence.strip_prefix(b"\x1b[").and_then(<[u8]>::split_last) else {
        return false;
    };
    let Ok(body) = std::str::from_utf8(body) else { return false };
    match body.split(';').collect::<Vec<_>>().as_slice() {
        [""] | ["1"] => true,
        ["1", modifiers] => has_modifiers(modifiers, 0),
        _ => false,
    }
}

#[cfg(test)]
#[path = "keys/tests.rs"]
mod tests;
