//! What the views of one session show beyond its row: asked of the link while a view is open, and forgotten with it.
//!
//! Of each kind at most one question is open. A view asks again when its row has changed, at most once a second; the
//! picture of a terminal is asked for once a second, as long as it is looked at.

use super::{Board, reading::Reading, selection::Step, time::after};
use crate::{keymap::Room, notice::Level};
use board_protocol::{
    board::Row,
    daemon::ReplyProgress,
    evidence::{EvidenceItem, Review},
    ids::{SessionId, UnixMs},
    pipe::{InstanceId, Intent, MAX_LOG_LINES, PeekDetail, Query, QueryKind, QueryPart, QueuedPart, Up},
    text::{is_plain, plain_within},
};
use board_text::notice as texts;
use std::collections::BTreeMap;

/// Shortest time between two questions of a kind.
const ASK_EVERY_MS: u64 = 1_000;
/// An answer that has not come after this long was lost with a link: the link's own limit is shorter.
const LOST_AFTER_MS: u64 = 6_000;
/// After an answer that said why there is none.
const RETRY_AFTER_MS: u64 = 5_000;
/// Widest line of an answer, in cells.
const MAX_COLUMNS: usize = 500;
/// Most parts of an answer: the link's bound in bytes allows no more of any kind that are worth showing.
const MAX_PARTS: usize = 1_000;

/// A question without an answer.
#[derive(Debug)]
struct Asked {
    number: u64,
    session: SessionId,
    at: UnixMs,
    stamp: Stamp,
    parts: Vec<QueryPart>,
    pages: u32,
}

/// What a row looked like when it was asked about.
type Stamp = (u64, UnixMs, u32, UnixMs);

/// An answer.
#[derive(Debug)]
struct Answer {
    number: u64,
    session: SessionId,
    at: UnixMs,
    stamp: Stamp,
    parts: Vec<QueryPart>,
}

impl Answer {
    fn problem(&self) -> Option<&str> {
        match self.parts.first() {
            Some(QueryPart::Problem { text }) => Some(text),
            _ => None,
        }
    }
}

/// Everything that views know.
#[derive(Debug, Default)]
pub(crate) struct Views {
    pub(super) count: u64,
    asked: BTreeMap<QueryKind, Asked>,
    answers: BTreeMap<QueryKind, Answer>,
    /// Lines that are scrolled past.
    pub(crate) scroll: usize,
    /// Which of the words that wait is selected.
    pub(crate) queued: usize,
    /// Whether the queue is to open as soon as it is known.
    pub(super) queue_wanted: bool,
    /// The page from which screen, transcript or evidence was opened.
    pub(super) from: Room,
    /// Where the person reads in a transcript.
    pub(crate) reading: Reading,
}

impl Views {
    /// Something was done to a session: what is shown may be told anew, though its row looks the same.
    pub(super) fn doubt(&mut self) {
        for answer in self.answers.values_mut() {
            answer.stamp = Stamp::default();
        }
    }
}

impl Board {
    pub(super) fn view(&mut self, room: Room) {
        if self.selected_row().is_none() {
            return self.tell(Level::Warn, texts::none_to_look_at());
        }
        if !matches!(self.page, Room::Screen | Room::Transcript | Room::Explain) {
            self.views.from = self.page;
        }
        self.views.scroll = 0;
        self.views.queue_wanted = false;
        self.leave_to(room);
    }

