//! What a session's evidence says about how it came out (reference A.8): shown and filtered by, never a gate. Pure.

use board_protocol::state::SemanticState;

/// How a session came out, or stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nothing is known.
    Unknown,
    /// Work goes on.
    InProgress,
    /// It rests, and its work can be looked at.
    Ready,
    /// What its state says.
    State(SemanticState),
}

impl Outcome {
    /// The outcome of evidence that is closed in this state.
    pub const fn finalized(state: SemanticState) -> Self {
        match state {
            SemanticState::Idle => Self::Ready,
            other => Self::State(other),
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::InProgress => "in_progress",
            Self::Ready => "ready",
            Self::State(state) => state.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::state::Readiness;

    // A session that a person put aside is not lost to whoever reviews: its outcome says so, and it counts as ready.
    #[test]
    fn i1_a12_evidence_of_a_holding_row_is_ready_and_other_outcomes_are_as_they_were() {
        use Readiness::{NotReady, Ready};
        let table = [
            (SemanticState::Queued, "queued", NotReady),
            (SemanticState::Working, "working", NotReady),
            (SemanticState::NeedsInput, "needs_input", NotReady),
            (SemanticState::Idle, "ready", Ready),
            (SemanticState::Holding, "holding", Ready),
            (SemanticState::Completed, "completed", Ready),
            (SemanticState::Failed, "failed", NotReady),
            (SemanticState::Stopped, "stopped", NotReady),
        ];
        assert_eq!(table.map(|(state, ..)| state), SemanticState::ALL);
        for (state, name, ready) in table {
            assert_eq!(
                (Outcome::finalized(state).name(), state.facts().readiness),
                (name, ready),
                "{state:?}"
            );
        }
        assert_eq!((Outcome::Unknown.name(), Outcome::InProgress.name()), ("unknown", "in_progress"));
    }
}
