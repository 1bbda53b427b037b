//! Which changes of a row a person is told about who does not look: it needs an answer, it failed, it has finished.
//!
//! Pure. The coordinator calls [`Notices::moved`] behind every commit and [`Notices::due`] when a state has lasted; the
//! daemon brings what is left to the person's terminal and to their command. Nothing here changes a row, and nothing is
//! remembered on a disk: what another daemon has seen is no news for this one.

use super::{messages::Output, terminals, turn::Turn, world::World, writer::Coordinator};
use crate::model::{SessionRecord, StateSource, row};
use board_protocol::{
    board::Row,
    host::AttachedClient,
    ids::{SessionId, UnixMs},
    state::SemanticState,
    text::plain_within,
};
use board_text::coordinator as texts;
use serde::Serialize;
use std::collections::BTreeMap;

/// How long a state has to last before anybody is told, in milliseconds: agents pass through states on their way.
pub(super) const LASTS_MS: u64 = 500;
/// The same for the end of a program that somebody is attached to, in milliseconds: it is final, and their pane closes 400
/// after it (`attach/grace`), after which nobody knows that they looked on.
const WATCHED_END_LASTS_MS: u64 = 100;
/// What happened longer ago than this is no news, in milliseconds: hosts tell a new daemon what an old one missed.
const NEWS_MS: u64 = 60_000;
/// For so long after a person's interrupt the end of the turn is what they wanted, in milliseconds.
const INTERRUPTED_MS: u64 = 10_000;
/// Widest line that a terminal is given, in cells: notifications show about two lines.
const MAX_LINE_COLUMNS: usize = 120;
/// Minutes of a day.
const DAY_MINUTES: u16 = 24 * 60;

/// What a person is told about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// It waits for the person.
    NeedsAnswer,
    /// It failed.
    Failed,
    /// Its turn ended well.
    Finished,
}

impl Event {
    /// What a terminal says: a whole sentence for each, so that it can be said in another language.
    fn line(self, name: &str, says: &str) -> String {
        match (self, says) {
            (Self::NeedsAnswer, "") => texts::notice_needs_answer(name),
            (Self::NeedsAnswer, says) => texts::notice_needs_answer_says(name, says),
            (Self::Failed, "") => texts::notice_failed(name),
            (Self::Failed, says) => texts::notice_failed_says(name, says),
            (Self::Finished, "") => texts::notice_finished(name),
            (Self::Finished, says) => texts::notice_finished_says(name, says),
        }
    }

    /// Whether a row still stands where this put it. A classifier that says Done after the end of a turn says the same.
    fn holds(self, record: &SessionRecord) -> bool {
        match self {
            Self::NeedsAnswer => record.state == SemanticState::NeedsInput,
            Self::Failed => record.state == SemanticState::Failed,
            Self::Finished => ended_well(record),
        }
    }
}

/// One notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What happened.
    pub event: Event,
    /// The row; every text in it is plain and cut.
    pub row: Row,
    /// Who is attached to the session.
    pub attached: Vec<AttachedClient>,
}

/// What a command of the person's own reads, as one JSON object.
#[derive(Serialize)]
struct Told<'a> {
    event: Event,
    session: &'a SessionId,
    name: &'a str,
    agent: &'a str,
    cwd: &'a str,
    state: SemanticState,
    summary: &'a str,
    question: Option<&'a str>,
    error: Option<&'a str>,
}

impl Notice {
    /// The line for a terminal. A semicolon separates the fields of such sequences, so there is none; the first words
    /// keep what follows from being read as one of the numbers that some terminals give a meaning.
    pub fn line(&self) -> String {
        let says = match self.event {
            Event::NeedsAnswer => self.row.question.as_deref(),
            Event::Failed => self.row.error.as_deref(),
            Event::Finished => None,
        };
        let says = says.unwrap_or(&self.row.summary);
        let line = self.event.line(&self.row.name, says);
        plain_within(&line.replace(';', ","), MAX_LINE_COLUMNS)
    }

