//! What an agent's event means for its session: the words that the journal keeps, and the beats that it does not. Pure.
//!
//! News change a session's state, so they are facts. Beats only say what goes on inside a turn (a tool, an attempt, the
//! editor): they come at any rate, are shown while they last, and are gone when the daemon ends. Texts are condensed
//! here, once, so that a replayed journal cannot condense them differently.

use super::{auto_state::text_hash, needs_input::question_in, tool_words::tool_words};
use crate::agents::event::{
    AgentEvent, Asker, Author, Diagnostic, EditorState, Ending, InputSource, Message, Retry, SessionStart,
    Settled, StopReason, Usage,
};
use board_protocol::{board::MAX_SENTENCE_COLUMNS, text::plain_within};
use serde::{Deserialize, Serialize};

/// Longest id of a question, in characters: agents make them of a few dozen.
const MAX_ID_CHARACTERS: usize = 200;
/// The id of a request for leave that has none: there can be only one of those at a time.
const NAMELESS_PERMISSION: &str = "permission";

/// Something that an agent reported and that changes its session. Variants and fields are never renamed or reused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentNews {
    /// A session of the agent's own began in its process.
    SessionBegan(Box<AgentSession>),
    /// Another model answers from here on.
    ModelChanged {
        /// `provider/model`.
        model: String,
    },
    /// Words reached the agent.
    InputGiven {
        /// Whose.
        source: InputSource,
    },
    /// It works.
    WorkBegan,
    /// The model's message is complete.
    Spoke(Box<Spoken>),
    /// It waits for an answer.
    QuestionAsked {
        /// What the answer will name.
        id: String,
        /// The question, plain and cut.
        text: String,
        /// What asks.
        by: Asker,
    },
    /// It does not any more.
    QuestionClosed {
        /// Which question.
        id: String,
    },
    /// Its work ended.
    Settled(Box<SettledNews>),
    /// One of these that came while a person's verdict stood: what it tells is kept, and the row stays where it is.
    Fenced(Box<AgentNews>),
}

impl AgentNews {
    /// Whether it can only add to what is known, and never move the row.
    pub fn is_information(&self) -> bool {
        match self {
            Self::ModelChanged { .. } | Self::Fenced(_) => true,
            Self::SessionBegan(session) => {
                !matches!(session.start, SessionStart::New | SessionStart::Resumed | SessionStart::Forked)
            }
            _ => false,
        }
    }

    /// What it is, for diagnostics.
    pub const fn what(&self) -> &'static str {
        match self {
            Self::SessionBegan(_) => "another conversation",
            Self::ModelChanged { .. } => "another model",
            Self::InputGiven { .. } => "input that no person typed",
            Self::WorkBegan => "a beginning of work",
            Self::Spoke(_) => "words",
            Self::QuestionAsked { .. } => "a question",
            Self::QuestionClosed { .. } => "an answered question",
            Self::Settled(_) => "an end of work",
            Self::Fenced(news) => news.what(),
        }
    }
}

/// A session of the agent's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSession {
    /// Why it began.
    pub start: SessionStart,
    /// The agent's id of it.
    pub id: Option<String>,
    /// The file that keeps its transcript.
    pub transcript: Option<String>,
    /// `provider/model`.
    pub model: Option<String>,
}

/// A complete message of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// Its beginning, plain and cut; `None` when it has no words.
    pub preview: Option<String>,
    /// The sentence of it that asks the person something, unless the agent goes on at once.
    pub question: Option<String>,
    /// What it cost.
    pub tokens: Tokens,
    /// The error that it ended with.
    pub error: Option<String>,
    /// Whether the model was done: errors before it do not count any more.
    pub done: bool,
    /// `provider/model` that wrote it.
    pub model: Option<String>,
    /// The hash of all of its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_hash: Option<String>,
}

/// The end of a piece of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledNews {
    /// How it ended.
    pub ending: Ending,
    /// The beginning of the last words; `None` when the agent does not repeat them here.
    pub preview: Option<String>,
    /// The sentence of them that asks the person something.
    pub question: Option<String>,
    /// The error, if it ended with one.
    pub error: Option<String>,
    /// The hash of all of the last words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_hash: Option<String>,
}

/// Tokens and money, added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// Read, from a cache or not.
    pub read: u64,
    /// Written.
    pub written: u64,
    /// Millionths of a US dollar; `None` when the agent does not count them.
    pub cost_micros: Option<u64>,
}

impl Tokens {
    /// Both together.
    pub fn and(self, more: Self) -> Self {
        Self {
            read: self.read.saturating_add(more.read),
            written: self.written.saturating_add(more.written),
            cost_micros: match (self.cost_micros, more.cost_micros) {
                (Some(one), Some(other)) => Some(one.saturating_add(other)),
                (one, other) => one.or(other),
            },
        }
    }
}

impl From<Usage> for Tokens {
    fn from(usage: Usage) -> Self {
        // A cost that is no sensible amount counts as none: a float cast saturates, and NaN becomes nothing.
        let micros = |cost: f64| (cost.is_finite() && cost >= 0.0).then_some((cost * 1e6).round() as u64);
        Self {
            read: usage.input.saturating_add(usage.cache_read).saturating_add(usage.cache_write),
            written: usage.output,
            cost_micros: usage.cost.and_then(micros),
        }
    }
}

