//! Every adapter: recorded lines of real runs are read as they always were, and no line does harm.

use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

const AGENTS: [AgentKind; 3] = [AgentKind::Pi, AgentKind::Claude, AgentKind::Codex];

static PREPARED: LazyLock<Prepared> =
    LazyLock::new(|| Prepared { program: "/bin/agent".into(), extension: "/e".into(), terminals: None });

/// A plain request with these words.
pub(in crate::agents) fn request(prompt: &str) -> HeadlessRequest<'_> {
    HeadlessRequest {
        prompt,
        prepared: Some(&PREPARED),
        transcript: "/s.jsonl",
        conversation: None,
        life: "11111111-1111-4111-8111-111111111111",
        model: None,
        thinking: None,
        tools: None,
    }
}

/// The recordings of real runs; the name of each begins with its agent.
fn samples() -> Vec<(AgentKind, PathBuf)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/agents/headless/samples");
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let of = |file: PathBuf| {
        let name = file.file_name().unwrap().to_string_lossy();
        let agent = AGENTS.into_iter().find(|agent| name.starts_with(agent.name())).unwrap();
        drop(name);
        (agent, file)
    };
    files.into_iter().map(of).collect()
}

#[test]
fn d1_recorded_runs_are_read_as_they_always_were() {
    let samples = samples();
    assert!(samples.len() >= 20, "{samples:?}");
    for (agent, file) in samples {
        let mut reader = HeadlessReader::new(agent, "run");
        let mut read = String::new();
        for line in fs::read(&file).unwrap().split(|byte| *byte == b'\n') {
            for event in reader.read(line, &QuestionTools::default()) {
                assert!(!matches!(event, AgentEvent::Unknown(_)), "{}: {event:?}", file.display());
                // What is stored can be read again.
                let stored = serde_json::to_string(&event).unwrap();
                assert_eq!(serde_json::from_str::<AgentEvent>(&stored).unwrap(), event);
                read.push_str(&format!("{event:?}\n"));
            }
        }
        assert!(reader.open.is_empty() || file.to_string_lossy().contains("stopped"), "{:?}", reader.open);
        let stem = file.file_stem().unwrap().to_string_lossy();
        insta::assert_snapshot!(stem.into_owned(), read);
    }
}

#[test]
fn d1_the_end_of_a_call_names_its_tool_where_the_agent_does_not() {
    let mut reader = HeadlessReader::new(AgentKind::Claude, "run");
    let content = json!([{"type": "tool_use", "id": "c", "name": "Bash", "input": {}}]);
    let begun = json!({"type": "assistant", "message": {"content": content}}).to_string();
    let content = json!([{"type": "tool_result", "tool_use_id": "c", "content": "x"}]);
    let ended = json!({"type": "user", "message": {"content": content}}).to_string();
    let mut tool = |line: &str| match reader.read(line.as_bytes(), &QuestionTools::default()).pop() {
        Some(AgentEvent::ToolEnded(ended)) => Some(ended.tool),
        _ => None,
    };
    assert_eq!((tool(&begun), tool(&ended)), (None, Some("Bash".to_owned())));
    assert_eq!(tool(&ended).as_deref(), Some("tool"), "a call that was not heard of");
}

