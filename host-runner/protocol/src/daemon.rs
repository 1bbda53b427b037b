//! The daemon's socket: requests of command line and links, reports of hosts, and what the daemon sends back.
//!
//! After the hello (coordinator protocol) a connection carries [`ToDaemon`] one way and [`FromDaemon`] the other.

use crate::{
    board::{AttachPlace, BoardUpdate, Row},
    command::{CommandEnvelope, CommandOutcome, EnvVar},
    diagnostics::DiagnosticSummary,
    evidence::Evidence,
    host::{HostFact, HostOrder, HostRegistration},
    ids::{FactSeq, Generation, ProcessIdentity, QueueItemId, SessionId, UnixMs},
    plan::Plan,
    refs::References,
    refusal::Refusal,
    state::{Classification, SemanticState},
};
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

/// A link tells the daemon which zellij session it serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkOpened {
    /// The zellij server.
    pub server: ProcessIdentity,
    /// The environment for sessions that are started from this board (decision 12).
    pub environment: Vec<EnvVar>,
    /// When that environment was taken.
    pub environment_at_ms: UnixMs,
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
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// To `Ping`, `Subscribe` and `Reconcile`.
    Ready,
    /// To `Board`.
    Rows(Vec<Row>),
    /// To `Show`.
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

/// Words of a person that wait for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedReply {
    /// Their id.
    pub id: QueueItemId,
    /// The words.
    pub text: String,
    /// When they were written.
    pub at_ms: UnixMs,
    /// What becomes of them.
    pub progress: ReplyProgress,
    /// What they are.
    #[serde(default, skip_serializing_if = "ReplyKind::is_reply")]
    pub kind: ReplyKind,
}

/// What words that wait for an agent are (reference A.10).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyKind {
    /// A person's own words.
    #[default]
    Reply,
    /// What asks for a plan.
    PlanRequest,
    /// What has an approved plan carried out.
    PlanApproval,
    /// What sends a plan back.
    PlanChange,
}

impl ReplyKind {
    /// Whether they are a person's own words, and nothing about a plan.
    pub const fn is_reply(&self) -> bool {
        matches!(self, Self::Reply)
    }
}

/// What becomes of words on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyProgress {
    /// They wait for their turn.
    Waiting,
    /// The host was told and has not answered.
    Sent,
    /// The host has them on its disk.
    Accepted,
    /// They were written to the agent.
    Applied,
    /// The host ended after it had accepted them; whether the agent got them is not known. They are never sent again by
    /// themselves.
    AcceptedUnknown,
}

/// Everything that `show` prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionDetail {
    /// The row as on the board.
    pub row: Row,
    /// What was started: program and arguments.
    pub argv: Vec<String>,
    /// Where its host listens, while there is one.
    pub host: Option<HostEndpoint>,
    /// The program's process, while it runs.
    pub child: Option<ProcessIdentity>,
    /// When the environment that it was started with was taken.
    pub environment_at_ms: Option<UnixMs>,
    /// Processes that left its tree and still run.
    pub strays: Vec<Stray>,
    /// What its agent told.
    #[serde(default)]
    pub agent: AgentDetail,
    /// Words of a person that wait for it, the next one first, and those whose arrival is not known.
    #[serde(default)]
    pub queue: Vec<QueuedReply>,
    /// What a classifier made of its last words, if that decided its state.
    #[serde(default)]
    pub classification: Option<Classification>,
    /// Its plan, once one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// What its diagnostics say in short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<DiagnosticSummary>,
}

/// What a session's agent told. Every text is plain and cut.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentDetail {
    /// The agent's own id of its session.
    pub session_id: Option<String>,
    /// The file that keeps its transcript.
    pub transcript: Option<String>,
    /// The model that answers.
    pub model: Option<String>,
    /// Every open question, the shown one first.
    pub questions: Vec<String>,
    /// The beginning of the last thing it said.
    pub preview: Option<String>,
    /// The hash of all of the last thing it said: what a classifier's result about it has to carry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_hash: Option<String>,
    /// Tokens of all its answers.
    pub tokens_read: u64,
    /// Tokens that it wrote.
    pub tokens_written: u64,
    /// Millionths of a US dollar, as the agent counts them; `None` when it does not.
    pub cost_micros: Option<u64>,
    /// What decided its state, and when: `agent event: settled`, `process exit: exit code 3`.
    pub evidence: Option<String>,
    /// When that was.
    pub evidence_at_ms: Option<UnixMs>,
    /// Events that moved nothing, newest last: unknown, late, refused.
    pub diagnostics: Vec<DiagnosticLine>,
    /// Agents below it that have ended, since the first of those that still run, or ran last, began.
    pub children_done: u32,
    /// These and those that still run.
    pub children: u32,
}

/// An event that moved nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticLine {
    /// When it came.
    pub at_ms: UnixMs,
    /// A short word: `unknown_event`, `late_event`, `wrong_token`.
    pub code: String,
    /// What there was to see, plain and cut.
    pub detail: String,
}

/// Where a host can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostEndpoint {
    /// The absolute path of its socket.
    pub socket: String,
    /// Its generation.
    pub generation: Generation,
    /// Its process.
    pub process: ProcessIdentity,
}

/// A process that carries a session's mark but left its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stray {
    /// The process.
    pub process: ProcessIdentity,
    /// Its command line, cut.
    pub command: String,
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
