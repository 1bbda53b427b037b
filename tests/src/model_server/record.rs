//! What the agents asked: every request, kept whole, and whether its answer was heard to the end.

use super::dialect::Dialect;
use anyhow::bail;
use serde_json::Value;
use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It is being sent, or waits.
    NotYet,
    /// To its end, errors included.
    Whole,
    /// The client went away first (an interrupt, a kill).
    Abandoned,
}

/// One request for an answer.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// How it was asked.
    pub dialect: Dialect,
    /// The JSON that was sent.
    pub body: Value,
    /// No step of the script was left for it; it was answered with HTTP 400.
    pub unscripted: bool,
    /// What became of its answer.
    pub heard: Heard,
}

impl RecordedRequest {
    /// The conversation as the client sent it. Responses mix messages with calls and their results.
    pub fn messages(&self) -> &[Value] {
        let key = match self.dialect {
            Dialect::ChatCompletions | Dialect::Messages => "messages",
            Dialect::Responses => "input",
        };
        self.body.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The names of the tools that the model may call.
    pub fn tools(&self) -> Vec<&str> {
        let tools = self.body.get("tools").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        tools
            .iter()
            .filter_map(|tool| tool.pointer("/function/name").or_else(|| tool.get("name"))?.as_str())
            .collect()
    }

    /// The text of the last message of a role.
    pub fn last_text(&self, role: &str) -> Option<String> {
        let message =
            self.messages().iter().rev().find(|message| message.get("role").is_some_and(|r| r == role))?;
        Some(text_of(message.get("content")?))
    }
}

/// Content is a string, or a list of blocks of which some have text.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("")
        }
        _ => String::new(),
    }
}

/// All requests of one server.
#[derive(Debug, Default)]
pub(crate) struct Log {
    requests: Mutex<Vec<RecordedRequest>>,
    changed: Condvar,
}

impl Log {
    pub(crate) fn all(&self) -> Vec<RecordedRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes a request down and gives it its number, from 0.
    pub(crate) fn push(&self, request: RecordedRequest) -> usize {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(request);
        self.changed.notify_all();
        requests.len() - 1
    }

    pub(crate) fn heard(&self, number: usize, heard: Heard) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(request) = requests.get_mut(number)
            && request.heard == Heard::NotYet
        {
            request.heard = heard;
        }
        self.changed.notify_all();
    }

    pub(crate) fn wait_until(
        &self,
        what: &str,
        deadline: Duration,
        condition: impl Fn(&[RecordedRequest]) -> bool,
    ) -> anyhow::Result<Vec<RecordedRequest>> {
        let end = Instant::now() + deadline;
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        while !condition(&requests) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                bail!("the model server waited {deadline:?} for {what}; asked so far: {requests:#?}");
            }
            requests = self.changed.wait_timeout(requests, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(requests.clone())
    }
}
