//! The daemon's socket: requests of command line and links, reports of hosts, and what the daemon sends back.
//!
//! After the hello (coordinator protocol) a connection carries [`ToDaemon`] one way and [`FromDaemon`] the other.

mod detail;
mod link;

pub use detail::{
    AgentDetail, DiagnosticLine, HostEndpoint, QueuedReply, ReplyKind, ReplyProgress, SessionDetail, Stray,
};
pub use link::{ClientFocus, LinkOpened, LinkOrder, LinkTerminal, NoticeWay};

use crate::{
    board::{AttachPlace, BoardUpdate, Row},
    command::{CommandEnvelope, CommandOutcome},
    evidence::Evidence,
    host::{HostFact, HostOrder, HostRegistration},
    ids::{FactSeq, SessionId, Token, UnixMs},
    refs::References,
    refusal::Refusal,
    state::SemanticState,
    terminals::{AgentAsk, AgentTerminal, TerminalWaits, Wait},
};
use board_text::retold;
use serde::{Deserialize, Serialize};

/// Client to daemon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToDaemon {
    /// A question or a command; answered by [`FromDaemon::Answer`] with the same id.
    Ask {
        /// Chosen by the client, unique on this connection.
        id: u64,
        /// What is asked.
        request: Request,
    },
    /// First message of a link after its hello.
    LinkOpened(LinkOpened),
    /// What the persons at a link's zellij session look at: the answer to [`LinkOrder::Look`].
    Looked {
        /// The number of the question.
        number: u64,
        /// One for each client of the session that a board knows.
        clients: Vec<ClientFocus>,
    },
    /// First message of a host after its hello.
    HostRegistered(HostRegistration),
    /// A fact that a host must not lose; acknowledged by [`HostOrder::Acknowledge`] once it is committed.
    HostReported {
        /// Its number inside the host's generation.
        seq: FactSeq,
        /// When it happened.
        at_ms: UnixMs,
        /// What happened.
        fact: HostFact,
    },
    /// The session printed something. At most one in two seconds; may be lost.
    HostActive {
        /// When it last printed.
        at_ms: UnixMs,
    },
    /// The open waits on the host's output, the oldest first; the newest list wins. No fact: nothing is written down. Since version 7.
    HostWaits {
        /// All of them.
        waits: Vec<Wait>,
    },
    /// The answer to [`HostOrder::SkipWaits`].
    WaitsSkipped {
        /// The number of the question.
        number: u64,
        /// How many there were.
        count: u32,
    },
}

/// A question or a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Is anybody there? Answered only after the daemon has replayed its store.
    Ping,
    /// Every row.
    Board,
    /// One session, by id, unique id prefix or unique name.
    Show {
        /// What the person typed.
        session: String,
    },
    /// One session and where its host is, for whoever enters it: as `Show`, without what is read from the store. Since
    /// version 7.
    Locate {
        /// What the person typed.
        session: String,
    },
    /// The screen that an ended session left.
    LastScreen {
        /// The session.
        session: SessionId,
    },
    /// A change.
    Command(Box<CommandEnvelope>),
    /// The board, and every later change of it.
    Subscribe,
    /// Why a session stands where it stands, and what moved it in the last 24 hours.
    Explain {
        /// What the person typed.
        session: String,
    },
    /// The diagnostics of a session, newest last.
    Log {
        /// What the person typed.
        session: String,
        /// At most so many.
        limit: u32,
    },
    /// Everything that the store holds, as JSON lines, page by page.
    Export {
        /// [`Answer::Exported`]'s `next` of the page before; 0 at the beginning. Every page of one export is of the moment
        /// at which it began.
        after: u64,
    },
    /// What there is to show for a session's work.
    Evidence {
        /// What the person typed.
        session: String,
    },
    /// Which issues and change requests a session is about.
    References {
        /// What the person typed.
        session: String,
    },
    /// Where sessions are started most, and what the last start chose (reference A.13).
    LaunchPreferences,
    /// Takes a directory out of the favourites; answered as `LaunchPreferences`. A later start in it counts from one.
    ForgetDirectory {
        /// The directory as it stands there.
        path: String,
    },
    /// Compares every session with its processes now.
    Reconcile,
    /// An agent's question about its own terminals; answered by [`Answer::AgentTerminals`].
    AgentTerminals {
        /// The session whose agent asks.
        session: SessionId,
        /// Its secret.
        token: Token,
        /// What.
        ask: AgentAsk,
    },
    /// Every terminal with open waits.
    Waits,
    /// A person ends the waits of a terminal, or those of all terminals of a session; answered by [`Answer::WaitsSkipped`].
    SkipWaits {
        /// What the person typed.
        session: String,
    },
    /// Ends the daemon. A marker in the root keeps links and hosts from starting it again (decision 17).
    Shutdown {
        /// Whether the hosts end too, with their agents.
        hosts: HostsOnShutdown,
    },
}

/// What a shutdown does to running sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostsOnShutdown {
    /// They go on, and are adopted by the next daemon.
    Keep,
    /// They are stopped.
    Stop,
}

