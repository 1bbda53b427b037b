//! The single writer. It takes a batch of inputs, decides each, commits everything in one transaction, and only then
//! answers and acts.
//!
//! It owns the sessions and the store; it runs on one thread and reads time, ids, processes and spool through
//! [`World`]. It never touches a socket.
//!
//! Invariant: a reply follows its commit. Effects run only after their fact is durable.

use super::{
    decide,
    decision::Decision,
    evidence::Work,
    exports::Exports,
    flood::Floods,
    hearing::Spool,
    hosts::Hosts,
    messages::{Input, Output, Question},
    mirror::{self, Turning},
    notify::Notices,
    recent::Recent,
    reconcile,
    stall::Stalls,
    sweep::{self, Wish},
    turn::{Sweeping, Turn},
    waits::Waits,
    warnings::Warnings,
    world::World,
};
use crate::{
    model::{Before, FactKind, Sessions, apply, consult::Consultation, tell},
    store::{Opened, Store},
};
use board_protocol::{
    daemon::{LogLevel, LogLine},
    ids::SessionId,
};
use board_text::coordinator as texts;
use std::collections::{BTreeMap, BTreeSet};

/// The coordinator.
#[derive(Debug)]
pub struct Coordinator<W> {
    pub(super) world: W,
    pub(super) store: Store,
    pub(super) sessions: Sessions,
    pub(super) hosts: Hosts,
    pub(super) floods: Floods,
    pub(super) stalls: Stalls,
    pub(super) work: Work,
    /// What commands of the person's own were asked about and have not answered: of each kind one a session.
    pub(super) consulting: BTreeMap<(SessionId, Consultation), String>,
    pub(super) warnings: Warnings,
    pub(super) recent: Recent,
    /// Sessions that go on as soon as their idle process has ended.
    pub(super) revivals: BTreeMap<SessionId, Wish>,
    /// Whether idle processes were looked for since the hosts had time to come back.
    pub(super) swept: bool,
    /// What agents wait for on their terminals.
    pub(super) waits: Waits,
    pub(super) exports: Exports,
    pub(super) notices: Notices,
    pub(super) running: usize,
    /// Why the store cannot be used any more.
    pub(super) lost: Option<String>,
    /// What was wrong with records when the store was opened; said with the first turn.
    pub(super) damages: Vec<(SessionId, &'static str, String)>,
}

impl<W: World> Coordinator<W> {
    /// Takes over an open store. `warnings` go to the board with the store's own.
    pub fn new(world: W, opened: Opened, warnings: Vec<String>) -> Self {
        let Opened { store, loaded } = opened;
        let mut lines = Warnings::default();
        lines.configured(warnings);
        for text in loaded.warnings {
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
            stalls: Stalls::default(),
            work: Work::default(),
            consulting: BTreeMap::new(),
            warnings: lines,
            recent: Recent::default(),
            revivals: BTreeMap::new(),
            swept: false,
            waits: Waits::default(),
            exports: Exports::default(),
            notices: Notices::default(),
            running: 0,
            lost: None,
            damages: loaded.damages,
        }
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
        self.end_terminals(&mut turn);
        self.end_waits(&touched, &mut turn);
        self.revive(&touched, &mut turn);
        self.send_replies(&touched, &mut turn);
        let occasion =
            turn.sweeping == Sweeping::OnOccasion && turn.batch.facts.iter().any(sweep::is_occasion);
        if turn.sweeping == Sweeping::Due || occasion {
            self.sweep(&mut turn);
        }
        turn.signs.extend(touched);
        self.look_for_stalls(&mut turn);
        self.write_work(&mut turn);
        self.finish(turn)
    }

    /// Every session, for tests and for a shutdown that waits for hosts.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    pub(super) fn live_sessions(&self) -> impl Iterator<Item = &SessionId> {
        self.sessions.values().filter(|record| record.is_live()).map(|record| &record.id)
    }

    /// Sessions that have a process which may be gone, or may never come: a host, or a headless run.
    pub(super) fn sessions_at_work(&self) -> Vec<SessionId> {
        self.sessions.values().filter(|record| record.is_at_work()).map(|record| record.id.clone()).collect()
    }

