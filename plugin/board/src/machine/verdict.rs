//! What a key wants done to the selected session, and the questions before it.

use super::{Board, batch::Batch, time::after};
use crate::{keymap::Room, notice::Level};
use board_protocol::{
    command::Pin,
    ids::{SessionId, UnixMs},
    pipe::Intent,
    state::SemanticState,
};
use board_text::notice as texts;

/// Two presses within this time are one wish (reference I.2, A4).
const TWICE_WITHIN_MS: u64 = 500;
/// How long a question is shown before y is taken for its answer. A key that comes sooner was typed before the question
/// could be read (field: typed ahead into a slow terminal); a deliberate x, y takes a person longer. Until then the
/// question stands there without its (y/N), y does nothing and every other key cancels.
pub(crate) const RIPE_AFTER_MS: u64 = 150;

/// A question that waits for y.
#[derive(Debug)]
pub(crate) struct Confirm {
    pub(crate) question: String,
    wish: Wish,
    /// When y begins to count.
    pub(super) ripe_at: UnixMs,
}

/// What y does.
#[derive(Debug)]
pub(super) enum Wish {
    One(SessionId, Intent),
    Many(Batch),
}

impl Confirm {
    /// The session that it is about, if it is about one.
    pub(super) fn subject(&self) -> Option<&SessionId> {
        match &self.wish {
            Wish::One(session, _) => Some(session),
            Wish::Many(_) => None,
        }
    }

    /// The question as it is to be shown: it promises (y/N) only once that is true.
    pub(crate) fn shown(&self, now: UnixMs) -> &str {
        if now >= self.ripe_at {
            &self.question
        } else {
            self.question.strip_suffix(" (y/N)").unwrap_or(&self.question)
        }
    }
}

impl Board {
    pub(super) fn confirm(&mut self, question: String, session: SessionId, intent: Intent) {
        self.confirm_wish(question, Wish::One(session, intent));
    }

    pub(super) fn confirm_wish(&mut self, question: String, wish: Wish) {
        self.room = Room::Confirm;
        self.notice = None;
        self.confirm = Some(Confirm { question, wish, ripe_at: after(self.now, RIPE_AFTER_MS) });
        self.changed();
    }

    /// Only y accepts; Enter, Esc and everything else cancel, as the printed (y/N) promises (decision 3, B14).
    pub(super) fn answer(&mut self, accepted: bool) {
        if accepted && self.confirm.as_ref().is_some_and(|confirm| self.now < confirm.ripe_at) {
            return;
        }
        let confirm = self.confirm.take();
        self.leave_to(self.page);
        let Some(Confirm { wish, .. }) = confirm.filter(|_| accepted) else { return };
        match wish {
            Wish::One(session, intent) => {
                let name = self.name_of(&session);
                let stopping = matches!(intent, Intent::Stop { .. });
                if self.want(intent, &name) && stopping {
                    self.tell(Level::Info, texts::stopping());
                }
            }
            Wish::Many(batch) => self.run_batch(batch),
        }
    }

    fn selected(&self) -> Option<(SessionId, String)> {
        self.selected_row().map(|row| (row.id.clone(), row.name.to_string()))
    }

    /// Decision 13: a running turn is interrupted; with none running the question is whether to stop. A session
    /// without turns has nothing to interrupt.
    pub(super) fn interrupt_or_stop(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let (id, name) = (row.id.clone(), row.name.to_string());
        if !row.has_process() {
            self.tell(Level::Warn, texts::nothing_to_stop());
        } else if row.turn_runs() {
            self.want(Intent::Interrupt { session: id }, &name);
        } else {
            let question =
                if row.parent.is_some() { texts::ask_stop_terminal(&name) } else { texts::ask_stop(&name) };
            self.confirm(question, id.clone(), Intent::Stop { session: id });
        }
    }

    pub(super) fn mark_done(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let (id, name) = (row.id.clone(), row.name.to_string());
        if self.selected_above().is_some() {
            self.tell(Level::Warn, texts::of_its_session());
        } else if row.state == SemanticState::Completed {
            self.tell(Level::Info, texts::already_done());
        } else if row.is_in_turn() {
            self.tell(Level::Warn, texts::wait_before_done());
        } else {
            let question = texts::ask_done(&name);
            self.confirm(question, id.clone(), Intent::MarkCompleted { session: id });
        }
    }

    /// Taking a row off hold is allowed even when it looks busy: the coordinator knows better (reference F.5).
    pub(super) fn toggle_holding(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let (session, name) = (row.id.clone(), row.name.to_string());
        if self.selected_above().is_some() {
            self.tell(Level::Warn, texts::of_its_session());
        } else if row.state == SemanticState::Holding {
            self.want(Intent::ClearHolding { session }, &name);
        } else if row.is_in_turn() {
            self.tell(Level::Warn, texts::wait_before_holding());
        } else {
            self.want(Intent::MarkHolding { session }, &name);
        }
    }

    pub(super) fn toggle_pin(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let pin = if row.pinned { Pin::Unpinned } else { Pin::Pinned };
        let (session, name) = (row.id.clone(), row.name.to_string());
        self.want(Intent::SetPin { session, pin }, &name);
    }

    pub(super) fn toggle_unread(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let unread = row.unread;
        let (session, name) = (row.id.clone(), row.name.to_string());
        let intent = if unread { Intent::Visit { session } } else { Intent::MarkUnread { session } };
        self.want(intent, &name);
    }

    pub(super) fn clear_log(&mut self) {
        let Some((session, name)) = self.selected() else { return };
        let question = texts::ask_clear_log(&name);
        self.confirm(question, session.clone(), Intent::ClearLog { session });
    }

    pub(super) fn delete(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let stops = if row.is_running() { texts::stops_run() } else { "" };
        // Only an agent has a file of its own that outlives its row.
        let kept = if row.generic { texts::screen_goes() } else { texts::file_kept() };
        let ends = self.terminals_lost(std::iter::once(&row.id));
        let waiting = format!("{ends}{}", replies_lost(row.queued));
        let question = texts::ask_delete(&row.name, stops, waiting, kept);
        let id = row.id.clone();
        self.confirm(question, id.clone(), Intent::Remove { session: id });
    }

    /// Ctrl+X twice within [`TWICE_WITHIN_MS`] on the same row deletes without a question.
    pub(super) fn delete_at_twice(&mut self) {
        let Some((session, name)) = self.selected() else { return };
        let armed = self.quick.take();
        if armed.is_some_and(|(id, at)| id == session && self.now <= after(at, TWICE_WITHIN_MS)) {
            self.want(Intent::Remove { session }, &name);
            return;
        }
        let runs = self.selected_row().is_some_and(super::BoardRow::is_running);
        let again = if runs { texts::again_to_delete_running(&name) } else { texts::again_to_delete(&name) };
        self.tell_mode(&again);
        self.quick = Some((session, self.now));
    }
}

/// What a deletion does to replies that wait.
pub(super) fn replies_lost(waiting: u32) -> String {
    match waiting {
        0 => String::new(),
        count => texts::replies_lost(count),
    }
}
