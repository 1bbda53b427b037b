//! The single writer. It takes a batch of inputs, decides each, commits everything in one transaction, and only then
//! answers and acts.
//!
//! It owns the sessions and the store; it runs on one thread and reads time, ids, processes and spool through
//! [`World`]. It never touches a socket.
//!
//! Invariant: a reply follows its commit. Effects run only after their fact is durable.

use super::{
    decide::{self, Allowed, Fresh, Given, Reach},
    decision::Decision,
    exports::Exports,
    flood::Floods,
    hearing::Spool,
    hosts::Hosts,
    messages::{Environment, Input, Output, Preflight, Question, Ticket},
    recent::Recent,
    reconcile,
    turn::{Everything, Turn},
    warnings::Warnings,
};
use crate::{
    agents::pi::questions::QuestionTools,
    model::{FactKind, Sessions, apply},
    store::{CommandOutcomeRow, Opened, Store, StoreError},
};
use board_protocol::{
    command::{CommandEnvelope, CommandOutcome},
    daemon::{LogLevel, LogLine},
    host::{HostSettings, SpooledFact},
    ids::{CommandId, Generation, ProcessIdentity, SessionId, Token, UnixMs},
    refusal::{Refusal, RefusalKind},
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Most times that the spool is read before the first answer; each time takes its oldest thousand facts.
const MAX_BOOT_DRAINS: usize = 64;

/// Everything outside that the coordinator reads.
pub trait World {
    /// The wall clock.
    fn now(&self) -> UnixMs;
    /// A clock that never jumps, in milliseconds from anywhere.
    fn uptime_ms(&self) -> u64;
    /// Whether exactly this process runs.
    fn runs(&self, process: ProcessIdentity) -> bool;
    /// A new session id.
    fn session_id(&self) -> SessionId;
    /// A new generation.
    fn generation(&self) -> Generation;
    /// A new secret.
    fn token(&self) -> Token;
    /// The socket that a host binds.
    fn host_socket(&self, session: &SessionId, generation: &Generation) -> PathBuf;
    /// What a session's host wrote down.
    fn host_log(&self, session: &SessionId) -> PathBuf;
    /// Words for a program that do not fit on its command line.
    fn prompt_file(&self, session: &SessionId) -> PathBuf;
    /// The names of the tools by which agents ask a person.
    fn question_tools(&self) -> &QuestionTools;
    /// The board root.
    fn root(&self) -> &Path;
    /// Names this boot of the machine: pids and start times mean something within one only. Empty when nobody knows.
    fn boot(&self) -> String;
    /// What hosts are told besides their session.
    fn host_settings(&self) -> HostSettings {
        HostSettings::default()
    }
    /// Facts that wait in the spool, with their files.
    fn spooled(&self) -> Vec<(PathBuf, Result<SpooledFact, String>)>;
    /// Removes a file that is of no use any more: a spool file whose fact is recorded, the socket of a dead host.
    fn discard(&self, file: &Path);
}

/// Whether nobody waits for the coordinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quiet {
    /// Nobody does.
    Yes,
    /// Somebody does.
    No,
}

/// The coordinator.
#[derive(Debug)]
pub struct Coordinator<W> {
    pub(super) world: W,
    pub(super) store: Store,
    pub(super) sessions: Sessions,
    pub(super) hosts: Hosts,
    pub(super) floods: Floods,
    pub(super) warnings: Warnings,
    recent: Recent,
    pub(super) exports: Exports,
    pub(super) running: usize,
    /// Why the store cannot be used any more.
    pub(super) lost: Option<String>,
    /// What was wrong with records when the store was opened; said with the first turn.
    damages: Vec<(SessionId, &'static str, String)>,
}

impl<W: World> Coordinator<W> {
    /// Takes over an open store. `warnings` go to the board with the store's own.
    pub fn new(world: W, opened: Opened, warnings: Vec<String>) -> Self {
        let Opened { store, loaded } = opened;
        let mut lines = Warnings::default();
        for text in warnings.into_iter().chain(loaded.warnings) {
            lines.add(text);
        }
        let mut hosts = Hosts::default();
        for (session, at) in loaded.errors {
            hosts.failed(&session, at);
        }
        Self {
            world,
            store,
            sessions: loaded.sessions,
            hosts,
            floods: Floods::default(),
            warnings: lines,
            recent: Recent::default(),
            exports: Exports::default(),
            running: 0,
            lost: None,
            damages: loaded.damages,
        }
    }

