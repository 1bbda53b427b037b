//! What others see of a session: its row on the board, and everything that `show` prints. Pure.
//!
//! Invariant: control characters from agents never reach the board's terminal. Every text of a row passes
//! [`plain_within`] here, and nowhere else has to.

use super::{
    evidence::{Standing, Tally},
    news::Beat,
    plan::keeps_replies,
    queue::QueuedItem,
    session::SessionRecord,
    summary::{ending_text, summary},
};
use crate::agents::{Turns, event::EditorState};
use board_protocol::{
    board::{MAX_NAME_COLUMNS, MAX_SENTENCE_COLUMNS, MAX_SUMMARY_COLUMNS, Reference, Row},
    daemon::{AgentDetail, DiagnosticLine, HostEndpoint, LogLine, QueuedReply, SessionDetail},
    ids::{SessionId, UnixMs},
    needle,
    plan::Plan,
    state::{ProcessState, SemanticState},
    terminals::{Wait, Waiting},
    text::{is_plain, plain_within},
};
use std::collections::{BTreeSet, VecDeque};

/// Longest path that Linux takes, in bytes (`PATH_MAX`).
const MAX_PATH_BYTES: usize = 4096;

/// What is known of a session at this moment only: it is not recorded, and gone when the daemon ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Live {
    /// When it last printed.
    pub active_at: Option<UnixMs>,
    /// Why its state cannot be vouched for, if it cannot.
    pub doubt: Option<String>,
    /// What its agent does, inside a turn.
    pub doing: Option<Doing>,
    /// The text field of its agent, as far as it was told.
    pub editor: Option<EditorState>,
    /// Agents below it.
    pub children: Children,
    /// How long it has been silent, in milliseconds, once that is suspicious.
    pub stalled_ms: Option<u64>,
    /// When its newest errors were written down, oldest first.
    pub errors: VecDeque<UnixMs>,
    /// The sums of its evidence, if it has any.
    pub work: Option<Tally>,
    /// The issue and the change request that it is about.
    pub references: Vec<Reference>,
    /// The session that owns it, if that is on the board.
    pub owner: Option<SessionId>,
    /// How many terminals of its agent run. Counted for a sweep only.
    pub terminals: usize,
    /// What agents wait for on its output, or on that of its terminals, the oldest first.
    pub waits: Vec<Wait>,
}

/// What an agent does inside a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doing {
    /// The call of the tool, if it is one.
    pub call: Option<String>,
    /// What it does, plain.
    pub words: String,
}

/// The agents below an agent, since it was last told to do something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Children {
    running: BTreeSet<String>,
    /// How many have ended.
    pub done: u32,
}

/// Most agents below one agent that are told apart; more are not counted.
const MAX_CHILDREN: usize = 100;

impl Children {
    /// Those that have not ended.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// All that began.
    pub fn total(&self) -> u32 {
        self.done.saturating_add(u32::try_from(self.running.len()).unwrap_or(u32::MAX))
    }

    fn started(&mut self, id: String) {
        if self.running.is_empty() {
            self.done = 0;
        }
        if self.running.len() < MAX_CHILDREN {
            self.running.insert(id);
        }
    }

    fn ended(&mut self, id: &str) {
        if self.running.remove(id) {
            self.done = self.done.saturating_add(1);
        }
    }
}

/// Most errors that a row counts: a person who sees this many does not count on.
const MAX_ERRORS: usize = 99;
/// Most diagnostics that `show` prints, of those that are more than information; `log` has them all.
pub const SHOWN_DIAGNOSTICS: u32 = 20;

impl Live {
    /// Takes what goes on inside a turn. Gives whether the row may look different now.
    pub fn feel(&mut self, beat: Beat) -> bool {
        let before = self.doing.clone();
        match beat {
            Beat::Doing { call, words } => self.doing = Some(Doing { call, words }),
            Beat::ToolEnded { call } => {
                self.doing.take_if(|doing| doing.call.as_ref() == Some(&call));
            }
            Beat::Thinking | Beat::Paused => self.doing = None,
            Beat::Editor(state) => self.editor = Some(state),
            Beat::ChildStarted { id } => self.children.started(id),
            Beat::ChildEnded { id } => self.children.ended(&id),
        }
        self.doing != before
    }

    /// An error was written down.
    pub fn failed(&mut self, at: UnixMs) {
        if self.errors.len() >= MAX_ERRORS {
            self.errors.pop_front();
        }
        self.errors.push_back(at);
    }

