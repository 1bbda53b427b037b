//! Lines of a session's file in, what was said out. Pure: the same lines give the same items.
//!
//! Lenient: a line that is no JSON, or of a kind that nobody knows, says nothing and costs only itself (the last line of a
//! file that is being written is often a part of one).

use super::{
    branch::{self, Extent},
    claude, codex, pi,
};
use board_protocol::{
    ids::UnixMs,
    transcript::{TranscriptItem, TranscriptRole},
};
use serde_json::Value;
use std::collections::VecDeque;

/// What is kept of a file.
const LIMITS: Limits = Limits { entries: 100_000, bytes: 16 * 1024 * 1024 };
/// Most bytes of an id of an entry or a tool call; a longer one is none.
const MAX_ID_BYTES: usize = 128;
/// What an entry without texts is counted as, in bytes.
const ENTRY_BYTES: usize = 64;

/// How much of a file is kept: the newest of it. The entries of [`LIMITS`] take about 20 MiB of ids at the worst.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) entries: usize,
    /// Bytes of texts.
    pub(super) bytes: usize,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// pi's sessions.
    Pi,
    /// Claude Code's transcripts.
    Claude,
    /// Codex's rollouts.
    Codex,
}

/// What was said in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Transcript {
    /// Everything, oldest first.
    pub(crate) items: Vec<TranscriptItem>,
    /// Where the agent says that the session runs.
    pub(crate) cwd: Option<String>,
    /// Whether something was left out: the beginning of a long file, or a line that was too long.
    pub(crate) incomplete: bool,
}

/// One line that counts.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) id: Option<Box<str>>,
    pub(super) parent: Parent,
    pub(super) pieces: Vec<Piece>,
    /// What an agent below this one says is no part of the conversation.
    pub(super) aside: bool,
}

/// Which entry comes before one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Parent {
    /// None.
    Root,
    /// The line before it.
    #[default]
    Previous,
    /// The one with this id.
    Id(Box<str>),
}

/// What an entry adds to the conversation.
#[derive(Debug)]
pub(super) enum Piece {
    /// Something that was said.
    Item(TranscriptItem),
    /// A tool begins.
    Call(Box<str>, TranscriptItem),
    /// A tool has ended.
    Answer(Answer),
}

/// What came of a tool.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) call: Box<str>,
    /// The tool, where the answer names it.
    pub(super) tool: Option<String>,
    pub(super) output: String,
    pub(super) failed: bool,
    pub(super) at: Option<UnixMs>,
}

impl Piece {
    fn bytes(&self) -> usize {
        match self {
            Self::Item(item) | Self::Call(_, item) => item.text.len() + item.label.len(),
            Self::Answer(answer) => answer.output.len(),
        }
    }
}

impl Entry {
    fn bytes(&self) -> usize {
        ENTRY_BYTES + self.pieces.iter().map(Piece::bytes).sum::<usize>()
    }

    /// Adds something that was said, unless it is blank.
    pub(super) fn say(&mut self, role: TranscriptRole, label: &str, text: String, at_ms: Option<UnixMs>) {
        if !text.trim().is_empty() {
            self.pieces.push(Piece::Item(item(role, label, text, at_ms)));
        }
    }
}

/// An item that is no tool's.
pub(super) fn item(role: TranscriptRole, label: &str, text: String, at_ms: Option<UnixMs>) -> TranscriptItem {
    TranscriptItem { role, label: super::words::label(label), text, output: None, failed: false, at_ms }
}

/// An id, if it is one.
pub(super) fn id(value: Option<&Value>) -> Option<Box<str>> {
    value?.as_str().filter(|id| !id.is_empty() && id.len() <= MAX_ID_BYTES).map(Into::into)
}

/// Takes the lines of one file, in order.
#[derive(Debug)]
pub(super) struct Parser {
    format: Format,
    limits: Limits,
    entries: VecDeque<Entry>,
    bytes: usize,
    cwd: Option<String>,
    incomplete: bool,
}

impl Parser {
    pub(super) const fn new(format: Format) -> Self {
        Self::within(LIMITS, format)
    }

    /// A parser that keeps less, or more.
    pub(super) const fn within(limits: Limits, format: Format) -> Self {
        Self { format, limits, entries: VecDeque::new(), bytes: 0, cwd: None, incomplete: false }
    }

    /// Something before the next line is not there.
    pub(super) const fn gap(&mut self) {
        self.incomplete = true;
    }

    /// One line, without its end.
    pub(super) fn line(&mut self, line: &[u8]) {
        let Ok(value) = serde_json::from_str::<Value>(&String::from_utf8_lossy(line)) else { return };
        if self.cwd.is_none() {
            self.cwd = match self.format {
                Format::Pi | Format::Claude => value.get("cwd"),
                Format::Codex => value.pointer("/payload/cwd"),
            }
            .and_then(Value::as_str)
            .map(super::words::label_of_path);
        }
        let entry = match self.format {
            Format::Pi => pi::entry(&value),
            Format::Claude => claude::entry(&value),
            Format::Codex => codex::entry(&value),
        };
        let Some(entry) = entry else { return };
        self.bytes += entry.bytes();
        self.entries.push_back(entry);
        while self.entries.len() > self.limits.entries || self.bytes > self.limits.bytes {
            let Some(oldest) = self.entries.pop_front() else { break };
            self.bytes -= oldest.bytes();
            self.incomplete = true;
        }
    }

    /// Everything that the active branch says.
    pub(super) fn finish(self) -> Transcript {
        let Self { entries, cwd, incomplete, .. } = self;
        let extent = if incomplete { Extent::Part } else { Extent::Whole };
        Transcript { items: branch::items(entries.into(), extent), cwd, incomplete }
    }
}
