//! A snapshot on its way to the client: its parts, and the live output between them. Pure; owned by the machine.

use board_protocol::ids::{OutputSeq, Size};

/// Most bytes of one snapshot, live output between its parts included: more is not a terminal's screen.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// What has arrived.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arriving {
    seq: Option<OutputSeq>,
    size: Size,
    bytes: Vec<u8>,
    /// Live output that came between its parts.
    after: Vec<Vec<u8>>,
    after_bytes: usize,
}

/// A whole one.
#[derive(Debug, PartialEq)]
pub(super) struct Whole {
    /// The last chunk that is shown with it.
    pub(super) shown: OutputSeq,
    pub(super) size: Size,
    pub(super) bytes: Vec<u8>,
    pub(super) after: Vec<Vec<u8>>,
}

/// The parts do not make a snapshot: a fresh one is needed (reference E.4: never stitched).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken;

impl Arriving {
    /// Its beginning.
    pub(super) fn new(seq: Option<OutputSeq>, size: Size) -> Self {
        Self { seq, size, bytes: Vec::new(), after: Vec::new(), after_bytes: 0 }
    }

    /// The last chunk that is in it so far.
    fn last(&self) -> OutputSeq {
        OutputSeq(self.seq.unwrap_or_default().0 + self.after.len() as u64)
    }

    /// A part.
    pub(super) fn frame(&mut self, data: &[u8]) -> Result<(), Broken> {
        if self.bytes.len() + self.after_bytes + data.len() > MAX_BYTES {
            return Err(Broken);
        }
        self.bytes.extend_from_slice(data);
        Ok(())
    }

    /// Live output between the parts: kept in order, counted once.
    pub(super) fn output(&mut self, seq: OutputSeq, data: Vec<u8>) -> Result<(), Broken> {
        if seq <= self.last() {
            return Ok(());
        }
        // Of a session that has printed, the screen comes before what follows it.
        let no_screen = self.seq.is_some() && self.bytes.is_empty();
        if seq != self.last().next()
            || no_screen
            || self.bytes.len() + self.after_bytes + data.len() > MAX_BYTES
        {
            return Err(Broken);
        }
        self.after_bytes += data.len();
        self.after.push(data);
        Ok(())
    }

    /// Its end, which has to follow from its beginning and what came between.
    pub(super) fn finish(self, next: OutputSeq) -> Result<Whole, Broken> {
        let shown = self.last();
        let no_screen = self.seq.is_some() && self.bytes.is_empty();
        if next != shown.next() || no_screen {
            return Err(Broken);
        }
        Ok(Whole { shown, size: self.size, bytes: self.bytes, after: self.after })
    }
}
