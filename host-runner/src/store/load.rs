//! Reading the store: every session at start, and the replay of checkpoint and journal.
//!
//! A record that cannot be read costs only itself: it is rebuilt from the journal, or quarantined with a warning (field
//! reports A30, F11).

use super::{Store, error::StoreError};
use crate::model::{Fact, SessionRecord, Sessions, apply};
use board_protocol::ids::{SessionId, UnixMs};
use board_text::store as texts;
use rusqlite::{Row, Transaction, types::ValueRef};
use std::collections::BTreeMap;

/// Most damaged records that are kept apart: a file in which more are damaged is put aside as a whole sooner or later.
const MAX_QUARANTINED: u32 = 1000;

/// What the store held at start.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Every session that can be read.
    pub sessions: Sessions,
    /// What could not, one line each, for the board.
    pub warnings: Vec<String>,
    /// The same for the diagnostics of the session that it is about: session, short word, line.
    pub damages: Vec<(SessionId, &'static str, String)>,
    /// When sessions wrote errors into their diagnostics, oldest first.
    pub errors: Vec<(SessionId, UnixMs)>,
}

/// What the journal says.
#[derive(Debug, Default)]
pub struct Replayed {
    /// Every session that follows from it.
    pub sessions: Sessions,
    /// Numbers of records that cannot be read.
    pub unreadable: Vec<i64>,
}

/// A damaged record on its way into quarantine.
struct Damaged {
    session: SessionId,
    body: Vec<u8>,
    reason: String,
}

impl Store {
    /// Every session, from the projections; damaged ones from the journal.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn load(&mut self) -> Result<Loaded, StoreError> {
        let mut loaded = Loaded::default();
        let mut damaged = Vec::new();
        {
            let mut statement = self.connection.prepare("SELECT session, record FROM sessions")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let session = SessionId(lossy(row, 0)?);
                let body = bytes(row, 1)?;
                match serde_json::from_slice::<SessionRecord>(&body) {
                    Ok(record) if record.id == session => {
                        loaded.sessions.insert(session, record);
                    }
                    Ok(_) => {
                        damaged.push(Damaged { session, body, reason: "it names another session".into() })
                    }
                    Err(error) => damaged.push(Damaged { session, body, reason: error.to_string() }),
                }
            }
        }
        for record in damaged {
            self.mend(record, &mut loaded)?;
        }
        match self.errors() {
            Ok(errors) => loaded.errors = errors,
            Err(error) => loaded.warnings.push(texts::diagnostics_unreadable(error)),
        }
        Ok(loaded)
    }

    fn mend(&mut self, damaged: Damaged, loaded: &mut Loaded) -> Result<(), StoreError> {
        let Damaged { session, body, reason } = damaged;
        let replayed = self.replay(Some(&session))?;
        let transaction = self.connection.transaction()?;
        quarantine(&transaction, "sessions", session.as_str(), &body, &reason)?;
        let (code, text) = match replayed.sessions.get(&session) {
            Some(record) if replayed.unreadable.is_empty() => {
                transaction.execute(
                    "UPDATE sessions SET record = ?2 WHERE session = ?1",
                    (session.as_str(), serde_json::to_string(record)?),
                )?;
                loaded.sessions.insert(session.clone(), record.clone());
                let text = texts::record_rebuilt(&session, &reason);
                ("record_rebuilt", text)
            }
            _ => {
                transaction.execute("DELETE FROM sessions WHERE session = ?1", [session.as_str()])?;
                let text = texts::record_quarantined(&session, &reason);
                ("record_quarantined", text)
            }
        };
        transaction.commit()?;
        loaded.warnings.push(text.clone());
        loaded.damages.push((session, code, text));
        Ok(())
    }

    /// Folds the checkpoint and the journal behind it, of one session or of all. What cannot be read is skipped and
    /// listed.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn replay(&self, only: Option<&SessionId>) -> Result<Replayed, StoreError> {
        let mut replayed = Replayed::default();
        // The number up to which the journal is in the checkpoint already, for each session that has one.
        let mut folded: BTreeMap<String, i64> = BTreeMap::new();
        let filter = if only.is_some() { "session = ?1" } else { "?1 IS NULL" };
        let only = only.map(SessionId::as_str);
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT session, seq, record FROM checkpoint WHERE {filter}"))?;
        let mut rows = statement.query([only])?;
        while let Some(row) = rows.next()? {
            let (session, seq) = (lossy(row, 0)?, row.get(1)?);
            match read_checkpoint(&session, row.get_ref(2)?) {
                Ok(Some(record)) => {
                    replayed.sessions.insert(record.id.clone(), record);
                }
                Ok(None) => {}
                Err(_) => replayed.unreadable.push(seq),
            }
            folded.insert(session, seq);
        }
        drop(rows);
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT seq, session, fact FROM journal WHERE {filter} ORDER BY seq"))?;
        let mut rows = statement.query([only])?;
        while let Some(row) = rows.next()? {
            let (seq, session) = (row.get(0)?, lossy(row, 1)?);
            if folded.get(&session).is_some_and(|folded| seq <= *folded) {
                continue;
            }
            match read_fact(&session, &bytes(row, 2)?) {
                Ok(fact) => apply(&mut replayed.sessions, &fact),
                Err(_) => replayed.unreadable.push(seq),
            }
        }
        Ok(replayed)
    }
}

/// Keeps what could not be read, as it was, for whoever wants to know; the oldest of too many go.
pub(super) fn quarantine(
    transaction: &Transaction<'_>,
    source: &str,
    key: &str,
    body: &[u8],
    reason: &str,
) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT INTO quarantine (source, key, body, reason) VALUES (?1, ?2, ?3, ?4)",
        (source, key, body, reason),
    )?;
    transaction.execute(
        "DELETE FROM quarantine WHERE id <= (SELECT id FROM quarantine ORDER BY id DESC LIMIT 1 OFFSET ?1)",
        [MAX_QUARANTINED],
    )?;
    Ok(())
}

/// A fact of the journal; one that names another session than its row is damaged, too.
pub(super) fn read_fact(session: &str, body: &[u8]) -> Result<Fact, String> {
    let fact: Fact = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    if fact.session.as_str() == session { Ok(fact) } else { Err("it names another session".to_owned()) }
}

/// A record of the checkpoint; `None` for a session that had been removed.
pub(super) fn read_checkpoint(session: &str, body: ValueRef<'_>) -> Result<Option<SessionRecord>, String> {
    let bytes = match body {
        ValueRef::Null => return Ok(None),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        ValueRef::Integer(_) | ValueRef::Real(_) => return Err("it is a number".to_owned()),
    };
    let record: SessionRecord = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if record.id.as_str() == session { Ok(Some(record)) } else { Err("it names another session".to_owned()) }
}

/// A column's bytes whatever its type: a damaged file promises none.
pub(super) fn bytes(row: &Row<'_>, column: usize) -> Result<Vec<u8>, rusqlite::Error> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Vec::new(),
    })
}

pub(super) fn lossy(row: &Row<'_>, column: usize) -> Result<String, rusqlite::Error> {
    Ok(String::from_utf8_lossy(&bytes(row, column)?).into_owned())
}
