//! Makes what an agent reports short enough to be passed on. A tool's answer may be megabytes (a file that was read, a
//! picture), and half of a report cannot be read at all. Pure; called by the adapters.

use serde_json::Value;

/// How much of the beginning of a text is kept, in characters, and as much of its end: a question stands there.
pub(super) const KEPT_CHARACTERS: usize = 2_000;
/// Most entries of a list that are kept.
const KEPT_ENTRIES: usize = 50;
/// How deep lists and objects are followed.
const KEPT_DEPTH: u32 = 6;

/// Shortens every text, list and object in it.
pub(super) fn shorten(value: &mut Value) {
    shorten_to(value, KEPT_DEPTH);
}

fn shorten_to(value: &mut Value, depth: u32) {
    match value {
        Value::String(text) => {
            if let Some(short) = middle_out(text, KEPT_CHARACTERS) {
                *text = short;
            }
        }
        Value::Array(_) | Value::Object(_) if depth == 0 => *value = Value::Null,
        Value::Array(entries) => {
            entries.truncate(KEPT_ENTRIES);
            entries.iter_mut().for_each(|entry| shorten_to(entry, depth - 1));
        }
        Value::Object(fields) => {
            let surplus: Vec<String> = fields.keys().skip(KEPT_ENTRIES).cloned().collect();
            for key in surplus {
                fields.remove(&key);
            }
            fields.values_mut().for_each(|field| shorten_to(field, depth - 1));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Beginning and end of a long text, so many characters of each; `None` for a short one.
pub(super) fn middle_out(text: &str, kept: usize) -> Option<String> {
    let (first, _) = text.char_indices().nth(kept)?;
    let (last, _) = text.char_indices().rev().nth(kept)?;
    (first < last).then(|| {
        format!("{} … {}", text.get(..first).unwrap_or_default(), text.get(last..).unwrap_or_default())
    })
}
