//! One row, cut down to what the board shows and needs for its keys, so that thousands fit into the plugin's memory.
//!
//! Every text that came from outside is made plain here, once, when the row arrives: control and bidirectional
//! characters never reach a cell (field report C22), even if the daemon let them through.

use super::OrderKey;
use board_protocol::{
    board::{AttachPlace, MAX_NAME_COLUMNS, MAX_SUMMARY_COLUMNS, Reference, Revival, Row},
    evidence::Review,
    filter::Filterable,
    ids::{SessionId, UnixMs},
    needle,
    plan::PlanStatus,
    state::{Confidence, HostState, ProcessState, SemanticState},
    terminals::{MAX_NEEDLE_GRAPHEMES, Waiting},
    text::plain_within,
};
use board_text::{notice, session};

/// Widest sentence that is kept, in cells: no row shows more in a terminal of 200 columns.
const MAX_SAYS_COLUMNS: usize = 160;
/// Widest folder name that is kept, in cells (reference F.5).
const MAX_FOLDER_COLUMNS: usize = 22;
/// Widest directory that is kept, in cells: enough to tell two apart.
const MAX_CWD_COLUMNS: usize = 160;
/// Most tags that are kept.
const MAX_TAGS: usize = 8;
/// Widest tag, in cells.
const MAX_TAG_COLUMNS: usize = 24;
/// Widest description of an ending, in cells.
const MAX_ENDED_COLUMNS: usize = 60;
/// Most references that are kept: an issue and a change request.
const MAX_REFERENCES: usize = 2;
/// Widest reference, in cells: a project's sign and a number of six digits.
const MAX_REFERENCE_COLUMNS: usize = 12;
/// Widest needle that is kept, in cells: no character of one is wider than two.
const MAX_NEEDLE_COLUMNS: usize = 2 * MAX_NEEDLE_GRAPHEMES;
/// Most panes of one session that are kept.
const MAX_PLACES: usize = 16;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BoardRow {
    pub(crate) id: SessionId,
    pub(crate) name: Box<str>,
    /// Whether the agent has no turns: its whole life is one.
    pub(crate) generic: bool,
    pub(crate) state: SemanticState,
    pub(crate) process_state: ProcessState,
    pub(crate) host_state: HostState,
    pub(crate) busy: bool,
    pub(crate) pinned: bool,
    pub(crate) unread: bool,
    /// The one sentence behind its name.
    pub(crate) says: Box<str>,
    /// What it did, for the filter.
    pub(crate) summary: Box<str>,
    /// Where it works.
    pub(crate) cwd: Box<str>,
    /// The last part of that.
    pub(crate) folder: Box<str>,
    /// Whether it waits for an answer to a question that is known.
    pub(crate) asks: bool,
    pub(crate) tags: Box<[Box<str>]>,
    pub(crate) queued: u32,
    pub(crate) stalled_ms: Option<u64>,
    pub(crate) errors: u32,
    /// Errors of its agent, for the filter.
    pub(crate) work_errors: u32,
    pub(crate) background: u32,
    /// Whether it rests and has work to show.
    pub(crate) ready: bool,
    /// When what it has to show last changed.
    pub(crate) work_at_ms: UnixMs,
    /// Whether its process was ended because it was idle, and comes back when it is entered.
    pub(crate) resumes_on_attach: bool,
    pub(crate) plan: PlanStatus,
    /// Whether it works in a linked git worktree.
    pub(crate) worktree: bool,
    /// What it is about, at most an issue and a change request.
    pub(crate) references: Box<[ShownReference]>,
    pub(crate) revision: u64,
    pub(crate) created_at_ms: UnixMs,
    pub(crate) last_activity_at_ms: UnixMs,
    pub(crate) revival: Revival,
    pub(crate) ended: Option<Box<str>>,
    pub(crate) places: Box<[AttachPlace]>,
    /// The session whose agent owns it, if it is a terminal of an agent.
    pub(crate) parent: Option<SessionId>,
    /// What its agent waits for, here or in its terminals.
    pub(crate) waiting: Option<Box<ShownWaiting>>,
    /// The paging-in that last confirmed it.
    pub(super) epoch: u32,
}

/// What an agent waits for, as a row shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShownWaiting {
    /// What the newest wait waits for.
    pub(crate) needle: Box<str>,
    pub(crate) since_ms: UnixMs,
    /// How many waits there are.
    pub(crate) count: u32,
}

fn shown_waiting(waiting: &Waiting) -> Option<Box<ShownWaiting>> {
    let needle = needle::short(&waiting.needle, MAX_NEEDLE_COLUMNS).into();
    let shown = ShownWaiting { needle, since_ms: waiting.since_ms, count: waiting.count };
    (waiting.count > 0).then(|| Box::new(shown))
}