    /// How many errors nobody has looked at: those since the last visit. Clearing the diagnostics forgets them all.
    fn errors_since(&self, visited: Option<UnixMs>) -> u32 {
        let count = self.errors.iter().filter(|at| visited.is_none_or(|visited| visited < **at)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// Its row on the board.
pub fn row(record: &SessionRecord, live: &Live) -> Row {
    let sentence = |text: &str| plain_within(text, MAX_SENTENCE_COLUMNS);
    Row {
        id: record.id.clone(),
        name: plain_within(&record.name, MAX_NAME_COLUMNS),
        agent: record.agent.name().to_owned(),
        state: record.state,
        process_state: record.process_state,
        host_state: record.host.state,
        busy: is_busy(record),
        summary: plain_within(summary(record, live), MAX_SUMMARY_COLUMNS),
        question: record.agent_record.question().map(sentence),
        error: record.error.as_deref().map(sentence),
        cwd: sentence(&record.cwd),
        pinned: record.pinned,
        // What a terminal of an agent says is said to the agent.
        unread: is_unread(record) && live.owner.is_none(),
        created_at_ms: record.created_at,
        last_activity_at_ms: live
            .active_at
            .map_or(record.last_activity_at, |at| at.max(record.last_activity_at)),
        revival: record.agent.revival(),
        ended: record.ending.as_ref().map(ending_text),
        attached: u32::try_from(record.host.attached.len()).unwrap_or(u32::MAX),
        places: record.host.attached.iter().filter_map(|client| client.place).collect(),
        strays: u32::try_from(record.strays.len()).unwrap_or(u32::MAX),
        doubt: live.doubt.as_deref().map(sentence),
        revision: record.revision,
        tags: record.tags.clone(),
        queued: u32::try_from(record.queue.to_send()).unwrap_or(u32::MAX),
        stalled_ms: live.stalled_ms,
        errors: live.errors_since(record.visited_at),
        background: record.agent_record.background,
        headless: record.run.is_some() && !record.is_live(),
        resumes_on_attach: record.rests(),
        review: live.work.as_ref().map(|work| work.review(Standing::of(record, live.doubt.as_deref()))),
        plan: record.plan.status,
        references: live.references.clone(),
        worktree: record.worktree.as_deref().map(sentence),
        parent: live.owner.clone(),
        waiting: waiting(&live.waits),
    }
}

/// Everything about it, with its newest diagnostics.
pub fn detail(record: &SessionRecord, live: &Live, diagnostics: &[LogLine]) -> SessionDetail {
    // A host that goes to rest lets nobody in any more.
    let host = (record.is_live() && !record.goes_to_rest()).then(|| {
        Some(HostEndpoint {
            socket: record.host.socket.clone()?,
            generation: record.host.generation.clone(),
            process: record.host.process?,
        })
    });
    SessionDetail {
        row: row(record, live),
        argv: record.argv.clone(),
        host: host.flatten(),
        child: record.host.child,
        environment_at_ms: record.environment_at,
        strays: record.strays.clone(),
        agent: agent_detail(record, live, diagnostics),
        queue: record.queue.items.iter().map(queued).collect(),
        classification: record.auto_state.as_ref().map(|auto| auto.classification.clone()),
        plan: (record.plan != Plan::default()).then(|| record.plan.clone()),
        diagnostics: None,
        waits: live
            .waits
            .iter()
            .map(|wait| Wait { needle: needle::visible(&wait.needle), ..wait.clone() })
            .collect(),
    }
}

/// Open waits in short: the newest one, and how many there are (reference G.3).
pub fn waiting(waits: &[Wait]) -> Option<Waiting> {
    let newest = waits.last()?;
    Some(Waiting {
        needle: needle::short(&newest.needle, MAX_SENTENCE_COLUMNS),
        since_ms: newest.since_ms,
        count: u32::try_from(waits.len()).unwrap_or(u32::MAX),
    })
}

/// The words are the person's own, and shown whole; whoever prints them makes them plain.
fn queued(item: &QueuedItem) -> QueuedReply {
    let QueuedItem { id, text, at, progress, kind, .. } = item;
    QueuedReply { id: id.clone(), text: text.clone(), at_ms: *at, progress: *progress, kind: *kind }
}

fn agent_detail(record: &SessionRecord, live: &Live, diagnostics: &[LogLine]) -> AgentDetail {
    let agent = &record.agent_record;
    let sentence = |text: &String| plain_within(text, MAX_SENTENCE_COLUMNS);
    AgentDetail {
        session_id: agent.session_id.as_ref().map(sentence),
        transcript: agent.transcript.as_ref().filter(|path| is_plain_path(path)).cloned(),
        model: agent.model.as_ref().or(agent.wanted_model.as_ref()).map(sentence),
        questions: agent.questions.iter().map(|question| sentence(&question.text)).collect(),
        preview: agent.preview.as_ref().map(sentence),
        text_hash: agent.text_hash.clone(),
        tokens_read: agent.tokens.read,
        tokens_written: agent.tokens.written,
        cost_micros: agent.tokens.cost_micros,
        evidence: agent
            .evidence
            .as_ref()
            .map(|evidence| sentence(&format!("{}: {}", evidence.source.words(), evidence.what))),
        evidence_at_ms: agent.evidence.as_ref().map(|evidence| evidence.at),
        diagnostics: diagnostics
            .iter()
            .map(|line| DiagnosticLine {
                at_ms: line.at_ms,
                code: line.code.clone(),
                detail: line.message.clone(),
            })
            .collect(),
        children_done: live.children.done,
        children: live.children.total(),
    }
}

/// Whether a path can be shown as it is. A path that was cut or cleaned would name another file.
fn is_plain_path(path: &str) -> bool {
    path.len() <= MAX_PATH_BYTES && path.chars().all(is_plain)
}

/// A turn runs, or one is about to, or a question of a turn waits (reference B.9).
pub fn is_busy(record: &SessionRecord) -> bool {
    let working =
        matches!(record.state, SemanticState::Queued | SemanticState::Working | SemanticState::NeedsInput);
    record.process_state == ProcessState::Alive && (working || !record.agent_record.questions.is_empty())
}

/// Words that wait may be sent by themselves (reference B.9). A list of what may: nothing else may, "on hold" least of
/// all. A program without turns takes a line whenever it runs.
pub fn can_auto_drain(record: &SessionRecord) -> bool {
    let rests = record.process_state != ProcessState::Alive && record.agent_record.questions.is_empty();
    match (record.state, record.agent.turns()) {
        // While a plan is made or decided nothing else is said by itself (reference D.1).
        _ if keeps_replies(record.plan.status) => false,
        (SemanticState::Holding, _) => false,
        (_, Turns::WholeLife) => true,
        (SemanticState::Idle | SemanticState::Completed, Turns::Reported) => rests,
        _ => false,
    }
}

/// It said something that nobody looked at.
pub fn is_unread(record: &SessionRecord) -> bool {
    record.spoke_at.is_some_and(|spoke| record.visited_at.is_none_or(|visited| visited < spoke))
}
