//! What an agent waits for on this terminal, as its host says it: never as this client expects it to become (reference G.3).

use super::{Action, Machine, State};
use board_protocol::{
    host::{AttachMode, ToHost},
    terminals::Waiting,
};
use std::time::Instant;

/// What is known.
#[derive(Debug, Default)]
pub(super) struct Waits {
    now: Option<Waiting>,
    /// Whether the host said anything of them on this connection.
    said: bool,
}

impl Waits {
    /// A host answers on a new connection. What was said before stays until it is clear that it is not so any more.
    pub(super) fn is_connected(&mut self) {
        self.said = false;
    }
}

impl Machine {
    /// The host says what is waited for.
    pub(super) fn waiting(&mut self, waiting: Option<Waiting>, now: Instant) -> Vec<Action> {
        self.waits.said = true;
        if self.waits.now == waiting {
            return Vec::new();
        }
        let appears = self.waits.now.is_some() != waiting.is_some();
        self.waits.now.clone_from(&waiting);
        let mut actions = vec![Action::Waiting(waiting)];
        if appears {
            actions.extend(self.show_otherwise(now));
        }
        actions
    }

    /// The host has answered to reconcile. Of waits it speaks before that, right after the attach, if there are any.
    pub(super) fn waits_not_said(&mut self) -> Vec<Action> {
        if self.waits.said || self.waits.now.take().is_none() {
            return Vec::new();
        }
        self.shown = None;
        vec![Action::Waiting(None)]
    }

    /// The person skips every wait. What becomes of the banner is the host's word.
    pub fn skip_waits(&self) -> Vec<Action> {
        let may = self.request.mode == AttachMode::Interactive && self.waits.now.is_some();
        if may && self.takes_input() { vec![Action::Send(ToHost::SkipWaits)] } else { Vec::new() }
    }

    /// With a banner the session is drawn in another way, for which the whole screen is needed. One that is on its way
    /// already is drawn as things stand when it is there.
    fn show_otherwise(&mut self, now: Instant) -> Vec<Action> {
        match self.state {
            State::Live => self.resync(now),
            // Not by missed chunks, then.
            State::Reconciling { .. } => {
                self.shown = None;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }
}
