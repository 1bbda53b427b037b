//! Codex's rollouts: one line after the other, read from files of 0.63.0. What was said are the `response_item`s; the
//! `event_msg`s beside them say the same again, but for an interruption.
//!
//! Called by [`super::parse`] with one line after the other; a rollout has no branches.

use super::{
    parse::{Answer, Entry, Piece, id, item},
    words::{arguments, at, command_line, content, output, string, text},
};
use board_protocol::{ids::UnixMs, transcript::TranscriptRole};
use board_text::transcript as texts;
use serde_json::Value;

/// How words begin that Codex says in the person's place.
const NOT_TYPED: [&str; 4] =
    ["<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>"];

pub(super) fn entry(value: &Value) -> Option<Entry> {
    let when = at(value.get("timestamp"));
    let payload = value.get("payload")?;
    let mut entry = Entry::default();
    match (string(value, "type")?, string(payload, "type")) {
        ("response_item", Some(kind)) => said(&mut entry, kind, payload, when),
        ("event_msg", Some("turn_aborted")) => {
            entry.say(TranscriptRole::Note, "note", texts::interrupted().to_owned(), when);
        }
        ("event_msg", Some("error")) => {
            let words = string(payload, "message").unwrap_or_default();
            entry.say(TranscriptRole::Note, "error", text(words), when);
        }
        ("compacted", _) => {
            let words = string(payload, "message").unwrap_or(texts::compacted());
            entry.say(TranscriptRole::Note, "compaction", text(words), when);
        }
        _ => {}
    }
    (!entry.pieces.is_empty()).then_some(entry)
}

fn said(entry: &mut Entry, kind: &str, payload: &Value, when: Option<UnixMs>) {
    match kind {
        "message" => {
            let words = content(payload.get("content"));
            match string(payload, "role") {
                Some("user") if !NOT_TYPED.iter().any(|begin| words.trim_start().starts_with(begin)) => {
                    entry.say(TranscriptRole::You, "you", text(&words), when);
                }
                Some("assistant") => entry.say(TranscriptRole::Agent, "agent", text(&words), when),
                _ => {}
            }
        }
        "reasoning" => {
            let words = content(payload.get("summary"));
            entry.say(TranscriptRole::Thinking, "thinking", text(&words), when);
        }
        "function_call" => {
            call(entry, string(payload, "name"), arguments(payload.get("arguments")), payload, when);
        }
        "custom_tool_call" => {
            call(entry, string(payload, "name"), arguments(payload.get("input")), payload, when);
        }
        "local_shell_call" => {
            let words = payload.pointer("/action/command").and_then(Value::as_array);
            let line = words.map(|words| command_line(words)).unwrap_or_default();
            call(entry, Some("shell"), text(&line), payload, when);
        }
        "web_search_call" => {
            call(entry, Some("web search"), arguments(payload.get("action")), payload, when);
        }
        "function_call_output" | "custom_tool_call_output" => answer(entry, payload, when),
        _ => {}
    }
}

fn call(entry: &mut Entry, name: Option<&str>, given: String, payload: &Value, when: Option<UnixMs>) {
    let call = item(TranscriptRole::Tool, name.unwrap_or("tool"), given, when);
    entry.pieces.push(match id(payload.get("call_id")) {
        Some(id) => Piece::Call(id, call),
        None => Piece::Item(call),
    });
}

/// An answer is text, or blocks of it, or JSON in a string that has the text and the exit code.
fn answer(entry: &mut Entry, payload: &Value, when: Option<UnixMs>) {
    let Some(call) = id(payload.get("call_id")) else { return };
    let told = payload.get("output");
    let told = told.and_then(|told| told.get("content")).or(told);
    let words = content(told);
    let parsed = serde_json::from_str::<Value>(&words).ok();
    let inner = parsed.as_ref().and_then(|parsed| string(parsed, "output"));
    let code = parsed.as_ref().and_then(|parsed| parsed.pointer("/metadata/exit_code")?.as_i64());
    let refused = payload.pointer("/output/success") == Some(&Value::Bool(false));
    entry.pieces.push(Piece::Answer(Answer {
        call,
        tool: None,
        output: output(inner.unwrap_or(&words)),
        failed: refused || code.is_some_and(|code| code != 0),
        at: when,
    }));
}
