//! The second half of a turn: commit, then publish, answer and act, in that order.

use super::{
    decision::Effect,
    explain::explain,
    messages::{Output, Question, Ticket},
    turn::{Everything, Turn},
    waits::SKIP_PATIENCE_MS,
    world::World,
    writer::Coordinator,
};
use crate::{
    model::{FactKind, SHOWN_DIAGNOSTICS, SessionRecord, Sessions, detail, find, row, run::RunRecord},
    store::StoreError,
};
use board_protocol::{
    daemon::Answer,
    host::{HostLaunch, HostOrder, LaunchPrompt},
    ids::{Generation, SessionId},
    refusal::{Refusal, RefusalKind},
};
use board_text::coordinator as texts;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

impl<W: World> Coordinator<W> {
    /// Commits the turn and gives everything that follows from it.
    pub(super) fn finish(&mut self, turn: Turn) -> Vec<Output> {
        if !turn.batch.is_empty() {
            let mut committed = self.store.commit(&turn.batch, &self.sessions);
            if let Err(error) = committed {
                committed = self
                    .renew(&turn.before, error)
                    .and_then(|()| self.store.commit(&turn.batch, &self.sessions));
            }
            if let Err(error) = committed {
                return self.failed(turn, &error);
            }
            self.warnings.clear(texts::store_cannot_be_written());
        }
        for file in &turn.spooled {
            self.world.discard(file);
        }
        for fact in &turn.batch.facts {
            match fact.kind.happened() {
                // A host that was killed could not take its socket away.
                FactKind::HostLost { generation, .. } => {
                    self.world.discard(&self.world.host_socket(&fact.session, generation));
                    self.world.discard(&self.world.deliveries_file(&fact.session, generation));
                }
                // It said everything that it had written down.
                FactKind::ChildExited { generation, .. } => {
                    self.world.discard(&self.world.deliveries_file(&fact.session, generation));
                }
                FactKind::SessionRemoved => {
                    self.world.discard(&self.world.host_log(&fact.session));
                    self.world.discard(&self.world.prompt_file(&fact.session));
                    self.world.discard(&self.world.run_errors(&fact.session));
                }
                _ => {}
            }
        }
        let mut outputs = Vec::new();
        self.publish(&turn, &mut outputs);
        self.answer(&turn, &mut outputs);
        self.notify(&turn, &mut outputs);
        self.act(turn, &mut outputs);
        outputs
    }

    /// Damage that shows only in the middle of work would refuse every command from now on: what can be read goes into a
    /// new file. The last committed records are in memory, where the turn that is under way has changed those in
    /// `before`.
    ///
    /// # Errors
    /// `error` again where it is no damage or no new file can be made.
    pub(super) fn renew(
        &mut self,
        before: &BTreeMap<SessionId, Option<SessionRecord>>,
        error: StoreError,
    ) -> Result<(), StoreError> {
        if !error.is_damage() {
            return Err(error);
        }
        tracing::error!(%error, "the store is damaged");
        self.exports.end_all();
        let mut committed = self.sessions.clone();
        put_back(&mut committed, before.clone());
        let aside = self.world.now().0.to_string();
        match self.store.rebuild(&aside, &committed, &error) {
            Ok(warning) => {
                self.warnings.add(warning);
                Ok(())
            }
            Err(lost @ StoreError::Lost { .. }) => {
                self.lost = Some(lost.to_string());
                Err(lost)
            }
            Err(failed) => {
                tracing::error!(error = %failed, "no new store can be made");
                Err(error)
            }
        }
    }

