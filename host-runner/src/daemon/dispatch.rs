//! Carries out what the coordinator says, in the order in which it says it: the board first, then answers, then what
//! is done outside. It never waits, so the queue from the coordinator stays short.

use super::{shell::Shell, spawn, watch};
use crate::{
    coordinator::{ConnectionId, Output, decision::Force},
    process,
};
use board_protocol::{
    daemon::{FromDaemon, PaneEvent},
    host::HostOrder,
    ids::ProcessIdentity,
};
use rustix::process::Signal;
use std::rc::Rc;
use tokio::{sync::mpsc::error::TrySendError, task::spawn_local};

/// Carries out one output.
pub(super) fn carry_out(shell: &Rc<Shell>, output: Output) {
    match output {
        Output::BoardChanged { upserted, removed, warnings } => {
            let change = shell.board.borrow_mut().apply(upserted, removed, warnings);
            if let Some(change) = change {
                shell.board_change.send_replace(change);
            }
        }
        Output::Answer { ticket, answer } => shell.answered(ticket, answer),
        Output::Order { connection, order } => give_order(shell, connection, order),
        Output::Disconnect { connection } => {
            // Its task ends when nobody can send to it any more.
            shell.hosts.borrow_mut().remove(&connection);
        }
        Output::Spawn(launch) => {
            spawn_local(spawn::host(Rc::clone(shell), *launch));
        }
        Output::SpawnRun(launch) => {
            spawn_local(spawn::run(Rc::clone(shell), *launch));
        }
        Output::Watch { session, process } => {
            if shell.watch_once(process) {
                spawn_local(watch::until_end(Rc::clone(shell), session, process));
            }
        }
        Output::LookAgain { session } => {
            spawn_local(watch::a_moment_later(Rc::clone(shell), session));
        }
        Output::ShowLater { session, after_ms } => {
            spawn_local(watch::show_later(Rc::clone(shell), session, after_ms));
        }
        Output::SkipLater { ticket, after_ms } => {
            spawn_local(watch::skip_later(Rc::clone(shell), ticket, after_ms));
        }
        Output::Signal { process, force } => signal(process, force),
        Output::TellPane { server_pid, event } => tell_pane(shell, server_pid, &event),
        Output::NoticeLater { session, number, after_ms } => {
            spawn_local(watch::notice_later(Rc::clone(shell), session, number, after_ms));
        }
        Output::Notify(notice) => {
            // More than can wait are on the board.
            if let Some(Err(error)) = shell.notices.as_ref().map(|notices| notices.try_send(notice)) {
                tracing::warn!(%error, "a notification is lost");
            }
        }
        Output::LookForReferences(look) => shell.referrer.look(*look),
        Output::Consult(consult) => shell.consultants.ask(*consult),
        Output::Running { hosts } => {
            shell.running.send_replace(hosts);
        }
    }
}

fn give_order(shell: &Shell, connection: ConnectionId, order: HostOrder) {
    let mut hosts = shell.hosts.borrow_mut();
    let sent = hosts.get(&connection).map(|orders| orders.try_send(order));
    if let Some(Err(TrySendError::Full(_))) = sent {
        tracing::warn!(?connection, "a host does not read its orders");
        hosts.remove(&connection);
    }
}

/// Every link of that server: after a crash an old one may still be here. An event that finds none is lost; attaching
/// works without zellij's help.
fn tell_pane(shell: &Shell, server_pid: u32, event: &PaneEvent) {
    for seat in shell.links.borrow().values().filter(|seat| seat.server_pid == server_pid) {
        let _ = seat.events.try_send(FromDaemon::Pane(event.clone()));
    }
}

fn signal(process: ProcessIdentity, force: Force) {
    let signal = match force {
        Force::Ask => Signal::TERM,
        Force::Kill => Signal::KILL,
    };
    tracing::info!(pid = process.pid, ?force, "a process is signalled");
    if let Err(error) = process::signal(process, signal) {
        tracing::warn!(pid = process.pid, %error, "it cannot be signalled");
    }
}
