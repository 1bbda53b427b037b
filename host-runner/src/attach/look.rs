//! Asks the person's terminal for its colours and its cell size, and takes the answers out of what is typed: pure.
//!
//! The host answers the agent's questions with them (architecture, "Terminal stream"). Nothing waits for the answers: a
//! terminal that answers while the host says hello is known from the start, a slower one a moment later. The last
//! question, DA1, is one that every terminal answers, in order: after it no answer is to come.

use crate::terminal::colour;
use board_protocol::{host::TerminalLook, ids::Size};
use std::time::{Duration, Instant};

/// Foreground, background, size of a cell, size of the text area, DA1.
pub const ASK: &[u8] = b"\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[16t\x1b[14t\x1b[c";

const ESC: u8 = 0x1b;
/// Longest answer, in bytes; the colours of xterm are 25.
const MAX_ANSWER: usize = 64;
/// How long ESC alone may be the beginning of an answer and not the key: below what a person notices.
const ESC_WAIT: Duration = Duration::from_millis(20);
/// How long an answer may stop in its middle on a slow line.
const ANSWER_WAIT: Duration = Duration::from_millis(500);
/// After this nobody waits for a terminal that has not answered.
const AWAITED: Duration = Duration::from_secs(1);
/// After this no terminal answers any more.
const PATIENCE: Duration = Duration::from_secs(10);

/// The answers of one terminal.
#[derive(Debug)]
pub struct LookAnswers {
    look: TerminalLook,
    pane: Size,
    /// What may be an answer, from its ESC on.
    kept: Vec<u8>,
    deadline: Option<Instant>,
    asked_at: Instant,
    is_over: bool,
}

/// What bytes may become.
enum Shape {
    Answer,
    Beginning,
    Typed,
}

impl LookAnswers {
    /// Of a terminal of this size that was just asked; `look` is what is known already.
    pub fn new(look: TerminalLook, pane: Size, now: Instant) -> Self {
        Self { look, pane, kept: Vec::new(), deadline: None, asked_at: now, is_over: false }
    }

    /// What is known by now.
    pub fn look(&self) -> &TerminalLook {
        &self.look
    }

    /// Whether no answer is to come.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether an answer should come any moment.
    pub fn is_awaited(&self, now: Instant) -> bool {
        !self.is_over && now < self.asked_at + AWAITED
    }

    /// Reads from the terminal; what a person typed is appended to `out`.
    pub fn feed(&mut self, input: &[u8], now: Instant, out: &mut Vec<u8>) {
        self.is_over |= now >= self.asked_at + PATIENCE;
        for (at, &byte) in input.iter().enumerate() {
            if self.is_over {
                out.append(&mut self.kept);
                out.extend_from_slice(input.get(at..).unwrap_or_default());
                break;
            }
            self.take(byte, out);
        }
        self.deadline = match self.kept.len() {
            0 => None,
            1 | 2 => Some(now + ESC_WAIT),
            _ => Some(now + ANSWER_WAIT),
        };
    }

    /// When [`LookAnswers::on_time`] is due.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Lets go of what was no answer.
    pub fn on_time(&mut self, now: Instant, out: &mut Vec<u8>) {
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.deadline = None;
            out.append(&mut self.kept);
        }
    }

    fn take(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.kept.is_empty() && byte != ESC {
            out.push(byte);
            return;
        }
        self.kept.push(byte);
        match shape(&self.kept) {
            Shape::Beginning => {}
            Shape::Answer => {
                let answer = std::mem::take(&mut self.kept);
                self.read(&answer);
            }
            Shape::Typed => {
                self.kept.pop();
                out.append(&mut self.kept);
                if byte == ESC {
                    self.kept.push(ESC);
                } else {
                    out.push(byte);
                }
            }
        }
    }

    fn read(&mut self, answer: &[u8]) {
        let text = String::from_utf8_lossy(answer.get(2..).unwrap_or_default());
        if let Some(rest) = text.strip_prefix("10;") {
            self.look.foreground = colour(rest.trim_end_matches(['\x07', '\x1b', '\\']).as_bytes());
        } else if let Some(rest) = text.strip_prefix("11;") {
            self.look.background = colour(rest.trim_end_matches(['\x07', '\x1b', '\\']).as_bytes());
        } else if let Some([height, width]) = text.strip_prefix("6;").and_then(numbers) {
            self.set_cell(width, height);
        } else if let Some([height, width]) = text.strip_prefix("4;").and_then(numbers) {
            // The text area: only for a terminal that does not say how large a cell is.
            if self.look.cell_pixels.is_none() {
                self.set_cell(width / self.pane.cols.max(1), height / self.pane.rows.max(1));
            }
        } else {
            self.is_over = true;
        }
    }

    fn set_cell(&mut self, width: u16, height: u16) {
        if width > 0 && height > 0 {
            self.look.cell_pixels = Some([width, height]);
        }
    }
}

