//! The vocabulary of states: one table with a column for every property, so that a new state cannot be half added.
//!
//! Source: architecture decision 1, reference B.1.

use serde::{Deserialize, Serialize};

/// What the board says about a session. The order of the variants is the order of the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SemanticState {
    /// Asked for, not running yet.
    Queued,
    /// A turn runs.
    Working,
    /// The agent asked something and waits for the answer.
    NeedsInput,
    /// The turn is over; nobody said what comes next.
    Idle,
    /// Put aside by a person.
    Holding,
    /// Finished, said by a person (or by the classifier, where that is configured).
    Completed,
    /// Ended with an error.
    Failed,
    /// Ended because a person stopped it.
    Stopped,
}

/// Which glyph set the terminal can show one cell wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlyphSet {
    /// Geometric shapes; one cell wide unless the terminal treats ambiguous width as wide.
    Unicode,
    /// ASCII only.
    Ascii,
}

/// The role of a colour in the person's zellij theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourRole {
    /// Grey, in the background of attention.
    Muted,
    /// Activity.
    Accent,
    /// Something waits for the person.
    Warning,
    /// Less than normal text.
    Dim,
    /// Finished well.
    Success,
    /// Finished badly.
    Error,
}

/// Every property of one state.
#[derive(Debug, Clone, Copy)]
pub struct StateFacts {
    /// The state itself.
    pub state: SemanticState,
    /// Its name on the wire and in `--json`.
    pub name: &'static str,
    /// What people read.
    pub label: &'static str,
    /// Glyphs: read, unread.
    pub glyphs: [&'static str; 2],
    /// Glyphs of a working row whose process is gone: read, unread. Other states have none.
    pub glyphs_not_alive: [&'static str; 2],
    /// ASCII glyphs: read, unread.
    pub ascii: [&'static str; 2],
    /// The theme role of its colour.
    pub role: ColourRole,
    /// The fixed palette "classic", as red, green, blue.
    pub classic: (u8, u8, u8),
    /// The summary of a row that has none.
    pub fallback: &'static str,
    /// Whether the work of such a row can be looked at as it is (reference A.8).
    pub ready: bool,
}

impl SemanticState {
    /// All states, in group order.
    pub const ALL: [Self; 8] = [
        Self::Queued,
        Self::Working,
        Self::NeedsInput,
        Self::Idle,
        Self::Holding,
        Self::Completed,
        Self::Failed,
        Self::Stopped,
    ];

    /// The row of the table. Adding a state without filling every column does not compile.
    pub const fn facts(self) -> StateFacts {
        use ColourRole as C;
        const fn row(
            state: SemanticState,
            names: [&'static str; 3],
            glyphs: [&'static str; 2],
            ascii: [&'static str; 2],
            role: ColourRole,
            classic: (u8, u8, u8),
        ) -> StateFacts {
            let [name, label, fallback] = names;
            StateFacts {
                state,
                name,
                label,
                glyphs,
                glyphs_not_alive: glyphs,
                ascii,
                role,
                classic,
                fallback,
                ready: matches!(
                    state,
                    SemanticState::Idle | SemanticState::Holding | SemanticState::Completed
                ),
            }
        }
        match self {
            Self::Queued => {
                row(self, ["queued", "Queued", "Queued"], ["○", "◎"], ["o", "O"], C::Muted, (148, 163, 184))
            }
            Self::Working => StateFacts {
                glyphs_not_alive: ["◐", "◕"],
                ..row(
                    self,
                    ["working", "Running", "Running…"],
                    ["●", "◉"],
                    ["*", "@"],
                    C::Accent,
                    (56, 189, 248),
                )
            },
            Self::NeedsInput => row(
                self,
                ["needs_input", "Needs answer", "Needs answer"],
                ["◇", "◆"],
                ["?", "!"],
                C::Warning,
                (245, 158, 11),
            ),
            Self::Idle => row(
                self,
                ["idle", "Needs instructions", "Needs instructions"],
                ["·", "◌"],
                [".", ":"],
                C::Dim,
                (129, 140, 248),
            ),
            Self::Holding => row(
                self,
                ["holding", "On hold", "On hold"],
                ["◑", "◒"],
                ["(", "["],
                C::Warning,
                (251, 191, 36),
            ),
            Self::Completed => {
                row(self, ["completed", "Done", "Done"], ["✓", "✔"], ["v", "V"], C::Success, (34, 197, 94))
            }
            Self::Failed => {
                row(self, ["failed", "Failed", "Failed"], ["✗", "✖"], ["x", "X"], C::Error, (248, 113, 113))
            }
            Self::Stopped => row(
                self,
                ["stopped", "Stopped", "Stopped"],
                ["▪", "■"],
                ["-", "="],
                C::Muted,
                (100, 116, 139),
            ),
        }
    }

    /// What people read.
    pub const fn label(self) -> &'static str {
        self.facts().label
    }

    /// The name on the wire, the inverse of [`SemanticState::parse`].
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Finds a state by its wire name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// The state model's own axis: a turn runs, or it does not. Not whether a process lives (that is [`HostState`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessState {
    /// A turn runs (a session without turns: its process runs).
    Alive,
    /// No turn runs.
    Exited,
}

/// The process that owns the session's PTY.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostState {
    /// There never was one.
    None,
    /// Spawned, not reported yet.
    Starting,
    /// Reported, and its agent runs.
    Alive,
    /// Asked to end.
    Stopping,
    /// Ended after its agent ended.
    Exited,
    /// Ended in any other way, or never came up.
    Failed,
}

/// Who asks for a change of state. The names on the wire are those of reference C.2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CommandSource {
    /// A person, at the board, in an attach pane or on a command line.
    #[default]
    #[serde(rename = "dashboard-user")]
    Person,
    /// The daemon, or an agent's adapter in its name.
    #[serde(rename = "service")]
    Service,
    /// A headless run.
    #[serde(rename = "job-runner")]
    Run,
    /// A classifier of finished turns.
    #[serde(rename = "state-runner")]
    Classifier,
    /// A session's host.
    #[serde(rename = "pty-runner")]
    Host,
}

/// What a classifier says about an agent's last words (reference B.11). There is no kind for "on hold": only a person
/// puts a row there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassificationKind {
    /// The agent asks something.
    NeedsInput,
    /// There is more to do.
    InProgress,
    /// It is finished. Counts as [`ClassificationKind::InProgress`] unless automatic Done is configured.
    Done,
}

/// How sure a classifier is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Sure.
    High,
    /// Fairly.
    Medium,
    /// Hardly.
    Low,
}

/// What made a classification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassifierKind {
    /// The daemon's own rules.
    Heuristic,
    /// A model.
    Model,
}

