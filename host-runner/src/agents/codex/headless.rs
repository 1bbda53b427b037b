//! Codex without a terminal: `codex exec --json`, with the prompt on standard input.
//!
//! Measured with 0.63.0. What it may do is what the person's own configuration allows (without one: read, and write
//! nothing); no flag of ours changes that. `resume` with an id that it does not know begins a new conversation without a
//! word; a signal leaves the exit code 0 and no word about the end. It counts its items from 0 in each process, and tells
//! neither the model nor the file of the conversation.

use super::{find::PROGRAM, shell};
use crate::agents::{
    event::{
        AgentEvent, Author, Ending, Message, Retry, SessionStarted, Settled, StopReason, ToolEnded,
        ToolOutcome, ToolStarted,
    },
    headless::{
        HeadlessPlan, HeadlessRequest, content_text, diagnostic, malformed, planned, program, task, text,
        unknown,
    },
    launching::{bad, check_model},
    terminals::codex_overrides,
    usage,
};
use board_protocol::refusal::Refusal;
use board_text::agents as texts;
use serde_json::{Value, json};
use uuid::Uuid;

/// Which models there are.
fn models() -> &'static str {
    texts::codex_models()
}
/// How hard the model thinks, in Codex's words (`model_reasoning_effort`).
const EFFORTS: [&str; 6] = ["none", "minimal", "low", "medium", "high", "xhigh"];
/// What stands before the number of an attempt, in an error that is none yet.
const RETRY_WORDS: &str = "Reconnecting... ";
/// The tool that runs commands, under the name that most agents have for it.
const COMMAND_TOOL: &str = "bash";
/// Most files of one patch that are passed on; a report has as many events.
const MAX_CHANGES: usize = 200;

/// The command line.
pub(in crate::agents) fn plan(request: &HeadlessRequest<'_>) -> Result<HeadlessPlan, Refusal> {
    let task = task(&PROGRAM, request)?;
    if request.tools.is_some() {
        return Err(bad(texts::codex_tools()));
    }
    let mut argv = vec![program(&PROGRAM, request)?];
    // Outside of a git repository Codex refuses to work, and no configuration helps. Whoever asked for a run named the
    // directory; what may be done there is decided by the sandbox, which stays what it is.
    argv.extend(["exec", "--json", "--skip-git-repo-check"].map(str::to_owned));
    if let Some(model) = request.model {
        check_model(model, models())?;
        argv.extend(["-m".to_owned(), model.to_owned()]);
    }
    if let Some(word) = request.thinking {
        let effort = format!("model_reasoning_effort=\"{}\"", effort(word)?);
        argv.extend(["-c".to_owned(), effort]);
    }
    if let Some(runner) = request.prepared.and_then(|prepared| prepared.terminals.as_deref()) {
        argv.extend(codex_overrides(runner));
    }
    // Flags of `exec` have to stand before its subcommand. An id that came from the agent has to be one.
    if let Some(id) = request.conversation.filter(|id| Uuid::parse_str(id).is_ok()) {
        argv.extend(["resume", id].map(str::to_owned));
    }
    argv.push("-".to_owned());
    Ok(planned(argv, Some(task.to_owned()), task))
}

fn effort(word: &str) -> Result<&'static str, Refusal> {
    EFFORTS
        .into_iter()
        .find(|effort| *effort == word)
        .ok_or_else(|| bad(texts::codex_effort(format_args!("{word:?}"), EFFORTS.join(", "))))
}

/// One line.
pub(in crate::agents) fn read(event: &Value) -> Vec<AgentEvent> {
    let one = |event| vec![event];
    match word(event, "type") {
        Some("thread.started") => one(AgentEvent::SessionStarted(SessionStarted {
            id: text(event, "thread_id"),
            ..SessionStarted::default()
        })),
        Some("turn.started") => one(AgentEvent::AgentStarted),
        Some("turn.completed") => completed(event),
        Some("turn.failed") => {
            let error = event.get("error").and_then(|error| text(error, "message"));
            one(settled(Ending::Failed, error))
        }
        Some("error") => one(error(event)),
        Some(kind @ ("item.started" | "item.updated" | "item.completed")) => match event.get("item") {
            Some(item) => read_item(kind, item),
            None => one(malformed(&event.to_string())),
        },
        Some(_) => one(unknown(event)),
        None => one(malformed(&event.to_string())),
    }
}

/// The end of a turn: what it cost, and that it went well.
fn completed(event: &Value) -> Vec<AgentEvent> {
    let usage = event.get("usage").and_then(usage::read);
    let cost = usage.map(|usage| {
        AgentEvent::MessageEnded(Message { usage: Some(usage), ..message(Author::Other, String::new()) })
    });
    cost.into_iter().chain([settled(Ending::Finished, None)]).collect()
}

