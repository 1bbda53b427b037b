//! The first turn of a coordinator: what the one before it left, compared with what runs.

use super::{
    decision::Decision,
    hearing::Spool,
    messages::Output,
    turn::{Everything, Turn},
    world::World,
    writer::Coordinator,
};
use board_protocol::{daemon::LogLevel, ids::SessionId};
use std::collections::BTreeSet;

/// Most times that the spool is read before the first answer; each time takes its oldest thousand facts.
const MAX_BOOT_DRAINS: usize = 64;

impl<W: World> Coordinator<W> {
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
        turn.suspects.extend(self.sessions_at_work());
        turn.watched.extend(self.sessions_at_work());
        if restarted {
            self.sessions_at_work().iter().for_each(|session| self.hosts.perished(session));
        }
        let ended: BTreeSet<SessionId> = self.sessions.keys().cloned().collect();
        self.look_around(&mut turn);
        self.let_go(&ended, &mut turn);
        self.end_terminals_of(&BTreeSet::new(), &mut turn);
        let outputs = self.finish(turn);
        self.notices.listen();
        outputs
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
}
