//! What the coordinator does about classifiers and about machines that were refused: the daemon's own rules read the
//! last words of every turn that ended well, and a refusal leaves a line in the session's log.

use super::{
    decision::Decision,
    guard,
    mirror::{self, Rejected},
    turn::Turn,
    verdicts,
    world::{AutoState, World},
    writer::Coordinator,
};
use crate::model::{
    FactKind, SessionRecord, auto_state,
    command::{Reject, StateCommand, StateKind},
};
use board_protocol::{command::Command, ids::SessionId, refusal::Refusal, state::CommandSource};

impl<W: World> Coordinator<W> {
    /// Reads the last words of a turn that ended well, as a command of the daemon's own that passes the same gate as
    /// any other. `words` are empty where the agent did not repeat them: then the beginning that is known has to do.
    pub(super) fn read_last_words(&mut self, session: &SessionId, words: &str, turn: &mut Turn) {
        self.judge_by_rules(session, words, turn);
        self.consult_about_words(session, words, turn);
    }

    fn judge_by_rules(&mut self, session: &SessionId, words: &str, turn: &mut Turn) {
        let settings = self.world.classifier();
        let Some(record) = self.sessions.get(session).filter(|_| settings.rules == AutoState::On) else {
            return;
        };
        let agent = &record.agent_record;
        let (Some(preview), Some(hash)) = (&agent.preview, &agent.text_hash) else { return };
        let words = if words.trim().is_empty() { preview } else { words };
        let mut classification = auto_state::classify(words, settings.done);
        classification.text_hash.clone_from(hash);
        let command = StateCommand {
            session: session.clone(),
            run: None,
            expected_revision: None,
            source: CommandSource::Service,
            kind: StateKind::AutoStateClassified { classification, done: settings.done },
        };
        let mut decision = Decision::default();
        match (guard::admit(Some(record), &command), &command.kind) {
            (Ok(_), StateKind::AutoStateClassified { classification, done }) => {
                let fact = verdicts::classified(classification, *done);
                decision.record(session, self.world.now(), fact);
            }
            // A row that no classifier may move, or that says so already, is nothing to write about.
            (Err(Reject::NoChange), _) | (Ok(_), _) => {}
            (Err(reject), kind) => {
                let rejected = Rejected::new(reject, kind.name(), "a classification");
                self.note_rejected(session, &rejected, turn);
            }
        }
        self.record(decision, turn);
    }

    /// A turn has ended: its last words may be the plan that a person asked for.
    pub(super) fn take_plan(
        &mut self,
        session: &SessionId,
        find: fn(&SessionRecord, &str) -> Result<Option<FactKind>, Reject>,
        words: &str,
        turn: &mut Turn,
    ) {
        let Some(record) = self.sessions.get(session) else { return };
        match find(record, words) {
            Ok(None) | Err(Reject::NoChange) => {}
            Ok(Some(fact)) => {
                let mut decision = Decision::default();
                decision.record(session, self.world.now(), fact);
                self.record(decision, turn);
            }
            Err(reject) => {
                let rejected = Rejected::new(reject, StateKind::PlanReady.name(), "a plan");
                self.note_rejected(session, &rejected, turn);
            }
        }
    }

    /// A machine's command was refused: that leaves a line in the session's log. A flood of them is held back
    /// where every flood of diagnostics is.
    pub(super) fn note_refused(
        &mut self,
        command: &Command,
        source: CommandSource,
        refusal: &Refusal,
        turn: &mut Turn,
    ) {
        let (Some(session), Some(reject)) = (command.subject(), Reject::of(refusal.kind)) else { return };
        if source == CommandSource::Person || !self.sessions.contains_key(session) {
            return;
        }
        let rejected = Rejected::new(reject, command.name(), &format!("a command ({})", command.name()));
        self.note_rejected(&session.clone(), &rejected, turn);
    }

    fn note_rejected(&mut self, session: &SessionId, rejected: &Rejected, turn: &mut Turn) {
        let mut decision = Decision::default();
        mirror::note(&mut decision, session, self.world.now(), rejected);
        self.record(decision, turn);
    }
}
