//! Samples of what both sockets and pipes carry, and small values that others are built from.

use crate::{Encoding, Golden, terminals, variants, work};
use board_protocol::{
    board::{AttachPlace, BoardUpdate, Revival, Row, Warning},
    command::{
        AdoptSession, Command, CommandEnvelope, CommandOutcome, EnvVar, Launch, Pin, ReplyDelivery,
        StartSession,
    },
    daemon::LogLevel,
    ids::{BoardSeq, CommandId, Generation, ProcessIdentity, QueueItemId, RunId, SessionId, Size, UnixMs},
    plan::PlanStep,
    refusal::{Refusal, RefusalKind},
    run::{
        RunBeat, RunConversation, RunEnd, RunEnding, RunKind, RunNote, RunReport, RunStart, RunStop, RunUsage,
    },
    state::{
        Classification, ClassificationKind, ClassifierKind, CommandSource, Confidence, HostState,
        ProcessState, SemanticState,
    },
};

variants!(Launch: Argv, Task);
variants!(Command: Start, Rerun, Resume, Adopt, Interrupt, Stop, Remove, Visit, MarkUnread, Reply, EditQueued, MoveQueued,
    RemoveQueued, SendQueued, ClearQueue, MarkCompleted, MarkHolding, ClearHolding, Rename, SetPin, Tag,
    ClearLog, Classify, ReportRun, Run, Plan, OpenTerminal);
variants!(RunReport: Queued, Started, Progressed, Finalized, FollowedUp, PlanReady, Patched, Evidence, Noted,
    Conversing);
variants!(RunKind: Dispatch, Reply, Plan, PlanChange, PlanApproval);
variants!(RunStop: Done, Length, Error, Aborted, Other);
variants!(RunEnding: Itself, StoppedByPerson);
variants!(ReplyDelivery: Auto, Now, Queue);
variants!(Pin: Pinned, Unpinned);
variants!(CommandSource: Person, Service, Run, Classifier, Host);
variants!(ClassificationKind: NeedsInput, InProgress, Done);
variants!(Confidence: High, Medium, Low);
variants!(ClassifierKind: Heuristic, Model);
variants!(CommandOutcome: Applied, Refused);
variants!(BoardUpdate: Full, Delta);
variants!(Revival: Resumes, RunsAgain);
variants!(ProcessState: Alive, Exited);
variants!(HostState: None, Starting, Alive, Stopping, Exited, Failed);
variants!(SemanticState: Queued, Working, NeedsInput, Idle, Holding, Completed, Failed, Stopped);
variants!(RefusalKind: UnknownSession, AmbiguousSession, WrongState, BadInput, MissingProgram, Limit, Version,
    Forbidden, HostUnreachable, Busy, NoChange, ManualFence, StaleRun, RevisionConflict, SourceNotAllowed,
    FieldNotAllowed, Internal);

pub(crate) fn session() -> SessionId {
    SessionId("0123456789".into())
}

pub(crate) fn generation() -> Generation {
    Generation("6f1d7f5e-0c1c-4d7e-9a53-2f0b6a1c9d10".into())
}

pub(crate) fn process() -> ProcessIdentity {
    ProcessIdentity { pid: 4711, start_ticks: 123_456_789 }
}

pub(crate) fn place() -> AttachPlace {
    AttachPlace { server_pid: 900, pane_id: 3 }
}

pub(crate) fn refusal() -> Refusal {
    Refusal::new(RefusalKind::WrongState, "0123456789 (task) has ended already")
}

pub(crate) fn warning() -> Warning {
    Warning { text: "The store cannot be written".into() }
}

pub(crate) fn variable() -> EnvVar {
    EnvVar { name: b"LANG".to_vec().into(), value: b"de_AT.\xff".to_vec().into() }
}

pub(crate) fn start() -> StartSession {
    StartSession {
        name: Some("task".into()),
        agent: "generic".into(),
        launch: Launch::Argv(vec!["make".into(), "all".into()]),
        cwd: "/srv/job".into(),
        size: Some(Size { cols: 120, rows: 36 }),
        model: None,
        thinking: None,
        tags: Vec::new(),
        remember: Default::default(),
    }
}

