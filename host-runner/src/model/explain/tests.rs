//! Every change of a state is told, with a rule; what moves nothing tells no change.

use super::*;
use crate::{
    agents::{
        AgentKind,
        event::{Asker, Ending, SessionStart},
    },
    model::{
        Sessions, apply,
        news::{AgentSession, SettledNews, Spoken, Tokens},
        samples::{attached, begin, exited, fact, generation, session, started},
        session::AfterStop,
    },
};
use board_protocol::{
    host::Exit,
    ids::{FactSeq, Generation, RunId},
};
use proptest::prelude::*;

const ID: &str = "0000000001";

fn reported(seq: u64, news: Vec<AgentNews>) -> FactKind {
    FactKind::AgentReported { generation: generation(), seq: Some(FactSeq(seq)), place: None, news }
}

fn spoke(question: Option<&str>) -> AgentNews {
    AgentNews::Spoke(Box::new(Spoken {
        preview: Some("words".into()),
        question: question.map(str::to_owned),
        tokens: Tokens::default(),
        error: None,
        done: true,
        model: None,
        text_hash: None,
    }))
}

fn settled(question: Option<&str>) -> AgentNews {
    AgentNews::Settled(Box::new(SettledNews {
        ending: Ending::Finished,
        preview: Some("words".into()),
        question: question.map(str::to_owned),
        error: None,
        text_hash: None,
    }))
}

fn new_conversation() -> AgentNews {
    let (id, transcript, model) = (None, None, None);
    AgentNews::SessionBegan(Box::new(AgentSession { start: SessionStart::New, id, transcript, model }))
}

fn begun(agent: AgentKind) -> Fact {
    let mut begun = begin(ID, "sample");
    let FactKind::SessionBegun(begin) = &mut begun.kind else { panic!("a beginning") };
    begin.agent = agent;
    begun
}

/// What is told of a session of this agent with these facts, ten milliseconds apart.
fn story(agent: AgentKind, kinds: Vec<FactKind>) -> Vec<Told> {
    let mut sessions = Sessions::new();
    let facts = (2_u64..).zip(kinds).map(|(step, kind)| fact(ID, step * 10, kind));
    let mut told = Vec::new();
    for fact in std::iter::once(begun(agent)).chain(facts) {
        let before = sessions.get(&session(ID)).map(Before::from);
        apply(&mut sessions, &fact);
        told.extend(tell(before, &fact, sessions.get(&session(ID))));
    }
    told
}

fn changes(told: &[Told]) -> Vec<(u64, &'static str, &str)> {
    let changes = told.iter().filter_map(|told| told.change.as_ref());
    changes.map(|change| (change.at_ms.0, change.to.name(), change.event.as_str())).collect()
}

#[test]
fn the_life_of_a_program_is_told() {
    let told = story(
        AgentKind::Generic,
        vec![
            started(1),
            attached(2, 1),
            FactKind::StopRequested { then: AfterStop::Stays },
            exited(3, Exit::Signal(15)),
            FactKind::SessionBegunAgain {
                generation: Generation("2".into()),
                argv: vec![],
                environment_at: UnixMs(1),
            },
            FactKind::HostLost { generation: Generation("2".into()), reason: "gone".into(), strays: vec![] },
        ],
    );
    assert_eq!(
        changes(&told),
        [
            (10, "queued", "person: started it"),
            (20, "working", "process start: pid 77"),
            (50, "stopped", "process exit: signal 15 (SIGTERM)"),
            (60, "queued", "person: ran it again"),
            (70, "failed", "process exit: its host ended: gone"),
        ]
    );
    // A stop that was asked for moves nothing yet, but it was said.
    assert!(told.iter().any(|told| told.what == "asked it to end" && told.change.is_none()));
    let rule = |to| told.iter().filter_map(|told| told.change.as_ref()).find(|change| change.to == to);
    assert!(rule(SemanticState::Stopped).unwrap().rule.starts_with("A person had asked for the end"));
}

