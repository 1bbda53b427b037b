//! Which reports count, and what becomes of the others.

use super::*;
use crate::model::{
    Sessions, apply,
    samples::{begin, exited, fact, generation, session, started},
};
use board_protocol::{command::Launch, host::Exit, ids::Token};

const ID: &str = "0000000001";

fn sessions(agent: AgentKind) -> Sessions {
    let mut sessions = Sessions::new();
    let mut begun = begin(ID, "sample");
    let FactKind::SessionBegun(begin) = &mut begun.kind else { panic!("a beginning") };
    begin.agent = agent;
    begin.launch = Launch::Task("fix it".into());
    apply(&mut sessions, &begun);
    apply(&mut sessions, &fact(ID, 20, started(1)));
    sessions
}

fn hear(sessions: &Sessions, adapter: &str, payload: &str) -> Heard {
    hear_from(sessions, adapter, payload, &generation())
}

fn hear_from(sessions: &Sessions, adapter: &str, payload: &str, generation: &Generation) -> Heard {
    let report = AgentReport {
        token: Token("t".into()),
        adapter: adapter.into(),
        at_ms: UnixMs(30),
        payload: payload.into(),
    };
    let telling = Telling { generation, seq: Some(FactSeq(9)), at: UnixMs(30), report: &report };
    listen(&sessions[&session(ID)], telling, &QuestionTools::default())
}

fn codes(heard: &Heard) -> Vec<&str> {
    heard.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

fn moves(sessions: &mut Sessions, heard: Heard) {
    for fact in heard.decision.facts {
        apply(sessions, &fact);
    }
}

// Field report A29: events without the right identity moved the wrong row.
#[test]
fn a29_what_is_foreign_late_or_unknown_moves_nothing_and_leaves_a_diagnostic() {
    let mut pi = sessions(AgentKind::Pi);
    let begin = r#"{"v":1,"boot":"b","seq":5,"type":"agent_start"}"#;
    let heard = hear(&pi, "pi", begin);
    assert_eq!(heard.decision.facts.len(), 1);
    moves(&mut pi, heard);
    let other = Generation("22222222-bbbb".into());
    let mut ended = pi.clone();
    apply(&mut ended, &fact(ID, 90, exited(10, Exit::Code(0))));
    let table = [
        ("another agent's", hear(&pi, "claude", begin), "foreign_adapter"),
        ("nobody's", hear(&pi, "", begin), "foreign_adapter"),
        (
            "to a session without events",
            hear(&sessions(AgentKind::Generic), "generic", begin),
            "unread_event",
        ),
        ("of an earlier life", hear_from(&pi, "pi", begin, &other), "late_event"),
        ("after the end", hear(&ended, "pi", r#"{"boot":"b","seq":6,"type":"agent_start"}"#), "late_event"),
        ("a second time", hear(&pi, "pi", begin), "late_event"),
        ("too late", hear(&pi, "pi", r#"{"boot":"b","seq":4,"type":"agent_settled"}"#), "late_event"),
        ("broken", hear(&pi, "pi", "{\"type\":"), "malformed_event"),
        ("unknown", hear(&pi, "pi", r#"{"boot":"b","seq":7,"type":"something_new"}"#), "unknown_event"),
    ];
    for (name, heard, code) in table {
        assert_eq!(codes(&heard), [code], "{name}");
        assert!(heard.decision.facts.is_empty() && heard.beats.is_empty(), "{name}: {heard:?}");
    }
    let next = hear(&pi, "pi", r#"{"boot":"b","seq":6,"type":"agent_settled","text":"Done."}"#);
    assert_eq!((next.decision.facts.len(), next.diagnostics.len()), (1, 0));
}

#[test]
fn a_sign_of_work_wakes_a_row_whose_beginning_was_lost_and_costs_nothing_otherwise() {
    let tool = |seq: u32| {
        format!(
            r#"{{"boot":"b","seq":{seq},"type":"tool_execution_start","toolCallId":"c","toolName":"bash","args":{{"command":"cargo test"}}}}"#
        )
    };
    let mut pi = sessions(AgentKind::Pi);
    let heard = hear(&pi, "pi", &tool(3));
    let doing = Beat::Doing { call: Some("c".into()), words: "Running tests".into() };
    assert_eq!(heard.beats, [Beat::Paused, doing.clone()]);
    moves(&mut pi, heard);
    assert_eq!(pi[&session(ID)].state, SemanticState::Working);
    let again = hear(&pi, "pi", &tool(4));
    assert_eq!(again.beats, [doing]);
    assert!(again.decision.facts.is_empty(), "the journal does not grow with every tool");
}

mod questions;
