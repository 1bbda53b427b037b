//! One wish for many sessions: asked once, sent a few at a time, told as one result.

use super::{
    Board,
    verdict::{Wish, replies_lost},
};
use crate::{model::BoardRow, notice::Level};
use board_protocol::{ids::SessionId, pipe::Intent, state::SemanticState};
use board_text::notice as texts;
use std::collections::VecDeque;

/// Most commands of a batch without an answer: the rest waits, so that the pipes stay free for the next key.
const IN_FLIGHT: usize = 8;

/// What is done to each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    MarkDone,
    Delete,
}

/// The sessions of one wish.
#[derive(Debug)]
pub(super) struct Batch {
    deed: Deed,
    waiting: VecDeque<SessionId>,
    in_flight: usize,
    done: usize,
    /// Left out from the start.
    skipped: usize,
    refused: usize,
    reason: String,
}

impl Batch {
    fn new(deed: Deed, sessions: Vec<SessionId>, skipped: usize) -> Self {
        let waiting = sessions.into();
        Self { deed, waiting, in_flight: 0, done: 0, skipped, refused: 0, reason: String::new() }
    }
}

impl Board {
    fn marked(&self) -> impl Iterator<Item = &BoardRow> {
        self.shown.sessions(&self.model).filter(|row| self.marks.contains(&row.id))
    }

    pub(super) fn done_marked(&mut self) {
        if self.marks.is_empty() {
            return self.tell(Level::Warn, texts::select_first());
        }
        let may = |row: &&BoardRow| !row.is_in_turn() && row.state != SemanticState::Completed;
        let sessions: Vec<SessionId> = self.marked().filter(may).map(|row| row.id.clone()).collect();
        if sessions.is_empty() {
            return self.tell(Level::Warn, texts::none_can_be_done());
        }
        let skipped = self.marks.len() - sessions.len();
        let skips = some(skipped, texts::skips);
        let question = texts::ask_many_done(sessions.len(), skips);
        self.confirm_wish(question, Wish::Many(Batch::new(Deed::MarkDone, sessions, skipped)));
    }

    pub(super) fn delete_marked(&mut self) {
        if self.marks.is_empty() {
            return self.tell(Level::Warn, texts::select_done_first());
        }
        let may = |row: &&BoardRow| row.state == SemanticState::Completed && !row.is_running();
        let sessions: Vec<SessionId> = self.marked().filter(may).map(|row| row.id.clone()).collect();
        if sessions.is_empty() {
            return self.tell(Level::Warn, texts::only_done_deleted());
        }
        let skipped = self.marks.len() - sessions.len();
        let skips = some(skipped, texts::skips);
        let ends = self.terminals_lost(sessions.iter());
        let lost = format!("{ends}{}", replies_lost(self.marked().filter(may).map(|row| row.queued).sum()));
        let question = texts::ask_delete_done(sessions.len(), skips, lost);
        self.confirm_wish(question, Wish::Many(Batch::new(Deed::Delete, sessions, skipped)));
    }

    /// Decision 4: the rows of the state that the filter shows; the question says how many hidden ones stay.
    pub(super) fn delete_state(&mut self) {
        let Some(state) = self.selected_row().map(|row| row.state) else { return };
        if self.selected_above().is_some() {
            return self.tell(Level::Warn, texts::terminal_no_state());
        }
        let label = state.label();
        let of_state = || self.shown.sessions(&self.model).filter(move |row| row.state == state);
        let sessions: Vec<SessionId> =
            of_state().filter(|row| !row.is_running()).map(|row| row.id.clone()).collect();
        if sessions.is_empty() {
            return self.tell(Level::Warn, &texts::none_to_delete(label));
        }
        let running = of_state().count() - sessions.len();
        let hidden = self.model.count(state) - self.shown.count(state);
        let skips = some(running, texts::running_skipped);
        let waiting: u32 = of_state().filter(|row| !row.is_running()).map(|row| row.queued).sum();
        let ends = self.terminals_lost(sessions.iter());
        let lost = format!("{ends}{}", replies_lost(waiting));
        let stay = some(hidden, texts::hidden_stay);
        let question = texts::ask_delete_state(sessions.len(), label, skips, lost, stay);
        self.confirm_wish(question, Wish::Many(Batch::new(Deed::Delete, sessions, running)));
    }

    pub(super) fn run_batch(&mut self, batch: Batch) {
        if self.batch.is_some() {
            return self.tell(Level::Warn, texts::batch_busy());
        }
        self.batch = Some(batch);
        self.feed_batch();
    }

    fn feed_batch(&mut self) {
        while let Some(batch) = &mut self.batch
            && batch.in_flight < IN_FLIGHT
            && let Some(session) = batch.waiting.pop_front()
        {
            let intent = match batch.deed {
                Deed::MarkDone => Intent::MarkCompleted { session },
                Deed::Delete => Intent::Remove { session },
            };
            batch.in_flight += 1;
            if !self.want_in_batch(intent) {
                let reason = self.obstacle().unwrap_or_default();
                if let Some(batch) = &mut self.batch {
                    batch.in_flight -= 1;
                    batch.refused += 1 + batch.waiting.len();
                    batch.waiting.clear();
                    batch.reason = reason;
                }
            }
        }
        self.end_batch();
    }

    /// One of its commands was answered.
    pub(super) fn batch_answered(&mut self, refusal: Option<String>) {
        let Some(batch) = &mut self.batch else { return };
        batch.in_flight = batch.in_flight.saturating_sub(1);
        match refusal {
            None => batch.done += 1,
            Some(reason) => {
                batch.refused += 1;
                batch.reason = reason;
            }
        }
        self.feed_batch();
    }

    fn end_batch(&mut self) {
        let Some(batch) = self.batch.take_if(|batch| batch.in_flight == 0 && batch.waiting.is_empty()) else {
            return;
        };
        let done = match batch.deed {
            Deed::MarkDone => texts::batch_done(batch.done),
            Deed::Delete => texts::batch_deleted(batch.done),
        };
        let skipped = match batch.deed {
            Deed::MarkDone => some(batch.skipped, texts::batch_skipped),
            Deed::Delete => some(batch.skipped, texts::batch_skipped_live),
        };
        if batch.refused == 0 {
            self.tell(Level::Info, &format!("{done}{skipped}"));
        } else {
            let refused = texts::batch_refused(batch.refused, &batch.reason);
            self.tell(Level::Error, &format!("{done}{skipped}{refused}"));
        }
        self.changed();
    }
}

fn some(count: usize, text: impl Fn(usize) -> String) -> String {
    if count > 0 { text(count) } else { String::new() }
}
