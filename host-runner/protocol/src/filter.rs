//! The filter of the board and of `ls`: what a person types, and which rows fit. Pure.
//!
//! Source: reference F.6. Words are separated by blanks and compared without case:
//!
//! | word | fits |
//! |---|---|
//! | `s:PREFIX` | rows of the states whose name or label begins so; several such words add up |
//! | `-s:PREFIX` | rows of no such state |
//! | `#TAG`, `-#TAG` | rows with this tag; rows without it |
//! | `diag:stalled` | rows that have been silent for too long |
//! | `evidence:error` | rows with errors in their evidence or among their diagnostics |
//! | `review:ready` | rows whose work can be looked at: needs instructions, on hold, done |
//! | `queued:yes`, `queued:no` | rows for which words of a person wait; rows for which none do |
//! | `steer:STATUS` | rows whose plan stands exactly there: `steer:awaiting-approval`, `steer:none` |
//! | any other word | rows whose name, summary or directory has it |
//!
//! A word that is not complete yet (`s:`, `#`) hides nothing, so that the board does not go blank under the fingers.

use crate::{
    board::Row,
    plan::PlanStatus,
    state::{Readiness, SemanticState},
};
use board_text::protocol as texts;

/// Most words that count: nobody types more, and each is tried on every row.
const MAX_WORDS: usize = 32;

/// What a filter looks at. Rows have it all; the board keeps its rows in a smaller form of its own.
pub trait Filterable {
    /// The group that it stands in.
    fn state(&self) -> SemanticState;
    /// Where words are looked for: name, summary, directory.
    fn texts(&self) -> [&str; 3];
    /// Its tags.
    fn tags(&self) -> impl Iterator<Item = &str>;
    /// Whether it has been silent for too long.
    fn is_stalled(&self) -> bool;
    /// Errors among its diagnostics and in its evidence.
    fn errors(&self) -> u32;
    /// Words of a person that wait for its agent.
    fn queued(&self) -> u32;
    /// Where its plan stands.
    fn plan(&self) -> PlanStatus;
}

impl Filterable for Row {
    fn state(&self) -> SemanticState {
        self.state
    }

    fn texts(&self) -> [&str; 3] {
        [&self.name, &self.summary, &self.cwd]
    }

    fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(String::as_str)
    }

    fn is_stalled(&self) -> bool {
        self.stalled_ms.is_some()
    }

    fn errors(&self) -> u32 {
        self.errors.saturating_add(self.review.as_ref().map_or(0, |review| review.errors))
    }

    fn queued(&self) -> u32 {
        self.queued
    }

    fn plan(&self) -> PlanStatus {
        self.plan
    }
}

/// What a person typed, ready to be tried on rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// States that are asked for; `None` when none was named.
    states: Option<Vec<SemanticState>>,
    terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Term {
    NotIn(Vec<SemanticState>),
    Tagged(String),
    NotTagged(String),
    Stalled,
    HasErrors,
    Ready,
    Queued,
    NotQueued,
    Plan(PlanStatus),
    /// A word that can fit no row.
    Nothing,
    Text(String),
}

impl Filter {
    /// Reads what was typed. Every text is a filter.
    pub fn parse(text: &str) -> Self {
        let mut filter = Self::default();
        for word in text.split_whitespace().take(MAX_WORDS) {
            filter.take(&word.to_lowercase());
        }
        filter
    }

    fn take(&mut self, word: &str) {
        if let Some(prefix) = word.strip_prefix("s:") {
            if !normal(prefix).is_empty() {
                self.states.get_or_insert_default().extend(states_beginning(prefix));
            }
            return;
        }
        self.terms.extend(term(word));
    }

    /// Whether it hides nothing.
    pub fn is_empty(&self) -> bool {
        self.states.is_none() && self.terms.is_empty()
    }

    /// Whether a row fits.
    pub fn fits(&self, row: &impl Filterable) -> bool {
        self.states.as_ref().is_none_or(|states| states.contains(&row.state()))
            && self.terms.iter().all(|term| term.fits(row))
    }
}

/// States as a person writes them.
const STATES: &str = "queued, running, needs-answer, needs-instructions, on-hold, done, failed, stopped";
/// Words with a meaning and all that they can say: what is told to a person whose word fits nothing.
const KNOWN: [(&str, &str); 5] = [
    ("s:", STATES),
    ("diag:", "diag:stalled"),
    ("evidence:", "evidence:error"),
    ("review:", "review:ready"),
    ("queued:", "queued:yes, queued:no"),
];

/// Why the last word with a meaning of its own that is none fits nothing; `None` when there is no such word. A word that
/// is still being typed is none: a beginning of one that is known, at the end of the text.
pub fn unknown_word(text: &str) -> Option<String> {
    let typing = !text.ends_with(char::is_whitespace);
    let words: Vec<String> = text.split_whitespace().take(MAX_WORDS).map(str::to_lowercase).collect();
    let last = words.len().saturating_sub(1);
    words.iter().enumerate().rev().find_map(|(at, word)| explained(word, typing && at == last))
}

