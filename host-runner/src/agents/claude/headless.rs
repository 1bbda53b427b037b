//! Claude Code without a terminal: `claude -p --output-format stream-json --verbose`, with the prompt on standard input.
//!
//! Measured with 2.1.197. What it may do is what the person's own settings allow: no flag of ours gives leave, and what
//! would need it fails with words that say so. An answer comes as one line for each block; only the last line, the
//! result, knows what everything cost. Nothing names the tool of a call at its end.

use super::{
    find::PROGRAM,
    session::{effort, models},
};
use crate::agents::{
    event::{
        AgentEvent, Author, CompactionCause, CompactionOutcome, Ending, Message, Retry, SessionStarted,
        Settled, StopReason, ToolEnded, ToolOutcome, ToolStarted, Usage,
    },
    headless::{
        HeadlessPlan, HeadlessRequest, check_tools, content_text, malformed, planned, program, task, text,
        unknown,
    },
    launching::{bad, check_model},
    usage,
};
use board_protocol::refusal::Refusal;
use board_text::agents as texts;
use serde_json::Value;
use uuid::Uuid;

/// What stands before the exit code of a command that failed, at the beginning of what the tool says.
const EXIT_WORDS: &str = "Exit code ";
/// The tool of a call whose beginning was not heard.
const SOME_TOOL: &str = "tool";

/// The command line.
pub(in crate::agents) fn plan(request: &HeadlessRequest<'_>) -> Result<HeadlessPlan, Refusal> {
    let task = task(&PROGRAM, request)?;
    if task.contains('\0') {
        return Err(bad(texts::claude_nul()));
    }
    let mut argv = vec![program(&PROGRAM, request)?];
    argv.extend(["-p", "--output-format", "stream-json", "--verbose"].map(str::to_owned));
    // It takes every word up to the next option for one of its files; one follows.
    if let Some(servers) = request.prepared.and_then(|prepared| prepared.terminals.clone()) {
        argv.extend(["--mcp-config".to_owned(), servers]);
    }
    // An id that came from the agent goes on a command line: it has to be one.
    argv.extend(match request.conversation.filter(|id| Uuid::parse_str(id).is_ok()) {
        Some(id) => ["--resume".to_owned(), id.to_owned()],
        None => {
            let fresh = Uuid::new_v5(&Uuid::NAMESPACE_OID, request.life.as_bytes());
            ["--session-id".to_owned(), fresh.to_string()]
        }
    });
    if let Some(model) = request.model {
        check_model(model, models())?;
        argv.extend(["--model".to_owned(), model.to_owned()]);
    }
    if let Some(word) = request.thinking {
        argv.extend(["--effort", effort(word)?].map(str::to_owned));
    }
    if let Some(tools) = request.tools {
        check_tools(tools)?;
        argv.extend(["--tools".to_owned(), tools.to_owned()]);
    }
    // On standard input nothing is an option or the name of a subcommand; a slash in front is a command all the same.
    let space = if task.starts_with('/') { " " } else { "" };
    Ok(planned(argv, Some(format!("{space}{task}")), task))
}

/// One line.
pub(in crate::agents) fn read(event: &Value) -> Vec<AgentEvent> {
    // What an agent below this one does moves no row (field report A13).
    if event.get("parent_tool_use_id").is_some_and(Value::is_string) {
        return Vec::new();
    }
    let Some(kind) = word(event, "type") else { return vec![malformed(&event.to_string())] };
    match kind {
        "system" => system(event),
        "assistant" => assistant(event),
        "user" => tool_results(event),
        "result" => result(event),
        // Pieces of an answer, and notes about limits, accounts and progress.
        "stream_event" | "rate_limit_event" | "tool_progress" | "tool_use_summary" | "auth_status"
        | "prompt_suggestion" | "keep_alive" => Vec::new(),
        _ => vec![unknown(event)],
    }
}

fn system(event: &Value) -> Vec<AgentEvent> {
    match word(event, "subtype") {
        Some("init") => vec![
            AgentEvent::SessionStarted(SessionStarted {
                id: text(event, "session_id"),
                cwd: text(event, "cwd"),
                model: text(event, "model"),
                ..SessionStarted::default()
            }),
            AgentEvent::AgentStarted,
        ],
        Some("api_retry") => vec![AgentEvent::RetryStarted(Retry {
            attempt: small(event, "attempt"),
            of: small(event, "max_retries"),
            delay_ms: event.get("retry_delay_ms").and_then(Value::as_f64).unwrap_or(0.0) as u64,
            error: retry_error(event),
        })],
        Some("status") if word(event, "status") == Some("compacting") => {
            vec![AgentEvent::CompactionStarted { cause: CompactionCause::Unsaid }]
        }
        Some("compact_boundary") => {
            vec![AgentEvent::CompactionEnded { outcome: CompactionOutcome::Done, error: None }]
        }
        // Hooks, tasks in the background, files: there are more kinds with each version, and none is about the row.
        _ => Vec::new(),
    }
}

