//! What the diagnostics of a session say in short (reference A.9); the lines themselves are [`crate::daemon::LogLine`]s.

use crate::{daemon::LogLevel, ids::UnixMs};
use serde::{Deserialize, Serialize};

/// A count of diagnostics, and the newest of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DiagnosticSummary {
    /// How many are kept.
    pub count: u32,
    /// Warnings among them.
    pub warning_count: u32,
    /// Errors among them.
    pub error_count: u32,
    /// When the newest was written.
    pub last_at_ms: Option<UnixMs>,
    /// How grave it is.
    pub last_level: Option<LogLevel>,
    /// Its short word.
    pub last_code: Option<String>,
    /// What it says.
    pub last_message: Option<String>,
    /// Whether the newest word about a silence is that it is too long.
    pub stalled: bool,
    /// That word.
    pub stall_reason: Option<String>,
}

/// Codes that say that a silence is too long.
pub const STALLED: [&str; 2] = ["provider_stall", "stalled"];
/// Codes that say that it is over.
pub const STALL_RESOLVED: [&str; 2] = ["provider_stall_resolved", "stall_resolved"];
