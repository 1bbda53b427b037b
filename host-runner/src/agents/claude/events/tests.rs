//! What the recorded words of Claude Code's hooks mean to the board, and the field reports that are about single events.

use super::*;
use std::{fs, path::Path};

fn events(payload: &str) -> Vec<AgentEvent> {
    parse(payload.as_bytes(), &QuestionTools::default()).events
}

#[track_caller]
fn one(payload: &str) -> AgentEvent {
    let mut events = events(payload);
    assert_eq!(events.len(), 1, "{payload}: {events:?}");
    events.remove(0)
}

/// What real runs said, line by line, as the parser reads it.
#[test]
fn recorded_runs_are_read_as_they_always_were() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/agents/claude/samples");
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 9, "{files:?}");
    for file in files {
        let mut read = String::new();
        for line in fs::read_to_string(&file).unwrap().lines() {
            let parsed = parse(line.as_bytes(), &QuestionTools::default());
            assert!(parsed.speaker.is_some_and(|speaker| speaker.starts_with("session-")), "{line}");
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
fn only_what_a_person_typed_is_the_person_s() {
    let table = [
        (r#"{"hook_event_name":"UserPromptSubmit","prompt":"a"}"#, InputSource::Person),
        (r#"{"hook_event_name":"UserPromptSubmit","prompt":"a","source":"user"}"#, InputSource::Person),
        (r#"{"hook_event_name":"UserPromptSubmit","prompt":"a","source":"sdk"}"#, InputSource::Program),
        (
            r#"{"hook_event_name":"UserPromptSubmit","prompt":"a","source":"loop_wakeup"}"#,
            InputSource::Program,
        ),
        (
            r#"{"hook_event_name":"UserPromptSubmit","prompt":"<task-notification>\n<task-id>b"}"#,
            InputSource::Program,
        ),
        (r#"{"hook_event_name":"UserPromptSubmit"}"#, InputSource::Person),
    ];
    for (payload, source) in table {
        let AgentEvent::InputGiven(input) = one(payload) else { panic!("{payload}") };
        assert_eq!(input.source, source, "{payload}");
    }
}

// Field reports A6 and A8: a late or doubled notification opened a question that nobody asked.
#[test]
fn a6_a8_a_notification_of_a_permission_prompt_says_nothing() {
    for kind in ["permission_prompt", "auth_success", "elicitation_dialog", "something_new"] {
        let payload =
            format!(r#"{{"hook_event_name":"Notification","message":"m","notification_type":"{kind}"}}"#);
        assert_eq!(events(&payload), [], "{kind}");
    }
    let asked = |tool: &str| {
        format!(
            r#"{{"hook_event_name":"PermissionRequest","tool_name":"{tool}","tool_input":{{"questions":[{{"question":"A?"}}]}}}}"#
        )
    };
    assert_eq!(events(&asked("AskUserQuestion")), []);
    assert_eq!(events(&asked("ExitPlanMode")), []);
    assert!(matches!(one(&asked("mcp__x__ask")), AgentEvent::PermissionAsked { .. }));
}

#[test]
fn a_question_tool_asks_every_question_of_its_call_and_closes_them_all() {
    let call = |event: &str| {
        format!(
            r#"{{"hook_event_name":"{event}","tool_name":"AskUserQuestion","tool_use_id":"t","tool_input":{{"questions":[{{"question":"Which db?"}},{{"question":"Which colour?"}}]}}}}"#
        )
    };
    let asked = |id: &str, text: &str| AgentEvent::QuestionAsked {
        id: id.into(),
        text: text.into(),
        by: Asker::Tool,
    };
    assert_eq!(events(&call("PreToolUse")), [asked("t", "Which db?"), asked("t#1", "Which colour?")]);
    let closed = |id: &str, outcome| AgentEvent::QuestionAnswered { id: id.into(), outcome };
    assert_eq!(events(&call("PostToolUse")), [closed("t", Answer::Given), closed("t#1", Answer::Given)]);
    assert_eq!(
        events(&call("PostToolUseFailure")),
        [closed("t", Answer::Refused), closed("t#1", Answer::Refused)]
    );
    let plan = r##"{"hook_event_name":"PreToolUse","tool_name":"ExitPlanMode","tool_use_id":"p","tool_input":{"plan":"# A"}}"##;
    assert_eq!(one(plan), asked("p", "Approve this plan?"));
    let configured = QuestionTools::with(["mcp__desk__ask".to_owned()]);
    let own = r#"{"hook_event_name":"PreToolUse","tool_name":"mcp__desk__ask","tool_use_id":"m","tool_input":{"question":"Now?"}}"#;
    assert_eq!(parse(own.as_bytes(), &configured).events, [asked("m", "Now?")]);
}

#[test]
fn leave_is_asked_for_one_call_and_closed_by_that_one_alone() {
    let event = |event: &str, input: &str| {
        events(&format!(
            r#"{{"hook_event_name":"{event}","tool_name":"Bash","tool_use_id":"t","tool_input":{input}}}"#
        ))
    };
    let [AgentEvent::PermissionAsked { id: asked, text }] =
        &event("PermissionRequest", r#"{"command":"rm -r build","description":"Clean"}"#)[..]
    else {
        panic!("a request")
    };
    assert_eq!(text, "Allow Bash: rm -r build");
    for (name, input, closes) in [
        ("PostToolUse", r#"{"command":"rm -r build","description":"Cleaner"}"#, true),
        ("PostToolUseFailure", r#"{"command":"rm -r build"}"#, true),
        ("PermissionDenied", r#"{"command":"rm -r build"}"#, true),
        ("PostToolUse", r#"{"command":"ls"}"#, false),
    ] {
        let closed = event(name, input)
            .into_iter()
            .any(|event| matches!(event, AgentEvent::PermissionAnswered { id, .. } if id == *asked));
        assert_eq!(closed, closes, "{name} {input}");
    }
    assert!(
        matches!(one(r#"{"hook_event_name":"PermissionRequest","tool_name":"Odd"}"#), AgentEvent::PermissionAsked { text, .. } if text == "Allow Odd?")
    );
}

// Field report A13: what an agent below the session's own did looked like the session's.
#[test]
fn a13_an_event_of_a_child_is_the_child_s() {
    for event in ["PreToolUse", "Stop", "Notification", "UserPromptSubmit"] {
        let payload = format!(
            r#"{{"hook_event_name":"{event}","agent_id":"a1","tool_name":"Bash","notification_type":"idle_prompt"}}"#
        );
        assert_eq!(events(&payload), [], "{event}");
    }
    let started = r#"{"hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"Explore"}"#;
    assert_eq!(one(started), AgentEvent::ChildStarted { id: "a1".into(), kind: "Explore".into() });
    let ended = r#"{"hook_event_name":"SubagentStop","agent_id":"a1","last_assistant_message":"Done."}"#;
    assert_eq!(one(ended), AgentEvent::ChildEnded { id: "a1".into() });
}

// The row said that it ran while a child's dialog stood before the person and nothing went on.
#[test]
fn a_child_s_request_for_leave_is_asked_and_is_not_taken_for_the_session_s_own() {
    let call = r#""tool_name":"Bash","tool_input":{"command":"make"}"#;
    let of = |name: &str, child: &str| format!(r#"{{"hook_event_name":"{name}"{child},{call}}}"#);
    let child = r#","agent_id":"a1""#;
    let AgentEvent::PermissionAsked { id: asked, text } = one(&of("PermissionRequest", child)) else {
        panic!("it asks");
    };
    assert_eq!(text, "Allow Bash: make");
    for (name, outcome) in [("PostToolUse", Answer::Given), ("PostToolUseFailure", Answer::Refused)] {
        let answered = one(&of(name, child));
        assert_eq!(answered, AgentEvent::PermissionAnswered { id: asked.clone(), outcome }, "{name}");
    }
    let own = events(&of("PostToolUse", ""));
    assert!(
        own.iter().all(|event| !matches!(event, AgentEvent::PermissionAnswered { id, .. } if *id == asked)),
        "{own:?}"
    );
}

// Field report A10: the end of a turn was taken for the end of the work.
#[test]
fn a10_the_end_of_a_turn_says_what_still_runs() {
    let stop = |tasks: &str| {
        let payload = format!(
            r#"{{"hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"Done.","background_tasks":{tasks}}}"#
        );
        let events = events(&payload);
        assert!(matches!(
            events.last(),
            Some(AgentEvent::AgentSettled(Settled { ending: Ending::Finished, .. }))
        ));
        let Some(AgentEvent::BackgroundChanged { running }) = events.first() else { panic!("{events:?}") };
        *running
    };
    assert_eq!(stop("[]"), 0);
    assert_eq!(stop(r#"[{"id":"b1","type":"shell","status":"running","description":"build"}]"#), 1);
    assert_eq!(stop(r#"[{"id":"b1","status":"completed"},{"id":"b2"},{"id":"b3","status":"running"}]"#), 2);
    assert_eq!(stop("null"), 0);
}

#[test]
fn a_failure_is_told_in_the_most_telling_words() {
    let table = [
        (r#""error":"rate_limit","error_details":"try at 5""#, "rate_limit: try at 5"),
        (r#""error":"unknown","last_assistant_message":"API Error: 400 no""#, "API Error: 400 no"),
        (r#""error":"overloaded""#, "overloaded"),
        (r#""error":"unknown""#, "The model ended with an error"),
    ];
    for (fields, expected) in table {
        let AgentEvent::AgentSettled(settled) =
            one(&format!(r#"{{"hook_event_name":"StopFailure",{fields}}}"#))
        else {
            panic!("{fields}")
        };
        assert_eq!((settled.ending, settled.error.as_deref()), (Ending::Failed, Some(expected)));
    }
}

#[test]
fn an_interrupt_inside_a_tool_is_told_and_others_are_not() {
    let failed = |flag: bool| {
        events(&format!(
            r#"{{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_use_id":"t","error":"e","is_interrupt":{flag}}}"#
        ))
    };
    let settles = |events: &[AgentEvent]| {
        events.iter().any(
            |event| matches!(event, AgentEvent::AgentSettled(settled) if settled.ending == Ending::Interrupted),
        )
    };
    assert!(settles(&failed(true)) && !settles(&failed(false)));
}

#[test]
fn what_is_unknown_or_broken_is_a_diagnostic() {
    for (payload, code) in [
        (r#"{"hook_event_name":"SomethingNew"}"#, "unknown_event"),
        ("{\"hook", "malformed_event"),
        ("{}", "malformed_event"),
        ("[]", "malformed_event"),
        ("", "malformed_event"),
    ] {
        assert!(matches!(one(payload), AgentEvent::Unknown(found) if found.code == code), "{payload}");
    }
}
