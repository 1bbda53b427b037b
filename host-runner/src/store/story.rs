//! The story of each session: every change of its state in the last days, and what each source said last. Written in
//! the commit of the facts that it follows from, read for `explain`.
//!
//! It is kept beside the journal, so that it reaches back a day whatever was pruned there. A store of an earlier build
//! has none; what its journal still holds is folded instead.

use super::{
    Store,
    commit::sql,
    error::StoreError,
    load::{bytes, lossy},
};
use crate::model::{Before, Fact, Sessions, Told, apply, tell};
use board_protocol::{
    daemon::{EvidenceLine, StateChange},
    ids::{SessionId, UnixMs},
};
use rusqlite::Transaction;
use std::collections::{BTreeMap, BTreeSet};

/// How far back changes are kept, in milliseconds: two days, so that a clock that jumps by some hours leaves the one day
/// that `explain` promises.
const KEPT_MS: u64 = 48 * 60 * 60 * 1000;
/// Most changes that are kept of one session: one a minute for a day and a half. About 600 KiB.
const MAX_KEPT: u32 = 2_000;

/// What is known of a session's past.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// Changes of its state, oldest first.
    pub changes: Vec<StateChange>,
    /// What each source said last, in no order.
    pub evidence: Vec<EvidenceLine>,
}

/// Writes what a batch of facts told.
pub(super) fn append(transaction: &Transaction<'_>, told: &[Told]) -> Result<(), StoreError> {
    let mut evidence = transaction.prepare_cached(
        "INSERT INTO evidence (session, source, at_ms, what) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (session, source) DO UPDATE SET at_ms = excluded.at_ms, what = excluded.what",
    )?;
    let mut change = transaction
        .prepare_cached("INSERT INTO state_changes (session, at_ms, change) VALUES (?1, ?2, ?3)")?;
    let mut moved = BTreeSet::new();
    // Of several reports in one batch the last one of each source stays.
    let newest: BTreeMap<_, _> = told.iter().map(|told| ((&told.session, told.voice), told)).collect();
    for told in newest.into_values() {
        evidence.execute((told.session.as_str(), told.voice.words(), sql(told.at), &told.what))?;
    }
    for told in told {
        if let Some(moving) = &told.change {
            change.execute((told.session.as_str(), sql(told.at), serde_json::to_string(moving)?))?;
            moved.insert((&told.session, told.at));
        }
    }
    // The newest change before the kept time stays too: it says where the session stood at its beginning.
    let mut old = transaction.prepare_cached(
        "DELETE FROM state_changes WHERE session = ?1 AND id <
             (SELECT max(id) FROM state_changes WHERE session = ?1 AND at_ms < ?2)",
    )?;
    let mut surplus = transaction.prepare_cached(
        "DELETE FROM state_changes WHERE session = ?1 AND id <=
             (SELECT id FROM state_changes WHERE session = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
    )?;
    for (session, at) in moved {
        old.execute((session.as_str(), sql(UnixMs(at.0.saturating_sub(KEPT_MS)))))?;
        surplus.execute((session.as_str(), MAX_KEPT))?;
    }
    Ok(())
}

impl Store {
    /// What is known of a session's past.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn story(&self, session: &SessionId) -> Result<Story, StoreError> {
        let mut story = Story::default();
        let mut statement = self
            .connection
            .prepare_cached("SELECT change FROM state_changes WHERE session = ?1 ORDER BY id")?;
        let mut rows = statement.query([session.as_str()])?;
        while let Some(row) = rows.next()? {
            // One that cannot be read costs only itself.
            story
                .changes
                .extend(serde_json::from_slice(&bytes(row, 0)?).ok().into_iter().collect::<Vec<_>>());
        }
        let mut statement =
            self.connection.prepare_cached("SELECT source, at_ms, what FROM evidence WHERE session = ?1")?;
        let mut rows = statement.query([session.as_str()])?;
        while let Some(row) = rows.next()? {
            let at: i64 = row.get(1)?;
            story.evidence.push(EvidenceLine {
                source: lossy(row, 0)?,
                at_ms: UnixMs(u64::try_from(at).unwrap_or(0)),
                what: lossy(row, 2)?,
            });
        }
        if story == Story::default() { self.told_by_journal(session) } else { Ok(story) }
    }

    /// What the journal of a session tells, as [`append`] would have kept it.
    fn told_by_journal(&self, session: &SessionId) -> Result<Story, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT fact FROM journal WHERE session = ?1 ORDER BY seq")?;
        let mut rows = statement.query([session.as_str()])?;
        let mut sessions = Sessions::new();
        let mut story = Story::default();
        while let Some(row) = rows.next()? {
            let Ok(fact) = serde_json::from_slice::<Fact>(&bytes(row, 0)?) else { continue };
            let before = sessions.get(session).map(Before::from);
            apply(&mut sessions, &fact);
            if let Some(told) = tell(before, &fact, sessions.get(session)) {
                story.add(told);
            }
        }
        Ok(story)
    }
}

impl Story {
    fn add(&mut self, told: Told) {
        let source = told.voice.words();
        self.evidence.retain(|line| line.source != source);
        self.evidence.push(EvidenceLine { source: source.to_owned(), at_ms: told.at, what: told.what });
        self.changes.extend(told.change);
    }
}
