//! The newest output chunks with their numbers, for clients that missed a few. Used by the host loop; never looks at
//! the bytes.

use board_protocol::ids::OutputSeq;
use std::collections::VecDeque;

/// Most chunks that are kept: at the usual 4 KiB a read this is more than [`MAX_RING_BYTES`] (reference E.2).
pub(super) const MAX_RING_CHUNKS: usize = 2_048;
/// Most bytes that are kept, but for a single larger chunk (reference E.2).
pub(super) const MAX_RING_BYTES: usize = 1024 * 1024;
/// What [`OutputRing::shrink`] leaves: nobody is attached, and who comes later gets a snapshot (reference E.2).
pub(super) const SHRUNK_RING_BYTES: usize = 256 * 1024;

/// Numbered output chunks, from 1, without gaps; the oldest go first, the newest never.
#[derive(Debug, Default)]
pub struct OutputRing {
    chunks: VecDeque<Box<[u8]>>,
    bytes: usize,
    /// The number of the newest chunk that is gone; 0 when none is.
    evicted_through: u64,
}

impl OutputRing {
    /// An empty ring; the first chunk gets number 1.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a chunk and returns its number. Evicts what is over the limits.
    pub fn push(&mut self, bytes: &[u8]) -> OutputSeq {
        self.chunks.push_back(bytes.into());
        self.bytes += bytes.len();
        self.cut(MAX_RING_BYTES);
        self.last().unwrap_or_default()
    }

    /// The number of the newest chunk; `None` before the first one.
    pub fn last(&self) -> Option<OutputSeq> {
        let last = self.evicted_through.saturating_add(self.chunks.len() as u64);
        (last > 0).then_some(OutputSeq(last))
    }

    /// The number that the next chunk will get.
    pub fn next_seq(&self) -> OutputSeq {
        self.last().unwrap_or_default().next()
    }

    /// Everything after `since`, oldest first. `None` when a part of it is gone, or when `since` was never given out.
    pub fn after(&self, since: OutputSeq) -> Option<impl Iterator<Item = (OutputSeq, &[u8])>> {
        if since < OutputSeq(self.evicted_through) || since >= self.next_seq() {
            return None;
        }
        let skipped = usize::try_from(since.0 - self.evicted_through).ok()?;
        let numbered = (self.evicted_through + 1..).map(OutputSeq).zip(self.chunks());
        Some(numbered.skip(skipped))
    }

    /// Everything that is kept, oldest first.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(AsRef::as_ref)
    }

    /// Cuts the ring to [`SHRUNK_RING_BYTES`] and returns the memory.
    pub fn shrink(&mut self) {
        self.cut(SHRUNK_RING_BYTES);
        self.chunks.shrink_to_fit();
    }

    fn cut(&mut self, limit: usize) {
        while self.chunks.len() > 1 && (self.bytes > limit || self.chunks.len() > MAX_RING_CHUNKS) {
            if let Some(chunk) = self.chunks.pop_front() {
                self.bytes -= chunk.len();
                self.evicted_through += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(ring: &OutputRing, since: u64) -> Option<Vec<u64>> {
        ring.after(OutputSeq(since)).map(|chunks| chunks.map(|(seq, _)| seq.0).collect())
    }

    #[test]
    fn chunks_are_numbered_from_one_without_gaps() {
        let mut ring = OutputRing::new();
        assert_eq!(ring.last(), None);
        assert_eq!(ring.next_seq(), OutputSeq(1));
        assert_eq!(numbers(&ring, 0), Some(vec![]));
        assert_eq!(numbers(&ring, 1), None);
        for n in 1..=3_u8 {
            assert_eq!(ring.push(&[n]), OutputSeq(u64::from(n)));
        }
        assert_eq!(numbers(&ring, 0), Some(vec![1, 2, 3]));
        assert_eq!(numbers(&ring, 2), Some(vec![3]));
        assert_eq!(numbers(&ring, 3), Some(vec![]));
        assert_eq!(numbers(&ring, 4), None, "a number that was never given out");
        let bytes: Vec<u8> =
            ring.after(OutputSeq(1)).into_iter().flatten().flat_map(|(_, b)| b.to_vec()).collect();
        assert_eq!(bytes, [2, 3]);
    }

    #[test]
    fn the_oldest_chunks_go_first_by_count_and_by_bytes() {
        let mut ring = OutputRing::new();
        for _ in 0..MAX_RING_CHUNKS + 5 {
            ring.push(b"x");
        }
        assert_eq!(numbers(&ring, 4), None);
        assert_eq!(numbers(&ring, 5).map(|n| n.len()), Some(MAX_RING_CHUNKS));

        let mut ring = OutputRing::new();
        for _ in 0..5 {
            ring.push(&vec![0; MAX_RING_BYTES / 4]);
        }
        assert_eq!(numbers(&ring, 0), None);
        assert_eq!(numbers(&ring, 1), Some(vec![2, 3, 4, 5]));
    }

    #[test]
    fn the_newest_chunk_stays_whatever_its_size() {
        let mut ring = OutputRing::new();
        ring.push(b"old");
        ring.push(&vec![0; MAX_RING_BYTES * 2]);
        assert_eq!(numbers(&ring, 1), Some(vec![2]));
        ring.shrink();
        assert_eq!(numbers(&ring, 1), Some(vec![2]));
    }

    #[test]
    fn shrinking_keeps_the_newest_quarter_mebibyte() {
        let mut ring = OutputRing::new();
        for _ in 0..16 {
            ring.push(&vec![0; 64 * 1024]);
        }
        ring.shrink();
        assert_eq!(numbers(&ring, 12), Some(vec![13, 14, 15, 16]));
        assert_eq!(numbers(&ring, 11), None);
        assert_eq!(ring.next_seq(), OutputSeq(17));
    }
}
