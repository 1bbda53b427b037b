//! Where records and processes disagree, the processes are right. The same code runs at boot, on a tick and on facts;
//! it is the only retry (reference D.9). Pure.
//!
//! Silence is measured by a clock that cannot jump: no transition comes from the wall clock.

use super::{
    decision::{Decision, Effect, Force},
    guard,
    mirror::{self, Turning},
};
use crate::model::{
    FactKind, SessionRecord, Sessions,
    command::{RunRef, StateCommand, StateKind},
};
use board_protocol::{
    daemon::{LogLevel, Stray},
    host::MAX_STOP_GRACE_MS,
    ids::{ProcessIdentity, SessionId, UnixMs},
    state::{CommandSource, HostState},
};
use board_text::coordinator as texts;
use std::collections::{BTreeMap, BTreeSet};

/// How long a host that was asked for may stay unknown, in milliseconds (reference D.6).
pub const START_GRACE_MS: u64 = 10_000;
/// How long a host that runs may be silent before its row says so.
pub const DOUBT_AFTER_MS: u64 = 10_000;
/// How long a stop waits for a host that does not connect before it gets SIGTERM: its own reconnect takes under 2 s.
const ASK_AFTER_MS: u64 = 5_000;
/// How long a program may take to end of the hang-up that the death of its host is.
const HANGUP_GRACE_MS: u64 = 300;
/// When it gets SIGKILL: 4 s for its program, and room, after the SIGTERM.
const KILL_AFTER_MS: u64 = 15_000;

/// When a connected host that was told to end the session gets SIGKILL: it gives the program its grace and then three
/// seconds to die of SIGKILL. One that still says nothing hangs.
const DEAF_AFTER_MS: u64 = MAX_STOP_GRACE_MS as u64 + 3_000 + 2_000;

/// What is seen of a session's host at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sighting {
    /// It is connected.
    Connected {
        /// For how long it has known that its session is to end, in milliseconds; 0 if it is not to.
        stopping_ms: u64,
    },
    /// Its process runs, and it is not connected.
    Runs {
        /// For how long it has not been, in milliseconds.
        silent_ms: u64,
    },
    /// Its process is gone, and everything that it said was heard.
    Gone {
        /// For how long it was not heard from, in milliseconds.
        silent_ms: u64,
        /// Whether its program outlived it.
        program: Program,
    },
    /// The machine was restarted since: no process of before runs, whatever has its number now.
    Rebooted,
    /// Nobody knows its process yet.
    Unknown {
        /// For how long, in milliseconds.
        silent_ms: u64,
    },
}

/// What became of a program whose host is gone. Usually it ends with its terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// It ended.
    Ended,
    /// It runs on without a terminal.
    Runs,
}

/// Decides what must change so that no row lies. `sightings` has an entry for every live session that is to be looked
/// at; others are left alone.
pub fn reconcile(sessions: &Sessions, sightings: &BTreeMap<SessionId, Sighting>, now: UnixMs) -> Decision {
    let mut decision = Decision::default();
    for (session, sighting) in sightings {
        if let Some(record) = sessions.get(session).filter(|record| record.is_live()) {
            look_at(record, *sighting, now, &mut decision);
        }
    }
    decision
}

/// What is seen of an open headless run at this moment. One that began and named no process is not looked at: nobody
/// could tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunSighting {
    /// Its process is there.
    Runs {
        /// It.
        process: ProcessIdentity,
        /// For how long it has been to end, in milliseconds; 0 if it is not to.
        stopping_ms: u64,
    },
    /// Its process is gone without a word.
    Gone,
    /// It was asked for, and nobody knows its process yet.
    Unknown {
        /// For how long, in milliseconds.
        silent_ms: u64,
    },
}

/// Headless runs whose process is gone, never came, or does not end although a person wants it to.
pub fn reconcile_runs(sessions: &Sessions, sightings: &[(SessionId, RunSighting)], now: UnixMs) -> Decision {
    let mut decision = Decision::default();
    for (session, sighting) in sightings {
        let Some(record) = sessions.get(session) else { continue };
        let Some(run) = &record.run else { continue };
        let reason = match *sighting {
            RunSighting::Gone => texts::run_gone().to_owned(),
            RunSighting::Unknown { silent_ms } if silent_ms >= START_GRACE_MS => {
                texts::run_did_not_start(START_GRACE_MS / 1000)
            }
            RunSighting::Unknown { .. } => continue,
            // The first signal may have been lost with a daemon. Its latch takes the same one twice for one.
            RunSighting::Runs { process, stopping_ms } if record.stop.is_some() => {
                let force = if stopping_ms >= DEAF_AFTER_MS { Force::Kill } else { Force::Ask };
                decision.act(Effect::Signal { process, force });
                continue;
            }
            RunSighting::Runs { .. } => continue,
        };
        let command = StateCommand {
            session: record.id.clone(),
            run: Some(RunRef::Headless(run.id.clone())),
            expected_revision: None,
            source: CommandSource::Service,
            kind: StateKind::ReconcileFinalize,
        };
        // One that is over, or whose row a person has put aside, is nothing to say again at every tick.
        if guard::admit(Some(record), &command).is_ok() {
            decision.record(&record.id, now, FactKind::RunLost { run: run.id.clone(), reason });
        }
    }
    decision
}

