//! Cuts what a worker prints into lines, whatever it prints: a bounded memory, no line lost but those that are too long.
//! Pure.
//!
//! Called by [`super::drive`] with whatever one read gave.

/// Longest line of a worker, in bytes. A message of an agent with a picture in it has about a megabyte; what is longer is
/// no event that anybody could use.
pub(super) const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;
/// What is kept of the memory between lines, in bytes: a usual line.
const KEPT_BYTES: usize = 64 * 1024;

/// A piece of output.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A line without its end.
    Line(&'a [u8]),
    /// A line that was too long, with its length in bytes.
    TooLong(u64),
}

/// What was read of the line that is under way.
#[derive(Debug, Default)]
pub(super) struct Lines {
    open: Vec<u8>,
    /// The length of a line that is too long, so far.
    too_long: Option<u64>,
}

impl Lines {
    /// Takes what was read, and gives every line that is complete with it.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Piece<'_>)) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end);
            self.add(line);
            self.close(&mut each);
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.add(bytes);
    }

    /// The output is over: a last line without an end is one, too.
    pub(super) fn finish(&mut self, mut each: impl FnMut(Piece<'_>)) {
        if !self.open.is_empty() || self.too_long.is_some() {
            self.close(&mut each);
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        let length = bytes.len() as u64;
        if let Some(so_far) = &mut self.too_long {
            *so_far = so_far.saturating_add(length);
        } else if self.open.len() + bytes.len() > MAX_LINE_BYTES {
            self.too_long = Some(self.open.len() as u64 + length);
            self.open = Vec::new();
        } else {
            self.open.extend_from_slice(bytes);
        }
    }

    fn close(&mut self, each: &mut impl FnMut(Piece<'_>)) {
        match self.too_long.take() {
            Some(length) => each(Piece::TooLong(length)),
            None => each(Piece::Line(self.open.strip_suffix(b"\r").unwrap_or(&self.open))),
        }
        self.open.clear();
        self.open.shrink_to(KEPT_BYTES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces(chunks: &[&[u8]]) -> Vec<Result<Vec<u8>, u64>> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let mut each = |piece: Piece<'_>| {
            found.push(match piece {
                Piece::Line(line) => Ok(line.to_vec()),
                Piece::TooLong(length) => Err(length),
            });
        };
        for chunk in chunks {
            lines.push(chunk, &mut each);
        }
        lines.finish(&mut each);
        found
    }

    proptest! {
        #[test]
        fn lines_are_the_same_wherever_reads_are_cut(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..300),
            cuts in proptest::collection::vec(0..300_usize, 0..10),
        ) {
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([bytes.len()]) {
                chunks.push(&bytes[from..cut]);
                from = cut;
            }
            prop_assert_eq!(pieces(&chunks), pieces(&[&bytes]));
        }
    }

    #[test]
    fn a_line_that_is_too_long_costs_itself_and_no_memory() {
        let long = vec![b'x'; 10 * 1024 * 1024];
        let found = pieces(&[b"one\n", &long, &long, b"\r\n", b"two\r\nthree"]);
        let length = 2 * long.len() as u64 + 1;
        assert_eq!(found, [Ok(b"one".to_vec()), Err(length), Ok(b"two".to_vec()), Ok(b"three".to_vec())]);
        let mut lines = Lines::default();
        lines.push(&vec![b'x'; MAX_LINE_BYTES + 1], |_| {});
        assert_eq!(lines.open.capacity(), 0);
    }
}
