//! OpenAI's responses: named and numbered server-sent events, one output item after another.
//!
//! Shape: the public API reference of OpenAI, "Responses", "Streaming events", as Codex 0.63.0 reads it.

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
pub(crate) struct ResponsesEncoder {
    number: usize,
    events: u64,
    /// What is complete, as the last event repeats it.
    items: Vec<Value>,
    /// The words of the last item, while it is a message and open: texts that follow each other are one message.
    text: Option<String>,
}

impl ResponsesEncoder {
    pub(crate) fn new(number: usize) -> Self {
        Self { number, events: 0, items: Vec::new(), text: None }
    }

    /// An event carries its name twice, and a number.
    fn event(&mut self, name: &str, mut data: Value) -> String {
        if let Some(fields) = data.as_object_mut() {
            fields.insert("type".to_owned(), json!(name));
            fields.insert("sequence_number".to_owned(), json!(self.events));
        }
        self.events += 1;
        format!("event: {name}\ndata: {data}\n\n")
    }

    fn response(&self, status: &str, error: Option<&str>, usage: Option<Usage>) -> Value {
        let usage = usage.map(|usage| {
            json!({
                "input_tokens": usage.input, "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": usage.output, "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": usage.input + usage.output,
            })
        });
        json!({
            "id": format!("resp_{}", self.number), "object": "response", "created_at": 0, "status": status,
            "model": MODEL, "output": self.items, "usage": usage,
            "error": error.map(|message| json!({"code": "server_error", "message": message})),
        })
    }

    fn item_id(&self, kind: &str) -> String {
        format!("{kind}_{}_{}", self.number, self.items.len())
    }

    fn message(&self, status: &str, content: &[Value]) -> Value {
        let id = self.item_id("msg");
        json!({"id": id, "type": "message", "status": status, "role": "assistant", "content": content})
    }

    fn begin_text(&mut self) -> Vec<String> {
        if self.text.is_some() {
            return Vec::new();
        }
        self.text = Some(String::new());
        let (index, item) = (self.items.len(), self.message("in_progress", &[]));
        let place =
            json!({"item_id": item["id"], "output_index": index, "content_index": 0, "part": text_part("")});
        vec![
            self.event("response.output_item.added", json!({"output_index": index, "item": item})),
            self.event("response.content_part.added", place),
        ]
    }

    fn end_text(&mut self) -> Vec<String> {
        let Some(text) = self.text.take() else { return Vec::new() };
        let (index, part) = (self.items.len(), text_part(&text));
        let item = self.message("completed", std::slice::from_ref(&part));
        let place = |key: &str, value: Value| json!({"item_id": item["id"], "output_index": index, "content_index": 0, key: value});
        let (said, whole) = (place("text", json!(text)), place("part", part));
        let events = vec![
            self.event("response.output_text.done", said),
            self.event("response.content_part.done", whole),
            self.event("response.output_item.done", json!({"output_index": index, "item": item})),
        ];
        self.items.push(item);
        events
    }

    fn call(&mut self, call: &str, name: &str, arguments: &Value) -> Vec<String> {
        let (index, id, arguments) = (self.items.len(), self.item_id("fc"), arguments.to_string());
        let item = |status: &str, arguments: &str| {
            json!({
                "id": id, "type": "function_call", "status": status, "call_id": call, "name": name,
                "arguments": arguments,
            })
        };
        let begun = json!({"output_index": index, "item": item("in_progress", "")});
        let mut events = vec![self.event("response.output_item.added", begun)];
        let characters: Vec<char> = arguments.chars().collect();
        for piece in characters.chunks(ARGUMENT_PIECE) {
            let piece: String = piece.iter().collect();
            let delta = json!({"item_id": id, "output_index": index, "delta": piece});
            events.push(self.event("response.function_call_arguments.delta", delta));
        }
        let whole = json!({"item_id": id, "output_index": index, "arguments": arguments});
        events.push(self.event("response.function_call_arguments.done", whole));
        let item = item("completed", &arguments);
        events.push(self.event("response.output_item.done", json!({"output_index": index, "item": item})));
        self.items.push(item);
        events
    }
}

impl Encoder for ResponsesEncoder {
    fn open(&mut self) -> Vec<String> {
        ["response.created", "response.in_progress"]
            .map(|name| {
                let response = self.response("in_progress", None, None);
                self.event(name, json!({"response": response}))
            })
            .into()
    }

    fn part(&mut self, part: &Part) -> Vec<String> {
        match part {
            Part::Text(text) => {
                let mut events = self.begin_text();
                self.text.get_or_insert_default().push_str(text);
                let (index, id) = (self.items.len(), self.item_id("msg"));
                let delta = json!({"item_id": id, "output_index": index, "content_index": 0, "delta": text});
                events.push(self.event("response.output_text.delta", delta));
                events
            }
            Part::ToolCall { id, name, arguments } => {
                let mut events = self.end_text();
                events.extend(self.call(id, name, arguments));
                events
            }
            Part::Wait(_) | Part::Error(_) | Part::Cut => Vec::new(),
        }
    }

    fn close(&mut self, usage: Usage) -> Vec<String> {
        let mut events = self.end_text();
        let response = self.response("completed", None, Some(usage));
        events.push(self.event("response.completed", json!({"response": response})));
        events
    }

    fn error(&mut self, message: &str) -> Vec<String> {
        let response = self.response("failed", Some(message), None);
        vec![self.event("response.failed", json!({"response": response}))]
    }
}

fn text_part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": []})
}
