//! Evidence of sessions (reference A.8): a row for each item, bounded for each session and for all of them together, and
//! the sums in a table of their own, which are in memory as well. Written with the facts of the same turn, read when
//! somebody asks.
//!
//! None of it is a fact: a fold of the journal does not need it.
//!
//! Called by the commit of a turn, and by the coordinator for whoever asks. What two items of one place come to is
//! [`Tally`]'s decision.

use super::{
    Store,
    commit::sql,
    error::StoreError,
    load::{bytes, lossy},
};
use crate::model::evidence::{Kept, Tally, place};
use board_protocol::{
    evidence::EvidenceItem,
    ids::{SessionId, UnixMs},
};
use rusqlite::{Connection, OptionalExtension, Transaction};
use std::collections::BTreeMap;

/// Most rows of all sessions together: about 50 MB. Beyond it the session whose evidence is the oldest keeps its sums.
const MAX_ROWS: u64 = 50_000;

/// The sums of every session that has evidence.
pub(super) type Tallies = BTreeMap<SessionId, Tally>;

/// Reads every sum. One that cannot be read begins anew.
pub(super) fn tallies(connection: &Connection) -> Result<Tallies, StoreError> {
    let mut statement = connection.prepare("SELECT session, body FROM reviews")?;
    let mut rows = statement.query([])?;
    let mut tallies = Tallies::new();
    while let Some(row) = rows.next()? {
        if let Ok(tally) = serde_json::from_slice(&bytes(row, 1)?) {
            tallies.insert(SessionId(lossy(row, 0)?), tally);
        }
    }
    Ok(tallies)
}

/// Writes items. Gives the sums that changed, for after the commit.
pub(super) fn append(
    transaction: &Transaction<'_>,
    work: &[(SessionId, UnixMs, EvidenceItem)],
    known: &Tallies,
) -> Result<Tallies, StoreError> {
    let mut changed = Tallies::new();
    if work.is_empty() {
        return Ok(changed);
    }
    let mut read =
        transaction.prepare_cached("SELECT body FROM work WHERE session = ?1 AND kind = ?2 AND key = ?3")?;
    let mut write = transaction.prepare_cached(
        "INSERT INTO work (session, kind, key, at_ms, body) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (session, kind, key) DO UPDATE SET at_ms = excluded.at_ms, body = excluded.body",
    )?;
    for (session, now, item) in work {
        let tally =
            changed.entry(session.clone()).or_insert_with(|| known.get(session).cloned().unwrap_or_default());
        let Some(at) = place(item) else {
            tally.take(item.clone(), None, *now);
            continue;
        };
        let earlier: Option<String> =
            read.query_row((session.as_str(), at.kind.name(), &at.key), |row| row.get(0)).optional()?;
        // One that cannot be read is replaced.
        let earlier = earlier.and_then(|body| serde_json::from_str(&body).ok());
        let Some(kept) = tally.take(item.clone(), earlier, *now) else { continue };
        // What is kept may be older than what came.
        let at_ms = place(&kept).map_or(at.at, |place| place.at);
        let body = serde_json::to_string(&kept)?;
        write.execute((session.as_str(), at.kind.name(), &at.key, sql(at_ms), body))?;
        if tally.kept(at.kind) > at.kind.limit() {
            let left = trim(transaction, session, at.kind)?;
            tally.trimmed(at.kind, left);
        }
    }
    bound(transaction, known, &mut changed)?;
    let mut sums = transaction.prepare_cached(
        "INSERT INTO reviews (session, body) VALUES (?1, ?2)
         ON CONFLICT (session) DO UPDATE SET body = excluded.body",
    )?;
    for (session, tally) in &changed {
        sums.execute((session.as_str(), serde_json::to_string(tally)?))?;
    }
    Ok(changed)
}

/// Deletes the oldest rows of a kind. Gives how many are left.
fn trim(transaction: &Transaction<'_>, session: &SessionId, kind: Kept) -> Result<u32, StoreError> {
    transaction
        .prepare_cached(
            "DELETE FROM work WHERE session = ?1 AND kind = ?2 AND key NOT IN
                 (SELECT key FROM work WHERE session = ?1 AND kind = ?2 ORDER BY at_ms DESC, key DESC LIMIT ?3)",
        )?
        .execute((session.as_str(), kind.name(), kind.after_trim()))?;
    Ok(transaction
        .prepare_cached("SELECT count(*) FROM work WHERE session = ?1 AND kind = ?2")?
        .query_row((session.as_str(), kind.name()), |row| row.get(0))?)
}

/// Takes the rows of the sessions whose evidence is the oldest, until all of them fit.
fn bound(transaction: &Transaction<'_>, known: &Tallies, changed: &mut Tallies) -> Result<(), StoreError> {
    let mut all: u64 = known
        .iter()
        .map(|(session, tally)| changed.get(session).unwrap_or(tally))
        .chain(changed.iter().filter(|(session, _)| !known.contains_key(*session)).map(|(_, tally)| tally))
        .map(|tally| u64::from(tally.all_kept()))
        .sum();
    while all > MAX_ROWS {
        let oldest = known
            .iter()
            .filter(|(session, tally)| !changed.contains_key(*session) && tally.all_kept() > 0)
            .min_by_key(|(_, tally)| tally.updated_at);
        // Those of this turn are bounded one by one.
        let Some((session, tally)) = oldest else { break };
        transaction.prepare_cached("DELETE FROM work WHERE session = ?1")?.execute([session.as_str()])?;
        all = all.saturating_sub(u64::from(tally.all_kept()));
        let mut tally = tally.clone();
        Kept::ALL.into_iter().for_each(|kind| tally.trimmed(kind, 0));
        changed.insert(session.clone(), tally);
    }
    Ok(())
}

impl Store {
    /// The sums of a session's evidence, as of the last commit.
    pub fn tally(&self, session: &SessionId) -> Option<&Tally> {
        self.tallies.get(session)
    }

    /// A session's evidence, newest first.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn work(&self, session: &SessionId) -> Result<Vec<EvidenceItem>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT body FROM work WHERE session = ?1 ORDER BY at_ms DESC, key DESC")?;
        let mut rows = statement.query([session.as_str()])?;
        let mut items = Vec::new();
        while let Some(row) = rows.next()? {
            // One that cannot be read costs only itself.
            items.extend(serde_json::from_slice::<EvidenceItem>(&bytes(row, 0)?).ok());
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests;
