//! The gate against every row there can be. The expected letters were written from reference C.5 by hand, before the
//! gate was run; nothing here asks the gate what it thinks.

use super::*;
use crate::{
    agents::AgentKind,
    model::{
        SessionRecord,
        auto_state::{AutoDone, AutoState},
        run::RunRecord,
        samples::{after, generation, started},
    },
};
use board_protocol::{
    ids::{Generation, UnixMs},
    run::RunStart,
    state::{Classification, ClassificationKind, ClassifierKind, Confidence},
};

const SOURCES: [CommandSource; 5] = [
    CommandSource::Person,
    CommandSource::Service,
    CommandSource::Run,
    CommandSource::Classifier,
    CommandSource::Host,
];
/// The run that the rows of these tests have, and their commands are about.
const RUN: &str = "run_1";
/// The hash of the words that their agent said last.
const HASH: &str = "0123456789ab";

fn classification() -> Classification {
    Classification {
        kind: ClassificationKind::NeedsInput,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "it asks".into(),
        question: Some("Which?".into()),
        text_hash: HASH.into(),
    }
}

fn earlier(state: SemanticState) -> AutoState {
    AutoState {
        classification: Classification {
            kind: ClassificationKind::InProgress,
            by: ClassifierKind::Heuristic,
            question: None,
            ..classification()
        },
        state,
        classified_at: UnixMs(1),
        last_agent_activity_at: None,
    }
}

/// A row of an agent with turns, with a run that began.
fn agents(state: SemanticState, process_state: ProcessState, auto: Option<AutoState>) -> SessionRecord {
    let mut record = after([started(1)]);
    record.agent = AgentKind::Pi;
    record.state = state;
    record.process_state = process_state;
    record.auto_state = auto;
    record.agent_record.text_hash = Some(HASH.into());
    let start = Some(RunStart::default());
    record.run =
        Some(RunRecord { id: RunId(RUN.into()), start, end: None, summary: None, item: None, spawned: None });
    record
}

/// One command of each kind, by its name, as it usually comes.
fn kind(name: &str) -> StateKind {
    let run = || RunId(RUN.into());
    match name {
        "mark_completed" => StateKind::MarkCompleted,
        "mark_holding" => StateKind::MarkHolding,
        "clear_holding" => StateKind::ClearHolding,
        "auto_state_classified" => {
            StateKind::AutoStateClassified { classification: classification(), done: AutoDone::Refused }
        }
        "run_finalized" => StateKind::RunFinalized,
        "mark_queued" => StateKind::MarkQueued { run: Some(run()) },
        "run_started" => StateKind::RunStarted,
        "run_progress" => StateKind::RunProgress { shape: BeatShape::Partial },
        "followup_started" => StateKind::FollowupStarted { run: run() },
        "reconcile_finalize" => StateKind::ReconcileFinalize,
        "host_run_failed" => StateKind::HostRunFailed,
        "archive_view" => StateKind::ArchiveView,
        "adopt_session" => StateKind::AdoptSession,
        "sync_foreground" => StateKind::SyncForeground,
        "plan_ready" => StateKind::PlanReady,
        "patch_fields" => {
            StateKind::PatchFields { fields: vec![PatchField::VisitedAt], news: PatchNews::Changes }
        }
        other => panic!("{other}"),
    }
}

fn command(source: CommandSource, kind: StateKind) -> StateCommand {
    let run = Some(RunRef::Headless(RunId(RUN.into())));
    StateCommand { session: after([]).id, run, expected_revision: None, source, kind }
}

fn judged(record: &SessionRecord, command: &StateCommand) -> Option<Reject> {
    admit(Some(record), command).err()
}

