//! What events give, each agent in its own way of telling.

use super::*;
use crate::agents::event::{Retry, Usage};
use board_protocol::evidence::{FileAction, MAX_ITEMS_IN_REPORT};
use serde_json::json;

fn started(call: &str, tool: &str, arguments: serde_json::Value) -> AgentEvent {
    AgentEvent::ToolStarted(ToolStarted { call: call.into(), tool: tool.into(), arguments })
}

fn ended(call: &str, tool: &str, outcome: ToolOutcome, excerpt: &str) -> AgentEvent {
    let (call, tool, excerpt) = (call.into(), tool.into(), excerpt.into());
    AgentEvent::ToolEnded(ToolEnded { call, tool, outcome, excerpt, duration_ms: None, exit_code: None })
}

fn message(text: &str, stop: StopReason, error: Option<&str>) -> AgentEvent {
    AgentEvent::MessageEnded(Message {
        author: Author::Assistant,
        text: text.into(),
        usage: None,
        stop: Some(stop),
        error: error.map(str::to_owned),
        model: None,
    })
}

fn settled(ending: Ending, text: Option<&str>, error: Option<&str>) -> AgentEvent {
    let (text, error) = (text.map(str::to_owned), error.map(str::to_owned));
    AgentEvent::AgentSettled(Settled { ending, text, error })
}

/// The items but for what they cost.
fn take(fold: &mut Fold, event: &AgentEvent, at: u64) -> Vec<EvidenceItem> {
    let mut items = fold.take(event, UnixMs(at));
    items.retain(|item| !matches!(item, EvidenceItem::Usage(_)));
    items
}

fn errors(items: &[EvidenceItem]) -> Vec<(&str, &str)> {
    let mut errors = Vec::new();
    for item in items {
        if let EvidenceItem::Error(error) = item {
            errors.push((error.source.as_str(), error.message.as_str()));
        }
    }
    errors
}

#[test]
fn a8_a_command_is_told_when_it_begins_and_again_when_it_ends() {
    let mut fold = Fold::default();
    let begun = take(&mut fold, &started("t1", "bash", json!({"command": "npm test"})), 1_000);
    let command = CommandEvidence {
        id: "t1".into(),
        at_ms: UnixMs(1_000),
        command: "npm test".into(),
        kind: CommandKind::Test,
        status: CommandStatus::Started,
        exit_code: None,
        duration_ms: None,
        output_preview: None,
    };
    assert_eq!(begun, [EvidenceItem::Command(command.clone())]);
    let end = ended("t1", "bash", ToolOutcome::Failed, "\u{1b}[31m2 failed\u{1b}[0m\nToken: abc\n");
    let done = CommandEvidence {
        status: CommandStatus::Failed,
        exit_code: Some(1),
        duration_ms: Some(2_500),
        output_preview: Some("2 failed\nToken: [redacted]".into()),
        ..command
    };
    assert_eq!(take(&mut fold, &end, 3_500), [EvidenceItem::Command(done)]);
}

#[test]
fn a8_what_the_agent_measured_counts_and_so_does_its_exit_code() {
    let mut fold = Fold::default();
    take(&mut fold, &started("t1", "Bash", json!({"command": "make"})), 1_000);
    let mut end = ToolEnded {
        call: "t1".into(),
        tool: "Bash".into(),
        outcome: ToolOutcome::Failed,
        excerpt: "Exit code 127\nmake: not found".into(),
        duration_ms: Some(12),
        exit_code: None,
    };
    let told = |items: Vec<EvidenceItem>| match items.as_slice() {
        [EvidenceItem::Command(command)] => (command.exit_code, command.duration_ms),
        other => panic!("{other:?}"),
    };
    assert_eq!(told(take(&mut fold, &AgentEvent::ToolEnded(end.clone()), 9_000)), (Some(127), Some(12)));
    // The beginning is unknown by now: the end carries the id alone, and no length is made up.
    end.duration_ms = None;
    let items = take(&mut fold, &AgentEvent::ToolEnded(end), 9_000);
    assert!(
        matches!(&items[..], [EvidenceItem::Command(command)] if command.command.is_empty()),
        "{items:?}"
    );
    assert_eq!(told(items), (Some(127), None));
}

#[test]
fn a8_a_change_of_a_file_counts_once_it_has_succeeded() {
    let mut fold = Fold::default();
    assert_eq!(take(&mut fold, &started("a", "edit", json!({"path": "src/a.rs"})), 1), []);
    let changed = EvidenceItem::FileChange(FileChange {
        path: "src/a.rs".into(),
        action: FileAction::Edited,
        tool: "edit".into(),
        first_seen_at_ms: UnixMs(5),
        last_seen_at_ms: UnixMs(5),
        count: 1,
    });
    assert_eq!(take(&mut fold, &ended("a", "edit", ToolOutcome::Succeeded, ""), 5), [changed]);
    take(&mut fold, &started("b", "edit", json!({"path": "src/b.rs"})), 6);
    let failed = take(&mut fold, &ended("b", "edit", ToolOutcome::Failed, "old text\nnot found"), 7);
    assert_eq!(errors(&failed), [("tool", "Tool edit failed: old text not found")]);
    take(&mut fold, &started("c", "read", json!({"path": "src/b.rs"})), 8);
    assert_eq!(
        errors(&take(&mut fold, &ended("c", "read", ToolOutcome::Failed, ""), 9)),
        [("tool", "Tool read failed")]
    );
}