#[test]
fn the_turns_of_an_agent_are_told() {
    let asked = AgentNews::QuestionAsked { id: "q".into(), text: "Which?".into(), by: Asker::Tool };
    let told = story(
        AgentKind::Pi,
        vec![
            started(1),
            reported(2, vec![AgentNews::InputGiven { source: InputSource::Person }, AgentNews::WorkBegan]),
            reported(3, vec![AgentNews::ModelChanged { model: "m".into() }]),
            reported(4, vec![asked]),
            reported(5, vec![AgentNews::QuestionClosed { id: "q".into() }]),
            reported(6, vec![spoke(Some("Shall I?"))]),
            reported(7, vec![settled(Some("Shall I?"))]),
            reported(8, vec![AgentNews::InputGiven { source: InputSource::Person }]),
            reported(9, vec![settled(None)]),
            exited(10, Exit::Code(1)),
        ],
    );
    assert_eq!(
        changes(&told),
        [
            (10, "queued", "person: started it"),
            (30, "working", "agent event: works"),
            (50, "needs_input", "agent event: a question"),
            (60, "working", "agent event: a question was answered"),
            (70, "needs_input", "agent event: asks in its words"),
            (90, "working", "agent event: a person's input"),
            (100, "idle", "agent event: settled"),
            (110, "failed", "process exit: exit code 1"),
        ]
    );
    // A model that changed says nothing about where the row belongs.
    assert!(told.iter().all(|told| told.at != UnixMs(40)), "{told:?}");
}

#[test]
fn a_fact_that_comes_too_late_tells_nothing() {
    let late = FactKind::ChildStarted {
        generation: Generation("another".into()),
        seq: FactSeq(9),
        child: crate::model::samples::process(1),
    };
    assert_eq!(story(AgentKind::Generic, vec![late, started(1), started(1)]).len(), 2);
}

fn any_kind() -> impl Strategy<Value = FactKind> {
    let news = prop_oneof![
        Just(new_conversation()),
        Just(AgentNews::ModelChanged { model: "m".into() }),
        Just(AgentNews::InputGiven { source: InputSource::Person }),
        Just(AgentNews::InputGiven { source: InputSource::Launch }),
        Just(AgentNews::WorkBegan),
        any::<bool>().prop_map(|asks| spoke(asks.then_some("Why?"))),
        (0..3_u8).prop_map(|id| AgentNews::QuestionAsked {
            id: id.to_string(),
            text: "Which?".into(),
            by: if id == 0 { Asker::Dialog } else { Asker::Tool },
        }),
        (0..3_u8).prop_map(|id| AgentNews::QuestionClosed { id: id.to_string() }),
        any::<bool>().prop_map(|asks| settled(asks.then_some("Why?"))),
    ];
    let argv = Vec::new;
    prop_oneof![
        8 => prop::collection::vec(news, 1..3).prop_map(|news| reported(0, news)),
        2 => Just(started(0)),
        1 => (0..2).prop_map(|code| exited(0, Exit::Code(code))),
        1 => Just(attached(0, 1)),
        1 => Just(FactKind::StopRequested { then: AfterStop::Stays }),
        1 => Just(FactKind::SessionInterrupted),
        1 => Just(FactKind::MarkedCompleted),
        1 => Just(FactKind::MarkedHolding),
        1 => Just(FactKind::HoldingCleared),
        1 => Just(FactKind::VerdictLifted { generation: None, seq: None, by: Lift::Typed }),
        1 => Just(FactKind::Fenced(Box::new(reported(0, vec![settled(None)])))),
        1 => Just(FactKind::SessionAdopted),
        1 => Just(FactKind::PlanReady { run: RunId("r".into()), question: "Go?".into(), plan: None }),
        1 => Just(FactKind::PlanMoved(PlanMove::Requested { text: "plan".into(), run: None })),
        1 => Just(FactKind::PlanMoved(PlanMove::Ready { text: Some("1.".into()), run: None })),
        1 => Just(FactKind::PlanMoved(PlanMove::Approved)),
        1 => Just(FactKind::PlanMoved(PlanMove::ChangesRequested { text: "less".into(), run: None })),
        1 => Just(FactKind::PlanMoved(PlanMove::Executing { run: None })),
        1 => Just(FactKind::PlanMoved(PlanMove::Withdrawn)),
        1 => Just(FactKind::PlanMoved(PlanMove::Reset)),
        1 => Just(FactKind::RunQueued { run: RunId("r".into()), item: None, environment_at: None }),
        1 => Just(FactKind::RunLost { run: RunId("r".into()), reason: "gone".into() }),
        1 => Just(FactKind::SessionVisited),
        1 => Just(FactKind::HostSpawnFailed { generation: generation(), reason: "no".into() }),
        1 => Just(FactKind::HostLost { generation: generation(), reason: "gone".into(), strays: vec![] }),
        1 => Just(FactKind::SessionBegunAgain { generation: generation(), argv: argv(), environment_at: UnixMs(1) }),
        2 => Just(FactKind::SessionResumed { generation: generation(), argv: argv(), environment_at: UnixMs(1) }),
    ]
}