/// An issue or a change request, as a row shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShownReference {
    pub(crate) label: Box<str>,
    /// Whether it is sure that the session is about it.
    pub(crate) sure: bool,
}

fn shown_reference(reference: &Reference) -> Option<ShownReference> {
    let label = plain_within(&reference.label, MAX_REFERENCE_COLUMNS);
    let sure = reference.confidence == Confidence::High;
    (!label.is_empty()).then(|| ShownReference { label: label.into(), sure })
}

impl BoardRow {
    pub(super) fn new(row: Row, epoch: u32) -> Self {
        let ended = row
            .ended
            .as_deref()
            .map(|ended| plain_within(ended, MAX_ENDED_COLUMNS))
            .filter(|s| !s.is_empty());
        let says = plain_within(&says(&row, ended.as_deref()), MAX_SAYS_COLUMNS);
        let name = plain_within(&row.name, MAX_NAME_COLUMNS);
        let mut places = row.places;
        places.truncate(MAX_PLACES);
        Self {
            name: if name.is_empty() { row.id.0.clone().into() } else { name.into() },
            id: row.id,
            generic: row.agent == "generic",
            state: row.state,
            process_state: row.process_state,
            host_state: row.host_state,
            busy: row.busy,
            pinned: row.pinned,
            unread: row.unread,
            says: says.into(),
            summary: plain_within(&row.summary, MAX_SUMMARY_COLUMNS).into(),
            folder: plain_within(folder(&row.cwd), MAX_FOLDER_COLUMNS).into(),
            cwd: plain_within(&row.cwd, MAX_CWD_COLUMNS).into(),
            asks: row.question.is_some(),
            tags: row
                .tags
                .iter()
                .take(MAX_TAGS)
                .map(|tag| plain_within(tag, MAX_TAG_COLUMNS).into())
                .collect(),
            queued: row.queued,
            stalled_ms: row.stalled_ms,
            errors: row.errors,
            work_errors: row.review.as_ref().map_or(0, |review| review.errors),
            background: row.background,
            ready: row.review.as_ref().is_some_and(|review| review.ready && has_work(review)),
            work_at_ms: row.review.as_ref().and_then(|review| review.updated_at_ms).unwrap_or_default(),
            resumes_on_attach: row.resumes_on_attach,
            plan: row.plan,
            worktree: row.worktree.is_some(),
            references: row.references.iter().take(MAX_REFERENCES).filter_map(shown_reference).collect(),
            revision: row.revision,
            created_at_ms: row.created_at_ms,
            last_activity_at_ms: row.last_activity_at_ms,
            revival: row.revival,
            ended: ended.map(Into::into),
            places: places.into(),
            waiting: row.waiting.as_ref().and_then(shown_waiting),
            parent: row.parent,
            epoch,
        }
    }

    pub(super) fn order_key(&self) -> OrderKey {
        (self.state, !self.pinned, self.created_at_ms)
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let texts = [&self.name, &self.says, &self.folder, &self.summary, &self.cwd]
            .map(|text| text.len())
            .iter()
            .sum::<usize>();
        let ended = self.ended.as_ref().map_or(0, |ended| ended.len());
        let tags: usize = self.tags.iter().map(|tag| size_of_val(tag) + tag.len()).sum();
        let references: usize =
            self.references.iter().map(|reference| size_of_val(reference) + reference.label.len()).sum();
        let waiting =
            self.waiting.as_ref().map_or(0, |waiting| size_of_val(&**waiting) + waiting.needle.len());
        let parent = self.parent.as_ref().map_or(0, |_| SessionId::LENGTH);
        waiting
            + parent
            + references
            + tags
            + size_of::<Self>()
            + SessionId::LENGTH
            + texts
            + ended
            + size_of_val(&*self.places)
    }

    /// Whether a process could still be stopped.
    pub(crate) fn has_process(&self) -> bool {
        matches!(self.host_state, HostState::Starting | HostState::Alive | HostState::Stopping)
    }

    /// Whether a turn runs that could be interrupted (decision 13). One that is queued has not begun.
    pub(crate) fn turn_runs(&self) -> bool {
        !self.generic && self.process_state == ProcessState::Alive && self.state != SemanticState::Queued
    }

    /// Whether its agent waits for the answer to a question of its own: it takes no other words until then.
    pub(crate) fn awaits_answer(&self) -> bool {
        !self.generic
            && self.asks
            && self.state == SemanticState::NeedsInput
            && self.process_state == ProcessState::Alive
    }

    /// Whether a turn runs, which a verdict has to wait for. A session without turns may be judged at any time.
    pub(crate) fn is_in_turn(&self) -> bool {
        self.busy && !self.generic
    }

    /// Whether deleting it would end something that runs.
    pub(crate) fn is_running(&self) -> bool {
        self.busy || (self.generic && self.has_process())
    }