/// The result of a classifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classification {
    /// What it says.
    pub kind: ClassificationKind,
    /// How sure it is.
    pub confidence: Confidence,
    /// What made it.
    pub by: ClassifierKind,
    /// Why, at most 120 characters.
    pub reason: String,
    /// The question, at most 240 characters, if it says that there is one.
    pub question: Option<String>,
    /// The first 12 hexadecimal digits of the SHA-1 of the text that it is about; a result about an older text is stale.
    pub text_hash: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn every_glyph_differs_and_is_one_cell_wide() {
        let mut unicode = BTreeSet::new();
        let mut ascii = BTreeSet::new();
        for state in SemanticState::ALL {
            let facts = state.facts();
            assert_eq!(facts.state, state);
            for glyph in facts.glyphs {
                assert!(unicode.insert(glyph), "{glyph} twice");
                assert_eq!(glyph.width(), 1, "{glyph}");
            }
            if facts.glyphs_not_alive != facts.glyphs {
                for glyph in facts.glyphs_not_alive {
                    assert!(unicode.insert(glyph), "{glyph} twice");
                    assert_eq!(glyph.width(), 1, "{glyph}");
                }
            }
            for glyph in facts.ascii {
                assert!(ascii.insert(glyph), "{glyph} twice");
                assert!(glyph.is_ascii() && glyph.len() == 1);
            }
        }
    }

    #[test]
    fn names_on_the_wire_are_the_names_of_the_table() {
        for state in SemanticState::ALL {
            let json = serde_json::to_string(&state).unwrap();
            assert_eq!(json, format!("\"{}\"", state.name()));
            assert_eq!(SemanticState::parse(state.name()), Some(state));
        }
        assert!(SemanticState::ALL.is_sorted());
    }

    // A state that falls into a default branch looks like another one, or like "?".
    #[test]
    fn i1_a9_holding_has_a_glyph_a_colour_and_a_text_of_its_own() {
        let holding = SemanticState::Holding.facts();
        assert_eq!(holding.glyphs, ["◑", "◒"]);
        assert_eq!((holding.label, holding.fallback, holding.name), ("On hold", "On hold", "holding"));
        assert_eq!(holding.classic, (251, 191, 36));
        assert_eq!(holding.role, ColourRole::Warning);
        for other in SemanticState::ALL.into_iter().filter(|state| *state != SemanticState::Holding) {
            let other = other.facts();
            assert_ne!(holding.classic, other.classic, "{other:?}");
            assert_ne!((holding.label, holding.fallback), (other.label, other.fallback), "{other:?}");
            for glyph in other.glyphs.into_iter().chain(other.glyphs_not_alive).chain(other.ascii) {
                assert!(!holding.glyphs.contains(&glyph) && !holding.ascii.contains(&glyph), "{glyph}");
                assert_ne!(glyph, "", "{other:?}");
            }
        }
    }

    #[test]
    fn i1_a10_holding_is_a_group_of_its_own_between_instructions_and_done() {
        use SemanticState::{Completed, Holding, Idle};
        assert!(Idle < Holding && Holding < Completed);
        let order: Vec<_> = SemanticState::ALL.into_iter().map(SemanticState::label).collect();
        assert_eq!(
            order,
            [
                "Queued",
                "Running",
                "Needs answer",
                "Needs instructions",
                "On hold",
                "Done",
                "Failed",
                "Stopped"
            ]
        );
        let labels: BTreeSet<_> = order.iter().collect();
        assert_eq!(labels.len(), SemanticState::ALL.len(), "no two groups are one");
    }
}