/// The host's number of a fact, counted on.
fn numbered(kind: FactKind, seq: FactSeq) -> FactKind {
    match kind {
        FactKind::ChildStarted { generation, child, .. } => FactKind::ChildStarted { generation, seq, child },
        FactKind::ChildExited { generation, exit, strays, reason, .. } => {
            FactKind::ChildExited { generation, seq, exit, strays, reason }
        }
        FactKind::AttachedChanged { generation, attached, .. } => {
            FactKind::AttachedChanged { generation, seq, attached }
        }
        FactKind::AgentReported { generation, place, news, .. } => {
            FactKind::AgentReported { generation, seq: Some(seq), place, news }
        }
        FactKind::Fenced(kind) => FactKind::Fenced(Box::new(numbered(*kind, seq))),
        other => other,
    }
}

// A machine's word to a row that a person put somewhere is evidence, and no change.
#[test]
fn a_fenced_word_is_told_and_moves_nothing() {
    let told = story(
        AgentKind::Pi,
        vec![
            started(1),
            reported(2, vec![AgentNews::WorkBegan]),
            reported(3, vec![settled(None)]),
            FactKind::MarkedHolding,
            reported(4, vec![AgentNews::Fenced(Box::new(settled(Some("Which?"))))]),
            FactKind::Fenced(Box::new(exited(5, Exit::Code(3)))),
            FactKind::HoldingCleared,
        ],
    );
    let changes = changes(&told);
    assert_eq!(
        changes[3..],
        [(50, "holding", "person: on hold"), (80, "idle", "person: off hold")],
        "{changes:?}"
    );
    let last = |voice| told.iter().rev().find(|told| told.voice == voice).map(|told| told.what.as_str());
    assert_eq!(last(Voice::AgentEvent), Some("settled"));
    assert_eq!(last(Voice::ProcessExit), Some("exit code 3"));
}

proptest! {
    #[test]
    fn the_told_changes_lead_from_the_beginning_to_the_state_and_each_has_its_rule(
        pi in any::<bool>(),
        kinds in prop::collection::vec(any_kind(), 0..40),
    ) {
        let agent = if pi { AgentKind::Pi } else { AgentKind::Generic };
        let kinds: Vec<_> = (1..).zip(kinds).map(|(seq, kind)| numbered(kind, FactSeq(seq))).collect();
        let mut sessions = Sessions::new();
        apply(&mut sessions, &begun(agent));
        for (step, kind) in (2_u64..).zip(kinds.clone()) {
            apply(&mut sessions, &fact(ID, step * 10, kind));
        }
        let told = story(agent, kinds);
        let mut state = None;
        for change in told.iter().filter_map(|told| told.change.as_ref()) {
            prop_assert_eq!(change.from, state);
            prop_assert_ne!(change.rule.as_str(), UNEXPLAINED);
            prop_assert!(!change.rule.is_empty() && change.rule.ends_with('.'));
            state = Some(change.to);
        }
        prop_assert_eq!(state, Some(sessions[&session(ID)].state));
    }
}
