//! Questions of boards on their way: asked of the daemon, of a session's host or of the file system, answered in pages of
//! bounded size.
//!
//! Used by [`super::machine`]. Pure. Of each kind an instance has at most one open question; a newer one replaces it, and
//! the answer to the old one is dropped when it comes. Every question that is not replaced or dropped gets exactly one
//! answer, at the latest after its limit.

mod pages;

pub(super) use pages::line;

use crate::{deadlines, transcript::Source};
use board_protocol::{
    daemon::{Answer, LaunchPreferences, Request},
    ids::SessionId,
    pipe::{Down, InstanceId, MAX_LOG_LINES, Query, QueryKind, QueryPart},
    refusal::Refusal,
    transcript::TranscriptWindow,
};
use board_text::link as texts;
use std::{collections::BTreeMap, time::Duration};

/// Ids of these questions on the daemon's connection: intents count from 1, and never come this far.
const FIRST_ID: u64 = 1 << 48;
/// Most open questions of all instances together; beyond it the oldest is forgotten.
const MAX_OPEN: usize = 256;

/// One question without an answer.
#[derive(Debug)]
struct Open {
    instance: InstanceId,
    number: u64,
    query: Query,
    since: Duration,
}

/// What a step of a question leads to.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// Nothing: it is none of ours, or nobody waits for it any more.
    Nothing,
    /// Ask the daemon under this id.
    Ask(u64, Request),
    /// Read the screen from the host that listens at this path; the answer comes to [`Queries::screen_read`].
    ReadScreen(u64, String),
    /// Look which agents can be started; the answer comes to [`Queries::looked`].
    LookForAgents(u64, Box<LaunchPreferences>),
    /// List the directories that begin so; the answer comes to [`Queries::looked`].
    ListDirectories(u64, String),
    /// Read this part of a transcript; the answer comes to [`Queries::looked`].
    ReadTranscript(u64, Box<Source>, TranscriptWindow),
    /// Send these lines down.
    Tell(Vec<Down>),
}

/// Every question without an answer, by its id on the daemon's connection.
#[derive(Debug, Default)]
pub(crate) struct Queries {
    open: BTreeMap<u64, Open>,
    /// The newest question of each kind.
    last: BTreeMap<(InstanceId, QueryKind), u64>,
    count: u64,
}

impl Queries {
    /// Takes a question in the place of the instance's last one of the same kind, whose number it returns: pages of its
    /// answer may still be on their way.
    pub(crate) fn take(
        &mut self,
        instance: InstanceId,
        number: u64,
        query: Query,
        now: Duration,
    ) -> (Option<u64>, Next) {
        let replaced = self.last.insert((instance, query.kind()), number);
        while self.last.len() > MAX_OPEN {
            self.last.pop_first();
        }
        self.open.retain(|_, open| open.instance != instance || open.query.kind() != query.kind());
        while self.open.len() >= MAX_OPEN {
            self.open.pop_first();
        }
        self.count += 1;
        let id = FIRST_ID + self.count;
        let next = match &query {
            Query::Detail { session } | Query::Screen { session } | Query::Transcript { session, .. } => {
                Next::Ask(id, Request::Show { session: session.to_string() })
            }
            Query::Log { session, limit } => Next::Ask(
                id,
                Request::Log { session: session.to_string(), limit: (*limit).min(MAX_LOG_LINES) },
            ),
            Query::Explanation { session } => {
                Next::Ask(id, Request::Explain { session: session.to_string() })
            }
            Query::Work { session } => Next::Ask(id, Request::Evidence { session: session.to_string() }),
            Query::Launch => Next::Ask(id, Request::LaunchPreferences),
            Query::Directories { prefix } => Next::ListDirectories(id, prefix.clone()),
        };
        self.open.insert(id, Open { instance, number, query, since: now });
        (replaced, next)
    }

    /// Nobody waits for this answer any more.
    pub(crate) fn forget(&mut self, instance: InstanceId, number: u64) {
        self.open.retain(|_, open| open.instance != instance || open.number != number);
    }

