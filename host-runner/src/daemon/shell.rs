//! What the tasks of the socket thread share. One thread, so plain cells; no borrow is kept across a wait.

use super::{board::Board, consult::Consultants, references::Referrer};
use crate::{
    config::Config,
    coordinator::{ConnectionId, Input, Ticket, notify::Notice},
    root::BoardRoot,
};
use board_protocol::{
    daemon::{Answer, ClientFocus, FromDaemon, HostsOnShutdown, LinkTerminal},
    hello::Welcome,
    host::HostOrder,
    ids::ProcessIdentity,
    refusal::{Refusal, RefusalKind},
};
use board_text::daemon as texts;
use rustix::process::Rlimit;
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};
use tokio::sync::{mpsc, oneshot, watch};

/// Orders or pane events that may wait for one connection. More means that it does not read: it is dropped.
pub(super) const WAITING: usize = 256;

/// A link that serves a zellij server.
#[derive(Debug)]
pub(super) struct LinkSeat {
    /// The server.
    pub(super) server_pid: u32,
    /// The version of the protocol that it speaks.
    pub(super) version: u32,
    /// What it can write to.
    pub(super) terminal: LinkTerminal,
    /// When its person last did something at a board, as a number of the shell; 0 for never.
    pub(super) used: u64,
    /// Where what it is told goes.
    pub(super) events: mpsc::Sender<FromDaemon>,
}

/// Everything that the tasks share.
#[derive(Debug)]
pub(super) struct Shell {
    pub(super) root: BoardRoot,
    pub(super) config: Config,
    /// What every accepted hello is answered with.
    pub(super) welcome: Welcome,
    /// The limit of open files that sessions get.
    pub(super) usual_descriptors: Rlimit,
    pub(super) inbox: mpsc::Sender<Input>,
    /// What runs the commands of the person's own.
    pub(super) consultants: Consultants,
    /// What looks for code references.
    pub(super) referrer: Referrer,
    pub(super) board: RefCell<Board>,
    /// The number of the newest change of the board; subscribers wait on it.
    pub(super) board_change: watch::Sender<u64>,
    pub(super) hosts: RefCell<BTreeMap<ConnectionId, mpsc::Sender<HostOrder>>>,
    pub(super) links: RefCell<BTreeMap<ConnectionId, LinkSeat>>,
    /// Questions to links about what their persons look at.
    pub(super) looks: RefCell<BTreeMap<u64, oneshot::Sender<Vec<ClientFocus>>>>,
    /// What a person is to be told; `None` where nobody would get it.
    pub(super) notices: Option<mpsc::Sender<Box<Notice>>>,
    /// Hosts whose end is watched.
    pub(super) watched: RefCell<BTreeSet<(u32, u64)>>,
    /// How many sessions have a host.
    pub(super) running: watch::Sender<usize>,
    /// A person's wish that the daemon ends.
    pub(super) ending: watch::Sender<Option<HostsOnShutdown>>,
    pub(super) connections: Cell<usize>,
    tickets: RefCell<BTreeMap<Ticket, oneshot::Sender<Result<Answer, Refusal>>>>,
    next: Cell<u64>,
}

impl Shell {
    pub(super) fn new(
        root: BoardRoot,
        config: Config,
        welcome: Welcome,
        usual_descriptors: Rlimit,
        inbox: mpsc::Sender<Input>,
        notices: Option<mpsc::Sender<Box<Notice>>>,
    ) -> Self {
        let consultants = Consultants::new(&config, inbox.clone());
        let referrer = Referrer::new(config.code_refs, inbox.clone());
        Self {
            root,
            referrer,
            consultants,
            config,
            welcome,
            usual_descriptors,
            inbox,
            board: RefCell::default(),
            board_change: watch::Sender::new(0),
            hosts: RefCell::default(),
            links: RefCell::default(),
            looks: RefCell::default(),
            notices,
            watched: RefCell::default(),
            running: watch::Sender::new(0),
            ending: watch::Sender::new(None),
            connections: Cell::new(0),
            tickets: RefCell::default(),
            next: Cell::new(0),
        }
    }

    /// A number that this daemon has not used before.
    pub(super) fn number(&self) -> u64 {
        let number = self.next.get() + 1;
        self.next.set(number);
        number
    }

    /// Tells the coordinator something and waits for its answer.
    pub(super) async fn ask(&self, input: impl FnOnce(Ticket) -> Input) -> Result<Answer, Refusal> {
        let ticket = Ticket(self.number());
        let (sender, receiver) = oneshot::channel();
        self.tickets.borrow_mut().insert(ticket, sender);
        let sent = self.inbox.send(input(ticket)).await;
        let answer = match sent {
            Ok(()) => receiver.await.ok(),
            Err(_) => None,
        };
        self.tickets.borrow_mut().remove(&ticket);
        answer.unwrap_or_else(|| Err(Refusal::new(RefusalKind::Internal, texts::ending())))
    }

    /// Hands an answer to whoever waits for it; nobody may.
    pub(super) fn answered(&self, ticket: Ticket, answer: Result<Answer, Refusal>) {
        if let Some(waiting) = self.tickets.borrow_mut().remove(&ticket) {
            let _ = waiting.send(answer);
        }
    }

    /// Remembers that this process is watched. `false`: it was already.
    pub(super) fn watch_once(&self, process: ProcessIdentity) -> bool {
        self.watched.borrow_mut().insert((process.pid, process.start_ticks))
    }

    /// The process is watched no more.
    pub(super) fn unwatch(&self, process: ProcessIdentity) {
        self.watched.borrow_mut().remove(&(process.pid, process.start_ticks));
    }
}
