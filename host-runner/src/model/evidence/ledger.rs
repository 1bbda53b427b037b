//! What is kept of a session's evidence: one row for each item, within limits, and the sums of all of them. Pure.
//!
//! Called by the store inside a commit: for each new item it looks for the row of the same [`Place`], lets [`Tally::take`]
//! put the two together, and deletes the oldest of too many.

use super::texts;
use crate::model::auto_state::text_hash;
use board_protocol::{
    evidence::{CommandEvidence, CommandStatus, EvidenceItem, FileAction},
    ids::UnixMs,
    run::RunUsage,
};
use serde::{Deserialize, Serialize};

/// Longest beginning of the last claim in a row, in characters (reference A.8).
const MAX_LATEST_CLAIM: usize = 180;
/// Longest summary, in characters (reference A.8).
const MAX_SUMMARY: usize = 240;

/// The kinds of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kept {
    /// Commands.
    Command,
    /// Changed files.
    File,
    /// Errors.
    Error,
    /// Claims.
    Claim,
}

impl Kept {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Command, Self::File, Self::Error, Self::Claim];

    /// Its name in the store; never renamed or reused.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::File => "file",
            Self::Error => "error",
            Self::Claim => "claim",
        }
    }

    /// Most rows of a session. With the limits of the texts in them that is 2 MB for a session that uses up all of them,
    /// and 100 KB for one that worked for a day.
    pub const fn limit(self) -> u32 {
        match self {
            // As many as references to issues are looked for in (reference A.12).
            Self::Command => 200,
            // A change of more files is generated, and no person reads a longer list.
            Self::File => 500,
            // The newest explain the state; a row says how many there were.
            Self::Error => 100,
            // More than twice those in which references are looked for (reference A.12).
            Self::Claim => 50,
        }
    }

    /// How many rows stay where there were too many: a tenth goes at once, so that not every item has to delete one.
    pub const fn after_trim(self) -> u32 {
        self.limit() - self.limit() / 10
    }
}

/// Where an item is kept. One of the same place takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Among which.
    pub kind: Kept,
    /// Under which name.
    pub key: String,
    /// By which time the oldest are known.
    pub at: UnixMs,
}

/// Where an item is kept; `None` for one that only adds up.
pub fn place(item: &EvidenceItem) -> Option<Place> {
    let (kind, key, at) = match item {
        EvidenceItem::Command(command) => (Kept::Command, command.id.clone(), command.at_ms),
        EvidenceItem::FileChange(file) => (Kept::File, file.path.clone(), file.last_seen_at_ms),
        EvidenceItem::Error(error) => {
            (Kept::Error, format!("{:016} {}", error.at_ms.0, text_hash(&error.message)), error.at_ms)
        }
        // Said once more, it is the same claim.
        EvidenceItem::Claim(claim) => (Kept::Claim, text_hash(&claim.text), claim.at_ms),
        EvidenceItem::Usage(_) => return None,
    };
    Some(Place { kind, key, at })
}

/// The sums of a session's evidence. They count what was dropped as well.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tally {
    /// Changed files.
    pub files: u32,
    /// Commands.
    pub commands: u32,
    /// Commands that failed.
    pub failed_commands: u32,
    /// Errors.
    pub errors: u32,
    /// The beginning of the last claim, for its row.
    pub latest_claim: Option<String>,
    /// A longer beginning of it.
    pub summary: Option<String>,
    /// What it cost.
    pub usage: RunUsage,
    /// When something was added.
    pub updated_at: UnixMs,
    /// Items that were dropped at a limit.
    pub dropped: u64,
    /// Rows in the store, in the order of [`Kept::ALL`].
    pub(super) kept: [u32; 4],
}

