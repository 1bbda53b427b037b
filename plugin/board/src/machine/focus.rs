//! Questions that need to know what this instance's client looks at, and whether it is connected at all.
//!
//! Every instance of every client sees every line, so an instance acts on the answer to its own request. Every question
//! asks zellij once, and answers come in the order of the questions.

use super::{Board, Permission, anywhere::Wish, attach::PaneEnd, time::after};
use crate::{
    effect::Effect,
    input::{Mode, PaneRef},
};
use board_protocol::{
    daemon::ClientFocus,
    ids::UnixMs,
    pipe::{AttachLocked, Up},
};
use std::collections::VecDeque;

/// How long an answer may take. zellij answers in milliseconds; a question that is older has lost its answer.
const PATIENCE_MS: u64 = 5_000;
/// Most questions that wait at once.
const MAX_QUESTIONS: usize = 32;

/// Why somebody wants to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// A link is to be started: by one instance of the session.
    StartLink,
    /// An attach client in this pane shows a session now.
    PaneAttached(u32),
    /// The attach client in this pane was left.
    PaneDetached(u32),
    /// The session in this pane ended under the person's hands.
    PaneSessionEnded(u32),
    /// A pane that this instance opened has ended.
    OwnPaneEnded(PaneEnd),
    /// A key that works from anywhere was pressed.
    Pressed(Wish),
    /// Another pane of the board's own tab got the focus.
    FocusMoved,
    /// The daemon wants to know what this client looks at.
    Look(u64),
    /// The board went out of view: does the client look at an attach pane now?
    LeftBoard,
}

#[derive(Debug, Default)]
pub(super) struct Questions(VecDeque<(UnixMs, Question)>);

impl Questions {
    /// Whether a pane's end is being dealt with already.
    pub(super) fn is_ending(&self, pane: u32) -> bool {
        self.0.iter().any(|(_, question)| matches!(question, Question::OwnPaneEnded(end) if end.pane == pane))
    }
}

impl Board {
    pub(super) fn ask(&mut self, question: Question) {
        if self.permission != Permission::Granted || self.questions.0.len() >= MAX_QUESTIONS {
            return;
        }
        self.questions.0.push_back((self.now, question));
        self.emit(Effect::FindFocus);
    }

    pub(super) fn focus_found(&mut self, focus: Option<PaneRef>) {
        while let Some((asked_at, _)) = self.questions.0.front()
            && after(*asked_at, PATIENCE_MS) < self.now
        {
            self.questions.0.pop_front();
        }
        let Some((_, question)) = self.questions.0.pop_front() else { return };
        let looks_at = |pane: u32| focus == Some(PaneRef::Terminal(pane));
        match question {
            // The instance of a detached client does nothing for a session that it has left.
            Question::StartLink if focus.is_some() => self.run_link(),
            Question::PaneAttached(pane) if looks_at(pane) => self.lock(),
            Question::PaneDetached(pane) if looks_at(pane) => self.return_from(pane),
            // The pane may be the person's own shell, in which they go on typing: only the keys are given back.
            Question::PaneSessionEnded(pane) if looks_at(pane) => {
                self.unlock();
            }
            Question::OwnPaneEnded(end) => {
                // Focus first: closing the pane first would show whatever tab zellij chooses for a moment.
                if looks_at(end.pane) {
                    self.return_from(end.pane);
                }
                self.close_ended(&end);
            }
            Question::Pressed(wish) => {
                if let Some(pane) = focus {
                    self.pressed_at(wish, pane);
                }
            }
            Question::FocusMoved => self.focus_moved_to(focus),
            Question::Look(number) => {
                let focus = match focus {
                    None => ClientFocus::Gone,
                    Some(PaneRef::Terminal(pane)) => ClientFocus::Terminal(pane),
                    Some(PaneRef::Plugin(_)) => ClientFocus::NoTerminal,
                };
                self.send_up(Up::Looking { number, focus });
            }
            Question::LeftBoard => {
                if let Some(PaneRef::Terminal(pane)) = focus
                    && self.shows_a_session(pane)
                {
                    self.lock();
                }
            }
            Question::StartLink
            | Question::PaneAttached(_)
            | Question::PaneDetached(_)
            | Question::PaneSessionEnded(_) => {}
        }
    }

    /// Every chord to the session (decision 6).
    pub(super) fn lock(&mut self) {
        self.locked_by_us = true;
        self.releasing = false;
        if self.attach_locked == AttachLocked::Locked {
            self.emit(Effect::SwitchMode(Mode::Locked));
        }
    }

    /// zellij gets its chords back. Where Locked mode was never ours the mode stays the person's.
    pub(super) fn unlock(&mut self) {
        self.locked_by_us = false;
        if self.attach_locked == AttachLocked::Locked {
            self.emit(Effect::SwitchMode(Mode::Normal));
        }
    }

    pub(super) fn return_to_board(&mut self) {
        self.emit(Effect::FocusSelf);
        self.unlock();
    }
}
