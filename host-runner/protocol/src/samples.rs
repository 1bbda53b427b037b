//! Rows for tests.

use crate::{
    board::{Revival, Row},
    ids::{SessionId, UnixMs},
    state::{HostState, ProcessState, SemanticState},
};

/// A working row of its own number.
pub(crate) fn row(n: u32) -> Row {
    Row {
        id: SessionId(format!("{n:010x}")),
        name: format!("task-{n}"),
        agent: "generic".into(),
        state: SemanticState::Working,
        process_state: ProcessState::Alive,
        host_state: HostState::Alive,
        busy: true,
        summary: format!("does thing {n}"),
        question: None,
        error: None,
        cwd: "/home/me/project".into(),
        pinned: false,
        unread: false,
        created_at_ms: UnixMs(1_000 + u64::from(n)),
        last_activity_at_ms: UnixMs(2_000),
        revival: Revival::RunsAgain,
        ended: None,
        attached: 0,
        places: Vec::new(),
        strays: 0,
        doubt: None,
        revision: 0,
        tags: Vec::new(),
        queued: 0,
        stalled_ms: None,
        errors: 0,
        background: 0,
        headless: false,
        resumes_on_attach: false,
        review: None,
        plan: crate::plan::PlanStatus::None,
        references: Vec::new(),
        worktree: None,
        parent: None,
        waiting: None,
    }
}