/// Rows among `candidates` that a person removed while they ran, and whose program has ended.
pub fn leaving(sessions: &Sessions, candidates: &BTreeSet<SessionId>, now: UnixMs) -> Decision {
    let mut decision = Decision::default();
    let candidates = candidates.iter().filter_map(|session| sessions.get(session));
    for record in candidates.filter(|record| record.leaves_when_ended() && !record.is_at_work()) {
        decision.record(&record.id, now, FactKind::SessionRemoved);
    }
    decision
}

/// Why the row of a host cannot be vouched for, if it cannot.
pub fn doubt(record: &SessionRecord, sighting: Sighting) -> Option<String> {
    match sighting {
        Sighting::Runs { silent_ms } if silent_ms >= DOUBT_AFTER_MS => {
            let pid = record.host.process.map_or(0, |process| process.pid);
            Some(texts::host_not_heard(pid))
        }
        Sighting::Connected { stopping_ms } if stopping_ms >= DEAF_AFTER_MS => {
            let pid = record.host.process.map_or(0, |process| process.pid);
            Some(texts::host_hangs(pid))
        }
        _ => None,
    }
}

fn look_at(record: &SessionRecord, sighting: Sighting, now: UnixMs, decision: &mut Decision) {
    let generation = record.host.generation.clone();
    match sighting {
        Sighting::Connected { stopping_ms } => {
            if let Some(process) = record.host.process
                && stopping_ms >= DEAF_AFTER_MS
            {
                decision.act(Effect::Signal { process, force: Force::Kill });
            }
        }
        // Its terminal just hung up: most programs end of that, and then it is no stray.
        Sighting::Gone { program: Program::Runs, silent_ms } if silent_ms < HANGUP_GRACE_MS => {
            decision.act(Effect::LookAgain { session: record.id.clone() });
        }
        Sighting::Gone { program, .. } => {
            let pid = record.host.process.map_or(0, |process| process.pid);
            let reason = if record.host.state == HostState::Starting {
                texts::host_ended_early(pid)
            } else {
                texts::host_ended(pid)
            };
            let strays = match (program, record.host.child) {
                (Program::Runs, Some(process)) => vec![Stray { process, command: record.argv.join(" ") }],
                _ => Vec::new(),
            };
            note(record, now, &reason, decision);
            let lost = FactKind::HostLost { generation, reason, strays };
            if record.goes_to_rest() {
                decision.record(&record.id, now, lost);
                return;
            }
            mirror::process(decision, record, now, Turning::Failed, lost);
        }
        Sighting::Rebooted => {
            let reason = texts::machine_restarted().to_owned();
            note(record, now, &reason, decision);
            let lost = FactKind::HostLost { generation, reason, strays: Vec::new() };
            if record.goes_to_rest() {
                decision.record(&record.id, now, lost);
                return;
            }
            mirror::process(decision, record, now, Turning::Failed, lost);
        }
        Sighting::Unknown { silent_ms } if silent_ms >= START_GRACE_MS => {
            let reason = texts::host_did_not_start(START_GRACE_MS / 1000);
            let failed = FactKind::HostSpawnFailed { generation, reason };
            mirror::process(decision, record, now, Turning::Failed, failed);
        }
        Sighting::Unknown { .. } => {}
        Sighting::Runs { silent_ms } => {
            if let (Some(_), Some(process)) = (record.stop, record.host.process)
                && silent_ms >= ASK_AFTER_MS
            {
                let force = if silent_ms >= KILL_AFTER_MS { Force::Kill } else { Force::Ask };
                decision.act(Effect::Signal { process, force });
            }
        }
    }
}

/// Keeps what was found about a host that ended without a word: an error, unless a person had asked for the end or has put
/// the row where it is.
fn note(record: &SessionRecord, now: UnixMs, reason: &str, decision: &mut Decision) {
    let expected = record.ends_as_stopped() || record.goes_to_rest() || record.is_manual_verdict();
    let level = if expected { LogLevel::Info } else { LogLevel::Error };
    decision.note(&record.id, now, (level, "host", "host_reconciled"), reason);
}

#[cfg(test)]
mod tests;
