//! Whether a stream of output stands between two sequences: pure. Only there may the client write something of its own.

const ESC: u8 = 0x1b;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    /// After ESC and intermediates.
    Escape,
    /// In a control sequence.
    Control,
    /// In an OSC, which BEL ends, too.
    Command,
    /// In a DCS, APC, PM or SOS string.
    Text,
}

/// Follows one stream of output.
#[derive(Debug, Default)]
pub struct Boundary(State);

impl Boundary {
    /// Follows a piece of output. Only what stands behind its last ESC is looked at: an ESC ends whatever was said before it,
    /// and what follows means the same after every beginning. In a flood of short sequences that is most of the work saved.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if let Some(last) = memchr::memrchr(ESC, bytes) {
            self.0 = State::Escape;
            rest = bytes.get(last + 1..).unwrap_or_default();
        }
        while let Some(&byte) = rest.first() {
            let skip = match self.0 {
                State::Ground => return,
                State::Command => memchr::memchr3(0x07, 0x18, 0x1a, rest),
                State::Text => memchr::memchr2(0x18, 0x1a, rest),
                State::Escape | State::Control => Some(0),
            };
            let Some(skip) = skip else { return };
            let byte = rest.get(skip).copied().unwrap_or(byte);
            rest = rest.get(skip + 1..).unwrap_or_default();
            self.0 = next(self.0, byte);
        }
    }

    /// Whether nothing is half said.
    pub fn is_ground(&self) -> bool {
        self.0 == State::Ground
    }
}

/// Where a byte other than ESC leads.
fn next(state: State, byte: u8) -> State {
    match (state, byte) {
        // CAN and SUB end everything.
        (_, 0x18 | 0x1a) => State::Ground,
        (State::Command, 0x07) => State::Ground,
        (State::Escape, b'[') => State::Control,
        (State::Escape, b']') => State::Command,
        (State::Escape, b'P' | b'X' | b'^' | b'_') => State::Text,
        // `ESC \\`, which ends a string, is one of these.
        (State::Escape, 0x30..=0x7e) | (State::Control, 0x40..=0x7e) => State::Ground,
        (state, _) => state,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Byte for byte, with the meaning of every ESC: what [`Boundary::feed`] has to come to.
    fn slowly(bytes: &[u8]) -> State {
        bytes
            .iter()
            .fold(State::Ground, |state, byte| if *byte == ESC { State::Escape } else { next(state, *byte) })
    }

    proptest! {
        #[test]
        fn any_pieces_come_to_the_same(
            parts in prop::collection::vec(prop::sample::select(vec![
                &b"\x1b"[..], b"[", b"]", b"\\", b"P", b"(B", b"31m", b"2;t", b"\x07", b"\x18", b"\x1a", b"text", b"\xc3\xa9",
            ]), 0..30),
            step in 1_usize..9,
        ) {
            let bytes = parts.concat();
            let mut boundary = Boundary::default();
            for piece in bytes.chunks(step) {
                boundary.feed(piece);
            }
            prop_assert_eq!(boundary.0, slowly(&bytes));
        }
    }

    #[test]
    fn only_between_sequences_is_ground() {
        let whole = [
            &b"plain"[..],
            b"\x1b[1;31m",
            b"\x1b(B",
            b"\x1b7",
            b"\x1b]2;title\x07",
            b"\x1b]8;;u\x1b\\",
            b"\x1bP1;2|\x07text\x1b\\",
            b"\x1b_x\x18",
            b"\x1b]2;cut off\x1b[m",
        ];
        for sequence in whole {
            for cut in 0..=sequence.len() {
                let (before, after) = sequence.split_at(cut);
                let mut boundary = Boundary::default();
                boundary.feed(before);
                let inside = sequence[0] == 0x1b && cut > 0 && cut < sequence.len();
                assert_eq!(
                    boundary.is_ground(),
                    !inside,
                    "{} | {}",
                    before.escape_ascii(),
                    after.escape_ascii()
                );
                boundary.feed(after);
                boundary.feed(b"text");
                assert!(boundary.is_ground());
            }
        }
    }
}
