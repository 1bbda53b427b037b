//! The part of the writer that knows about processes of headless runs: that they were started, that they ended, what they
//! said while no daemon listened, and what follows a turn that ended well (reference B.5, D.1, D.9, D.10).
//!
//! Called by the single writer for what `daemon/spawn` tells, for the spool, on a tick, and by `commands` with an end that
//! a run reports. It starts nothing: a run that follows leaves as an effect behind the commit.

use super::{
    decide::{Allowed, Given},
    decision::{Decision, Effect, Force},
    headless,
    messages::{Environment, Preflight},
    plans,
    reconcile::{self, RunSighting},
    turn::Turn,
    world::{ReplyToEnded, World},
    writer::Coordinator,
};
use crate::model::{FactKind, SessionRecord, run::RunRecord};
use board_protocol::{
    command::{Command, CommandEnvelope},
    daemon::LogLevel,
    ids::{ProcessIdentity, RunId, SessionId},
    run::{KeptReport, RunEnd},
    state::CommandSource,
};
use std::collections::BTreeSet;

impl<W: World> Coordinator<W> {
    /// The process of a run was started. A stop that came before it could be known is carried out now.
    pub(super) fn run_spawned(
        &mut self,
        session: &SessionId,
        run: RunId,
        process: ProcessIdentity,
        turn: &mut Turn,
    ) {
        let mut decision = Decision::default();
        let waits = |record: &&SessionRecord| {
            record.run_is_open() && record.run.as_ref().is_some_and(|known| known.id == run)
        };
        match self.sessions.get(session).filter(waits) {
            Some(record) if record.stop.is_some() => {
                decision.act(Effect::Signal { process, force: Force::Ask })
            }
            Some(_) => {}
            // It was removed, or given up, before it could begin.
            None => {
                decision.act(Effect::Signal { process, force: Force::Ask });
                self.record(decision, turn);
                return;
            }
        }
        decision.record(session, self.world.now(), FactKind::RunSpawned { run, process });
        turn.watched.insert(session.clone());
        self.record(decision, turn);
    }

    /// The process of a run could not be started.
    pub(super) fn run_spawn_failed(
        &mut self,
        session: &SessionId,
        run: RunId,
        reason: String,
        turn: &mut Turn,
    ) {
        let mut decision = Decision::default();
        let record = self.sessions.get(session).filter(|record| record.run_is_open());
        if record.and_then(|record| record.run.as_ref()).is_some_and(|known| known.id == run) {
            decision.note(session, self.world.now(), (LogLevel::Error, "runner", "runner_start"), &reason);
            decision.record(session, self.world.now(), FactKind::RunLost { run, reason });
        }
        self.record(decision, turn);
    }

    /// A run ended, and that is recorded: its last words are read, and words that waited for its end go on in another run.
    pub(super) fn run_ended(
        &mut self,
        session: &SessionId,
        end: &RunEnd,
        environment: Option<&Environment>,
        preflight: Option<&Preflight>,
        turn: &mut Turn,
    ) {
        let words = end.text.as_deref().unwrap_or_default();
        self.take_plan(session, plans::ready_of_run, words, turn);
        self.read_last_words(session, words, turn);
        turn.referring.insert(session.clone());
        if self.world.run_settings().reply_to_ended == ReplyToEnded::Wait {
            return;
        }
        let Some(record) = self.sessions.get(session) else { return };
        let fresh = self.fresh(Some(session));
        // The words are a person's own.
        let given =
            Given { environment, preflight, ..self.given(Some(session), &fresh, CommandSource::Person) };
        let Some((item, follows)) = headless::follow_up(record, given) else { return };
        let mut decision = Decision::default();
        let now = self.world.now();
        match follows {
            Ok(Allowed { decision: follows, .. }) => {
                decision = follows;
                decision.note(session, now, (LogLevel::Info, "queue", "follow_up_sent"), item.as_str());
            }
            Err(refusal) => {
                let text = format!("{item} waits: {refusal}");
                decision.note(session, now, (LogLevel::Warn, "queue", "follow_up_send_failed"), &text);
            }
        }
        self.record(decision, turn);
    }

    /// What a run said while no daemon listened.
    pub(super) fn told_late(&mut self, session: SessionId, kept: KeptReport, turn: &mut Turn) {
        let KeptReport { run, command_id, report } = kept;
        let envelope = CommandEnvelope {
            command_id,
            command: Command::ReportRun { session, run, report },
            environment: None,
            source: CommandSource::Run,
            expected_revision: None,
        };
        // Nobody waits for the outcome; what is refused leaves a line in the session's log.
        if let Err(refusal) = self.carry_out(envelope, None, None, turn) {
            tracing::warn!(%refusal, "a report of a run was not taken");
        }
    }

    /// Compares runs with their processes.
    pub(super) fn look_at_runs(&mut self, suspects: &BTreeSet<SessionId>, turn: &mut Turn) {
        let uptime = self.world.uptime_ms();
        let mut seen = Vec::new();
        for session in suspects {
            let Some(record) = self.sessions.get(session).filter(|record| record.run_is_open()) else {
                self.hosts.run_over(session);
                continue;
            };
            let since = self.hosts.run_seen(record, uptime);
            let run = record.run.as_ref();
            if self.hosts.has_perished(session) {
                seen.push((session.clone(), RunSighting::Gone));
                continue;
            }
            let sighting = match run.and_then(RunRecord::process) {
                Some(process) if self.world.runs(process) => {
                    RunSighting::Runs { process, stopping_ms: since.stopping_ms }
                }
                Some(_) => RunSighting::Gone,
                None if run.is_some_and(|run| run.start.is_some()) => continue,
                None => RunSighting::Unknown { silent_ms: since.silent_ms },
            };
            seen.push((session.clone(), sighting));
        }
        let decision = reconcile::reconcile_runs(&self.sessions, &seen, self.world.now());
        self.record(decision, turn);
    }

    /// A run said something: it lives.
    pub(super) fn run_lives(&mut self, session: &SessionId, turn: &mut Turn) {
        if self.sessions.get(session).is_some_and(SessionRecord::run_is_open) {
            self.stalls.alive(session, self.world.uptime_ms());
            turn.signs.insert(session.clone());
        }
    }
}
