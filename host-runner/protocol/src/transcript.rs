//! What was said in a session, in words that are the same for every agent.
//!
//! Made by `host-runner`'s transcript readers from an agent's own file, printed by the command line and shown by the
//! board. Every text is plain: line breaks are kept, other control characters are not.

use crate::ids::UnixMs;
use serde::{Deserialize, Serialize};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptRole {
    /// The person.
    You,
    /// The agent.
    Agent,
    /// The agent, to itself.
    Thinking,
    /// A tool that the agent used: what it was given, and what came of it.
    Tool,
    /// An extension of the agent's.
    Custom,
    /// The agent's program: a summary, a compaction, an error.
    Note,
}

/// One thing that was said or done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptItem {
    /// Who.
    pub role: TranscriptRole,
    /// The same in a word for people: `you`, the name of a tool, the kind of a note.
    pub label: String,
    /// What was said; of a tool, what it was given.
    pub text: String,
    /// What a tool answered; `None` while it runs, and for everything that is no tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Whether a tool failed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed: bool,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<UnixMs>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Which part of a transcript is wanted. Items are counted from the oldest one, which is 0: what is added at the end
/// moves no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptWindow {
    /// The newest items.
    Newest,
    /// The items from this one on.
    From(u32),
    /// The items before this one.
    Before(u32),
}

/// What the items that follow are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptHead {
    /// The number of the first one.
    pub first: u32,
    /// How many there are in this part.
    pub count: u32,
    /// How many there are in all.
    pub total: u32,
    /// Where the agent says that its session runs.
    #[serde(default)]
    pub cwd: Option<String>,
    /// Whether the file is so long that its beginning was not read, or lines of it were too long to be read.
    #[serde(default)]
    pub incomplete: bool,
}

/// An item on its way to a board, or a piece of one: a long item comes in several of the same number, whose texts are
/// put together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptPiece {
    /// The number of the item.
    pub number: u32,
    /// The item, with as much of its texts as is in this piece.
    pub item: TranscriptItem,
}
