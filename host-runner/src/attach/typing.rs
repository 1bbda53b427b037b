//! What comes from the person's terminal: its own answers first, then keys. Pure; the loop gives it what it read.

use super::{
    keys::{KeyScanner, Skipping, Typed, Within},
    look::LookAnswers,
    pointer::Layout,
};
use board_protocol::host::{PlainLeft, TerminalLook};
use std::time::Instant;

/// Both filters, one after the other.
#[derive(Debug)]
pub(super) struct Typing {
    /// `None` once the terminal has answered everything.
    answers: Option<LookAnswers>,
    keys: KeyScanner,
}

impl Typing {
    /// From a terminal that was just asked.
    pub(super) fn new(answers: LookAnswers, keys: KeyScanner) -> Self {
        Self { answers: Some(answers), keys }
    }

    /// Takes what was read; what passes is appended to `out`.
    pub(super) fn feed(&mut self, read: &[u8], now: Instant, out: &mut Vec<u8>) -> Typed {
        let Some(answers) = &mut self.answers else { return self.keys.feed(read, now, out) };
        let mut keys = Vec::new();
        answers.feed(read, now, &mut keys);
        self.keys.feed(&keys, now, out)
    }

    /// Lets go of what waited too long for its end.
    pub(super) fn on_time(&mut self, now: Instant, out: &mut Vec<u8>) {
        if let Some(answers) = &mut self.answers {
            let mut keys = Vec::new();
            answers.on_time(now, &mut keys);
            if !keys.is_empty() {
                // It begins with ESC and ends before its sequence does: no detach key is in it.
                self.keys.feed(&keys, now, out);
            }
        }
        self.keys.on_time(now, out);
    }

    /// When [`Typing::on_time`] is due.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        let answers = self.answers.as_ref().and_then(LookAnswers::next_deadline);
        [answers, self.keys.next_deadline()].into_iter().flatten().min()
    }

    /// What the terminal looks like, once, when it has said so.
    pub(super) fn new_look(&mut self) -> Option<TerminalLook> {
        self.answers.take_if(|answers| answers.is_over()).map(|answers| answers.look().clone())
    }

    /// Whether an answer is on its way.
    pub(super) fn is_asking(&self, now: Instant) -> bool {
        self.answers.as_ref().is_some_and(|answers| answers.is_awaited(now))
    }

    /// See [`KeyScanner::within`].
    pub(super) fn within(&self) -> Within {
        self.keys.within()
    }

    /// See [`KeyScanner::skipping_is`] and [`KeyScanner::laid_out`].
    pub(super) fn drawn(&mut self, skipping: Skipping, layout: Option<Layout>) {
        self.keys.skipping_is(skipping);
        self.keys.laid_out(layout);
    }

    /// See [`KeyScanner::take_skipped`].
    pub(super) fn take_skipped(&mut self) -> bool {
        self.keys.take_skipped()
    }

    /// What plain Left does from here on.
    pub(super) fn left_is(&mut self, left: PlainLeft) {
        self.keys.left_is(left);
    }
}