    /// What a command of the person's own reads.
    pub fn json(&self) -> String {
        let row = &self.row;
        let told = Told {
            event: self.event,
            session: &row.id,
            name: &row.name,
            agent: &row.agent,
            cwd: &row.cwd,
            state: row.state,
            summary: &row.summary,
            question: row.question.as_deref(),
            error: row.error.as_deref(),
        };
        // A structure of texts always is JSON.
        serde_json::to_string(&told).unwrap_or_default()
    }
}

/// Hours in which nobody is told anything, in minutes of the local day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    /// The first quiet minute.
    from: u16,
    /// The first one after them; smaller than `from` where they span midnight.
    to: u16,
}

impl QuietHours {
    /// Reads `22:00-07:00`: two digits each, a day has 24 hours, and the two times differ.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('-')?;
        let (from, to) = (minute(from)?, minute(to)?);
        (from != to).then_some(Self { from, to })
    }

    /// Whether this minute of the day is quiet.
    pub const fn covers(self, minute: u16) -> bool {
        let (since, length) = (distance(self.from, minute), distance(self.from, self.to));
        since < length
    }
}

impl std::fmt::Display for QuietHours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { from, to } = self;
        write!(f, "{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, to / 60, to % 60)
    }
}

/// Minutes from one time of the day to the next other one.
const fn distance(from: u16, to: u16) -> u16 {
    (to % DAY_MINUTES + DAY_MINUTES - from % DAY_MINUTES) % DAY_MINUTES
}

fn minute(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str, below: u16| -> Option<u16> {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| digits && *number < below)
    };
    Some(number(hour, 24)? * 60 + number(minute, 60)?)
}

/// What the configuration says about notifications.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoticeSettings {
    /// Whether there is any way to tell the person something.
    pub wanted: Wanted,
    /// When nobody is told anything.
    pub quiet: Option<QuietHours>,
}

/// Whether notifications are made at all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wanted {
    /// They are.
    Yes,
    /// Nobody would get them.
    #[default]
    No,
}

/// Who may hear of a change.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Listening {
    /// Nobody: the first turn of a daemon says again what an earlier one has said.
    #[default]
    NotYet,
    /// The person.
    Now,
}

/// A state that has not lasted yet.
#[derive(Debug)]
struct Waiting {
    number: u64,
    event: Event,
    /// Who was attached when it came: with the end of a program everybody leaves, whoever looked on.
    attached: Vec<AttachedClient>,
}

/// States that have not lasted yet.
#[derive(Debug, Default)]
pub(super) struct Notices {
    listening: Listening,
    waiting: BTreeMap<SessionId, Waiting>,
    last: u64,
}

impl Notices {
    /// The first turn is over: from now on changes are news.
    pub(super) fn listen(&mut self) {
        self.listening = Listening::Now;
        self.waiting.clear();
    }

    /// A row may have changed, by what happened at `at`. Gives the number of a state that is to be looked at once it has
    /// lasted.
    pub(super) fn moved(
        &mut self,
        session: &SessionId,
        before: Option<&SessionRecord>,
        after: Option<&SessionRecord>,
        at: UnixMs,
        now: UnixMs,
    ) -> Option<u64> {
        let Some(record) = after else {
            self.waiting.remove(session);
            return None;
        };
        if self.waiting.get(session).is_some_and(|waiting| waiting.event.holds(record)) {
            return None;
        }
        self.waiting.remove(session);
        let before = before?;
        let event = event(before.state, record).filter(|_| self.listening == Listening::Now)?;
        if now.since(at) > NEWS_MS || is_wanted_end(record, at) {
            return None;
        }
        self.last += 1;
        let attached = if record.is_live() { &record.host.attached } else { &before.host.attached };
        let waiting = Waiting { number: self.last, event, attached: attached.clone() };
        self.waiting.insert(session.clone(), waiting);
        Some(self.last)
    }

