//! pi's session files: a header, then entries with `id` and `parentId` (its `docs/session-format.md`, versions 1 to 3; a
//! file of version 1 has no ids, its lines follow each other).
//!
//! Called by [`super::parse`] with one line after the other; which of them are the conversation is [`super::branch`]'s.

use super::{
    parse::{Answer, Entry, Parent, Piece, id, item},
    words::{arguments, at, content, output, string, text},
};
use board_protocol::{ids::UnixMs, transcript::TranscriptRole};
use board_text::transcript as texts;
use serde_json::Value;

pub(super) fn entry(value: &Value) -> Option<Entry> {
    let kind = string(value, "type")?;
    if kind == "session" {
        return None;
    }
    let parent = match value.get("parentId") {
        Some(Value::Null) => Parent::Root,
        parent => id(parent).map_or(Parent::Previous, Parent::Id),
    };
    let mut entry = Entry { id: id(value.get("id")), parent, ..Entry::default() };
    let when = at(value.get("timestamp"));
    match kind {
        "message" => message(&mut entry, value.get("message")?, when),
        "custom_message" => custom(&mut entry, value, when),
        "branch_summary" => note(&mut entry, "branch summary", string(value, "summary"), when),
        "compaction" => note(&mut entry, "compaction", string(value, "summary"), when),
        _ => {}
    }
    Some(entry)
}

fn note(entry: &mut Entry, label: &str, words: Option<&str>, when: Option<UnixMs>) {
    entry.say(TranscriptRole::Note, label, text(words.unwrap_or_default()), when);
}

/// What an extension says; hidden where it says so.
fn custom(entry: &mut Entry, value: &Value, when: Option<UnixMs>) {
    if value.get("display") != Some(&Value::Bool(false)) {
        let label = string(value, "customType").unwrap_or("extension");
        entry.say(TranscriptRole::Custom, label, text(&content(value.get("content"))), when);
    }
}

fn message(entry: &mut Entry, message: &Value, when: Option<UnixMs>) {
    let when = at(message.get("timestamp")).or(when);
    let said = message.get("content");
    match string(message, "role").unwrap_or_default() {
        "user" => entry.say(TranscriptRole::You, "you", text(&content(said)), when),
        "assistant" => assistant(entry, message, when),
        "toolResult" => {
            if let Some(call) = id(message.get("toolCallId")) {
                entry.pieces.push(Piece::Answer(Answer {
                    call,
                    tool: string(message, "toolName").map(str::to_owned),
                    output: output(&content(said)),
                    failed: message.get("isError") == Some(&Value::Bool(true)),
                    at: when,
                }));
            }
        }
        // A command that the person ran with `!`.
        "bashExecution" => {
            let mut ran = item(TranscriptRole::Tool, "your shell", arguments(Some(message)), when);
            ran.output = Some(output(string(message, "output").unwrap_or_default()));
            ran.failed = message.get("exitCode").and_then(Value::as_i64).is_some_and(|code| code != 0);
            entry.pieces.push(Piece::Item(ran));
        }
        "custom" | "hookMessage" => custom(entry, message, when),
        "branchSummary" => note(entry, "branch summary", string(message, "summary"), when),
        "compactionSummary" => note(entry, "compaction", string(message, "summary"), when),
        // The prompt of the agent's own program.
        "system" => {}
        other => entry.say(TranscriptRole::Note, other, text(&content(said)), when),
    }
}

fn assistant(entry: &mut Entry, message: &Value, when: Option<UnixMs>) {
    match message.get("content") {
        Some(Value::Array(blocks)) => {
            for block in blocks {
                match string(block, "type").unwrap_or_default() {
                    "thinking" => {
                        let words = text(string(block, "thinking").unwrap_or_default());
                        entry.say(TranscriptRole::Thinking, "thinking", words, when);
                    }
                    "toolCall" => {
                        let name = string(block, "name").unwrap_or("tool");
                        let call = item(TranscriptRole::Tool, name, arguments(block.get("arguments")), when);
                        entry.pieces.push(match id(block.get("id")) {
                            Some(id) => Piece::Call(id, call),
                            None => Piece::Item(call),
                        });
                    }
                    _ => {
                        let words = text(string(block, "text").unwrap_or_default());
                        entry.say(TranscriptRole::Agent, "agent", words, when);
                    }
                }
            }
        }
        said => entry.say(TranscriptRole::Agent, "agent", text(&content(said)), when),
    }
    match string(message, "stopReason") {
        Some("error") => {
            let words = string(message, "errorMessage").unwrap_or(texts::failed_silently());
            note(entry, "error", Some(words), when);
        }
        Some("aborted") => note(entry, "note", Some(texts::interrupted()), when),
        _ => {}
    }
}
