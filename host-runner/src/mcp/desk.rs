//! Which terminal is where: ids to the sockets of their hosts, and the questions that go there.
//!
//! One for the whole process; every tool works through it. A socket that is known is used without asking the daemon, so that
//! terminals go on while that is away. It decides nothing about terminals: hosts and daemon do.

use super::{
    daemon::Daemon,
    host::{HostConnection, Lost},
    identity::Identity,
    stdio::Ended,
    trouble::Trouble,
};
use crate::root::BoardRoot;
use board_protocol::{
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
    state::HostState,
    terminals::{AgentAsk, AgentTerminal, TerminalAnswer, TerminalAsk},
};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{Mutex as Turn, OwnedMutexGuard},
    time::{Instant, sleep},
};

/// How long a terminal may be between two states until it is taken for what it seems to be: a host that starts, or one whose
/// end the daemon has not heard of yet.
const SETTLING: Duration = Duration::from_secs(5);
/// How often it is looked at meanwhile.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// Most sockets that are remembered; a session has eight terminals at a time.
const MAX_SOCKETS: usize = 256;

/// A terminal, as it was found.
#[derive(Debug)]
pub(super) enum Found {
    /// Its host answers.
    Live(HostConnection),
    /// It has ended.
    Ended(Box<AgentTerminal>),
}

/// What became of a question to a terminal.
#[derive(Debug)]
pub(super) enum Reply {
    /// It was answered.
    Answer(TerminalAnswer),
    /// The terminal has ended.
    Ended(Box<AgentTerminal>),
}

/// See the head of this file.
#[derive(Debug)]
pub(super) struct Desk {
    way: Result<(Identity, Daemon), Trouble>,
    sockets: Mutex<HashMap<SessionId, PathBuf>>,
    turns: Mutex<HashMap<SessionId, Arc<Turn<()>>>>,
    /// Whether the client is gone.
    pub(super) client_gone: Ended,
}

impl Desk {
    pub(super) fn new(
        identity: Result<Identity, String>,
        root: Result<BoardRoot, String>,
        client_gone: Ended,
    ) -> Self {
        let way = identity.and_then(|identity| {
            let root = root.map_err(|error| {
                format!("the board's directory cannot be used: {error}. Tell the person; there are no terminals until that is mended")
            })?;
            Ok((identity.clone(), Daemon::new(root, identity)))
        });
        let way = way.map_err(Trouble);
        Self { way, sockets: Mutex::default(), turns: Mutex::default(), client_gone }
    }

    fn way(&self) -> Result<&(Identity, Daemon), Trouble> {
        self.way.as_ref().map_err(Clone::clone)
    }

    /// Asks the daemon about terminals, and remembers where they are.
    pub(super) async fn terminals(&self, ask: AgentAsk) -> Result<Vec<AgentTerminal>, Trouble> {
        let terminals = self.way()?.1.terminals(ask).await?;
        let mut sockets = self.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        for terminal in &terminals {
            let socket = terminal.socket.as_ref().filter(|_| runs(terminal.host_state));
            match socket {
                Some(socket) if sockets.len() < MAX_SOCKETS => {
                    sockets.insert(terminal.id.clone(), socket.into());
                }
                _ => {
                    sockets.remove(&terminal.id);
                }
            }
        }
        drop(sockets);
        Ok(terminals)
    }

    /// The last screen of a terminal of this session.
    pub(super) async fn last_screen(&self, terminal: &AgentTerminal) -> Result<Option<String>, Trouble> {
        self.way()?.1.last_screen(terminal.id.clone()).await
    }