    /// The daemon answered.
    pub(crate) fn answered(&mut self, id: u64, answer: Result<Answer, Refusal>) -> Next {
        let Some(open) = self.open.get(&id) else { return Next::Nothing };
        let parts = match (&open.query, answer) {
            (_, Err(refusal)) => problem(&refusal.retold().text),
            (Query::Detail { .. }, Ok(Answer::Session(detail))) => pages::detail(*detail),
            (Query::Screen { .. }, Ok(Answer::Session(detail))) => {
                return match detail.host {
                    Some(host) => Next::ReadScreen(id, host.socket),
                    None => Next::Ask(id, last_screen(detail.row.id)),
                };
            }
            (Query::Transcript { window, .. }, Ok(Answer::Session(detail))) => {
                return Next::ReadTranscript(id, Box::new(Source::of(&detail)), *window);
            }
            (Query::Screen { .. }, Ok(Answer::Screen { text: Some(text) })) => pages::screen(&text, false),
            (Query::Screen { .. }, Ok(Answer::Screen { text: None })) => problem(texts::screen_none()),
            (Query::Log { .. }, Ok(Answer::Log(lines))) => lines.into_iter().map(QueryPart::Log).collect(),
            (Query::Explanation { .. }, Ok(Answer::Explanation(explanation))) => {
                pages::explanation(*explanation)
            }
            (Query::Launch, Ok(Answer::LaunchPreferences(preferences))) => {
                return Next::LookForAgents(id, preferences);
            }
            (Query::Work { .. }, Ok(Answer::Evidence(evidence))) => pages::work(*evidence),
            (_, Ok(_)) => problem(texts::answer_other()),
        };
        self.finish(id, parts)
    }

    /// A host answered, or could not be read (`None`): then the session may just have ended, and left its screen.
    pub(crate) fn screen_read(&mut self, id: u64, text: Option<&str>) -> Next {
        match (self.open.get(&id).and_then(|open| open.query.session()), text) {
            (None, _) => Next::Nothing,
            (Some(_), Some(text)) => self.finish(id, pages::screen(text, true)),
            (Some(session), None) => Next::Ask(id, last_screen(session.clone())),
        }
    }

    /// The file system answered: programs of agents were looked for, or directories were listed.
    pub(crate) fn looked(&mut self, id: u64, parts: Vec<QueryPart>) -> Next {
        self.finish(id, parts)
    }

    /// A question that is asked of the file system alone, so that no daemon is needed for its answer.
    pub(crate) const fn needs_no_daemon(query: &Query) -> bool {
        matches!(query, Query::Directories { .. })
    }

    fn finish(&mut self, id: u64, parts: Vec<QueryPart>) -> Next {
        match self.open.remove(&id) {
            Some(open) => Next::Tell(pages::paged(open.instance, open.number, parts)),
            None => Next::Nothing,
        }
    }

    /// There is no daemon any more: nobody waits for it.
    pub(crate) fn lost(&mut self, text: &str) -> Vec<Down> {
        let (kept, open): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut self.open)
            .into_iter()
            .partition(|(_, open)| Self::needs_no_daemon(&open.query));
        self.open = kept;
        open.into_values().flat_map(|open| refused(open.instance, open.number, text)).collect()
    }

    /// The answers to what waited too long (field report F20).
    pub(crate) fn expired(&mut self, now: Duration) -> Vec<Down> {
        let late: Vec<u64> =
            self.open.iter().filter(|(_, open)| now >= deadline(open)).map(|(id, _)| *id).collect();
        let text = texts::answer_late();
        late.into_iter()
            .filter_map(|id| self.open.remove(&id))
            .flat_map(|open| refused(open.instance, open.number, text))
            .collect()
    }

    /// When the next one expires.
    pub(crate) fn next_deadline(&self) -> Option<Duration> {
        self.open.values().map(deadline).min()
    }
}

/// Whether an id on the daemon's connection is one of these questions.
pub(crate) const fn is_one(id: u64) -> bool {
    id >= FIRST_ID
}

/// The answer of the link itself: there is none, and why.
pub(crate) fn refused(instance: InstanceId, number: u64, text: &str) -> Vec<Down> {
    pages::paged(instance, number, problem(text))
}

/// There is no answer, and why.
pub(super) fn problem(text: &str) -> Vec<QueryPart> {
    vec![QueryPart::Problem { text: pages::line(text) }]
}

fn last_screen(session: SessionId) -> Request {
    Request::LastScreen { session }
}

fn deadline(open: &Open) -> Duration {
    open.since + deadlines::BOARD_ANSWER
}

#[cfg(test)]
mod tests;
