//! The table of states: one row a state, one column a property, no default. A state that is added does not compile
//! before every column of it is filled.

use super::{ColourRole, SemanticState};

/// Every property of one state.
#[derive(Debug, Clone, Copy)]
pub struct StateFacts {
    /// The state itself.
    pub state: SemanticState,
    /// Its name on the wire and in `--json`.
    pub name: &'static str,
    /// What it is called in English, in stores and in filters; people read [`SemanticState::label`].
    pub label: &'static str,
    /// The summary of a row that has none.
    pub fallback: &'static str,
    /// Every word that ever stood for it in a summary. Grow-only (reference B.1); see [`SemanticState::worded`].
    pub generic: &'static [&'static str],
    /// Glyphs: read, unread.
    pub glyphs: [&'static str; 2],
    /// Glyphs of a row whose turn does not run: read, unread. Only a working row has others.
    pub glyphs_not_alive: [&'static str; 2],
    /// ASCII glyphs: read, unread.
    pub ascii: [&'static str; 2],
    /// The theme role of its colour.
    pub role: ColourRole,
    /// The fixed palette "classic", as red, green, blue.
    pub classic: (u8, u8, u8),
    /// Whether the work of such a row can be looked at as it is.
    pub readiness: Readiness,
}

/// Whether work can be looked at (reference A.8): shown and filtered by, never a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Readiness {
    /// It rests, and nothing went wrong.
    Ready,
    /// It goes on, or there is nothing to look at.
    NotReady,
}

impl SemanticState {
    /// The row of the table.
    pub const fn facts(self) -> StateFacts {
        match self {
            Self::Queued => StateFacts {
                state: self,
                name: "queued",
                label: "Queued",
                fallback: "Queued",
                generic: &["Queued"],
                glyphs: ["○", "◎"],
                glyphs_not_alive: ["○", "◎"],
                ascii: ["o", "O"],
                role: ColourRole::Muted,
                classic: (148, 163, 184),
                readiness: Readiness::NotReady,
            },
            Self::Working => StateFacts {
                state: self,
                name: "working",
                label: "Running",
                fallback: "Running…",
                generic: &["Working", "Working…", "Running", "Running…"],
                glyphs: ["●", "◉"],
                glyphs_not_alive: ["◐", "◕"],
                ascii: ["*", "@"],
                role: ColourRole::Accent,
                classic: (56, 189, 248),
                readiness: Readiness::NotReady,
            },
            Self::NeedsInput => StateFacts {
                state: self,
                name: "needs_input",
                label: "Needs answer",
                fallback: "Needs answer",
                generic: &["Needs input", "Needs answer"],
                glyphs: ["◇", "◆"],
                glyphs_not_alive: ["◇", "◆"],
                ascii: ["?", "!"],
                role: ColourRole::Warning,
                classic: (245, 158, 11),
                readiness: Readiness::NotReady,
            },
            Self::Idle => StateFacts {
                state: self,
                name: "idle",
                label: "Needs instructions",
                fallback: "Needs instructions",
                generic: &["Idle", "In Progress", "Needs instructions"],
                glyphs: ["·", "◌"],
                glyphs_not_alive: ["·", "◌"],
                ascii: [".", ":"],
                role: ColourRole::Dim,
                classic: (129, 140, 248),
                readiness: Readiness::Ready,
            },
            Self::Holding => StateFacts {
                state: self,
                name: "holding",
                label: "On hold",
                fallback: "On hold",
                generic: &["On hold"],
                glyphs: ["◑", "◒"],
                glyphs_not_alive: ["◑", "◒"],
                ascii: ["(", "["],
                role: ColourRole::Warning,
                classic: (251, 191, 36),
                readiness: Readiness::Ready,
            },
            Self::Completed => StateFacts {
                state: self,
                name: "completed",
                label: "Done",
                fallback: "Done",
                generic: &["Completed", "Done"],
                glyphs: ["✓", "✔"],
                glyphs_not_alive: ["✓", "✔"],
                ascii: ["v", "V"],
                role: ColourRole::Success,
                classic: (34, 197, 94),
                readiness: Readiness::Ready,
            },
            Self::Failed => StateFacts {
                state: self,
                name: "failed",
                label: "Failed",
                fallback: "Failed",
                generic: &["Failed"],
                glyphs: ["✗", "✖"],
                glyphs_not_alive: ["✗", "✖"],
                ascii: ["x", "X"],
                role: ColourRole::Error,
                classic: (248, 113, 113),
                readiness: Readiness::NotReady,
            },
            Self::Stopped => StateFacts {
                state: self,
                name: "stopped",
                label: "Stopped",
                fallback: "Stopped",
                generic: &["Stopped"],
                glyphs: ["▪", "■"],
                glyphs_not_alive: ["▪", "■"],
                ascii: ["-", "="],
                role: ColourRole::Muted,
                classic: (100, 116, 139),
                readiness: Readiness::NotReady,
            },
        }
    }
}
