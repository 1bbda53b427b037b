//! Keys as the bytes that a plain xterm sends.

/// Arrow up.
pub const UP: &str = "\x1b[A";
/// Arrow down.
pub const DOWN: &str = "\x1b[B";
/// Arrow right.
pub const RIGHT: &str = "\x1b[C";
/// Arrow left.
pub const LEFT: &str = "\x1b[D";
/// Home.
pub const HOME: &str = "\x1b[H";
/// Ctrl and arrow left.
pub const CTRL_LEFT: &str = "\x1b[1;5D";
/// Return.
pub const ENTER: &str = "\r";
/// Escape.
pub const ESC: &str = "\x1b";
/// Backspace.
pub const BACKSPACE: &str = "\x7f";
/// Tabulator.
pub const TAB: &str = "\t";
/// Ctrl and backslash: leaves an attach pane.
pub const DETACH: &str = "\x1c";

/// Ctrl and a letter.
///
/// # Panics
/// It is no ASCII letter.
pub fn ctrl(letter: char) -> String {
    assert!(letter.is_ascii_alphabetic(), "{letter:?} is no letter");
    char::from(letter.to_ascii_lowercase() as u8 & 0x1f).to_string()
}

/// Alt and a character.
pub fn alt(character: char) -> String {
    format!("\x1b{character}")
}

/// A paste, bracketed.
pub fn paste(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}
