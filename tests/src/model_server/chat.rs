//! Streaming OpenAI chat completions: one `data:` line per change, `[DONE]` at the end.
//!
//! Shape: the public API reference of OpenAI, "Streaming chat completions", as pi 0.73.1 and 1.6.0 read it.

use super::{
    MODEL,
    dialect::Encoder,
    script::{Part, Usage},
};
use serde_json::{Value, json};

/// Characters of arguments in one frame: real servers stream them in pieces too.
const ARGUMENT_PIECE: usize = 64;
/// Most pieces of one call: pi 0.73 parses all that it has of a call again at each piece.
const MAX_ARGUMENT_PIECES: usize = 64;

/// One answer.
#[derive(Debug)]
pub(crate) struct ChatEncoder {
    id: String,
    tool_calls: usize,
}

impl ChatEncoder {
    pub(crate) fn new(number: usize) -> Self {
        Self { id: format!("chatcmpl-{number}"), tool_calls: 0 }
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> String {
        frame(&json!({
            "id": self.id, "object": "chat.completion.chunk", "created": 0, "model": MODEL,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }))
    }
}

impl Encoder for ChatEncoder {
    fn open(&mut self) -> Vec<String> {
        vec![self.chunk(&json!({"role": "assistant", "content": ""}), None)]
    }

    fn part(&mut self, part: &Part) -> Vec<String> {
        match part {
            Part::Text(text) => vec![self.chunk(&json!({"content": text}), None)],
            Part::ToolCall { id, name, arguments } => {
                let index = self.tool_calls;
                self.tool_calls += 1;
                let mut frames = vec![self.chunk(
                    &json!({"tool_calls": [{"index": index, "id": id, "type": "function",
                        "function": {"name": name, "arguments": ""}}]}),
                    None,
                )];
                let characters: Vec<char> = arguments.to_string().chars().collect();
                let size = ARGUMENT_PIECE.max(characters.len().div_ceil(MAX_ARGUMENT_PIECES));
                frames.extend(characters.chunks(size).map(|piece| {
                    let piece: String = piece.iter().collect();
                    self.chunk(
                        &json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}),
                        None,
                    )
                }));
                frames
            }
            Part::Wait(_) | Part::Error(_) | Part::Cut => Vec::new(),
        }
    }

    fn close(&mut self, usage: Usage) -> Vec<String> {
        let finish = if self.tool_calls > 0 { "tool_calls" } else { "stop" };
        vec![
            self.chunk(&json!({}), Some(finish)),
            frame(&json!({
                "id": self.id, "object": "chat.completion.chunk", "created": 0, "model": MODEL, "choices": [],
                "usage": {
                    "prompt_tokens": usage.input, "completion_tokens": usage.output,
                    "total_tokens": usage.input + usage.output,
                },
            })),
            "data: [DONE]\n\n".to_owned(),
        ]
    }

    fn error(&mut self, message: &str) -> Vec<String> {
        vec![frame(&error_value(message))]
    }
}

fn frame(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn error_value(message: &str) -> Value {
    json!({"error": {"message": message, "type": "server_error", "code": null}})
}

/// The body of an HTTP error.
pub(crate) fn error_body(message: &str) -> String {
    error_value(message).to_string()
}
