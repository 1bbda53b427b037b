//! What the coordinator knows of hosts at this moment only: who is connected, who has been silent since when, what was
//! last printed. Nothing here is recorded; it starts empty with every daemon.

use super::{
    messages::ConnectionId,
    reconcile::{Program, Sighting},
};
use crate::model::{Live, SessionRecord, news::Beat};
use board_protocol::{
    host::HostRegistration,
    ids::{Generation, ProcessIdentity, SessionId, UnixMs},
};
use std::collections::BTreeMap;

/// Connections and silences.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    connections: BTreeMap<ConnectionId, (SessionId, Generation)>,
    connected: BTreeMap<SessionId, ConnectionId>,
    /// Milliseconds of the monotonic clock at which a session was last known to be connected.
    silent_since: BTreeMap<SessionId, u64>,
    /// Milliseconds of the monotonic clock at which a session's stop was asked for.
    stop_asked_at: BTreeMap<SessionId, u64>,
    live: BTreeMap<SessionId, Live>,
    pace: BTreeMap<SessionId, Pace>,
}

/// Shortest time between two pictures of what goes on inside a turn, in milliseconds: four a second are as many as a
/// person reads.
const BEAT_MS: u64 = 250;

/// When the beats of a session were shown.
#[derive(Debug, Clone, Copy)]
struct Pace {
    shown_at: u64,
    /// Something waits for its time.
    waits: bool,
}

/// When a beat is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Showing {
    /// It looks the same, or it is shown with one that waits already.
    NotNow,
    /// At once.
    Now,
    /// After so many milliseconds.
    Later(u64),
}

impl Hosts {
    /// A host was adopted. The newest connection of a session counts; an older one of the same host is replaced.
    pub(super) fn joined(&mut self, connection: ConnectionId, registration: &HostRegistration) {
        let session = registration.session.clone();
        self.connections.insert(connection, (session.clone(), registration.generation.clone()));
        self.silent_since.remove(&session);
        self.connected.insert(session, connection);
    }

    /// A connection closed. Gives the session whose host is away now.
    pub(super) fn left(&mut self, connection: ConnectionId, uptime_ms: u64) -> Option<SessionId> {
        let (session, _) = self.connections.remove(&connection)?;
        if self.connected.get(&session) != Some(&connection) {
            return None;
        }
        self.connected.remove(&session);
        self.silent_since.insert(session.clone(), uptime_ms);
        Some(session)
    }

    /// A host was asked for, or is expected back: its silence starts now, and no earlier boot's connection counts.
    pub(super) fn expected(&mut self, session: &SessionId, uptime_ms: u64) {
        self.connected.remove(session);
        self.stop_asked_at.remove(session);
        self.silent_since.insert(session.clone(), uptime_ms);
    }

    /// A session is to end; the first time counts.
    pub(super) fn stop_asked(&mut self, session: &SessionId, uptime_ms: u64) {
        self.stop_asked_at.entry(session.clone()).or_insert(uptime_ms);
    }

    /// A session is gone from the board.
    pub(super) fn forget(&mut self, session: &SessionId) {
        self.connected.remove(session);
        self.stop_asked_at.remove(session);
        self.silent_since.remove(session);
        self.live.remove(session);
        self.pace.remove(session);
    }

    /// Takes a beat of an agent's turn, and says when it is to be shown.
    pub(super) fn feel(&mut self, session: &SessionId, beat: Beat, uptime_ms: u64) -> Showing {
        if !self.live.entry(session.clone()).or_default().feel(beat) {
            return Showing::NotNow;
        }
        let Some(pace) = self.pace.get_mut(session) else {
            self.pace.insert(session.clone(), Pace { shown_at: uptime_ms, waits: false });
            return Showing::Now;
        };
        let passed = uptime_ms.saturating_sub(pace.shown_at);
        if pace.waits {
            Showing::NotNow
        } else if passed >= BEAT_MS {
            pace.shown_at = uptime_ms;
            Showing::Now
        } else {
            pace.waits = true;
            Showing::Later(BEAT_MS - passed)
        }
    }

    /// The time of what waited has come.
    pub(super) fn shown(&mut self, session: &SessionId, uptime_ms: u64) {
        if let Some(pace) = self.pace.get_mut(session) {
            *pace = Pace { shown_at: uptime_ms, waits: false };
        }
    }

    /// An error was written down.
    pub(super) fn failed(&mut self, session: &SessionId, at: UnixMs) {
        self.live.entry(session.clone()).or_default().failed(at);
    }

    /// The diagnostics of a session were cleared.
    pub(super) fn cleared(&mut self, session: &SessionId) {
        if let Some(live) = self.live.get_mut(session) {
            live.errors.clear();
        }
    }

    /// Another process takes the place of the one that was heard before: what it did and typed is over.
    pub(super) fn another_life(&mut self, session: &SessionId) {
        if let Some(live) = self.live.get_mut(session) {
            live.doing = None;
            live.editor = None;
        }
    }

    /// Whose connection this is.
    pub(super) fn of(&self, connection: ConnectionId) -> Option<(&SessionId, &Generation)> {
        self.connections.get(&connection).map(|(session, generation)| (session, generation))
    }

    /// The connection of a session's host.
    pub(super) fn connection(&self, session: &SessionId) -> Option<ConnectionId> {
        self.connected.get(session).copied()
    }

    /// What is seen of a session's host.
    pub(super) fn sighting(
        &self,
        record: &SessionRecord,
        uptime_ms: u64,
        runs: impl Fn(ProcessIdentity) -> bool,
    ) -> Sighting {
        if self.connected.contains_key(&record.id) {
            let asked_at = record.stop.and_then(|_| self.stop_asked_at.get(&record.id));
            return Sighting::Connected {
                stopping_ms: asked_at.map_or(0, |asked_at| uptime_ms.saturating_sub(*asked_at)),
            };
        }
        let since = self.silent_since.get(&record.id).copied().unwrap_or(uptime_ms);
        let silent_ms = uptime_ms.saturating_sub(since);
        match record.host.process {
            None => Sighting::Unknown { silent_ms },
            Some(process) if runs(process) => Sighting::Runs { silent_ms },
            Some(_) => {
                let program = match record.host.child {
                    Some(child) if runs(child) => Program::Runs,
                    _ => Program::Ended,
                };
                Sighting::Gone { silent_ms, program }
            }
        }
    }

    /// A session printed something.
    pub(super) fn active(&mut self, session: &SessionId, at: UnixMs) {
        let live = self.live.entry(session.clone()).or_default();
        live.active_at = Some(live.active_at.map_or(at, |earlier| earlier.max(at)));
    }

    /// Sets why a session cannot be vouched for. Gives whether that is news.
    pub(super) fn doubt(&mut self, session: &SessionId, doubt: Option<String>) -> bool {
        let earlier = self.live.get(session).and_then(|live| live.doubt.as_ref());
        if earlier == doubt.as_ref() {
            return false;
        }
        self.live.entry(session.clone()).or_default().doubt = doubt;
        true
    }

    /// What is known of a session at this moment.
    pub(super) fn live(&self, session: &SessionId) -> Live {
        self.live.get(session).cloned().unwrap_or_default()
    }
}
