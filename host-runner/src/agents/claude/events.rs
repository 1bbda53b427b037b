//! Reads what a hook says: one payload in, neutral events out. Pure, and lenient: unknown fields and events are normal,
//! nothing that comes in can do more than become a diagnostic.
//!
//! Hooks have no numbers. Claude Code waits for each hook before it goes on, and a hook has delivered its event when it
//! ends, so that events of one turn arrive in their order; calls that run side by side are named by their ids.
//!
//! What an event says about an agent below the session's own (it carries `agent_id`) moves no row (field report A13), with
//! one exception: its request for leave stands before the person and stops everything until they decide.

use crate::agents::{
    event::{
        AgentEvent, Answer, Asker, Author, CompactionCause, CompactionOutcome, Delivery, Diagnostic, Ending,
        InputGiven, InputSource, Message, Parsed, SessionEnd, SessionStart, SessionStarted, Settled,
        StopReason, ToolEnded, ToolOutcome, ToolStarted,
    },
    questions::{self, QuestionTools},
};
use board_text::agents as texts;
use serde_json::Value;

/// Longest excerpt of a payload in a diagnostic, in characters: enough to recognise it.
const DETAIL_CHARACTERS: usize = 300;
/// Longest text about what a tool wants to do, in characters.
const WISH_CHARACTERS: usize = 1_000;
/// How much of what a tool wants to do names a request for leave, in characters.
const WISH_ID_CHARACTERS: usize = 120;
/// Most questions of one call. Claude Code's own limit is four.
const MAX_QUESTIONS: usize = 8;
/// How the words begin that Claude Code gives itself when a task in the background has ended. They come as a prompt that
/// claims no source, and are no person's (measured with 2.1.197).
const TASK_NOTIFICATION: &str = "<task-notification>";
/// The tool that shows a plan and asks for leave to carry it out.
const PLAN_TOOL: &str = "ExitPlanMode";
/// The tool that asks its person.
const QUESTION_TOOL: &str = "AskUserQuestion";

/// Reads one payload. Never fails: what cannot be read is an [`AgentEvent::Unknown`].
pub fn parse(payload: &[u8], question_tools: &QuestionTools) -> Parsed {
    let event: Value = match serde_json::from_slice(payload) {
        Ok(event) => event,
        Err(error) => {
            let detail = format!("{error}: {}", String::from_utf8_lossy(payload));
            return Parsed { place: None, speaker: None, events: vec![unknown("malformed_event", &detail)] };
        }
    };
    let events = match text(&event, "agent_id") {
        Some(child) => of_child(&event, child, question_tools),
        None => read(&event, question_tools),
    };
    Parsed { place: None, speaker: text(&event, "session_id"), events }
}

/// An event of an agent below the session's own.
fn of_child(event: &Value, id: String, question_tools: &QuestionTools) -> Vec<AgentEvent> {
    let wish_of_child = || Some(format!("{id} {}", wish_id(event)));
    match name(event) {
        Some("PermissionRequest") if !is_question(event, question_tools) => {
            vec![AgentEvent::PermissionAsked { id: wish_of_child(), text: wish(event) }]
        }
        Some("PostToolUse") => {
            vec![AgentEvent::PermissionAnswered { id: wish_of_child(), outcome: Answer::Given }]
        }
        Some("PostToolUseFailure" | "PermissionDenied") => {
            vec![AgentEvent::PermissionAnswered { id: wish_of_child(), outcome: Answer::Refused }]
        }
        Some("SubagentStart") => {
            vec![AgentEvent::ChildStarted { id, kind: text(event, "agent_type").unwrap_or_default() }]
        }
        Some("SubagentStop") => vec![AgentEvent::ChildEnded { id }],
        _ => Vec::new(),
    }
}

