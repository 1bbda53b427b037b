//! Which issue and change request each session is about: one row a session, all of them in memory as well. No facts.
//!
//! Written by the commit of the turn that learned of it, read by the coordinator. It finds nothing itself.

use super::{
    Store,
    error::StoreError,
    load::{bytes, lossy},
};
use crate::refs::Snapshot;
use board_protocol::ids::SessionId;
use rusqlite::{Connection, Transaction};
use std::collections::BTreeMap;

/// What was found about every session.
pub(super) type Snapshots = BTreeMap<SessionId, Snapshot>;

/// Reads all. What cannot be read is looked for again.
pub(super) fn all(connection: &Connection) -> Result<Snapshots, StoreError> {
    let mut statement = connection.prepare("SELECT session, body FROM code_refs")?;
    let mut rows = statement.query([])?;
    let mut snapshots = Snapshots::new();
    while let Some(row) = rows.next()? {
        if let Ok(snapshot) = serde_json::from_slice(&bytes(row, 1)?) {
            snapshots.insert(SessionId(lossy(row, 0)?), snapshot);
        }
    }
    Ok(snapshots)
}

/// Writes what was found.
pub(super) fn write(
    transaction: &Transaction<'_>,
    found: &[(SessionId, Snapshot)],
) -> Result<(), StoreError> {
    let mut write = transaction.prepare_cached(
        "INSERT INTO code_refs (session, body) VALUES (?1, ?2)
         ON CONFLICT (session) DO UPDATE SET body = excluded.body",
    )?;
    for (session, snapshot) in found {
        write.execute((session.as_str(), serde_json::to_string(snapshot)?))?;
    }
    Ok(())
}

impl Store {
    /// What was found about a session.
    pub fn references(&self, session: &SessionId) -> Option<&Snapshot> {
        self.references.get(session)
    }
}