pub(crate) fn row() -> Row {
    Row {
        id: session(),
        name: "task".into(),
        agent: "generic".into(),
        state: SemanticState::NeedsInput,
        process_state: ProcessState::Alive,
        host_state: HostState::Alive,
        busy: true,
        summary: "make all".into(),
        question: Some("Which one?".into()),
        error: Some("exit code 3".into()),
        cwd: "/srv/job".into(),
        pinned: true,
        unread: true,
        created_at_ms: UnixMs(1_700_000_000_000),
        last_activity_at_ms: UnixMs(1_700_000_000_001),
        revival: Revival::RunsAgain,
        ended: Some("exit code 3".into()),
        attached: 2,
        places: vec![place()],
        strays: 1,
        doubt: Some("its host (pid 4711) runs but is not heard from".into()),
        revision: 0,
        tags: Vec::new(),
        queued: 0,
        stalled_ms: None,
        errors: 0,
        background: 0,
        headless: false,
        resumes_on_attach: false,
        review: None,
        plan: board_protocol::plan::PlanStatus::None,
        references: Vec::new(),
        worktree: None,
        parent: None,
        waiting: None,
    }
}

fn runs(golden: &mut Golden) {
    use Encoding::MessagePack;
    let start = || RunStart {
        kind: RunKind::Reply,
        prompt: "go on".into(),
        model: Some("fake/m".into()),
        process: Some(process()),
        started_at_ms: UnixMs(1_700_000_000_000),
    };
    let beat = RunBeat {
        start: Some(start()),
        doing: Some("Running tests".into()),
        preview: Some("Looking at the code.".into()),
    };
    let end = RunEnd {
        ended_at_ms: UnixMs(1_700_000_000_009),
        exit_code: Some(0),
        stop: Some(RunStop::Done),
        ending: RunEnding::StoppedByPerson,
        text: Some("Which one?".into()),
        last_agent_activity_at_ms: Some(UnixMs(1_700_000_000_008)),
        error: Some("no".into()),
        usage: RunUsage { read: 100, written: 10, cost_micros: Some(7), turns: 2, tools: 3 },
    };
    golden.check_all(
        MessagePack,
        &[
            RunReport::Queued,
            RunReport::Started(start()),
            RunReport::Progressed(beat),
            RunReport::Finalized(end),
            RunReport::FollowedUp(start()),
            RunReport::PlanReady { question: Some("Approve this plan?".into()), plan: None },
            RunReport::Evidence(work::items().to_vec()),
            RunReport::Patched { summary: Some("It works".into()), preview: None },
            RunReport::Noted(vec![RunNote {
                at_ms: UnixMs(1_700_000_000_000),
                level: LogLevel::Info,
                code: "worker_exit".into(),
                message: "exit code 0".into(),
            }]),
            RunReport::Conversing(RunConversation {
                id: Some("c1".into()),
                transcript: Some("/t.jsonl".into()),
                model: Some("fake/m".into()),
            }),
        ],
    );
    golden.check_all(
        MessagePack,
        &[RunKind::Dispatch, RunKind::Reply, RunKind::Plan, RunKind::PlanChange, RunKind::PlanApproval],
    );
    golden.check_all(
        MessagePack,
        &[RunStop::Done, RunStop::Length, RunStop::Error, RunStop::Aborted, RunStop::Other],
    );
    golden.check_all(MessagePack, &[RunEnding::Itself, RunEnding::StoppedByPerson]);
}

pub(crate) fn item() -> QueueItemId {
    QueueItemId("00000000ab".into())
}

pub(crate) fn classification() -> Classification {
    Classification {
        kind: ClassificationKind::NeedsInput,
        confidence: Confidence::High,
        by: ClassifierKind::Heuristic,
        reason: "it asks".into(),
        question: Some("Which one?".into()),
        text_hash: "0123456789ab".into(),
    }
}

pub(crate) fn envelope() -> CommandEnvelope {
    CommandEnvelope {
        command_id: CommandId("c-1".into()),
        command: Command::Start(start()),
        environment: Some(vec![variable()]),
        source: CommandSource::Person,
        expected_revision: None,
    }
}

pub(crate) fn outcomes() -> [CommandOutcome; 2] {
    [
        CommandOutcome::Applied { session: session(), notice: Some("it still runs".into()) },
        CommandOutcome::Refused(refusal()),
    ]
}

