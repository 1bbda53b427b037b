//! Keys by which a person leaves an attach pane or skips what is waited for in it: how they are written in the configuration, and every way in which a terminal
//! sends them (decision 7). Pure.

use std::fmt;

const SHIFT: u32 = 1;
const ALT: u32 = 2;
const CTRL: u32 = 4;
/// Caps Lock and Num Lock, which do not matter.
const LOCKS: u32 = 64 | 128;

/// Most keys that leave: more are a mistake.
pub const MAX_CHORDS: usize = 8;

/// Named keys: how each is written, and the end of its control sequence.
const NAMED: [(&str, Key); 23] = [
    ("left", Key::Final(b'D')),
    ("right", Key::Final(b'C')),
    ("up", Key::Final(b'A')),
    ("down", Key::Final(b'B')),
    ("home", Key::Final(b'H')),
    ("end", Key::Final(b'F')),
    ("insert", Key::Tilde(2)),
    ("delete", Key::Tilde(3)),
    ("pageup", Key::Tilde(5)),
    ("pagedown", Key::Tilde(6)),
    ("f1", Key::Final(b'P')),
    ("f2", Key::Final(b'Q')),
    ("f3", Key::Final(b'R')),
    ("f4", Key::Final(b'S')),
    ("f5", Key::Tilde(15)),
    ("f6", Key::Tilde(17)),
    ("f7", Key::Tilde(18)),
    ("f8", Key::Tilde(19)),
    ("f9", Key::Tilde(20)),
    ("f10", Key::Tilde(21)),
    ("f11", Key::Tilde(23)),
    ("f12", Key::Tilde(24)),
    ("space", Key::Char(b' ')),
];
/// F3 of terminals that speak the kitty protocol: `CSI R` is a cursor report there.
const KITTY_F3: u32 = 13;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    /// A printable character of ASCII, letters in lower case.
    Char(u8),
    /// `CSI 1 ; modifiers X`; without modifiers `CSI X` or `ESC O X`.
    Final(u8),
    /// `CSI number ; modifiers ~`.
    Tilde(u32),
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chord {
    modifiers: u32,
    key: Key,
}

/// Whether an ESC came right before a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// No.
    Nothing,
    /// Yes: that is how Alt is sent.
    Escape,
}

impl Chord {
    /// Ctrl+\ and Ctrl+Left.
    pub const DEFAULT: [Self; 2] =
        [Self { modifiers: CTRL, key: Key::Char(b'\\') }, Self { modifiers: CTRL, key: Key::Final(b'D') }];

    /// Alt+w (skips waits).
    pub const SKIP: [Self; 1] = [Self { modifiers: ALT, key: Key::Char(b'w') }];

    /// Reads one, such as `ctrl+\`, `alt+q`, `ctrl+alt+left` or `f12`. `None` for one that is no key, that is needed for
    /// typing, or that no terminal can tell from another (Ctrl+I is Tab, Ctrl+M is Enter).
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let mut modifiers = 0;
        for _ in 0..3 {
            for (name, bit) in [("ctrl+", CTRL), ("alt+", ALT), ("shift+", SHIFT)] {
                let after = rest.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name));
                if let (Some(_), Some(after)) = (after, rest.get(name.len()..))
                    && modifiers & bit == 0
                    && !after.is_empty()
                {
                    modifiers |= bit;
                    rest = after;
                }
            }
        }
        let named = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(rest));
        let key = match (named, rest.as_bytes()) {
            (Some((_, key)), _) => *key,
            (None, [byte @ 0x21..=0x7e]) => Key::Char(byte.to_ascii_lowercase()),
            _ => return None,
        };
        let is_function = named.is_some_and(|(name, _)| name.starts_with('f'));
        let usable = match key {
            // With Shift a terminal sends another character.
            Key::Char(_) if modifiers & SHIFT != 0 || modifiers == 0 => false,
            Key::Char(byte) if modifiers == CTRL => {
                !matches!(byte, b'i' | b'm' | b'j' | b'[') && control(byte).is_some()
            }
            // ESC [ and its like begin the sequences of other keys.
            Key::Char(byte) if modifiers == ALT => {
                !matches!(byte, b'[' | b'o' | b']' | b'p' | b'_' | b'^' | b'x')
            }
            Key::Char(byte) => control(byte).is_some_and(|control| control != 0x1b),
            Key::Final(_) | Key::Tilde(_) => modifiers != 0 || is_function,
        };
        usable.then_some(Self { modifiers, key })
    }

    /// Whether a byte outside of a control sequence is this key.
    pub fn is_byte(&self, byte: u8, prefix: Prefix) -> bool {
        let Key::Char(own) = self.key else { return false };
        let expected = match prefix {
            Prefix::Nothing => 0,
            Prefix::Escape => ALT,
        };
        if self.modifiers & ALT != expected {
            return false;
        }
        if self.modifiers & CTRL == 0 { byte == own } else { control(own) == Some(byte) }
    }

    /// Whether a whole control sequence is this key, pressed or repeated.
    pub fn is_sequence(&self, sequence: &[u8]) -> bool {
        if let (Some([b'O', last]), Key::Final(own)) = (sequence.get(1..), self.key) {
            return self.modifiers == 0 && *last == own;
        }
        let Some((&last, body)) = sequence.get(2..).and_then(<[u8]>::split_last) else { return false };
        let Ok(body) = std::str::from_utf8(body) else { return false };
        let parameters: Vec<&str> = body.split(';').collect();
        let modified = |modifiers: &str| has_modifiers(modifiers, self.modifiers);
        match (self.key, last, parameters.as_slice()) {
            // kitty: code[:alternates] ; modifiers[:event] [; text]
            (Key::Char(own), b'u', [code, modifiers, ..]) => {
                number(code) == Some(u32::from(own)) && modified(modifiers)
            }
            // xterm's modifyOtherKeys: 27 ; modifiers ; code ~
            (Key::Char(own), b'~', ["27", modifiers, code]) => {
                number(code) == Some(u32::from(own)) && modified(modifiers)
            }
            (Key::Final(own), _, ["1", modifiers]) if own == last => modified(modifiers),
            (Key::Final(own), _, [""] | ["1"]) if own == last => self.modifiers == 0,
            (Key::Final(b'R'), b'~', [code, modifiers]) => {
                number(code) == Some(KITTY_F3) && modified(modifiers)
            }
            (Key::Final(b'R'), b'~', [code]) => number(code) == Some(KITTY_F3) && self.modifiers == 0,
            (Key::Tilde(own), b'~', [code, modifiers]) => number(code) == Some(own) && modified(modifiers),
            (Key::Tilde(own), b'~', [code]) => number(code) == Some(own) && self.modifiers == 0,
            _ => false,
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, bit) in [("ctrl", CTRL), ("alt", ALT), ("shift", SHIFT)] {
            if self.modifiers & bit != 0 {
                write!(f, "{name}+")?;
            }
        }
        match (NAMED.iter().find(|(_, key)| *key == self.key), self.key) {
            (Some((name, _)), _) => f.write_str(name),
            (None, Key::Char(byte)) => write!(f, "{}", char::from(byte)),
            (None, Key::Final(_) | Key::Tilde(_)) => Ok(()),
        }
    }
}