fn numbers(text: &str) -> Option<[u16; 2]> {
    let (first, second) = text.strip_suffix('t')?.split_once(';')?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

/// Whether bytes from an ESC on are an answer to [`ASK`].
fn shape(bytes: &[u8]) -> Shape {
    if bytes.len() > MAX_ANSWER {
        return Shape::Typed;
    }
    let heads: [&[u8]; 5] = [b"\x1b]10;", b"\x1b]11;", b"\x1b[6;", b"\x1b[4;", b"\x1b[?"];
    let Some(head) = heads.iter().find(|head| bytes.starts_with(head)) else {
        let begins = heads.iter().any(|head| head.starts_with(bytes));
        return if begins { Shape::Beginning } else { Shape::Typed };
    };
    let body = bytes.get(head.len()..).unwrap_or_default();
    let Some((&last, before)) = body.split_last() else { return Shape::Beginning };
    let is_number = |b: &u8| matches!(b, b'0'..=b'9' | b';');
    match (head[1], last) {
        (b']', 0x07) => Shape::Answer,
        (b']', b'\\') if before.last() == Some(&ESC) => Shape::Answer,
        (b']', ESC) if before.last() != Some(&ESC) => Shape::Beginning,
        (b']', 0x20..=0x7e) if before.last() != Some(&ESC) => Shape::Beginning,
        (b'[', b'c') if head.ends_with(b"?") && !before.is_empty() => Shape::Answer,
        (b'[', b't') if !head.ends_with(b"?") && !before.is_empty() => Shape::Answer,
        (b'[', byte) if is_number(&byte) => Shape::Beginning,
        _ => Shape::Typed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANE: Size = Size { cols: 100, rows: 40 };
    const ANSWERS: &[u8] =
        b"\x1b]10;rgb:dddd/eeee/ffff\x1b\\\x1b]11;rgb:1111/2222/3333\x07\x1b[6;18;9t\x1b[4;720;900t\x1b[?62;4c";

    fn answers() -> LookAnswers {
        LookAnswers::new(TerminalLook::default(), PANE, Instant::now())
    }

    /// What was typed among these pieces.
    fn typed(answers: &mut LookAnswers, pieces: &[&[u8]]) -> Vec<u8> {
        let now = Instant::now();
        let mut out = Vec::new();
        for piece in pieces {
            answers.feed(piece, now, &mut out);
        }
        out
    }

    #[test]
    fn answers_are_read_and_never_typed_at_every_cut() {
        let input = [b"a".as_slice(), ANSWERS, b"b\x1b[A"].concat();
        for cut in 0..=input.len() {
            let mut answers = answers();
            assert_eq!(typed(&mut answers, &[&input[..cut], &input[cut..]]), b"ab\x1b[A", "cut at {cut}");
            let look = TerminalLook {
                foreground: Some([0xdddd, 0xeeee, 0xffff]),
                background: Some([0x1111, 0x2222, 0x3333]),
                cell_pixels: Some([9, 18]),
            };
            assert_eq!(answers.look(), &look);
            assert!(answers.is_over());
        }
    }

    #[test]
    fn keys_between_the_answers_pass_in_their_order() {
        for keys in [
            &b"x"[..],
            b"\x1b[A",
            b"\x1b[1;5D",
            b"\x1bOP",
            b"\x1b[6~",
            b"\x1b[4;2~",
            b"\x1b[?1u",
            b"\x1b]2;x\x07",
            b"\x1b\x1b[A",
        ] {
            let mut answers = answers();
            let pieces = [keys, b"\x1b]10;rgb:0/0/0\x07", keys, b"\x1b[?1;2c", keys];
            assert_eq!(typed(&mut answers, &pieces), keys.repeat(3), "{}", keys.escape_ascii());
            assert_eq!(answers.look().foreground, Some([0; 3]));
        }
    }

    #[test]
    fn escape_alone_is_the_key_after_a_moment() {
        let mut answers = answers();
        assert_eq!(typed(&mut answers, &[b"\x1b"]), b"");
        let mut out = Vec::new();
        let at = answers.next_deadline().unwrap();
        answers.on_time(at, &mut out);
        assert_eq!(out, b"\x1b");
        assert_eq!(answers.next_deadline(), None);
    }

    #[test]
    fn a_cell_is_computed_from_the_text_area_where_nothing_else_is_known() {
        let mut answers = answers();
        typed(&mut answers, &[b"\x1b[4;640;800t\x1b[?6c"]);
        assert_eq!(answers.look().cell_pixels, Some([8, 16]));
        let mut answers = self::answers();
        typed(&mut answers, &[b"\x1b[6;0;0t\x1b[4;1;1t\x1b]11;red\x07\x1b[?6c"]);
        assert_eq!(*answers.look(), TerminalLook::default(), "nonsense is no answer");
    }

    #[test]
    fn after_the_last_answer_and_after_a_while_everything_is_typed() {
        let mut over = answers();
        assert_eq!(typed(&mut over, &[b"\x1b[?6c", ANSWERS]), ANSWERS);
        let start = Instant::now();
        let mut silent = LookAnswers::new(TerminalLook::default(), PANE, start);
        let mut out = Vec::new();
        silent.feed(b"\x1b", start, &mut out);
        silent.feed(b"[?6c", start + PATIENCE, &mut out);
        assert_eq!(out, b"\x1b[?6c");
    }
}
