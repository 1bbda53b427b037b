//! Code references through the coordinator, on a real store (reference A.12): who is asked when, what is kept, what a row
//! shows.

use super::{
    agent::{running, says},
    *,
};
use crate::{
    coordinator::{LookForReferences, Question, Ticket},
    refs::{Found, Snapshot, rule::Strength},
};
use board_protocol::{
    board::ReferenceKind,
    daemon::{Answer, LogLevel},
    refs::References,
};
use serde_json::json;

fn looks(outputs: &[Output]) -> Vec<&LookForReferences> {
    let looks = outputs.iter().filter_map(|output| match output {
        Output::LookForReferences(look) => Some(look.as_ref()),
        _ => None,
    });
    looks.collect()
}

fn issue(number: u64) -> Snapshot {
    let found = Found {
        kind: ReferenceKind::Issue,
        number,
        strength: Strength::Action,
        label: format!("#{number}"),
        source: "command".into(),
        url: None,
        last_index: 1,
    };
    Snapshot { provider: "github".into(), all: vec![found] }
}

fn found(session: &SessionId, found: Snapshot, complaints: &[&str]) -> Input {
    let complaints = complaints.iter().map(|text| (*text).to_owned()).collect();
    Input::ReferencesFound { session: session.clone(), found: Box::new(found), complaints }
}

fn references(play: &mut Play, session: &SessionId) -> References {
    let question = Question::References { session: session.to_string() };
    let outputs = play.coordinator.handle(vec![Input::Asked { ticket: Ticket(9_001), question }]);
    let answer = outputs.into_iter().find_map(|output| match output {
        Output::Answer { answer: Ok(Answer::References(references)), .. } => Some(*references),
        _ => None,
    });
    answer.expect("references")
}

#[test]
fn a12_a_session_is_looked_through_when_it_begins_and_when_its_turn_ends() {
    let mut play = Play::new();
    let (_, outputs) = play.start("c1");
    assert_eq!(looks(&outputs).len(), 1, "its branch may name an issue");
    let mut play = Play::new();
    let launch = running(&mut play);
    let bash = json!({"type": "tool_execution_start", "toolCallId": "t", "toolName": "bash",
        "args": {"command": "gh issue close 12"}});
    let end = json!({"type": "tool_execution_end", "toolCallId": "t", "toolName": "bash", "isError": false,
        "excerpt": "closed"});
    let said =
        json!({"type": "message_end", "role": "assistant", "text": "I closed it.", "stopReason": "stop"});
    let outputs =
        play.coordinator.handle(vec![says(&launch, 4, bash), says(&launch, 5, end), says(&launch, 6, said)]);
    assert!(looks(&outputs).is_empty(), "not for each tool");
    let outputs = play.coordinator.handle(vec![says(
        &launch,
        7,
        json!({"type": "agent_settled", "outcome": "completed"}),
    )]);
    let looks = looks(&outputs);
    assert_eq!(looks.len(), 1);
    assert_eq!(looks[0].commands, [("gh issue close 12".to_owned(), "closed".to_owned())]);
    assert_eq!(looks[0].texts, ["I closed it."]);
}

#[test]
fn a12_what_was_found_is_on_the_row_and_stays_over_a_restart_and_a_look_that_finds_nothing() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    let session = launch.session.clone();
    let outputs = play.coordinator.handle(vec![found(&session, issue(12), &[])]);
    assert!(matches!(&outputs[..], [Output::BoardChanged { .. }, ..]), "{outputs:?}");
    assert_eq!(play.show(&session).row.references[0].label, "#12");
    assert!(play.coordinator.handle(vec![found(&session, issue(12), &[])]).is_empty(), "no news");
    play.coordinator.handle(vec![found(&session, Snapshot::default(), &[])]);
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&session).row.references[0].label, "#12");
    let told = references(&mut play, &session);
    assert_eq!((told.provider.as_str(), told.found[0].strength.as_str()), ("github", "action"));
}

#[test]
fn a12_a_mistake_in_the_providers_is_one_line_of_the_log_and_a_gone_session_keeps_nothing() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    let session = launch.session.clone();
    play.coordinator.handle(vec![found(&session, issue(12), &["providers.json: rule 1 is left out"])]);
    let lines = play.coordinator.store.log(&session, 10).unwrap();
    let line = lines.iter().find(|line| line.code == "code_refs_config").unwrap();
    assert_eq!((line.level, line.source.as_str()), (LogLevel::Warn, "code-refs"));
    let stranger = SessionId("ffffffffff".into());
    assert!(play.coordinator.handle(vec![found(&stranger, issue(3), &[])]).is_empty());
    assert_eq!(play.coordinator.store.references(&stranger), None);
}
