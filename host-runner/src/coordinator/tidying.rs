//! The moments between turns in which the journal is shortened: quiet ones, and those in which it has to be.
//!
//! Called by the daemon's loop after each turn. What it finds damaged is told like any other news, through a commit.

use super::{decision::Decision, messages::Output, turn::Turn, world::World, writer::Coordinator};
use board_protocol::daemon::LogLevel;
use board_text::coordinator as texts;

/// Whether nobody waits for the coordinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quiet {
    /// Nobody does.
    Yes,
    /// Somebody does.
    No,
}

impl<W: World> Coordinator<W> {
    /// A quiet moment, or one that has to do: the journal is kept short. Gives what the board learns of it.
    pub fn tidy_up(&mut self, quiet: Quiet) -> Vec<Output> {
        let due = match quiet {
            Quiet::Yes => self.store.wants_pruning(),
            Quiet::No => self.store.must_prune(),
        };
        if !due {
            return Vec::new();
        }
        let now = self.world.now();
        match self.store.prune(now, &self.sessions) {
            Ok(pruned) if pruned.damages.is_empty() => Vec::new(),
            Ok(pruned) => {
                let mut turn = Turn::default();
                let mut decision = Decision::default();
                for (session, reason) in pruned.damages {
                    let text = texts::journal_quarantined(&session, reason);
                    decision.note(&session, now, (LogLevel::Error, "store", "journal_quarantined"), &text);
                    self.warnings.add(text);
                }
                self.record(decision, &mut turn);
                self.finish(turn)
            }
            Err(error) => {
                tracing::warn!(%error, "the journal cannot be shortened");
                Vec::new()
            }
        }
    }

    /// Whether a quiet moment would be of use.
    pub fn wants_tidying(&self) -> bool {
        self.store.wants_pruning()
    }
}
