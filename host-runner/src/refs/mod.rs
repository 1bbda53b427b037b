//! Code references: which issue and which change request a session is about, found in what it did (reference A.12).
//!
//! Pure, but for [`git`], which asks git about a directory, and [`custom`], whose reader opens one file. Called by the
//! daemon after a session's evidence has changed. Nothing here asks a network: a reference is what commands, texts and
//! names of branches say, with how sure that is.

pub mod custom;
pub mod extract;
pub mod git;
mod mention;
pub mod provider;
pub mod remote;
pub mod rule;

use board_protocol::{
    board::{Reference, ReferenceKind},
    state::Confidence,
};
use rule::Strength;
use serde::{Deserialize, Serialize};

/// Most references of a session that are kept (reference A.12).
pub const MAX_REFERENCES: usize = 10;

/// What was found about a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// The provider's name; empty when nothing was looked for yet.
    pub provider: String,
    /// All references, the strongest first, then the latest; at most [`MAX_REFERENCES`].
    pub all: Vec<Found>,
}

/// One reference, with where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// What it is about.
    pub kind: ReferenceKind,
    /// Its number.
    pub number: u64,
    /// How it was met.
    pub strength: Strength,
    /// As the board shows it.
    pub label: String,
    /// Where it was met: `command`, `output`, `text`, `branch`, `worktree`.
    pub source: String,
    /// Where it is, if that is known.
    pub url: Option<String>,
    /// Counts what was read, oldest first: the later one of two equally strong references is chosen.
    pub last_index: u32,
}

impl Found {
    /// As the board shows it.
    pub fn shown(&self) -> Reference {
        Reference {
            kind: self.kind,
            number: self.number,
            label: self.label.clone(),
            confidence: self.confidence(),
            url: self.url.clone(),
        }
    }

    /// How sure it is: what an agent changed is surer than what it looked at, and that surer than what it spoke about.
    pub const fn confidence(&self) -> Confidence {
        match self.strength {
            Strength::Claim | Strength::Action => Confidence::High,
            Strength::View => Confidence::Medium,
            Strength::Mention => Confidence::Low,
        }
    }
}

impl Snapshot {
    /// The issue and the change request that are shown: of each kind the first.
    pub fn chosen(&self) -> Vec<Reference> {
        [ReferenceKind::Issue, ReferenceKind::ChangeRequest]
            .into_iter()
            .filter_map(|kind| self.all.iter().find(|found| found.kind == kind))
            .map(Found::shown)
            .collect()
    }

    /// This one after another look: one that found nothing never takes away what an earlier one found.
    #[must_use]
    pub fn after(self, newer: Self) -> Self {
        if newer.all.is_empty() { self } else { newer }
    }
}

#[cfg(test)]
mod tests;
