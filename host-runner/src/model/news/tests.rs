//! What events come to, by hand from reference B.3 and B.8.

use super::*;
use crate::agents::event::{Answer, Retry, SessionStarted, ToolEnded, ToolOutcome, ToolStarted};
use serde_json::json;

fn message(text: &str, stop: Option<StopReason>) -> Message {
    Message { author: Author::Assistant, text: text.into(), usage: None, stop, error: None, model: None }
}

fn spoken_of(message: Message) -> Spoken {
    match read(AgentEvent::MessageEnded(message)) {
        Reading::News(AgentNews::Spoke(spoken)) => *spoken,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_question_in_the_words_counts_unless_the_agent_goes_on_at_once() {
    let table = [
        (Some(StopReason::Done), true),
        (Some(StopReason::Length), true),
        (None, true),
        (Some(StopReason::Tools), false),
        (Some(StopReason::Aborted), false),
        (Some(StopReason::Error), false),
    ];
    for (stop, asks) in table {
        let spoken = spoken_of(message("I looked. Which DB should I use?", stop));
        assert_eq!(spoken.question.as_deref(), asks.then_some("Which DB should I use?"), "{stop:?}");
        assert_eq!(spoken.preview.as_deref(), Some("I looked. Which DB should I use?"));
        assert_eq!(spoken.done, stop == Some(StopReason::Done));
    }
    assert_eq!(spoken_of(message(" \n ", None)).preview, None);
}

#[test]
fn texts_are_plain_and_short_before_they_are_kept() {
    let long = format!("\u{1b}[31mred\u{7} {}", "word ".repeat(1000));
    let spoken = spoken_of(message(&long, None));
    let preview = spoken.preview.unwrap();
    assert!(preview.starts_with("red word") && preview.ends_with('…'), "{preview}");
    assert!(preview.chars().count() <= MAX_SENTENCE_COLUMNS);
    let question =
        AgentEvent::QuestionAsked { id: "x".repeat(5000), text: "a\nb\u{9b}2J".into(), by: Asker::Tool };
    let Reading::News(AgentNews::QuestionAsked { id, text, .. }) = read(question) else { panic!("news") };
    assert_eq!((id.len(), text.as_str()), (MAX_ID_CHARACTERS, "a b"));
}

#[test]
fn tokens_are_added_up_and_a_cost_that_is_none_counts_as_none() {
    let usage = Usage { input: 1, output: 2, cache_read: 3, cache_write: 4, total: 10, cost: Some(0.25) };
    let tokens = Tokens::from(usage);
    assert_eq!(tokens, Tokens { read: 8, written: 2, cost_micros: Some(250_000) });
    for cost in [f64::NAN, f64::INFINITY, -1.0] {
        assert_eq!(Tokens::from(Usage { cost: Some(cost), ..usage }).cost_micros, None);
    }
    let free = Tokens { cost_micros: None, ..tokens };
    assert_eq!(tokens.and(free), Tokens { read: 16, written: 4, cost_micros: Some(250_000) });
    assert_eq!(free.and(free).cost_micros, None);
}

#[test]
fn what_goes_on_inside_a_turn_is_no_fact() {
    let tool = |name: &str, arguments| {
        AgentEvent::ToolStarted(ToolStarted { call: "c".into(), tool: name.into(), arguments })
    };
    let doing =
        |call: Option<&str>, words: &str| Beat::Doing { call: call.map(Into::into), words: words.into() };
    let retry = Retry { attempt: 2, of: 3, delay_ms: 10, error: "529\noverloaded".into() };
    let ended = ToolEnded {
        call: "c".into(),
        tool: "bash".into(),
        outcome: ToolOutcome::Succeeded,
        excerpt: String::new(),
        duration_ms: None,
        exit_code: None,
    };
    let table = [
        (tool("bash", json!({"command": "cargo test"})), doing(Some("c"), "Running tests"), true),
        (tool("edit", json!({"path": "src/auth.rs"})), doing(Some("c"), "Editing auth.rs"), true),
        (AgentEvent::RetryStarted(retry), doing(None, "Trying again (2 of 3): 529 overloaded"), true),
        (AgentEvent::MessageStarted, Beat::Thinking, true),
        (AgentEvent::ToolEnded(ended), Beat::ToolEnded { call: "c".into() }, false),
        (AgentEvent::EditorChanged(EditorState::Empty), Beat::Editor(EditorState::Empty), false),
    ];
    for (event, beat, works) in table {
        assert_eq!(beat.is_sign_of_work(), works, "{event:?}");
        assert_eq!(read(event), Reading::Beat(beat));
    }
}

#[test]
fn every_other_event_is_news_a_diagnostic_or_nothing() {
    let started = read(AgentEvent::SessionStarted(SessionStarted::default()));
    assert!(matches!(started, Reading::News(AgentNews::SessionBegan(_))));
    let closed = AgentEvent::QuestionAnswered { id: "q".into(), outcome: Answer::Given };
    assert_eq!(read(closed), Reading::News(AgentNews::QuestionClosed { id: "q".into() }));
    let unknown = Diagnostic { code: "unknown_event".into(), detail: "x".into() };
    assert_eq!(read(AgentEvent::Unknown(unknown.clone())), Reading::Diagnostic(unknown));
    let user = Message { author: Author::User, ..message("Shall I?", None) };
    assert_eq!(read(AgentEvent::MessageEnded(user)), Reading::Nothing);
    assert_eq!(read(AgentEvent::RoundStarted), Reading::Nothing);
}