    fn take(&mut self, input: Input, turn: &mut Turn) {
        let now = self.world.now();
        match input {
            Input::Command { ticket, envelope, environment, preflight } => {
                self.command(ticket, envelope, environment, preflight.as_ref(), turn);
            }
            Input::AgentAsked { ticket, session, token, ask, environment, preflight } => {
                self.agent_asked(ticket, (session, &token), ask, environment, preflight.as_ref(), turn);
            }
            Input::HostWaits { connection, waits } => self.host_waits(connection, waits, turn),
            Input::SkipWaits { ticket, session } => self.skip_waits(ticket, &session, turn),
            Input::WaitsSkipped { connection, number, count } => {
                self.waits_skipped(connection, number, count, turn);
            }
            Input::SkipDue { ticket } => self.skip_due(ticket, turn),
            Input::Asked { ticket, question } => turn.questions.push((ticket, question)),
            Input::HostRegistered { connection, version, registration } => {
                self.registered(connection, version, &registration, turn);
            }
            Input::HostReported { connection, seq, at, fact } => {
                self.reported(connection, seq, at, fact, turn);
            }
            Input::HostActive { connection, at } => {
                if let Some((session, _)) = self.hosts.of(connection) {
                    let session = session.clone();
                    self.hosts.active(&session, at.min(now));
                    self.stalls.alive(&session, self.world.uptime_ms());
                    turn.signs.insert(session.clone());
                    turn.shown.insert(session);
                }
            }
            Input::HostLeft { connection } => {
                self.skips_unheard(connection, turn);
                if let Some(session) = self.hosts.left(connection, self.world.uptime_ms()) {
                    self.waits_unheard(&session, turn);
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
                let failed = FactKind::HostSpawnFailed { generation, reason };
                if let Some(record) = self.sessions.get(&session) {
                    mirror::process(&mut decision, record, now, Turning::Failed, failed);
                }
                self.record(decision, turn);
            }
            Input::RunSpawned { session, run, process } => self.run_spawned(&session, run, process, turn),
            Input::RunSpawnFailed { session, run, reason } => {
                self.run_spawn_failed(&session, run, reason, turn);
            }
            Input::ShowDue { session } => {
                turn.shown.insert(session);
            }
            Input::NoticeDue { session, number } => turn.notices.push((session, number)),
            Input::ReferencesFound { session, found, complaints } => {
                self.references_found(&session, *found, &complaints, turn);
            }
            Input::Consulted { kind, session, about, answer } => {
                self.consulted(kind, &session, &about, answer, turn);
            }
            Input::Tick => {
                if let Err(error) = self.store.check_place()
                    && let Err(error) = self.renew(&turn.before, error)
                {
                    self.warnings.add(texts::not_anew(&error));
                }
                self.look_for_strays(turn);
                self.end_terminals_of(&BTreeSet::new(), turn);
                // The sweep of the start: by now every host that lives has come back.
                if !self.swept && self.world.uptime_ms() >= reconcile::START_GRACE_MS {
                    self.swept = true;
                    turn.sweeping = Sweeping::Due;
                }
                self.exports.forget(self.world.uptime_ms());
                turn.suspects.extend(self.sessions_at_work());
                turn.signs.extend(self.sessions_at_work());
                turn.batch.notes.extend(self.floods.due(now, self.world.uptime_ms()));
            }
            Input::Reconcile { ticket } => {
                turn.suspects.extend(self.sessions_at_work());
                turn.reconciled.push(ticket);
            }
            Input::Configured { warnings } => self.warnings.configured(warnings),
            Input::Sweep => turn.sweeping = Sweeping::Due,
            Input::ForgetDirectory { ticket, path } => {
                turn.batch.forgotten.push(path);
                turn.questions.push((ticket, Question::LaunchPreferences));
            }
            Input::StopAll => {
                let decision = decide::decide_stop_all(&self.sessions, now);
                self.record(decision, turn);
            }
        }
    }

    /// Applies facts to the state at hand and keeps them for the commit.
    pub(super) fn record(&mut self, decision: Decision, turn: &mut Turn) {
        for fact in decision.facts {
            let happened = fact.kind.happened();
            if matches!(
                happened,
                FactKind::SessionBegun(_)
                    | FactKind::SessionBegunAgain { .. }
                    | FactKind::SessionResumed { .. }
            ) {
                self.hosts.another_life(&fact.session);
                self.stalls.forget(&fact.session);
                self.work.forget(&fact.session);
                turn.referring.insert(fact.session.clone());
                let secret = self.next_secret(&fact.session);
                turn.batch.tokens.push((fact.session.clone(), secret));
                self.hosts.expected(&fact.session, self.world.uptime_ms());
            }
            if matches!(happened, FactKind::RunQueued { .. }) {
                self.hosts.run_asked(&fact.session);
            }
            if matches!(happened, FactKind::StopRequested { .. }) {
                self.hosts.stop_asked(&fact.session, self.world.uptime_ms());
            }
            self.trace_replies(&fact, turn);
            if !turn.before.contains_key(&fact.session) {
                let before = self.sessions.get(&fact.session).cloned();
                turn.before.insert(fact.session.clone(), before);
            }
            let before = self.sessions.get(&fact.session).map(Before::from);
            apply(&mut self.sessions, &fact);
            turn.batch.told.extend(tell(before, &fact, self.sessions.get(&fact.session)));
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
    pub(super) fn let_go(&mut self, candidates: &BTreeSet<SessionId>, turn: &mut Turn) {
        let decision = reconcile::leaving(&self.sessions, candidates, self.world.now());
        self.record(decision, turn);
    }

    /// The outcomes of a turn whose commit failed are no outcomes; the store has all others.
    pub(super) fn forget_recent(&mut self) {
        self.recent = Recent::default();
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
