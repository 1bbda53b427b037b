//! Outcomes of the last commands, so that a second delivery of the same id rarely has to ask the store.

use board_protocol::{command::CommandOutcome, ids::CommandId};
use std::collections::{HashMap, VecDeque};

/// Outcomes kept in memory (reference C.7); older ones are in the store.
const RECENT_OUTCOMES: usize = 1000;

/// The last outcomes, newest last.
#[derive(Debug, Default)]
pub(super) struct Recent {
    order: VecDeque<CommandId>,
    outcomes: HashMap<CommandId, CommandOutcome>,
}

impl Recent {
    /// The outcome of a command that came lately.
    pub(super) fn find(&self, id: &CommandId) -> Option<&CommandOutcome> {
        self.outcomes.get(id)
    }

    /// Keeps an outcome, and forgets the oldest where there are too many.
    pub(super) fn remember(&mut self, id: CommandId, outcome: CommandOutcome) {
        if self.order.len() >= RECENT_OUTCOMES
            && let Some(oldest) = self.order.pop_front()
        {
            self.outcomes.remove(&oldest);
        }
        self.order.push_back(id.clone());
        self.outcomes.insert(id, outcome);
    }
}