/// Daemon to client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromDaemon {
    /// The answer to [`ToDaemon::Ask`].
    Answer {
        /// The id of the question.
        id: u64,
        /// The answer, or why there is none.
        answer: Result<Answer, Refusal>,
    },
    /// To subscribers: the board changed.
    Board(BoardUpdate),
    /// To a host.
    Order(HostOrder),
    /// To the link of one zellij server: an attach client of that server asks for zellij's help.
    Pane(PaneEvent),
    /// To a link that speaks version 6 or a later one.
    Link(LinkOrder),
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// To `Ping`, `Subscribe` and `Reconcile`.
    Ready,
    /// To `Board`.
    Rows(Vec<Row>),
    /// To `Show` and `Locate`.
    Session(Box<SessionDetail>),
    /// To `LastScreen`.
    Screen {
        /// Text, one line a row; `None` when the session left none.
        text: Option<String>,
    },
    /// To `Command`.
    Outcome(CommandOutcome),
    /// To `Shutdown`, before the daemon ends.
    ShuttingDown,
    /// To `Explain`.
    Explanation(Box<Explanation>),
    /// To `Log`.
    Log(Vec<LogLine>),
    /// To `Evidence`.
    Evidence(Box<Evidence>),
    /// To `References`.
    References(Box<References>),
    /// To `LaunchPreferences` and `ForgetDirectory`.
    LaunchPreferences(Box<LaunchPreferences>),
    /// To `AgentTerminals`: the terminal that was opened, all of them, or none after a close.
    AgentTerminals(Vec<AgentTerminal>),
    /// To `Waits`.
    Waits(Vec<TerminalWaits>),
    /// To `SkipWaits`.
    WaitsSkipped {
        /// How many there were.
        count: u32,
    },
    /// To `Export`.
    Exported {
        /// JSON objects, one a line.
        lines: Vec<String>,
        /// What the next page comes after; `None` after the last one.
        next: Option<u64>,
        /// The last line goes on with the first one of the next page: it is too long for one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unfinished: bool,
    },
}

/// What a launch dialog begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaunchPreferences {
    /// Directories, the most used first, then the last used; at most eight, and the home directory.
    pub directories: Vec<FavouriteDirectory>,
    /// The agent of the last start at a board.
    pub agent: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// How hard it thought.
    pub thinking: Option<String>,
}

/// A directory in which sessions are started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FavouriteDirectory {
    /// Its absolute path.
    pub path: String,
    /// Starts in it.
    pub uses: u64,
    /// The last of them.
    pub last_used_ms: Option<UnixMs>,
}

/// Why a session stands where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The row.
    pub row: Row,
    /// Every change of its state in the last 24 hours, oldest first, and the one before them.
    pub changes: Vec<StateChange>,
    /// The last evidence of every source that has said something, the one that won first.
    pub evidence: Vec<EvidenceLine>,
    /// When the knowledge begins, if that is within these hours and later than the session itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_since_ms: Option<UnixMs>,
}

/// One change of a session's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateChange {
    /// When.
    pub at_ms: UnixMs,
    /// From which state; `None` when the session began.
    pub from: Option<SemanticState>,
    /// To which.
    pub to: SemanticState,
    /// What happened: `agent event: settled`, `a person: on hold`, `process exit: exit code 3`.
    pub event: String,
    /// The rule that made a state of it, in one sentence.
    pub rule: String,
}

/// What moved a session, and who said it (`agent event: settled`), in the language that is spoken here.
#[must_use]
pub fn event_retold(event: &str) -> String {
    match event.split_once(": ") {
        Some((voice, what)) => format!("{}: {}", retold(voice), retold(what)),
        None => retold(event).into_owned(),
    }
}

impl StateChange {
    /// The change for a reader, in the language that is spoken here.
    #[must_use]
    pub fn retold(self) -> Self {
        Self { event: event_retold(&self.event), rule: retold(&self.rule).into_owned(), ..self }
    }
}

/// What one source said last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceLine {
    /// The source: `agent event`, `process exit`, `person`, `classifier`.
    pub source: String,
    /// When.
    pub at_ms: UnixMs,
    /// What it said.
    pub what: String,
}

impl EvidenceLine {
    /// The line for a reader, in the language that is spoken here.
    #[must_use]
    pub fn retold(self) -> Self {
        Self { source: retold(&self.source).into_owned(), what: retold(&self.what).into_owned(), ..self }
    }
}

/// One diagnostic (reference A.9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// When.
    pub at_ms: UnixMs,
    /// How grave it is.
    pub level: LogLevel,
    /// Who says it: `service`, `host`, `queue`, `store`, `attach`, `agent`.
    pub source: String,
    /// A short word: `manual_fence`, `follow_up_sent`, `host_reconciled`.
    pub code: String,
    /// One line for people, plain and cut.
    pub message: String,
}

/// How grave a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// For whoever looks for it.
    Info,
    /// Something was refused or unclear.
    Warn,
    /// Something failed.
    Error,
}

impl LogLevel {
    /// Its name, as the store keeps it and people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }

    /// The level of this name. One that nobody knows is the least grave (reference A.9).
    pub fn named(name: &str) -> Self {
        [Self::Error, Self::Warn].into_iter().find(|level| level.name() == name).unwrap_or(Self::Info)
    }
}

/// What happened to an attach client that runs in a pane of a zellij server, for the plugin of that server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaneEvent {
    /// It shows a session now: the pane wants zellij's Locked mode.
    Attached {
        /// The session.
        session: SessionId,
        /// Where.
        place: AttachPlace,
    },
    /// The person detached: the board wants the focus and Normal mode.
    Detached {
        /// The session.
        session: SessionId,
        /// Where it was.
        place: AttachPlace,
    },
    /// The session ended under the person's hands: Normal mode, and the focus stays, for the next key may be on its way.
    Ended {
        /// The session.
        session: SessionId,
        /// Where it was.
        place: AttachPlace,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_found_by_its_name_and_a_strange_name_is_the_least_grave() {
        for level in [LogLevel::Info, LogLevel::Warn, LogLevel::Error] {
            assert_eq!(LogLevel::named(level.name()), level);
            assert_eq!(serde_json::to_value(level).unwrap(), level.name());
        }
        assert_eq!(LogLevel::named("fatal"), LogLevel::Info);
    }
}
