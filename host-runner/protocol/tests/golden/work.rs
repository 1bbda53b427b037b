//! Golden samples of headless runs, plans, evidence and launch preferences.

use crate::{Encoding::MessagePack, Golden, rows, variants};
use board_protocol::{
    board::{Reference, ReferenceKind, Row},
    command::EnvVar,
    daemon::{FavouriteDirectory, LaunchPreferences, LogLevel, QueuedReply, ReplyKind, ReplyProgress},
    diagnostics::DiagnosticSummary,
    evidence::{
        Claim, CommandEvidence, CommandKind, CommandStatus, ErrorEvidence, Evidence, EvidenceItem,
        FileAction, FileChange, Review,
    },
    ids::{QueueItemId, RunId, SessionId, Token, UnixMs},
    pipe::ReviewPart,
    plan::{Plan, PlanChange, PlanStatus, PlanStep},
    refs::{FoundReference, References},
    run::{RunKind, RunLaunch, RunRequest, RunUsage},
    state::Confidence,
};

variants!(EvidenceItem: Command, FileChange, Error, Claim, Usage);
variants!(CommandKind: Test, Build, Lint, Git, Install, Other);
variants!(CommandStatus: Started, Passed, Failed, Unknown);
variants!(FileAction: Edited, Written, Deleted, Unknown);
variants!(PlanStatus: None, PlanRequested, AwaitingApproval, Approved, ChangesRequested, ExecutingApprovedPlan);
variants!(PlanStep: Request, Approve, Change, Reset);
variants!(ReferenceKind: Issue, ChangeRequest);
variants!(ReplyKind: Reply, PlanRequest, PlanApproval, PlanChange);

const AT: UnixMs = UnixMs(1_700_000_000_000);

pub(crate) fn request() -> RunRequest {
    RunRequest {
        session: Some(SessionId("00000000aa".into())),
        name: Some("task".into()),
        agent: "pi".into(),
        cwd: "/srv/job".into(),
        kind: RunKind::Plan,
        prompt: "mend it".into(),
        model: Some("m".into()),
        thinking: Some("low".into()),
        tools: Some("read".into()),
    }
}

pub(crate) fn command() -> CommandEvidence {
    CommandEvidence {
        id: "c1".into(),
        at_ms: AT,
        command: "make test".into(),
        kind: CommandKind::Test,
        status: CommandStatus::Failed,
        exit_code: Some(1),
        duration_ms: Some(12),
        output_preview: Some("1 failed".into()),
    }
}

fn change() -> FileChange {
    FileChange {
        path: "src/a.rs".into(),
        action: FileAction::Edited,
        tool: "edit".into(),
        first_seen_at_ms: AT,
        last_seen_at_ms: AT,
        count: 2,
    }
}

fn error() -> ErrorEvidence {
    ErrorEvidence { at_ms: AT, source: "tool".into(), message: "no".into(), tool: Some("edit".into()) }
}

fn claim() -> Claim {
    Claim { at_ms: AT, text: "It works".into() }
}

pub(crate) fn items() -> [EvidenceItem; 5] {
    let usage = RunUsage { read: 1, written: 2, cost_micros: Some(3), turns: 4, tools: 5 };
    [
        EvidenceItem::Command(command()),
        EvidenceItem::FileChange(change()),
        EvidenceItem::Error(error()),
        EvidenceItem::Claim(claim()),
        EvidenceItem::Usage(usage),
    ]
}

fn review() -> Review {
    Review {
        ready: true,
        outcome: "ready".into(),
        file_changes: 1,
        commands: 2,
        failed_commands: 1,
        errors: 1,
        latest_claim: Some("It works".into()),
        updated_at_ms: Some(AT),
    }
}

pub(crate) fn review_part() -> ReviewPart {
    let transcript = Some("/s.jsonl".into());
    ReviewPart { review: review(), usage: RunUsage::default(), dropped: 7, transcript }
}

pub(crate) fn diagnostics() -> DiagnosticSummary {
    DiagnosticSummary {
        count: 3,
        warning_count: 1,
        error_count: 1,
        last_at_ms: Some(AT),
        last_level: Some(LogLevel::Warn),
        last_code: Some("provider_stall".into()),
        last_message: Some("silent".into()),
        stalled: true,
        stall_reason: Some("silent".into()),
    }
}

pub(crate) fn evidence() -> Evidence {
    Evidence {
        review: review(),
        summary: Some("It works".into()),
        commands: vec![command()],
        file_changes: vec![change()],
        errors: vec![error()],
        claims: vec![claim()],
        usage: RunUsage::default(),
        dropped: 7,
        transcript: Some("/s.jsonl".into()),
    }
}

