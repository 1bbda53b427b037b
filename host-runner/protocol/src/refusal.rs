//! "No": what was refused, to what, and what to do instead. Shown to the person as it is.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why something was refused. Scripts match on the kind, people read the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// No session has this id, id prefix or name.
    UnknownSession,
    /// An id prefix or a name fits more than one session.
    AmbiguousSession,
    /// The session is in a state in which this makes no sense (ended already, still running).
    WrongState,
    /// The input does not hold together (empty task, unreadable directory, unknown agent).
    BadInput,
    /// The program to start was not found or cannot be run.
    MissingProgram,
    /// A limit was reached.
    Limit,
    /// The two sides speak different protocol versions.
    Version,
    /// The caller may not: foreign user, wrong token, wrong root.
    Forbidden,
    /// The session's host cannot be reached.
    HostUnreachable,
    /// A turn runs, and this cannot be done meanwhile (`busy` of reference C.5).
    Busy,
    /// It is so already (`no_change`).
    NoChange,
    /// A person put the row where it stands, and whoever asks is no person (`manual_fence`).
    ManualFence,
    /// It is about an earlier run or an earlier life of the session (`stale_run`).
    StaleRun,
    /// The row changed since whoever asks has seen it (`revision_conflict`).
    RevisionConflict,
    /// Whoever asks may not do this at all (`source_not_allowed`).
    SourceNotAllowed,
    /// Whoever asks may not change this field (`field_not_allowed`).
    FieldNotAllowed,
    /// Something failed on our side (disk full, cannot fork); trying again may help.
    Internal,
}

/// A typed refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The kind, for programs.
    pub kind: RefusalKind,
    /// One sentence or two: what happened, to what, and what to do.
    pub text: String,
}

impl Refusal {
    /// Puts kind and text together.
    pub fn new(kind: RefusalKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    /// It for a reader, in the language that is spoken here.
    #[must_use]
    pub fn retold(self) -> Self {
        Self { text: board_text::retold(&self.text).into_owned(), ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refusal {}
