//! What all formats have in common: texts made plain and cut, blocks of content, what a tool was given, times.
//!
//! Called by the three formats and by [`super::parse`]. Pure.

use board_protocol::{ids::UnixMs, text::plain_lines};
use serde_json::Value;

/// Most bytes of one text: ten times the longest answer that models give in one piece.
pub(super) const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Most bytes of what a tool answered. Its whole answer is in the agent's file.
pub(super) const MAX_OUTPUT_BYTES: usize = 16 * 1024;
/// Most bytes of a label.
const MAX_LABEL_BYTES: usize = 80;
/// Most bytes of a directory's name.
const MAX_PATH_BYTES: usize = 1024;
/// Most bytes of a tool's arguments that have no telling one among them.
const MAX_ARGUMENTS_BYTES: usize = 2 * 1024;
/// Arguments that say what a tool does, most telling first: a command before a file before what is looked for.
const TELLING: [&str; 15] = [
    "command",
    "cmd",
    "file_path",
    "path",
    "filePath",
    "file",
    "filename",
    "notebook_path",
    "pattern",
    "query",
    "url",
    "prompt",
    "question",
    "description",
    "skill",
];
/// What a person sees of a picture.
const PICTURE: &str = "[picture]";

/// A text with its line breaks, plain and cut.
pub(super) fn text(raw: &str) -> String {
    within(raw, MAX_TEXT_BYTES)
}

/// The answer of a tool, plain and cut.
pub(super) fn output(raw: &str) -> String {
    within(raw, MAX_OUTPUT_BYTES)
}

/// One line.
pub(super) fn label(raw: &str) -> String {
    within(&raw.replace('\n', " "), MAX_LABEL_BYTES)
}

/// A directory, as it is shown.
pub(super) fn label_of_path(raw: &str) -> String {
    within(&raw.replace('\n', " "), MAX_PATH_BYTES)
}

fn within(raw: &str, bytes: usize) -> String {
    let (mut text, cut) = plain_lines(raw, bytes);
    if cut {
        text.push('…');
    }
    text
}

/// A string inside an object.
pub(super) fn string<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

/// Words in a content that is a string, or a list of blocks with texts and pictures.
pub(super) fn content(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let words = blocks.iter().filter_map(|block| match string(block, "type") {
                Some("image" | "input_image") => Some(PICTURE),
                _ => block.as_str().or_else(|| string(block, "text")),
            });
            words.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// What a tool was given, as its most telling argument or as JSON.
pub(super) fn arguments(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => match serde_json::from_str(text) {
            // Codex keeps arguments as JSON inside a string.
            Ok(parsed @ Value::Object(_)) => arguments(Some(&parsed)),
            _ => self::text(text),
        },
        Some(Value::Object(fields)) => {
            let telling = TELLING.iter().find_map(|key| match fields.get(*key)? {
                Value::String(text) => Some(text.clone()),
                Value::Array(words) => Some(command_line(words)),
                _ => None,
            });
            match telling {
                Some(text) => self::text(&text),
                None if fields.is_empty() => String::new(),
                None => within(&Value::Object(fields.clone()).to_string(), MAX_ARGUMENTS_BYTES),
            }
        }
        Some(Value::Null) | None => String::new(),
        Some(other) => within(&other.to_string(), MAX_ARGUMENTS_BYTES),
    }
}

/// A command as a person would have typed it: what a shell was given to run, else the words.
pub(super) fn command_line(words: &[Value]) -> String {
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    match words.as_slice() {
        [shell, "-c" | "-lc", line] if shell.ends_with("sh") => (*line).to_owned(),
        _ => words.join(" "),
    }
}

/// When an entry was written: a number of milliseconds, or a moment of UTC as ISO 8601 writes it.
pub(super) fn at(value: Option<&Value>) -> Option<UnixMs> {
    match value? {
        Value::Number(number) => number.as_u64().map(UnixMs),
        Value::String(text) => moment(text),
        _ => None,
    }
}

/// `2026-11-30T20:04:06.542Z`. The days since 1970 follow by Howard Hinnant's algorithm for the proleptic Gregorian
/// calendar, whose year begins in March.
fn moment(text: &str) -> Option<UnixMs> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let numbers = |text: &str, sign: char| -> Option<[u64; 3]> {
        let mut parts = text.split(sign).map(|part| part.parse::<u32>().ok().map(u64::from));
        let found = [parts.next()??, parts.next()??, parts.next()??];
        parts.next().is_none().then_some(found)
    };
    let ([year, month, day], [hour, minute, second]) = (numbers(date, '-')?, numbers(clock, ':')?);
    if !(1970..10_000).contains(&year)
        || !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year / 400, year % 400);
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    let milliseconds: u64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    let seconds = days.checked_sub(719_468)? * 86_400 + hour * 3_600 + minute * 60 + second;
    Some(UnixMs(seconds * 1_000 + milliseconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn moments_are_read_and_nonsense_is_not() {
        let table = [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T00:00:00.5Z", Some(951_782_400_500)),
            ("2024-02-29T23:59:59.999Z", Some(1_709_251_199_999)),
            ("2026-11-30T20:04:06.542Z", Some(1_796_069_046_542)),
            ("2026-13-30T20:04:06Z", None),
            ("1969-12-31T23:59:59Z", None),
            ("99999999999-01-01T00:00:00Z", None),
            ("2026-11-30T20:04:06.é42Z", None),
            ("2026-11-30", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(at(Some(&json!(text))), expected.map(UnixMs), "{text}");
        }
        assert_eq!(at(Some(&json!(7))), Some(UnixMs(7)));
    }

    #[test]
    fn a_tool_is_told_by_what_it_does() {
        let table = [
            (json!({"description": "List", "command": "ls"}), "ls"),
            (json!({"command": ["bash", "-lc", "ls | wc"]}), "ls | wc"),
            (json!({"command": ["ls", "-l"]}), "ls -l"),
            (json!("{\"path\": \"/a\"}"), "/a"),
            (json!("free words"), "free words"),
            (json!({"limit": 3}), r#"{"limit":3}"#),
            (json!({}), ""),
            (json!(null), ""),
        ];
        for (given, words) in table {
            assert_eq!(arguments(Some(&given)), words, "{given}");
        }
    }
}