pub(crate) fn preferences() -> LaunchPreferences {
    LaunchPreferences {
        directories: vec![FavouriteDirectory { path: "/srv".into(), uses: 3, last_used_ms: Some(AT) }],
        agent: Some("pi".into()),
        model: Some("m".into()),
        thinking: Some("low".into()),
    }
}

pub(crate) fn references() -> References {
    let reference = Reference {
        kind: ReferenceKind::Issue,
        number: 12,
        label: "#12".into(),
        confidence: Confidence::High,
        url: None,
    };
    let found = FoundReference { reference, strength: "claim".into(), source: "command".into() };
    References { provider: "github".into(), found: vec![found] }
}

pub(crate) fn plan() -> Plan {
    Plan {
        status: PlanStatus::AwaitingApproval,
        updated_at_ms: Some(AT),
        text: Some("1. look".into()),
        plan_run: Some(RunId("r1".into())),
        approved_at_ms: Some(AT),
        change_request: Some("less".into()),
        execution_run: Some(RunId("r2".into())),
        history: vec![PlanChange {
            at_ms: AT,
            from: PlanStatus::None,
            to: PlanStatus::PlanRequested,
            action: "request".into(),
            run: Some(RunId("r1".into())),
            note: Some("mend it".into()),
        }],
    }
}

fn queued() -> QueuedReply {
    QueuedReply {
        id: QueueItemId("00000000bb".into()),
        text: "plan it".into(),
        at_ms: AT,
        progress: ReplyProgress::Waiting,
        kind: ReplyKind::PlanRequest,
    }
}

/// A row that has everything of version 6.
fn worked() -> Row {
    let reference = |kind, label: &str| Reference {
        kind,
        number: 12,
        label: label.into(),
        confidence: Confidence::Medium,
        url: Some("a://b".into()),
    };
    Row {
        headless: true,
        resumes_on_attach: true,
        review: Some(review()),
        plan: PlanStatus::Approved,
        references: vec![
            reference(ReferenceKind::Issue, "#12"),
            reference(ReferenceKind::ChangeRequest, "!12"),
        ],
        ..rows::row()
    }
}

pub(crate) fn check(golden: &mut Golden) {
    golden.check("RunRequest", MessagePack, &request());
    let launch = RunLaunch {
        root: "/root".into(),
        session: SessionId("00000000aa".into()),
        run: RunId("r1".into()),
        agent: "pi".into(),
        kind: RunKind::Reply,
        argv: vec!["pi".into(), "-p".into()],
        input: Some("mend it".into()),
        cwd: "/srv/job".into(),
        environment: vec![EnvVar { name: b"A".to_vec().into(), value: b"b".to_vec().into() }],
        prompt: "mend it".into(),
        model: Some("m".into()),
        stop_grace_ms: 4000,
        token: None,
    };
    golden.check("RunLaunch", MessagePack, &launch);
    let with_token = RunLaunch { token: Some(Token("5ec2e7".into())), ..launch };
    golden.check("RunLaunch.token", MessagePack, &with_token);
    golden.check_all(MessagePack, &items());
    golden.check_all(
        MessagePack,
        &[
            CommandKind::Test,
            CommandKind::Build,
            CommandKind::Lint,
            CommandKind::Git,
            CommandKind::Install,
            CommandKind::Other,
        ],
    );
    golden.check_all(
        MessagePack,
        &[CommandStatus::Started, CommandStatus::Passed, CommandStatus::Failed, CommandStatus::Unknown],
    );
    golden.check_all(
        MessagePack,
        &[FileAction::Edited, FileAction::Written, FileAction::Deleted, FileAction::Unknown],
    );
    golden.check("Evidence", MessagePack, &evidence());
    golden.check_all(
        MessagePack,
        &[
            PlanStatus::None,
            PlanStatus::PlanRequested,
            PlanStatus::AwaitingApproval,
            PlanStatus::Approved,
            PlanStatus::ChangesRequested,
            PlanStatus::ExecutingApprovedPlan,
        ],
    );
    golden.check_all(
        MessagePack,
        &[
            PlanStep::Request { text: "a parser".into() },
            PlanStep::Approve,
            PlanStep::Change { text: "less".into() },
            PlanStep::Reset,
        ],
    );
    golden.check("Plan", MessagePack, &plan());
    golden.check_all(
        MessagePack,
        &[ReplyKind::Reply, ReplyKind::PlanRequest, ReplyKind::PlanApproval, ReplyKind::PlanChange],
    );
    golden.check("QueuedReply.kind", MessagePack, &queued());
    golden.check("LaunchPreferences", MessagePack, &preferences());
    golden.check_all(MessagePack, &[ReferenceKind::Issue, ReferenceKind::ChangeRequest]);
    golden.check("Row.worked", MessagePack, &worked());
    let linked = Row { worktree: Some("issue-12".into()), ..rows::row() };
    golden.check("Row.worktree", MessagePack, &linked);
}