fn explained(word: &str, typing: bool) -> Option<String> {
    let bare = word.strip_prefix('-').filter(|bare| bare.starts_with("s:")).unwrap_or(word);
    if let Some(prefix) = bare.strip_prefix("s:") {
        let known = normal(prefix).is_empty() || !states_beginning(prefix).is_empty();
        return (!known).then(|| texts::unknown_state(format!("{prefix:?}"), STATES));
    }
    let (name, value) = word.split_once(':')?;
    let key = format!("{name}:");
    let values = match KNOWN.iter().find(|(known, _)| *known == key) {
        Some((_, values)) => *values,
        // A path or an address is a word to look for; a single word with a colon is meant as a key.
        None if key == "steer:" || value.contains('/') || !name.chars().all(char::is_alphabetic) => {
            return None;
        }
        None => {
            let keys: Vec<&str> = KNOWN.iter().map(|(known, _)| *known).collect();
            return Some(texts::unknown_word(format!("{key:?}"), keys.join(" ")));
        }
    };
    let unfinished = typing && values.split([' ', ',']).any(|known| known.starts_with(word));
    let known = value.is_empty() || unfinished || !matches!(term(word), Some(Term::Text(_)));
    (!known).then(|| texts::unknown_value(format!("{value:?}"), values))
}

/// Whether a text has a word with a meaning of its own, not only words to look for.
pub fn is_filter_query(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.to_lowercase();
        ["s:", "-s:", "#", "-#", "diag:", "evidence:", "review:", "queued:", "steer:"]
            .iter()
            .any(|beginning| word.starts_with(beginning))
    })
}

/// The state with exactly this name or label, however it is written: `on-hold`, `needs_input`, `Running`.
pub fn state_named(word: &str) -> Option<SemanticState> {
    let word = normal(word);
    SemanticState::ALL.into_iter().find(|state| names(*state).into_iter().any(|name| normal(name) == word))
}

fn states_beginning(prefix: &str) -> Vec<SemanticState> {
    let prefix = normal(prefix);
    SemanticState::ALL
        .into_iter()
        .filter(|state| names(*state).into_iter().any(|name| normal(name).starts_with(&prefix)))
        .collect()
}

/// What a state may be called in a filter: its name, its label in English, and the one that is read.
fn names(state: SemanticState) -> [&'static str; 3] {
    [state.name(), state.facts().label, state.label()]
}

/// Letters and digits only, in lower case.
fn normal(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The meaning of a word in lower case; `None` for one that is not complete yet.
fn term(word: &str) -> Option<Term> {
    if let Some(prefix) = word.strip_prefix("-s:") {
        return (!normal(prefix).is_empty()).then(|| Term::NotIn(states_beginning(prefix)));
    }
    if let Some(tag) = word.strip_prefix("-#") {
        return (!tag.is_empty()).then(|| Term::NotTagged(tag.to_owned()));
    }
    if let Some(tag) = word.strip_prefix('#') {
        return (!tag.is_empty()).then(|| Term::Tagged(tag.to_owned()));
    }
    Some(match word {
        "diag:stalled" => Term::Stalled,
        "evidence:error" => Term::HasErrors,
        "review:ready" => Term::Ready,
        "queued:true" | "queued:yes" | "queued:1" => Term::Queued,
        "queued:false" | "queued:no" | "queued:0" => Term::NotQueued,
        "diag:" | "evidence:" | "review:" | "queued:" | "steer:" => return None,
        _ => match word.strip_prefix("steer:") {
            Some(status) => plan_named(status).map_or(Term::Nothing, Term::Plan),
            None => Term::Text(word.to_owned()),
        },
    })
}

/// The status with exactly this name, however it is written: `awaiting-approval`, `AwaitingApproval`.
fn plan_named(word: &str) -> Option<PlanStatus> {
    let word = normal(word);
    PlanStatus::ALL.into_iter().find(|status| normal(status.name()) == word)
}

impl Term {
    fn fits(&self, row: &impl Filterable) -> bool {
        match self {
            Self::NotIn(states) => !states.contains(&row.state()),
            Self::Tagged(tag) => has_tag(row, tag),
            Self::NotTagged(tag) => !has_tag(row, tag),
            Self::Stalled => row.is_stalled(),
            Self::HasErrors => row.errors() > 0,
            Self::Ready => row.state().facts().readiness == Readiness::Ready,
            Self::Queued => row.queued() > 0,
            Self::NotQueued => row.queued() == 0,
            Self::Plan(status) => row.plan() == *status,
            Self::Nothing => false,
            Self::Text(word) => row.texts().iter().any(|text| text.to_lowercase().contains(word)),
        }
    }
}

fn has_tag(row: &impl Filterable, tag: &str) -> bool {
    row.tags().any(|own| own.to_lowercase() == tag)
}

#[cfg(test)]
mod tests;