    /// Nothing of the turn happened: the state is what was committed before, everybody who waits is told, hosts say it
    /// again.
    fn failed(&mut self, mut turn: Turn, error: &StoreError) -> Vec<Output> {
        tracing::error!(%error, "a commit failed");
        if matches!(error, StoreError::Superseded) {
            self.lost = Some(error.to_string());
        }
        self.warnings.add(texts::store_stands(texts::store_cannot_be_written(), error));
        self.forget_recent();
        self.work.put_back(std::mem::take(&mut turn.batch.work), self.world.uptime_ms());
        put_back(&mut self.sessions, std::mem::take(&mut turn.before));
        let refusal = Refusal::new(
            RefusalKind::Internal,
            texts::nothing_changed(error, way_out(error, self.world.root())),
        );
        self.forget_skips(&turn.skipping);
        let outcomes = turn.outcomes.iter().map(|(ticket, _)| *ticket);
        let owned = turn.owned.iter().map(|(ticket, ..)| *ticket);
        let listed = turn.listed.iter().map(|(ticket, _)| *ticket);
        let mut outputs: Vec<Output> = outcomes
            .chain(owned)
            .chain(listed)
            .chain(turn.skipping.iter().copied())
            .map(|ticket| Output::Answer { ticket, answer: Err(refusal.clone()) })
            .collect();
        outputs.extend(answers(std::mem::take(&mut turn.answers)));
        outputs.extend(failures(&turn));
        for (ticket, question) in &turn.questions {
            outputs.push(Output::Answer { ticket: *ticket, answer: self.answer_to(question) });
        }
        let talking = turn.acknowledged.keys().chain(turn.verdicts.iter().map(|(connection, _)| connection));
        let talking: BTreeSet<_> = talking.copied().collect();
        outputs.extend(talking.into_iter().map(|connection| Output::Disconnect { connection }));
        if let Some(warnings) = self.warnings.news() {
            outputs.push(Output::BoardChanged {
                upserted: Vec::new(),
                removed: Vec::new(),
                warnings: Some(warnings),
            });
        }
        outputs
    }

    fn publish(&mut self, turn: &Turn, outputs: &mut Vec<Output>) {
        let mut changed: BTreeSet<&SessionId> = turn.shown.iter().collect();
        let uptime = self.world.uptime_ms();
        for session in &turn.shown {
            self.hosts.shown(session, uptime);
        }
        match turn.everything {
            Everything::All => changed.extend(self.sessions.keys()),
            Everything::Changes => changed.extend(turn.batch.facts.iter().map(|fact| &fact.session)),
        }
        let mut upserted = Vec::new();
        let mut removed = Vec::new();
        for session in changed {
            match self.sessions.get(session) {
                Some(record) => upserted.push(row(record, &self.live(session))),
                None => {
                    self.hosts.forget(session);
                    self.floods.forget(session);
                    self.stalls.forget(session);
                    self.work.forget(session);
                    removed.push(session.clone());
                }
            }
        }
        let warnings = self.warnings.news();
        if !upserted.is_empty() || !removed.is_empty() || warnings.is_some() {
            outputs.push(Output::BoardChanged { upserted, removed, warnings });
        }
        let running = self.sessions.values().filter(|record| record.is_at_work()).count();
        if running != self.running {
            self.running = running;
            outputs.push(Output::Running { hosts: running });
        }
    }

    fn answer(&mut self, turn: &Turn, outputs: &mut Vec<Output>) {
        outputs.extend(answers(turn.answers.clone()));
        outputs.extend(answers(self.answers_to_agents(turn)));
        for (ticket, outcome) in &turn.outcomes {
            let answer = Ok(Answer::Outcome(outcome.clone()));
            outputs.push(Output::Answer { ticket: *ticket, answer });
        }
        outputs.extend(failures(turn));
        for (ticket, question) in &turn.questions {
            outputs.push(Output::Answer { ticket: *ticket, answer: self.answer_to(question) });
        }
    }

