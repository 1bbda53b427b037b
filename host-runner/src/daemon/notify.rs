//! Brings notifications to a person who does not look: to the one terminal where they acted last, and to their command.
//!
//! One task. It takes what the coordinator decided (`coordinator/notify`), asks the links what their persons look at, and
//! chooses. It decides nothing about sessions.

use super::shell::{LinkSeat, Shell};
use crate::{
    coordinator::{ConnectionId, Consult, notify::Notice},
    model::consult::Consultation,
};
use board_protocol::{
    board::AttachPlace,
    daemon::{ClientFocus, FromDaemon, LinkOrder, LinkTerminal},
    host::AttachMode,
};
use board_text::daemon as texts;
use std::{rc::Rc, time::Duration};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, timeout_at},
};

/// Notifications that wait. Whoever has missed as many sees it on the board.
pub(super) const MAX_WAITING: usize = 64;
/// Most lines for a terminal at once: nobody reads more of them than a screen has room for.
const MAX_LINES: usize = 5;
/// How long links may take to say what their persons look at: a board answers in milliseconds.
const LOOK_LIMIT: Duration = Duration::from_millis(1_500);
/// The first version of the coordinator protocol whose links are asked.
pub(super) const SINCE_VERSION: u32 = 6;

/// What is known about a link when a person is to be told something.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    connection: ConnectionId,
    server_pid: u32,
    terminal: LinkTerminal,
    /// When its person last did something at a board, as a number that only grows; 0 for never.
    used: u64,
    /// What its clients look at; `None` when nobody said.
    clients: Option<Vec<ClientFocus>>,
}

impl Candidate {
    /// Whether somebody is there; the better known, the greater.
    fn presence(&self) -> u8 {
        let clients = self.clients.as_deref().unwrap_or_default();
        let sees = |focus: &ClientFocus| matches!(focus, ClientFocus::NoTerminal | ClientFocus::Terminal(_));
        match clients {
            clients if clients.iter().any(sees) => 2,
            clients if clients.is_empty() || clients.contains(&ClientFocus::Unknown) => 1,
            _ => 0,
        }
    }
}

/// The one link whose terminal is told: somebody is there, and of those the one where the person acted last, else the
/// newest. A line in every window would be one event several times.
fn elected(candidates: &[Candidate]) -> Option<ConnectionId> {
    candidates
        .iter()
        .filter(|link| link.terminal == LinkTerminal::StatusPane && link.presence() > 0)
        .max_by_key(|link| (link.presence(), link.used, link.connection))
        .map(|link| link.connection)
}

/// Whether the person looks at the session. Known for a pane of zellij whose board answers; an interactive client of which
/// nothing is known counts as looked at. That a whole window has no focus, nobody tells us.
fn is_watched(notice: &Notice, candidates: &[Candidate]) -> bool {
    let clients = notice.attached.iter().filter(|client| client.mode == AttachMode::Interactive);
    clients.into_iter().any(|client| match client.place {
        Some(place) => is_looked_at(place, candidates),
        None => true,
    })
}

fn is_looked_at(place: AttachPlace, candidates: &[Candidate]) -> bool {
    let there: Vec<&ClientFocus> = candidates
        .iter()
        .filter(|link| link.server_pid == place.server_pid)
        .filter_map(|link| link.clients.as_ref())
        .flatten()
        .collect();
    if there.is_empty() {
        return true;
    }
    there.iter().any(|focus| match focus {
        ClientFocus::Terminal(pane) => *pane == place.pane_id,
        ClientFocus::Unknown => true,
        ClientFocus::Gone | ClientFocus::NoTerminal => false,
    })
}

/// Takes notifications until the daemon ends.
pub(super) async fn serve(shell: Rc<Shell>, mut notices: mpsc::Receiver<Box<Notice>>) {
    let mut batch = Vec::new();
    while notices.recv_many(&mut batch, MAX_WAITING).await > 0 {
        let candidates = look(&shell).await;
        batch.retain(|notice| !is_watched(notice, &candidates));
        if !batch.is_empty() {
            if let Some(connection) = elected(&candidates) {
                show(&shell, connection, &batch);
            }
            for notice in &batch {
                run_command(&shell, notice);
            }
        }
        batch.clear();
    }
}

/// Asks every link what its persons look at.
async fn look(shell: &Shell) -> Vec<Candidate> {
    let mut asked = Vec::new();
    for (connection, seat) in shell.links.borrow().iter() {
        let number = shell.number();
        let (answer, answered) = oneshot::channel();
        let sent = seat.version >= SINCE_VERSION
            && seat.events.try_send(FromDaemon::Link(LinkOrder::Look { number })).is_ok();
        if sent {
            shell.looks.borrow_mut().insert(number, answer);
        }
        asked.push((number, candidate(*connection, seat), sent.then_some(answered)));
    }
    let deadline = Instant::now() + LOOK_LIMIT;
    let mut candidates = Vec::new();
    for (number, mut candidate, answered) in asked {
        if let Some(answered) = answered {
            candidate.clients = timeout_at(deadline, answered).await.ok().and_then(Result::ok);
            shell.looks.borrow_mut().remove(&number);
            candidates.push(candidate);
        }
    }
    candidates
}

fn candidate(connection: ConnectionId, seat: &LinkSeat) -> Candidate {
    let LinkSeat { server_pid, terminal, used, .. } = seat;
    Candidate { connection, server_pid: *server_pid, terminal: *terminal, used: *used, clients: None }
}

fn show(shell: &Shell, connection: ConnectionId, notices: &[Box<Notice>]) {
    let ways = shell.config.notice_ways();
    if ways.is_empty() {
        return;
    }
    let mut lines: Vec<String> = notices.iter().take(MAX_LINES).map(|notice| notice.line()).collect();
    if let Some(more) = notices.len().checked_sub(MAX_LINES).filter(|more| *more > 0) {
        lines.push(texts::more_notices(more));
    }
    if let Some(seat) = shell.links.borrow().get(&connection) {
        for text in lines {
            let order = LinkOrder::Notify { text, ways: ways.clone() };
            let _ = seat.events.try_send(FromDaemon::Link(order));
        }
    }
}

fn run_command(shell: &Shell, notice: &Notice) {
    if shell.config.notify_command.is_some() {
        let (kind, session) = (Consultation::Notice, notice.row.id.clone());
        shell.consultants.ask(Consult { kind, session, about: String::new(), input: notice.json() });
    }
}

#[cfg(test)]
mod tests;