/// What each kind meets, by state. A row of letters has four words: a turn runs and no classifier said anything, a turn
/// runs and one did, no turn and none, no turn and one. A word has a letter for each source: person, service, run,
/// classifier, host. `+` passes; busy, field (x), fence, no change, source, stale (t) are rejections.
const TABLE: [(&str, &[(&str, &str)]); 16] = [
    (
        "mark_completed",
        &[
            ("queued working needs_input idle failed stopped", "bssss bssss +ssss +ssss"),
            ("holding completed", "bffff bssss +ffff +ssss"),
        ],
    ),
    (
        "mark_holding",
        &[
            ("queued working needs_input idle failed stopped", "bssss bssss +ssss +ssss"),
            ("holding completed", "bffff bssss +ffff +ssss"),
        ],
    ),
    (
        "clear_holding",
        &[
            ("queued working needs_input idle failed stopped", "nssss nssss nssss nssss"),
            ("completed", "nffff nssss nffff nssss"),
            ("holding", "bffff bssss +ffff +ssss"),
        ],
    ),
    (
        "auto_state_classified",
        &[
            ("queued working needs_input idle", "nnnnn nnnnn +++++ +++++"),
            ("failed stopped", "nnnnn nnnnn nnnnn nnnnn"),
            ("holding completed", "nffff nnnnn nffff +++++"),
        ],
    ),
    (
        "run_finalized",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ ttttt ttttt"),
            ("holding completed", "+ffff +++++ tffff ttttt"),
        ],
    ),
    (
        "mark_queued",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ +++++ +++++"),
            ("holding completed", "+ffff +++++ +ffff +++++"),
        ],
    ),
    (
        "run_started",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ +++++ +++++"),
            ("holding completed", "+ffff +++++ +ffff +++++"),
        ],
    ),
    (
        "run_progress",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ ttttt ttttt"),
            ("holding completed", "+ffff +++++ tffff ttttt"),
        ],
    ),
    (
        "followup_started",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ +++++ +++++"),
            ("holding completed", "+ffff +++++ +ffff +++++"),
        ],
    ),
    (
        "reconcile_finalize",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ nnnnn nnnnn"),
            ("holding completed", "+ffff +++++ nffff nnnnn"),
        ],
    ),
    (
        "host_run_failed",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ +++++ +++++"),
            ("holding completed", "+ffff +++++ +ffff +++++"),
        ],
    ),
    (
        "archive_view",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ +++++ +++++"),
            ("holding completed", "+ffff +++++ +ffff +++++"),
        ],
    ),
    (
        "adopt_session",
        &[
            ("queued working needs_input idle failed stopped", "bbbbb bbbbb +++++ +++++"),
            ("holding completed", "bffff bbbbb +ffff +++++"),
        ],
    ),
    (
        "sync_foreground",
        &[
            ("queued working needs_input idle failed stopped", "+++++ +++++ +++++ +++++"),
            ("holding completed", "+ffff +++++ +ffff +++++"),
        ],
    ),
    (
        "plan_ready",
        &[
            ("queued working needs_input idle failed stopped", "nnnnn nnnnn +++++ +++++"),
            ("holding completed", "nffff nnnnn +ffff +++++"),
        ],
    ),
    (
        "patch_fields",
        &[
            ("queued working needs_input idle failed stopped", "++xxx ++xxx ++xxx ++xxx"),
            ("holding completed", "+ffff ++xxx +ffff ++xxx"),
        ],
    ),
];

fn letter(reject: Option<Reject>) -> char {
    match reject {
        None => '+',
        Some(Reject::Busy) => 'b',
        Some(Reject::FieldNotAllowed) => 'x',
        Some(Reject::ManualFence) => 'f',
        Some(Reject::NoChange) => 'n',
        Some(Reject::SourceNotAllowed) => 's',
        Some(Reject::StaleRun) => 't',
        Some(other) => panic!("{other:?}"),
    }
}

