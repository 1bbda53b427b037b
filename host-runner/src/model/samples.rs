//! Sessions for tests: short ways to say what happened to one.

use super::{Fact, FactKind, Medium, SessionBegun, SessionRecord, Sessions, apply, auto_state::AutoState};
use crate::agents::AgentKind;
use board_protocol::{
    board::Row,
    command::Launch,
    host::{AttachMode, AttachedClient, Exit},
    ids::{FactSeq, Generation, ProcessIdentity, SessionId, Size, UnixMs},
    state::{Classification, ClassificationKind, ClassifierKind, Confidence, SemanticState},
};

/// A session id.
pub(crate) fn session(id: &str) -> SessionId {
    SessionId(id.to_owned())
}

/// The generation of every sample's first host.
pub(crate) fn generation() -> Generation {
    Generation("11111111-aaaa".to_owned())
}

/// A process.
pub(crate) fn process(pid: u32) -> ProcessIdentity {
    ProcessIdentity { pid, start_ticks: u64::from(pid) * 10 }
}

/// A fact at a time.
pub(crate) fn fact(id: &str, at: u64, kind: FactKind) -> Fact {
    Fact { session: session(id), at: UnixMs(at), kind }
}

/// The first fact of a session.
pub(crate) fn begin(id: &str, name: &str) -> Fact {
    let begun = SessionBegun {
        name: name.to_owned(),
        agent: AgentKind::Generic,
        launch: Launch::Task("make all".to_owned()),
        argv: ["/bin/sh", "-c", "make all"].map(str::to_owned).to_vec(),
        words: "make all".to_owned(),
        cwd: "/tmp".to_owned(),
        worktree: None,
        size: Size::DEFAULT,
        generation: generation(),
        environment_at: UnixMs(5),
        model: None,
        thinking: None,
        transcript: None,
        tools: None,
        medium: Medium::Terminal,
        parent: None,
    };
    fact(id, 10, FactKind::SessionBegun(Box::new(begun)))
}

/// Begins a session.
pub(crate) fn begun(sessions: &mut Sessions, id: &str, name: &str) {
    apply(sessions, &begin(id, name));
}

/// The program started.
pub(crate) fn started(seq: u64) -> FactKind {
    FactKind::ChildStarted { generation: generation(), seq: FactSeq(seq), child: process(77) }
}

/// The program ended.
pub(crate) fn exited(seq: u64, exit: Exit) -> FactKind {
    FactKind::ChildExited {
        generation: generation(),
        seq: FactSeq(seq),
        exit,
        strays: Vec::new(),
        reason: None,
    }
}

/// So many clients are attached, none in zellij.
pub(crate) fn attached(seq: u64, clients: usize) -> FactKind {
    let client = AttachedClient { mode: AttachMode::Interactive, place: None };
    FactKind::AttachedChanged { generation: generation(), seq: FactSeq(seq), attached: vec![client; clients] }
}

/// What becomes of session `0000000001` after these facts, ten milliseconds apart.
pub(crate) fn after(kinds: impl IntoIterator<Item = FactKind>) -> SessionRecord {
    let id = "0000000001";
    let mut sessions = Sessions::new();
    begun(&mut sessions, id, "sample");
    for (step, kind) in (2_u64..).zip(kinds) {
        apply(&mut sessions, &fact(id, step * 10, kind));
    }
    sessions.remove(&session(id)).expect("the sample is not removed")
}

/// What a classifier made of words that led to this state.
pub(crate) fn auto_state(state: SemanticState) -> AutoState {
    let classification = Classification {
        kind: ClassificationKind::Done,
        confidence: Confidence::High,
        by: ClassifierKind::Heuristic,
        reason: "a test".to_owned(),
        question: None,
        text_hash: "0123456789ab".to_owned(),
    };
    AutoState { classification, state, classified_at: UnixMs(20), last_agent_activity_at: None }
}

/// The row of a session that has just begun.
pub(crate) fn row(id: &str) -> Row {
    let mut sessions = Sessions::new();
    begun(&mut sessions, id, "sample");
    super::row(&sessions[&session(id)], &super::Live::default())
}
