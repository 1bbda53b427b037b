//! Questions of a board and their answers in pages: what peek, preview, evidence and log show of one session, and what the
//! launch dialog chooses from.
//!
//! Asked by the plugin while such a view is open, answered by the link, which asks daemon, host or file system. A board has at most
//! one question of each kind at a time: a newer one replaces the older one, and the answer to that is never sent. Every
//! page fits [`super::PAGE_BYTES`]; a whole answer fits [`MAX_ANSWER_BYTES`].

use crate::{
    board::Row,
    daemon::{EvidenceLine, LaunchPreferences, LogLine, ReplyProgress, StateChange},
    evidence::{EvidenceItem, Review},
    ids::{QueueItemId, SessionId, UnixMs},
    run::RunUsage,
    state::Classification,
    terminals::Wait,
    transcript::{TranscriptHead, TranscriptPiece, TranscriptWindow},
};
use serde::{Deserialize, Serialize};

/// Most bytes of a whole answer as JSON: four pages, 26 ms of parsing in zellij's interpreter (0.4 ms per KiB, measured).
pub const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// Most bytes of one text in an answer; a longer one is cut and marked.
pub const MAX_PART_TEXT_BYTES: usize = 4 * 1024;
/// Most diagnostics that a board asks for.
pub const MAX_LOG_LINES: u32 = 50;

/// Most directories in an answer; what else there is is counted.
pub const MAX_DIRECTORIES: usize = 200;

/// What a board wants to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Query {
    /// What peek shows: answered by one [`QueryPart::Detail`] and its [`QueryPart::Queued`].
    Detail {
        /// The row.
        session: SessionId,
    },
    /// The picture of its terminal as text: one [`QueryPart::Screen`] and its [`QueryPart::ScreenLine`]s.
    Screen {
        /// The row.
        session: SessionId,
    },
    /// Its diagnostics, newest last: [`QueryPart::Log`].
    Log {
        /// The row.
        session: SessionId,
        /// At most so many, and never more than [`MAX_LOG_LINES`].
        limit: u32,
    },
    /// Why it stands where it stands: [`QueryPart::Evidence`] and [`QueryPart::Change`].
    Explanation {
        /// The row.
        session: SessionId,
    },
    /// What a launch dialog begins with: one [`QueryPart::Preferences`], then every [`QueryPart::Agent`].
    Launch,
    /// The directories whose path begins with what was typed: [`QueryPart::Directory`], sorted. A leading `~` is the
    /// person's home; what begins with no `/` is seen from where the link runs.
    Directories {
        /// What was typed.
        prefix: String,
    },
    /// What was said in it: one [`QueryPart::Transcript`] and its [`QueryPart::Said`]. Since version 3.
    Transcript {
        /// The row.
        session: SessionId,
        /// Which part of it.
        window: TranscriptWindow,
    },
    /// What there is to show for its work: one [`QueryPart::Review`] and the newest [`QueryPart::Item`]s of each kind.
    Work {
        /// The row.
        session: SessionId,
    },
}

/// The kinds of questions: of each, at most one is open for a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QueryKind {
    /// [`Query::Detail`].
    Detail,
    /// [`Query::Screen`].
    Screen,
    /// [`Query::Log`].
    Log,
    /// [`Query::Explanation`].
    Explanation,
    /// [`Query::Launch`].
    Launch,
    /// [`Query::Directories`].
    Directories,
    /// [`Query::Transcript`].
    Transcript,
    /// [`Query::Work`].
    Work,
}

impl Query {
    /// Its kind.
    pub const fn kind(&self) -> QueryKind {
        match self {
            Self::Detail { .. } => QueryKind::Detail,
            Self::Screen { .. } => QueryKind::Screen,
            Self::Log { .. } => QueryKind::Log,
            Self::Explanation { .. } => QueryKind::Explanation,
            Self::Launch => QueryKind::Launch,
            Self::Directories { .. } => QueryKind::Directories,
            Self::Transcript { .. } => QueryKind::Transcript,
            Self::Work { .. } => QueryKind::Work,
        }
    }

