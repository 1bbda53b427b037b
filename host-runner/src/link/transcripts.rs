//! Reads a part of a session's transcript for a board, on a thread of its own: a file system that hangs keeps nobody else
//! waiting, and only so many threads.

use super::queries;
use crate::transcript::{Places, Source, pieces, transcript};
use board_protocol::{pipe::QueryPart, transcript::TranscriptWindow};
use board_text::link as texts;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use tokio::sync::mpsc;

/// Most files that are read at a time. Several boards may look; what hangs longer than a question lasts counts too.
const MAX_READERS: usize = 4;

/// What was read, for which question.
pub(super) type Read = (u64, Vec<QueryPart>);

/// Starts readers and counts them.
#[derive(Debug)]
pub(super) struct Transcripts {
    places: Places,
    readers: Arc<AtomicUsize>,
    done: mpsc::UnboundedSender<Read>,
}

impl Transcripts {
    pub(super) fn new(places: Places, done: mpsc::UnboundedSender<Read>) -> Self {
        Self { places, readers: Arc::default(), done }
    }

    /// Reads, and says what came of it, in every case.
    pub(super) fn read(&self, id: u64, source: Box<Source>, window: TranscriptWindow) {
        let (readers, done, places) = (Arc::clone(&self.readers), self.done.clone(), self.places.clone());
        if readers.fetch_add(1, Ordering::Relaxed) >= MAX_READERS {
            readers.fetch_sub(1, Ordering::Relaxed);
            let _ = done.send((id, queries::problem(texts::transcripts_busy())));
            return;
        }
        tokio::task::spawn_blocking(move || {
            let parts = match transcript(&source, &places) {
                Ok(found) => pieces(&found, window),
                Err(text) => queries::problem(&text),
            };
            readers.fetch_sub(1, Ordering::Relaxed);
            let _ = done.send((id, parts));
        });
    }
}
