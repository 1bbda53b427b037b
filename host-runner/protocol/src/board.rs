//! The board as the daemon publishes it: rows, and numbered changes of rows.

use crate::{
    evidence::Review,
    ids::{BoardSeq, SessionId, UnixMs},
    plan::PlanStatus,
    state::{Confidence, HostState, ProcessState, SemanticState},
    terminals::Waiting,
};
use board_text::{retold, retold_in_row};
use serde::{Deserialize, Serialize};

/// Widest name in cells; longer ones are cut by the daemon.
pub const MAX_NAME_COLUMNS: usize = 60;
/// Widest summary in cells (reference B.7).
pub const MAX_SUMMARY_COLUMNS: usize = 80;
/// Widest question, error or ending in cells.
pub const MAX_SENTENCE_COLUMNS: usize = 240;

/// What entering a session whose process has ended would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Revival {
    /// Attaching continues the same transcript in a fresh host.
    Resumes,
    /// It cannot continue; it can only be run again from the start, after a question.
    RunsAgain,
}

/// A place where a session is attached inside zellij.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AttachPlace {
    /// The pid of the zellij server, found among the attach client's ancestors.
    pub server_pid: u32,
    /// The client's terminal pane (`ZELLIJ_PANE_ID`).
    pub pane_id: u32,
}

/// One row of the board. Every text in it has passed [`crate::text::plain_within`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The session.
    pub id: SessionId,
    /// Its name.
    pub name: String,
    /// Its agent: `generic`, `pi`, …
    pub agent: String,
    /// The group that it stands in.
    pub state: SemanticState,
    /// Whether a turn runs.
    pub process_state: ProcessState,
    /// What its process does.
    pub host_state: HostState,
    /// A turn runs, or one is about to, or a question is open.
    pub busy: bool,
    /// One line about what it does or did.
    pub summary: String,
    /// The question that it waits for, if any.
    pub question: Option<String>,
    /// The last error, if any.
    pub error: Option<String>,
    /// Where it works.
    pub cwd: String,
    /// Pinned by a person.
    pub pinned: bool,
    /// It said something that nobody looked at.
    pub unread: bool,
    /// When it was made.
    pub created_at_ms: UnixMs,
    /// When it last did something.
    pub last_activity_at_ms: UnixMs,
    /// What attaching does once its process has ended.
    pub revival: Revival,
    /// How its process ended, if it did: `exit code 3`, `signal 9`.
    pub ended: Option<String>,
    /// Clients attached, in zellij or not.
    pub attached: u32,
    /// Panes of zellij that show it.
    pub places: Vec<AttachPlace>,
    /// Processes that left its process tree and still run.
    pub strays: u32,
    /// Why its state cannot be vouched for, if it cannot: `its host (pid 7) runs but is not heard from`.
    #[serde(default)]
    pub doubt: Option<String>,
    /// Counts the changes of its record: what a command can be made conditional on.
    #[serde(default)]
    pub revision: u64,
    /// Its tags, in alphabetical order.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Words of a person that wait for its agent.
    #[serde(default)]
    pub queued: u32,
    /// Milliseconds without any sign of life while it says that it works, once that is suspicious.
    #[serde(default)]
    pub stalled_ms: Option<u64>,
    /// Errors among its diagnostics since a person last looked at it, or cleared them.
    #[serde(default)]
    pub errors: u32,
    /// Tasks that its agent left running in the background.
    #[serde(default)]
    pub background: u32,
    /// Whether a turn of it runs, or ran last, without a terminal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub headless: bool,
    /// Its process was ended because it was idle (decision 14); attaching continues it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resumes_on_attach: bool,
    /// What its evidence says in short, once there is any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// Where its plan stands.
    #[serde(default, skip_serializing_if = "PlanStatus::is_none")]
    pub plan: PlanStatus,
    /// The issue and the change request that it is about, at most one of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// The name of the linked git worktree that it works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
    /// The session whose agent owns it, if it is a terminal of an agent: it stands below that one, in no group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
    /// What its agent waits for, here or (for a session with terminals) in any of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Waiting>,
}

/// An issue or a change request that a session is about (reference A.12).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reference {
    /// Which of the two.
    pub kind: ReferenceKind,
    /// Its number.
    pub number: u64,
    /// As the board shows it: `#12`, `!7`.
    pub label: String,
    /// How sure that is: below high it is drawn dim.
    pub confidence: Confidence,
    /// Where it is, if that is known.
    #[serde(default)]
    pub url: Option<String>,
}

/// What a reference is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceKind {
    /// An issue.
    Issue,
    /// A pull or merge request.
    ChangeRequest,
}

impl Row {
    /// The row for a reader: what the board itself wrote into it, in the language that is spoken here. What agents and
    /// people wrote stays.
    #[must_use]
    pub fn retold(self) -> Self {
        let Self { summary, question, error, ended, doubt, .. } = &self;
        let some = |text: &Option<String>| text.as_deref().map(|text| retold_in_row(text).into_owned());
        let (summary, question) = (retold_in_row(summary).into_owned(), some(question));
        let (error, ended, doubt) = (some(error), some(ended), some(doubt));
        Self { summary, question, error, ended, doubt, ..self }
    }
}

/// Something that everybody at the board should know, one line each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What happened and what to do.
    pub text: String,
}

impl Warning {
    /// The warning for a reader, in the language that is spoken here.
    #[must_use]
    pub fn retold(self) -> Self {
        Self { text: retold(&self.text).into_owned() }
    }
}

/// A change of the board inside one daemon generation.
///
/// `Full` replaces everything. `Delta` applies only to the state numbered `base`; a reader that holds another one asks
/// for the full board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardUpdate {
    /// The whole board.
    Full {
        /// Its number.
        seq: BoardSeq,
        /// Every row, ordered as the board shows them.
        rows: Vec<Row>,
        /// Lines for everybody.
        warnings: Vec<Warning>,
    },
    /// What changed since `base`.
    Delta {
        /// The state that this applies to.
        base: BoardSeq,
        /// The state that it leads to.
        seq: BoardSeq,
        /// Rows that are new or changed.
        upserted: Vec<Row>,
        /// Rows that are gone.
        removed: Vec<SessionId>,
        /// The new warnings, when they changed.
        warnings: Option<Vec<Warning>>,
    },
}

/// The order of rows inside the board: state, pinned first, oldest first, id (decision 2). Activity never reorders.
pub fn row_order(a: &Row, b: &Row) -> std::cmp::Ordering {
    (a.state, !a.pinned, a.created_at_ms, &a.id).cmp(&(b.state, !b.pinned, b.created_at_ms, &b.id))
}
