//! What lines of Codex mean to the board, beside the recorded ones.

use super::*;
use crate::agents::headless::tests::request;

#[test]
fn d1_the_command_line_is_complete_and_flags_stand_before_the_subcommand() {
    let first = plan(&request("-t fix it")).unwrap();
    assert_eq!(first.argv.join(" "), "/bin/agent exec --json --skip-git-repo-check -");
    assert_eq!((first.input.as_deref(), first.words.as_str()), (Some("-t fix it"), "-t fix it"));
    let mut all = request("go on");
    (all.model, all.thinking) = (Some("gpt-5"), Some("low"));
    all.conversation = Some("0b1f0b1f-1111-4111-8111-111111111111");
    assert_eq!(
        plan(&all).unwrap().argv[4..].join(" "),
        "-m gpt-5 -c model_reasoning_effort=\"low\" resume 0b1f0b1f-1111-4111-8111-111111111111 -"
    );
    all.conversation = Some("--last");
    assert!(
        !plan(&all).unwrap().argv.contains(&"resume".to_owned()),
        "what is no id goes on no command line"
    );
    let bypass = |argument: &String| argument.contains("bypass") || argument.contains("full");
    assert!(!plan(&all).unwrap().argv.iter().any(bypass));
    all.thinking = Some("low\"\nx=\"1");
    assert!(plan(&all).is_err());
    (all.thinking, all.tools) = (None, Some("shell"));
    assert!(plan(&all).is_err());
}

#[test]
fn an_error_that_is_an_attempt_does_not_end_the_turn() {
    let read = |message: &str| read(&json!({"type": "error", "message": message})).pop().unwrap();
    let retry = Retry { attempt: 2, of: 5, delay_ms: 0, error: "Reconnecting... 2/5".into() };
    assert_eq!(read("Reconnecting... 2/5"), AgentEvent::RetryStarted(retry));
    for message in ["Reconnecting... soon", "unexpected status 400"] {
        let failed = Settled { ending: Ending::Failed, text: None, error: Some(message.to_owned()) };
        assert_eq!(read(message), AgentEvent::AgentSettled(failed));
    }
}

#[test]
fn a_patch_is_one_call_for_each_file() {
    let item = json!({"id": "item_1", "type": "file_change", "status": "failed", "changes": [
        {"path": "/a", "kind": "add"}, {"path": "/b", "kind": "update"}, {"path": "/c", "kind": "delete"}]});
    assert_eq!(read(&json!({"type": "item.started", "item": item})), []);
    let events = read(&json!({"type": "item.completed", "item": item}));
    let begun: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::ToolStarted(tool) => {
                Some((tool.tool.as_str(), tool.arguments["path"].as_str().unwrap()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(begun, [("write", "/a"), ("edit", "/b"), ("delete", "/c")]);
    let failed = |event: &&AgentEvent| matches!(event, AgentEvent::ToolEnded(tool) if tool.outcome == ToolOutcome::Failed);
    assert_eq!(events.iter().filter(failed).count(), 3);
}

// Reference A.8: an object was turned into text as `[object Object]`.
#[test]
fn a8_what_other_tools_say_is_the_text_of_their_content() {
    let ended = |item: Value| match read(&json!({"type": "item.completed", "item": item})).pop() {
        Some(AgentEvent::ToolEnded(ended)) => (ended.tool, ended.excerpt, ended.outcome),
        other => panic!("{other:?}"),
    };
    let call = |rest: Value| {
        let mut item =
            json!({"id": "i", "type": "mcp_tool_call", "server": "s", "tool": "t", "status": "completed"});
        item.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        item
    };
    let answer = json!({"result": {"content": [{"type": "text", "text": "a"}, {"type": "image"}], "structured_content": {}}});
    assert_eq!(ended(call(answer)), ("s.t".into(), "a".into(), ToolOutcome::Succeeded));
    let error = json!({"status": "failed", "result": null, "error": {"message": "no"}});
    assert_eq!(ended(call(error)), ("s.t".into(), "no".into(), ToolOutcome::Failed));
    let search = json!({"id": "i", "type": "web_search", "query": "q"});
    assert_eq!(ended(search), ("web_search".into(), String::new(), ToolOutcome::Succeeded));
}
