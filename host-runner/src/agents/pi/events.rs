//! Reads what the extension reports: one payload in, neutral events out. Pure, and lenient: unknown fields and events
//! are normal, nothing that comes in can do more than become a diagnostic.
//!
//! The names are those of pi's own events (its JSON mode has the same ones), so that lines of `pi --mode json` can be
//! read as well. Called by whoever ingests events; the recorded payloads of real runs are in `samples/`.

use crate::agents::{
    event::{
        AgentEvent, Answer, Asker, Author, CompactionCause, CompactionOutcome, Delivery, Diagnostic,
        EditorState, Ending, InputGiven, InputSource, Message, Parsed, Place, Retry, RetryOutcome,
        SessionEnd, SessionStart, SessionStarted, Settled, StopReason, ToolEnded, ToolOutcome, ToolStarted,
    },
    questions::{self, QuestionTools},
    usage,
};
use board_text::agents as texts;
use serde_json::Value;

/// Longest excerpt of a payload in a diagnostic, in characters: enough to recognise it.
const DETAIL_CHARACTERS: usize = 300;

/// What stands before the exit code of a command that failed, at the end of what the tool says.
const EXIT_WORDS: &str = "Command exited with code ";

/// Reads one payload. Never fails: what cannot be read is an [`AgentEvent::Unknown`].
pub fn parse(payload: &[u8], question_tools: &QuestionTools) -> Parsed {
    let event: Value = match serde_json::from_slice(payload) {
        Ok(event) => event,
        Err(error) => {
            let text = String::from_utf8_lossy(payload);
            return Parsed {
                place: None,
                speaker: None,
                events: vec![unknown("malformed_event", &format!("{error}: {text}"))],
            };
        }
    };
    let mut events = Vec::new();
    if let Some(dropped) = number(&event, "dropped").filter(|count| *count > 0) {
        events.push(unknown("events_dropped", &format!("{dropped} events over the volume limit")));
    }
    events.extend(read(&event, question_tools));
    Parsed { place: place(&event), speaker: None, events }
}

fn place(event: &Value) -> Option<Place> {
    Some(Place { boot: text(event, "boot")?, seq: number(event, "seq")? })
}

/// Reads one event; lines of the JSON mode come here as well.
pub(super) fn read(event: &Value, question_tools: &QuestionTools) -> Vec<AgentEvent> {
    let Some(kind) = event.get("type").and_then(Value::as_str) else {
        return vec![unknown("malformed_event", &event.to_string())];
    };
    let one = |event| vec![event];
    match kind {
        "session_start" => one(AgentEvent::SessionStarted(session_started(event))),
        "session" => one(AgentEvent::SessionStarted(SessionStarted {
            id: text(event, "id"),
            cwd: text(event, "cwd"),
            ..SessionStarted::default()
        })),
        "session_shutdown" => one(AgentEvent::SessionEnded {
            cause: match event.get("reason").and_then(Value::as_str) {
                Some("quit") => SessionEnd::Quit,
                Some("reload" | "new" | "resume" | "fork") => SessionEnd::Replaced,
                _ => SessionEnd::Unsaid,
            },
        }),
        "session_info_changed" => {
            one(AgentEvent::SessionRenamed { name: text(event, "name").unwrap_or_default() })
        }
        "model_select" => {
            model(event).map_or_else(Vec::new, |model| vec![AgentEvent::ModelChanged { model }])
        }
        "input" => one(AgentEvent::InputGiven(input(event))),
        "agent_start" => one(AgentEvent::AgentStarted),
        "agent_settled" => one(AgentEvent::AgentSettled(settled(event))),
        // Not the end by itself (field report A15): the extension reports `agent_settled` when it is.
        "agent_end" => Vec::new(),
        "turn_start" => one(AgentEvent::RoundStarted),
        "turn_end" => one(AgentEvent::RoundEnded),
        "message_start" => message_started(event),
        "message_end" => one(AgentEvent::MessageEnded(message(event))),
        // Progress that says nothing about the row.
        "message_update"
        | "tool_execution_update"
        | "entry_appended"
        | "thinking_level_changed"
        | "summarization_retry_scheduled"
        | "summarization_retry_attempt_start"
        | "summarization_retry_finished" => Vec::new(),
        "tool_execution_start" => tool_started(event, question_tools),
        "tool_execution_end" => tool_ended(event, question_tools),
        "ui_prompt_start" => {
            let (id, text) = (dialog_id(event), dialog_text(event));
            one(AgentEvent::QuestionAsked { id, text, by: Asker::Dialog })
        }
        // Whether the person chose or cancelled is the extension's secret.
        "ui_prompt_end" => {
            one(AgentEvent::QuestionAnswered { id: dialog_id(event), outcome: Answer::Unsaid })
        }
        "compaction_start" => one(AgentEvent::CompactionStarted {
            cause: match event.get("reason").and_then(Value::as_str) {
                Some("manual") => CompactionCause::Manual,
                Some("threshold") => CompactionCause::Threshold,
                Some("overflow") => CompactionCause::Overflow,
                _ => CompactionCause::Unsaid,
            },
        }),
        "compaction_end" => one(compaction_ended(event)),
        "auto_retry_start" => one(AgentEvent::RetryStarted(Retry {
            attempt: small(event, "attempt"),
            of: small(event, "maxAttempts"),
            delay_ms: number(event, "delayMs").unwrap_or(0),
            error: text(event, "errorMessage").unwrap_or_default(),
        })),
        "auto_retry_end" => one(AgentEvent::RetryEnded {
            outcome: if flag(event, "success") { RetryOutcome::Succeeded } else { RetryOutcome::GaveUp },
            error: text(event, "errorMessage").or_else(|| text(event, "finalError")),
        }),
        "queue_update" => {
            one(AgentEvent::QueueChanged { waiting: length(event, "steering") + length(event, "followUp") })
        }
        "editor" => one(AgentEvent::EditorChanged(match event.get("state").and_then(Value::as_str) {
            Some("empty") => EditorState::Empty,
            Some("text") => EditorState::HasText,
            _ => EditorState::Unknown,
        })),
        _ => one(unknown("unknown_event", &event.to_string())),
    }
}