/// `Reconnecting... 1/5` is an attempt that follows; every other error ends the turn.
fn error(event: &Value) -> AgentEvent {
    let message = text(event, "message");
    let attempt = message.as_deref().and_then(|message| {
        let (attempt, of) = message.strip_prefix(RETRY_WORDS)?.split_once('/')?;
        Some((attempt.parse().ok()?, of.parse().ok()?))
    });
    match attempt {
        Some((attempt, of)) => {
            AgentEvent::RetryStarted(Retry { attempt, of, delay_ms: 0, error: message.unwrap_or_default() })
        }
        None => settled(Ending::Failed, message),
    }
}

fn settled(ending: Ending, error: Option<String>) -> AgentEvent {
    let error = (ending == Ending::Failed).then(|| error.unwrap_or_else(|| texts::model_error().to_owned()));
    AgentEvent::AgentSettled(Settled { ending, text: None, error })
}

fn message(author: Author, text: String) -> Message {
    Message { author, text, usage: None, stop: None, error: None, model: None }
}

fn read_item(kind: &str, item: &Value) -> Vec<AgentEvent> {
    let (starts, ends) = (kind == "item.started", kind == "item.completed");
    match word(item, "type") {
        Some("agent_message") if ends => match text(item, "text") {
            Some(text) => {
                let message = Message { stop: Some(StopReason::Done), ..message(Author::Assistant, text) };
                vec![AgentEvent::MessageEnded(message)]
            }
            None => Vec::new(),
        },
        Some("command_execution") if starts => vec![started(item, COMMAND_TOOL, command(item))],
        Some("command_execution") if ends => {
            let output = text(item, "aggregated_output").unwrap_or_default();
            let code =
                item.get("exit_code").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
            vec![ended(item, COMMAND_TOOL, output, code)]
        }
        Some("file_change") if ends => changes(item),
        Some("mcp_tool_call") if starts => {
            vec![started(item, &mcp_tool(item), item.get("arguments").cloned().unwrap_or(Value::Null))]
        }
        Some("mcp_tool_call") if ends => vec![ended(item, &mcp_tool(item), mcp_answer(item), None)],
        Some("web_search") if starts => {
            vec![started(item, "web_search", json!({"query": word(item, "query")}))]
        }
        Some("web_search") if ends => vec![ended(item, "web_search", String::new(), None)],
        // Something went wrong and it goes on.
        Some("error") if ends => {
            vec![diagnostic("agent_warning", &text(item, "message").unwrap_or_else(|| item.to_string()))]
        }
        // Thoughts, lists of things to do, and pieces of what is complete later.
        Some(
            "agent_message" | "command_execution" | "file_change" | "mcp_tool_call" | "web_search"
            | "reasoning" | "todo_list" | "error",
        ) => Vec::new(),
        Some(_) => vec![unknown(item)],
        None => vec![malformed(&item.to_string())],
    }
}

fn command(item: &Value) -> Value {
    json!({"command": word(item, "command").map(shell::line)})
}

fn call(item: &Value) -> String {
    text(item, "id").unwrap_or_default()
}

fn started(item: &Value, tool: &str, arguments: Value) -> AgentEvent {
    AgentEvent::ToolStarted(ToolStarted { call: call(item), tool: tool.to_owned(), arguments })
}

fn ended(item: &Value, tool: &str, excerpt: String, exit_code: Option<i32>) -> AgentEvent {
    // Declined is a failure too. An item without a word about it is one of a kind that cannot fail.
    let succeeded = matches!(word(item, "status"), None | Some("completed"));
    AgentEvent::ToolEnded(ToolEnded {
        call: call(item),
        tool: tool.to_owned(),
        outcome: if succeeded { ToolOutcome::Succeeded } else { ToolOutcome::Failed },
        excerpt,
        duration_ms: None,
        exit_code,
    })
}

/// A patch, as one call of a tool for each of its files.
fn changes(item: &Value) -> Vec<AgentEvent> {
    let listed = item.get("changes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let pairs = listed.iter().take(MAX_CHANGES).enumerate().map(|(index, change)| {
        let tool = match word(change, "kind") {
            Some("add") => "write",
            Some("delete") => "delete",
            _ => "edit",
        };
        let mut of_file = item.clone();
        of_file["id"] = json!(format!("{}#{index}", call(item)));
        let arguments = json!({"path": word(change, "path")});
        [started(&of_file, tool, arguments), ended(&of_file, tool, String::new(), None)]
    });
    pairs.flatten().collect()
}

fn mcp_tool(item: &Value) -> String {
    let tool = word(item, "tool").unwrap_or("tool");
    word(item, "server").map_or_else(|| tool.to_owned(), |server| format!("{server}.{tool}"))
}

fn mcp_answer(item: &Value) -> String {
    let error = item.pointer("/error/message").and_then(Value::as_str).map(str::to_owned);
    error.or_else(|| item.pointer("/result/content").map(content_text)).unwrap_or_default()
}

fn word<'a>(event: &'a Value, key: &str) -> Option<&'a str> {
    event.get(key)?.as_str()
}

#[cfg(test)]
mod tests;
