//! What agents and hosts report, at rows with and without a verdict.

use super::*;
use crate::{
    agents::{
        AgentKind,
        event::{Asker, Ending, SessionStart},
    },
    model::{
        AfterStop, Sessions, apply,
        auto_state::AutoState,
        news::{AgentSession, SettledNews, Spoken, Tokens},
        samples::{after, exited, generation, session, started},
    },
};
use board_protocol::{
    ids::UnixMs,
    state::{Classification, ClassificationKind, ClassifierKind, Confidence, HostState, SemanticState},
};

/// Who put the row where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Nobody,
    Classifier,
}

/// A row of an agent whose process runs.
fn agents(state: SemanticState, process_state: ProcessState, by: By) -> SessionRecord {
    let mut record = after([started(1)]);
    record.agent = AgentKind::Pi;
    record.state = state;
    record.process_state = process_state;
    let classification = Classification {
        kind: ClassificationKind::Done,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "it says so".into(),
        question: None,
        text_hash: "0123456789ab".into(),
    };
    record.auto_state = (by == By::Classifier).then_some(AutoState {
        classification,
        state,
        classified_at: UnixMs(1),
        last_agent_activity_at: None,
    });
    record
}

fn is_fenced(state: SemanticState, by: By) -> bool {
    matches!(state, SemanticState::Holding | SemanticState::Completed) && by == By::Nobody
}

fn carried_out(record: &SessionRecord, decision: &Decision) -> SessionRecord {
    let mut sessions = Sessions::from([(record.id.clone(), record.clone())]);
    for fact in &decision.facts {
        apply(&mut sessions, fact);
    }
    sessions.remove(&record.id).unwrap()
}

fn exit_of(code: i32) -> FactKind {
    exited(2, Exit::Code(code))
}

fn lost() -> FactKind {
    FactKind::HostLost { generation: generation(), reason: "it is gone".into(), strays: Vec::new() }
}

// Reference B.5, C.5 and C.6, by hand: an end of a process is a machine's word, unless a person asked for it.
#[test]
fn the_end_of_a_process_at_every_row() {
    use SemanticState::{Failed, Idle, Stopped};
    type Case = (Turning, fn() -> FactKind, SemanticState);
    let cases: [Case; 3] = [
        (Turning::Ended(Exit::Code(0)), || exit_of(0), Idle),
        (Turning::Ended(Exit::Code(1)), || exit_of(1), Failed),
        (Turning::Failed, lost, Failed),
    ];
    for (turning, fact, unfenced) in cases {
        for state in SemanticState::ALL {
            for process_state in [ProcessState::Alive, ProcessState::Exited] {
                for by in [By::Nobody, By::Classifier] {
                    let record = agents(state, process_state, by);
                    let mut decision = Decision::default();
                    process(&mut decision, &record, UnixMs(99), turning, fact());
                    let after = carried_out(&record, &decision);
                    let what = format!("{turning:?} at {state:?}, {process_state:?}, {by:?}");
                    let fenced = is_fenced(state, by);
                    assert_eq!(after.state, if fenced { state } else { unfenced }, "{what}");
                    assert_eq!(after.auto_state, None, "{what}");
                    // What happened to the process is known either way.
                    assert!(!after.is_live() && after.ending.is_some(), "{what}");
                    let codes: Vec<&str> =
                        decision.notes.iter().map(|(_, line)| line.code.as_str()).collect();
                    assert_eq!(codes, if fenced { vec!["manual_fence"] } else { vec![] }, "{what}");
                    // The same after a person asked for it.
                    let mut stopping = record.clone();
                    let mut sessions = Sessions::from([(record.id.clone(), stopping)]);
                    let stop = FactKind::StopRequested { then: AfterStop::Stays };
                    apply(&mut sessions, &crate::model::samples::fact("0000000001", 98, stop));
                    stopping = sessions.remove(&record.id).unwrap();
                    assert_eq!(stopping.host.state, HostState::Stopping);
                    let mut decision = Decision::default();
                    process(&mut decision, &stopping, UnixMs(99), turning, fact());
                    assert_eq!(carried_out(&stopping, &decision).state, Stopped, "{what}, stopped");
                    assert_eq!(decision.notes, [], "{what}, stopped");
                }
            }
        }
    }
}

