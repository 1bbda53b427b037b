//! What the link has this instance say to status bars of the same zellij session.
//!
//! The link decides what is said, when, and by which instance. A board that is closed takes its words back: nobody would
//! correct them.

use crate::{effect::Effect, machine::Board};
use board_protocol::pipe::InstanceId;

impl Board {
    pub(super) fn status_bar(&mut self, instance: InstanceId, text: String, last_text: String) {
        if self.instance() != Some(instance) {
            // Another one speaks from now on, and takes its words back itself.
            self.link.last_text = None;
            return;
        }
        self.link.last_text = Some(last_text);
        self.emit(Effect::Broadcast(text));
    }

    /// The instance is about to be closed.
    pub(in crate::machine) fn silence_bars(&mut self) {
        if let Some(text) = self.link.last_text.take() {
            self.emit(Effect::Broadcast(text));
        }
    }
}
