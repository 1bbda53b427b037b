//! How long the journal is: facts that are old enough are folded into the checkpoint and go, a few at a time.
//!
//! The coordinator asks for it in a quiet moment. Checkpoint and deletion are one transaction, so that at every moment
//! checkpoint and journal fold into the records (field report F8). What is young stays: `explain` tells what happened in
//! the last day.

use super::{
    Store,
    commit::sql,
    error::StoreError,
    load::{bytes, lossy, quarantine, read_checkpoint, read_fact},
    owner,
};
use crate::model::{Sessions, apply};
use board_protocol::ids::{SessionId, UnixMs};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use std::collections::{BTreeMap, BTreeSet};

/// How much is written, in bytes of facts and outcomes, before somebody looks what can go (reference C.7).
pub const GROWTH_BYTES: u64 = 262_144;
/// Younger facts stay, in milliseconds: the day that `explain` covers.
pub const KEPT_MS: u64 = 24 * 60 * 60 * 1000;
/// Most bytes of facts, however young they are: about 25,000 facts. On the disk a fact takes about 1.3 times its bytes.
pub const MAX_JOURNAL_BYTES: u64 = 8 * 1024 * 1024;
/// Most facts that one step folds, so that no command waits longer than for a few commits.
const STEP_FACTS: u32 = 1000;

/// What a step came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pruned {
    /// Whether there is more to do at once.
    pub more: bool,
    /// Sessions with a fact that cannot be read: their record stands, and the damaged fact is in quarantine.
    pub damages: Vec<(SessionId, String)>,
}

/// How much was written since the last look, and how long the journal is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growth {
    /// Bytes of facts and outcomes.
    since: u64,
    /// Bytes of facts.
    journal: u64,
}

impl Growth {
    /// Of a file that was just opened: nobody knows when it was looked at last.
    pub(super) fn of(connection: &Connection) -> Result<Self, StoreError> {
        let total: i64 =
            connection.query_row("SELECT coalesce(sum(octet_length(fact)), 0) FROM journal", [], |row| {
                row.get(0)
            })?;
        let journal = u64::try_from(total).unwrap_or(0);
        Ok(Self { since: journal, journal })
    }

    /// Something was committed.
    pub(super) fn add(&mut self, facts: u64, others: u64) {
        self.since = self.since.saturating_add(facts).saturating_add(others);
        self.journal = self.journal.saturating_add(facts);
    }
}

/// One fact on its way out.
struct Old {
    seq: i64,
    session: String,
    body: Vec<u8>,
}

impl Store {
    /// Whether it is time for [`Self::prune`].
    pub fn wants_pruning(&self) -> bool {
        self.growth.since >= GROWTH_BYTES
    }

    /// Whether it is time even if commands wait: nobody finds a quiet moment, and the file grows.
    pub fn must_prune(&self) -> bool {
        self.growth.since >= 4 * GROWTH_BYTES
    }

    /// Folds facts that nobody needs one by one any more into the checkpoint, at most a thousand of them. `sessions` is
    /// the state after everything that was committed.
    ///
    /// # Errors
    /// The database cannot be read or written; nothing changed, and the next look comes after as much growth again.
    pub fn prune(&mut self, now: UnixMs, sessions: &Sessions) -> Result<Pruned, StoreError> {
        let step = self.prune_step(now, sessions);
        if !matches!(&step, Ok(pruned) if pruned.more) {
            self.growth.since = 0;
        }
        let pruned = step?;
        if !pruned.more {
            self.forget_old_outcomes(now)?;
        }
        Ok(pruned)
    }

    fn prune_step(&mut self, now: UnixMs, sessions: &Sessions) -> Result<Pruned, StoreError> {
        let horizon = sql(UnixMs(now.0.saturating_sub(KEPT_MS)));
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        owner::check(&transaction, self.owner.as_deref())?;
        let (old, bytes) = oldest(&transaction, horizon, self.growth.journal)?;
        let Some(cut) = old.last().map(|fact| fact.seq) else {
            return Ok(Pruned { more: false, damages: Vec::new() });
        };
        let more = old.len() >= STEP_FACTS as usize;
        let damages = fold(&transaction, old, cut, sessions)?;
        transaction.execute("DELETE FROM journal WHERE seq <= ?1", [cut])?;
        transaction.commit()?;
        self.leave();
        // Facts of damaged sessions went as well, and are counted until the file is opened again: that errs on the side
        // of looking too often.
        self.growth.journal = self.growth.journal.saturating_sub(bytes);
        Ok(Pruned { more, damages })
    }
}