    /// The kinds that the open page shows. A session without an agent says nothing but what its terminal shows.
    fn kinds(&self) -> &'static [QueryKind] {
        let speechless = self.selected_row().is_some_and(|row| row.generic);
        match self.page {
            Room::Peek | Room::Queue if speechless => &[QueryKind::Detail, QueryKind::Screen],
            Room::Peek | Room::Queue => &[QueryKind::Detail],
            Room::Screen => &[QueryKind::Screen],
            Room::Transcript => &[QueryKind::Transcript],
            Room::Explain if speechless => &[QueryKind::Explanation, QueryKind::Log],
            Room::Explain => &[QueryKind::Work, QueryKind::Explanation, QueryKind::Log],
            _ => &[],
        }
    }

    /// The parts of an answer about the selected session, if it came.
    pub(crate) fn told(&self, kind: QueryKind) -> Option<&[QueryPart]> {
        let answer = self.views.answers.get(&kind)?;
        (Some(&answer.session) == self.selection.id.as_ref()).then_some(&answer.parts)
    }

    pub(crate) fn detail(&self) -> Option<&PeekDetail> {
        self.told(QueryKind::Detail)?.iter().find_map(|part| match part {
            QueryPart::Detail(detail) => Some(&**detail),
            _ => None,
        })
    }

    /// Words that wait for the selected session.
    pub(crate) fn queue(&self) -> Vec<&QueuedPart> {
        let parts = self.told(QueryKind::Detail).unwrap_or_default();
        let queued = parts.iter().filter_map(|part| match part {
            QueryPart::Queued(queued) => Some(queued),
            _ => None,
        });
        queued.collect()
    }

    /// Tells an answer from all others; 0: there is none.
    pub(crate) fn answer_number(&self, kind: QueryKind) -> u64 {
        self.views.answers.get(&kind).map_or(0, |answer| answer.number)
    }

    /// The session that a view is open for.
    fn viewed(&self) -> Option<&SessionId> {
        self.selection.id.as_ref().filter(|_| self.page.is_about_one())
    }

    fn stamp(&self, id: &SessionId) -> Stamp {
        self.model.row(id).map_or_else(Stamp::default, |row| {
            (row.revision, row.last_activity_at_ms, row.queued, row.work_at_ms)
        })
    }

    /// When a kind is to be asked for (again), if it is known already.
    fn due(&self, kind: QueryKind, session: &SessionId) -> Option<UnixMs> {
        if let Some(asked) = self.views.asked.get(&kind) {
            return (asked.session == *session).then(|| after(asked.at, LOST_AFTER_MS)).or(Some(self.now));
        }
        let Some(answer) = self.views.answers.get(&kind).filter(|answer| answer.session == *session) else {
            return Some(self.now);
        };
        if kind == QueryKind::Transcript && self.views.reading.has_moved() {
            return Some(self.now);
        }
        if kind == QueryKind::Screen {
            return Some(after(answer.at, ASK_EVERY_MS));
        }
        if answer.problem().is_some() {
            return Some(after(answer.at, RETRY_AFTER_MS));
        }
        (answer.stamp != self.stamp(session)).then(|| after(answer.at, ASK_EVERY_MS))
    }

    pub(super) fn views_deadline(&self) -> Option<UnixMs> {
        let session = self.viewed()?;
        if self.cannot_ask() {
            return None;
        }
        self.kinds().iter().filter_map(|kind| self.due(*kind, session)).min()
    }

    pub(super) fn cannot_ask(&self) -> bool {
        self.link.up().is_none() || !self.link.is_speaking(self.now) || self.link.standing().is_read_only()
    }

    /// Asks for what is due, and forgets what no view shows any more.
    pub(super) fn watch_views(&mut self) {
        let viewed = self.viewed().cloned();
        let wanted = self.kinds();
        let stale: Vec<QueryKind> = self
            .views
            .asked
            .iter()
            .filter(|(kind, asked)| !wanted.contains(kind) || Some(&asked.session) != viewed.as_ref())
            .map(|(kind, _)| *kind)
            .collect();
        for kind in stale {
            self.drop_question(kind);
        }
        self.views
            .answers
            .retain(|kind, answer| wanted.contains(kind) && Some(&answer.session) == viewed.as_ref());
        let Some(session) = viewed else { return };
        if self.cannot_ask() {
            return;
        }
        for kind in wanted {
            if self.due(*kind, &session).is_some_and(|at| at <= self.now) {
                self.ask_about(*kind, &session);
            }
        }
    }

    /// Nobody waits for the answer to a question any more.
    pub(super) fn drop_question(&mut self, kind: QueryKind) {
        if let Some(asked) = self.views.asked.remove(&kind) {
            self.send_up(Up::QueryDropped { number: asked.number });
        }
    }

    fn ask_about(&mut self, kind: QueryKind, session: &SessionId) {
        let session = session.clone();
        let query = match kind {
            QueryKind::Detail => Query::Detail { session: session.clone() },
            QueryKind::Screen => Query::Screen { session: session.clone() },
            QueryKind::Log => Query::Log { session: session.clone(), limit: MAX_LOG_LINES },
            QueryKind::Explanation => Query::Explanation { session: session.clone() },
            // The launch dialog asks for these itself.
            QueryKind::Launch | QueryKind::Directories => return,
            QueryKind::Transcript => {
                Query::Transcript { session: session.clone(), window: self.views.reading.window }
            }
            QueryKind::Work => Query::Work { session: session.clone() },
        };
        self.views.count += 1;
        let number = self.views.count;
        let stamp = self.stamp(&session);
        let asked = Asked { number, session, at: self.now, stamp, parts: Vec::new(), pages: 0 };
        self.views.asked.insert(kind, asked);
        self.send_up(Up::Query { number, query });
    }

    /// A page of an answer. Only the newest question of a kind is answered; a page out of turn spoils its answer, which
    /// is then asked for anew.
    pub(super) fn query_page(
        &mut self,
        instance: InstanceId,
        number: u64,
        page: u32,
        pages: u32,
        parts: Vec<QueryPart>,
    ) {
        if self.instance() != Some(instance) {
            return;
        }
        let Some(kind) =
            self.views.asked.iter().find(|(_, asked)| asked.number == number).map(|(kind, _)| *kind)
        else {
            return;
        };
        let Some(mut asked) = self.views.asked.remove(&kind) else { return };
        if page != asked.pages {
            return;
        }
        asked.pages += 1;
        let room = MAX_PARTS.saturating_sub(asked.parts.len());
        asked.parts.extend(parts.into_iter().take(room).map(clean));
        if asked.pages < pages {
            self.views.asked.insert(kind, asked);
            return;
        }
        let Asked { number, session, stamp, parts, .. } = asked;
        self.views.answers.insert(kind, Answer { number, session, at: self.now, stamp, parts });
        if kind == QueryKind::Transcript {
            self.transcript_came();
        }
        let last = self.queue().len().saturating_sub(1);
        self.views.queued = self.views.queued.min(last);
        if kind == QueryKind::Detail
            && std::mem::take(&mut self.views.queue_wanted)
            && self.room == Room::Peek
        {
            self.open_queue();
        }
        self.changed();
    }

    /// Another link: it knows nothing of what the last one was asked.
    pub(super) fn forget_questions(&mut self) {
        self.views.asked.clear();
    }

    /// From the list, where nothing of the queue is known yet, by way of peek: it opens once its answer is here.
    pub(super) fn open_queue(&mut self) {
        if self.page == Room::List {
            self.view(Room::Peek);
            self.views.queue_wanted = self.page == Room::Peek;
            return;
        }
        if self.queue().is_empty() {
            return self.tell_mode(texts::queue_empty());
        }
        self.views.queued = 0;
        self.leave_to(Room::Queue);
    }

    pub(super) fn step_queue(&mut self, step: Step) {
        let count = self.queue().len();
        let at = self.views.queued;
        self.views.queued = match step {
            Step::Back => at.checked_sub(1).unwrap_or(count.saturating_sub(1)),
            Step::Forth if at + 1 >= count => 0,
            Step::Forth => at + 1,
        };
        self.changed();
    }

    /// The selected session and the selected words that wait for it.
    fn queued(&self) -> Option<(SessionId, QueuedPart)> {
        let queued = self.queue().get(self.views.queued).copied()?.clone();
        Some((self.selection.id.clone()?, queued))
    }

    pub(super) fn edit_queued(&mut self) {
        let Some((session, queued)) = self.queued() else { return };
        if queued.cut {
            return self.tell(Level::Warn, texts::words_too_long());
        }
        if queued.progress != ReplyProgress::Waiting {
            return self.tell(Level::Warn, texts::words_under_way());
        }
        self.open_queued(session, queued.id, &queued.text);
    }

    pub(super) fn remove_queued(&mut self) {
        if let Some((session, queued)) = self.queued() {
            let name = self.name_of(&session);
            self.want(Intent::RemoveQueued { session, item: queued.id }, &name);
        }
    }

    pub(super) fn send_queued(&mut self) {
        if let Some((session, queued)) = self.queued() {
            let name = self.name_of(&session);
            self.want(Intent::SendQueued { session, item: queued.id }, &name);
        }
    }

    pub(super) fn move_queued(&mut self, step: Step) {
        let count = self.queue().len();
        let at = self.views.queued;
        let place = match step {
            Step::Back => at.checked_sub(1),
            Step::Forth => Some(at + 1).filter(|place| *place < count),
        };
        let (Some(place), Some((session, queued))) = (place, self.queued()) else { return };
        let name = self.name_of(&session);
        let wire = u32::try_from(place).unwrap_or(u32::MAX);
        if self.want(Intent::MoveQueued { session, item: queued.id, place: wire }, &name) {
            self.views.queued = place;
        }
    }

    pub(super) fn clear_queue(&mut self) {
        let Some((session, _)) = self.queued() else { return };
        let question = texts::ask_clear_queue(self.queue().len(), self.name_of(&session));
        self.confirm(question, session.clone(), Intent::ClearQueue { session });
    }
}

