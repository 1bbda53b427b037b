//! What pi's recorded events mean to the board, one recording at a time.

use super::*;
use crate::agents::event::Settled;
use std::{fs, path::Path};

fn parse_with_defaults(payload: &str) -> Parsed {
    parse(payload.as_bytes(), &QuestionTools::default())
}

#[track_caller]
fn one(payload: &str) -> AgentEvent {
    let mut events = parse_with_defaults(payload).events;
    assert_eq!(events.len(), 1, "{payload}: {events:?}");
    events.remove(0)
}

/// What real runs of both generations said, line by line, as the parser reads it.
#[test]
fn recorded_runs_are_read_as_they_always_were() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/agents/pi/samples");
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 18, "{files:?}");
    for file in files {
        let mut read = String::new();
        let mut seq = 0;
        for line in fs::read_to_string(&file).unwrap().lines() {
            let parsed = parse_with_defaults(line);
            let place = parsed.place.unwrap();
            assert!(place.seq > seq, "{}", file.display());
            seq = place.seq;
            for event in parsed.events {
                assert!(!matches!(event, AgentEvent::Unknown(_)), "{}: {event:?}", file.display());
                // What is stored can be read again.
                let stored = serde_json::to_string(&event).unwrap();
                assert_eq!(serde_json::from_str::<AgentEvent>(&stored).unwrap(), event);
                read.push_str(&format!("{event:?}\n"));
            }
        }
        insta::assert_snapshot!(file.file_stem().unwrap().to_string_lossy().into_owned(), read);
    }
}

