//! Names of keys, and the bytes that a terminal sends for them. Pure.
//!
//! Called by the tool `terminal_send`, whose `keys` are names and nothing else: text is never searched for them. The
//! encoding is xterm's, which every program understands.

use board_protocol::terminals::CursorKeys;
use std::fmt;

/// What a key sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One byte, whatever else is pressed, but for Alt.
    Byte(u8),
    /// `ESC [ <letter>`, in the application mode `ESC O <letter>`.
    Cursor(u8),
    /// `ESC O <letter>`.
    Function(u8),
    /// `ESC [ <number> ~`.
    Numbered(u8),
}

/// Every key with a name. The first name of each is the one that is shown.
const KEYS: [(&[&str], Kind); 28] = [
    (&["Enter", "Return"], Kind::Byte(b'\r')),
    (&["Tab"], Kind::Byte(b'\t')),
    (&["Escape", "Esc"], Kind::Byte(0x1b)),
    (&["Backspace"], Kind::Byte(0x7f)),
    (&["Space"], Kind::Byte(b' ')),
    (&["Plus"], Kind::Byte(b'+')),
    (&["Up"], Kind::Cursor(b'A')),
    (&["Down"], Kind::Cursor(b'B')),
    (&["Right"], Kind::Cursor(b'C')),
    (&["Left"], Kind::Cursor(b'D')),
    (&["Home"], Kind::Cursor(b'H')),
    (&["End"], Kind::Cursor(b'F')),
    (&["Insert"], Kind::Numbered(2)),
    (&["Delete"], Kind::Numbered(3)),
    (&["PageUp"], Kind::Numbered(5)),
    (&["PageDown"], Kind::Numbered(6)),
    (&["F1"], Kind::Function(b'P')),
    (&["F2"], Kind::Function(b'Q')),
    (&["F3"], Kind::Function(b'R')),
    (&["F4"], Kind::Function(b'S')),
    (&["F5"], Kind::Numbered(15)),
    (&["F6"], Kind::Numbered(17)),
    (&["F7"], Kind::Numbered(18)),
    (&["F8"], Kind::Numbered(19)),
    (&["F9"], Kind::Numbered(20)),
    (&["F10"], Kind::Numbered(21)),
    (&["F11"], Kind::Numbered(23)),
    (&["F12"], Kind::Numbered(24)),
];

/// A name that is none of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownKey(String);

impl fmt::Display for UnknownKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no key that a terminal can send. Keys: {}", self.0, known())
    }
}

/// The names of all keys, for descriptions and refusals.
pub(crate) fn known() -> String {
    let names: Vec<&str> = KEYS.iter().filter_map(|(names, _)| names.first().copied()).collect();
    format!(
        "{}; one character (a, ?); Ctrl+ with a letter, Space or one of @ [ \\ ] ^ _ ?; Alt+ with any of these; Shift+, Alt+ and Ctrl+ with the cursor keys, Home, End, Insert, Delete, PageUp, PageDown and F1 to F12; Shift+Tab; Ctrl+Backspace",
        names.join(", ")
    )
}

/// The keys that are held down together with one.
#[derive(Debug, Clone, Copy, Default)]
struct Modifiers {
    shift: u8,
    alt: u8,
    ctrl: u8,
}

impl Modifiers {
    /// xterm's parameter: 1, and a bit for each.
    const fn parameter(self) -> u8 {
        1 + self.shift + 2 * self.alt + 4 * self.ctrl
    }
}

/// The bytes of one key.
///
/// # Errors
/// No terminal has such a key, or programs could not tell it from another one.
pub(crate) fn encode(name: &str, cursor: CursorKeys) -> Result<Vec<u8>, UnknownKey> {
    let unknown = || UnknownKey(name.chars().take(40).collect());
    let (modifiers, key) = split(name).ok_or_else(unknown)?;
    let mut characters = key.chars();
    let bytes = match (characters.next(), characters.next()) {
        (Some(character), None) => plain(character, modifiers),
        _ => {
            let named = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(key));
            KEYS.iter()
                .find(|(names, _)| named(names))
                .and_then(|(_, kind)| special(*kind, modifiers, cursor))
        }
    };
    bytes.ok_or_else(unknown)
}

/// The modifiers in front of a key, and the key.
fn split(name: &str) -> Option<(Modifiers, &str)> {
    let mut modifiers = Modifiers::default();
    let mut rest = name;
    // A plus sign that ends the name is the key itself.
    while let Some((word, after)) =
        rest.split_once('+').filter(|(word, after)| !word.is_empty() && !after.is_empty())
    {
        let which = match word.to_ascii_lowercase().as_str() {
            "ctrl" | "control" => &mut modifiers.ctrl,
            "alt" | "meta" => &mut modifiers.alt,
            "shift" => &mut modifiers.shift,
            _ => return None,
        };
        if std::mem::replace(which, 1) == 1 {
            return None;
        }
        rest = after;
    }
    Some((modifiers, rest))
}

/// A character: what the keyboard makes of it.
fn plain(character: char, modifiers: Modifiers) -> Option<Vec<u8>> {
    if character.is_control() {
        return None;
    }
    let mut bytes = Vec::new();
    if modifiers.alt == 1 {
        bytes.push(0x1b);
    }
    match (modifiers.ctrl, modifiers.shift) {
        (0, 0) => bytes.extend(character.to_string().into_bytes()),
        // What Shift makes of other characters is the keyboard's secret: the character itself can be sent.
        (0, _) if character.is_ascii_lowercase() => bytes.push(character.to_ascii_uppercase() as u8),
        (1, 0) => bytes.push(control(character)?),
        _ => return None,
    }
    Some(bytes)
}

