//! The vocabulary of states: one table with a column for every property, so that a new state cannot be half added.
//!
//! Source: architecture decision 1, reference B.1.

mod table;

pub use table::{Readiness, StateFacts};

use board_text::state as texts;
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GlyphSet {
    /// Geometric shapes; one cell wide unless the terminal treats ambiguous width as wide.
    #[default]
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

    /// What people read, in the language that is spoken; in English it is [`StateFacts::label`].
    pub fn label(self) -> &'static str {
        match self {
            Self::Queued => texts::queued(),
            Self::Working => texts::working(),
            Self::NeedsInput => texts::needs_input(),
            Self::Idle => texts::idle(),
            Self::Holding => texts::holding(),
            Self::Completed => texts::completed(),
            Self::Failed => texts::failed(),
            Self::Stopped => texts::stopped(),
        }
    }

    /// A sentence of [`SemanticState::worded`] for a reader: the state's own words in the language that is spoken.
    pub fn said(self, sentence: &str) -> &str {
        match self {
            _ if sentence != self.facts().fallback => sentence,
            Self::Working => texts::works(),
            _ => self.label(),
        }
    }

    /// The name on the wire, the inverse of [`SemanticState::parse`].
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// What a row of this state says: the text, or the state's own words where the text is empty or only one of the words
    /// that this state ever had (reference B.1): a label that was changed does not live on in stored texts.
    pub fn worded(self, text: &str) -> &str {
        let facts = self.facts();
        let said = text.trim();
        if said.is_empty() || facts.generic.contains(&said) { facts.fallback } else { text }
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

impl Classification {
    /// It for a reader: the reason in the language that is spoken here.
    #[must_use]
    pub fn retold(self) -> Self {
        Self { reason: board_text::retold(&self.reason).into_owned(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_text::{Language, speaking};
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

    // What is read is translated; what is stored and compared is not.
    #[test]
    fn i8_labels_are_read_in_each_language_and_stored_in_english() {
        for state in SemanticState::ALL {
            let facts = state.facts();
            assert_eq!((state.label(), state.said(facts.fallback)), (facts.label, facts.fallback));
            for language in [Language::Chinese, Language::Japanese] {
                speaking(language, || {
                    assert!(!state.label().is_ascii() && !state.said(facts.fallback).is_ascii());
                    assert_eq!(state.worded(""), facts.fallback);
                    assert_eq!(state.said("reads the log"), "reads the log");
                    assert_eq!(crate::filter::state_named(state.label()), Some(state));
                    assert_eq!(crate::filter::state_named(facts.label), Some(state));
                });
            }
        }
    }

    /// Every word that a state ever had. These lists only grow: a store may hold any of them.
    #[test]
    fn words_of_states_are_never_forgotten() {
        use SemanticState as S;
        let ever: [(S, &[&str]); 8] = [
            (S::Queued, &["Queued"]),
            (S::Working, &["Working", "Working…", "Running", "Running…"]),
            (S::NeedsInput, &["Needs input", "Needs answer"]),
            (S::Idle, &["Idle", "In Progress", "Needs instructions"]),
            (S::Holding, &["On hold"]),
            (S::Completed, &["Completed", "Done"]),
            (S::Failed, &["Failed"]),
            (S::Stopped, &["Stopped"]),
        ];
        for (state, words) in ever {
            let facts = state.facts();
            for word in words.iter().copied().chain([facts.label, facts.fallback]) {
                assert!(facts.generic.contains(&word), "{word} was a word for {state:?}");
                assert_eq!(state.worded(word), facts.fallback);
            }
            for empty in ["", " \n"] {
                assert_eq!(state.worded(empty), facts.fallback);
            }
        }
        // Another state's word is what somebody said.
        assert_eq!(S::Idle.worded("Done"), "Done");
        assert_eq!(S::Completed.worded("Done."), "Done.");
        assert_eq!(S::Idle.worded(" In Progress "), "Needs instructions");
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
        let labels: BTreeSet<_> = SemanticState::ALL.into_iter().map(SemanticState::label).collect();
        assert_eq!(labels.len(), SemanticState::ALL.len(), "no two groups are one");
    }

    /// The table of reference B.1 as it is printed there, and nothing computed.
    #[test]
    fn the_table_is_the_one_of_the_reference() {
        use ColourRole as C;
        type Printed =
            (&'static str, &'static str, [&'static str; 2], [&'static str; 2], C, (u8, u8, u8), &'static str);
        #[rustfmt::skip]
        let table: [Printed; 8] = [
            ("queued", "Queued", ["○", "◎"], ["○", "◎"], C::Muted, (148, 163, 184), "Queued"),
            ("working", "Running", ["●", "◉"], ["◐", "◕"], C::Accent, (56, 189, 248), "Running…"),
            ("needs_input", "Needs answer", ["◇", "◆"], ["◇", "◆"], C::Warning, (245, 158, 11), "Needs answer"),
            ("idle", "Needs instructions", ["·", "◌"], ["·", "◌"], C::Dim, (129, 140, 248), "Needs instructions"),
            ("holding", "On hold", ["◑", "◒"], ["◑", "◒"], C::Warning, (251, 191, 36), "On hold"),
            ("completed", "Done", ["✓", "✔"], ["✓", "✔"], C::Success, (34, 197, 94), "Done"),
            ("failed", "Failed", ["✗", "✖"], ["✗", "✖"], C::Error, (248, 113, 113), "Failed"),
            ("stopped", "Stopped", ["▪", "■"], ["▪", "■"], C::Muted, (100, 116, 139), "Stopped"),
        ];
        let ours = SemanticState::ALL.map(|state| {
            let f = state.facts();
            (f.name, f.label, f.glyphs, f.glyphs_not_alive, f.role, f.classic, f.fallback)
        });
        assert_eq!(ours, table);
    }
}
