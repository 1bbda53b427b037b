//! Reports of Claude Code: who may speak for a row, and what its hooks come to.

use super::*;
use crate::model::Fact;

/// A hook's event of Claude Code, from a session of it.
fn hook(session: &str, event: &str, more: &str) -> String {
    format!(r#"{{"hook_event_name":"{event}","session_id":"{session}"{more}}}"#)
}

/// A board with a session of Claude Code whose root is `s1`, and a prompt in it.
fn claude() -> Sessions {
    let mut claude = sessions(AgentKind::Claude);
    for payload in [
        hook("s1", "SessionStart", r#","source":"startup""#),
        hook("s1", "UserPromptSubmit", r#","prompt":"go""#),
    ] {
        tell(&mut claude, &payload);
    }
    claude
}

/// Hears a report of Claude Code and applies it; gives what it left.
fn tell(sessions: &mut Sessions, payload: &str) -> Heard {
    let heard = hear(sessions, "claude", payload);
    for fact in heard.decision.facts.clone() {
        let FactKind::AgentReported { generation, place, news, .. } = fact.kind else { panic!("a report") };
        apply(
            sessions,
            &Fact { kind: FactKind::AgentReported { generation, seq: None, place, news }, ..fact },
        );
    }
    heard
}

fn standing(sessions: &Sessions) -> (SemanticState, Option<&str>, u32) {
    let record = &sessions[&session(ID)];
    (record.state, record.agent_record.question(), record.agent_record.background)
}

const STOP: &str = r#","last_assistant_message":"Done.","background_tasks":[]"#;
const BASH: &str = r#","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"make"}"#;

// Field report A12: the end of an agent that another one had started was taken for the end of that one.
#[test]
fn a12_a_nested_agent_s_words_leave_the_row_alone() {
    let mut claude = claude();
    let before = claude[&session(ID)].clone();
    for payload in [
        hook("s2", "SessionStart", r#","source":"startup""#),
        hook("s2", "SessionStart", r#","source":"resume""#),
        hook("s2", "UserPromptSubmit", r#","prompt":"x""#),
        hook("s2", "PermissionRequest", BASH),
        hook("s2", "Stop", STOP),
        hook("s2", "SessionEnd", r#","reason":"clear""#),
        hook("s2", "SessionEnd", r#","reason":"other""#),
    ] {
        let heard = tell(&mut claude, &payload);
        assert_eq!(codes(&heard), ["foreign_session"], "{payload}");
        assert!(heard.beats.is_empty());
        assert_eq!(claude[&session(ID)], before, "{payload}");
    }
    assert_eq!(tell(&mut claude, &hook("s1", "Stop", STOP)).diagnostics, []);
    assert_eq!(standing(&claude).0, SemanticState::Idle);
}

// Field report A31: a row was removed at the end of a session that another one followed, or kept the first one's id.
#[test]
fn a31_a_cleared_or_changed_session_is_the_same_row_with_another_root() {
    let clear_end = hook("s1", "SessionEnd", r#","reason":"clear""#);
    let clear_start = hook("s2", "SessionStart", r#","source":"clear""#);
    for order in [[&clear_end, &clear_start], [&clear_start, &clear_end]] {
        let mut claude = claude();
        tell(&mut claude, &hook("s1", "Stop", STOP));
        for payload in order {
            tell(&mut claude, payload);
            assert_eq!(standing(&claude).0, SemanticState::Idle, "no flicker");
        }
        let agent = &claude[&session(ID)].agent_record;
        assert_eq!((agent.session_id.as_deref(), agent.has_words), (Some("s2"), false));
        tell(&mut claude, &hook("s2", "UserPromptSubmit", r#","prompt":"on""#));
        assert_eq!(standing(&claude).0, SemanticState::Working);
        let late = tell(&mut claude, &hook("s1", "Stop", STOP));
        assert_eq!(codes(&late), ["foreign_session"], "the old one is over");
        assert_eq!(claude.len(), 1);
    }
    // Another conversation taken up in the same process.
    let mut claude = claude();
    tell(&mut claude, &hook("s1", "Stop", STOP));
    tell(&mut claude, &hook("s1", "SessionEnd", r#","reason":"resume""#));
    tell(&mut claude, &hook("s3", "SessionStart", r#","source":"resume""#));
    assert_eq!(claude[&session(ID)].agent_record.session_id.as_deref(), Some("s3"));
}

// Field report A13.
#[test]
fn a13_children_move_nothing_and_are_counted() {
    let mut claude = claude();
    let before = claude[&session(ID)].clone();
    let mut live = crate::model::Live::default();
    let mut counts = Vec::new();
    for (event, child) in [
        ("SubagentStart", "a1"),
        ("PreToolUse", "a1"),
        ("SubagentStart", "a2"),
        ("SubagentStop", "a1"),
        ("Stop", "a2"),
        ("SubagentStop", "a2"),
    ] {
        let heard = tell(&mut claude, &hook("s1", event, &format!(r#","agent_id":"{child}""#)));
        for beat in heard.beats {
            live.feel(beat);
        }
        counts.push((live.children.done, live.children.total()));
        assert_eq!(claude[&session(ID)], before, "{event} {child}");
    }
    assert_eq!(counts, [(0, 1), (0, 1), (0, 2), (1, 2), (1, 2), (2, 2)]);
}

// Field reports A5 (its events), A6 and A8.
#[test]
fn a6_a8_a_request_is_open_until_its_call_is_over_and_notices_neither_open_nor_double_it() {
    let late = hook("s1", "Notification", r#","notification_type":"permission_prompt","message":"m""#);
    let mut board = claude();
    tell(&mut board, &hook("s1", "PreToolUse", BASH));
    tell(&mut board, &hook("s1", "PermissionRequest", BASH));
    assert_eq!(standing(&board), (SemanticState::NeedsInput, Some("Allow Bash: make"), 0));
    // A call beside it that needs no leave does not close it.
    tell(&mut board, &hook("s1", "PostToolUse", r#","tool_name":"Read","tool_input":{"file_path":"/a"}"#));
    assert_eq!(standing(&board).0, SemanticState::NeedsInput);
    tell(&mut board, &hook("s1", "PostToolUse", BASH));
    assert_eq!(standing(&board), (SemanticState::Working, None, 0));
    tell(&mut board, &late);
    assert_eq!(standing(&board), (SemanticState::Working, None, 0));
    let question = r#","tool_name":"AskUserQuestion","tool_use_id":"q","tool_input":{"questions":[{"question":"Which?"},{"question":"Where?"}]}"#;
    let mut board = claude();
    tell(&mut board, &hook("s1", "PreToolUse", question));
    tell(&mut board, &hook("s1", "PermissionRequest", question));
    tell(&mut board, &late);
    let texts: Vec<_> =
        board[&session(ID)].agent_record.questions.iter().map(|question| question.text.clone()).collect();
    assert_eq!(texts, ["Which?", "Where?"]);
    tell(&mut board, &hook("s1", "PostToolUse", question));
    assert_eq!(standing(&board), (SemanticState::Working, None, 0));
}

// Field report A10.
#[test]
fn a10_tasks_in_the_background_keep_the_row_running_through_an_idle_prompt() {
    let idle = hook("s1", "Notification", r#","notification_type":"idle_prompt""#);
    let tasks = r#","last_assistant_message":"It builds.","background_tasks":[{"id":"b1","type":"shell","status":"running","description":"build"}]"#;
    let mut board = claude();
    tell(&mut board, &hook("s1", "Stop", tasks));
    assert_eq!(standing(&board), (SemanticState::Working, None, 1));
    assert!(tell(&mut board, &idle).decision.facts.is_empty());
    assert_eq!(standing(&board), (SemanticState::Working, None, 1));
    tell(&mut board, &hook("s1", "UserPromptSubmit", r#","prompt":"<task-notification>done""#));
    tell(&mut board, &hook("s1", "Stop", STOP));
    assert_eq!(standing(&board), (SemanticState::Idle, None, 0));
    // A question to the person does not wait for tasks.
    let mut asking = claude();
    tell(&mut asking, &hook("s1", "Stop", &tasks.replace("It builds.", "Which one do you want?")));
    assert_eq!(standing(&asking), (SemanticState::NeedsInput, Some("Which one do you want?"), 1));
}

#[test]
fn an_idle_prompt_settles_what_ended_without_a_word_and_nothing_else() {
    let idle = hook("s1", "Notification", r#","notification_type":"idle_prompt""#);
    let mut interrupted = claude();
    tell(&mut interrupted, &idle);
    assert_eq!(standing(&interrupted).0, SemanticState::Idle);
    let mut refused = claude();
    tell(&mut refused, &hook("s1", "PermissionRequest", BASH));
    tell(&mut refused, &idle);
    assert_eq!(standing(&refused), (SemanticState::Idle, None, 0));
    let mut asks = claude();
    tell(&mut asks, &hook("s1", "Stop", r#","last_assistant_message":"Which one?""#));
    assert!(tell(&mut asks, &idle).decision.facts.is_empty());
    assert_eq!(standing(&asks), (SemanticState::NeedsInput, Some("Which one?"), 0));
}

#[test]
fn a_verdict_is_lifted_by_a_person_s_words_and_not_by_a_task_s() {
    let mut board = claude();
    tell(&mut board, &hook("s1", "Stop", STOP));
    board.get_mut(&session(ID)).unwrap().state = SemanticState::Completed;
    tell(&mut board, &hook("s1", "UserPromptSubmit", r#","prompt":"<task-notification>done""#));
    assert_eq!(standing(&board).0, SemanticState::Completed);
    tell(&mut board, &hook("s1", "UserPromptSubmit", r#","prompt":"one more thing""#));
    assert_eq!(standing(&board).0, SemanticState::Working);
    // The words of the launch are none of a person who came back.
    let mut parked = sessions(AgentKind::Claude);
    parked.get_mut(&session(ID)).unwrap().state = SemanticState::Completed;
    tell(&mut parked, &hook("s1", "UserPromptSubmit", r#","prompt":"go""#));
    assert_eq!(standing(&parked).0, SemanticState::Completed);
}

#[test]
fn what_was_written_to_the_disk_and_overtaken_is_late_and_a_clock_set_back_silences_nobody() {
    let mut board = claude();
    tell(&mut board, &hook("s1", "Stop", STOP));
    let report = AgentReport {
        token: Token("t".into()),
        adapter: "claude".into(),
        at_ms: UnixMs(5),
        payload: hook("s1", "PreToolUse", BASH).into(),
    };
    let generation = generation();
    let mut telling = Telling { generation: &generation, seq: None, at: UnixMs(5), report: &report };
    let record = &board[&session(ID)];
    assert_eq!(codes(&listen(record, telling, &QuestionTools::default())), ["late_event"]);
    telling.seq = Some(FactSeq(9));
    assert_eq!(listen(record, telling, &QuestionTools::default()).decision.facts.len(), 1);
}

#[test]
fn a_tool_that_needed_no_leave_does_not_grow_the_journal() {
    let mut board = claude();
    for event in ["PreToolUse", "PostToolUse"] {
        assert!(tell(&mut board, &hook("s1", event, BASH)).decision.facts.is_empty(), "{event}");
    }
}