fn retry_error(event: &Value) -> String {
    let words = text(event, "error").unwrap_or_default();
    match event.get("error_status").and_then(Value::as_u64) {
        Some(status) => format!("{status} {words}"),
        None => words,
    }
}

/// One block of an answer, or some. Thoughts are not for others.
fn assistant(event: &Value) -> Vec<AgentEvent> {
    let Some(message) = event.get("message") else { return vec![malformed(&event.to_string())] };
    let blocks = message.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let of = |kind: &'static str| blocks.iter().filter(move |block| word(block, "type") == Some(kind));
    let said: Vec<&str> = of("text").filter_map(|block| word(block, "text")).collect();
    let mut events = Vec::new();
    if !said.is_empty() {
        let said = said.join("\n");
        // A message that Claude Code wrote itself in place of an answer that did not come.
        let failed = event.get("error").is_some_and(Value::is_string);
        let stop = if failed { Some(StopReason::Error) } else { stop(word(message, "stop_reason")) };
        events.push(AgentEvent::MessageEnded(Message {
            author: Author::Assistant,
            error: failed.then(|| said.clone()),
            text: said,
            usage: None,
            stop,
            model: text(message, "model").filter(|_| !failed),
        }));
    }
    events.extend(of("tool_use").map(|block| {
        AgentEvent::ToolStarted(ToolStarted {
            call: text(block, "id").unwrap_or_default(),
            tool: text(block, "name").unwrap_or_else(|| SOME_TOOL.to_owned()),
            arguments: block.get("input").cloned().unwrap_or(Value::Null),
        })
    }));
    events
}

fn tool_results(event: &Value) -> Vec<AgentEvent> {
    let content = event.pointer("/message/content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let results = content.iter().filter(|block| word(block, "type") == Some("tool_result"));
    results
        .map(|block| {
            let failed = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
            let excerpt = block.get("content").map(content_text).unwrap_or_default();
            AgentEvent::ToolEnded(ToolEnded {
                call: text(block, "tool_use_id").unwrap_or_default(),
                tool: SOME_TOOL.to_owned(),
                outcome: if failed { ToolOutcome::Failed } else { ToolOutcome::Succeeded },
                exit_code: exit_code(&excerpt).filter(|_| failed),
                excerpt,
                duration_ms: None,
            })
        })
        .collect()
}

/// The exit code in the first line of what a failed command said.
fn exit_code(said: &str) -> Option<i32> {
    said.lines().next()?.strip_prefix(EXIT_WORDS)?.trim().parse().ok()
}

/// The end: the cost of everything, then how it ended.
fn result(event: &Value) -> Vec<AgentEvent> {
    let usage = event.get("usage").and_then(usage::read);
    let cost = event.get("total_cost_usd").and_then(Value::as_f64).filter(|cost| *cost >= 0.0);
    let failed = event.get("is_error").and_then(Value::as_bool).unwrap_or(false)
        || word(event, "subtype").is_some_and(|subtype| subtype.starts_with("error"));
    let said = text(event, "result");
    let error =
        failed.then(|| said.clone().or_else(|| errors(event)).unwrap_or_else(|| subtype_words(event)));
    let mut events = Vec::new();
    if let Some(usage) = usage {
        events.push(AgentEvent::MessageEnded(cost_message(Usage { cost: cost.or(usage.cost), ..usage })));
    }
    let ending = if failed { Ending::Failed } else { Ending::Finished };
    events.push(AgentEvent::AgentSettled(Settled { ending, text: said.filter(|_| !failed), error }));
    events
}

/// Nobody's words, only what they cost.
fn cost_message(usage: Usage) -> Message {
    Message {
        author: Author::Other,
        text: String::new(),
        usage: Some(usage),
        stop: None,
        error: None,
        model: None,
    }
}

fn errors(event: &Value) -> Option<String> {
    let listed = event.get("errors")?.as_array()?;
    let texts: Vec<&str> = listed.iter().filter_map(Value::as_str).collect();
    Some(texts.join("; ")).filter(|text| !text.trim().is_empty())
}

/// `error_max_turns` as words.
fn subtype_words(event: &Value) -> String {
    let subtype = word(event, "subtype").unwrap_or(texts::claude_an_error());
    texts::claude_ended_with(subtype.replace('_', " "))
}

fn stop(reason: Option<&str>) -> Option<StopReason> {
    // A line that comes while the answer is being written says nothing, and it is not the end of anything.
    Some(match reason? {
        "end_turn" | "stop_sequence" => StopReason::Done,
        "max_tokens" => StopReason::Length,
        "tool_use" => StopReason::Tools,
        _ => StopReason::Other,
    })
}

fn word<'a>(event: &'a Value, key: &str) -> Option<&'a str> {
    event.get(key)?.as_str()
}

