//! What the model will say: steps in order, each taken by one request.

use super::record::RecordedRequest;
use serde_json::Value;
use std::{collections::VecDeque, fmt, sync::Arc};
use tokio::sync::watch;

/// Something that a test opens when it wants the model to go on. Once open it stays open.
#[derive(Debug, Clone)]
pub struct Gate(Arc<watch::Sender<bool>>);

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Lets everybody through, now and later.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn passed(&self) {
        let _ = self.0.subscribe().wait_for(|open| *open).await;
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

/// Tokens that an answer claims to have cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the question.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self { input: 100, output: 10 }
    }
}

/// One thing inside a streamed answer.
#[derive(Debug, Clone)]
pub enum Part {
    /// Words.
    Text(String),
    /// A call of a tool.
    ToolCall {
        /// The id of the call.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Value,
    },
    /// Nothing, until the test opens the gate.
    Wait(Gate),
    /// An error reported inside the stream, which ends it.
    Error(String),
    /// The connection breaks here.
    Cut,
}

/// How the bytes of a stream are cut into pieces of the HTTP body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Chunking {
    /// One event is one piece.
    #[default]
    Events,
    /// Pieces of so many bytes, in the middle of characters, lines and events.
    Bytes(usize),
}

/// A whole answer.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A streamed answer.
    Stream {
        /// What it says, in order.
        parts: Vec<Part>,
        /// What it claims to cost.
        usage: Usage,
        /// How its bytes are cut.
        chunking: Chunking,
    },
    /// An HTTP error.
    Status {
        /// The code.
        code: u16,
        /// The words in the error's body.
        message: String,
        /// Further headers, such as `retry-after`.
        headers: Vec<(String, String)>,
    },
    /// Nothing, not even headers, until the test opens the gate; then an empty answer.
    Hang(Gate),
}

type Matcher = Arc<dyn Fn(&RecordedRequest) -> bool + Send + Sync>;

/// An answer, and which request may take it.
#[derive(Clone)]
pub struct Step {
    reply: Reply,
    matcher: Option<Matcher>,
    repeats: bool,
}

impl Step {
    /// A streamed answer.
    pub fn stream(parts: impl IntoIterator<Item = Part>) -> Self {
        Reply::Stream {
            parts: parts.into_iter().collect(),
            usage: Usage::default(),
            chunking: Chunking::default(),
        }
        .into()
    }

    /// Words, in one piece.
    pub fn text(text: impl Into<String>) -> Self {
        Self::stream([Part::Text(text.into())])
    }

    /// A call of one tool.
    pub fn tool(id: &str, name: &str, arguments: Value) -> Self {
        Self::stream([Part::ToolCall { id: id.to_owned(), name: name.to_owned(), arguments }])
    }

    /// Words whose second half waits for the gate.
    pub fn slow(first: &str, gate: &Gate, second: &str) -> Self {
        Self::stream([Part::Text(first.to_owned()), Part::Wait(gate.clone()), Part::Text(second.to_owned())])
    }

    /// A very long answer: `pieces` pieces of the same words.
    pub fn long(piece: &str, pieces: usize) -> Self {
        Self::stream(std::iter::repeat_n(Part::Text(piece.to_owned()), pieces))
    }

    /// Words, then an error inside the stream.
    pub fn fails_midway(first: &str, error: &str) -> Self {
        Self::stream([Part::Text(first.to_owned()), Part::Error(error.to_owned())])
    }

    /// Words, then the connection breaks.
    pub fn breaks_midway(first: &str) -> Self {
        Self::stream([Part::Text(first.to_owned()), Part::Cut])
    }

    /// An HTTP error.
    pub fn status(code: u16, message: &str) -> Self {
        Reply::Status { code, message: message.to_owned(), headers: Vec::new() }.into()
    }

    /// What an overloaded provider says.
    pub fn overloaded() -> Self {
        Self::status(529, "overloaded_error: Overloaded")
    }

    /// No answer until the gate opens.
    pub fn hang(gate: &Gate) -> Self {
        Reply::Hang(gate.clone()).into()
    }

    /// The same answer, cut in another way.
    #[must_use]
    pub fn chunked(mut self, by: Chunking) -> Self {
        if let Reply::Stream { chunking, .. } = &mut self.reply {
            *chunking = by;
        }
        self
    }

    /// The same answer at another price.
    #[must_use]
    pub fn costing(mut self, tokens: Usage) -> Self {
        if let Reply::Stream { usage, .. } = &mut self.reply {
            *usage = tokens;
        }
        self
    }

    /// An HTTP error with a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if let Reply::Status { headers, .. } = &mut self.reply {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Only for requests that the condition accepts; others pass by it.
    #[must_use]
    pub fn when(mut self, condition: impl Fn(&RecordedRequest) -> bool + Send + Sync + 'static) -> Self {
        self.matcher = Some(Arc::new(condition));
        self
    }

    /// For every request that reaches it, not only for one.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.repeats = true;
        self
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step")
            .field("reply", &self.reply)
            .field("repeats", &self.repeats)
            .finish_non_exhaustive()
    }
}

impl From<Reply> for Step {
    fn from(reply: Reply) -> Self {
        Self { reply, matcher: None, repeats: false }
    }
}

/// The steps that are left.
#[derive(Debug, Default)]
pub(crate) struct Script {
    steps: VecDeque<Step>,
}

impl Script {
    pub(crate) fn push(&mut self, step: Step) {
        self.steps.push_back(step);
    }

    pub(crate) fn left(&self) -> usize {
        self.steps.iter().filter(|step| !step.repeats).count()
    }

    /// The first step whose condition accepts the request. It is used up, unless it is for always.
    pub(crate) fn take(&mut self, request: &RecordedRequest) -> Option<Reply> {
        let index = self
            .steps
            .iter()
            .position(|step| step.matcher.as_ref().is_none_or(|accepts| accepts(request)))?;
        let step = self.steps.get(index)?.clone();
        if !step.repeats {
            self.steps.remove(index);
        }
        Some(step.reply)
    }
}
