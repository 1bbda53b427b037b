//! Claude Code's transcripts: lines with `uuid` and `parentUuid`, read from files of 2.1.197.
//!
//! Each block of an answer is a line of its own. A compaction begins a new root whose `logicalParentUuid` is the line
//! before it. What is marked as meta was never shown to the person, and is not here either.
//!
//! Called by [`super::parse`] with one line after the other; which of them are the conversation is [`super::branch`]'s.

use super::{
    parse::{Answer, Entry, Parent, Piece, id, item},
    words::{arguments, at, content, output, string, text},
};
use board_protocol::{ids::UnixMs, transcript::TranscriptRole};
use serde_json::Value;

/// What its program puts around words that no person typed. The beginning of such words, and what they are called;
/// `None`: nothing that anybody wants to read.
const WRAPPED: [(&str, Option<&str>); 8] = [
    ("<local-command-stdout>", Some("command")),
    ("<local-command-stderr>", Some("command")),
    ("<bash-stdout>", Some("your shell")),
    ("<bash-stderr>", Some("your shell")),
    ("<task-notification>", Some("background")),
    ("[Request interrupted by user", Some("note")),
    ("<local-command-caveat>", None),
    ("<system-reminder>", None),
];

pub(super) fn entry(value: &Value) -> Option<Entry> {
    let uuid = id(value.get("uuid"))?;
    let parent = id(value.get("parentUuid")).or_else(|| id(value.get("logicalParentUuid")));
    let aside = is(value, "isSidechain");
    let mut entry =
        Entry { id: Some(uuid), parent: parent.map_or(Parent::Root, Parent::Id), aside, ..Entry::default() };
    if aside || is(value, "isMeta") {
        return Some(entry);
    }
    let when = at(value.get("timestamp"));
    let said = value.pointer("/message/content");
    match string(value, "type")? {
        "user" if is(value, "isCompactSummary") => {
            entry.say(TranscriptRole::Note, "summary", text(&content(said)), when);
        }
        "user" => user(&mut entry, said, when),
        "assistant" => assistant(&mut entry, value, said, when),
        "system" => system(&mut entry, value, when),
        // Words that the person wrote while a turn ran.
        "attachment"
            if value.pointer("/attachment/type").and_then(Value::as_str) == Some("queued_command") =>
        {
            user(&mut entry, value.pointer("/attachment/prompt"), when);
        }
        _ => {}
    }
    Some(entry)
}

fn is(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}

fn user(entry: &mut Entry, said: Option<&Value>, when: Option<UnixMs>) {
    let Some(Value::Array(blocks)) = said else { return typed(entry, &content(said), when) };
    for block in blocks {
        match string(block, "type").unwrap_or_default() {
            "tool_result" => {
                let Some(call) = id(block.get("tool_use_id")) else { continue };
                let output = output(&content(block.get("content")));
                let failed = is(block, "is_error");
                entry.pieces.push(Piece::Answer(Answer { call, tool: None, output, failed, at: when }));
            }
            _ => typed(entry, &content(Some(&Value::Array(vec![block.clone()]))), when),
        }
    }
}

/// Words of the person, or of the program in their place.
fn typed(entry: &mut Entry, words: &str, when: Option<UnixMs>) {
    let words = words.trim();
    if let Some((_, label)) = WRAPPED.iter().find(|(begin, _)| words.starts_with(begin)) {
        if let Some(label) = label {
            entry.say(TranscriptRole::Note, label, text(&without_tags(words)), when);
        }
        return;
    }
    let inside = |tag: &str| between(words, &format!("<{tag}>"), &format!("</{tag}>"));
    let words = match (inside("command-name"), inside("bash-input")) {
        (Some(name), _) => format!("{name} {}", inside("command-args").unwrap_or_default()),
        (None, Some(line)) => format!("! {line}"),
        (None, None) => words.to_owned(),
    };
    entry.say(TranscriptRole::You, "you", text(&words), when);
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(begin)?;
    Some(rest.split_once(end)?.0.trim())
}

/// The words without what is between `<` and `>` at their ends.
fn without_tags(words: &str) -> String {
    let inner = words.strip_prefix('<').and_then(|rest| rest.split_once('>')).map_or(words, |(_, rest)| rest);
    let end = inner.rfind("</").filter(|_| inner.ends_with('>')).unwrap_or(inner.len());
    inner.get(..end).unwrap_or_default().to_owned()
}

fn assistant(entry: &mut Entry, value: &Value, said: Option<&Value>, when: Option<UnixMs>) {
    // What its program says in the model's place.
    let own = value.pointer("/message/model").and_then(Value::as_str) == Some("<synthetic>");
    let (role, label) = match (is(value, "isApiErrorMessage"), own) {
        (true, _) => (TranscriptRole::Note, "error"),
        (false, true) => (TranscriptRole::Note, "note"),
        (false, false) => (TranscriptRole::Agent, "agent"),
    };
    let Some(Value::Array(blocks)) = said else { return entry.say(role, label, text(&content(said)), when) };
    for block in blocks {
        match string(block, "type").unwrap_or_default() {
            "thinking" => {
                let words = text(string(block, "thinking").unwrap_or_default());
                entry.say(TranscriptRole::Thinking, "thinking", words, when);
            }
            "tool_use" | "server_tool_use" => {
                let name = string(block, "name").unwrap_or("tool");
                let call = item(TranscriptRole::Tool, name, arguments(block.get("input")), when);
                entry.pieces.push(match id(block.get("id")) {
                    Some(id) => Piece::Call(id, call),
                    None => Piece::Item(call),
                });
            }
            _ => entry.say(role, label, text(string(block, "text").unwrap_or_default()), when),
        }
    }
}

fn system(entry: &mut Entry, value: &Value, when: Option<UnixMs>) {
    let words = string(value, "content").unwrap_or_default();
    match string(value, "subtype").unwrap_or_default() {
        "compact_boundary" => entry.say(TranscriptRole::Note, "compaction", text(words), when),
        "local_command" => typed(entry, words, when),
        _ => {}
    }
}
