//! Anthropic's messages: named server-sent events, one content block after another. An answer that is not asked for as
//! a stream comes whole.
//!
//! Shape: the public API reference of Anthropic, "Streaming messages", as Claude Code 2.1.197 reads it.

use super::{
    MODEL,
    dialect::Encoder,
    script::{Part, Usage},
};
use serde_json::{Value, json};

/// Characters of arguments in one event: real servers stream them in pieces too.
const ARGUMENT_PIECE: usize = 64;

/// One answer.
#[derive(Debug)]
pub(crate) struct MessagesEncoder {
    /// Of this answer alone: Claude Code takes two answers with one id for the same.
    id: String,
    blocks: usize,
    /// Whether the last block is of text and open: texts that follow each other are one block.
    in_text: bool,
    calls_tools: bool,
}

impl MessagesEncoder {
    pub(crate) fn new(number: usize) -> Self {
        Self { id: format!("msg_{number:024}"), blocks: 0, in_text: false, calls_tools: false }
    }

    fn end_text(&mut self) -> Vec<String> {
        if !std::mem::take(&mut self.in_text) {
            return Vec::new();
        }
        vec![event("content_block_stop", json!({"index": self.blocks - 1}))]
    }
}

impl Encoder for MessagesEncoder {
    fn open(&mut self) -> Vec<String> {
        let usage = json!({"input_tokens": 0, "output_tokens": 0});
        let message = json!({
            "id": self.id, "type": "message", "role": "assistant", "model": MODEL, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": usage,
        });
        vec![event("message_start", json!({"message": message})), event("ping", json!({}))]
    }

    fn part(&mut self, part: &Part) -> Vec<String> {
        match part {
            Part::Text(text) => {
                let mut events = Vec::new();
                if !self.in_text {
                    let block = json!({"type": "text", "text": ""});
                    events.push(event(
                        "content_block_start",
                        json!({"index": self.blocks, "content_block": block}),
                    ));
                    self.blocks += 1;
                    self.in_text = true;
                }
                let delta = json!({"type": "text_delta", "text": text});
                events.push(event("content_block_delta", json!({"index": self.blocks - 1, "delta": delta})));
                events
            }
            Part::ToolCall { id, name, arguments } => {
                let mut events = self.end_text();
                let index = self.blocks;
                self.blocks += 1;
                self.calls_tools = true;
                let block = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
                events.push(event("content_block_start", json!({"index": index, "content_block": block})));
                let characters: Vec<char> = arguments.to_string().chars().collect();
                events.extend(characters.chunks(ARGUMENT_PIECE).map(|piece| {
                    let piece: String = piece.iter().collect();
                    let delta = json!({"type": "input_json_delta", "partial_json": piece});
                    event("content_block_delta", json!({"index": index, "delta": delta}))
                }));
                events.push(event("content_block_stop", json!({"index": index})));
                events
            }
            Part::Wait(_) | Part::Error(_) | Part::Cut => Vec::new(),
        }
    }

    fn close(&mut self, usage: Usage) -> Vec<String> {
        let mut events = self.end_text();
        let delta = json!({"stop_reason": stop_reason(self.calls_tools), "stop_sequence": null});
        let usage = json!({"input_tokens": usage.input, "output_tokens": usage.output});
        events.push(event("message_delta", json!({"delta": delta, "usage": usage})));
        events.push(event("message_stop", json!({})));
        events
    }

    fn error(&mut self, message: &str) -> Vec<String> {
        vec![event("error", json!({"error": {"type": "api_error", "message": message}}))]
    }
}

fn stop_reason(calls_tools: bool) -> &'static str {
    if calls_tools { "tool_use" } else { "end_turn" }
}

/// An event carries its name twice.
fn event(name: &str, mut data: Value) -> String {
    if let Some(fields) = data.as_object_mut() {
        fields.insert("type".to_owned(), json!(name));
    }
    format!("event: {name}\ndata: {data}\n\n")
}

/// A whole answer that nobody streams.
pub(crate) fn whole(number: usize, parts: &[Part], usage: Usage) -> String {
    let content: Vec<Value> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) => Some(json!({"type": "text", "text": text})),
            Part::ToolCall { id, name, arguments } => {
                Some(json!({"type": "tool_use", "id": id, "name": name, "input": arguments}))
            }
            Part::Wait(_) | Part::Error(_) | Part::Cut => None,
        })
        .collect();
    let calls_tools = parts.iter().any(|part| matches!(part, Part::ToolCall { .. }));
    json!({
        "id": format!("msg_{number:024}"), "type": "message", "role": "assistant", "model": MODEL,
        "content": content, "stop_reason": stop_reason(calls_tools), "stop_sequence": null,
        "usage": {"input_tokens": usage.input, "output_tokens": usage.output},
    })
    .to_string()
}

/// The body of an HTTP error; Claude Code tries again what is overloaded and gives up what is invalid.
pub(crate) fn error_body(code: u16, message: &str) -> String {
    let kind = match code {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": message}}).to_string()
}

/// How long a conversation is, as far as an agent has to know: about four bytes a token.
pub(crate) fn count(body: &Value) -> String {
    json!({"input_tokens": body.to_string().len().div_ceil(4)}).to_string()
}
