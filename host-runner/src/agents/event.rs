//! What any agent can report: the closed type between the adapters, which make these values, and the reducer, which
//! reads them. Neither side knows the other's words.
//!
//! Every variant is something that happened, in the past tense. An adapter that meets something it does not know says
//! [`AgentEvent::Unknown`], which is kept as a diagnostic and moves no row. Texts are as the agent wrote them, cut to
//! the adapter's limits but not made plain: whoever shows one passes it through `board_protocol::text::plain_within`.

use serde::{Deserialize, Serialize};

/// The number of a report. A second delivery has the same one; a smaller one came late, through the spool.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The agent's process.
    pub boot: String,
    /// Counted from 1 in that process, in the order in which things happened. Gaps are normal.
    pub seq: u64,
}

/// One report, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// Where it stands in the order of its process; `None` where the agent does not number what it says.
    pub place: Option<Place>,
    /// The agent's own id of the session that says it, where every report names one: an agent that this one started
    /// may report to the same row (field report A12).
    pub speaker: Option<String>,
    /// What it says; often one event, sometimes two, never more than eight.
    pub events: Vec<AgentEvent>,
}

/// One thing that an agent reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentEvent {
    /// The agent's own session began, or another one took its place in the same process.
    SessionStarted(SessionStarted),
    /// The agent's own session ended in an orderly way. The process may go on with another one.
    SessionEnded {
        /// Why.
        cause: SessionEnd,
    },
    /// The agent's session has another name now.
    SessionRenamed {
        /// The new name; empty when it was taken away.
        name: String,
    },
    /// Another model answers from here on.
    ModelChanged {
        /// `provider/model`.
        model: String,
    },
    /// Words reached the agent.
    InputGiven(InputGiven),
    /// The agent began to work. It works until [`AgentEvent::AgentSettled`].
    AgentStarted,
    /// The agent is done, and nothing of its own will start again.
    AgentSettled(Settled),
    /// One question to the model, and what follows from its answer, began. A piece of the agent's work.
    RoundStarted,
    /// That piece ended.
    RoundEnded,
    /// The model began to answer.
    MessageStarted,
    /// A message is complete.
    MessageEnded(Message),
    /// A tool began to run.
    ToolStarted(ToolStarted),
    /// A tool ended.
    ToolEnded(ToolEnded),
    /// The agent waits for a person's answer.
    QuestionAsked {
        /// What the answer will name.
        id: String,
        /// The question in one line or more; never empty.
        text: String,
        /// What asks.
        by: Asker,
    },
    /// A question is closed.
    QuestionAnswered {
        /// Which one.
        id: String,
        /// How it was closed.
        outcome: Answer,
    },
    /// The agent waits for a person's leave to do something.
    PermissionAsked {
        /// What the answer will name, if the agent gives it a name.
        id: Option<String>,
        /// What it wants to do; never empty.
        text: String,
    },
    /// A person, or a rule, decided.
    PermissionAnswered {
        /// Which one, if the agent gives it a name.
        id: Option<String>,
        /// How.
        outcome: Answer,
    },
    /// The agent shortens its memory. It is busy until the end of that.
    CompactionStarted {
        /// Why.
        cause: CompactionCause,
    },
    /// That ended.
    CompactionEnded {
        /// How.
        outcome: CompactionOutcome,
        /// What went wrong, if it failed.
        error: Option<String>,
    },
    /// The model failed, and the agent will ask again after a pause. It is busy meanwhile.
    RetryStarted(Retry),
    /// The attempts ended.
    RetryEnded {
        /// Whether one succeeded.
        outcome: RetryOutcome,
        /// The last error, if none did.
        error: Option<String>,
    },
    /// How many messages of the person wait inside the agent.
    QueueChanged {
        /// So many.
        waiting: u32,
    },
    /// How many tasks the agent left running in the background. With any, the agent is not done although it settled.
    BackgroundChanged {
        /// So many.
        running: u32,
    },
    /// The agent waits for the person, and has for a while. Said late: it settles only what ended without a word.
    FoundIdle,
    /// The agent started another agent below itself. Nothing that carries a child's id moves the row.
    ChildStarted {
        /// Its id.
        id: String,
        /// What it is, in the agent's words.
        kind: String,
    },
    /// A child ended.
    ChildEnded {
        /// Its id.
        id: String,
    },
    /// The text field in which the person types.
    EditorChanged(EditorState),
    /// Something that the adapter does not know. A diagnostic; it moves nothing.
    Unknown(Diagnostic),
}

/// A session of the agent's own began.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionStarted {
    /// Why.
    pub cause: SessionStart,
    /// The agent's own id of it.
    pub id: Option<String>,
    /// The file that keeps its transcript; what a resume needs.
    pub transcript: Option<String>,
    /// Where it works.
    pub cwd: Option<String>,
    /// `provider/model`.
    pub model: Option<String>,
}