    /// First turn: every live session is expected back, the spool is read, the dead are found, the board is published.
    pub fn boot(&mut self) -> Vec<Output> {
        if let Err(error) = self.store.claim() {
            tracing::warn!(%error, "cannot claim the store; the first commit does");
        }
        if let Err(error) = self.store.forget_old_outcomes(self.world.now()) {
            tracing::warn!(%error, "cannot forget old outcomes");
        }
        for _ in 0..MAX_BOOT_DRAINS {
            let mut turn = Turn::default();
            if self.take_spool(&mut turn) == Spool::Empty {
                break;
            }
            // Nobody listens yet: what these turns say is said again below.
            drop(self.finish(turn));
        }
        self.running = 0;
        let mut turn = Turn { everything: Everything::All, ..Turn::default() };
        self.tell_damages(&mut turn);
        let uptime = self.world.uptime_ms();
        let live: Vec<SessionId> = self.live_sessions().cloned().collect();
        let restarted = self.machine_restarted(&mut turn);
        for session in live {
            self.hosts.expected(&session, uptime);
            if restarted {
                self.hosts.perished(&session);
            }
            if self.sessions.get(&session).is_some_and(|record| record.stop.is_some()) {
                self.hosts.stop_asked(&session, uptime);
            }
            turn.watched.insert(session.clone());
            turn.suspects.insert(session);
        }
        let ended: BTreeSet<SessionId> = self.sessions.keys().cloned().collect();
        self.look_around(&mut turn);
        self.let_go(&ended, &mut turn);
        self.finish(turn)
    }

