//! One command, from its envelope to its outcome: is it one, did it come before, what is decided, what follows.
//!
//! Called by the single writer for what comes through a socket, and for what a run left in the spool. It never commits:
//! the turn does.

use super::{
    decide::{self, Allowed, Fresh, Given},
    messages::{Environment, Preflight, Ticket},
    owned, sweep,
    turn::{Sweeping, Turn},
    validate::validate,
    world::World,
    writer::Coordinator,
};
use crate::{
    model::evidence::bounded,
    store::{CommandOutcomeRow, Started, StoreError},
};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome},
    ids::{CommandId, QueueItemId, SessionId},
    refusal::{Refusal, RefusalKind},
    run::RunReport,
    state::CommandSource,
};
use board_text::coordinator as texts;

impl<W: World> Coordinator<W> {
    pub(super) fn command(
        &mut self,
        ticket: Ticket,
        envelope: CommandEnvelope,
        environment: Option<Environment>,
        preflight: Option<&Preflight>,
        turn: &mut Turn,
    ) {
        if matches!(envelope.command, Command::OpenTerminal { .. }) {
            turn.failures.push((ticket, owned::not_for_clients()));
            return;
        }
        match self.carry_out(envelope, environment, preflight, turn) {
            Ok(outcome) => turn.outcomes.push((ticket, outcome)),
            Err(refusal) => turn.failures.push((ticket, refusal)),
        }
    }

    /// What becomes of a command, whoever waits for that.
    ///
    /// # Errors
    /// Whether it came before cannot be read: nothing was decided, and that is not remembered as its outcome.
    pub(super) fn carry_out(
        &mut self,
        envelope: CommandEnvelope,
        environment: Option<Environment>,
        preflight: Option<&Preflight>,
        turn: &mut Turn,
    ) -> Result<CommandOutcome, Refusal> {
        if let Err(refusal) = validate(&envelope) {
            return Ok(CommandOutcome::Refused(refusal));
        }
        let CommandEnvelope { command_id, command, source, expected_revision, .. } = envelope;
        let transient = command.is_transient();
        if !transient {
            let earlier = self.earlier_outcome(&command_id).or_else(|error| {
                self.renew(&turn.before, error)?;
                self.store.outcome(&command_id)
            });
            match earlier {
                Ok(None) => {}
                Ok(Some(outcome)) => return Ok(outcome),
                // It may have been carried out before: twice would be worse than not at all.
                Err(error) => {
                    let text = texts::outcome_unreadable(&error);
                    return Err(Refusal::new(RefusalKind::Internal, text));
                }
            }
        }
        let now = self.world.now();
        let fresh = self.fresh(command.subject());
        let given = Given {
            environment: environment.as_ref(),
            preflight,
            expected_revision,
            ..self.given(command.subject(), &fresh, source)
        };
        let outcome = match decide::decide(&self.sessions, &command, given) {
            Ok(Allowed { decision, session, notice, beat }) => {
                let opens = matches!(command, Command::OpenTerminal { .. });
                if opens || sweep::from_inside(environment.as_ref()) {
                    turn.sweeping = Sweeping::Never;
                }
                self.remember_wish(&command, environment.as_ref(), preflight);
                self.record(decision, turn);
                turn.batch.starts.extend(Started::by(&command, now));
                self.consult_about_first_words(&command, &session, turn);
                if let Some(beat) = beat {
                    self.feel(&session, beat, turn);
                }
                if let Command::ReportRun { report, .. } = &command {
                    self.run_lives(&session, turn);
                    match report {
                        RunReport::Finalized(end) => {
                            self.run_ended(&session, end, environment.as_ref(), preflight, turn);
                        }
                        RunReport::Evidence(items) => {
                            self.collect_work(&session, items.iter().cloned().map(bounded), turn);
                        }
                        _ => {}
                    }
                }
                if let Some(environment) = environment {
                    turn.environments.insert(session.clone(), environment);
                }
                CommandOutcome::Applied { session, notice }
            }
            Err(refusal) => {
                self.note_refused(&command, source, &refusal, turn);
                CommandOutcome::Refused(refusal)
            }
        };
        if transient {
            return Ok(outcome);
        }
        self.recent.remember(command_id.clone(), outcome.clone());
        turn.batch.outcomes.push(CommandOutcomeRow {
            id: command_id,
            at: now,
            command: command.name(),
            outcome: outcome.clone(),
        });
        Ok(outcome)
    }

    pub(super) fn earlier_outcome(&self, id: &CommandId) -> Result<Option<CommandOutcome>, StoreError> {
        match self.recent.find(id) {
            Some(outcome) => Ok(Some(outcome.clone())),
            None => self.store.outcome(id),
        }
    }

    /// What is decided with at this moment about a session, without a shell, a look at the disk or a revision behind it.
    pub(super) fn given<'a>(
        &'a self,
        subject: Option<&SessionId>,
        fresh: &'a Fresh,
        source: CommandSource,
    ) -> Given<'a> {
        let sight = self.sight(subject);
        Given {
            now: self.world.now(),
            fresh,
            environment: None,
            preflight: None,
            reach: sight.reach,
            sight,
            root: self.world.root(),
            source,
            expected_revision: None,
            auto_done: self.world.classifier().done,
            runs: self.world.run_settings(),
        }
    }

    /// Ids that nothing on the board has yet.
    pub(super) fn fresh(&self, subject: Option<&SessionId>) -> Fresh {
        let mut session = self.world.session_id();
        // Forty random bits repeat now and then; an id is never used twice.
        while self.sessions.contains_key(&session) || self.store.ever_knew(&session).unwrap_or(false) {
            session = self.world.session_id();
        }
        // It is only ever said together with its session.
        let record = subject.and_then(|session| self.sessions.get(session));
        let waits = |item: &QueueItemId| match record {
            Some(record) => record.queue.get(item).is_some(),
            // Which row the words are for is not known yet: an adopted conversation may have one.
            None => self.sessions.values().any(|record| record.queue.get(item).is_some()),
        };
        let mut item = self.world.queue_item_id();
        while waits(&item) {
            item = self.world.queue_item_id();
        }
        Fresh { session, generation: self.world.generation(), item, run: self.world.run_id() }
    }
}