// pi 1.6 reports a failed model in its last message only, and then that it is done.
#[test]
fn b5_an_agent_that_is_done_after_a_failed_message_has_failed() {
    let mut reader = HeadlessReader::new(AgentKind::Pi, "run");
    let mut settled = |stop: &str| {
        let message =
            json!({"role": "assistant", "content": [], "stopReason": stop, "errorMessage": "400: no"});
        let ended = json!({"type": "message_end", "message": message}).to_string();
        reader.read(ended.as_bytes(), &QuestionTools::default());
        match reader.read(br#"{"type":"agent_settled","aborted":false}"#, &QuestionTools::default()).pop() {
            Some(AgentEvent::AgentSettled(settled)) => (settled.ending, settled.error),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(settled("error"), (Ending::Failed, Some("400: no".to_owned())));
    assert_eq!(settled("stop"), (Ending::Finished, None));
}

#[test]
fn d1_an_agent_that_goes_without_a_word_has_failed() {
    let said = |agent, lines: &[&str]| {
        let mut reader = HeadlessReader::new(agent, "run");
        for line in lines {
            reader.read(line.as_bytes(), &QuestionTools::default());
        }
        matches!(&reader.finish()[..], [AgentEvent::AgentSettled(settled)] if settled.ending == Ending::Failed)
    };
    let (begun, done) = (r#"{"type":"turn.started"}"#, r#"{"type":"turn.completed"}"#);
    assert!(said(AgentKind::Codex, &[begun]));
    assert!(!said(AgentKind::Codex, &[begun, done]));
    assert!(!said(AgentKind::Codex, &[]), "it failed before it began, and its exit code says so");
    assert!(said(AgentKind::Claude, &[r#"{"type":"system","subtype":"init"}"#]));
    assert!(!said(AgentKind::Pi, &[r#"{"type":"agent_start"}"#]), "pi has an exit code for that");
}

// Commands of an earlier run were replaced by those of a later one.
#[test]
fn a8_calls_of_two_runs_of_one_session_have_different_ids() {
    let item = json!({"id": "item_0", "type": "command_execution", "command": "ls", "status": "in_progress"});
    let line = json!({"type": "item.started", "item": item}).to_string();
    let call = |run: &str| {
        let mut reader = HeadlessReader::new(AgentKind::Codex, run);
        match reader.read(line.as_bytes(), &QuestionTools::default()).pop() {
            Some(AgentEvent::ToolStarted(started)) => started.call,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((call("a"), call("b")), ("a:item_0".to_owned(), "b:item_0".to_owned()));
}

#[test]
fn d1_a_line_that_is_no_event_is_a_diagnostic() {
    for agent in AGENTS {
        for line in ["{", "null", "[1]", "\"x\"", "words", "{}", "{\"type\": 3}", "\u{fffd}"] {
            let events = agent.read_headless(line.as_bytes(), &QuestionTools::default());
            let [AgentEvent::Unknown(diagnostic)] = &events[..] else { panic!("{line}: {events:?}") };
            assert_eq!(diagnostic.code, "malformed_event", "{line}");
        }
        for nothing in ["", " ", "\r"] {
            assert_eq!(agent.read_headless(nothing.as_bytes(), &QuestionTools::default()), []);
        }
        let [AgentEvent::Unknown(diagnostic)] =
            &agent.read_headless(br#"{"type":"new.thing"}"#, &QuestionTools::default())[..]
        else {
            panic!()
        };
        assert_eq!(diagnostic.code, "unknown_event");
    }
}

// Reference B.3 and B.4: a detached worker is not interactive.
#[test]
fn b3_question_tools_are_plain_tools_where_nobody_can_answer() {
    let line =
        br#"{"type":"tool_execution_start","toolCallId":"c","toolName":"question","args":{"question":"Q?"}}"#;
    let events = AgentKind::Pi.read_headless(line, &QuestionTools::default());
    assert!(matches!(&events[..], [AgentEvent::ToolStarted(tool)] if tool.tool == "question"), "{events:?}");
}

#[test]
fn d1_what_no_agent_could_take_is_refused() {
    for agent in AGENTS {
        for blank in ["", " \n\t"] {
            assert!(agent.plan_headless(&request(blank)).is_err());
        }
        for model in ["--help", "", "a b"] {
            let refused = agent.plan_headless(&HeadlessRequest { model: Some(model), ..request("go") });
            assert_eq!(refused.unwrap_err().kind, RefusalKind::BadInput, "{model:?}");
        }
        for tools in ["--help", "", "a\nb"] {
            assert!(agent.plan_headless(&HeadlessRequest { tools: Some(tools), ..request("go") }).is_err());
        }
        let unknown = HeadlessRequest { thinking: Some("somehow"), ..request("go") };
        assert!(agent.plan_headless(&unknown).is_err());
        let unprepared = HeadlessRequest { prepared: None, ..request("go") };
        assert_eq!(agent.plan_headless(&unprepared).unwrap_err().kind, RefusalKind::Internal);
    }
    assert_eq!(AgentKind::Generic.plan_headless(&request("ls")).unwrap_err().kind, RefusalKind::BadInput);
}

#[test]
fn a8_whatever_a_tool_or_a_model_says_what_is_passed_on_is_bounded() {
    let long = "\u{1f600}".repeat(200_000);
    let lines = [
        (
            AgentKind::Pi,
            json!({"type": "tool_execution_end", "toolCallId": "c", "toolName": "bash", "isError": true,
            "result": {"content": [{"type": "text", "text": long}]}}),
        ),
        (
            AgentKind::Pi,
            json!({"type": "message_end", "message": {"role": "assistant", "errorMessage": long,
            "content": [{"type": "text", "text": format!("{long} Which one?")}]}}),
        ),
        (
            AgentKind::Claude,
            json!({"type": "assistant", "message": {"content": [
            {"type": "tool_use", "id": "c", "name": "Write", "input": {"file_path": "/a", "content": long}}]}}),
        ),
        (
            AgentKind::Claude,
            json!({"type": "result", "subtype": "success", "result": format!("{long} Which one?")}),
        ),
        (AgentKind::Codex, json!({"type": "turn.failed", "error": {"message": long}})),
        (
            AgentKind::Codex,
            json!({"type": "item.completed", "item": {"id": "i", "type": "command_execution",
            "aggregated_output": long, "status": "completed"}}),
        ),
    ];
    for (agent, line) in lines {
        let events = agent.read_headless(line.to_string().as_bytes(), &QuestionTools::default());
        let kept = serde_json::to_string(&events).unwrap();
        assert!(!events.is_empty() && kept.len() < 150_000, "{} bytes", kept.len());
        assert_eq!(line.to_string().contains("Which one?"), kept.contains("Which one?"), "the end asks");
    }
}

proptest! {
    #[test]
    fn d1_random_bytes_never_panic(line in proptest::collection::vec(any::<u8>(), 0..400)) {
        for agent in AGENTS {
            let events = agent.read_headless(&line, &QuestionTools::default());
            prop_assert!(events.iter().all(|event| matches!(event, AgentEvent::Unknown(_))));
        }
    }

    /// A recorded line that was cut, or that has other bytes somewhere, never panics, and read by another agent's reader
    /// does no more.
    #[test]
    fn d1_cut_and_damaged_lines_never_panic(
        file in any::<proptest::sample::Index>(),
        line in any::<proptest::sample::Index>(),
        cut in any::<proptest::sample::Index>(),
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..4),
    ) {
        static LINES: LazyLock<Vec<Vec<Vec<u8>>>> = LazyLock::new(|| {
            let read = |(_, file): (AgentKind, PathBuf)| {
                let text = fs::read(file).unwrap();
                text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
            };
            samples().into_iter().map(read).collect()
        });
        let mut line = line.get(file.get(LINES.as_slice()).as_slice()).clone();
        for (at, byte) in damage {
            let at = at.index(line.len());
            line[at] = byte;
        }
        let cut = cut.index(line.len() + 1);
        for agent in AGENTS {
            let mut reader = HeadlessReader::new(agent, "run");
            reader.read(&line[..cut], &QuestionTools::default());
            reader.read(&line, &QuestionTools::default());
        }
    }
}