#[test]
fn a8_words_are_claims_and_the_same_words_are_one() {
    let mut fold = Fold::default();
    let claim = |at, text: &str| EvidenceItem::Claim(Claim { at_ms: UnixMs(at), text: text.into() });
    let said = message("  Fixed it.\n\n- all  tests pass\n", StopReason::Done, None);
    assert_eq!(take(&mut fold, &said, 1), [claim(1, "Fixed it. - all tests pass")]);
    let end = settled(Ending::Finished, Some("Fixed it.\n\n- all  tests pass"), None);
    assert_eq!(take(&mut fold, &end, 2), []);
    assert_eq!(take(&mut fold, &message("", StopReason::Tools, None), 3), []);
    assert_eq!(take(&mut fold, &settled(Ending::Finished, Some("Other"), None), 4), [claim(4, "Other")]);
    let long = take(&mut fold, &message(&"word ".repeat(9_000), StopReason::Done, None), 5);
    assert!(matches!(&long[..], [EvidenceItem::Claim(claim)] if claim.text.chars().count() == MAX_CLAIM));
}

#[test]
fn a8_one_failure_is_one_error_however_often_it_is_told() {
    let mut fold = Fold::default();
    let failure = message("", StopReason::Error, Some("overloaded"));
    assert_eq!(errors(&take(&mut fold, &failure, 1)), [("model", "overloaded")]);
    let retry = Retry { attempt: 1, of: 3, delay_ms: 2_000, error: "overloaded".into() };
    assert_eq!(take(&mut fold, &AgentEvent::RetryStarted(retry), 2), []);
    assert_eq!(take(&mut fold, &settled(Ending::Failed, None, Some("overloaded")), 3), []);
    // The next piece of work may fail in the same way.
    assert_eq!(
        errors(&take(&mut fold, &settled(Ending::Failed, None, Some("overloaded")), 4)),
        [("run", "overloaded")]
    );
    assert_eq!(take(&mut fold, &message("", StopReason::Aborted, Some("Request was aborted")), 5), []);
    assert_eq!(take(&mut fold, &settled(Ending::Interrupted, None, Some("aborted")), 6), []);
}

#[test]
fn a8_usage_is_told_in_pieces_that_add_up() {
    let mut fold = Fold::default();
    let usage = Usage { input: 10, output: 5, cache_read: 3, cache_write: 2, total: 20, cost: Some(0.5) };
    let mut said = Message {
        author: Author::Assistant,
        text: String::new(),
        usage: Some(usage),
        stop: Some(StopReason::Tools),
        error: None,
        model: None,
    };
    let told = |turns| {
        EvidenceItem::Usage(RunUsage { read: 15, written: 5, cost_micros: Some(500_000), turns, tools: 0 })
    };
    assert_eq!(fold.take(&AgentEvent::MessageEnded(said.clone()), UnixMs(1)), [told(1)]);
    said.author = Author::Other;
    assert_eq!(fold.take(&AgentEvent::MessageEnded(said.clone()), UnixMs(1)), [told(0)]);
    said.usage = None;
    assert_eq!(fold.take(&AgentEvent::MessageEnded(said), UnixMs(1)), []);
    let tool = EvidenceItem::Usage(RunUsage { tools: 1, ..RunUsage::default() });
    assert_eq!(fold.take(&started("a", "read", json!({})), UnixMs(1)), [tool]);
}

#[test]
fn a8_a_command_without_an_end_is_unknown_once_the_agent_is_done() {
    let mut fold = Fold::default();
    for number in 0..MAX_OPEN + 5 {
        take(&mut fold, &started(&format!("t{number}"), "bash", json!({"command": "make"})), 1);
    }
    let items = fold.take(&settled(Ending::Failed, Some("words"), Some("error")), UnixMs(9));
    let unknown = |item: &&EvidenceItem| matches!(item, EvidenceItem::Command(command) if command.status == CommandStatus::Unknown);
    assert_eq!(items.iter().filter(unknown).count(), MAX_OPEN);
    assert!(items.len() <= MAX_ITEMS_IN_REPORT, "{}", items.len());
    // What comes all the same says how it ended.
    let late = take(&mut fold, &ended("t9", "bash", ToolOutcome::Succeeded, "ok"), 10);
    assert!(matches!(&late[..], [EvidenceItem::Command(command)] if command.status == CommandStatus::Passed));
}

#[test]
fn calls_without_numbers_are_told_apart_by_their_tool_and_time() {
    let mut fold = Fold::default();
    let ids = |items: &[EvidenceItem]| match items {
        [EvidenceItem::Command(command)] => command.id.clone(),
        other => panic!("{other:?}"),
    };
    let mut told = Vec::new();
    for at in [10, 20] {
        told.push(ids(&take(&mut fold, &started("", "bash", json!({"command": "ls"})), at)));
        told.push(ids(&take(&mut fold, &ended("", "bash", ToolOutcome::Succeeded, "x"), at + 1)));
    }
    assert_eq!(told, ["bash 10", "bash 10", "bash 20", "bash 20"]);
    assert_eq!(take(&mut fold, &ended("", "bash", ToolOutcome::Succeeded, "x"), 30), []);
}