#[test]
fn a15_the_end_of_a_run_is_not_the_end_of_the_work() {
    assert_eq!(parse_with_defaults(r#"{"type":"agent_end","messages":[],"willRetry":true}"#).events, []);
    let retry =
        one(r#"{"type":"auto_retry_start","attempt":1,"maxAttempts":3,"delayMs":2000,"errorMessage":"529"}"#);
    assert_eq!(
        retry,
        AgentEvent::RetryStarted(Retry { attempt: 1, of: 3, delay_ms: 2000, error: "529".into() })
    );
    let settled = |ending, error: Option<&str>| {
        AgentEvent::AgentSettled(Settled { ending, text: None, error: error.map(str::to_owned) })
    };
    let table = [
        (r#"{"type":"agent_settled","aborted":false}"#, settled(Ending::Finished, None)),
        (r#"{"type":"agent_settled","aborted":true}"#, settled(Ending::Interrupted, None)),
        (
            r#"{"type":"agent_settled","aborted":true,"stopReason":"error"}"#,
            settled(Ending::Interrupted, None),
        ),
        (r#"{"type":"agent_settled","stopReason":"aborted"}"#, settled(Ending::Interrupted, None)),
        (r#"{"type":"agent_settled","stopReason":"length"}"#, settled(Ending::Finished, None)),
        (
            r#"{"type":"agent_settled","stopReason":"error","errorMessage":"400: no"}"#,
            settled(Ending::Failed, Some("400: no")),
        ),
        (
            r#"{"type":"agent_settled","stopReason":"error"}"#,
            settled(Ending::Failed, Some("The model ended with an error")),
        ),
    ];
    for (payload, expected) in table {
        assert_eq!(one(payload), expected, "{payload}");
    }
}

#[test]
fn only_what_a_person_typed_is_the_person_s() {
    let table = [
        (r#"{"type":"input","text":"a","source":"interactive","launch":false}"#, InputSource::Person),
        (r#"{"type":"input","text":"a","source":"interactive","launch":true}"#, InputSource::Launch),
        (r#"{"type":"input","text":"a","source":"extension","launch":true}"#, InputSource::Launch),
        (r#"{"type":"input","text":"a","source":"extension"}"#, InputSource::Program),
        (r#"{"type":"input","text":"a","source":"rpc"}"#, InputSource::Program),
        (r#"{"type":"input","text":"a","source":"something new"}"#, InputSource::Program),
        (r#"{"type":"input","text":"a"}"#, InputSource::Program),
    ];
    for (payload, source) in table {
        let AgentEvent::InputGiven(input) = one(payload) else { panic!("{payload}") };
        assert_eq!((input.source, input.delivery), (source, Delivery::Starts), "{payload}");
    }
}

#[test]
fn a18_a_question_tool_is_a_question_and_no_tool() {
    let asked = one(
        r#"{"type":"tool_execution_start","toolName":"question","toolCallId":"q","args":{"question":"A?"}}"#,
    );
    assert_eq!(asked, AgentEvent::QuestionAsked { id: "q".into(), text: "A?".into(), by: Asker::Tool });
    let answered =
        one(r#"{"type":"tool_execution_end","toolName":"question","toolCallId":"q","isError":true}"#);
    assert_eq!(answered, AgentEvent::QuestionAnswered { id: "q".into(), outcome: Answer::Refused });
    let nameless = one(r#"{"type":"tool_execution_start","toolName":"questionnaire","args":{}}"#);
    assert_eq!(
        nameless,
        AgentEvent::QuestionAsked {
            id: "ask_questions".into(),
            text: questions::FALLBACK.into(),
            by: Asker::Tool
        }
    );
    let configured = QuestionTools::with(["ask_user".to_owned()]);
    let payload =
        br#"{"type":"tool_execution_start","toolName":"ask_user","toolCallId":"u","args":{"question":"B?"}}"#;
    assert!(matches!(&parse(payload, &configured).events[..], [AgentEvent::QuestionAsked { .. }]));
    assert!(matches!(&parse(payload, &QuestionTools::default()).events[..], [AgentEvent::ToolStarted(_)]));
}

#[test]
fn a_call_inside_another_call_moves_nothing() {
    for kind in ["tool_execution_start", "tool_execution_end"] {
        let payload =
            format!(r#"{{"type":"{kind}","toolName":"question","toolCallId":"q","parentToolCallId":"p"}}"#);
        assert_eq!(parse_with_defaults(&payload).events, [], "{kind}");
    }
}

#[test]
fn lines_of_the_json_mode_are_read_too() {
    let message = r#"{"type":"message_end","message":{"role":"assistant","provider":"p","model":"m","stopReason":"stop",
        "content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Done."}],
        "usage":{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"totalTokens":10,"cost":{"total":0.5}}}}"#;
    let AgentEvent::MessageEnded(message) = one(message) else { panic!() };
    assert_eq!((message.author, message.text.as_str()), (Author::Assistant, "Done."));
    assert_eq!(message.model.as_deref(), Some("p/m"));
    let usage = crate::agents::event::Usage {
        input: 1,
        output: 2,
        cache_read: 3,
        cache_write: 4,
        total: 10,
        cost: Some(0.5),
    };
    assert_eq!(message.usage, Some(usage));
    assert_eq!(
        one(r#"{"type":"queue_update","steering":["a"],"followUp":["b","c"]}"#),
        AgentEvent::QueueChanged { waiting: 3 }
    );
    let started = one(r#"{"type":"session","version":3,"id":"u","cwd":"/w"}"#);
    assert!(matches!(started, AgentEvent::SessionStarted(started) if started.id.as_deref() == Some("u")));
    assert_eq!(one(r#"{"type":"message_start","message":{"role":"assistant"}}"#), AgentEvent::MessageStarted);
    for quiet in [r#"{"type":"message_update"}"#, r#"{"type":"message_start","message":{"role":"user"}}"#] {
        assert_eq!(parse_with_defaults(quiet).events, [], "{quiet}");
    }
}

#[test]
fn what_is_not_known_or_broken_is_a_short_diagnostic() {
    let long = format!(r#"{{"type":"brand_new","x":"{}"}}"#, "y".repeat(10_000));
    let table: [(&[u8], &str); 7] = [
        (b"", "malformed_event"),
        (b"{", "malformed_event"),
        (b"\xff\xfe", "malformed_event"),
        (b"[]", "malformed_event"),
        (b"{\"type\":3}", "malformed_event"),
        (b"{\"type\":\"\"}", "unknown_event"),
        (long.as_bytes(), "unknown_event"),
    ];
    for (payload, code) in table {
        let events = parse(payload, &QuestionTools::default()).events;
        let [AgentEvent::Unknown(diagnostic)] = &events[..] else { panic!("{events:?}") };
        assert_eq!(diagnostic.code, code, "{payload:?}");
        assert!(diagnostic.detail.chars().count() <= DETAIL_CHARACTERS);
    }
    let dropped = parse_with_defaults(r#"{"type":"agent_start","dropped":7,"boot":"b","seq":9}"#);
    assert_eq!(dropped.place, Some(Place { boot: "b".into(), seq: 9 }));
    assert!(
        matches!(&dropped.events[..], [AgentEvent::Unknown(d), AgentEvent::AgentStarted] if d.code == "events_dropped")
    );
}

proptest::proptest! {
    #[test]
    fn any_value_in_any_field_is_survived(
        kind in "(session_start|input|agent_settled|message_end|tool_execution_start|tool_execution_end|ui_prompt_start|compaction_end|auto_retry_start|queue_update|editor|model_select)",
        key in "(toolName|args|text|usage|role|reason|state|title|id|message|steering|dropped|seq|boot|errorMessage)",
        value in "(null|-1|1e300|\"\"|\"x\"|\\[\\]|\\[null\\]|\\{\\}|\\{\"a\":\\[1\\]\\}|true)",
    ) {
        let payload = format!(r#"{{"type":"{kind}","{key}":{value}}}"#);
        proptest::prop_assert!(parse_with_defaults(&payload).events.len() <= 2);
    }
}
