//! What the coordinator knows of hosts at this moment only: who is connected, who has been silent since when, what was
//! last printed. Nothing here is recorded; it starts empty with every daemon.

use super::{
    decide::Reach,
    deliver::{Refusing, Sight},
    messages::ConnectionId,
    reconcile::{Program, Sighting},
};
use crate::{
    agents::event::EditorState,
    model::{Live, SessionRecord, news::Beat},
};
use board_protocol::{
    host::{HostRegistration, TextField},
    ids::{Generation, ProcessIdentity, RunId, SessionId, UnixMs},
};
use std::collections::{BTreeMap, BTreeSet};

/// Connections and silences.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    connections: BTreeMap<ConnectionId, (SessionId, Generation)>,
    connected: BTreeMap<SessionId, (ConnectionId, u32)>,
    /// Milliseconds of the monotonic clock at which a session was last known to be connected.
    silent_since: BTreeMap<SessionId, u64>,
    /// Milliseconds of the monotonic clock at which a session's stop was asked for.
    stop_asked_at: BTreeMap<SessionId, u64>,
    /// Sessions that ran before the machine was restarted, and have not begun again.
    perished: BTreeSet<SessionId>,
    live: BTreeMap<SessionId, Live>,
    pace: BTreeMap<SessionId, Pace>,
    /// Milliseconds of the monotonic clock since which an agent has not spoken about words that it got.
    unheard_since: BTreeMap<SessionId, u64>,
    /// Milliseconds of the monotonic clock at which a host last refused words, and how often it has in a row.
    refused_at: BTreeMap<SessionId, (u64, u32)>,
    /// Open runs: which, since when it was looked at, and since when it is to end; milliseconds of the monotonic clock.
    runs: BTreeMap<SessionId, (RunId, u64, Option<u64>)>,
    /// Sessions whose host connected, and may not have heard what it was told before.
    unreminded: BTreeSet<SessionId>,
}

/// The first version of the coordinator protocol with `HostOrder::Deliver`.
const TAKES_WORDS: u32 = 5;
/// The first version with `HostOrder::Reclaim`.
const TAKES_RECLAIM: u32 = 6;
/// The first version with `HostOrder::SkipWaits`.
const TAKES_WAITS: u32 = 7;
/// How long a host that refused words is not asked again, in milliseconds: the next tick but one asks.
const REFUSED_PAUSE_MS: u64 = 5_000;
/// How often that is doubled when it refuses again: to about ten minutes, for what no time mends.
const MAX_REFUSED_DOUBLINGS: u32 = 7;

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

/// How long a run has been looked at, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunSince {
    /// Since it was first looked at.
    pub(super) silent_ms: u64,
    /// Since it is known that it is to end; 0 if it is not to.
    pub(super) stopping_ms: u64,
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

/// How long a host that refused so often in a row is not asked again, in milliseconds.
fn refused_pause(times: u32) -> u64 {
    REFUSED_PAUSE_MS << times.saturating_sub(1).min(MAX_REFUSED_DOUBLINGS)
}

impl Hosts {
    /// A host was adopted. The newest connection of a session counts; an older one of the same host is replaced.
    pub(super) fn joined(&mut self, connection: ConnectionId, version: u32, registration: &HostRegistration) {
        let session = registration.session.clone();
        self.connections.insert(connection, (session.clone(), registration.generation.clone()));
        self.silent_since.remove(&session);
        // Everything else that it tells comes once: without this a daemon that was started since would keep the idle
        // process of an agent that says nothing any more for ever.
        if let Some(field) = registration.text_field {
            let editor = match field {
                TextField::Empty => EditorState::Empty,
                TextField::HasText => EditorState::HasText,
            };
            self.live.entry(session.clone()).or_default().editor = Some(editor);
        }
        self.connected.insert(session, (connection, version));
    }

