//! What the coordinator hears of hosts, over their connections and through the spool, and how it compares that with
//! their processes.

use super::{
    decision::Decision,
    hosts::Showing,
    listen::{Telling, listen},
    messages::ConnectionId,
    mirror, plans, reconcile,
    report::{self, Acquaintance, Delivery, Report, Verdict},
    turn::Turn,
    world::World,
    writer::Coordinator,
};
use crate::model::news::Beat;
use board_protocol::{
    daemon::LogLevel,
    host::{AgentReport, HostFact, HostOrder, HostRegistration, MAX_LAST_SCREEN_BYTES, SpooledFact},
    ids::{FactSeq, SessionId, UnixMs},
};
use board_text::coordinator as texts;
use std::collections::BTreeMap;

/// What was found in the spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spool {
    /// Nothing.
    Empty,
    /// Facts, and more may wait behind them.
    HadFacts,
}

impl<W: World> Coordinator<W> {
    /// A host introduced itself.
    pub(super) fn registered(
        &mut self,
        connection: ConnectionId,
        version: u32,
        registration: &HostRegistration,
        turn: &mut Turn,
    ) {
        let session = &registration.session;
        let acquaintance = match self.secret(session, turn) {
            Ok(Some(token)) => Acquaintance::Secret(token),
            Ok(None) if self.store.ever_knew(session).unwrap_or(false) => Acquaintance::Removed,
            Ok(None) => Acquaintance::Never,
            Err(error) => {
                tracing::warn!(%error, %session, "cannot check a host");
                Acquaintance::Never
            }
        };
        match report::meet(&self.sessions, registration, &acquaintance, self.world.now()) {
            Verdict::Adopted(decision) => {
                self.hosts.joined(connection, version, registration);
                self.stalls.alive(session, self.world.uptime_ms());
                turn.verdicts.push((connection, HostOrder::Adopted));
                turn.watched.insert(session.clone());
                if self.hosts.doubt(session, None) {
                    turn.shown.insert(session.clone());
                }
                self.record(decision, turn);
                self.take_waits(session, registration.waits.clone(), turn);
                self.remind_of_replies(session, turn);
            }
            Verdict::Revoked(reason) => {
                tracing::info!(%session, %reason, "a host is revoked");
                turn.verdicts.push((connection, HostOrder::Revoked { reason }));
            }
            Verdict::Stranger => self.warnings.add(texts::unknown_host(registration.process.pid, session)),
        }
    }

    /// A host reported a fact.
    pub(super) fn reported(
        &mut self,
        connection: ConnectionId,
        seq: FactSeq,
        at: UnixMs,
        fact: HostFact,
        turn: &mut Turn,
    ) {
        let Some((session, generation)) = self.hosts.of(connection) else { return };
        let (session, generation) = (session.clone(), generation.clone());
        let report = Report {
            session: &session,
            generation: &generation,
            seq,
            at,
            fact: &fact,
            delivery: Delivery::Connection,
        };
        self.learn(report, turn);
        if fact == HostFact::PersonTyped {
            self.hosts.active(&session, at.min(self.world.now()));
            turn.shown.insert(session);
        }
        let newest = turn.acknowledged.entry(connection).or_default();
        *newest = seq.max(*newest);
    }

    fn learn(&mut self, report: Report<'_>, turn: &mut Turn) {
        if let HostFact::AgentReported(told) = report.fact {
            let known = self.sessions.get(report.session).is_some_and(|record| {
                record.host.generation == *report.generation && report.seq <= record.host.last_fact
            });
            // Said a second time, after a reconnect or through the spool.
            if !known {
                let (generation, seq, at) = (report.generation, Some(report.seq), report.at);
                self.told(report.session, Telling { generation, seq, at, report: told }, turn);
            }
            return;
        }
        let decision = report::decide_report(&self.sessions, report);
        if let (HostFact::ChildExited { last_screen, .. }, false) = (report.fact, decision.facts.is_empty()) {
            let mut end = last_screen.len().min(MAX_LAST_SCREEN_BYTES);
            while !last_screen.is_char_boundary(end) {
                end -= 1;
            }
            let screen = last_screen.get(..end).unwrap_or_default().to_owned();
            turn.batch.screens.push((report.session.clone(), screen));
        }
        self.note_arrival(report, turn);
        self.note_reclaimed(report, turn);
        self.record(decision, turn);
        self.note_reply(report, turn);
    }

