//! What becomes of a turn, told event by event.

use super::*;
use crate::agents::event::{SessionStarted, ToolEnded, ToolOutcome, ToolStarted, Usage};

fn said(text: &str, stop: Option<StopReason>, error: Option<&str>) -> AgentEvent {
    AgentEvent::MessageEnded(Message {
        author: Author::Assistant,
        text: text.into(),
        usage: Some(Usage { input: 10, output: 2, cost: Some(0.5), ..Usage::default() }),
        stop,
        error: error.map(str::to_owned),
        model: Some("fake/m".into()),
    })
}

fn tool(call: &str) -> AgentEvent {
    let arguments = serde_json::json!({ "command": "cargo test" });
    AgentEvent::ToolStarted(ToolStarted { call: call.into(), tool: "bash".into(), arguments })
}

fn told(events: Vec<AgentEvent>) -> Story {
    let mut story = Story::default();
    for (at, event) in (1..).zip(events) {
        assert_eq!(story.hear(event, UnixMs(at)), None);
    }
    story
}

#[test]
fn a_turn_is_summed_up() {
    let mut story = told(vec![said("I look.", Some(StopReason::Tools), None), tool("c1")]);
    assert_eq!(story.beat().unwrap().doing.as_deref(), Some("Running tests"));
    assert_eq!(story.beat(), None, "what was shown is no news");
    let (call, tool) = ("c1".into(), "bash".into());
    let ended = ToolEnded {
        call,
        tool,
        outcome: ToolOutcome::Failed,
        excerpt: String::new(),
        duration_ms: None,
        exit_code: None,
    };
    story.hear(AgentEvent::ToolEnded(ended), UnixMs(7));
    assert_eq!(story.beat().unwrap().doing, None);
    story.hear(said("Mended. Shall I commit?", Some(StopReason::Done), None), UnixMs(9));
    let outcome = story.outcome();
    assert_eq!(outcome.text.as_deref(), Some("Mended. Shall I commit?"));
    assert_eq!((outcome.spoke_at, outcome.stop), (Some(UnixMs(9)), Some(RunStop::Done)));
    let usage = RunUsage { read: 20, written: 4, cost_micros: Some(1_000_000), turns: 2, tools: 1 };
    assert_eq!(outcome.usage, usage);
}

#[test]
fn an_error_stands_until_the_model_is_done() {
    let failed = said("", Some(StopReason::Error), Some("overloaded"));
    let outcome = told(vec![failed.clone()]).outcome();
    assert_eq!((outcome.error.as_deref(), outcome.stop), (Some("overloaded"), Some(RunStop::Error)));
    let outcome = told(vec![failed, said("Done after all.", Some(StopReason::Done), None)]).outcome();
    assert_eq!((outcome.error, outcome.stop), (None, Some(RunStop::Done)));
}

#[test]
fn the_conversation_is_told_once_and_again_when_more_is_known() {
    let session = |id: Option<&str>, model: Option<&str>| {
        let (id, model) = (id.map(str::to_owned), model.map(str::to_owned));
        AgentEvent::SessionStarted(SessionStarted { id, model, ..SessionStarted::default() })
    };
    let mut story = told(vec![session(Some("c"), None)]);
    assert_eq!(story.conversation().unwrap().id.as_deref(), Some("c"));
    assert_eq!(story.conversation(), None);
    story.hear(session(None, Some("fake/m")), UnixMs(3));
    let more = story.conversation().unwrap();
    assert_eq!((more.id.as_deref(), more.model.as_deref()), (Some("c"), Some("fake/m")));
}

#[test]
fn very_long_words_keep_their_end_where_a_question_stands() {
    let long = format!("{} Which one?", "ä".repeat(MAX_RUN_TEXT_BYTES));
    let text = told(vec![said(&long, Some(StopReason::Done), None)]).outcome().text.unwrap();
    assert!(text.len() <= MAX_RUN_TEXT_BYTES && text.ends_with("Which one?") && text.starts_with("ää"));
}

// A worker prints lines of megabytes; what one of them calls a model goes into a report with a limit.
#[test]
fn a_name_of_a_model_is_bounded_whichever_event_tells_it() {
    let long = "m".repeat(2 * MAX_RUN_TEXT_BYTES);
    let mut story = told(vec![AgentEvent::ModelChanged { model: long }]);
    let model = story.conversation().unwrap().model.unwrap();
    assert_eq!(model.len(), MAX_RUN_TEXT_BYTES);
}