    /// Whether it waits for the person and they do not know yet what for: it asks, or it said something new.
    pub(crate) fn calls_me(&self) -> bool {
        self.state == SemanticState::NeedsInput || (self.unread && self.state != SemanticState::Holding)
    }

    /// Whether it goes no further without the person.
    pub(crate) fn rests(&self) -> bool {
        matches!(self.state, SemanticState::Idle | SemanticState::Failed)
    }

    /// How many waits its agent has, here or in its terminals.
    pub(crate) fn waits(&self) -> u32 {
        self.waiting.as_ref().map_or(0, |waiting| waiting.count)
    }

    /// How it ended, to be put in brackets.
    pub(crate) fn ending(&self) -> String {
        self.ended.as_deref().unwrap_or(notice::ending_unknown()).replace(" (", ", ").replace(')', "")
    }
}

impl Filterable for BoardRow {
    fn state(&self) -> SemanticState {
        self.state
    }

    fn texts(&self) -> [&str; 3] {
        [&self.name, &self.summary, &self.cwd]
    }

    fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(|tag| &**tag)
    }

    fn is_stalled(&self) -> bool {
        self.stalled_ms.is_some()
    }

    fn errors(&self) -> u32 {
        self.errors.saturating_add(self.work_errors)
    }

    fn queued(&self) -> u32 {
        self.queued
    }

    fn plan(&self) -> PlanStatus {
        self.plan
    }
}

/// Whether a person who reviews would find anything.
fn has_work(review: &Review) -> bool {
    review.file_changes > 0 || review.commands > 0
}

fn folder(cwd: &str) -> &str {
    let trimmed = cwd.trim_end_matches('/');
    match trimmed.rsplit('/').next() {
        Some("") | None => cwd,
        Some(last) => last,
    }
}

/// Doubt comes before everything, a question before what was done, an ending before the summary. Processes that left
/// the session's tree and still run are named (decision 16). A silence that is too long is a badge in front of it all.
fn says(row: &Row, ended: Option<&str>) -> String {
    let strays = match row.strays {
        0 => String::new(),
        count => session::left_behind(count),
    };
    format!("{strays}{}", sentence(row, ended))
}

fn sentence(row: &Row, ended: Option<&str>) -> String {
    if let Some(doubt) = &row.doubt {
        return format!("? {doubt}");
    }
    // A session tells its own news; what its agent waits for stands on the terminal's row.
    if let (Some(waiting), Some(_)) = (&row.waiting, &row.parent) {
        return session::waiting(needle::visible(&waiting.needle));
    }
    if let (SemanticState::NeedsInput, Some(question)) = (row.state, &row.question) {
        return question.clone();
    }
    let told = match (&row.error, row.summary.as_str()) {
        (Some(error), _) if !error.is_empty() => error,
        (_, "") => row.state.said(row.state.facts().fallback),
        (_, summary) => row.state.said(summary),
    };
    match ended {
        Some(ended) if !told.contains(ended) => format!("{ended} · {told}"),
        _ => told.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::samples::{ended_row, row};

    fn shown(row: Row) -> String {
        BoardRow::new(row, 0).says.into()
    }

    #[test]
    fn the_sentence_of_a_row_is_the_one_that_matters_most() {
        let asking = Row { state: SemanticState::NeedsInput, question: Some("Which?".into()), ..row(1) };
        let failed = Row { error: Some("no route".into()), ..ended_row(1, "exit code 3") };
        let table = [
            (row(1), "does thing 1"),
            (Row { summary: String::new(), ..row(1) }, "Running…"),
            (asking.clone(), "Which?"),
            (Row { state: SemanticState::Idle, ..asking.clone() }, "does thing 1"),
            (failed.clone(), "exit code 3 · no route"),
            (Row { summary: "exit code 3".into(), error: None, ..failed.clone() }, "exit code 3"),
            (Row { strays: 1, ..row(1) }, "1 process left behind · does thing 1"),
            (Row { strays: 4, ..failed }, "4 processes left behind · exit code 3 · no route"),
            (Row { doubt: Some("host not heard from".into()), ..asking }, "? host not heard from"),
        ];
        for (row, says) in table {
            assert_eq!(shown(row), says);
        }
    }

    #[test]
    fn the_folder_is_the_last_part_of_the_directory() {
        for (cwd, name) in [("/home/me/board", "board"), ("/home/me/board/", "board"), ("/", "/"), ("", "")] {
            assert_eq!(&*BoardRow::new(Row { cwd: cwd.into(), ..row(1) }, 0).folder, name);
        }
    }

    #[test]
    fn a_row_without_a_name_shows_its_id() {
        assert_eq!(&*BoardRow::new(Row { name: "\u{7}".into(), ..row(1) }, 0).name, "0000000001");
    }
}
