//! Parts of a transcript: pages for the command line, windows for boards.
//!
//! Called by `cli/transcript` and by the link. Pure: the transcript has been read.

use super::Transcript;
use board_protocol::{
    pipe::{MAX_PART_TEXT_BYTES, QueryPart},
    text::beginning_of,
    transcript::{TranscriptHead, TranscriptItem, TranscriptPiece, TranscriptWindow},
};
use std::ops::Range;

/// Items on a page.
pub(crate) const PAGE_ITEMS: usize = 50;
/// Most bytes of texts in a window: at 0.4 ms per KiB, zellij's interpreter reads it in about 13 ms. A screen shows 2 to
/// 10 KiB.
const WINDOW_BYTES: usize = 32 * 1024;
/// Most items in a window.
const WINDOW_ITEMS: usize = 100;
/// Most bytes of one text in a window; `host-runner transcript` prints it whole.
const WINDOW_TEXT_BYTES: usize = 12 * 1024;
/// Most bytes of a tool's answer in a window: whoever reads a conversation wants to know how it went.
const WINDOW_OUTPUT_BYTES: usize = 1024;
/// What an item is counted as beside its texts, in bytes of JSON.
const ITEM_BYTES: usize = 160;

impl Transcript {
    /// How many pages there are; a transcript without items has one.
    pub(crate) fn pages(&self) -> usize {
        self.items.len().div_ceil(PAGE_ITEMS).max(1)
    }

    /// The items of a page, counted from 1. What is added later moves no page.
    pub(crate) fn page(&self, number: usize) -> Range<usize> {
        let end = |number: usize| number.saturating_mul(PAGE_ITEMS).min(self.items.len());
        end(number.saturating_sub(1))..end(number)
    }

    /// The newest page's worth of items.
    pub(crate) fn newest(&self) -> Range<usize> {
        self.items.len().saturating_sub(PAGE_ITEMS)..self.items.len()
    }
}

/// The answer to a board.
pub(crate) fn pieces(transcript: &Transcript, window: TranscriptWindow) -> Vec<QueryPart> {
    let range = range(&transcript.items, window);
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let head = TranscriptHead {
        first: number(range.start),
        count: number(range.len()),
        total: number(transcript.items.len()),
        cwd: transcript.cwd.clone(),
        incomplete: transcript.incomplete,
    };
    let items = range.clone().zip(transcript.items.get(range).unwrap_or_default());
    let parts = items.flat_map(|(at, item)| split(number(at), item));
    std::iter::once(QueryPart::Transcript(head)).chain(parts.map(QueryPart::Said)).collect()
}

fn range(items: &[TranscriptItem], window: TranscriptWindow) -> Range<usize> {
    let mut room = WINDOW_BYTES;
    let mut fits = |item: &TranscriptItem| {
        let size = bytes(item);
        let fits = size <= room;
        room = room.saturating_sub(size);
        fits
    };
    let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX).min(items.len());
    match window {
        TranscriptWindow::From(first) => {
            let first = place(first);
            let rest = items.get(first..).unwrap_or_default();
            let count = rest.iter().take(WINDOW_ITEMS).take_while(|item| fits(item)).count();
            first..first + count.max(rest.len().min(1))
        }
        TranscriptWindow::Newest | TranscriptWindow::Before(_) => {
            let end = if let TranscriptWindow::Before(end) = window { place(end) } else { items.len() };
            let before = items.get(..end).unwrap_or_default();
            let count = before.iter().rev().take(WINDOW_ITEMS).take_while(|item| fits(item)).count();
            end - count.max(end.min(1))..end
        }
    }
}

fn bytes(item: &TranscriptItem) -> usize {
    let output = item.output.as_deref().map_or(0, |output| json_bytes(output, WINDOW_OUTPUT_BYTES));
    ITEM_BYTES + json_bytes(&item.text, WINDOW_TEXT_BYTES) + output
}

/// What a plain text, cut like this, takes as JSON: some of its characters are written as two.
fn json_bytes(text: &str, most: usize) -> usize {
    let bytes = text.bytes().take(most);
    bytes.map(|byte| if matches!(byte, b'\n' | b'"' | b'\\') { 2 } else { 1 }).sum()
}

/// An item in pieces of which each fits a page of an answer.
fn split(number: u32, item: &TranscriptItem) -> Vec<TranscriptPiece> {
    let text = cut(&item.text, WINDOW_TEXT_BYTES);
    let output = item.output.as_deref().map(|output| cut(output, WINDOW_OUTPUT_BYTES));
    let mut pieces = Vec::new();
    let mut rest = &*text;
    loop {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(MAX_PART_TEXT_BYTES));
        let output = output.clone().filter(|_| more.is_empty());
        let item = TranscriptItem { text: piece.to_owned(), output, ..without_texts(item) };
        pieces.push(TranscriptPiece { number, item });
        if more.is_empty() {
            return pieces;
        }
        rest = more;
    }
}

/// The beginning of a text; a mark says that it goes on.
fn cut(text: &str, bytes: usize) -> String {
    let beginning = beginning_of(text, bytes);
    if beginning.len() < text.len() { format!("{beginning}…") } else { text.to_owned() }
}

fn without_texts(item: &TranscriptItem) -> TranscriptItem {
    let (label, text, output) = (item.label.clone(), String::new(), None);
    TranscriptItem { role: item.role, label, text, output, failed: item.failed, at_ms: item.at_ms }
}