pub(crate) fn check(golden: &mut Golden) {
    use Encoding::MessagePack;
    golden.check_all(MessagePack, &[Launch::Argv(vec!["make".into()]), Launch::Task("make all".into())]);
    golden.check_all(
        MessagePack,
        &[
            Command::Start(start()),
            Command::Rerun { session: session() },
            Command::Resume { session: session() },
            Command::Adopt(AdoptSession {
                agent: "pi".into(),
                transcript: "/home/me/.pi/agent/sessions/one.jsonl".into(),
                cwd: "/tmp".into(),
                size: Some(Size { cols: 120, rows: 36 }),
                prompt: Some("go on".into()),
            }),
            Command::Interrupt { session: session() },
            Command::Stop { session: session() },
            Command::Remove { session: session() },
            Command::Visit { session: session() },
            Command::MarkUnread { session: session() },
            Command::Reply { session: session(), text: "go on".into(), delivery: ReplyDelivery::Auto },
            Command::EditQueued { session: session(), item: item(), text: "go on".into() },
            Command::MoveQueued { session: session(), item: item(), place: 1 },
            Command::RemoveQueued { session: session(), item: item() },
            Command::SendQueued { session: session(), item: item() },
            Command::ClearQueue { session: session() },
            Command::MarkCompleted { session: session() },
            Command::MarkHolding { session: session() },
            Command::ClearHolding { session: session() },
            Command::Rename { session: session(), name: "new".into() },
            Command::SetPin { session: session(), pin: Pin::Pinned },
            Command::Tag { session: session(), add: vec!["later".into()], remove: vec!["now".into()] },
            Command::ClearLog { session: session() },
            Command::Run(work::request()),
            Command::Plan { session: session(), step: PlanStep::Approve },
            Command::OpenTerminal { parent: session(), open: terminals::open() },
            Command::Classify { session: session(), classification: classification() },
            Command::ReportRun { session: session(), run: RunId("run_1".into()), report: RunReport::Queued },
        ],
    );
    runs(golden);
    golden.check_all(MessagePack, &[ReplyDelivery::Auto, ReplyDelivery::Now, ReplyDelivery::Queue]);
    golden.check_all(MessagePack, &[Pin::Pinned, Pin::Unpinned]);
    golden.check_all(
        MessagePack,
        &[
            CommandSource::Person,
            CommandSource::Service,
            CommandSource::Run,
            CommandSource::Classifier,
            CommandSource::Host,
        ],
    );
    golden.check_all(
        MessagePack,
        &[ClassificationKind::NeedsInput, ClassificationKind::InProgress, ClassificationKind::Done],
    );
    golden.check_all(MessagePack, &[Confidence::High, Confidence::Medium, Confidence::Low]);
    golden.check_all(MessagePack, &[ClassifierKind::Heuristic, ClassifierKind::Model]);
    let with_model = StartSession { model: Some("fake/m".into()), thinking: Some("low".into()), ..start() };
    golden.check("StartSession.model", MessagePack, &with_model);
    golden.check("CommandEnvelope", MessagePack, &envelope());
    let conditional = CommandEnvelope {
        command: Command::Stop { session: session() },
        environment: None,
        source: CommandSource::Service,
        expected_revision: Some(11),
        ..envelope()
    };
    golden.check("CommandEnvelope.conditional", MessagePack, &conditional);
    let marked = Row {
        revision: 12,
        tags: vec!["later".into()],
        queued: 2,
        stalled_ms: Some(300_000),
        errors: 3,
        background: 1,
        headless: false,
        resumes_on_attach: false,
        review: None,
        plan: board_protocol::plan::PlanStatus::None,
        references: Vec::new(),
        worktree: None,
        parent: None,
        waiting: None,
        ..row()
    };
    golden.check("Row.marked", MessagePack, &marked);
    golden.check_all(MessagePack, &outcomes());
    golden.check_all(
        MessagePack,
        &[
            BoardUpdate::Full { seq: BoardSeq(1), rows: vec![row()], warnings: vec![warning()] },
            BoardUpdate::Delta {
                base: BoardSeq(1),
                seq: BoardSeq(2),
                upserted: vec![row()],
                removed: vec![session()],
                warnings: Some(vec![warning()]),
            },
        ],
    );
    golden.check_all(MessagePack, &[Revival::Resumes, Revival::RunsAgain]);
    golden.check_all(MessagePack, &[ProcessState::Alive, ProcessState::Exited]);
    golden.check_all(
        MessagePack,
        &[
            HostState::None,
            HostState::Starting,
            HostState::Alive,
            HostState::Stopping,
            HostState::Exited,
            HostState::Failed,
        ],
    );
    golden.check_all(MessagePack, &SemanticState::ALL);
    golden.check_all(
        MessagePack,
        &[
            RefusalKind::UnknownSession,
            RefusalKind::AmbiguousSession,
            RefusalKind::WrongState,
            RefusalKind::BadInput,
            RefusalKind::MissingProgram,
            RefusalKind::Limit,
            RefusalKind::Version,
            RefusalKind::Forbidden,
            RefusalKind::HostUnreachable,
            RefusalKind::Busy,
            RefusalKind::NoChange,
            RefusalKind::ManualFence,
            RefusalKind::StaleRun,
            RefusalKind::RevisionConflict,
            RefusalKind::SourceNotAllowed,
            RefusalKind::FieldNotAllowed,
            RefusalKind::Internal,
        ],
    );
}
