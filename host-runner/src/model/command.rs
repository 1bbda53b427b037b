//! The closed vocabulary of what moves a row: the sixteen kinds of reference C.5, and why one is rejected. Plain values.
//!
//! Made by whoever decides a person's command or hears of a host, an agent, a run or a classifier; judged by
//! `coordinator::guard` alone. A kind says what is asked for, never what comes of it: that is the reducer's.

use super::auto_state::AutoDone;
use board_protocol::{
    ids::{Generation, RunId, SessionId},
    refusal::RefusalKind,
    state::{Classification, CommandSource},
};

/// Something that asks for a change of a row's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateCommand {
    /// The row.
    pub session: SessionId,
    /// The run that it is about, where it is about one.
    pub run: Option<RunRef>,
    /// The revision that whoever asks has seen.
    pub expected_revision: Option<u64>,
    /// Who asks.
    pub source: CommandSource,
    /// For what.
    pub kind: StateKind,
}

/// A piece of a session's life that a later one replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunRef {
    /// A boot of its host.
    Host(Generation),
    /// A headless run.
    Headless(RunId),
}

/// What is asked for. The names are those of reference C.5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateKind {
    /// A person says that it is done.
    MarkCompleted,
    /// A person puts it on hold.
    MarkHolding,
    /// A person takes it off hold.
    ClearHolding,
    /// A classifier has read its last words.
    AutoStateClassified {
        /// The result.
        classification: Classification,
        /// Whether it may say Done.
        done: AutoDone,
    },
    /// A headless run ended.
    RunFinalized,
    /// A turn was asked for; `None` for one in its terminal.
    MarkQueued {
        /// The headless run.
        run: Option<RunId>,
    },
    /// A headless run began.
    RunStarted,
    /// A headless run goes on.
    RunProgress {
        /// Whether the report says everything that the beginning would have said.
        shape: BeatShape,
    },
    /// A headless run began with words that had waited.
    FollowupStarted {
        /// The run, which replaces the one before.
        run: RunId,
    },
    /// What was thought to run does not.
    ReconcileFinalize,
    /// Its host, or the program in it, failed.
    HostRunFailed,
    /// A person takes it away, or has stopped it.
    ArchiveView,
    /// A session that somebody started elsewhere joins the board.
    AdoptSession,
    /// Its agent, or its terminal, shows what goes on.
    SyncForeground,
    /// A headless run made a plan.
    PlanReady,
    /// Single fields change that are no state.
    PatchFields {
        /// Which.
        fields: Vec<PatchField>,
        /// Whether any of them has another value.
        news: PatchNews,
    },
}

/// Whether a report of progress is complete enough to stand for a beginning that was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeatShape {
    /// It is.
    Full,
    /// It only says what is new.
    Partial,
}

/// A field that can be changed by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatchField {
    /// What reviewers see of it.
    Review,
    /// What it did, condensed.
    EvidenceSummary,
    /// Its one line.
    Summary,
    /// The beginning of its last words.
    Preview,
    /// When a person last looked.
    VisitedAt,
    /// Its name.
    Name,
    /// Whether it is pinned.
    Pinned,
    /// Its tags.
    Tags,
}

/// Whether a patch changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatchNews {
    /// It does.
    Changes,
    /// Everything has that value already.
    Nothing,
}

impl StateKind {
    /// Its name, in diagnostics.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::MarkCompleted => "mark_completed",
            Self::MarkHolding => "mark_holding",
            Self::ClearHolding => "clear_holding",
            Self::AutoStateClassified { .. } => "auto_state_classified",
            Self::RunFinalized => "run_finalized",
            Self::MarkQueued { .. } => "mark_queued",
            Self::RunStarted => "run_started",
            Self::RunProgress { .. } => "run_progress",
            Self::FollowupStarted { .. } => "followup_started",
            Self::ReconcileFinalize => "reconcile_finalize",
            Self::HostRunFailed => "host_run_failed",
            Self::ArchiveView => "archive_view",
            Self::AdoptSession => "adopt_session",
            Self::SyncForeground => "sync_foreground",
            Self::PlanReady => "plan_ready",
            Self::PatchFields { .. } => "patch_fields",
        }
    }
}

/// Why a command is rejected, in the order in which the reasons are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reject {
    /// There is no such row.
    UnknownView,
    /// The row has another revision than whoever asks has seen.
    RevisionConflict,
    /// It is about a run that another one has replaced, or that is over.
    StaleRun,
    /// A person's verdict stands, and whoever asks is no person.
    ManualFence,
    /// Whoever asks may not ask for this at all.
    SourceNotAllowed,
    /// Whoever asks may not change this field.
    FieldNotAllowed,
    /// A turn runs.
    Busy,
    /// It is so already, or there is nothing to change.
    NoChange,
}

impl Reject {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::UnknownView,
        Self::RevisionConflict,
        Self::StaleRun,
        Self::ManualFence,
        Self::SourceNotAllowed,
        Self::FieldNotAllowed,
        Self::Busy,
        Self::NoChange,
    ];

    /// Its word in diagnostics: those of reference C.5.
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnknownView => "unknown_view",
            Self::RevisionConflict => "revision_conflict",
            Self::StaleRun => "stale_run",
            Self::ManualFence => "manual_fence",
            Self::SourceNotAllowed => "source_not_allowed",
            Self::FieldNotAllowed => "field_not_allowed",
            Self::Busy => "busy",
            Self::NoChange => "no_change",
        }
    }

    /// Its kind on the wire.
    pub const fn kind(self) -> RefusalKind {
        match self {
            Self::UnknownView => RefusalKind::UnknownSession,
            Self::RevisionConflict => RefusalKind::RevisionConflict,
            Self::StaleRun => RefusalKind::StaleRun,
            Self::ManualFence => RefusalKind::ManualFence,
            Self::SourceNotAllowed => RefusalKind::SourceNotAllowed,
            Self::FieldNotAllowed => RefusalKind::FieldNotAllowed,
            Self::Busy => RefusalKind::Busy,
            Self::NoChange => RefusalKind::NoChange,
        }
    }

    /// The reason of a kind on the wire, if it is one of these.
    pub fn of(kind: RefusalKind) -> Option<Self> {
        Self::ALL.into_iter().find(|reject| reject.kind() == kind)
    }
}
