//! Evidence through the coordinator, on a real store (reference A.8, D.8): what is kept of an agent's reports, when it is
//! written, and who is told.

use super::{
    agent::{HOST, journal, running, says},
    *,
};
use crate::coordinator::{Question, Ticket};
use board_protocol::{
    daemon::Answer,
    evidence::{CommandKind, CommandStatus, Evidence, EvidenceItem, FileAction, Review},
    host::HostLaunch,
    ids::RunId,
    run::RunReport,
    state::CommandSource,
};
use serde_json::json;

fn bash(launch: &HostLaunch, seq: u64, call: &str, command: &str) -> Input {
    let event = json!({"type": "tool_execution_start", "toolCallId": call, "toolName": "bash", "args": {"command": command}});
    says(launch, seq, event)
}

fn ended(launch: &HostLaunch, seq: u64, call: &str, tool: &str, excerpt: &str, failed: bool) -> Input {
    let event = json!({"type": "tool_execution_end", "toolCallId": call, "toolName": tool, "isError": failed, "excerpt": excerpt});
    says(launch, seq, event)
}

fn evidence(play: &mut Play, session: &SessionId) -> Evidence {
    let question = Question::Evidence { session: session.to_string() };
    let outputs = play.coordinator.handle(vec![Input::Asked { ticket: Ticket(9_000), question }]);
    let answer = outputs.into_iter().find_map(|output| match output {
        Output::Answer { answer: Ok(Answer::Evidence(evidence)), .. } => Some(*evidence),
        _ => None,
    });
    answer.expect("evidence")
}

fn reviews(outputs: &[Output]) -> Vec<Review> {
    let boards = outputs.iter().filter_map(|output| match output {
        Output::BoardChanged { upserted, .. } => Some(upserted),
        _ => None,
    });
    boards.flatten().filter_map(|row| row.review.clone()).collect()
}

fn rows_of(play: &Play) -> i64 {
    let database = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    database.query_row("SELECT COUNT(*) FROM work", [], |row| row.get(0)).unwrap()
}

#[test]
fn a8_a_turn_leaves_commands_files_claims_and_cost() {
    let mut play = Play::new();
    let launch = running(&mut play);
    play.stage.0.now.set(5_000);
    let edit = json!({"type": "tool_execution_start", "toolCallId": "e", "toolName": "edit", "args": {"path": "src/a.rs"}});
    let said = json!({
        "type": "message_end", "role": "assistant", "text": "Fixed.\nAll tests pass.", "stopReason": "stop",
        "usage": {"input": 100, "output": 7, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 107},
    });
    play.coordinator.handle(vec![
        bash(&launch, 4, "t", "API_KEY=k1 npm test"),
        ended(&launch, 5, "t", "bash", "2 passed", false),
        says(&launch, 6, edit),
        ended(&launch, 7, "e", "edit", "", false),
        says(&launch, 8, said),
        says(&launch, 9, json!({"type": "agent_settled", "outcome": "completed"})),
    ]);
    let found = evidence(&mut play, &launch.session);
    let [command] = &found.commands[..] else { panic!("{found:?}") };
    assert_eq!((command.command.as_str(), command.kind), ("API_KEY=[redacted] npm test", CommandKind::Test));
    assert_eq!(
        (command.status, command.output_preview.as_deref()),
        (CommandStatus::Passed, Some("2 passed"))
    );
    let [file] = &found.file_changes[..] else { panic!("{found:?}") };
    assert_eq!((file.path.as_str(), file.action, file.count), ("src/a.rs", FileAction::Edited, 1));
    assert_eq!(found.claims.last().map(|claim| claim.text.as_str()), Some("Fixed. All tests pass."));
    assert_eq!((found.usage.read, found.usage.written, found.usage.tools), (100, 7, 2));
    let row = play.show(&launch.session).row;
    assert_eq!(row.review, Some(found.review.clone()));
    assert_eq!((found.review.ready, found.review.outcome.as_str()), (true, "ready"));
    // None of it is a fact: the journal folds without it, and a restart finds it all the same.
    journal(&play);
    let (mut play, _) = play.restart();
    assert_eq!(evidence(&mut play, &launch.session).commands, found.commands);
    assert_eq!(play.show(&launch.session).row.review.map(|review| review.commands), Some(1));
}

#[test]
fn d8_evidence_is_kept_of_a_holding_row_and_its_review_says_so() {
    let mut play = Play::new();
    let launch = running(&mut play);
    play.coordinator.handle(vec![says(&launch, 4, json!({"type": "agent_settled", "outcome": "completed"}))]);
    let mark = play.command("hold", Command::MarkHolding { session: launch.session.clone() });
    assert!(matches!(outcome(&play.coordinator.handle(vec![mark])), CommandOutcome::Applied { .. }));
    play.coordinator
        .handle(vec![bash(&launch, 5, "t", "make"), ended(&launch, 6, "t", "bash", "no rule", true)]);
    let found = evidence(&mut play, &launch.session);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Holding);
    assert_eq!((found.review.ready, found.review.outcome.as_str()), (true, "holding"));
    assert_eq!((found.review.commands, found.review.failed_commands), (1, 1));
}