    /// The session that it is about, if it is about one.
    pub const fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Detail { session }
            | Self::Screen { session }
            | Self::Log { session, .. }
            | Self::Explanation { session }
            | Self::Transcript { session, .. }
            | Self::Work { session } => Some(session),
            Self::Launch | Self::Directories { .. } => None,
        }
    }
}

/// A piece of an answer. Every text in it is plain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryPart {
    /// The session, but for its queue.
    Detail(Box<PeekDetail>),
    /// Words of a person that wait for it, the next one first.
    Queued(QueuedPart),
    /// What the lines that follow are.
    Screen {
        /// Whether its program runs, or these are its last words.
        live: bool,
    },
    /// One line of its terminal, from the top.
    ScreenLine(String),
    /// A diagnostic.
    Log(LogLine),
    /// A change of its state.
    Change(StateChange),
    /// What one source said last; the one that won comes first.
    Evidence(EvidenceLine),
    /// Where sessions are started most, and what the last start chose.
    Preferences(Box<LaunchPreferences>),
    /// An agent that can be started, or not.
    Agent(AgentChoice),
    /// A directory: its last part. What stands before it is what was typed, up to its last `/`.
    Directory {
        /// Its name.
        name: String,
    },
    /// What the items that follow are.
    Transcript(TranscriptHead),
    /// An item of the transcript, or a piece of one, in order.
    Said(TranscriptPiece),
    /// What a session's evidence says in short.
    Review(Box<ReviewPart>),
    /// A piece of it, the newest of its kind first.
    Item(Box<EvidenceItem>),
    /// There is no answer, and why: one line with what to do.
    Problem {
        /// The line.
        text: String,
    },
    /// The answer was too long: so many parts are left out.
    Cut {
        /// How many.
        left_out: u32,
    },
}

/// What a session's evidence says in short, with what it cost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewPart {
    /// How it came out, and how much there is.
    pub review: Review,
    /// What it cost.
    pub usage: RunUsage,
    /// Items that are counted and not kept.
    pub dropped: u64,
    /// The file that keeps the agent's transcript.
    pub transcript: Option<String>,
}

/// What peek shows of a session beside its queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeekDetail {
    /// The row, with its texts in full.
    pub row: Row,
    /// What was started, as one line.
    #[serde(default)]
    pub command: String,
    /// The model that answers.
    #[serde(default)]
    pub model: Option<String>,
    /// Every open question, the shown one first.
    #[serde(default)]
    pub questions: Vec<String>,
    /// The beginning of the last thing it said, with its line breaks.
    #[serde(default)]
    pub preview: Option<String>,
    /// What decided its state.
    #[serde(default)]
    pub evidence: Option<String>,
    /// When that was.
    #[serde(default)]
    pub evidence_at_ms: Option<UnixMs>,
    /// What a classifier made of its last words, if that decided its state.
    #[serde(default)]
    pub classification: Option<Classification>,
    /// Processes that left its tree and still run, as command lines.
    #[serde(default)]
    pub strays: Vec<String>,
    /// Open waits on its output, or on that of its terminals, the oldest first, with needles in full; control characters are
    /// shown, not sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Wait>,
}

/// Words that wait, as a board shows and changes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedPart {
    /// Their id.
    pub id: QueueItemId,
    /// The words, or their beginning.
    pub text: String,
    /// Whether the words go on: then they cannot be changed here.
    #[serde(default)]
    pub cut: bool,
    /// When they were written.
    pub at_ms: UnixMs,
    /// What becomes of them.
    pub progress: ReplyProgress,
}

/// An agent as a launch dialog offers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentChoice {
    /// Its name in a start.
    pub name: String,
    /// Why it cannot be started, one line with what to do; `None`: it can.
    #[serde(default)]
    pub problem: Option<String>,
    /// What it takes besides words.
    #[serde(default)]
    pub takes: Takes,
    /// Its words for how hard a model thinks, weakest first; empty when it has none.
    #[serde(default)]
    pub thinking: Vec<String>,
}

/// What an agent is told at its start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    /// A command line, and there has to be one.
    #[default]
    CommandLine,
    /// A task, a model and how hard that thinks; each may be left away.
    Task,
}
