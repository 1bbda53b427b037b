//! What a person is told, on a real store: after which turns, and that a restart says nothing again.

use super::{
    agent::{HOST, prepared, running, says},
    *,
};
use crate::coordinator::notify::{Event, Notice, NoticeSettings, QuietHours, Wanted};
use board_protocol::host::{HostFact, HostLaunch};
use serde_json::json;

const QUESTION: &str = "Which?";

fn play() -> Play {
    let play = Play::new();
    play.stage.0.notices.set(NoticeSettings { wanted: Wanted::Yes, quiet: None });
    play
}

/// The states that are looked at later.
fn later(outputs: &[Output]) -> Vec<Input> {
    let due = |output: &Output| match output {
        Output::NoticeLater { session, number, after_ms: 500 } => {
            Some(Input::NoticeDue { session: session.clone(), number: *number })
        }
        _ => None,
    };
    outputs.iter().filter_map(due).collect()
}

fn told(outputs: &[Output]) -> Vec<Notice> {
    let told = |output: &Output| match output {
        Output::Notify(notice) => Some((**notice).clone()),
        _ => None,
    };
    outputs.iter().filter_map(told).collect()
}

/// What the person is told once the states of these outputs have lasted.
fn lasting(play: &mut Play, outputs: &[Output]) -> Vec<Notice> {
    assert!(told(outputs).is_empty(), "nothing is told at once");
    let due = later(outputs);
    told(&play.coordinator.handle(due))
}

fn asks(launch: &HostLaunch, seq: u64) -> Input {
    says(
        launch,
        seq,
        json!({"type": "tool_execution_start", "toolCallId": "q", "toolName": "question", "args": {"question": QUESTION}}),
    )
}

fn settles(launch: &HostLaunch, seq: u64) -> Input {
    says(launch, seq, json!({"type": "agent_settled", "text": "All of it is fixed now."}))
}

#[test]
fn a_question_the_end_of_a_turn_and_a_failure_are_told_once_each() {
    let mut play = play();
    let launch = running(&mut play);
    let outputs = play.coordinator.handle(vec![asks(&launch, 4)]);
    let [notice] = &lasting(&mut play, &outputs)[..] else { panic!("{outputs:?}") };
    assert_eq!((notice.event, notice.row.question.as_deref()), (Event::NeedsAnswer, Some(QUESTION)));
    assert_eq!(notice.line(), "Agent Board: fix-it needs an answer: Which?");
    let end =
        json!({"type": "tool_execution_end", "toolCallId": "q", "toolName": "question", "isError": false});
    let outputs = play.coordinator.handle(vec![says(&launch, 5, end)]);
    assert!(lasting(&mut play, &outputs).is_empty());
    let outputs = play.coordinator.handle(vec![settles(&launch, 6)]);
    let [notice] = &lasting(&mut play, &outputs)[..] else { panic!("{outputs:?}") };
    assert_eq!(notice.event, Event::Finished);
    assert!(lasting(&mut play, &outputs).is_empty(), "once");
    let outputs = play.coordinator.handle(vec![reported(HOST, 7, exit(3))]);
    let [notice] = &lasting(&mut play, &outputs)[..] else { panic!("{outputs:?}") };
    assert_eq!((notice.event, notice.row.error.is_some()), (Event::Failed, true));
}

#[test]
fn a_question_that_was_answered_within_the_moment_is_silent() {
    let mut play = play();
    let launch = running(&mut play);
    let outputs = play.coordinator.handle(vec![asks(&launch, 4)]);
    let end =
        json!({"type": "tool_execution_end", "toolCallId": "q", "toolName": "question", "isError": false});
    play.coordinator.handle(vec![says(&launch, 5, end)]);
    assert!(lasting(&mut play, &outputs).is_empty());
}

#[test]
fn a_verdict_a_stop_and_a_fenced_event_are_silent() {
    for (verdict, stops) in [(true, false), (false, true)] {
        let mut play = play();
        let launch = running(&mut play);
        let session = launch.session.clone();
        let command = if stops { Command::Stop { session } } else { Command::MarkHolding { session } };
        if verdict {
            let outputs = play.coordinator.handle(vec![settles(&launch, 4)]);
            assert_eq!(lasting(&mut play, &outputs).len(), 1);
        }
        let input = prepared(play.command("mine", command));
        let outputs = play.coordinator.handle(vec![input]);
        assert!(lasting(&mut play, &outputs).is_empty());
        let next = if stops { reported(HOST, 5, exit(143)) } else { asks(&launch, 5) };
        let outputs = play.coordinator.handle(vec![next]);
        assert!(lasting(&mut play, &outputs).is_empty(), "{verdict} {stops}");
    }
}

#[test]
fn in_quiet_hours_and_without_a_way_nobody_is_told() {
    for (wanted, minute, count) in
        [(Wanted::Yes, 8 * 60, 1), (Wanted::Yes, 23 * 60, 0), (Wanted::No, 8 * 60, 0)]
    {
        let mut play = play();
        play.stage.0.notices.set(NoticeSettings { wanted, quiet: QuietHours::parse("22:00-07:00") });
        play.stage.0.minute.set(minute);
        let launch = running(&mut play);
        let outputs = play.coordinator.handle(vec![settles(&launch, 4)]);
        assert_eq!(lasting(&mut play, &outputs).len(), count, "{wanted:?} at {minute}");
    }
}

#[test]
fn a_restart_tells_nothing_again_and_what_its_hosts_say_late_is_no_news() {
    let mut play = play();
    let launch = running(&mut play);
    play.coordinator.handle(vec![asks(&launch, 4)]);
    let (mut play, outputs) = play.restart();
    assert!(lasting(&mut play, &outputs).is_empty());
    let outputs = play.coordinator.handle(vec![
        Input::HostRegistered { connection: HOST, version: 6, registration: registration(&launch, 100) },
        Input::Tick,
    ]);
    assert!(lasting(&mut play, &outputs).is_empty());
    play.stage.0.now.set(50 + 60_001);
    let end =
        json!({"type": "tool_execution_end", "toolCallId": "q", "toolName": "question", "isError": false});
    let outputs = play.coordinator.handle(vec![says(&launch, 5, end), settles(&launch, 6)]);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Idle);
    assert!(lasting(&mut play, &outputs).is_empty(), "an hour ago is no news");
}

#[test]
fn a_program_that_was_ended_because_it_was_idle_is_silent() {
    let mut play = play();
    let launch = running(&mut play);
    let outputs = play.coordinator.handle(vec![settles(&launch, 4)]);
    assert_eq!(lasting(&mut play, &outputs).len(), 1);
    let outputs = play.coordinator.handle(vec![reported(HOST, 5, HostFact::Reclaimed)]);
    assert!(lasting(&mut play, &outputs).is_empty());
    let outputs = play.coordinator.handle(vec![reported(HOST, 6, exit(1))]);
    assert!(lasting(&mut play, &outputs).is_empty());
}