fn small(event: &Value, key: &str) -> u32 {
    event.get(key).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::headless::tests::request;
    use serde_json::json;

    #[test]
    fn d1_the_command_line_is_complete_and_gives_no_leave() {
        let mut all = request("update");
        (all.model, all.thinking, all.tools) = (Some("opus"), Some("low"), Some("Bash,Read"));
        let first = plan(&all).unwrap();
        assert_eq!(
            first.argv[..6].join(" "),
            "/bin/agent -p --output-format stream-json --verbose --session-id"
        );
        let id = Uuid::parse_str(&first.argv[6]).unwrap();
        assert_eq!(first.argv[7..].join(" "), "--model opus --effort low --tools Bash,Read");
        assert_eq!((first.input.as_deref(), first.words.as_str()), (Some("update"), "update"));
        assert!(
            !first.argv.iter().any(|argument| argument.contains("permission") || argument.contains("allow"))
        );
        let id = id.to_string();
        all.conversation = Some(&id);
        let later = plan(&all).unwrap();
        assert_eq!(later.argv[5..7], ["--resume".to_owned(), id.clone()]);
        all.conversation = Some("--help");
        assert_eq!(plan(&all).unwrap().argv[5], "--session-id", "what is no id goes on no command line");
    }

    #[test]
    fn d1_a_prompt_is_standard_input_and_stays_what_the_person_wrote() {
        let long = "/long ".repeat(100_000);
        for (words, input) in [("-t", "-t"), ("/help", " /help"), (" x", " x"), (&long, &format!(" {long}"))]
        {
            assert_eq!(plan(&request(words)).unwrap().input.as_deref(), Some(input));
        }
        assert!(plan(&request("a\0b")).is_err());
    }

    #[test]
    fn a_result_says_the_cost_of_everything_and_how_it_ended() {
        let settled = |event: &Value| match read(event).pop() {
            Some(AgentEvent::AgentSettled(settled)) => settled,
            other => panic!("{other:?}"),
        };
        let usage = json!({"input_tokens": 4, "output_tokens": 2, "cache_read_input_tokens": 1});
        let good = json!({"type": "result", "subtype": "success", "result": "Done.", "is_error": false,
            "total_cost_usd": 0.5, "usage": usage});
        let AgentEvent::MessageEnded(cost) = &read(&good)[0] else { panic!() };
        assert_eq!(
            (cost.author, cost.usage.unwrap().cost, cost.usage.unwrap().total),
            (Author::Other, Some(0.5), 7)
        );
        assert_eq!(
            (settled(&good).ending, settled(&good).text.as_deref()),
            (Ending::Finished, Some("Done."))
        );
        for (event, error) in [
            (
                json!({"type": "result", "subtype": "success", "is_error": true, "result": "API Error: 400"}),
                "API Error: 400",
            ),
            (json!({"type": "result", "subtype": "error_during_execution", "errors": ["a", "b"]}), "a; b"),
            (
                json!({"type": "result", "subtype": "error_max_turns"}),
                "Claude Code ended with error max turns",
            ),
        ] {
            let settled = settled(&event);
            assert_eq!((settled.ending, settled.error.as_deref()), (Ending::Failed, Some(error)));
        }
    }

    #[test]
    fn a13_an_agent_below_this_one_moves_nothing() {
        let line = json!({"type": "assistant", "parent_tool_use_id": "t",
            "message": {"content": [{"type": "text", "text": "Which one?"}]}});
        assert_eq!(read(&line), []);
    }

    // Reference A.8: an object was turned into text as `[object Object]`.
    #[test]
    fn a8_an_excerpt_is_the_text_of_the_content_blocks() {
        let result = |content: Value, failed: bool| {
            let block =
                json!({"type": "tool_result", "tool_use_id": "c", "content": content, "is_error": failed});
            match read(&json!({"type": "user", "message": {"content": [block]}})).pop() {
                Some(AgentEvent::ToolEnded(ended)) => (ended.excerpt, ended.exit_code),
                other => panic!("{other:?}"),
            }
        };
        let blocks = json!([{"type": "text", "text": "a"}, {"type": "image", "source": {}}, {"type": "text", "text": "b"}]);
        assert_eq!(result(blocks, false), ("a\nb".to_owned(), None));
        assert_eq!(result(json!("Exit code 3\nbad"), true), ("Exit code 3\nbad".to_owned(), Some(3)));
        assert_eq!(result(json!("Exit code 3\nbad"), false).1, None);
        assert_eq!(result(json!({"odd": 1}), true), (String::new(), None));
    }
}
