//! Finds the person's detach key in what they type: pure.
//!
//! The key is recognised in its legacy, kitty and modifyOtherKeys forms and anywhere inside a batch of bytes, never inside
//! a bracketed paste or a half-received sequence (decision 7, field report B1). Everything else passes in order and
//! unchanged; a sequence that arrives in pieces passes whole (field report B10). Plain Left detaches only while the host
//! says that it may, and only if nothing was typed just before it: the agent's word about its editor may still be on its
//! way.

use board_protocol::host::PlainLeft;
use std::time::{Duration, Instant};

const ESC: u8 = 0x1b;
/// Ctrl+\ as terminals have always sent it.
const CTRL_BACKSLASH: u8 = 0x1c;
/// The code of a backslash in the kitty and modifyOtherKeys forms.
const BACKSLASH: u32 = 92;
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
    state: State,
    /// The sequence so far.
    kept: Vec<u8>,
    deadline: Option<Instant>,
    left: PlainLeft,
    /// When something last passed.
    typed_at: Option<Instant>,
}

impl Default for KeyScanner {
    fn default() -> Self {
        Self {
            state: State::Ground,
            kept: Vec::new(),
            deadline: None,
            left: PlainLeft::Typed,
            typed_at: None,
        }
    }
}

impl KeyScanner {
    /// Scans a batch; what passes is appended to `out`.
    pub fn feed(&mut self, input: &[u8], now: Instant, out: &mut Vec<u8>) -> Typed {
        for &byte in input {
            let before = out.len();
            if self.take(byte, now, out) == Typed::Detach {
                *self = Self::default();
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
                CTRL_BACKSLASH => return Typed::Detach,
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
                _ => self.pass(State::Ground, byte, out),
            },
            State::Control => return self.take_control(byte, now, out),
            State::Shift => match byte {
                // Left in a terminal whose cursor keys are in application mode.
                b'D' if self.left_detaches(now) => return Typed::Detach,
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
                if is_detach(&self.kept) || is_left(&self.kept) && self.left_detaches(now) {
                    return Typed::Detach;
                }
                self.state = if self.kept == PASTE_START { State::Paste { seen: 0 } } else { State::Ground };
                out.append(&mut self.kept);
            }
            // Not a sequence after all, or too long for one of ours.
            _ => self.pass(State::Ground, byte, out),
        }
        Typed::Through
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

/// Whether a whole control sequence is Ctrl+\ or Ctrl+Left.
fn is_detach(sequence: &[u8]) -> bool {
    let Some((&last, body)) = sequence.get(2..).and_then(<[u8]>::split_last) else { return false };
    let Ok(body) = std::str::from_utf8(body) else { return false };
    let parameters: Vec<&str> = body.split(';').collect();
    match (last, parameters.as_slice()) {
        // kitty: code[:alternates] ; modifiers[:event] [; text]
        (b'u', [code, modifiers, ..]) => number(code) == Some(BACKSLASH) && is_ctrl(modifiers),
        // xterm's modifyOtherKeys: 27 ; modifiers ; code ~
        (b'~', ["27", modifiers, code]) => number(code) == Some(BACKSLASH) && is_ctrl(modifiers),
        (b'D', ["1", modifiers]) => is_ctrl(modifiers),
        _ => false,
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

/// The first of the sub-parameters.
fn number(parameter: &str) -> Option<u32> {
    parameter.split(':').next()?.parse().ok()
}

/// Ctrl alone, pressed or repeated.
fn is_ctrl(modifiers: &str) -> bool {
    const CTRL: u32 = 4;
    has_modifiers(modifiers, CTRL)
}

/// Exactly these, pressed or repeated; Caps Lock and Num Lock do not matter.
fn has_modifiers(modifiers: &str, wanted: u32) -> bool {
    const LOCKS: u32 = 64 | 128;
    let released = modifiers.split(':').nth(1) == Some("3");
    let pressed = number(modifiers).and_then(|modifiers| modifiers.checked_sub(1));
    !released && pressed.is_some_and(|modifiers| modifiers & !LOCKS == wanted)
}

#[cfg(test)]
#[path = "keys/tests.rs"]
mod tests;
