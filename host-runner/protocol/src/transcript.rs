//! What was said in a session, in words that are the same for every agent.
//!
//! Made by `host-runner`'s transcript readers from an agent's own file, printed by the command line and shown by the
//! board. Every text is plain: line breaks are kept, other control characters are not.

use crate::ids::UnixMs;
use board_text::transcript as texts;
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
    /// The same in a word: `you`, the name of a tool, the kind of a note. English, as scripts get it.
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

impl TranscriptItem {
    /// Its label in the language that is spoken. The names of tools and of extensions are the same everywhere, and so is
    /// a word that is not known here.
    pub fn label_said(&self) -> &str {
        match (self.role, self.label.as_str()) {
            (TranscriptRole::Tool, "your shell") => texts::label_shell(),
            (TranscriptRole::Tool, "web search") => texts::label_search(),
            (TranscriptRole::Tool | TranscriptRole::Custom, name) => name,
            (_, "you") => texts::label_you(),
            (_, "agent") => texts::label_agent(),
            (_, "thinking") => texts::label_thinking(),
            (_, "summary") => texts::label_summary(),
            (_, "compaction") => texts::label_compaction(),
            (_, "branch summary") => texts::label_branch(),
            (_, "error") => texts::label_error(),
            (_, "note") => texts::label_note(),
            (_, "command") => texts::label_command(),
            (_, "your shell") => texts::label_shell(),
            (_, "background") => texts::label_background(),
            (_, other) => other,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use board_text::{Language, speaking};

    #[test]
    fn i8_a_label_is_read_in_each_language_and_the_name_of_a_tool_in_its_own() {
        let labels = [
            (TranscriptRole::You, "you", "你"),
            (TranscriptRole::Agent, "agent", "Agent"),
            (TranscriptRole::Thinking, "thinking", "思考"),
            (TranscriptRole::Note, "branch summary", "分支摘要"),
            (TranscriptRole::Note, "your shell", "你的 shell"),
            (TranscriptRole::Note, "a word of a later build", "a word of a later build"),
            (TranscriptRole::Tool, "your shell", "你的 shell"),
            (TranscriptRole::Tool, "command", "command"),
            (TranscriptRole::Custom, "agent", "agent"),
        ];
        for (role, label, chinese) in labels {
            let (text, output, at_ms) = (String::new(), None, None);
            let item = TranscriptItem { role, label: label.to_owned(), text, output, failed: false, at_ms };
            assert_eq!(item.label_said(), label);
            assert_eq!(speaking(Language::Chinese, || item.label_said().to_owned()), chinese, "{role:?}");
        }
    }
}
