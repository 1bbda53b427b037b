//! Reading the store: every session at start, and the replay of the journal.
//!
//! A record that cannot be read costs only itself: it is rebuilt from the journal, or quarantined with a warning (field
//! reports A30, F11).

use super::{Store, error::StoreError};
use crate::model::{Fact, SessionRecord, Sessions, apply};
use board_protocol::ids::{SessionId, UnixMs};
use rusqlite::{Row, types::ValueRef};

/// What the store held at start.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Every session that can be read.
    pub sessions: Sessions,
    /// What could not, one line each, for the board.
    pub warnings: Vec<String>,
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
            Err(error) => loaded.warnings.push(format!("Diagnostics cannot be read: {error}")),
        }
        Ok(loaded)
    }

    fn mend(&mut self, damaged: Damaged, loaded: &mut Loaded) -> Result<(), StoreError> {
        let Damaged { session, body, reason } = damaged;
        let replayed = self.replay(Some(&session))?;
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO quarantine (source, key, body, reason) VALUES ('sessions', ?1, ?2, ?3)",
            (session.as_str(), &body, &reason),
        )?;
        match replayed.sessions.get(&session) {
            Some(record) if replayed.unreadable.is_empty() => {
                transaction.execute(
                    "UPDATE sessions SET record = ?2 WHERE session = ?1",
                    (session.as_str(), serde_json::to_string(record)?),
                )?;
                loaded.warnings.push(format!(
                    "The record of session {session} was damaged ({reason}) and was rebuilt from the journal"
                ));
                loaded.sessions.insert(session, record.clone());
            }
            _ => {
                transaction.execute("DELETE FROM sessions WHERE session = ?1", [session.as_str()])?;
                loaded.warnings.push(format!(
                    "The record of session {session} is damaged ({reason}) and was put into quarantine; other sessions are not affected"
                ));
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Folds the journal, of one session or of all. Records that cannot be read are skipped and listed.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn replay(&self, only: Option<&SessionId>) -> Result<Replayed, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT seq, fact FROM journal WHERE ?1 IS NULL OR session = ?1 ORDER BY seq")?;
        let mut rows = statement.query([only.map(SessionId::as_str)])?;
        let mut replayed = Replayed::default();
        while let Some(row) = rows.next()? {
            match serde_json::from_slice::<Fact>(&bytes(row, 1)?) {
                Ok(fact) => apply(&mut replayed.sessions, &fact),
                Err(_) => replayed.unreadable.push(row.get(0)?),
            }
        }
        Ok(replayed)
    }
}

/// A column's bytes whatever its type: a damaged file promises none.
fn bytes(row: &Row<'_>, column: usize) -> Result<Vec<u8>, rusqlite::Error> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Vec::new(),
    })
}

fn lossy(row: &Row<'_>, column: usize) -> Result<String, rusqlite::Error> {
    Ok(String::from_utf8_lossy(&bytes(row, column)?).into_owned())
}