    /// A connection closed. Gives the session whose host is away now.
    pub(super) fn left(&mut self, connection: ConnectionId, uptime_ms: u64) -> Option<SessionId> {
        let (session, _) = self.connections.remove(&connection)?;
        if self.connection(&session) != Some(connection) {
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
        self.perished.remove(session);
        self.silent_since.insert(session.clone(), uptime_ms);
    }

    /// The machine was restarted since this session was recorded as running.
    pub(super) fn perished(&mut self, session: &SessionId) {
        self.perished.insert(session.clone());
    }

    /// Whether the machine was restarted since what runs for this session began.
    pub(super) fn has_perished(&self, session: &SessionId) -> bool {
        self.perished.contains(session)
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
        self.perished.remove(session);
        self.live.remove(session);
        self.pace.remove(session);
        self.unheard_since.remove(session);
        self.refused_at.remove(session);
        self.unreminded.remove(session);
        self.runs.remove(session);
    }

    /// Takes a beat of an agent's turn, and says when it is to be shown.
    pub(super) fn feel(&mut self, session: &SessionId, beat: Beat, uptime_ms: u64) -> Showing {
        if !self.live.entry(session.clone()).or_default().feel(beat) {
            return Showing::NotNow;
        }
        self.pace(session, uptime_ms)
    }

    /// When something that changes a row many times a second is shown.
    pub(super) fn pace(&mut self, session: &SessionId, uptime_ms: u64) -> Showing {
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

    /// How long a session has been silent, once that is suspicious.
    pub(super) fn stalled(&mut self, session: &SessionId, silent_ms: Option<u64>) {
        self.live.entry(session.clone()).or_default().stalled_ms = silent_ms;
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
            live.children = Default::default();
            live.stalled_ms = None;
        }
    }

    /// Whose connection this is.
    pub(super) fn of(&self, connection: ConnectionId) -> Option<(&SessionId, &Generation)> {
        self.connections.get(&connection).map(|(session, generation)| (session, generation))
    }

    /// The connection of a session's host.
    pub(super) fn connection(&self, session: &SessionId) -> Option<ConnectionId> {
        self.connected.get(session).map(|(connection, _)| *connection)
    }

    /// Whether its host is connected and understands that its program may end.
    pub(super) fn takes_reclaim(&self, session: &SessionId) -> bool {
        self.connected.get(session).is_some_and(|(_, version)| *version >= TAKES_RECLAIM)
    }

    /// Whether its host is connected and may have waits on its output.
    pub(super) fn takes_waits(&self, session: &SessionId) -> bool {
        self.connected.get(session).is_some_and(|(_, version)| *version >= TAKES_WAITS)
    }

    /// What the queue of this session depends on, as it is now.
    pub(super) fn sight(&self, session: &SessionId, uptime_ms: u64) -> Sight {
        let since = |times: &BTreeMap<SessionId, u64>| {
            times.get(session).map(|since| uptime_ms.saturating_sub(*since))
        };
        Sight {
            reach: match self.connected.get(session) {
                Some((_, version)) if *version >= TAKES_WORDS => Reach::Connected,
                Some(_) => Reach::Outdated,
                None => Reach::Away,
            },
            editor: self.live.get(session).and_then(|live| live.editor),
            unheard_ms: since(&self.unheard_since).unwrap_or(0),
            refusal: match self.refused_at.get(session) {
                Some((at, times)) if uptime_ms.saturating_sub(*at) < refused_pause(*times) => {
                    Refusing::Lately
                }
                _ => Refusing::No,
            },
        }
    }

    /// The agent has words that it has not spoken about; the first time counts until it does.
    pub(super) fn unheard(&mut self, session: &SessionId, uptime_ms: u64) {
        self.unheard_since.entry(session.clone()).or_insert(uptime_ms);
    }

    /// The agent has spoken about its words, or has none.
    pub(super) fn heard(&mut self, session: &SessionId) {
        self.unheard_since.remove(session);
    }

    /// A host connected.
    pub(super) fn await_reminder(&mut self, session: &SessionId) {
        self.unreminded.insert(session.clone());
    }

    /// Whether its words on their way have not been said on this connection.
    pub(super) fn awaits_reminder(&self, session: &SessionId) -> bool {
        self.unreminded.contains(session)
    }

    /// They have been.
    pub(super) fn reminded(&mut self, session: &SessionId) {
        self.unreminded.remove(session);
    }

    /// The host could not take words.
    pub(super) fn refused(&mut self, session: &SessionId, uptime_ms: u64) {
        let (at, times) = self.refused_at.entry(session.clone()).or_default();
        (*at, *times) = (uptime_ms, times.saturating_add(1));
    }

    /// The host took words.
    pub(super) fn took(&mut self, session: &SessionId) {
        self.refused_at.remove(session);
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
        if self.perished.contains(&record.id) {
            return Sighting::Rebooted;
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

    /// An open run is looked at.
    pub(super) fn run_seen(&mut self, record: &SessionRecord, uptime_ms: u64) -> RunSince {
        let Some(run) = &record.run else { return RunSince { silent_ms: 0, stopping_ms: 0 } };
        let (known, since, stopping) =
            self.runs.entry(record.id.clone()).or_insert_with(|| (run.id.clone(), uptime_ms, None));
        if *known != run.id {
            (*known, *since, *stopping) = (run.id.clone(), uptime_ms, None);
        }
        if record.stop.is_some() {
            stopping.get_or_insert(uptime_ms);
        }
        RunSince {
            silent_ms: uptime_ms.saturating_sub(*since),
            stopping_ms: stopping.map_or(0, |since| uptime_ms.saturating_sub(since)),
        }
    }

    /// A session has no open run.
    pub(super) fn run_over(&mut self, session: &SessionId) {
        self.runs.remove(session);
    }

    /// A run was asked for: what ran before the machine was restarted is over.
    pub(super) fn run_asked(&mut self, session: &SessionId) {
        self.perished.remove(session);
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
