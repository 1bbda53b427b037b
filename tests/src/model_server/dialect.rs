//! Which words of which vendor a path speaks, and how a neutral answer is said in them. Called by the HTTP side; one
//! arm per dialect.

use super::{
    chat, messages, responses,
    script::{Part, Usage},
};
use serde_json::Value;

/// A vendor's way to ask for an answer and to stream it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI chat completions: `POST /v1/chat/completions`.
    ChatCompletions,
    /// Anthropic's messages: `POST /v1/messages`.
    Messages,
    /// OpenAI's responses: `POST /v1/responses`.
    Responses,
}

/// Turns the parts of one answer into pieces of a server-sent event stream.
pub(crate) trait Encoder: Send {
    /// What comes first.
    fn open(&mut self) -> Vec<String>;
    /// One part.
    fn part(&mut self, part: &Part) -> Vec<String>;
    /// What comes last.
    fn close(&mut self, usage: Usage) -> Vec<String>;
    /// An error that a server reports after the stream began.
    fn error(&mut self, message: &str) -> Vec<String>;
}

impl Dialect {
    /// The dialect that is asked for at this path.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        match path {
            "/v1/chat/completions" => Some(Self::ChatCompletions),
            "/v1/messages" => Some(Self::Messages),
            "/v1/responses" => Some(Self::Responses),
            _ => None,
        }
    }

    /// An encoder for one answer; `number` makes its ids differ from those of other answers.
    pub(crate) fn encoder(self, number: usize) -> Box<dyn Encoder> {
        match self {
            Self::ChatCompletions => Box::new(chat::ChatEncoder::new(number)),
            Self::Messages => Box::new(messages::MessagesEncoder::new(number)),
            Self::Responses => Box::new(responses::ResponsesEncoder::new(number)),
        }
    }

    /// The answer to a request that asked for no stream, where the dialect has such.
    pub(crate) fn whole(self, body: &Value, number: usize, parts: &[Part], usage: Usage) -> Option<String> {
        match self {
            Self::ChatCompletions | Self::Responses => None,
            Self::Messages => {
                let streams = body.get("stream").and_then(Value::as_bool).unwrap_or(false);
                (!streams).then(|| messages::whole(number, parts, usage))
            }
        }
    }

    /// The body of an HTTP error.
    pub(crate) fn error_body(self, code: u16, message: &str) -> String {
        match self {
            Self::ChatCompletions | Self::Responses => chat::error_body(message),
            Self::Messages => messages::error_body(code, message),
        }
    }
}