impl Tally {
    /// Puts an item together with the one of its place, and counts. Gives what is kept at that place from now on.
    pub fn take(
        &mut self,
        item: EvidenceItem,
        earlier: Option<EvidenceItem>,
        now: UnixMs,
    ) -> Option<EvidenceItem> {
        self.updated_at = self.updated_at.max(now);
        let is_new = u32::from(earlier.is_none());
        let (kind, item) = match item {
            EvidenceItem::Usage(usage) => {
                self.usage = added(self.usage, usage);
                return None;
            }
            EvidenceItem::Command(command) => {
                let earlier = match earlier {
                    Some(EvidenceItem::Command(earlier)) => Some(earlier),
                    _ => None,
                };
                let failed = |command: &CommandEvidence| u32::from(command.status == CommandStatus::Failed);
                let before = earlier.as_ref().map_or(0, failed);
                let command = continued(command, earlier);
                self.commands = self.commands.saturating_add(is_new);
                self.failed_commands =
                    self.failed_commands.saturating_add(failed(&command)).saturating_sub(before);
                (Kept::Command, EvidenceItem::Command(command))
            }
            EvidenceItem::FileChange(mut file) => {
                self.files = self.files.saturating_add(is_new);
                if let Some(EvidenceItem::FileChange(earlier)) = earlier {
                    file.count = file.count.saturating_add(earlier.count);
                    file.first_seen_at_ms = file.first_seen_at_ms.min(earlier.first_seen_at_ms);
                    file.last_seen_at_ms = file.last_seen_at_ms.max(earlier.last_seen_at_ms);
                    if file.action == FileAction::Unknown {
                        file.action = earlier.action;
                    }
                }
                (Kept::File, EvidenceItem::FileChange(file))
            }
            EvidenceItem::Error(error) => {
                self.errors = self.errors.saturating_add(is_new);
                (Kept::Error, EvidenceItem::Error(error))
            }
            EvidenceItem::Claim(claim) => {
                self.latest_claim = Some(texts::line(&claim.text, MAX_LATEST_CLAIM));
                self.summary = Some(texts::line(&claim.text, MAX_SUMMARY));
                (Kept::Claim, EvidenceItem::Claim(claim))
            }
        };
        if let Some(kept) = self.kept.get_mut(kind as usize) {
            *kept = kept.saturating_add(is_new);
        }
        Some(item)
    }

    /// Rows of a kind in the store.
    pub fn kept(&self, kind: Kept) -> u32 {
        self.kept.get(kind as usize).copied().unwrap_or(0)
    }

    /// All its rows in the store.
    pub fn all_kept(&self) -> u32 {
        self.kept.iter().sum()
    }

    /// So many rows of a kind are left in the store.
    pub fn trimmed(&mut self, kind: Kept, left: u32) {
        if let Some(kept) = self.kept.get_mut(kind as usize) {
            self.dropped = self.dropped.saturating_add(u64::from(kept.saturating_sub(left)));
            *kept = left;
        }
    }
}

/// A later word about a command. The end of one whose beginning nobody remembered carries its id alone.
fn continued(mut command: CommandEvidence, earlier: Option<CommandEvidence>) -> CommandEvidence {
    let Some(earlier) = earlier else { return command };
    let has_ended = matches!(earlier.status, CommandStatus::Passed | CommandStatus::Failed);
    if has_ended && matches!(command.status, CommandStatus::Started | CommandStatus::Unknown) {
        return earlier;
    }
    if command.command.is_empty() {
        if matches!(command.status, CommandStatus::Passed | CommandStatus::Failed) {
            command.duration_ms =
                command.duration_ms.or_else(|| command.at_ms.0.checked_sub(earlier.at_ms.0));
        }
        (command.command, command.kind, command.at_ms) = (earlier.command, earlier.kind, earlier.at_ms);
    }
    command.output_preview = command.output_preview.or(earlier.output_preview);
    command
}

fn added(one: RunUsage, other: RunUsage) -> RunUsage {
    RunUsage {
        read: one.read.saturating_add(other.read),
        written: one.written.saturating_add(other.written),
        cost_micros: match (one.cost_micros, other.cost_micros) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        },
        turns: one.turns.saturating_add(other.turns),
        tools: one.tools.saturating_add(other.tools),
    }
}

#[cfg(test)]
mod tests;
