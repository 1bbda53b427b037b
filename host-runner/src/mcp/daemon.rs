//! What the daemon is asked: terminals of this session, and the screen that an ended one left.
//!
//! Called by [`super::desk`]. Every question has a connection of its own, so that a daemon that comes back is reached again
//! without a word, and one that is not there costs only this question. It is never started (decision 17).

use super::{identity::Identity, trouble::Trouble};
use crate::{
    client::{ClientError, DaemonClient, StartPolicy},
    fresh,
    root::BoardRoot,
};
use board_protocol::{
    daemon::{Answer, Request},
    hello::Role,
    ids::SessionId,
    terminals::{AgentAsk, AgentTerminal},
};

/// The first version of the daemon's protocol that knows terminals of agents.
const KNOWS_TERMINALS: u32 = 7;

/// The way to the daemon.
#[derive(Debug, Clone)]
pub(super) struct Daemon {
    root: BoardRoot,
    identity: Identity,
}

impl Daemon {
    pub(super) fn new(root: BoardRoot, identity: Identity) -> Self {
        Self { root, identity }
    }

    /// Asks about terminals. A question whose answer was lost is asked once more: each has an id where it matters.
    pub(super) async fn terminals(&self, ask: AgentAsk) -> Result<Vec<AgentTerminal>, Trouble> {
        let Identity { session, token } = self.identity.clone();
        match self.ask(Request::AgentTerminals { session, token, ask }).await? {
            Answer::AgentTerminals(terminals) => Ok(terminals),
            _ => Err(unexpected()),
        }
    }

    /// The last screen of a terminal that has ended. Whose it is has to be known before.
    pub(super) async fn last_screen(&self, session: SessionId) -> Result<Option<String>, Trouble> {
        match self.ask(Request::LastScreen { session }).await? {
            Answer::Screen { text } => Ok(text),
            _ => Err(unexpected()),
        }
    }

    async fn ask(&self, request: Request) -> Result<Answer, Trouble> {
        let root = self.root.clone();
        let asked = tokio::task::spawn_blocking(move || match once(&root, request.clone()) {
            Err(ClientError::Lost(_)) => once(&root, request),
            other => other,
        });
        match asked.await {
            Ok(answer) => answer.map_err(|error| Trouble::daemon(&error)),
            Err(error) => Err(Trouble(format!("the daemon could not be asked: {error}. Try again"))),
        }
    }
}

fn once(root: &BoardRoot, request: Request) -> Result<Answer, ClientError> {
    let mut client = DaemonClient::connect(root, Role::Agent, StartPolicy::Never)?;
    if client.welcome().version < KNOWS_TERMINALS {
        let text = format!(
            "the daemon (build {}) is older than this program and knows no terminals of agents. A person replaces it with any command: host-runner ls; sessions go on",
            client.welcome().build
        );
        return Err(ClientError::Incompatible { text });
    }
    client.ask(request)
}

fn unexpected() -> Trouble {
    Trouble::new(
        "the daemon gave an answer to another question. A person restarts it: host-runner shutdown, then host-runner ls",
    )
}

/// What opens a terminal; the daemon carries an id out once.
pub(super) fn open(
    open: board_protocol::terminals::OpenTerminal,
    environment: Vec<board_protocol::command::EnvVar>,
) -> AgentAsk {
    AgentAsk::Open { command_id: fresh::command_id(), open, environment }
}

/// What closes one.
pub(super) fn close(terminal: SessionId) -> AgentAsk {
    AgentAsk::Close { command_id: fresh::command_id(), terminal }
}
