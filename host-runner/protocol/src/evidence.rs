//! Evidence: what there is to show for a session's work (reference A.8): commands, changed files, errors, claims, cost.
//!
//! Made from an agent's neutral events, by the daemon for a session in a terminal and by the run process for a headless
//! run; kept by the daemon beside the journal, bounded. It moves no row and gates nothing.

use crate::{ids::UnixMs, run::RunUsage, state::SemanticState};
use board_text::Language;
use board_text::session as texts;
use serde::{Deserialize, Serialize};

/// Longest beginning of a command's output that is kept, in characters (reference A.8).
pub const MAX_OUTPUT_PREVIEW: usize = 500;
/// Longest claim that is kept, in characters (reference A.8).
pub const MAX_CLAIM: usize = 12_000;
/// Longest command line that is kept, in characters (reference A.12 reads as many).
pub const MAX_COMMAND: usize = 4_000;
/// Most items in one report of a run.
pub const MAX_ITEMS_IN_REPORT: usize = 64;

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceItem {
    /// A command that the agent ran. A later one with the same id replaces it.
    Command(CommandEvidence),
    /// A file that the agent changed. One of the same path counts up.
    FileChange(FileChange),
    /// Something that failed.
    Error(ErrorEvidence),
    /// What the agent says of its work.
    Claim(Claim),
    /// What it cost; every one is added.
    Usage(RunUsage),
}

/// A command that the agent ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandEvidence {
    /// The id of the tool call.
    pub id: String,
    /// When it began.
    pub at_ms: UnixMs,
    /// The command line, at most [`MAX_COMMAND`]; secrets are taken out.
    pub command: String,
    /// What it is for.
    pub kind: CommandKind,
    /// How it stands.
    pub status: CommandStatus,
    /// Its exit code: 0 and 1 where the agent says only whether it failed.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// How long it ran.
    #[serde(default)]
    pub duration_ms: Option<u64>,
    /// The beginning of what it printed, at most [`MAX_OUTPUT_PREVIEW`].
    #[serde(default)]
    pub output_preview: Option<String>,
}

/// What a command is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandKind {
    /// It tests.
    Test,
    /// It builds.
    Build,
    /// It checks style or types.
    Lint,
    /// It talks to git.
    Git,
    /// It installs.
    Install,
    /// Something else.
    #[default]
    Other,
}

/// How a command stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandStatus {
    /// It runs.
    Started,
    /// It succeeded.
    Passed,
    /// It failed.
    Failed,
    /// Nothing was heard of its end.
    #[default]
    Unknown,
}

/// A file that the agent changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Its path, as the agent names it.
    pub path: String,
    /// What was done to it.
    pub action: FileAction,
    /// By which tool.
    pub tool: String,
    /// When first.
    pub first_seen_at_ms: UnixMs,
    /// When last.
    pub last_seen_at_ms: UnixMs,
    /// How often.
    pub count: u32,
}

/// What was done to a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    /// A part of it was changed.
    Edited,
    /// It was written whole.
    Written,
    /// It was deleted.
    Deleted,
    /// The agent does not say.
    #[default]
    Unknown,
}

/// Something that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorEvidence {
    /// When.
    pub at_ms: UnixMs,
    /// Who says so: `tool`, `model`, `run`.
    pub source: String,
    /// What, plain and cut.
    pub message: String,
    /// The tool, if it was one.
    #[serde(default)]
    pub tool: Option<String>,
}

/// What the agent says of its work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// When.
    pub at_ms: UnixMs,
    /// Its words with white space collapsed, at most [`MAX_CLAIM`].
    pub text: String,
}

/// All the evidence of a session. Every list is bounded and in the order of time, newest last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Evidence {
    /// What it says in short.
    pub review: Review,
    /// One line: the beginning of the last claim, at most 240 characters.
    pub summary: Option<String>,
    /// Commands.
    pub commands: Vec<CommandEvidence>,
    /// Changed files.
    pub file_changes: Vec<FileChange>,
    /// Errors.
    pub errors: Vec<ErrorEvidence>,
    /// Claims.
    pub claims: Vec<Claim>,
    /// What it cost.
    pub usage: RunUsage,
    /// Items that were dropped at a bound.
    pub dropped: u64,
    /// Where more is: the agent's transcript and the text of the last screen.
    pub transcript: Option<String>,
}

/// What the evidence of a session says in short (ReviewSummary of reference A.8); part of its row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Review {
    /// Whether its work can be looked at.
    pub ready: bool,
    /// How it came out: a state's name, `unknown`, `in_progress` or `ready`.
    pub outcome: String,
    /// Changed files.
    pub file_changes: u32,
    /// Commands.
    pub commands: u32,
    /// Commands that failed.
    pub failed_commands: u32,
    /// Errors.
    pub errors: u32,
    /// The beginning of the last claim, at most 180 characters.
    pub latest_claim: Option<String>,
    /// When the evidence last changed.
    pub updated_at_ms: Option<UnixMs>,
}

impl Review {
    /// How it came out, for a reader: a state, or one of three words beside them (reference A.8).
    #[must_use]
    pub fn outcome_said(&self) -> String {
        let name = self.outcome.as_str();
        match (SemanticState::parse(name), name) {
            // In English it has been said by its name ever since.
            _ if board_text::language() == Language::English => name.replace('_', " "),
            (Some(state), _) => state.label().to_owned(),
            (None, "ready") => texts::ready().to_owned(),
            (None, "in_progress") => texts::in_progress().to_owned(),
            (None, "unknown") => texts::unknown().to_owned(),
            (None, other) => other.replace('_', " "),
        }
    }
}
