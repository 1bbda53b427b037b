//! Verdicts of a person at every row: what they set, what they leave, and what the person reads.

use super::*;
use crate::{
    agents::{AgentKind, event::Asker},
    coordinator::{
        decide::{Fresh, Reach, decide},
        deliver::{Refusing, Sight},
    },
    model::{
        OpenQuestion, QueuedItem, Sessions, apply,
        samples::{after, exited, generation, session, started},
    },
};
use board_protocol::{
    command::{Command, ReplyDelivery},
    daemon::ReplyProgress,
    host::Exit,
    ids::{QueueItemId, RunId, UnixMs},
    refusal::RefusalKind,
    state::{ClassificationKind, ClassifierKind, Confidence, HostState, ProcessState, SemanticState},
};
use std::path::Path;

fn fresh() -> Fresh {
    Fresh {
        session: session("00000000ff"),
        generation: generation(),
        item: QueueItemId("00000000ee".into()),
        run: RunId("r1".into()),
    }
}

/// A row of an agent with everything that a verdict clears, and with what it leaves.
fn row(state: SemanticState, process_state: ProcessState) -> SessionRecord {
    let mut record = after([started(1), exited(2, Exit::Code(3))]);
    record.agent = AgentKind::Pi;
    record.state = state;
    record.process_state = process_state;
    record.agent_record.preview = Some("It is in place.".into());
    record.agent_record.text_hash = Some(auto_state::text_hash("It is in place."));
    record.agent_record.asked_in_text = Some("Which?".into());
    record.agent_record.questions.push(OpenQuestion {
        id: "q".into(),
        text: "Which?".into(),
        by: Asker::Dialog,
    });
    record
}

fn of(source: CommandSource, record: &SessionRecord, command: &Command) -> Result<Allowed, Refusal> {
    let fresh = fresh();
    let given = Given {
        now: UnixMs(1000),
        fresh: &fresh,
        environment: None,
        preflight: None,
        reach: Reach::Away,
        sight: Sight { reach: Reach::Away, editor: None, unheard_ms: 0, refusal: Refusing::No },
        root: Path::new("/root"),
        source,
        expected_revision: None,
        auto_done: AutoDone::Refused,
        runs: crate::coordinator::RunSettings::default(),
    };
    decide(&Sessions::from([(record.id.clone(), record.clone())]), command, given)
}

fn carried_out(record: &SessionRecord, allowed: &Allowed) -> SessionRecord {
    let mut sessions = Sessions::from([(record.id.clone(), record.clone())]);
    for fact in &allowed.decision.facts {
        apply(&mut sessions, fact);
    }
    sessions.remove(&record.id).unwrap()
}

/// What is left of a row when where it stands is taken away.
fn rest(record: &SessionRecord) -> SessionRecord {
    let mut rest = record.clone();
    rest.state = SemanticState::Queued;
    rest.agent_record.evidence = None;
    rest
}

#[test]
fn i1_a2_holding_sets_the_same_fields_as_done_and_a_turn_is_waited_for() {
    let id = session("0000000001");
    let commands = [
        (Command::MarkCompleted { session: id.clone() }, SemanticState::Completed),
        (Command::MarkHolding { session: id.clone() }, SemanticState::Holding),
    ];
    for before in SemanticState::ALL {
        let record = row(before, ProcessState::Exited);
        let mut outcomes = Vec::new();
        for (command, state) in &commands {
            let allowed = of(CommandSource::Person, &record, command).unwrap();
            assert_eq!(allowed.decision.facts.len(), 1, "{before:?}: said again, it is said again");
            let after = carried_out(&record, &allowed);
            let agent = &after.agent_record;
            assert_eq!((after.state, after.process_state), (*state, ProcessState::Exited), "{before:?}");
            assert_eq!((&after.error, agent.question(), &after.auto_state), (&None, None, &None));
            assert_eq!(agent.preview, record.agent_record.preview, "its summary stays");
            assert_eq!(after.last_activity_at, UnixMs(1000));
            assert!(after.is_manual_verdict());
            outcomes.push(rest(&after));
        }
        assert_eq!(outcomes[0], outcomes[1], "{before:?}");
        let works = row(before, ProcessState::Alive);
        for (command, _) in &commands {
            let refusal = of(CommandSource::Person, &works, command).unwrap_err();
            assert_eq!(refusal.kind, RefusalKind::Busy, "{before:?}");
            assert!(refusal.text.contains("wait for the active run to finish before"), "{refusal}");
        }
    }
}