    /// Forgets where a terminal is.
    pub(super) fn forget(&self, id: &SessionId) {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Waits until what was asked of this terminal before has been done: two sends keep their order, each on a connection of
    /// its own.
    pub(super) async fn turn(&self, id: &str) -> Result<OwnedMutexGuard<()>, Trouble> {
        let id = session(id)?;
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(id).or_default())
        };
        Ok(turn.lock_owned().await)
    }

    /// Finds a terminal of this session.
    pub(super) async fn find(&self, id: &str) -> Result<Found, Trouble> {
        let (identity, _) = self.way()?;
        let session = session(id)?;
        let known = self.sockets.lock().unwrap_or_else(PoisonError::into_inner).get(&session).cloned();
        if let Some(socket) = known {
            match HostConnection::connect(&socket, identity).await {
                Ok(connection) => return Ok(Found::Live(connection)),
                Err(Lost::Gone) => self.forget(&session),
                Err(lost) => return Err(told(id, lost)),
            }
        }
        let deadline = Instant::now() + SETTLING;
        loop {
            let listed = self.terminals(AgentAsk::List).await?;
            let Some(terminal) = listed.into_iter().find(|terminal| terminal.id == session) else {
                return Err(Trouble::unknown_terminal(id));
            };
            if !runs(terminal.host_state) {
                return Ok(Found::Ended(Box::new(terminal)));
            }
            if let Some(socket) = &terminal.socket {
                match HostConnection::connect(socket.as_ref(), identity).await {
                    Ok(connection) => return Ok(Found::Live(connection)),
                    Err(Lost::Gone) => self.forget(&session),
                    Err(lost) => return Err(told(id, lost)),
                }
            }
            if Instant::now() >= deadline {
                return match terminal.host_state {
                    HostState::Starting => {
                        Err(Trouble(format!("terminal {id} is still starting. Try again")))
                    }
                    // Its host is gone without a word, and the daemon has not noticed.
                    _ => Ok(Found::Ended(Box::new(terminal))),
                };
            }
            sleep(LOOK_AGAIN).await;
        }
    }

    /// Asks a terminal what it answers at once. Nothing is asked twice: bytes must not be written twice.
    pub(super) async fn ask(&self, id: &str, ask: TerminalAsk) -> Result<Reply, Trouble> {
        let mut connection = match self.find(id).await? {
            Found::Live(connection) => connection,
            Found::Ended(terminal) => return Ok(Reply::Ended(terminal)),
        };
        match connection.ask(ask).await {
            Ok(answer) => Ok(Reply::Answer(answer)),
            Err(Lost::Gone) => self.ended(id).await.map(Reply::Ended),
            Err(lost) => Err(told(id, lost)),
        }
    }

    /// A terminal whose host has just gone, with what the daemon knows about its end. Without a daemon that is nothing.
    pub(super) async fn ended(&self, id: &str) -> Result<Box<AgentTerminal>, Trouble> {
        let session = session(id)?;
        self.forget(&session);
        let deadline = Instant::now() + SETTLING;
        loop {
            let listed = self.terminals(AgentAsk::List).await?;
            match listed.into_iter().find(|terminal| terminal.id == session) {
                None => return Err(Trouble::unknown_terminal(id)),
                Some(terminal) if !runs(terminal.host_state) || Instant::now() >= deadline => {
                    return Ok(Box::new(terminal));
                }
                Some(_) => sleep(LOOK_AGAIN).await,
            }
        }
    }
}

/// What an agent is told about a host that gave no answer.
pub(super) fn told(id: &str, lost: Lost) -> Trouble {
    match lost {
        Lost::Gone => Trouble(format!("terminal {id} has ended")),
        Lost::Refused(Refusal { kind: RefusalKind::UnknownSession | RefusalKind::Forbidden, .. }) => {
            Trouble::unknown_terminal(id)
        }
        Lost::Refused(refusal) => Trouble::refused(&refusal),
        Lost::Trouble(trouble) => trouble,
    }
}

fn session(id: &str) -> Result<SessionId, Trouble> {
    SessionId::parse(id.trim()).ok_or_else(|| Trouble::unknown_terminal(id))
}

/// Whether a terminal with this state has a host, or is about to.
const fn runs(state: HostState) -> bool {
    matches!(state, HostState::Starting | HostState::Alive | HostState::Stopping)
}