    /// An agent reported something about this session; its secret was checked.
    fn told(&mut self, session: &SessionId, telling: Telling<'_>, turn: &mut Turn) {
        let Some(record) = self.sessions.get(session) else {
            tracing::warn!(%session, adapter = telling.report.adapter, "an event of a session that is not on the board");
            return;
        };
        // Whatever it says, it lives.
        self.stalls.alive(session, self.world.uptime_ms());
        turn.signs.insert(session.clone());
        let mut heard = listen(record, telling, self.world.question_tools());
        let at = telling.at.min(self.world.now());
        for diagnostic in &heard.diagnostics {
            let grave = (LogLevel::Warn, "agent", diagnostic.code.as_str());
            heard.decision.note(session, at, grave, &diagnostic.detail);
        }
        for rejected in &heard.rejected {
            mirror::note(&mut heard.decision, session, at, rejected);
        }
        self.record(heard.decision, turn);
        self.fold_work(session, &heard.said, at, turn);
        turn.replies.insert(session.clone());
        if let Some(words) = heard.settled {
            self.take_plan(session, plans::ready, &words, turn);
            self.read_last_words(session, &words, turn);
        }
        for beat in heard.beats {
            self.feel(session, beat, turn);
        }
    }

    /// Shows what goes on inside a turn, at most four times a second.
    pub(super) fn feel(&mut self, session: &SessionId, beat: Beat, turn: &mut Turn) {
        match self.hosts.feel(session, beat, self.world.uptime_ms()) {
            Showing::NotNow => {}
            Showing::Now => {
                turn.shown.insert(session.clone());
            }
            Showing::Later(after_ms) => {
                turn.later.insert(session.clone(), after_ms);
            }
        }
    }

    /// An agent that could not reach its host wrote to the disk itself: the secret decides whose word it is.
    fn told_by_disk(&mut self, session: &SessionId, at: UnixMs, report: &AgentReport, turn: &mut Turn) {
        let secret = self.store.token(session).unwrap_or_else(|error| {
            tracing::warn!(%error, %session, "cannot check an event");
            None
        });
        let Some(record) = self.sessions.get(session) else {
            tracing::warn!(%session, adapter = report.adapter, "an event of a session that is not on the board");
            return;
        };
        if secret.as_ref() == Some(&report.token) {
            let generation = record.host.generation.clone();
            self.told(session, Telling { generation: &generation, seq: None, at, report }, turn);
        } else {
            let detail =
                format!("an event of {} without this session's secret was not taken", report.adapter);
            let at = at.min(self.world.now());
            let mut decision = Decision::default();
            decision.note(session, at, (LogLevel::Warn, "agent", "wrong_token"), &detail);
            self.record(decision, turn);
        }
    }

    /// Reads the spool. Whether it was empty before, so that nothing more can be waiting in it.
    pub(super) fn take_spool(&mut self, turn: &mut Turn) -> Spool {
        let mut found = Spool::Empty;
        for (file, spooled) in self.world.spooled() {
            match spooled {
                Ok(SpooledFact { session, generation: Some(generation), seq: Some(seq), at_ms, fact }) => {
                    let report = Report {
                        session: &session,
                        generation: &generation,
                        seq,
                        at: at_ms,
                        fact: &fact,
                        delivery: Delivery::Spool,
                    };
                    self.learn(report, turn);
                }
                // An event whose host was gone as well.
                Ok(SpooledFact { session, at_ms, fact: HostFact::AgentReported(report), .. }) => {
                    self.told_by_disk(&session, at_ms, &report, turn);
                }
                Ok(SpooledFact { session, fact: HostFact::RunReported(kept), .. }) => {
                    self.told_late(session, *kept, turn);
                }
                Ok(SpooledFact { session, .. }) => tracing::debug!(%session, "a fact without a host"),
                Err(reason) => tracing::warn!(file = %file.display(), %reason, "a spool file is damaged"),
            }
            turn.spooled.push(file);
            found = Spool::HadFacts;
        }
        found
    }

    /// Compares records with processes.
    pub(super) fn look_around(&mut self, turn: &mut Turn) {
        let uptime = self.world.uptime_ms();
        let mut sightings = BTreeMap::new();
        let suspects = std::mem::take(&mut turn.suspects);
        self.look_at_runs(&suspects, turn);
        for session in suspects {
            let Some(record) = self.sessions.get(&session).filter(|record| record.is_live()) else {
                continue;
            };
            let sighting = self.hosts.sighting(record, uptime, |process| self.world.runs(process));
            if self.hosts.doubt(&session, reconcile::doubt(record, sighting)) {
                turn.shown.insert(session.clone());
            }
            turn.replies.insert(session.clone());
            sightings.insert(session, sighting);
        }
        let decision = reconcile::reconcile(&self.sessions, &sightings, self.world.now());
        self.record(decision, turn);
    }
}