#[test]
fn every_kind_from_every_source_at_every_row() {
    let mut judged_cells = 0;
    for (name, rows) in TABLE {
        assert_eq!(kind(name).name(), name);
        let mut states: Vec<&str> = rows.iter().flat_map(|(states, _)| states.split(' ')).collect();
        states.sort_unstable();
        let mut all = SemanticState::ALL.map(SemanticState::name);
        all.sort_unstable();
        assert_eq!(states, all, "{name} has every state once");
        for (states, expected) in rows {
            for state in states.split(' ').filter_map(SemanticState::parse) {
                let situations = [
                    (ProcessState::Alive, None),
                    (ProcessState::Alive, Some(earlier(state))),
                    (ProcessState::Exited, None),
                    (ProcessState::Exited, Some(earlier(state))),
                ];
                let words = situations.map(|(process_state, auto)| {
                    let record = agents(state, process_state, auto);
                    SOURCES
                        .map(|source| letter(judged(&record, &command(source, kind(name)))))
                        .iter()
                        .collect()
                });
                judged_cells += SOURCES.len() * words.len();
                let words: &[String] = &words;
                assert_eq!(words.join(" "), *expected, "{name} at {state:?}");
            }
        }
    }
    assert_eq!(judged_cells, 8 * 2 * 2 * 5 * 16);
}

#[test]
fn fields_that_each_source_may_change() {
    use PatchField as F;
    let all =
        [F::Review, F::EvidenceSummary, F::Summary, F::Preview, F::VisitedAt, F::Name, F::Pinned, F::Tags];
    let allowed: [(CommandSource, &[F]); 5] = [
        (CommandSource::Person, &[F::VisitedAt, F::Name, F::Pinned, F::Tags]),
        (CommandSource::Service, &[F::VisitedAt]),
        (CommandSource::Run, &[F::Review, F::EvidenceSummary, F::Summary, F::Preview]),
        (CommandSource::Classifier, &[F::Review, F::EvidenceSummary, F::Summary, F::Name]),
        (CommandSource::Host, &[]),
    ];
    let record = agents(SemanticState::Idle, ProcessState::Exited, None);
    for (source, fields) in allowed {
        for field in all {
            let patch = StateKind::PatchFields { fields: vec![field], news: PatchNews::Changes };
            let expected = (!fields.contains(&field)).then_some(Reject::FieldNotAllowed);
            assert_eq!(judged(&record, &command(source, patch)), expected, "{source:?} {field:?}");
        }
        // One that is not allowed spoils the others.
        let patch = StateKind::PatchFields { fields: all.to_vec(), news: PatchNews::Changes };
        assert_eq!(judged(&record, &command(source, patch)), Some(Reject::FieldNotAllowed));
    }
}

/// What is wrong with a command besides.
type Wrong = fn(&mut SessionRecord, &mut StateCommand);

const REVISION: Wrong = |record, command| command.expected_revision = Some(record.revision + 1);
const STALE: Wrong = |_, command| command.run = Some(RunRef::Headless(RunId("run_0".into())));
const FENCE: Wrong = |record, command| {
    record.state = SemanticState::Completed;
    command.source = CommandSource::Service;
};

