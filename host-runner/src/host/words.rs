//! Words of a person that the daemon sends: taken once, written once, and reported (reference E.5).
//!
//! Before anything of them is written, the host's own journal has them on the disk; so the daemon knows what became of
//! them, even when this process is killed. Invariant: nothing is ever typed into an agent that the person did not write.

use super::{
    event_loop::Host,
    writing::{Lines, Pastes, Step, Terminal, Writing},
};
use board_protocol::{
    host::{DeliveryProgress, HostFact, Typing},
    ids::QueueItemId,
};
use board_text::host as texts;
use std::time::{Duration, Instant};

/// The private mode by which a program asks for marked pastes.
const MARKED_PASTES: u16 = 2004;
/// Most keys of whoever is attached that wait for the end of the writing; beyond it clients are not read meanwhile.
pub(super) const MAX_KEPT_KEYS: usize = 64 * 1024;

/// How long nobody must have typed before words are written: a person who types is not talked over, and a key that could
/// stop everything never waits behind a whole queue.
const HANDS_OFF: Duration = Duration::from_secs(1);

/// Whether the agent's text field holds something that a person typed. The daemon asks before it sends words; between its
/// look and the writing somebody may have begun to type, and a daemon that has just come back does not know yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Draft {
    /// Nothing, or nobody knows.
    #[default]
    None,
    /// Something: words written now would be put behind it and submitted with it.
    Typed,
}

impl Host {
    /// The daemon sends words. Said twice, they are written once and the answer is given twice.
    pub(super) fn deliver(&mut self, item: QueueItemId, text: String, typing: Typing, now: Instant) {
        if let Some(progress) = self.deliveries.progress(&item).cloned()
            && !matches!(progress, DeliveryProgress::Refused { .. })
        {
            self.tell_progress(item, progress, now);
            return;
        }
        let in_the_way = if self.exit.is_some() || self.stop.is_asked() || self.leave_by.is_some() {
            Some(texts::session_ends().to_owned())
        } else if self.pty.is_none() {
            Some(texts::terminal_closed().to_owned())
        } else if self.writing.is_some() {
            Some(texts::words_busy().to_owned())
        } else {
            let kept = self.deliveries.record(&item, DeliveryProgress::Accepted);
            kept.err().map(|error| texts::no_journal(&error))
        };
        if let Some(reason) = in_the_way {
            self.tell_progress(item, DeliveryProgress::Refused { reason }, now);
            return;
        }
        self.tell_progress(item.clone(), DeliveryProgress::Accepted, now);
        let from = self.rest_until.map_or(now, |until| until.max(now));
        self.writing = Some(Writing::new(item, text, typing, from));
        self.write_on(now);
    }

    /// Goes on with what is being written. Called whenever the terminal took or printed something, and when it is time.
    pub(super) fn write_on(&mut self, now: Instant) {
        self.rest_until.take_if(|until| now >= *until);
        if !self.keeps_keys(now) {
            self.release_keys(now);
        }
        let may_begin = self.may_begin(now);
        while let Some(mut writing) =
            self.writing.take_if(|writing| !self.stop.is_asked() && (writing.has_begun() || may_begin))
        {
            let Some(terminal) = self.terminal_for_words() else {
                self.writing = Some(writing);
                break;
            };
            if let Some(reason) = writing.unwritable(terminal) {
                self.give_back(writing.item, reason, now);
                break;
            }
            match writing.on(terminal, now) {
                Some(Step::Write(bytes)) => {
                    if let Some(pty) = &mut self.pty {
                        pty.type_in(&bytes);
                    }
                    self.writing = Some(writing);
                }
                Some(Step::Done { rest }) => {
                    self.rest_until = Some(now + rest);
                    // Written they are in any case; without this line the daemon hears it from the fact.
                    if let Err(error) = self.deliveries.record(&writing.item, DeliveryProgress::Applied) {
                        tracing::error!(item = %writing.item, "cannot write down that words were written: {error}");
                    }
                    self.tell_progress(writing.item, DeliveryProgress::Applied, now);
                }
                None => {
                    self.writing = Some(writing);
                    break;
                }
            }
        }
        if !self.keeps_keys(now) {
            self.release_keys(now);
        }
    }

    /// Whether words of which nothing is written yet may be: nobody types, and nothing that was typed stands in the
    /// agent's text field.
    fn may_begin(&self, now: Instant) -> bool {
        let hands_off = self.keys_at.is_none_or(|typed| now >= typed + HANDS_OFF);
        self.draft == Draft::None && self.kept_keys.is_empty() && hands_off
    }

    /// When [`Host::write_on`] is due although nothing happened.
    pub(super) fn words_deadline(&self) -> Option<Instant> {
        let goes_on = self.pty.is_some() && !self.stop.is_asked();
        let hands_off = self.keys_at.map(|typed| typed + HANDS_OFF);
        let writing = self.writing.as_ref().filter(|_| goes_on).and_then(|writing| {
            let due = writing.next_deadline();
            match (writing.has_begun(), self.draft) {
                (true, _) => due,
                (false, Draft::Typed) => None,
                (false, Draft::None) => due.max(hands_off),
            }
        });
        writing.into_iter().chain(self.rest_until).min()
    }

    fn keeps_keys(&self, now: Instant) -> bool {
        let rests = self.rest_until.is_some_and(|until| now < until);
        rests || self.writing.as_ref().is_some_and(|writing| writing.keeps_keys(now))
    }

    /// Types what a person typed, now or after the words that are being written.
    pub(super) fn type_keys(&mut self, keys: &[u8], now: Instant) {
        if self.keeps_keys(now) {
            self.kept_keys.extend_from_slice(keys);
        } else if let Some(pty) = &mut self.pty {
            pty.type_in(keys);
        }
    }

    fn release_keys(&mut self, now: Instant) {
        let keys = std::mem::take(&mut self.kept_keys);
        if !keys.is_empty() {
            self.keys_at = Some(now);
        }
        if let Some(pty) = &mut self.pty
            && !keys.is_empty()
        {
            pty.type_in(&keys);
        }
    }

    /// The program ended: words of which nothing was written are given back, so that they can be sent again. Of others it
    /// is not known whether anybody read them.
    pub(super) fn give_words_back(&mut self, now: Instant) {
        let Some(writing) = self.writing.take().filter(|writing| !writing.has_begun()) else { return };
        self.give_back(writing.item, texts::ended_before_words().to_owned(), now);
    }

    /// Words of which nothing was written are the daemon's again.
    fn give_back(&mut self, item: QueueItemId, reason: String, now: Instant) {
        let progress = DeliveryProgress::Refused { reason };
        if let Err(error) = self.deliveries.record(&item, progress.clone()) {
            tracing::error!(%item, "cannot write down that words were not written: {error}");
        }
        self.tell_progress(item, progress, now);
    }

    fn terminal_for_words(&mut self) -> Option<Terminal> {
        let pty = self.pty.as_ref()?;
        let lines = if pty.reads_lines() { Lines::Cooked } else { Lines::Raw };
        let waiting = pty.waiting_input();
        let pastes = if self.screen.has_mode(MARKED_PASTES) { Pastes::Marked } else { Pastes::Plain };
        Some(Terminal { pastes, lines, waiting })
    }

    fn tell_progress(&mut self, item: QueueItemId, progress: DeliveryProgress, now: Instant) {
        self.report(HostFact::ReplyProgressed { item, progress }, now);
    }
}
