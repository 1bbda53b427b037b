//! Code references of a session: issues and change requests that it is about (reference A.12).

use crate::board::Reference;
use serde::{Deserialize, Serialize};

/// Everything that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct References {
    /// By the rules of which code host: `github`, `gitlab`, `generic` or one of the person's own; empty when nobody has
    /// looked yet.
    pub provider: String,
    /// The strongest first, then the latest; at most ten.
    pub found: Vec<FoundReference>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundReference {
    /// What it is.
    pub reference: Reference,
    /// How it was met: `claim`, `action`, `view` or `mention`.
    pub strength: String,
    /// Where: `command`, `output`, `text`, `branch` or `worktree`.
    pub source: String,
}