// Reference C.5: the guard order. For every two reasons that can hold at once, the first of the list is given.
#[test]
fn of_two_reasons_the_first_is_given() {
    use Reject as R;
    let row = |state, process_state| agents(state, process_state, None);
    let idle = || row(SemanticState::Idle, ProcessState::Exited);
    let working = || row(SemanticState::Working, ProcessState::Alive);
    let by = |source, name| command(source, kind(name));
    let person = CommandSource::Person;
    let service = CommandSource::Service;
    let patch = |fields: &[PatchField], news| StateKind::PatchFields { fields: fields.to_vec(), news };
    // A row and a command that are rejected for this reason alone.
    let alone = || {
        [
            (R::SourceNotAllowed, idle(), by(service, "mark_completed")),
            (R::FieldNotAllowed, idle(), command(service, patch(&[PatchField::Name], PatchNews::Changes))),
            (R::Busy, working(), by(person, "mark_completed")),
            (R::NoChange, idle(), by(person, "clear_holding")),
        ]
    };
    for (reject, record, command) in alone() {
        assert_eq!(judged(&record, &command), Some(reject), "alone");
    }
    let both = |wrongs: &[Wrong], mut record: SessionRecord, mut command: StateCommand| {
        for wrong in wrongs {
            wrong(&mut record, &mut command);
        }
        (record, command)
    };
    let mut pairs: Vec<(R, R, SessionRecord, StateCommand)> = vec![];
    let mut pair = |first, second, (record, command)| pairs.push((first, second, record, command));
    // The three that do not depend on the kind, with each other.
    pair(R::RevisionConflict, R::StaleRun, both(&[REVISION, STALE], idle(), by(service, "sync_foreground")));
    pair(
        R::RevisionConflict,
        R::ManualFence,
        both(&[FENCE, REVISION], idle(), by(service, "sync_foreground")),
    );
    pair(R::StaleRun, R::ManualFence, both(&[FENCE, STALE], idle(), by(service, "sync_foreground")));
    // Each of them with those of the kinds.
    for (reject, record, command) in alone() {
        pair(R::RevisionConflict, reject, both(&[REVISION], record, command));
    }
    for (reject, record, command) in alone() {
        pair(R::StaleRun, reject, both(&[STALE], record, command));
    }
    let holding = |process_state| row(SemanticState::Holding, process_state);
    pair(R::ManualFence, R::SourceNotAllowed, (holding(ProcessState::Exited), by(service, "mark_completed")));
    let name = command(service, patch(&[PatchField::Name], PatchNews::Changes));
    pair(R::ManualFence, R::FieldNotAllowed, (holding(ProcessState::Exited), name));
    pair(R::ManualFence, R::Busy, (holding(ProcessState::Alive), by(service, "adopt_session")));
    pair(R::ManualFence, R::NoChange, (holding(ProcessState::Alive), by(service, "plan_ready")));
    // Those of the kinds, with each other.
    pair(R::SourceNotAllowed, R::Busy, (working(), by(service, "mark_holding")));
    pair(R::SourceNotAllowed, R::NoChange, (idle(), by(service, "clear_holding")));
    let nothing = command(service, patch(&[PatchField::Name], PatchNews::Nothing));
    pair(R::FieldNotAllowed, R::NoChange, (idle(), nothing));
    // Releasing what is not on hold is nothing to do, also while it runs.
    pair(R::NoChange, R::Busy, (working(), by(person, "clear_holding")));
    for (first, second, record, command) in &pairs {
        assert_eq!(judged(record, command), Some(*first), "{first:?} before {second:?}: {command:?}");
        assert_eq!(admit(None, command).err(), Some(R::UnknownView), "{second:?}");
    }
    // Seven reasons besides the unknown row make 21 pairs. Two cannot be: nothing that changes fields minds who asks or
    // whether a turn runs.
    assert_eq!(pairs.len(), 21 - 2);
}

#[test]
fn a_command_about_an_earlier_run_is_stale_and_a_beginning_replaces_what_is_over() {
    let other = || Some(RunRef::Headless(RunId("run_2".into())));
    let about = |run, name: &str| StateCommand { run, ..command(CommandSource::Run, kind(name)) };
    let alive = agents(SemanticState::Working, ProcessState::Alive, None);
    let rests = agents(SemanticState::Idle, ProcessState::Exited, None);
    assert_eq!(judged(&alive, &about(other(), "run_started")), Some(Reject::StaleRun));
    assert_eq!(judged(&rests, &about(other(), "run_started")), None);
    for name in ["run_finalized", "run_progress", "plan_ready", "sync_foreground", "patch_fields"] {
        assert_eq!(judged(&alive, &about(other(), name)), Some(Reject::StaleRun), "{name}");
    }
    // A session in its terminal: the boot of its host is its run.
    let host = |text: &str| Some(RunRef::Host(Generation(text.into())));
    assert_eq!(judged(&alive, &about(host("another"), "sync_foreground")), Some(Reject::StaleRun));
    assert_eq!(judged(&alive, &about(Some(RunRef::Host(generation())), "sync_foreground")), None);
    // Without a current run nothing is stale for its run alone; what needs a run is.
    let mut none = alive.clone();
    none.run = None;
    assert_eq!(judged(&none, &about(other(), "sync_foreground")), None);
    assert_eq!(judged(&none, &about(other(), "run_finalized")), Some(Reject::StaleRun));
    // One that was only asked for: a beat counts when it says everything, an end does not.
    let mut asked = alive;
    if let Some(run) = &mut asked.run {
        run.start = None;
    }
    let beat = |shape| command(CommandSource::Run, StateKind::RunProgress { shape });
    assert_eq!(judged(&asked, &beat(BeatShape::Partial)), Some(Reject::StaleRun));
    assert_eq!(judged(&asked, &beat(BeatShape::Full)), None);
    assert_eq!(judged(&asked, &command(CommandSource::Run, StateKind::RunFinalized)), Some(Reject::StaleRun));
}