    /// How long the state that waits has to last.
    fn lasts_ms(&self, session: &SessionId, record: Option<&SessionRecord>) -> u64 {
        let watched = self.waiting.get(session).is_some_and(|waiting| !waiting.attached.is_empty());
        let ended = record.is_some_and(|record| !record.is_live());
        if watched && ended { WATCHED_END_LASTS_MS } else { LASTS_MS }
    }

    /// The time of a state is over. Gives what the person is told, if it still stands, and who is at the session.
    pub(super) fn due(
        &mut self,
        session: &SessionId,
        number: u64,
        record: &SessionRecord,
    ) -> Option<(Event, Vec<AttachedClient>)> {
        self.waiting.get(session).filter(|waiting| waiting.number == number)?;
        let Waiting { event, attached, .. } = self.waiting.remove(session)?;
        let attached = if record.is_live() { record.host.attached.clone() } else { attached };
        event.holds(record).then_some((event, attached))
    }
}

impl<W: World> Coordinator<W> {
    /// Behind a commit: which of its changes the person may be told of, and which that waited they are told of now.
    pub(super) fn notify(&mut self, turn: &Turn, outputs: &mut Vec<Output>) {
        let NoticeSettings { wanted, quiet } = self.world.notices();
        if wanted == Wanted::No {
            return;
        }
        let now = self.world.now();
        for (session, before) in &turn.before {
            let record = self.sessions.get(session);
            // What a terminal of an agent does is told to the agent.
            if record.is_some_and(|record| terminals::owner(&self.sessions, record).is_some()) {
                continue;
            }
            let fact = turn.batch.facts.iter().rev().find(|fact| fact.session == *session);
            let at = fact.map_or(now, |fact| fact.at);
            let number = self.notices.moved(session, before.as_ref(), self.sessions.get(session), at, now);
            if let Some(number) = number {
                let after_ms = self.notices.lasts_ms(session, self.sessions.get(session));
                outputs.push(Output::NoticeLater { session: session.clone(), number, after_ms });
            }
        }
        let is_quiet =
            quiet.zip(self.world.minute_of_day()).is_some_and(|(quiet, minute)| quiet.covers(minute));
        for (session, number) in &turn.notices {
            let Some(record) = self.sessions.get(session) else { continue };
            let due = self.notices.due(session, *number, record);
            if let Some((event, attached)) = due.filter(|_| !is_quiet) {
                let row = row(record, &self.live(session));
                outputs.push(Output::Notify(Box::new(Notice { event, row, attached })));
            }
        }
    }
}

/// What a change of a row is, if it is news for somebody who does not look.
fn event(before: SemanticState, record: &SessionRecord) -> Option<Event> {
    if before == record.state || record.reclaimed {
        return None;
    }
    let worked = matches!(before, SemanticState::Queued | SemanticState::Working);
    match record.state {
        SemanticState::NeedsInput => Some(Event::NeedsAnswer),
        SemanticState::Failed => Some(Event::Failed),
        _ if worked && ended_well(record) => Some(Event::Finished),
        _ => None,
    }
    .filter(|_| is_told_by_others(record))
}

fn ended_well(record: &SessionRecord) -> bool {
    match record.state {
        SemanticState::Idle => true,
        SemanticState::Completed => !record.is_manual_verdict(),
        _ => false,
    }
}

/// Whether somebody else than the person put the row there: what they did themselves is no news, and neither is an
/// agent that was started with nothing to do.
fn is_told_by_others(record: &SessionRecord) -> bool {
    let source = record.agent_record.evidence.as_ref().map(|evidence| evidence.source);
    !matches!(source, Some(StateSource::Person | StateSource::ProcessStart))
}

/// Whether a person ended it: they asked for its end, or have just interrupted it.
fn is_wanted_end(record: &SessionRecord, at: UnixMs) -> bool {
    let interrupted = record.interrupted_at.is_some_and(|sent| at.since(sent) <= INTERRUPTED_MS);
    record.ends_as_stopped() || interrupted && record.state != SemanticState::NeedsInput
}

#[cfg(test)]
mod tests;
