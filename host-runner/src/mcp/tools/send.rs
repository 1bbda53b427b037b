//! `terminal_send`: text and keys for the program in a terminal.

use super::{Effect, Outcome, define, read_arguments};
use crate::mcp::{
    desk::{Desk, Reply},
    keys,
    results::{Answered, Done},
    trouble::Trouble,
};
use board_protocol::terminals::{CursorKeys, TerminalAnswer, TerminalAsk};
use rmcp::{
    model::{JsonObject, Tool},
    schemars::{self, JsonSchema},
};
use serde::Deserialize;

pub(super) const NAME: &str = "terminal_send";

/// Most bytes of one call: what somebody could type or paste. More belongs into a file.
const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Most keys of one call.
const MAX_KEYS: usize = 256;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The terminal's id.
    id: String,
    /// Written as it is, before the keys; empty for keys alone. No names of keys are looked for in it.
    text: String,
    /// Press Enter after everything else.
    #[serde(default)]
    enter: bool,
    /// Keys to press after the text, by name, in their order: `["Ctrl+C"]`, `["Escape", ":", "w", "Enter"]`.
    #[serde(default)]
    keys: Vec<String>,
}

pub(super) fn tool() -> Tool {
    let description = format!(
        "Types into one of your terminals: first `text` as it is, then `keys` by their names, then Enter if `enter` is true. Call terminal_wait_for or terminal_read to see what came of it.\n\nKeys: {}.\n\nExamples: {{\"id\": \"3f9a01c2d4\", \"text\": \"npm test\", \"enter\": true}}; {{\"id\": \"3f9a01c2d4\", \"text\": \"\", \"keys\": [\"Ctrl+C\"]}}; {{\"id\": \"3f9a01c2d4\", \"text\": \"\", \"keys\": [\"Down\", \"Down\", \"Enter\"]}}.",
        keys::known()
    );
    define::<Arguments, Done>(NAME, "Type into a terminal", description, Effect::Acts)
}

pub(super) async fn call(desk: &Desk, arguments: JsonObject) -> Outcome {
    let Arguments { id, text, enter, keys } = read_arguments(NAME, arguments)?;
    let mut data = bytes(&text, enter, &keys, CursorKeys::Normal)?;
    // Two calls at once are written in the order in which they came.
    let _turn = desk.turn(&id).await?;
    let other = bytes(&text, enter, &keys, CursorKeys::Application)?;
    // Only the terminal knows what its program asked for last, and only some keys depend on it.
    if data != other
        && let Reply::Answer(TerminalAnswer::Screen { cursor_keys: CursorKeys::Application, .. }) =
            desk.ask(&id, TerminalAsk::Screen).await?
    {
        data = other;
    }
    let count = data.len();
    match desk.ask(&id, TerminalAsk::Send { data }).await? {
        Reply::Answer(_) => {
            let message = format!("Sent {count} bytes to terminal {id}");
            Ok(Answered::new(message.clone(), &Done { id, message }))
        }
        Reply::Ended(terminal) => Err(super::signal::over(&terminal)),
    }
}

/// What is written.
fn bytes(text: &str, enter: bool, keys: &[String], cursor: CursorKeys) -> Result<Vec<u8>, Trouble> {
    if text.len() > MAX_TEXT_BYTES || keys.len() > MAX_KEYS {
        return Err(Trouble(format!(
            "at most {MAX_TEXT_BYTES} bytes of text and {MAX_KEYS} keys can be sent at once. Put more into a file, or send it in parts"
        )));
    }
    let mut data = text.as_bytes().to_vec();
    for key in keys {
        data.extend(keys::encode(key, cursor).map_err(|unknown| Trouble(unknown.to_string()))?);
    }
    if enter {
        data.push(b'\r');
    }
    if data.is_empty() {
        return Err(Trouble::new("there is nothing to send: give text, keys, or enter: true"));
    }
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_first_then_keys_then_enter() {
        let keys = ["Up".to_owned(), "Ctrl+C".to_owned()];
        assert_eq!(bytes("ls", true, &keys, CursorKeys::Normal).unwrap(), b"ls\x1b[A\x03\r");
    }

    #[test]
    fn names_of_keys_in_text_are_text() {
        let text = "Enter Ctrl+C {F1} <Esc> \\r";
        assert_eq!(bytes(text, false, &[], CursorKeys::Normal).unwrap(), text.as_bytes());
    }

    #[test]
    fn nothing_too_much_and_unknown_keys_are_refused_and_nothing_is_sent() {
        assert!(bytes("", false, &[], CursorKeys::Normal).is_err());
        assert!(bytes(&"x".repeat(MAX_TEXT_BYTES + 1), false, &[], CursorKeys::Normal).is_err());
        assert!(bytes("", false, &vec!["a".to_owned(); MAX_KEYS + 1], CursorKeys::Normal).is_err());
        let Trouble(text) = bytes("ok", true, &["Entre".to_owned()], CursorKeys::Normal).unwrap_err();
        assert!(text.contains("Entre") && text.contains("Enter, Tab"), "{text}");
    }
}
