//! Unnumbered output of a host from before it is known whether that host sends snapshots: pure; owned by the machine.

/// Most of it that is kept: the newest. Such a host sends a whole picture when it is asked for another size anyway.
const MAX_BYTES: usize = 256 * 1024;

/// The newest of it.
#[derive(Debug, Default)]
pub(super) struct Undecided(Vec<u8>);

impl Undecided {
    /// Keeps a piece.
    pub(super) fn push(&mut self, data: &[u8]) {
        self.0.extend_from_slice(data);
        let over = self.0.len().saturating_sub(MAX_BYTES);
        self.0.drain(..over);
    }

    /// Hands it over.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_is_kept() {
        let mut undecided = Undecided::default();
        undecided.push(b"old");
        undecided.push(&vec![b'x'; MAX_BYTES - 1]);
        undecided.push(b"z");
        let kept = undecided.take();
        assert_eq!((kept.len(), kept.first(), kept.last()), (MAX_BYTES, Some(&b'x'), Some(&b'z')));
        assert!(undecided.take().is_empty());
    }
}
