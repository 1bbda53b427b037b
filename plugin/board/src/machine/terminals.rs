//! Terminals that an agent owns, below its session: folding them away, and ending what their agent waits for.
//!
//! What is folded is this instance's own, like the selection. Everything else about a terminal is a row like any other.

use super::Board;
use crate::notice::Level;
use board_protocol::{ids::SessionId, pipe::Intent};
use board_text::notice as texts;

/// Most sessions that are remembered as folded: more than have terminals at a time (64 terminals are on a board).
const MAX_FOLDED: usize = 256;

impl Board {
    /// The session that the selected terminal belongs to.
    pub(super) fn selected_above(&self) -> Option<SessionId> {
        self.model.above(self.selection.id.as_ref()?).cloned()
    }

    /// Folds the terminals of the selected session away, or shows them again. On a terminal: folds, and goes to the session.
    pub(super) fn fold(&mut self) {
        let Some(selected) = self.selection.id.clone() else { return };
        let above = self.selected_above();
        let session = above.clone().unwrap_or(selected);
        if self.model.terminals(&session) == 0 {
            return self.tell(Level::Warn, texts::none_to_fold());
        }
        if above.is_some() || !self.folded.remove(&session) {
            // A session that is gone needs no place; of those that are left the choice is the person's own fault.
            self.folded.retain(|id| self.model.row(id).is_some());
            if self.folded.len() < MAX_FOLDED {
                self.folded.insert(session.clone());
            }
        }
        self.selection.id = Some(session);
        self.arrange_anew();
        self.changed();
    }

    /// Asks whether to end every wait of the selected terminal, or of all terminals of the selected session.
    pub(super) fn skip_waits(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let (session, name) = (row.id.clone(), row.name.to_string());
        let question = match row.waits() {
            0 => return self.tell(Level::Warn, &texts::no_waits(&name)),
            count => texts::ask_skip_waits(count, &name),
        };
        self.confirm(question, session.clone(), Intent::SkipWaits { session });
    }

    /// Whether the terminals of a session are folded away.
    pub(crate) fn is_folded(&self, session: &SessionId) -> bool {
        self.folded.contains(session)
    }

    /// What a deletion of sessions does to terminals of their agents. Pinned ones are kept.
    pub(super) fn terminals_lost<'a>(&'a self, sessions: impl Iterator<Item = &'a SessionId>) -> String {
        let below = sessions.flat_map(|session| self.model.below(session));
        match below.filter(|terminal| !terminal.pinned).filter(|terminal| terminal.has_process()).count() {
            0 => String::new(),
            count => texts::terminals_lost(count),
        }
    }
}