    fn answer_to(&mut self, question: &Question) -> Result<Answer, Refusal> {
        match question {
            Question::Show { session } => {
                let record = find(&self.sessions, session)?;
                // Without its diagnostics a session is still worth showing.
                let lines = self.store.complaints(&record.id, SHOWN_DIAGNOSTICS).unwrap_or_else(|error| {
                    tracing::warn!(%error, "cannot read diagnostics");
                    Vec::new()
                });
                let mut shown = detail(record, &self.live(&record.id), &lines);
                shown.diagnostics = self.store.diagnostic_summary(&record.id).ok();
                Ok(Answer::Session(Box::new(shown)))
            }
            Question::Locate { session } => {
                let record = find(&self.sessions, session)?;
                Ok(Answer::Session(Box::new(detail(record, &self.live(&record.id), &[]))))
            }
            Question::Reconciled => Ok(Answer::Ready),
            Question::Waits => Ok(self.all_waits()),
            Question::Log { session, limit } => {
                let session = &find(&self.sessions, session)?.id;
                match self.store.log(session, *limit) {
                    Ok(lines) => Ok(Answer::Log(lines)),
                    Err(error) => Err(Refusal::new(RefusalKind::Internal, texts::try_again(&error))),
                }
            }
            Question::Explain { session } => {
                let record = find(&self.sessions, session)?;
                let story = self
                    .store
                    .story(&record.id)
                    .map_err(|error| Refusal::new(RefusalKind::Internal, texts::try_again(&error)))?;
                let live = self.live(&record.id);
                Ok(Answer::Explanation(Box::new(explain(record, &live, story, self.world.now()))))
            }
            Question::Evidence { session } => self.evidence_of(find(&self.sessions, session)?),
            Question::References { session } => Ok(self.references_of(&find(&self.sessions, session)?.id)),
            Question::LaunchPreferences => {
                match self.store.launch_preferences(self.world.home().as_deref()) {
                    Ok(preferences) => Ok(Answer::LaunchPreferences(Box::new(preferences))),
                    Err(error) => Err(Refusal::new(RefusalKind::Internal, texts::try_again(&error))),
                }
            }
            Question::Export { after } => {
                let (now, uptime) = (self.world.now(), self.world.uptime_ms());
                self.exports.page(&self.store, *after, now, uptime)
            }
            Question::LastScreen { session } => match self.store.last_screen(session) {
                Ok(text) => Ok(Answer::Screen { text }),
                Err(error) => Err(Refusal::new(RefusalKind::Internal, texts::try_again(&error))),
            },
        }
    }

    fn act(&mut self, mut turn: Turn, outputs: &mut Vec<Output>) {
        let referring = std::mem::take(&mut turn.referring);
        for (connection, order) in std::mem::take(&mut turn.verdicts) {
            outputs.push(Output::Order { connection, order });
        }
        for (connection, seq) in std::mem::take(&mut turn.acknowledged) {
            outputs.push(Output::Order { connection, order: HostOrder::Acknowledge { seq } });
        }
        for effect in std::mem::take(&mut turn.effects) {
            match effect {
                Effect::SpawnHost { session, generation } => {
                    if let Some(launch) = self.launch(&session, &generation, &mut turn) {
                        outputs.push(Output::Spawn(Box::new(launch)));
                    }
                }
                Effect::SpawnRun(mut launch) => {
                    // Without it the turn goes on; only its agent has no terminals.
                    launch.token = self.secret(&launch.session, &turn).ok().flatten();
                    outputs.push(Output::SpawnRun(launch));
                }
                Effect::OrderHost { session, order } => {
                    if let Some(connection) = self.hosts.connection(&session) {
                        outputs.push(Output::Order { connection, order });
                    }
                }
                Effect::LookAgain { session } => outputs.push(Output::LookAgain { session }),
                Effect::Signal { process, force } => outputs.push(Output::Signal { process, force }),
                Effect::Consult(consult) => outputs.push(Output::Consult(consult)),
                Effect::TellPane { server_pid, event } => {
                    outputs.push(Output::TellPane { server_pid, event });
                }
            }
        }
        for ticket in std::mem::take(&mut turn.skipping) {
            outputs.push(Output::SkipLater { ticket, after_ms: SKIP_PATIENCE_MS });
        }
        for (session, after_ms) in turn.later.into_iter().chain(turn.write_later) {
            outputs.push(Output::ShowLater { session, after_ms });
        }
        for session in turn.watched {
            let record = self.sessions.get(&session);
            let run = |record: &SessionRecord| record.run.as_ref().and_then(RunRecord::process);
            let process = record.and_then(|record| match record.is_live() {
                true => record.host.process,
                false => run(record),
            });
            if let Some(process) = process {
                outputs.push(Output::Watch { session, process });
            }
        }
        self.look_for_references(&referring, outputs);
    }