// I.1 A2, A3 for a program whose life is one turn: there is no end of a turn to wait for.
#[test]
fn a_shell_that_runs_can_be_put_aside_and_released() {
    let mut shell = after([started(1)]);
    assert_eq!((shell.state, shell.process_state), (SemanticState::Working, ProcessState::Alive));
    let by_person = |name| command(CommandSource::Person, kind(name));
    assert_eq!(judged(&shell, &by_person("mark_completed")), None);
    assert_eq!(judged(&shell, &by_person("mark_holding")), None);
    shell.state = SemanticState::Holding;
    assert_eq!(judged(&shell, &by_person("clear_holding")), None);
}

// A machine that may not do something at a row that nobody fenced is told so: it is not the fence that stops it.
#[test]
fn i1_a4_a_machine_may_not_give_a_verdict_on_an_unfenced_row() {
    let idle = agents(SemanticState::Idle, ProcessState::Exited, None);
    for source in SOURCES.into_iter().skip(1) {
        for name in ["mark_completed", "mark_holding", "clear_holding"] {
            let reject = judged(&idle, &command(source, kind(name)));
            assert_eq!(reject, Some(Reject::SourceNotAllowed), "{name} of {source:?}");
        }
    }
    assert_eq!(Reject::SourceNotAllowed.code(), "source_not_allowed");
    assert!(Reject::ALL.contains(&Reject::SourceNotAllowed));
}

#[test]
fn i1_a5_every_kind_of_a_machine_meets_the_fence_and_the_same_of_a_person_passes_it() {
    let holding = agents(SemanticState::Holding, ProcessState::Exited, None);
    for (name, _) in TABLE {
        for source in SOURCES.into_iter().skip(1) {
            let reject = judged(&holding, &command(source, kind(name)));
            assert_eq!(reject, Some(Reject::ManualFence), "{name} of {source:?}");
        }
        let reject = judged(&holding, &command(CommandSource::Person, kind(name)));
        assert_ne!(reject, Some(Reject::ManualFence), "{name} of a person");
    }
}

#[test]
fn i1_a7_the_kinds_and_the_reasons_are_these_and_no_automatic_kind_means_holding() {
    assert_eq!(
        TABLE.map(|(name, _)| name),
        [
            "mark_completed",
            "mark_holding",
            "clear_holding",
            "auto_state_classified",
            "run_finalized",
            "mark_queued",
            "run_started",
            "run_progress",
            "followup_started",
            "reconcile_finalize",
            "host_run_failed",
            "archive_view",
            "adopt_session",
            "sync_foreground",
            "plan_ready",
            "patch_fields",
        ]
    );
    let codes = Reject::ALL.map(Reject::code);
    assert_eq!(
        codes,
        [
            "unknown_view",
            "revision_conflict",
            "stale_run",
            "manual_fence",
            "source_not_allowed",
            "field_not_allowed",
            "busy",
            "no_change",
        ]
    );
    for reject in Reject::ALL {
        assert_eq!(Reject::of(reject.kind()), Some(reject));
    }
    let kinds = [
        (ClassificationKind::NeedsInput, "needs_input", SemanticState::NeedsInput),
        (ClassificationKind::InProgress, "in_progress", SemanticState::Idle),
        (ClassificationKind::Done, "done", SemanticState::Completed),
    ];
    for (kind, name, state) in kinds {
        assert_eq!(serde_json::to_value(kind).unwrap(), name);
        assert_eq!(auto_state::state_of(kind), state);
        assert_ne!(auto_state::state_of(kind), SemanticState::Holding);
    }
}
