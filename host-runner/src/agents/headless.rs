//! Turns without a terminal: what is executed for one, and how the lines that it prints are read. Pure.
//!
//! Called by the coordinator, which plans a run, and by the run process, which reads its worker. Each adapter has its own
//! `headless` file; this one is the seam, and what they have in common: checks, and limits of what is passed on.
//!
//! Nobody can answer a question there, so that question tools are tools like any other (reference B.3).

use super::{
    AgentKind, Prepared, claude, codex,
    event::{AgentEvent, Author, Diagnostic, Ending, Message, Settled, StopReason, ToolEnded},
    launching::{MAX_WORDS, bad},
    pi,
    program::AgentProgram,
    questions::QuestionTools,
    shorten::{middle_out, shorten},
};
use board_protocol::refusal::{Refusal, RefusalKind};
use board_text::agents as texts;
use serde_json::Value;
use std::collections::BTreeMap;

/// Longest list of tools, in bytes: dozens of names.
const MAX_TOOLS_BYTES: usize = 4_000;
/// How much of the beginning of a message is kept, in characters, and as much of its end. A claim has 12,000 (reference
/// A.8), a plan 16 KiB; what asks something stands at the end.
const KEPT_OF_MESSAGE: usize = 16_000;
/// How much of the beginning of what a tool said is kept, in characters; four times what is shown of it (reference A.8).
const KEPT_OF_EXCERPT: usize = 2_000;
/// How much of an error is kept, in characters.
const KEPT_OF_ERROR: usize = 2_000;
/// Longest excerpt of a line in a diagnostic, in characters: enough to recognise it.
const DETAIL_CHARACTERS: usize = 300;
/// Most calls whose tool is remembered. Models run a handful side by side.
const MAX_OPEN_CALLS: usize = 256;

/// Everything that a turn without a terminal is planned from.
#[derive(Debug, Clone, Copy)]
pub struct HeadlessRequest<'a> {
    /// What the agent is told, taken literally.
    pub prompt: &'a str,
    /// What [`AgentKind::prepare`] found.
    pub prepared: Option<&'a Prepared>,
    /// The file that keeps the transcript, where the agent lets us choose it.
    pub transcript: &'a str,
    /// The agent's own id of the conversation that goes on; `None` begins one.
    pub conversation: Option<&'a str>,
    /// What tells this life of the row from all others: a UUID.
    pub life: &'a str,
    /// The model, in the agent's words.
    pub model: Option<&'a str>,
    /// How hard it thinks, in the agent's words.
    pub thinking: Option<&'a str>,
    /// The tools that it may use, in the agent's words.
    pub tools: Option<&'a str>,
}

/// What to execute for a turn without a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadlessPlan {
    /// Program and arguments, never empty, taken literally.
    pub argv: Vec<String>,
    /// What it reads on its standard input, closed after that; `None` is nothing at all.
    pub input: Option<String>,
    /// The beginning of the prompt: the source of the session's name and summary.
    pub words: String,
}

impl AgentKind {
    /// What to execute for a turn without a terminal.
    ///
    /// # Errors
    /// The agent cannot do that, or the request says nothing that could be executed.
    pub fn plan_headless(self, request: &HeadlessRequest<'_>) -> Result<HeadlessPlan, Refusal> {
        match self {
            Self::Generic => Err(bad(texts::run_needs_agent())),
            Self::Pi => pi::headless::plan(request),
            Self::Claude => claude::headless::plan(request),
            Self::Codex => codex::headless::plan(request),
        }
    }

    /// Reads one line that a worker printed. Never fails: what cannot be read is an [`AgentEvent::Unknown`] with the code
    /// `malformed_event`. Agents name the tool of a call once: a [`HeadlessReader`] says it again at its end.
    pub fn read_headless(self, line: &[u8], _question_tools: &QuestionTools) -> Vec<AgentEvent> {
        let line = line.trim_ascii();
        if line.is_empty() {
            return Vec::new();
        }
        let event: Value = match serde_json::from_slice(line) {
            Ok(Value::Object(event)) => event.into(),
            Ok(other) => return vec![malformed(&format!("no event: {other}"))],
            Err(error) => return vec![malformed(&format!("{error}: {}", String::from_utf8_lossy(line)))],
        };
        let mut events = match self {
            Self::Generic => Vec::new(),
            Self::Pi => pi::headless::read(&event),
            Self::Claude => claude::headless::read(&event),
            Self::Codex => codex::headless::read(&event),
        };
        events.iter_mut().for_each(bound);
        events
    }
}

/// Reads the lines of one worker, in their order.
#[derive(Debug)]
pub struct HeadlessReader {
    agent: AgentKind,
    /// What tells the worker's run from others.
    run: String,
    /// The tools of the calls that have not ended, by the ids of the calls.
    open: BTreeMap<String, String>,
    /// Whether it works: it has said that it began, and not yet that it is done.
    works: bool,
    /// The error of its last message, if that ended with one.
    failed: Option<String>,
}

impl HeadlessReader {
    /// For a worker that has not printed anything yet; `run` tells its run from others.
    pub fn new(agent: AgentKind, run: &str) -> Self {
        Self { agent, run: run.to_owned(), open: BTreeMap::new(), works: false, failed: None }
    }