fn session_started(event: &Value) -> SessionStarted {
    SessionStarted {
        cause: match event.get("reason").and_then(Value::as_str) {
            Some("startup") => SessionStart::Startup,
            Some("new") => SessionStart::New,
            Some("resume") => SessionStart::Resumed,
            Some("fork") => SessionStart::Forked,
            Some("reload") => SessionStart::Reloaded,
            _ => SessionStart::Unsaid,
        },
        id: text(event, "sessionId"),
        transcript: text(event, "sessionFile"),
        cwd: text(event, "cwd"),
        model: model(event),
    }
}

fn input(event: &Value) -> InputGiven {
    InputGiven {
        source: match event.get("source").and_then(Value::as_str) {
            // The first prompt of a command line claims to be typed; one from a file comes as an extension's.
            _ if flag(event, "launch") => InputSource::Launch,
            Some("interactive") => InputSource::Person,
            _ => InputSource::Program,
        },
        text: text(event, "text").unwrap_or_default(),
        delivery: match event.get("delivery").and_then(Value::as_str) {
            Some("steer") => Delivery::Steers,
            Some("followUp") => Delivery::Follows,
            _ => Delivery::Starts,
        },
    }
}

fn settled(event: &Value) -> Settled {
    let stop = event.get("stopReason").and_then(Value::as_str);
    let ending = if flag(event, "aborted") || stop == Some("aborted") {
        Ending::Interrupted
    } else if stop == Some("error") {
        Ending::Failed
    } else {
        Ending::Finished
    };
    let error = (ending == Ending::Failed)
        .then(|| text(event, "errorMessage").unwrap_or_else(|| texts::model_error().to_owned()));
    Settled { ending, text: text(event, "text"), error }
}

fn message_started(event: &Value) -> Vec<AgentEvent> {
    let role = event.get("role").or_else(|| event.pointer("/message/role")).and_then(Value::as_str);
    if role == Some("assistant") { vec![AgentEvent::MessageStarted] } else { Vec::new() }
}

/// A message of the extension has its fields flat, one of the JSON mode has them below `message`.
fn message(event: &Value) -> Message {
    let event = event.get("message").filter(|message| message.is_object()).unwrap_or(event);
    let author = match event.get("role").and_then(Value::as_str) {
        Some("assistant") => Author::Assistant,
        Some("user") => Author::User,
        _ => Author::Other,
    };
    let stop = event.get("stopReason").and_then(Value::as_str).map(|reason| match reason {
        "stop" => StopReason::Done,
        "length" => StopReason::Length,
        "toolUse" => StopReason::Tools,
        "error" => StopReason::Error,
        "aborted" => StopReason::Aborted,
        _ => StopReason::Other,
    });
    Message {
        author,
        text: text(event, "text").unwrap_or_else(|| content_text(event)),
        usage: event.get("usage").and_then(usage::read),
        stop,
        error: text(event, "errorMessage"),
        model: model(event),
    }
}