fn read(event: &Value, question_tools: &QuestionTools) -> Vec<AgentEvent> {
    let Some(kind) = name(event) else {
        return vec![unknown("malformed_event", &event.to_string())];
    };
    let one = |event| vec![event];
    match kind {
        "SessionStart" => one(AgentEvent::SessionStarted(session_started(event))),
        "SessionEnd" => one(AgentEvent::SessionEnded {
            cause: match word(event, "reason") {
                Some("clear" | "resume") => SessionEnd::Replaced,
                Some("prompt_input_exit" | "logout") => SessionEnd::Quit,
                _ => SessionEnd::Unsaid,
            },
        }),
        "UserPromptSubmit" => one(AgentEvent::InputGiven(input(event))),
        "PreToolUse" => tool_started(event, question_tools),
        "PostToolUse" => tool_ended(event, question_tools, ToolOutcome::Succeeded),
        "PostToolUseFailure" => {
            let mut events = tool_ended(event, question_tools, ToolOutcome::Failed);
            if flag(event, "is_interrupt") {
                events.push(AgentEvent::AgentSettled(Settled {
                    ending: Ending::Interrupted,
                    text: None,
                    error: None,
                }));
            }
            events
        }
        // A question tool asks for leave as well: its question is open already, and one alert is enough (A8).
        "PermissionRequest" if is_question(event, question_tools) => Vec::new(),
        "PermissionRequest" => {
            one(AgentEvent::PermissionAsked { id: Some(wish_id(event)), text: wish(event) })
        }
        "PermissionDenied" => tool_ended(event, question_tools, ToolOutcome::Failed),
        "Notification" => notification(event),
        "Elicitation" => one(AgentEvent::QuestionAsked {
            id: elicitation_id(event),
            text: text(event, "message").unwrap_or_else(|| questions::FALLBACK.to_owned()),
            by: Asker::Tool,
        }),
        "ElicitationResult" => one(AgentEvent::QuestionAnswered {
            id: elicitation_id(event),
            outcome: if word(event, "action") == Some("accept") { Answer::Given } else { Answer::Refused },
        }),
        "Stop" => stopped(event),
        "StopFailure" => one(AgentEvent::AgentSettled(Settled {
            ending: Ending::Failed,
            text: None,
            error: Some(failure(event)),
        })),
        "PreCompact" => one(AgentEvent::CompactionStarted {
            cause: match word(event, "trigger") {
                Some("manual") => CompactionCause::Manual,
                Some("auto") => CompactionCause::Threshold,
                _ => CompactionCause::Unsaid,
            },
        }),
        "PostCompact" => one(AgentEvent::CompactionEnded { outcome: CompactionOutcome::Done, error: None }),
        // Without an id nobody can tell which child it was.
        "SubagentStart" | "SubagentStop" => Vec::new(),
        _ => one(unknown("unknown_event", &event.to_string())),
    }
}

fn session_started(event: &Value) -> SessionStarted {
    SessionStarted {
        cause: match word(event, "source") {
            Some("startup") => SessionStart::Startup,
            Some("clear") => SessionStart::New,
            Some("resume") => SessionStart::Resumed,
            Some("fork") => SessionStart::Forked,
            Some("compact") => SessionStart::Reloaded,
            _ => SessionStart::Unsaid,
        },
        id: text(event, "session_id"),
        transcript: text(event, "transcript_path"),
        cwd: text(event, "cwd"),
        model: text(event, "model"),
    }
}

/// Interactive means that no source is named, or the user (reference C.6).
fn input(event: &Value) -> InputGiven {
    let words = text(event, "prompt").unwrap_or_default();
    let by_person = matches!(word(event, "source"), None | Some("user"))
        && !words.trim_start().starts_with(TASK_NOTIFICATION);
    InputGiven {
        source: if by_person { InputSource::Person } else { InputSource::Program },
        text: words,
        delivery: Delivery::Starts,
    }
}

fn is_question(event: &Value, question_tools: &QuestionTools) -> bool {
    let tool = tool_name(event);
    tool == QUESTION_TOOL || tool == PLAN_TOOL || question_tools.contains(&tool)
}