// A commit waits for the disk, and an agent calls ten tools a second.
#[test]
fn a8_tools_alone_make_no_commit_of_their_own_and_are_written_after_a_second() {
    let mut play = Play::new();
    let launch = running(&mut play);
    play.coordinator.handle(vec![]);
    let before = rows_of(&play);
    let outputs = play.coordinator.handle(vec![bash(&launch, 4, "t", "make")]);
    let due = outputs.iter().filter_map(|output| match output {
        Output::ShowLater { after_ms, .. } => Some(*after_ms),
        _ => None,
    });
    assert_eq!(due.max(), Some(1_000), "somebody comes back for it: {outputs:?}");
    assert_eq!(rows_of(&play), before);
    play.stage.0.uptime.set(play.stage.0.uptime.get() + 1_000);
    let outputs = play.coordinator.handle(vec![Input::ShowDue { session: launch.session.clone() }]);
    assert_eq!(reviews(&outputs).last().map(|review| (review.commands, review.ready)), Some((1, false)));
    assert_eq!(reviews(&outputs).last().map(|review| review.outcome.clone()).as_deref(), Some("in_progress"));
    assert_eq!(rows_of(&play), before + 1);
    // A commit that comes anyway takes it along at once.
    let said = json!({"type": "message_end", "role": "assistant", "text": "Hm.", "stopReason": "toolUse"});
    play.coordinator.handle(vec![ended(&launch, 5, "t", "bash", "ok", false), says(&launch, 6, said)]);
    assert_eq!(rows_of(&play), before + 2, "the command and the claim");
    // And the end of the daemon takes the rest.
    play.coordinator.handle(vec![bash(&launch, 7, "u", "make test")]);
    play.coordinator.write_rest();
    let (mut play, _) = play.restart();
    assert_eq!(evidence(&mut play, &launch.session).review.commands, 2);
}

#[test]
fn a8_a_command_that_was_running_when_the_daemon_ended_still_ends() {
    let mut play = Play::new();
    let launch = running(&mut play);
    play.coordinator.handle(vec![bash(&launch, 4, "t", "npm test")]);
    play.coordinator.write_rest();
    let (mut play, _) = play.restart();
    play.host_comes(&launch, 50, HOST.0);
    play.coordinator.handle(vec![ended(&launch, 5, "t", "bash", "1 failed", true)]);
    let found = evidence(&mut play, &launch.session);
    let [command] = &found.commands[..] else { panic!("{found:?}") };
    assert_eq!((command.command.as_str(), command.status), ("npm test", CommandStatus::Failed));
    assert_eq!(command.output_preview.as_deref(), Some("1 failed"));
}

#[test]
fn a8_what_cannot_be_written_waits_and_a_removed_row_has_nothing() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let database = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    database
        .execute_batch("CREATE TRIGGER no BEFORE INSERT ON work BEGIN SELECT RAISE(ABORT, 'no'); END")
        .unwrap();
    play.coordinator.handle(vec![bash(&launch, 4, "t", "make")]);
    assert!(evidence(&mut play, &launch.session).commands.is_empty());
    database.execute_batch("DROP TRIGGER no").unwrap();
    assert_eq!(evidence(&mut play, &launch.session).commands.len(), 1);
    play.coordinator.handle(vec![bash(&launch, 5, "u", "make")]);
    play.coordinator.handle(vec![reported(HOST, 6, exit(0))]);
    let remove = play.command("rm", Command::Remove { session: launch.session.clone() });
    play.coordinator.handle(vec![remove]);
    assert!(play.coordinator.sessions().is_empty());
    assert_eq!(rows_of(&play), 0);
}

#[test]
fn a8_a_run_reports_items_that_are_kept_within_their_limits() {
    let mut play = Play::new();
    let (launch, _) = play.start("start");
    play.host_comes(&launch, 50, 1);
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    let run = RunId("run_1".into());
    let send = |play: &mut Play, source, id: &str, report| {
        let command = Command::ReportRun { session: launch.session.clone(), run: run.clone(), report };
        let input = play.command_of(source, id, command);
        outcome(&play.coordinator.handle(vec![input]))
    };
    send(&mut play, CommandSource::Person, "queue", RunReport::Queued);
    // A verdict is not in its way (reference D.8).
    let mark = play.command("hold", Command::MarkHolding { session: launch.session.clone() });
    play.coordinator.handle(vec![mark]);
    let error = EvidenceItem::Error(board_protocol::evidence::ErrorEvidence {
        at_ms: UnixMs(3),
        source: "model".into(),
        message: format!("token: abc {}", "x".repeat(5_000)),
        tool: None,
    });
    let report = RunReport::Evidence(vec![error]);
    let applied = send(&mut play, CommandSource::Run, "items", report.clone());
    assert!(matches!(applied, CommandOutcome::Applied { .. }), "{applied:?}");
    // Sent a second time, it is the same.
    send(&mut play, CommandSource::Run, "items", report);
    let found = evidence(&mut play, &launch.session);
    let [error] = &found.errors[..] else { panic!("{found:?}") };
    assert!(error.message.starts_with("token: [redacted]") && error.message.chars().count() <= 500);
    assert_eq!(found.review.errors, 1);
}
