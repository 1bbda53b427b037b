//! What every command that passed the gate makes of a row, wherever it stood before. By hand from reference C.5 and B.5.

use super::*;
use crate::{
    agents::AgentKind,
    model::{
        SessionRecord,
        news::Tokens,
        run::{RunCause, RunFinished},
        samples::{after, fact, session, started},
    },
};
use board_protocol::{
    ids::RunId,
    run::{RunEnding, RunStart, RunStop},
    state::{Classification, ClassificationKind, ClassifierKind, Confidence},
};

fn row(state: SemanticState, process_state: ProcessState) -> SessionRecord {
    let mut record = after([started(1), exited(2, Exit::Code(3))]);
    record.agent = AgentKind::Pi;
    record.state = state;
    record.process_state = process_state;
    record
}

fn run() -> RunId {
    RunId("run_1".into())
}

fn end(change: fn(&mut RunFinished)) -> FactKind {
    let mut end = RunFinished {
        ended_at: UnixMs(9),
        exit_code: Some(0),
        stop: Some(RunStop::Done),
        ending: RunEnding::Itself,
        preview: None,
        question: None,
        text_hash: None,
        last_agent_activity_at: None,
        error: None,
        tokens: Tokens::default(),
        turns: 0,
        tools: 0,
    };
    change(&mut end);
    FactKind::RunFinalized { run: run(), end: Box::new(end) }
}

fn classified(kind: ClassificationKind, state: SemanticState) -> FactKind {
    let classification = Classification {
        kind,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "it says so".into(),
        question: (kind == ClassificationKind::NeedsInput).then(|| "Which?".into()),
        text_hash: "0123456789ab".into(),
    };
    FactKind::AutoStateClassified { classification, state }
}

/// Whether a turn runs afterwards.
#[derive(Debug, Clone, Copy)]
enum Turn {
    Runs,
    Over,
    AsBefore,
}

#[test]
fn where_a_row_stands_after_every_command() {
    use ClassificationKind as K;
    use SemanticState as S;
    use Turn::{AsBefore, Over, Runs};
    type Case = (&'static str, FactKind, S, Turn, Option<&'static str>);
    let begun = |cause| FactKind::RunStarted { run: run(), start: RunStart::default(), cause };
    // With the question that the row shows.
    let table: Vec<Case> = vec![
        ("mark_completed", FactKind::MarkedCompleted, S::Completed, Over, None),
        ("mark_holding", FactKind::MarkedHolding, S::Holding, Over, None),
        ("clear_holding", FactKind::HoldingCleared, S::Idle, Over, None),
        ("needs input", classified(K::NeedsInput, S::NeedsInput), S::NeedsInput, AsBefore, Some("Which?")),
        ("in progress", classified(K::InProgress, S::Idle), S::Idle, AsBefore, None),
        ("done", classified(K::Done, S::Completed), S::Completed, AsBefore, None),
        (
            "mark_queued",
            FactKind::RunQueued { run: run(), item: None, environment_at: None },
            S::Queued,
            Runs,
            None,
        ),
        ("run_started", begun(RunCause::Started), S::Working, Runs, None),
        ("run_progress", begun(RunCause::Found), S::Working, Runs, None),
        ("followup_started", begun(RunCause::FollowedUp), S::Working, Runs, None),
        ("run_finalized", end(|_| {}), S::Idle, Over, None),
        (
            "run_finalized with a question",
            end(|end| end.question = Some("Which?".into())),
            S::NeedsInput,
            Over,
            Some("Which?"),
        ),
        ("run_finalized badly", end(|end| end.exit_code = Some(1)), S::Failed, Over, None),
        ("run_finalized by a signal", end(|end| end.exit_code = None), S::Failed, Over, None),
        ("run_finalized aborted", end(|end| end.stop = Some(RunStop::Aborted)), S::Failed, Over, None),
        (
            "run_finalized by a person",
            end(|end| {
                end.ending = RunEnding::StoppedByPerson;
                end.exit_code = None;
                end.question = Some("Which?".into());
            }),
            S::Stopped,
            Over,
            None,
        ),
        (
            "reconcile_finalize",
            FactKind::RunLost { run: run(), reason: "it is gone".into() },
            S::Failed,
            Over,
            None,
        ),
        ("adopt_session", FactKind::SessionAdopted, S::Idle, Over, None),
        (
            "plan_ready",
            FactKind::PlanReady { run: run(), question: "Approve this plan?".into(), plan: None },
            S::NeedsInput,
            AsBefore,
            Some("Approve this plan?"),
        ),
    ];
    for (name, kind, state, turn, question) in table {
        for before in SemanticState::ALL {
            for process_state in [ProcessState::Alive, ProcessState::Exited] {
                let record = row(before, process_state);
                let mut sessions = Sessions::from([(record.id.clone(), record)]);
                apply(&mut sessions, &fact("0000000001", 99, kind.clone()));
                let after = &sessions[&session("0000000001")];
                let expected = match turn {
                    Turn::Runs => ProcessState::Alive,
                    Turn::Over => ProcessState::Exited,
                    Turn::AsBefore => process_state,
                };
                let what = format!("{name} at {before:?}, {process_state:?}");
                assert_eq!((after.state, after.process_state), (state, expected), "{what}");
                assert_eq!(after.agent_record.question(), question, "{what}");
                let by_classifier = matches!(kind, FactKind::AutoStateClassified { .. });
                assert_eq!(after.auto_state.is_some(), by_classifier, "{what}");
                // Behind the fence nothing of that happens.
                let record = row(before, process_state);
                let mut sessions = Sessions::from([(record.id.clone(), record.clone())]);
                apply(&mut sessions, &fact("0000000001", 99, FactKind::Fenced(Box::new(kind.clone()))));
                let fenced = &sessions[&session("0000000001")];
                assert_eq!((fenced.state, fenced.process_state), (before, process_state), "{what}");
                assert_eq!(
                    (&fenced.error, fenced.agent_record.question(), &fenced.auto_state, &fenced.run),
                    (&record.error, record.agent_record.question(), &record.auto_state, &record.run),
                    "{what}"
                );
            }
        }
    }
}