#[test]
fn i1_a3_release_leads_to_instructions_and_is_nothing_anywhere_else() {
    let command = Command::ClearHolding { session: session("0000000001") };
    let holding = row(SemanticState::Holding, ProcessState::Exited);
    let allowed = of(CommandSource::Person, &holding, &command).unwrap();
    assert_eq!(allowed.notice.as_deref(), Some("Resumed — needs instructions"));
    let after = carried_out(&holding, &allowed);
    assert_eq!((after.state, after.process_state), (SemanticState::Idle, ProcessState::Exited));
    assert_eq!((&after.error, after.agent_record.question(), &after.auto_state), (&None, None, &None));
    assert_eq!(after.agent_record.preview, holding.agent_record.preview);
    let mut spoken_to = holding.clone();
    for number in 0..2 {
        let (id, at) = (QueueItemId(format!("{number:010x}")), UnixMs(1));
        let (text, delivery, progress) = ("go on".into(), ReplyDelivery::Queue, ReplyProgress::Waiting);
        spoken_to.queue.items.push(QueuedItem { id, text, at, delivery, progress, kind: Default::default() });
    }
    // To an agent whose process has ended nothing is sent before it runs again.
    for (host, notice) in [
        (HostState::Alive, "Resumed — 2 queued will be sent"),
        (HostState::Exited, "Resumed — 2 queued wait until it runs again"),
    ] {
        spoken_to.host.state = host;
        let allowed = of(CommandSource::Person, &spoken_to, &command).unwrap();
        assert_eq!(allowed.notice.as_deref(), Some(notice));
    }
    let busy = of(CommandSource::Person, &row(SemanticState::Holding, ProcessState::Alive), &command);
    assert_eq!(busy.unwrap_err().kind, RefusalKind::Busy);
    for state in SemanticState::ALL.into_iter().filter(|state| *state != SemanticState::Holding) {
        for process_state in [ProcessState::Alive, ProcessState::Exited] {
            let refusal = of(CommandSource::Person, &row(state, process_state), &command).unwrap_err();
            assert_eq!(refusal.kind, RefusalKind::NoChange, "{state:?}");
            assert!(refusal.text.contains("not on hold"), "{refusal}");
        }
    }
}

#[test]
fn i1_a6_a_classifier_changes_nothing_of_a_holding_row_whoever_sends_its_result() {
    let kinds = [ClassificationKind::NeedsInput, ClassificationKind::InProgress, ClassificationKind::Done];
    for state in [SemanticState::Holding, SemanticState::Completed] {
        let mut record = row(state, ProcessState::Exited);
        record.error = None;
        record.agent_record.questions.clear();
        for kind in kinds {
            for by in [ClassifierKind::Heuristic, ClassifierKind::Model] {
                let classification = Classification {
                    kind,
                    confidence: Confidence::High,
                    by,
                    reason: "it says so".into(),
                    question: None,
                    text_hash: auto_state::text_hash("It is in place."),
                };
                assert_eq!(auto_state::fit(&record, &classification), auto_state::Fit::Nothing);
                let command = Command::Classify { session: record.id.clone(), classification };
                let of_person = of(CommandSource::Person, &record, &command).unwrap_err();
                assert_eq!(of_person.kind, RefusalKind::NoChange);
                let of_machine = of(CommandSource::Classifier, &record, &command).unwrap_err();
                assert_eq!(of_machine.kind, RefusalKind::ManualFence);
            }
        }
    }
}

// A shell is one turn: it goes on while it is put aside, and is back at work when it is released.
#[test]
fn a_program_that_is_its_one_turn_keeps_running() {
    let shell = after([started(1)]);
    for (command, state) in [
        (Command::MarkCompleted { session: shell.id.clone() }, SemanticState::Completed),
        (Command::MarkHolding { session: shell.id.clone() }, SemanticState::Holding),
    ] {
        let aside = carried_out(&shell, &of(CommandSource::Person, &shell, &command).unwrap());
        assert_eq!((aside.state, aside.process_state), (state, ProcessState::Alive));
        assert!(!crate::model::is_busy(&aside));
    }
    let mut holding = shell.clone();
    holding.state = SemanticState::Holding;
    let release = Command::ClearHolding { session: shell.id };
    let allowed = of(CommandSource::Person, &holding, &release).unwrap();
    assert_eq!(allowed.notice.as_deref(), Some("Resumed — running"));
    let back = carried_out(&holding, &allowed);
    assert_eq!((back.state, back.process_state), (SemanticState::Working, ProcessState::Alive));
}

#[test]
fn a_revision_that_is_not_the_rows_refuses_every_command_and_the_right_one_none() {
    let record = row(SemanticState::Holding, ProcessState::Exited);
    let sessions = Sessions::from([(record.id.clone(), record.clone())]);
    let fresh = fresh();
    let with = |expected| Given {
        now: UnixMs(1000),
        fresh: &fresh,
        environment: None,
        preflight: None,
        reach: Reach::Away,
        sight: Sight { reach: Reach::Away, editor: None, unheard_ms: 0, refusal: Refusing::No },
        root: Path::new("/root"),
        source: CommandSource::Person,
        expected_revision: Some(expected),
        auto_done: AutoDone::Refused,
        runs: crate::coordinator::RunSettings::default(),
    };
    let session = || record.id.clone();
    let commands = [
        Command::Stop { session: session() },
        Command::Interrupt { session: session() },
        Command::Remove { session: session() },
        Command::Visit { session: session() },
        Command::Rename { session: session(), name: "other".into() },
        Command::MarkCompleted { session: session() },
        Command::ClearHolding { session: session() },
        Command::ClearQueue { session: session() },
    ];
    for command in commands {
        let refusal = decide(&sessions, &command, with(record.revision + 1)).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::RevisionConflict, "{command:?}");
        let seen = decide(&sessions, &command, with(record.revision)).err().map(|refusal| refusal.kind);
        assert_ne!(seen, Some(RefusalKind::RevisionConflict), "{command:?}");
    }
}