/// Why an agent's own session began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStart {
    /// The process began.
    Startup,
    /// The person asked for a new one.
    New,
    /// An older one was continued.
    Resumed,
    /// It is a copy of another one.
    Forked,
    /// The same session, after the agent loaded its parts again or shortened its memory.
    Reloaded,
    /// The agent does not say.
    #[default]
    Unsaid,
}

/// Why an agent's own session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEnd {
    /// The process is about to end.
    Quit,
    /// Another session takes its place in the same process: the row stays.
    Replaced,
    /// The agent does not say.
    Unsaid,
}

/// Words that reached the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputGiven {
    /// Whose words they are.
    pub source: InputSource,
    /// The words, cut.
    pub text: String,
    /// What they do to work in progress.
    pub delivery: Delivery,
}

/// Whose words they are. Only [`InputSource::Person`] lifts a verdict (reference C.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputSource {
    /// Typed by a person, or a reply that a person wrote, delivered as keys.
    Person,
    /// The prompt that the session was launched with. Our own doing: the row knows it already.
    Launch,
    /// A program: another extension, a remote call, a timer.
    Program,
}

/// What words do to work in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// There is none: they start it.
    Starts,
    /// They join it as soon as they can.
    Steers,
    /// They wait for its end.
    Follows,
}

/// How the agent's work ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// How.
    pub ending: Ending,
    /// The last thing that the agent said in this piece of work, cut; `None` when the agent does not repeat it here.
    pub text: Option<String>,
    /// The error, if it ended with one.
    pub error: Option<String>,
}

/// How the agent's work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By itself.
    Finished,
    /// A person stopped it.
    Interrupted,
    /// The model or the agent failed.
    Failed,
}

/// A complete message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who wrote it.
    pub author: Author,
    /// Its words, cut; empty when it only calls tools.
    pub text: String,
    /// What it cost.
    pub usage: Option<Usage>,
    /// Why the model stopped.
    pub stop: Option<StopReason>,
    /// The error, if it ended with one.
    pub error: Option<String>,
    /// `provider/model` that wrote it.
    pub model: Option<String>,
}

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The model.
    Assistant,
    /// A person, or somebody in a person's place.
    User,
    /// The agent itself, an extension, a summary.
    Other,
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It was done.
    Done,
    /// It was cut at its limit.
    Length,
    /// It calls tools.
    Tools,
    /// It failed.
    Error,
    /// A person stopped it.
    Aborted,
    /// Something else.
    Other,
}

/// What asks the person something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asker {
    /// A tool of the agent: the question cannot outlive the agent's work.
    Tool,
    /// A dialog, which may also stand before a person while the agent does nothing.
    Dialog,
    /// A prompt before the first turn (is this folder trusted? which account?): once the agent works, it was answered.
    Startup,
}

/// Tokens and money. Every number is what this message added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, without those from a cache.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
    /// Tokens read from a cache.
    pub cache_read: u64,
    /// Tokens put into a cache.
    pub cache_write: u64,
    /// All tokens, as the agent counts them.
    pub total: u64,
    /// US dollars, as the agent counts them.
    pub cost: Option<f64>,
}

/// A tool began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolStarted {
    /// The id of the call.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// Its arguments, shortened at every level.
    pub arguments: serde_json::Value,
}

/// A tool ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolEnded {
    /// The id of the call.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// Whether it worked.
    pub outcome: ToolOutcome,
    /// The beginning of what it said; empty when it said nothing.
    pub excerpt: String,
    /// How long it ran, if the agent measured it.
    pub duration_ms: Option<u64>,
    /// The exit code of a command, if the agent tells it.
    #[serde(default)]
    pub exit_code: Option<i32>,
}

/// Whether a tool worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOutcome {
    /// It did.
    Succeeded,
    /// It did not.
    Failed,
}

/// How a question or a request for leave was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It was answered, or leave was given.
    Given,
    /// It was cancelled, or leave was refused.
    Refused,
    /// The agent does not say.
    Unsaid,
}

/// Why an agent shortens its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionCause {
    /// A person asked for it.
    Manual,
    /// It is nearly full.
    Threshold,
    /// It was too full for the model.
    Overflow,
    /// The agent does not say.
    Unsaid,
}

/// How that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionOutcome {
    /// It is shorter now.
    Done,
    /// A person stopped it.
    Aborted,
    /// It failed.
    Failed,
}

/// The agent will ask the model again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retry {
    /// Which attempt follows, from 1.
    pub attempt: u32,
    /// After which it gives up; 0 when it does not say.
    pub of: u32,
    /// The pause before it.
    pub delay_ms: u64,
    /// What the model said.
    pub error: String,
}

/// How the attempts ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryOutcome {
    /// One succeeded.
    Succeeded,
    /// All failed, or a person stopped them.
    GaveUp,
}

/// The text field in which the person types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditorState {
    /// Nothing in it.
    Empty,
    /// Something in it.
    HasText,
    /// Not known: another part of the screen has the keys.
    Unknown,
}

/// Something that an adapter does not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// A short word for logs: `unknown_event`, `malformed_event`, `events_dropped`.
    pub code: String,
    /// What there was to see, cut.
    pub detail: String,
}
