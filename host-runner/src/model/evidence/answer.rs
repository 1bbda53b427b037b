//! What others see of a session's evidence: its review in the row, and all of it in one answer. Pure.
//!
//! Called by [`crate::model::view`] for a row and by the coordinator for an answer. It never asks the store.

use super::ledger::Tally;
use crate::model::{SessionRecord, outcome::Outcome};
use board_protocol::{
    evidence::{CommandStatus, Evidence, EvidenceItem, Review},
    state::{ProcessState, Readiness, SemanticState},
};

/// Most bytes of all texts of an answer: half of a frame. Only agents that write in characters of four bytes, and much of
/// that, meet it.
const MAX_ANSWER_BYTES: usize = 2 * 1024 * 1024;

/// How a session stands when somebody looks at its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Its state.
    pub state: SemanticState,
    /// How it came out.
    pub outcome: Outcome,
}

impl Standing {
    /// Of a session whose state is vouched for, or not.
    pub fn of(record: &SessionRecord, doubt: Option<&str>) -> Self {
        let works = record.process_state == ProcessState::Alive && record.state == SemanticState::Working;
        let outcome = match (works, doubt) {
            // Work that nobody can see is not said to go on (decision 9).
            (true, Some(_)) => Outcome::Unknown,
            (true, None) => Outcome::InProgress,
            (false, _) => Outcome::finalized(record.state),
        };
        Self { state: record.state, outcome }
    }

    fn rests(self) -> bool {
        !matches!(self.outcome, Outcome::InProgress | Outcome::Unknown)
    }
}

impl Tally {
    /// What it says in short.
    pub fn review(&self, standing: Standing) -> Review {
        Review {
            ready: standing.state.facts().readiness == Readiness::Ready,
            outcome: standing.outcome.name().to_owned(),
            file_changes: self.files,
            commands: self.commands,
            failed_commands: self.failed_commands,
            errors: self.errors,
            latest_claim: self.latest_claim.clone(),
            updated_at_ms: (self.updated_at.0 > 0).then_some(self.updated_at),
        }
    }
}

/// Everything in one answer. `items` come newest first; what does not fit counts as dropped.
pub fn assemble(
    tally: &Tally,
    items: impl IntoIterator<Item = EvidenceItem>,
    standing: Standing,
    transcript: Option<String>,
) -> Evidence {
    let mut evidence = Evidence {
        review: tally.review(standing),
        summary: tally.summary.clone(),
        usage: tally.usage,
        dropped: tally.dropped,
        transcript,
        ..Evidence::default()
    };
    let mut left = MAX_ANSWER_BYTES;
    for item in items {
        let bytes = bytes(&item);
        if bytes > left {
            evidence.dropped += 1;
            continue;
        }
        left -= bytes;
        match item {
            EvidenceItem::Command(mut command) => {
                // The agent is done: whatever became of it, it was not heard.
                if standing.rests() && command.status == CommandStatus::Started {
                    command.status = CommandStatus::Unknown;
                }
                evidence.commands.push(command);
            }
            EvidenceItem::FileChange(file) => evidence.file_changes.push(file),
            EvidenceItem::Error(error) => evidence.errors.push(error),
            EvidenceItem::Claim(claim) => evidence.claims.push(claim),
            EvidenceItem::Usage(_) => {}
        }
    }
    evidence.commands.sort_by_key(|command| command.at_ms);
    evidence.file_changes.sort_by_key(|file| file.last_seen_at_ms);
    evidence.errors.sort_by_key(|error| error.at_ms);
    evidence.claims.sort_by_key(|claim| claim.at_ms);
    evidence
}

/// About as many as the item takes in a frame.
fn bytes(item: &EvidenceItem) -> usize {
    /// Names, numbers and times.
    const REST: usize = 200;
    REST + match item {
        EvidenceItem::Command(command) => {
            command.id.len() + command.command.len() + command.output_preview.as_ref().map_or(0, String::len)
        }
        EvidenceItem::FileChange(file) => file.path.len() + file.tool.len(),
        EvidenceItem::Error(error) => error.message.len() + error.tool.as_ref().map_or(0, String::len),
        EvidenceItem::Claim(claim) => claim.text.len(),
        EvidenceItem::Usage(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{
        evidence::{Claim, CommandEvidence},
        ids::UnixMs,
    };

    fn standing(state: SemanticState, outcome: Outcome) -> Standing {
        Standing { state, outcome }
    }

    // A session that a person put aside is not lost to whoever reviews.
    #[test]
    fn i1_a12_the_review_of_a_holding_row_is_ready_and_says_holding() {
        let tally = Tally { commands: 2, ..Tally::default() };
        for state in SemanticState::ALL {
            let review = tally.review(standing(state, Outcome::finalized(state)));
            let ready =
                matches!(state, SemanticState::Idle | SemanticState::Holding | SemanticState::Completed);
            let outcome = if state == SemanticState::Idle { "ready" } else { state.name() };
            assert_eq!((review.ready, review.outcome.as_str(), review.commands), (ready, outcome, 2));
        }
    }

    #[test]
    fn a8_a_command_that_runs_is_running_only_while_its_agent_works() {
        let command = CommandEvidence {
            id: "c".into(),
            at_ms: UnixMs(1),
            command: "make".into(),
            kind: Default::default(),
            status: CommandStatus::Started,
            exit_code: None,
            duration_ms: None,
            output_preview: None,
        };
        let status = |standing| {
            let items = [EvidenceItem::Command(command.clone())];
            assemble(&Tally::default(), items, standing, None).commands.first().map(|command| command.status)
        };
        let works = standing(SemanticState::Working, Outcome::InProgress);
        assert_eq!(status(works), Some(CommandStatus::Started));
        let stopped = standing(SemanticState::Stopped, Outcome::finalized(SemanticState::Stopped));
        assert_eq!(status(stopped), Some(CommandStatus::Unknown));
    }

    #[test]
    fn an_answer_fits_a_frame_and_its_newest_items_are_in_it() {
        let claims = (0..50)
            .rev()
            .map(|at| EvidenceItem::Claim(Claim { at_ms: UnixMs(at), text: "\u{1f600}".repeat(30_000) }));
        let idle = standing(SemanticState::Idle, Outcome::Ready);
        let evidence = assemble(&Tally { dropped: 1, ..Tally::default() }, claims, idle, None);
        let kept = evidence.claims.len();
        assert!(kept > 0 && kept < 50, "{kept}");
        assert_eq!(evidence.dropped as usize, 1 + 50 - kept);
        assert_eq!(evidence.claims.last().map(|claim| claim.at_ms), Some(UnixMs(49)));
        assert!(board_protocol::frame::encode(&evidence).is_ok());
    }
}
