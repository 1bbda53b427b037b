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
    /// After an ESC inside a string.
    Ending,
}

/// Follows one stream of output.
#[derive(Debug, Default)]
pub struct Boundary(State);

impl Boundary {
    /// Follows a piece of output.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(&byte) = rest.first() {
            let skip = match self.0 {
                State::Ground => memchr::memchr(ESC, rest),
                State::Command => memchr::memchr3(ESC, 0x07, 0x18, rest),
                State::Text => memchr::memchr2(ESC, 0x18, rest),
                State::Escape | State::Control | State::Ending => Some(0),
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

fn next(state: State, byte: u8) -> State {
    match (state, byte) {
        // CAN and SUB end everything.
        (_, 0x18 | 0x1a) => State::Ground,
        (State::Ground | State::Escape | State::Control, ESC) => State::Escape,
        (State::Command | State::Text | State::Ending, ESC) => State::Ending,
        (State::Command, 0x07) | (State::Ending, b'\\') => State::Ground,
        (State::Ending, _) => next(State::Escape, byte),
        (State::Escape, b'[') => State::Control,
        (State::Escape, b']') => State::Command,
        (State::Escape, b'P' | b'X' | b'^' | b'_') => State::Text,
        (State::Escape, 0x30..=0x7e) | (State::Control, 0x40..=0x7e) => State::Ground,
        (state, _) => state,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