fn every_news() -> Vec<(AgentNews, bool)> {
    let session = |start| {
        AgentNews::SessionBegan(Box::new(AgentSession { start, id: None, transcript: None, model: None }))
    };
    let spoken = Spoken {
        preview: Some("Something.".into()),
        question: None,
        tokens: Tokens::default(),
        error: None,
        done: true,
        model: None,
        text_hash: None,
    };
    let settled =
        SettledNews { ending: Ending::Finished, preview: None, question: None, error: None, text_hash: None };
    // With whether it passes the fence: a person's words do, and what can only add to what is known.
    vec![
        (session(SessionStart::Startup), true),
        (session(SessionStart::Reloaded), true),
        (session(SessionStart::Unsaid), true),
        (session(SessionStart::New), false),
        (session(SessionStart::Resumed), false),
        (session(SessionStart::Forked), false),
        (AgentNews::ModelChanged { model: "m".into() }, true),
        (AgentNews::InputGiven { source: InputSource::Person }, true),
        (AgentNews::InputGiven { source: InputSource::Program }, false),
        (AgentNews::InputGiven { source: InputSource::Launch }, false),
        (AgentNews::WorkBegan, false),
        (AgentNews::Spoke(Box::new(spoken)), false),
        (AgentNews::QuestionAsked { id: "q".into(), text: "Which?".into(), by: Asker::Tool }, false),
        (AgentNews::QuestionClosed { id: "q".into() }, false),
        (AgentNews::Settled(Box::new(settled)), false),
    ]
}

#[test]
fn only_a_persons_words_and_what_adds_to_what_is_known_pass_the_fence() {
    for state in SemanticState::ALL {
        for by in [By::Nobody, By::Classifier] {
            let record = agents(state, ProcessState::Exited, by);
            for (one, passes) in every_news() {
                let (kept, rejected) = news(&record, &generation(), vec![one.clone()]);
                let what = format!("{one:?} at {state:?}, {by:?}");
                if passes || !is_fenced(state, by) {
                    assert_eq!((kept, rejected), (vec![one], vec![]), "{what}");
                } else {
                    assert_eq!(kept, [AgentNews::Fenced(Box::new(one))], "{what}");
                    let reasons: Vec<_> = rejected.iter().map(|one| (one.reject, one.kind)).collect();
                    assert_eq!(reasons, [(Reject::ManualFence, "sync_foreground")], "{what}");
                }
            }
        }
    }
}

#[test]
fn a_persons_words_open_the_way_for_what_follows_them_in_a_report_and_for_nothing_before() {
    let record = agents(SemanticState::Holding, ProcessState::Exited, By::Nobody);
    let person = || AgentNews::InputGiven { source: InputSource::Person };
    let (kept, rejected) =
        news(&record, &generation(), vec![AgentNews::WorkBegan, person(), AgentNews::WorkBegan]);
    let fenced = AgentNews::Fenced(Box::new(AgentNews::WorkBegan));
    assert_eq!(kept, [fenced, person(), AgentNews::WorkBegan]);
    assert_eq!(rejected.len(), 1);
    assert_eq!(
        rejected[0].line(),
        "a beginning of work did not move the row: a person put it where it is (sync_foreground)"
    );
}

proptest::proptest! {
    // Invariant: a manual verdict is never overridden by a machine. Whatever machines say, in whatever order and number,
    // the row stands where the person put it; one word of the person's, anywhere in between, and it follows again.
    #[test]
    fn whatever_machines_say_a_verdict_stands_until_the_person_speaks(
        steps in proptest::collection::vec(0..every_news().len(), 1..30),
        holding in proptest::bool::ANY,
        ends in proptest::bool::ANY,
    ) {
        let state = if holding { SemanticState::Holding } else { SemanticState::Completed };
        let mut record = agents(state, ProcessState::Exited, By::Nobody);
        let mut lifted = false;
        for (seq, step) in (2_u64..).zip(steps) {
            let (one, _) = every_news().swap_remove(step);
            lifted |= matches!(one, AgentNews::InputGiven { source: InputSource::Person });
            let (kept, rejected) = news(&record, &generation(), vec![one]);
            let fact = FactKind::AgentReported {
                generation: generation(),
                seq: Some(board_protocol::ids::FactSeq(seq)),
                place: None,
                news: kept,
            };
            let mut decision = Decision::default();
            decision.record(&record.id, UnixMs(seq), fact);
            record = carried_out(&record, &decision);
            if lifted {
                proptest::prop_assert!(rejected.is_empty());
                proptest::prop_assert!(!record.is_manual_verdict());
            } else {
                proptest::prop_assert_eq!(record.state, state);
                proptest::prop_assert_eq!(record.process_state, ProcessState::Exited);
                proptest::prop_assert_eq!((&record.error, record.agent_record.question()), (&None, None));
            }
        }
        if ends && !lifted {
            let mut decision = Decision::default();
            let end = exited(99, Exit::Code(1));
            process(&mut decision, &record, UnixMs(99), Turning::Ended(Exit::Code(1)), end);
            proptest::prop_assert_eq!(carried_out(&record, &decision).state, state);
        }
    }
}

// A host that started is no word about a row that was put aside before it did.
#[test]
fn a_shell_that_was_put_aside_while_it_started_stays_there() {
    let mut record = after([]);
    record.state = SemanticState::Holding;
    let mut decision = Decision::default();
    process(&mut decision, &record, UnixMs(99), Turning::Began, started(1));
    let after = carried_out(&record, &decision);
    assert_eq!((after.state, after.host.state), (SemanticState::Holding, HostState::Alive));
    assert_eq!(after.id, session("0000000001"));
}