    /// Whether the records are of an earlier boot of the machine. The new one is recorded with what that leads to.
    fn machine_restarted(&mut self, turn: &mut Turn) -> bool {
        let boot = self.world.boot();
        let earlier = self.store.boot().unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot tell whether the machine was restarted");
            None
        });
        if boot.is_empty() || earlier.as_ref() == Some(&boot) {
            return false;
        }
        turn.batch.boot = Some(boot);
        earlier.is_some()
    }

    /// What was wrong with records goes to the diagnostics of their sessions.
    fn tell_damages(&mut self, turn: &mut Turn) {
        let mut decision = Decision::default();
        let now = self.world.now();
        for (session, code, text) in std::mem::take(&mut self.damages) {
            decision.note(&session, now, (LogLevel::Error, "store", code), &text);
        }
        self.record(decision, turn);
    }

    /// One turn: a batch of inputs, one commit, then everything that follows from it.
    pub fn handle(&mut self, inputs: Vec<Input>) -> Vec<Output> {
        let mut turn = Turn::default();
        for input in inputs {
            self.take(input, &mut turn);
        }
        let suspects = std::mem::take(&mut turn.suspects);
        let asked = std::mem::take(&mut turn.reconciled);
        let asked = asked.into_iter().map(|ticket| (ticket, Question::Reconciled));
        if suspects.is_empty() {
            turn.questions.extend(asked);
            return self.close(turn);
        }
        // What a host said before it died may still be on its way through the spool: read that first.
        let found = self.take_spool(&mut turn);
        let mut outputs = self.close(turn);
        let mut turn = Turn { suspects, questions: asked.collect(), ..Turn::default() };
        if found == Spool::Empty || self.take_spool(&mut turn) == Spool::Empty {
            self.look_around(&mut turn);
        }
        outputs.extend(self.close(turn));
        outputs
    }

    /// Ends a turn: rows that only waited for the end of their program go with it.
    fn close(&mut self, mut turn: Turn) -> Vec<Output> {
        let touched: BTreeSet<SessionId> = turn.batch.facts.iter().map(|fact| fact.session.clone()).collect();
        self.let_go(&touched, &mut turn);
        self.finish(turn)
    }

    /// Every session, for tests and for a shutdown that waits for hosts.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    pub(super) fn live_sessions(&self) -> impl Iterator<Item = &SessionId> {
        self.sessions.values().filter(|record| record.is_live()).map(|record| &record.id)
    }

    fn take(&mut self, input: Input, turn: &mut Turn) {
        let now = self.world.now();
        match input {
            Input::Command { ticket, envelope, environment, preflight } => {
                self.command(ticket, envelope, environment, preflight.as_ref(), turn);
            }
            Input::Asked { ticket, question } => turn.questions.push((ticket, question)),
            Input::HostRegistered { connection, registration } => {
                self.registered(connection, &registration, turn);
            }
            Input::HostReported { connection, seq, at, fact } => {
                self.reported(connection, seq, at, fact, turn);
            }
            Input::HostActive { connection, at } => {
                if let Some((session, _)) = self.hosts.of(connection) {
                    let session = session.clone();
                    self.hosts.active(&session, at.min(now));
                    turn.shown.insert(session);
                }
            }
            Input::HostLeft { connection } => {
                if let Some(session) = self.hosts.left(connection, self.world.uptime_ms()) {
                    turn.suspects.insert(session);
                }
            }
            Input::HostEnded { session } => {
                turn.suspects.insert(session);
            }
            Input::HostSpawned { session, generation, process } => {
                let mut decision = Decision::default();
                decision.record(&session, now, FactKind::HostSpawned { generation, process });
                turn.watched.insert(session);
                self.record(decision, turn);
            }
            Input::HostSpawnFailed { session, generation, reason } => {
                let mut decision = Decision::default();
                decision.record(&session, now, FactKind::HostSpawnFailed { generation, reason });
                self.record(decision, turn);
            }
            Input::ShowDue { session } => {
                turn.shown.insert(session);
            }
            Input::Tick => {
                self.exports.forget(self.world.uptime_ms());
                turn.suspects.extend(self.live_sessions().cloned());
                turn.batch.notes.extend(self.floods.due(now, self.world.uptime_ms()));
            }
            Input::Reconcile { ticket } => {
                turn.suspects.extend(self.live_sessions().cloned());
                turn.reconciled.push(ticket);
            }
            Input::StopAll => {
                let decision = decide::decide_stop_all(&self.sessions, now);
                self.record(decision, turn);
            }
        }
    }

    fn command(
        &mut self,
        ticket: Ticket,
        envelope: CommandEnvelope,
        environment: Option<Environment>,
        preflight: Option<&Preflight>,
        turn: &mut Turn,
    ) {
        let CommandEnvelope { command_id, command, source, expected_revision, .. } = envelope;
        let earlier = self.earlier_outcome(&command_id).or_else(|error| {
            self.renew(&turn.before, error)?;
            self.store.outcome(&command_id)
        });
        match earlier {
            Ok(None) => {}
            Ok(Some(outcome)) => {
                turn.outcomes.push((ticket, outcome));
                return;
            }
            // It may have been carried out before: twice would be worse than not at all. Not remembered as its outcome.
            Err(error) => {
                let text = format!(
                    "nothing was changed: whether this command came before cannot be read ({error}). Try again"
                );
                turn.failures.push((ticket, Refusal::new(RefusalKind::Internal, text)));
                return;
            }
        }
        let now = self.world.now();
        let fresh = self.fresh();
        let reach = match command.subject().and_then(|session| self.hosts.connection(session)) {
            Some(_) => Reach::Connected,
            None => Reach::Away,
        };
        let environment_given = environment.as_ref();
        let root = self.world.root();
        let given = Given {
            now,
            fresh: &fresh,
            environment: environment_given,
            preflight,
            reach,
            root,
            source,
            expected_revision,
        };
        let outcome = match decide::decide(&self.sessions, &command, given) {
            Ok(Allowed { decision, session, notice }) => {
                if let Some(environment) = environment {
                    turn.environments.insert(session.clone(), environment);
                }
                self.record(decision, turn);
                CommandOutcome::Applied { session, notice }
            }
            Err(refusal) => CommandOutcome::Refused(refusal),
        };
        self.recent.remember(command_id.clone(), outcome.clone());
        turn.batch.outcomes.push(CommandOutcomeRow {
            id: command_id,
            at: now,
            command: command.name(),
            outcome: outcome.clone(),
        });
        turn.outcomes.push((ticket, outcome));
    }

    fn earlier_outcome(&self, id: &CommandId) -> Result<Option<CommandOutcome>, StoreError> {
        match self.recent.find(id) {
            Some(outcome) => Ok(Some(outcome.clone())),
            None => self.store.outcome(id),
        }
    }

    fn fresh(&self) -> Fresh {
        let mut session = self.world.session_id();
        // Forty random bits repeat now and then; an id is never used twice.
        while self.sessions.contains_key(&session) || self.store.ever_knew(&session).unwrap_or(false) {
            session = self.world.session_id();
        }
        Fresh { session, generation: self.world.generation() }
    }

    /// Applies facts to the state at hand and keeps them for the commit.
    pub(super) fn record(&mut self, decision: Decision, turn: &mut Turn) {
        for fact in decision.facts {
            if matches!(
                fact.kind,
                FactKind::SessionBegun(_)
                    | FactKind::SessionBegunAgain { .. }
                    | FactKind::SessionResumed { .. }
            ) {
                self.hosts.another_life(&fact.session);
                turn.batch.tokens.push((fact.session.clone(), self.world.token()));
                self.hosts.expected(&fact.session, self.world.uptime_ms());
            }
            if matches!(fact.kind, FactKind::StopRequested { .. }) {
                self.hosts.stop_asked(&fact.session, self.world.uptime_ms());
            }
            if !turn.before.contains_key(&fact.session) {
                let before = self.sessions.get(&fact.session).cloned();
                turn.before.insert(fact.session.clone(), before);
            }
            apply(&mut self.sessions, &fact);
            turn.batch.facts.push(fact);
        }
        turn.effects.extend(decision.effects);
        for (session, line) in decision.notes {
            self.note(&session, line, turn);
        }
        for session in decision.cleared {
            turn.batch.notes.retain(|(noted, _)| *noted != session);
            self.floods.forget(&session);
            self.hosts.cleared(&session);
            turn.shown.insert(session.clone());
            turn.batch.cleared.push(session);
        }
    }

    /// Keeps a diagnostic for the commit, unless there are too many of its kind.
    fn note(&mut self, session: &SessionId, line: LogLine, turn: &mut Turn) {
        for line in self.floods.admit(session, line, self.world.uptime_ms()) {
            if line.level == LogLevel::Error {
                self.hosts.failed(session, line.at_ms);
                turn.shown.insert(session.clone());
            }
            turn.batch.notes.push((session.clone(), line));
        }
    }

    /// Takes rows off the board that were only waiting for their program to end.
    fn let_go(&mut self, candidates: &BTreeSet<SessionId>, turn: &mut Turn) {
        let decision = reconcile::leaving(&self.sessions, candidates, self.world.now());
        self.record(decision, turn);
    }

    /// The outcomes of a turn whose commit failed are no outcomes; the store has all others.
    pub(super) fn forget_recent(&mut self) {
        self.recent = Recent::default();
    }

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
                    let text = format!(
                        "A journal record of session {session} is damaged ({reason}) and was put into quarantine; its row stands"
                    );
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

    /// Why this coordinator cannot go on, if it cannot: its store is lost. Whoever runs it ends, and the next one starts
    /// from what is on the disk.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }
}

#[cfg(test)]
mod stage;
#[cfg(test)]
mod tests;