/// The control character of a key.
fn control(character: char) -> Option<u8> {
    match character {
        'a'..='z' | 'A'..='Z' => Some(character.to_ascii_uppercase() as u8 - b'@'),
        '@' | '[' | '\\' | ']' | '^' | '_' => Some(character as u8 - b'@'),
        '?' => Some(0x7f),
        _ => None,
    }
}

fn special(kind: Kind, modifiers: Modifiers, cursor: CursorKeys) -> Option<Vec<u8>> {
    let parameter = modifiers.parameter();
    Some(match kind {
        Kind::Byte(byte) => return one_byte(byte, modifiers),
        Kind::Cursor(letter) if parameter == 1 && cursor == CursorKeys::Application => {
            vec![0x1b, b'O', letter]
        }
        Kind::Cursor(letter) if parameter == 1 => vec![0x1b, b'[', letter],
        Kind::Function(letter) if parameter == 1 => vec![0x1b, b'O', letter],
        Kind::Cursor(letter) | Kind::Function(letter) => {
            format!("\x1b[1;{parameter}{}", char::from(letter)).into_bytes()
        }
        Kind::Numbered(number) if parameter == 1 => format!("\x1b[{number}~").into_bytes(),
        Kind::Numbered(number) => format!("\x1b[{number};{parameter}~").into_bytes(),
    })
}

/// A key of one byte. A terminal has no other way to say most of what may be held down with it.
fn one_byte(byte: u8, modifiers: Modifiers) -> Option<Vec<u8>> {
    let mut bytes = match (byte, modifiers.ctrl, modifiers.shift) {
        (_, 0, 0) => vec![byte],
        (b'\t', 0, 1) => b"\x1b[Z".to_vec(),
        (b' ', 1, 0) => vec![0],
        (0x7f, 1, 0) => vec![0x08],
        _ => return None,
    };
    if modifiers.alt == 1 {
        bytes.insert(0, 0x1b);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_key_sends_what_xterm_sends() {
        let table: [(&str, &[u8]); 40] = [
            ("Enter", b"\r"),
            ("return", b"\r"),
            ("Tab", b"\t"),
            ("Escape", b"\x1b"),
            ("esc", b"\x1b"),
            ("Backspace", b"\x7f"),
            ("Space", b" "),
            ("Plus", b"+"),
            ("+", b"+"),
            ("a", b"a"),
            ("A", b"A"),
            ("é", "é".as_bytes()),
            ("Ctrl+C", b"\x03"),
            ("ctrl+c", b"\x03"),
            ("Control+D", b"\x04"),
            ("Ctrl+[", b"\x1b"),
            ("Ctrl+\\", b"\x1c"),
            ("Ctrl+_", b"\x1f"),
            ("Ctrl+?", b"\x7f"),
            ("Ctrl+Space", b"\0"),
            ("Ctrl+@", b"\0"),
            ("Ctrl+Backspace", b"\x08"),
            ("Alt+x", b"\x1bx"),
            ("Alt++", b"\x1b+"),
            ("Alt+Enter", b"\x1b\r"),
            ("Alt+Ctrl+C", b"\x1b\x03"),
            ("Shift+a", b"A"),
            ("Shift+Tab", b"\x1b[Z"),
            ("Up", b"\x1b[A"),
            ("Down", b"\x1b[B"),
            ("Right", b"\x1b[C"),
            ("Left", b"\x1b[D"),
            ("Home", b"\x1b[H"),
            ("End", b"\x1b[F"),
            ("Ctrl+Left", b"\x1b[1;5D"),
            ("Shift+Alt+Up", b"\x1b[1;4A"),
            ("Delete", b"\x1b[3~"),
            ("Ctrl+PageDown", b"\x1b[6;5~"),
            ("F1", b"\x1bOP"),
            ("F12", b"\x1b[24~"),
        ];
        for (name, bytes) in table {
            assert_eq!(encode(name, CursorKeys::Normal).unwrap(), bytes, "{name}");
        }
        assert_eq!(encode("Shift+F2", CursorKeys::Normal).unwrap(), b"\x1b[1;2Q");
        assert_eq!(encode("Ctrl+F5", CursorKeys::Normal).unwrap(), b"\x1b[15;5~");
    }

    #[test]
    fn a_program_that_asked_for_application_cursor_keys_gets_them() {
        assert_eq!(encode("Up", CursorKeys::Application).unwrap(), b"\x1bOA");
        assert_eq!(encode("Home", CursorKeys::Application).unwrap(), b"\x1bOH");
        assert_eq!(encode("Ctrl+Up", CursorKeys::Application).unwrap(), b"\x1b[1;5A");
        assert_eq!(encode("PageUp", CursorKeys::Application).unwrap(), b"\x1b[5~");
    }

    #[test]
    fn what_is_no_key_is_refused_with_the_list_of_those_there_are() {
        for name in [
            "",
            "Entr",
            "Hyper+a",
            "Ctrl+1",
            "Ctrl+é",
            "Shift+1",
            "Shift+Enter",
            "Ctrl+Ctrl+c",
            "ls -l",
            "F13",
            "\u{1b}",
        ] {
            let refusal = encode(name, CursorKeys::Normal).unwrap_err().to_string();
            assert!(refusal.contains("PageDown") && refusal.contains("F12"), "{name:?}: {refusal}");
        }
        let long = encode(&"x".repeat(5_000), CursorKeys::Normal).unwrap_err().to_string();
        assert!(long.len() < 1_000, "{long}");
    }

    #[test]
    fn every_listed_name_is_a_key() {
        for (names, _) in KEYS {
            for name in names {
                assert!(encode(name, CursorKeys::Normal).is_ok(), "{name}");
            }
        }
    }
}