    /// Words that are too long for a command line, unless the agent had them in an earlier life.
    fn prompt_file(&self, record: &SessionRecord) -> Option<LaunchPrompt> {
        let (variable, text) =
            record.agent.prompt_in_file(&record.launch).filter(|_| !record.agent_record.begun)?;
        Some(LaunchPrompt {
            variable: variable.to_owned(),
            path: self.world.prompt_file(&record.id).to_string_lossy().into_owned(),
            text: text.to_owned(),
        })
    }

    /// What a host is told on its standard input. A session that was removed in the same turn gets none.
    fn launch(&self, session: &SessionId, generation: &Generation, turn: &mut Turn) -> Option<HostLaunch> {
        let record = self.sessions.get(session).filter(|record| record.host.generation == *generation)?;
        let (_, token) = turn.batch.tokens.iter().rev().find(|(owner, _)| owner == session)?;
        // A terminal that its agent cannot reach is of no use; its row says after a while that it did not start.
        let parent = self.parent_of(session, turn).ok()?;
        let environment = turn.environments.remove(session)?;
        Some(HostLaunch {
            session: session.clone(),
            name: record.name.clone(),
            generation: generation.clone(),
            token: token.clone(),
            root: self.world.root().to_string_lossy().into_owned(),
            socket: self.world.host_socket(session, generation).to_string_lossy().into_owned(),
            argv: record.argv.clone(),
            cwd: record.cwd.clone(),
            environment: environment.variables,
            size: record.size,
            settings: self.world.host_settings(),
            prompt: self.prompt_file(record),
            parent,
        })
    }
}

/// Records as they were before a turn. The store is not asked for them: one that cannot be written may not be readable
/// either.
fn put_back(sessions: &mut Sessions, before: BTreeMap<SessionId, Option<SessionRecord>>) {
    for (session, record) in before {
        match record {
            Some(record) => sessions.insert(session, record),
            None => sessions.remove(&session),
        };
    }
}

fn answers(all: Vec<(Ticket, Result<Answer, Refusal>)>) -> impl Iterator<Item = Output> {
    all.into_iter().map(|(ticket, answer)| Output::Answer { ticket, answer })
}

/// Commands that could not be looked at.
fn failures(turn: &Turn) -> impl Iterator<Item = Output> {
    turn.failures
        .iter()
        .map(|(ticket, refusal)| Output::Answer { ticket: *ticket, answer: Err(refusal.clone()) })
}

/// What a person can do about a store that cannot be written. Damage in a page that was not read at the start shows only
/// now, and trying again does not help.
fn way_out(error: &StoreError, root: &Path) -> String {
    if matches!(error, StoreError::Superseded) {
        texts::other_answers().to_owned()
    } else if error.is_damage() {
        let store = root.join("board.db");
        texts::store_damaged(store.display())
    } else {
        texts::disk_full().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_store_is_not_taken_for_a_full_disk() {
        let failed = |code| {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            way_out(&StoreError::Sqlite(error), Path::new("/root"))
        };
        assert!(failed(rusqlite::ffi::SQLITE_CORRUPT).contains("move /root/board.db away"));
        assert!(failed(rusqlite::ffi::SQLITE_FULL).contains("disk full"));
    }
}
