//! The part of the writer that ends idle processes and brings a session back whose process is just being ended
//! (decision 14, reference D.7). What may end is [`warm`]'s decision.
//!
//! A sweep comes at the end of a turn, when everything that is known is recorded, and its orders leave behind that turn's
//! commit; the host, which knows what has happened since, refuses if anything has.
//!
//! Called by the single writer at the end of every turn, and by `commands` when somebody enters or speaks to a session.

use super::{
    decide::{self, Given, Reach},
    decision::{Decision, Effect},
    messages::{Environment, Preflight},
    report::Report,
    turn::Turn,
    warm,
    world::World,
    writer::Coordinator,
};
use crate::model::{Fact, FactKind, Live};
use board_protocol::{
    command::{Command, EnvVar},
    daemon::LogLevel,
    host::{HostFact, HostOrder},
    ids::SessionId,
    state::CommandSource,
    text::age_words,
};
use std::collections::{BTreeMap, BTreeSet};

/// The variable that keeps a process from sweeping, and from having others sweep for it (reference D.1, D.7).
pub const NO_SWEEP: &str = "AGENT_BOARD_NO_SWEEP";

/// A person's wish to go on with a session whose process is just being ended. In memory only: whoever has it waits for it.
#[derive(Debug)]
pub(super) struct Wish {
    environment: Option<Environment>,
    preflight: Option<Preflight>,
}

/// Whether a command comes from inside a session: its own process would be among those that a sweep ends.
pub(super) fn from_inside(environment: Option<&Environment>) -> bool {
    let named =
        |variable: &EnvVar| variable.name.as_slice() == NO_SWEEP.as_bytes() && !variable.value.is_empty();
    environment.is_some_and(|environment| environment.variables.iter().any(named))
}

/// Whether a fact is an occasion to look for idle processes: another one begins, or somebody comes or goes.
pub(super) fn is_occasion(fact: &Fact) -> bool {
    matches!(
        fact.kind.happened(),
        FactKind::SessionBegun(_)
            | FactKind::SessionBegunAgain { .. }
            | FactKind::SessionResumed { .. }
            | FactKind::AttachedChanged { .. }
    )
}

impl<W: World> Coordinator<W> {
    /// Orders the hosts of sessions that nobody needs to end.
    pub(super) fn sweep(&mut self, turn: &mut Turn) {
        let Some(settings) = self.world.warm() else { return };
        let (now, uptime) = (self.world.now(), self.world.uptime_ms());
        let mut terminals: BTreeMap<&SessionId, usize> = BTreeMap::new();
        for parent in
            self.sessions.values().filter(|record| record.is_live()).filter_map(|live| live.parent.as_ref())
        {
            *terminals.entry(parent).or_default() += 1;
        }
        let idle: Vec<(SessionId, u64)> = self
            .sessions
            .values()
            .filter(|record| record.is_live() && !self.revivals.contains_key(&record.id))
            .filter_map(|record| {
                let reach = match self.hosts.sight(&record.id, uptime).reach {
                    Reach::Connected if !self.hosts.takes_reclaim(&record.id) => Reach::Outdated,
                    reach => reach,
                };
                let terminals = terminals.get(&record.id).copied().unwrap_or(0);
                let live = Live { terminals, ..self.hosts.live(&record.id) };
                let age = warm::idle_ms(record, &live, reach, settings.grace_ms, now).ok()?;
                Some((record.id.clone(), age))
            })
            .collect();
        for session in warm::select(settings, &idle) {
            turn.effects.push(Effect::OrderHost { session, order: HostOrder::Reclaim });
        }
    }

    /// Before it is recorded: a host ends an idle program.
    pub(super) fn note_reclaimed(&mut self, report: Report<'_>, turn: &mut Turn) {
        let HostFact::Reclaimed = report.fact else { return };
        let Some(record) = self.sessions.get(report.session) else { return };
        if record.host.generation != *report.generation || report.seq <= record.host.last_fact {
            return;
        }
        let live = self.hosts.live(report.session);
        let newest = [Some(record.last_activity_at), live.active_at, record.visited_at];
        let idle = report.at.since(newest.into_iter().flatten().max().unwrap_or(report.at));
        let text = format!(
            "its process was idle for {} and was ended; the conversation is kept and goes on when you attach or reply",
            age_words(idle)
        );
        let mut decision = Decision::default();
        decision.note(report.session, report.at, (LogLevel::Info, "host", "host_reclaimed"), &text);
        self.record(decision, turn);
    }

    /// A person enters a session, or speaks to it, whose process is just being ended: it goes on as soon as that has.
    pub(super) fn remember_wish(
        &mut self,
        command: &Command,
        environment: Option<&Environment>,
        preflight: Option<&Preflight>,
    ) {
        use board_protocol::command::ReplyDelivery::Auto;
        let session = match command {
            Command::Resume { session } | Command::Reply { session, delivery: Auto, .. } => session,
            _ => return,
        };
        if self.sessions.get(session).is_some_and(|record| record.goes_to_rest()) {
            let wish = Wish { environment: environment.cloned(), preflight: preflight.cloned() };
            self.revivals.insert(session.clone(), wish);
        }
    }

    /// Goes on with the sessions that were waited for and whose process has ended.
    pub(super) fn revive(&mut self, touched: &BTreeSet<SessionId>, turn: &mut Turn) {
        for session in touched {
            if self.sessions.get(session).is_some_and(|record| record.is_live()) {
                continue;
            }
            if let Some(wish) = self.revivals.remove(session) {
                self.resume_now(session, wish, turn);
            }
        }
    }

    fn resume_now(&mut self, session: &SessionId, wish: Wish, turn: &mut Turn) {
        // A row that was stopped or taken away meanwhile is not brought back.
        if !self.sessions.get(session).is_some_and(|record| record.rests()) {
            return;
        }
        let fresh = self.fresh(Some(session));
        let given = Given {
            environment: wish.environment.as_ref(),
            preflight: wish.preflight.as_ref(),
            ..self.given(Some(session), &fresh, CommandSource::Person)
        };
        match decide::decide(&self.sessions, &Command::Resume { session: session.clone() }, given) {
            Ok(allowed) => {
                if let Some(environment) = wish.environment {
                    turn.environments.insert(session.clone(), environment);
                }
                self.record(allowed.decision, turn);
            }
            Err(refusal) => {
                let mut decision = Decision::default();
                let grave = (LogLevel::Warn, "host", "resume_failed");
                decision.note(session, self.world.now(), grave, &refusal.text);
                self.record(decision, turn);
            }
        }
    }

    /// Rows whose left-behind processes have ended since do not list them any more.
    pub(super) fn look_for_strays(&mut self, turn: &mut Turn) {
        let now = self.world.now();
        let mut decision = Decision::default();
        for record in self.sessions.values().filter(|record| !record.strays.is_empty()) {
            let runs = |stray: &&board_protocol::daemon::Stray| self.world.runs(stray.process);
            let left: Vec<_> = record.strays.iter().filter(runs).cloned().collect();
            if left.len() != record.strays.len() {
                decision.record(&record.id, now, FactKind::StraysEnded { left });
            }
        }
        self.record(decision, turn);
    }
}