/// The questions of a call of a question tool; never none.
fn question_texts(event: &Value) -> Vec<String> {
    if tool_name(event) == PLAN_TOOL {
        return vec![questions::PLAN.to_owned()];
    }
    let Some(arguments) = event.get("tool_input") else { return vec![questions::FALLBACK.to_owned()] };
    let listed = arguments.get("questions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let texts: Vec<String> =
        listed.iter().filter_map(|entry| text(entry, "question")).take(MAX_QUESTIONS).collect();
    if texts.is_empty() { vec![questions::question_text(arguments)] } else { texts }
}

/// The name of the question number `index` of a call.
fn question_id(call: Option<&str>, index: usize) -> String {
    let call = call.unwrap_or(questions::NAMELESS);
    if index == 0 { call.to_owned() } else { format!("{call}#{index}") }
}

fn tool_started(event: &Value, question_tools: &QuestionTools) -> Vec<AgentEvent> {
    let call = text(event, "tool_use_id");
    if is_question(event, question_tools) {
        let texts = question_texts(event).into_iter().enumerate();
        return texts
            .map(|(index, text)| {
                let id = question_id(call.as_deref(), index);
                AgentEvent::QuestionAsked { id, text, by: Asker::Tool }
            })
            .collect();
    }
    vec![AgentEvent::ToolStarted(ToolStarted {
        call: call.unwrap_or_default(),
        tool: tool_name(event),
        arguments: event.get("tool_input").cloned().unwrap_or(Value::Null),
    })]
}

fn tool_ended(event: &Value, question_tools: &QuestionTools, outcome: ToolOutcome) -> Vec<AgentEvent> {
    let call = text(event, "tool_use_id");
    let answer = match outcome {
        ToolOutcome::Succeeded => Answer::Given,
        ToolOutcome::Failed => Answer::Refused,
    };
    if is_question(event, question_tools) {
        return (0..question_texts(event).len())
            .map(|index| AgentEvent::QuestionAnswered {
                id: question_id(call.as_deref(), index),
                outcome: answer,
            })
            .collect();
    }
    let ended = AgentEvent::ToolEnded(ToolEnded {
        call: call.unwrap_or_default(),
        tool: tool_name(event),
        outcome,
        excerpt: text(event, "error").unwrap_or_else(|| printed(event)),
        duration_ms: event.get("duration_ms").and_then(Value::as_u64),
        exit_code: None,
    });
    // A tool that ran was given leave, whoever gave it: no event of its own says so.
    vec![ended, AgentEvent::PermissionAnswered { id: Some(wish_id(event)), outcome: answer }]
}

/// What a command printed. The answers of other tools (a file that was read, an agent's report) are not for the board.
fn printed(event: &Value) -> String {
    let of = |key| event.get("tool_response").and_then(|answer| text(answer, key));
    let both: Vec<String> = ["stdout", "stderr"].into_iter().filter_map(of).collect();
    both.join("\n")
}

/// `permission_prompt` says what [`AgentEvent::PermissionAsked`] said, six seconds later, perhaps after the answer (A6),
/// and beside a question (A8): it means nothing. Other kinds are news for a person, not about the row.
fn notification(event: &Value) -> Vec<AgentEvent> {
    match word(event, "notification_type") {
        Some("idle_prompt") => vec![AgentEvent::FoundIdle],
        _ => Vec::new(),
    }
}

/// The end of a turn. With tasks in the background it is not the end of the work (A10).
fn stopped(event: &Value) -> Vec<AgentEvent> {
    let tasks = event.get("background_tasks").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let running = tasks.iter().filter(|task| matches!(word(task, "status"), None | Some("running"))).count();
    let mut events =
        vec![AgentEvent::BackgroundChanged { running: u32::try_from(running).unwrap_or(u32::MAX) }];
    let said = text(event, "last_assistant_message");
    if let Some(words) = &said {
        events.push(AgentEvent::MessageEnded(Message {
            author: Author::Assistant,
            text: words.clone(),
            usage: None,
            stop: Some(StopReason::Done),
            error: None,
            model: None,
        }));
    }
    events.push(AgentEvent::AgentSettled(Settled { ending: Ending::Finished, text: said, error: None }));
    events
}

/// What went wrong, in the most telling words there are.
fn failure(event: &Value) -> String {
    let kind = text(event, "error").filter(|kind| kind != "unknown");
    let words = text(event, "error_details").or_else(|| text(event, "last_assistant_message"));
    match (kind, words) {
        (Some(kind), Some(words)) => format!("{kind}: {words}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => texts::model_error().to_owned(),
    }
}

/// What tells one call of a tool from another, in the order in which it is looked for. A person may change the rest of
/// a call while giving leave.
const TELLING: [&str; 8] =
    ["command", "file_path", "notebook_path", "path", "url", "query", "pattern", "description"];

/// What a tool wants to do, as far as it tells.
fn telling(event: &Value) -> Option<String> {
    let arguments = event.get("tool_input")?;
    TELLING.iter().find_map(|key| text(arguments, key))
}

fn wish(event: &Value) -> String {
    let tool = tool_name(event);
    match telling(event) {
        Some(what) => texts::allow_what(&tool, what.chars().take(WISH_CHARACTERS).collect::<String>()),
        None => texts::allow(&tool),
    }
}

/// A request for leave has no id; the call that it is for is told by its tool and what it wants.
fn wish_id(event: &Value) -> String {
    let what = telling(event).unwrap_or_default();
    format!("permission {} {}", tool_name(event), what.chars().take(WISH_ID_CHARACTERS).collect::<String>())
}

fn elicitation_id(event: &Value) -> String {
    text(event, "elicitation_id")
        .unwrap_or_else(|| format!("elicitation {}", text(event, "mcp_server_name").unwrap_or_default()))
}

fn tool_name(event: &Value) -> String {
    text(event, "tool_name").unwrap_or_else(|| "tool".to_owned())
}

fn name(event: &Value) -> Option<&str> {
    word(event, "hook_event_name")
}

fn unknown(code: &str, detail: &str) -> AgentEvent {
    let detail = detail.chars().take(DETAIL_CHARACTERS).collect();
    AgentEvent::Unknown(Diagnostic { code: code.to_owned(), detail })
}

fn word<'a>(event: &'a Value, key: &str) -> Option<&'a str> {
    event.get(key)?.as_str()
}

/// A text that is there and not empty.
fn text(event: &Value, key: &str) -> Option<String> {
    word(event, key).filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn flag(event: &Value, key: &str) -> bool {
    event.get(key).and_then(Value::as_bool).unwrap_or(false)
}

#[cfg(test)]
mod tests;
