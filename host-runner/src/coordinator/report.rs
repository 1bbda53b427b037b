//! What reports of hosts change. Pure.
//!
//! A host may say everything twice (again after a reconnect, and through the spool): the numbers inside its generation
//! make the second time harmless.

use super::{
    decision::{Decision, Effect},
    mirror::{self, Turning},
    verdicts,
};
use crate::{
    agents::Turns,
    model::{FactKind, HostMet, Lift, SessionRecord, Sessions, reason_on},
};
use board_protocol::{
    board::AttachPlace,
    daemon::PaneEvent,
    host::{AttachedClient, Exit, HostFact, HostOrder, HostRegistration},
    ids::{FactSeq, Generation, SessionId, Token, UnixMs},
};

/// Whether a registration is believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The host belongs to the board.
    Adopted(Decision),
    /// It does not, and ends.
    Revoked(String),
    /// Nobody knows it. It is left alone: a store that was lost must not end agents.
    Stranger,
}

/// What the store knows about a host that introduces itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acquaintance {
    /// The session's secret.
    Secret(Token),
    /// The session was on the board and was removed.
    Removed,
    /// The session was never on this board, or the store cannot tell.
    Never,
}

/// How a report came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Over the host's connection.
    Connection,
    /// From the spool, where it waited.
    Spool,
}

/// Decides whether a host is the one that the session is waiting for.
pub fn meet(
    sessions: &Sessions,
    registration: &HostRegistration,
    acquaintance: &Acquaintance,
    now: UnixMs,
) -> Verdict {
    let Some(record) = sessions.get(&registration.session) else {
        return match acquaintance {
            // Removing a row removes its secret: where there is one, the row was lost, and no person asked for an end.
            Acquaintance::Never | Acquaintance::Secret(_) => Verdict::Stranger,
            Acquaintance::Removed => Verdict::Revoked("its session was taken off the board".to_owned()),
        };
    };
    match acquaintance {
        Acquaintance::Secret(secret) if *secret == registration.token => {}
        Acquaintance::Secret(_) => return Verdict::Revoked("its secret is not the session's".to_owned()),
        // A secret that cannot be read proves nothing: no agent ends for a fault of the store's.
        Acquaintance::Removed | Acquaintance::Never => return Verdict::Stranger,
    }
    if registration.generation != record.host.generation {
        return Verdict::Revoked("another host took its place".to_owned());
    }
    if !record.is_live() {
        return Verdict::Revoked("its session has ended".to_owned());
    }
    let mut decision = Decision::default();
    let met = HostMet {
        generation: registration.generation.clone(),
        process: registration.process,
        child: registration.child,
        socket: registration.socket.clone(),
        attached: registration.attached.clone(),
    };
    if is_news(record, &met) {
        came(&mut decision, record, &met.attached);
        decision.record(&record.id, now, FactKind::HostRegistered(met));
    }
    if record.stop.is_some() {
        decision.act(Effect::OrderHost { session: record.id.clone(), order: HostOrder::Stop });
    }
    Verdict::Adopted(decision)
}

fn is_news(record: &SessionRecord, met: &HostMet) -> bool {
    record.host.process != Some(met.process)
        || record.host.child != met.child
        || record.host.socket.as_ref() != Some(&met.socket)
        || record.host.attached != met.attached
}

/// A report with everything around it.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The session.
    pub session: &'a SessionId,
    /// The host's generation.
    pub generation: &'a Generation,
    /// The fact's number.
    pub seq: FactSeq,
    /// When it happened.
    pub at: UnixMs,
    /// What happened.
    pub fact: &'a HostFact,
    /// How it came.
    pub delivery: Delivery,
}

/// Decides what one numbered report changes. Old, foreign and repeated reports change nothing.
pub fn decide_report(sessions: &Sessions, report: Report<'_>) -> Decision {
    let mut decision = Decision::default();
    let Some(record) = sessions.get(report.session) else { return decision };
    if *report.generation != record.host.generation || report.seq <= record.host.last_fact {
        return decision;
    }
    let generation = report.generation.clone();
    let seq = report.seq;
    let kind = match report.fact {
        HostFact::ChildStarted { child } => FactKind::ChildStarted { generation, seq, child: *child },
        HostFact::ChildStartFailed { error } => {
            FactKind::ChildStartFailed { generation, seq, error: error.clone() }
        }
        HostFact::ChildExited { exit, strays, last_screen } => {
            // The screen of any program may hold any words; an agent's is known to end with its own.
            let tells =
                record.agent.turns() == Turns::Reported && matches!(exit, Exit::Code(code) if *code != 0);
            let reason = if tells { reason_on(last_screen) } else { None };
            FactKind::ChildExited { generation, seq, exit: *exit, strays: strays.clone(), reason }
        }
        HostFact::AttachedChanged { attached, .. } => {
            FactKind::AttachedChanged { generation, seq, attached: attached.clone() }
        }
        HostFact::ReplyProgressed { item, progress } => {
            FactKind::ReplyProgressed { generation, seq, item: item.clone(), progress: progress.clone() }
        }
        // Typing is activity, which is not recorded, unless it takes a verdict away.
        HostFact::PersonTyped => {
            match verdicts::lift(record, Some((&generation, seq)), report.at, Lift::Typed) {
                Some(lifted) => lifted,
                None => return decision,
            }
        }
        // What an agent reports is read by `listen`.
        HostFact::AgentReported(_) => return decision,
        // No host has runs: this comes through the spool alone, and `ended` takes it there.
        HostFact::RunReported(_) => return decision,
    };
    // What waited in the spool is too old to move anybody's focus.
    if report.delivery == Delivery::Connection {
        match report.fact {
            HostFact::AttachedChanged { attached, left } => {
                came(&mut decision, record, attached);
                if let Some(place) = left {
                    let event = PaneEvent::Detached { session: record.id.clone(), place: *place };
                    decision.act(Effect::TellPane { server_pid: place.server_pid, event });
                }
            }
            HostFact::ChildExited { .. } => {
                for place in places(&record.host.attached) {
                    let event = PaneEvent::Ended { session: record.id.clone(), place };
                    decision.act(Effect::TellPane { server_pid: place.server_pid, event });
                }
            }
            _ => {}
        }
    }
    let turning = match report.fact {
        HostFact::ChildStarted { .. } if record.is_one_turn() => Turning::Began,
        HostFact::ChildStartFailed { .. } => Turning::Failed,
        HostFact::ChildExited { exit, .. } => Turning::Ended(*exit),
        _ => {
            decision.record(report.session, report.at, kind);
            return decision;
        }
    };
    mirror::process(&mut decision, record, report.at, turning, kind);
    decision
}

fn places(attached: &[AttachedClient]) -> impl Iterator<Item = AttachPlace> {
    attached.iter().filter_map(|client| client.place)
}

fn came(decision: &mut Decision, record: &SessionRecord, attached: &[AttachedClient]) {
    for place in places(attached) {
        if !places(&record.host.attached).any(|earlier| earlier == place) {
            let event = PaneEvent::Attached { session: record.id.clone(), place };
            decision.act(Effect::TellPane { server_pid: place.server_pid, event });
        }
    }
}

#[cfg(test)]
mod tests;
