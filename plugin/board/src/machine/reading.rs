//! The view of a transcript: which part of it is shown, where in it the person reads, and when another part is asked for.
//!
//! One part is held at a time. At the end of the newest part the view follows what is said; whoever scrolls up stays with
//! what they read, because items are counted from the oldest one. Beyond the edge of a part lies the next one.

use super::Board;
use crate::{
    keymap::{Room, Scroll},
    notice::Level,
};
use board_protocol::{
    pipe::{QueryKind, QueryPart},
    transcript::{TranscriptHead, TranscriptItem, TranscriptWindow},
};
use board_text::notice as texts;

/// Most bytes of one text that is put together of pieces; the link sends fewer.
const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Where the person reads.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The part that is asked for.
    pub(super) window: TranscriptWindow,
    /// Lines of it above the first one that is shown; beyond its end: at its end.
    pub(crate) top: usize,
    /// Where to be in the part that is wanted, if that is another one than the one that is shown.
    landing: Option<usize>,
}

impl Default for Reading {
    fn default() -> Self {
        Self { window: TranscriptWindow::Newest, top: usize::MAX, landing: None }
    }
}

impl Reading {
    /// Whether another part is wanted than the one that is shown.
    pub(super) const fn has_moved(&self) -> bool {
        self.landing.is_some()
    }
}

impl Board {
    /// Opens the transcript of the selected session: whoever does has read what it says.
    pub(super) fn open_transcript(&mut self) {
        if let Some(row) = self.selected_row()
            && row.generic
        {
            let text = texts::no_transcript(&row.name);
            return self.tell(Level::Warn, &text);
        }
        self.views.reading = Reading::default();
        self.view(Room::Transcript);
        self.read_by_person();
    }

    /// The person has seen what the selected session said.
    pub(super) fn read_by_person(&mut self) {
        if let Some(id) = self.selection.id.clone().filter(|_| self.page == Room::Transcript) {
            self.visit(&id);
        }
    }

    /// What the shown part is, and its items, whole again.
    pub(crate) fn transcript(&self) -> Option<(&TranscriptHead, Vec<TranscriptItem>)> {
        let (first, rest) = self.told(QueryKind::Transcript)?.split_first()?;
        let QueryPart::Transcript(head) = first else { return None };
        let mut items: Vec<(u32, TranscriptItem)> = Vec::new();
        for part in rest {
            let QueryPart::Said(piece) = part else { continue };
            match items.last_mut().filter(|(number, _)| *number == piece.number) {
                Some((_, item)) => append(item, &piece.item),
                None => items.push((piece.number, piece.item.clone())),
            }
        }
        Some((head, items.into_iter().map(|(_, item)| item).collect()))
    }

    pub(crate) fn transcript_place(&self) -> Option<&TranscriptHead> {
        match self.told(QueryKind::Transcript)?.first()? {
            QueryPart::Transcript(head) => Some(head),
            _ => None,
        }
    }

    pub(super) fn scroll_transcript(&mut self, scroll: Scroll) {
        let Some(head) = self.transcript_place().cloned() else { return };
        let (page, end) = self.scrollable.get();
        let from = self.views.reading.top.min(end);
        let next = head.first.saturating_add(head.count);
        let (first, last) = (head.first == 0, next >= head.total);
        match scroll {
            Scroll::Up | Scroll::PageUp if from == 0 && !first => {
                return self.go_to_part(TranscriptWindow::Before(head.first), usize::MAX);
            }
            Scroll::Down | Scroll::PageDown if from == end && !last => {
                return self.go_to_part(TranscriptWindow::From(next), 0);
            }
            Scroll::Top if !first => return self.go_to_part(TranscriptWindow::From(0), 0),
            Scroll::End if !last => return self.go_to_part(TranscriptWindow::Newest, usize::MAX),
            _ => {}
        }
        let top = match scroll {
            Scroll::Up => from.saturating_sub(1),
            Scroll::PageUp => from.saturating_sub(page),
            Scroll::Top => 0,
            Scroll::Down => from + 1,
            Scroll::PageDown => from + page,
            Scroll::End => end,
        };
        let reading = &mut self.views.reading;
        // A part on its way is no longer wanted: the person reads here.
        reading.landing = None;
        let follows = last && top >= end;
        reading.window = if follows { TranscriptWindow::Newest } else { TranscriptWindow::From(head.first) };
        reading.top = if follows { usize::MAX } else { top.min(end) };
        self.changed();
    }

    fn go_to_part(&mut self, window: TranscriptWindow, landing: usize) {
        let reading = &mut self.views.reading;
        if reading.landing.is_some() && reading.window == window {
            return;
        }
        (reading.window, reading.landing) = (window, Some(landing));
        self.drop_question(QueryKind::Transcript);
        self.changed();
    }

    /// A part came: the person stands where they went, or where they were.
    pub(super) fn transcript_came(&mut self) {
        let first = self.transcript_place().map(|head| head.first);
        let (_, end) = self.scrollable.get();
        let here = self.room == Room::Transcript;
        let reading = &mut self.views.reading;
        match reading.landing.take() {
            Some(top) => reading.top = top,
            // Lines that were added below do not move what is read.
            None if reading.window != TranscriptWindow::Newest && here => reading.top = reading.top.min(end),
            None => {}
        }
        if let (TranscriptWindow::Before(_), Some(first)) = (reading.window, first) {
            reading.window = TranscriptWindow::From(first);
        }
    }
}

/// Puts a piece behind the pieces before it.
fn append(item: &mut TranscriptItem, more: &TranscriptItem) {
    if item.text.len() + more.text.len() <= MAX_TEXT_BYTES {
        item.text.push_str(&more.text);
    }
    if let Some(output) = &more.output {
        item.output = Some(output.clone());
    }
}