/// Control and bidirectional characters never reach a cell, even if the link let them through (field report C22).
fn clean(part: QueryPart) -> QueryPart {
    let line = |text: String| plain_within(&text, MAX_COLUMNS);
    match part {
        QueryPart::Detail(detail) => {
            let detail = *detail;
            QueryPart::Detail(Box::new(PeekDetail {
                row: clean_row(detail.row),
                command: line(detail.command),
                model: detail.model.map(line),
                questions: detail.questions.into_iter().map(line).collect(),
                preview: detail.preview.map(|text| paragraphs(&text)),
                evidence: detail.evidence.map(line),
                strays: detail.strays.into_iter().map(line).collect(),
                classification: detail.classification.map(|mut classification| {
                    classification.reason = line(classification.reason);
                    classification
                }),
                ..detail
            }))
        }
        QueryPart::Queued(queued) => {
            QueryPart::Queued(QueuedPart { text: paragraphs(&queued.text), ..queued })
        }
        QueryPart::ScreenLine(text) => {
            QueryPart::ScreenLine(text.chars().filter(|c| is_plain(*c)).take(MAX_COLUMNS).collect())
        }
        QueryPart::Log(mut log) => {
            (log.source, log.code, log.message) = (line(log.source), line(log.code), line(log.message));
            QueryPart::Log(log)
        }
        QueryPart::Change(mut change) => {
            (change.event, change.rule) = (line(change.event), line(change.rule));
            QueryPart::Change(change)
        }
        QueryPart::Evidence(mut evidence) => {
            (evidence.source, evidence.what) = (line(evidence.source), line(evidence.what));
            QueryPart::Evidence(evidence)
        }
        QueryPart::Transcript(mut head) => {
            head.cwd = head.cwd.map(line);
            QueryPart::Transcript(head)
        }
        QueryPart::Said(mut piece) => {
            piece.item.label = line(piece.item.label);
            piece.item.text = paragraphs(&piece.item.text);
            piece.item.output = piece.item.output.map(|output| paragraphs(&output));
            QueryPart::Said(piece)
        }
        QueryPart::Review(mut part) => {
            part.review.outcome = line(part.review.outcome);
            part.review.latest_claim = part.review.latest_claim.map(line);
            part.transcript = part.transcript.map(line);
            QueryPart::Review(part)
        }
        QueryPart::Item(item) => QueryPart::Item(Box::new(clean_item(*item))),
        QueryPart::Problem { text } => QueryPart::Problem { text: line(text) },
        QueryPart::Screen { .. } | QueryPart::Cut { .. } => part,
        // No view of a session has these.
        QueryPart::Preferences(_) | QueryPart::Agent(_) | QueryPart::Directory { .. } => {
            QueryPart::Cut { left_out: 0 }
        }
    }
}

