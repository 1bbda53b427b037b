//! What is a verdict, and what is not. By hand from reference B.9.

use super::*;
use crate::model::{
    auto_state::AutoState,
    can_auto_drain, is_busy,
    samples::{after, exited, started},
};
use board_protocol::{
    host::Exit,
    state::{Classification, ClassificationKind, ClassifierKind, Confidence},
};

fn classified(state: SemanticState) -> AutoState {
    let classification = Classification {
        kind: ClassificationKind::Done,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "it says so".into(),
        question: None,
        text_hash: "0123456789ab".into(),
    };
    AutoState { classification, state, classified_at: UnixMs(1), last_agent_activity_at: None }
}

fn at(state: SemanticState, auto_state: Option<AutoState>) -> SessionRecord {
    let mut record = after([started(1), exited(2, Exit::Code(0))]);
    record.agent = AgentKind::Pi;
    record.state = state;
    record.auto_state = auto_state;
    record
}

#[test]
fn i1_a1_what_is_a_manual_verdict() {
    let table = [
        (SemanticState::Queued, false, false),
        (SemanticState::Working, false, false),
        (SemanticState::NeedsInput, false, false),
        (SemanticState::Idle, false, false),
        (SemanticState::Holding, true, false),
        (SemanticState::Completed, true, false),
        (SemanticState::Failed, false, false),
        (SemanticState::Stopped, false, false),
    ];
    assert_eq!(table.map(|(state, ..)| state), SemanticState::ALL);
    for (state, without, with) in table {
        assert_eq!(at(state, None).is_manual_verdict(), without, "{state:?} by nobody else");
        assert_eq!(at(state, Some(classified(state))).is_manual_verdict(), with, "{state:?} by a classifier");
    }
    // What the reference asks of a row that is not there is a type here: no record, no verdict. A record that an earlier
    // build wrote knows no classifier.
    let mut older = serde_json::to_value(at(SemanticState::Completed, None)).unwrap();
    older.as_object_mut().unwrap().remove("auto_state");
    older.as_object_mut().unwrap().remove("run");
    let older: SessionRecord = serde_json::from_value(older).unwrap();
    assert!(older.is_manual_verdict());
}

#[test]
fn i1_a8_a_holding_row_is_neither_busy_nor_drained_and_what_may_be_drained_is_a_list() {
    let table = [
        (SemanticState::Queued, false),
        (SemanticState::Working, false),
        (SemanticState::NeedsInput, false),
        (SemanticState::Idle, true),
        (SemanticState::Holding, false),
        (SemanticState::Completed, true),
        (SemanticState::Failed, false),
        (SemanticState::Stopped, false),
    ];
    assert_eq!(table.map(|(state, _)| state), SemanticState::ALL);
    for (state, drained) in table {
        for auto_state in [None, Some(classified(state))] {
            let record = at(state, auto_state);
            assert!(!is_busy(&record), "{state:?} without a turn");
            // What `deliver` asks before it lets queued words go.
            assert_eq!(can_auto_drain(&record), drained, "{state:?} without a turn");
        }
        let mut record = at(state, None);
        record.process_state = ProcessState::Alive;
        let busy =
            matches!(state, SemanticState::Queued | SemanticState::Working | SemanticState::NeedsInput);
        assert_eq!(is_busy(&record), busy, "{state:?} in a turn");
        assert!(!can_auto_drain(&record), "{state:?} in a turn");
        // An open question of a turn makes it busy wherever it stands.
        record.agent_record.questions.push(OpenQuestion {
            id: "q".into(),
            text: "Which?".into(),
            by: crate::agents::event::Asker::Tool,
        });
        assert!(is_busy(&record), "{state:?} in a turn with a question");
        assert!(!can_auto_drain(&record), "{state:?} in a turn with a question");
    }
}