/// The byte that Ctrl makes of a character, in terminals as they have always been.
fn control(byte: u8) -> Option<u8> {
    match byte {
        b' ' | b'@' => Some(0),
        b'a'..=b'z' | b'[' | b'\\' | b']' | b'^' | b'_' => Some(byte & 0x1f),
        b'/' => Some(0x1f),
        _ => None,
    }
}

/// The first of the sub-parameters.
fn number(parameter: &str) -> Option<u32> {
    parameter.split(':').next()?.parse().ok()
}

/// Exactly these, pressed or repeated; Caps Lock and Num Lock do not matter.
pub(super) fn has_modifiers(modifiers: &str, wanted: u32) -> bool {
    let released = modifiers.split(':').nth(1) == Some("3");
    let pressed = number(modifiers).and_then(|modifiers| modifiers.checked_sub(1));
    !released && pressed.is_some_and(|modifiers| modifiers & !LOCKS == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Sequences = &'static [&'static [u8]];

    #[test]
    fn a_key_is_written_as_it_is_read() {
        for text in ["ctrl+\\", "ctrl+left", "alt+q", "ctrl+alt+d", "f12", "shift+f3", "ctrl+space", "alt++"]
        {
            assert_eq!(Chord::parse(text).map(|chord| chord.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Chord::parse("Ctrl+D").map(|chord| chord.to_string()).as_deref(), Some("ctrl+d"));
        let default = ["ctrl+\\", "ctrl+left"].map(|text| Chord::parse(text).unwrap());
        assert_eq!(default, Chord::DEFAULT);
    }

    #[test]
    fn what_is_needed_for_typing_or_cannot_be_told_apart_is_none() {
        let none = [
            "",
            "q",
            "shift+q",
            "ctrl+",
            "ctrl",
            "left",
            "home",
            "delete",
            "ctrl+i",
            "ctrl+m",
            "ctrl+j",
            "ctrl+[",
            "alt+[",
            "ctrl+1",
            "ctrl+é",
            "super+q",
            "ctrl+ctrl+q",
            "f13",
            "ctrl+shift+q",
            "ctrl+alt+[",
        ];
        for text in none {
            assert_eq!(Chord::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn every_encoding_of_a_key_is_known_and_no_neighbour() {
        let table: [(&str, Sequences, Sequences); 5] = [
            (
                "alt+q",
                &[b"\x1b[113;3u", b"\x1b[27;3;113~"],
                &[b"\x1b[113;5u", b"\x1b[113u", b"\x1b[113;3:3u"],
            ),
            ("f12", &[b"\x1b[24~", b"\x1b[24;1~", b"\x1b[24;65~"], &[b"\x1b[24;5~", b"\x1b[23~"]),
            ("f1", &[b"\x1bOP", b"\x1b[P", b"\x1b[1;1P"], &[b"\x1bOQ", b"\x1b[1;5P"]),
            ("shift+f3", &[b"\x1b[1;2R", b"\x1b[13;2~"], &[b"\x1b[13~", b"\x1b[1;1R"]),
            ("ctrl+delete", &[b"\x1b[3;5~"], &[b"\x1b[3~", b"\x1b[2;5~"]),
        ];
        for (text, own, others) in table {
            let chord = Chord::parse(text).unwrap();
            for sequence in own {
                assert!(chord.is_sequence(sequence), "{text} {}", sequence.escape_ascii());
            }
            for sequence in others {
                assert!(!chord.is_sequence(sequence), "{text} {}", sequence.escape_ascii());
            }
        }
        let is_byte = |text: &str, byte, prefix| Chord::parse(text).unwrap().is_byte(byte, prefix);
        assert!(is_byte("ctrl+d", 4, Prefix::Nothing) && !is_byte("ctrl+d", 4, Prefix::Escape));
        assert!(is_byte("alt+q", b'q', Prefix::Escape) && !is_byte("alt+q", b'q', Prefix::Nothing));
        assert!(is_byte("ctrl+alt+d", 4, Prefix::Escape));
        assert!(is_byte("ctrl+space", 0, Prefix::Nothing));
    }
}