fn clean_item(mut item: EvidenceItem) -> EvidenceItem {
    let line = |text: &str| plain_within(text, MAX_COLUMNS);
    match &mut item {
        EvidenceItem::Command(command) => {
            command.command = line(&command.command.replace('\n', " ↵ "));
            command.output_preview = command.output_preview.as_deref().map(paragraphs);
        }
        EvidenceItem::FileChange(file) => file.path = line(&file.path),
        EvidenceItem::Error(error) => {
            (error.source, error.message) = (line(&error.source), line(&error.message));
        }
        EvidenceItem::Claim(claim) => claim.text = plain_within(&claim.text, 2 * MAX_COLUMNS),
        EvidenceItem::Usage(_) => {}
    }
    item
}

fn clean_row(row: Row) -> Row {
    let line = |text: String| plain_within(&text, MAX_COLUMNS);
    Row {
        agent: line(row.agent),
        summary: line(row.summary),
        question: row.question.map(line),
        error: row.error.map(line),
        cwd: line(row.cwd),
        doubt: row.doubt.map(line),
        review: row.review.map(|review| Review {
            outcome: line(review.outcome),
            latest_claim: None,
            ..review
        }),
        ..row
    }
}

fn paragraphs(text: &str) -> String {
    text.chars().filter(|c| *c == '\n' || is_plain(*c)).collect()
}