/// Something that goes on inside a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beat {
    /// It does this, until it is told that it ended or something else comes.
    Doing {
        /// What the end will name, for a tool.
        call: Option<String>,
        /// What it does, plain.
        words: String,
    },
    /// A tool ended.
    ToolEnded {
        /// Its call.
        call: String,
    },
    /// It does nothing that has a name: the model answers.
    Thinking,
    /// Nothing that would be a sign of work began or ended.
    Paused,
    /// The text field in which the person types.
    Editor(EditorState),
}

impl Beat {
    /// Whether it can only come from a running turn.
    pub fn is_sign_of_work(&self) -> bool {
        matches!(self, Self::Doing { .. } | Self::Thinking)
    }
}

/// What an event comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// A fact.
    News(AgentNews),
    /// Something to show while it lasts.
    Beat(Beat),
    /// Something for whoever looks for a fault.
    Diagnostic(Diagnostic),
    /// Nothing that concerns the row.
    Nothing,
}

/// Reads one event.
pub fn read(event: AgentEvent) -> Reading {
    use AgentEvent as E;
    match event {
        E::SessionStarted(session) => Reading::News(AgentNews::SessionBegan(Box::new(AgentSession {
            start: session.cause,
            id: session.id,
            transcript: session.transcript,
            model: session.model,
        }))),
        E::ModelChanged { model } => Reading::News(AgentNews::ModelChanged { model }),
        E::InputGiven(input) => Reading::News(AgentNews::InputGiven { source: input.source }),
        E::AgentStarted => Reading::News(AgentNews::WorkBegan),
        E::MessageEnded(message) if message.author == Author::Assistant => {
            Reading::News(AgentNews::Spoke(Box::new(spoken(message))))
        }
        E::QuestionAsked { id, text, by } => asked(&id, &text, by),
        E::QuestionAnswered { id, .. } => Reading::News(AgentNews::QuestionClosed { id: cut(&id) }),
        E::PermissionAsked { id, text } => {
            asked(id.as_deref().unwrap_or(NAMELESS_PERMISSION), &text, Asker::Tool)
        }
        E::PermissionAnswered { id, .. } => {
            let id = id.as_deref().unwrap_or(NAMELESS_PERMISSION);
            Reading::News(AgentNews::QuestionClosed { id: cut(id) })
        }
        E::AgentSettled(settled) => Reading::News(AgentNews::Settled(Box::new(settled_news(settled)))),
        E::MessageStarted => Reading::Beat(Beat::Thinking),
        E::ToolStarted(tool) => Reading::Beat(Beat::Doing {
            words: tool_words(&tool.tool, &tool.arguments),
            call: Some(tool.call),
        }),
        E::ToolEnded(tool) => Reading::Beat(Beat::ToolEnded { call: tool.call }),
        E::CompactionStarted { .. } => {
            Reading::Beat(Beat::Doing { call: None, words: "Compacting".to_owned() })
        }
        E::RetryStarted(retry) => Reading::Beat(Beat::Doing { call: None, words: retry_words(&retry) }),
        E::CompactionEnded { .. } | E::RetryEnded { .. } => Reading::Beat(Beat::Paused),
        E::EditorChanged(state) => Reading::Beat(Beat::Editor(state)),
        E::Unknown(diagnostic) => Reading::Diagnostic(diagnostic),
        // An orderly end is told apart from a crash by the exit of the process alone.
        E::SessionEnded { .. }
        | E::SessionRenamed { .. }
        | E::RoundStarted
        | E::RoundEnded
        | E::MessageEnded(_)
        | E::QueueChanged { .. }
        | E::BackgroundChanged { .. }
        | E::ChildStarted { .. }
        | E::ChildEnded { .. } => Reading::Nothing,
    }
}

fn asked(id: &str, text: &str, by: Asker) -> Reading {
    Reading::News(AgentNews::QuestionAsked { id: cut(id), text: sentence(text), by })
}

fn spoken(message: Message) -> Spoken {
    let words = said(&message.text);
    // Whoever calls tools goes on, and whoever was stopped or failed asks nothing.
    let asks = !matches!(message.stop, Some(StopReason::Tools | StopReason::Error | StopReason::Aborted));
    Spoken {
        question: if asks { question(&message.text) } else { None },
        text_hash: words.is_some().then(|| text_hash(&message.text)),
        preview: words,
        tokens: message.usage.map(Tokens::from).unwrap_or_default(),
        error: message.error.as_deref().map(sentence),
        done: message.stop == Some(StopReason::Done),
        model: message.model,
    }
}

fn settled_news(settled: Settled) -> SettledNews {
    let text = settled.text.unwrap_or_default();
    let words = said(&text);
    SettledNews {
        ending: settled.ending,
        question: if settled.ending == Ending::Finished { question(&text) } else { None },
        text_hash: words.is_some().then(|| text_hash(&text)),
        preview: words,
        error: settled.error.as_deref().map(sentence),
    }
}

fn retry_words(retry: &Retry) -> String {
    let of = if retry.of > 0 { format!(" of {}", retry.of) } else { String::new() };
    sentence(&format!("Trying again ({}{of}): {}", retry.attempt, retry.error))
}

fn question(text: &str) -> Option<String> {
    question_in(text).map(|question| sentence(&question))
}

fn said(text: &str) -> Option<String> {
    Some(sentence(text)).filter(|text| !text.is_empty())
}

fn sentence(text: &str) -> String {
    plain_within(text, MAX_SENTENCE_COLUMNS)
}

fn cut(id: &str) -> String {
    id.chars().take(MAX_ID_CHARACTERS).collect()
}

#[cfg(test)]
mod tests;