fn content_text(message: &Value) -> String {
    let blocks = message.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect()
}

/// A call inside another call belongs to that one: it neither changes what the row says nor asks the person.
fn is_nested(event: &Value) -> bool {
    event.get("parentToolCallId").is_some_and(Value::is_string)
}

fn tool_started(event: &Value, question_tools: &QuestionTools) -> Vec<AgentEvent> {
    if is_nested(event) {
        return Vec::new();
    }
    let arguments = event.get("args").cloned().unwrap_or(Value::Null);
    let tool = tool_name(event);
    let call = text(event, "toolCallId");
    if question_tools.contains(&tool) {
        let id = call.unwrap_or_else(|| questions::NAMELESS.to_owned());
        let text = questions::question_text(&arguments);
        return vec![AgentEvent::QuestionAsked { id, text, by: Asker::Tool }];
    }
    vec![AgentEvent::ToolStarted(ToolStarted { call: call.unwrap_or_default(), tool, arguments })]
}

fn tool_ended(event: &Value, question_tools: &QuestionTools) -> Vec<AgentEvent> {
    if is_nested(event) {
        return Vec::new();
    }
    let tool = tool_name(event);
    let call = text(event, "toolCallId");
    let failed = flag(event, "isError");
    let excerpt =
        text(event, "excerpt").or_else(|| event.get("result").map(content_text)).unwrap_or_default();
    if question_tools.contains(&tool) {
        let id = call.unwrap_or_else(|| questions::NAMELESS.to_owned());
        let outcome = if failed { Answer::Refused } else { Answer::Given };
        return vec![AgentEvent::QuestionAnswered { id, outcome }];
    }
    vec![AgentEvent::ToolEnded(ToolEnded {
        call: call.unwrap_or_default(),
        tool,
        outcome: if failed { ToolOutcome::Failed } else { ToolOutcome::Succeeded },
        exit_code: exit_code(event, &excerpt),
        excerpt,
        duration_ms: number(event, "durationMs"),
    })]
}

/// 1.6 says the exit code of a command; 0.73 writes one that is not zero below the output.
fn exit_code(event: &Value, said: &str) -> Option<i32> {
    let told = event.pointer("/result/structuredContent/exit_code").and_then(Value::as_i64);
    let written = || said.trim_end().rsplit_once(EXIT_WORDS)?.1.parse().ok();
    told.map_or_else(written, |code| i32::try_from(code).ok())
}

fn tool_name(event: &Value) -> String {
    let name = text(event, "toolName").or_else(|| event.get("args").and_then(|args| text(args, "name")));
    name.unwrap_or_else(|| "tool".to_owned())
}

fn dialog_id(event: &Value) -> String {
    text(event, "id").unwrap_or_else(|| "ui".to_owned())
}

fn dialog_text(event: &Value) -> String {
    text(event, "title").unwrap_or_else(|| {
        match event.get("kind").and_then(Value::as_str) {
            Some("confirm") => texts::confirm(),
            Some("select") => texts::choose(),
            _ => questions::FALLBACK,
        }
        .to_owned()
    })
}

fn compaction_ended(event: &Value) -> AgentEvent {
    let error = text(event, "errorMessage");
    let outcome = if flag(event, "aborted") {
        CompactionOutcome::Aborted
    } else if error.is_some() {
        CompactionOutcome::Failed
    } else {
        CompactionOutcome::Done
    };
    AgentEvent::CompactionEnded { outcome, error }
}

fn unknown(code: &str, detail: &str) -> AgentEvent {
    let detail = detail.chars().take(DETAIL_CHARACTERS).collect();
    AgentEvent::Unknown(Diagnostic { code: code.to_owned(), detail })
}

fn model(event: &Value) -> Option<String> {
    let model = text(event, "model")?;
    Some(match text(event, "provider") {
        Some(provider) => format!("{provider}/{model}"),
        None => model,
    })
}

/// A text that is there and not empty.
fn text(event: &Value, key: &str) -> Option<String> {
    event.get(key)?.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn number(event: &Value, key: &str) -> Option<u64> {
    event.get(key)?.as_u64()
}

fn small(event: &Value, key: &str) -> u32 {
    number(event, key).and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

fn length(event: &Value, key: &str) -> u32 {
    event.get(key).and_then(Value::as_array).map_or(0, |list| u32::try_from(list.len()).unwrap_or(u32::MAX))
}

fn flag(event: &Value, key: &str) -> bool {
    event.get(key).and_then(Value::as_bool).unwrap_or(false)
}

#[cfg(test)]
mod tests;
