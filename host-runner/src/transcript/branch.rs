//! Which entries of a file are the conversation, and what they say in order.
//!
//! pi and Claude Code keep a tree: whoever goes back and says something else leaves a branch. The conversation is the
//! way from the last entry to its root, turned round (reference B.13).
//!
//! Called by [`super::parse`] once every line is an entry. Pure.

use super::parse::{Answer, Entry, Parent, Piece, item};
use board_protocol::transcript::{TranscriptItem, TranscriptRole};
use std::collections::HashMap;

/// Whether entries of the file are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// None: an entry whose parent is not there begins the conversation.
    Whole,
    /// Old ones or long ones: a parent may be among them.
    Part,
}

/// What the active branch of these entries says. Where entries are missing, one whose parent is not there goes on with
/// the line before it.
pub(super) fn items(mut entries: Vec<Entry>, extent: Extent) -> Vec<TranscriptItem> {
    let way = way(&entries, extent);
    let mut on_branch = vec![false; entries.len()];
    let mut told = Told::default();
    for at in way {
        on_branch[at] = true;
        for piece in std::mem::take(&mut entries[at].pieces) {
            told.piece(piece);
        }
    }
    // Tools that ran side by side: Claude Code hangs each answer below its own call, and goes on from only one of them.
    for (entry, on_branch) in entries.into_iter().zip(on_branch) {
        for piece in entry.pieces {
            if let (Piece::Answer(answer), false) = (piece, on_branch) {
                told.late(answer);
            }
        }
    }
    told.items
}

/// The places of the branch's entries, root first. Safe with cycles: no entry is passed twice.
fn way(entries: &[Entry], extent: Extent) -> Vec<usize> {
    let places: HashMap<&str, usize> =
        entries.iter().enumerate().filter_map(|(at, entry)| Some((entry.id.as_deref()?, at))).collect();
    let before = |at: usize| entries[..at].iter().rposition(|entry| !entry.aside);
    let mut passed = vec![false; entries.len()];
    let mut way = Vec::new();
    let mut next = before(entries.len());
    while let Some(at) = next.filter(|at| !passed[*at]) {
        passed[at] = true;
        way.push(at);
        next = match &entries[at].parent {
            Parent::Root => None,
            Parent::Previous => before(at),
            Parent::Id(id) => places.get(&**id).copied().or_else(|| match extent {
                Extent::Part => before(at),
                Extent::Whole => None,
            }),
        };
    }
    way.reverse();
    way
}

/// Items so far, and tools that have not answered.
#[derive(Default)]
struct Told {
    items: Vec<TranscriptItem>,
    running: HashMap<Box<str>, usize>,
}

impl Told {
    fn piece(&mut self, piece: Piece) {
        match piece {
            Piece::Item(item) => self.items.push(item),
            Piece::Call(id, item) => {
                self.running.insert(id, self.items.len());
                self.items.push(item);
            }
            Piece::Answer(answer) => {
                if let Some(answer) = self.answer(answer) {
                    // Its call was not in the file, or is of a kind that is not known.
                    let tool = answer.tool.as_deref().unwrap_or("tool");
                    let mut item = item(TranscriptRole::Tool, tool, String::new(), answer.at);
                    (item.output, item.failed) = (Some(answer.output), answer.failed);
                    self.items.push(item);
                }
            }
        }
    }

    fn late(&mut self, answer: Answer) {
        // What belongs to no call of this branch belongs to another one.
        let _ = self.answer(answer);
    }

    /// Puts an answer to its call; gives it back if there is none.
    fn answer(&mut self, answer: Answer) -> Option<Answer> {
        let Some(at) = self.running.remove(&answer.call) else { return Some(answer) };
        if let Some(item) = self.items.get_mut(at) {
            (item.output, item.failed) = (Some(answer.output), answer.failed);
        }
        None
    }
}