    /// Reads one line ([`AgentKind::read_headless`]). The end of a call names its tool, and its id is one that no other
    /// run of the session has: both also where the agent does not see to that.
    pub fn read(&mut self, line: &[u8], question_tools: &QuestionTools) -> Vec<AgentEvent> {
        let mut events = self.agent.read_headless(line, question_tools);
        for event in &mut events {
            match event {
                AgentEvent::ToolStarted(started) => {
                    self.name(&mut started.call);
                    if self.open.len() < MAX_OPEN_CALLS {
                        self.open.insert(started.call.clone(), started.tool.clone());
                    }
                }
                AgentEvent::ToolEnded(ended) => {
                    self.name(&mut ended.call);
                    if let Some(tool) = self.open.remove(&ended.call) {
                        ended.tool = tool;
                    }
                }
                AgentEvent::AgentStarted => self.works = true,
                AgentEvent::MessageEnded(message) if message.author == Author::Assistant => {
                    let failed = message.stop == Some(StopReason::Error);
                    self.failed = failed.then(|| message.error.clone().unwrap_or_default());
                }
                AgentEvent::AgentSettled(settled) => {
                    self.works = false;
                    self.settle(settled);
                }
                _ => {}
            }
        }
        events
    }

    /// pi 1.6 says here that it is done, and not that it failed: its last message did.
    fn settle(&mut self, settled: &mut Settled) {
        let failed = self.failed.take();
        if settled.ending == Ending::Finished && failed.is_some() {
            settled.ending = Ending::Failed;
            settled.error = failed.filter(|error| !error.is_empty());
        }
    }

    /// There are no more lines. An agent that is ended by a signal may go with the exit code 0 and without a word
    /// (Codex): that its turn did not end is told here. The first pi never says that it is done, and its exit code tells.
    pub fn finish(&mut self) -> Vec<AgentEvent> {
        let silent = std::mem::take(&mut self.works) && self.agent != AgentKind::Pi;
        let error = || Some(texts::ended_before_turn().to_owned());
        let settled = || Settled { ending: Ending::Failed, text: None, error: error() };
        silent.then(|| AgentEvent::AgentSettled(settled())).into_iter().collect()
    }

    /// Codex counts its calls from 0 in each process; models give theirs an id.
    fn name(&self, call: &mut String) {
        if self.agent == AgentKind::Codex {
            *call = format!("{}:{call}", self.run);
        }
    }
}

/// The words of a run; there have to be some.
pub(super) fn task<'a>(agent: &AgentProgram, request: &HeadlessRequest<'a>) -> Result<&'a str, Refusal> {
    if request.prompt.trim().is_empty() {
        return Err(bad(texts::nothing_to_do(agent.called)));
    }
    Ok(request.prompt)
}

/// The agent's program, as it was found before the run.
pub(super) fn program(agent: &AgentProgram, request: &HeadlessRequest<'_>) -> Result<String, Refusal> {
    request.prepared.map(|prepared| prepared.program.clone()).ok_or_else(|| {
        let text = texts::not_looked_for_run(agent.called);
        Refusal::new(RefusalKind::Internal, text)
    })
}

/// Names of tools go on a command line: they are no options.
pub(super) fn check_tools(tools: &str) -> Result<(), Refusal> {
    let are_names = !tools.trim().is_empty()
        && tools.len() <= MAX_TOOLS_BYTES
        && !tools.starts_with('-')
        && !tools.chars().any(char::is_control);
    if are_names { Ok(()) } else { Err(bad(texts::no_tools(format_args!("{tools:?}")))) }
}

/// What is executed, and the beginning of the words for the row.
pub(super) fn planned(argv: Vec<String>, input: Option<String>, task: &str) -> HeadlessPlan {
    HeadlessPlan { argv, input, words: task.trim().chars().take(MAX_WORDS).collect() }
}

/// An event that an adapter does not know.
pub(super) fn unknown(event: &Value) -> AgentEvent {
    diagnostic("unknown_event", &event.to_string())
}

pub(super) fn malformed(detail: &str) -> AgentEvent {
    diagnostic("malformed_event", detail)
}

pub(super) fn diagnostic(code: &str, detail: &str) -> AgentEvent {
    let detail = detail.chars().take(DETAIL_CHARACTERS).collect();
    AgentEvent::Unknown(Diagnostic { code: code.to_owned(), detail })
}

/// A text that is there and not empty.
pub(super) fn text(event: &Value, key: &str) -> Option<String> {
    event.get(key)?.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// The text of content that is one text, or a list of blocks of which some have text.
pub(super) fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

/// Cuts what an event carries: a line may be as long as a file that a tool read.
fn bound(event: &mut AgentEvent) {
    match event {
        AgentEvent::ToolStarted(started) => shorten(&mut started.arguments),
        AgentEvent::ToolEnded(ToolEnded { excerpt, .. }) => cut(excerpt, KEPT_OF_EXCERPT),
        AgentEvent::MessageEnded(Message { text, error, .. }) => {
            cut_middle(text);
            if let Some(error) = error {
                cut(error, KEPT_OF_ERROR);
            }
        }
        AgentEvent::AgentSettled(settled) => {
            if let Some(text) = &mut settled.text {
                cut_middle(text);
            }
            if let Some(error) = &mut settled.error {
                cut(error, KEPT_OF_ERROR);
            }
        }
        _ => {}
    }
}

fn cut(text: &mut String, characters: usize) {
    if let Some((at, _)) = text.char_indices().nth(characters) {
        text.truncate(at);
    }
}

fn cut_middle(text: &mut String) {
    if let Some(short) = middle_out(text, KEPT_OF_MESSAGE) {
        *text = short;
    }
}

#[cfg(test)]
pub(super) mod tests;