/// The oldest facts that can go, and their bytes.
fn oldest(
    transaction: &Transaction<'_>,
    horizon: i64,
    journal_bytes: u64,
) -> Result<(Vec<Old>, u64), StoreError> {
    let mut statement =
        transaction.prepare_cached("SELECT seq, session, at_ms, fact FROM journal ORDER BY seq LIMIT ?1")?;
    let mut rows = statement.query([STEP_FACTS])?;
    let (mut old, mut taken) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let at: i64 = row.get(2)?;
        let too_many = journal_bytes.saturating_sub(taken) > MAX_JOURNAL_BYTES;
        if at >= horizon && !too_many {
            break;
        }
        let body = bytes(row, 3)?;
        taken += body.len() as u64;
        old.push(Old { seq: row.get(0)?, session: lossy(row, 1)?, body });
    }
    Ok((old, taken))
}

/// Brings the checkpoint of every session among `old` to the number `cut`.
fn fold(
    transaction: &Transaction<'_>,
    old: Vec<Old>,
    cut: i64,
    sessions: &Sessions,
) -> Result<Vec<(SessionId, String)>, StoreError> {
    let mut bases = Sessions::new();
    let mut folded: BTreeMap<String, i64> = BTreeMap::new();
    let mut damaged: BTreeMap<String, String> = BTreeMap::new();
    let touched: BTreeSet<String> = old.iter().map(|fact| fact.session.clone()).collect();
    for session in &touched {
        match base(transaction, session)? {
            Some((seq, Ok(record))) => {
                folded.insert(session.clone(), seq);
                bases.extend(record.map(|record| (record.id.clone(), record)));
            }
            Some((_, Err(reason))) => {
                damaged.insert(session.clone(), reason);
            }
            None => {}
        }
    }
    for Old { seq, session, body } in old {
        // What is in the checkpoint already was kept for people only.
        if folded.get(&session).is_some_and(|folded| seq <= *folded) {
            continue;
        }
        match read_fact(&session, &body) {
            Ok(fact) => apply(&mut bases, &fact),
            Err(reason) => {
                quarantine(transaction, "journal", &seq.to_string(), &body, &reason)?;
                damaged.insert(session, reason);
            }
        }
    }
    let mut upsert = transaction.prepare_cached(
        "INSERT INTO checkpoint (session, seq, record) VALUES (?1, ?2, ?3)
         ON CONFLICT (session) DO UPDATE SET seq = max(seq, excluded.seq), record = excluded.record",
    )?;
    for session in touched {
        let id = SessionId(session);
        if let Some(reason) = damaged.get(id.as_str()) {
            at_head(transaction, &id, sessions)?;
            tracing::warn!(session = %id, %reason, "a fact or checkpoint that cannot be read was replaced by the record");
        } else {
            let record = bases.get(&id).map(serde_json::to_string).transpose()?;
            upsert.execute((id.as_str(), cut, record))?;
        }
    }
    Ok(damaged.into_iter().map(|(session, reason)| (SessionId(session), reason)).collect())
}

type Base = (i64, Result<Option<crate::model::SessionRecord>, String>);

fn base(transaction: &Transaction<'_>, session: &str) -> Result<Option<Base>, StoreError> {
    let mut statement =
        transaction.prepare_cached("SELECT seq, record FROM checkpoint WHERE session = ?1")?;
    let found = statement.query_row([session], |row| {
        let seq: i64 = row.get(0)?;
        Ok((seq, read_checkpoint(session, row.get_ref(1)?)))
    });
    Ok(found.optional()?)
}

/// The journal of this session does not fold any more: its record is the truth, at the journal's end.
fn at_head(
    transaction: &Transaction<'_>,
    session: &SessionId,
    sessions: &Sessions,
) -> Result<(), StoreError> {
    rest_at_head(transaction, session, sessions)?;
    transaction.prepare_cached("DELETE FROM journal WHERE session = ?1")?.execute([session.as_str()])?;
    Ok(())
}

/// The fold of this session starts at the journal's end; what is in the journal is kept for people only.
pub(super) fn rest_at_head(
    transaction: &Transaction<'_>,
    session: &SessionId,
    sessions: &Sessions,
) -> Result<(), StoreError> {
    let record = sessions.get(session).map(serde_json::to_string).transpose()?;
    transaction
        .prepare_cached(
            "INSERT INTO checkpoint (session, seq, record)
             VALUES (?1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'journal'), 0), ?2)
             ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, record = excluded.record",
        )?
        .execute((session.as_str(), record))?;
    Ok(())
}
