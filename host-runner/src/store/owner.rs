//! Who may write: the process that opened the board last.
//!
//! The daemon's lock keeps two daemons apart, but a lock file can be deleted. So the owner's name stands in the store, and
//! every commit looks in its own transaction whether it is still there: a stale instance cannot write, and learns that it
//! is one (reference I.5, A9).

use super::{Store, error::StoreError};
use rusqlite::{OptionalExtension, Transaction};

impl Store {
    /// From now on only this store's commits go through; those of whoever had the file before fail.
    ///
    /// # Errors
    /// The database cannot be written; the first commit tries again.
    pub fn claim(&mut self) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        let owner = take(&transaction)?;
        transaction.commit()?;
        self.leave();
        self.owner = Some(owner);
        Ok(())
    }
}

/// Checks, inside a transaction that writes, that nobody else has taken the file. Gives the owner's name.
///
/// # Errors
/// [`StoreError::Superseded`].
pub(super) fn check(transaction: &Transaction<'_>, owner: Option<&str>) -> Result<String, StoreError> {
    let Some(owner) = owner else { return take(transaction) };
    let found: Option<String> = transaction
        .prepare_cached("SELECT value FROM meta WHERE key = 'owner'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    if found.as_deref() == Some(owner) { Ok(owner.to_owned()) } else { Err(StoreError::Superseded) }
}

/// A new random name, made by SQLite.
fn take(transaction: &Transaction<'_>) -> Result<String, StoreError> {
    Ok(transaction.query_row(
        "INSERT INTO meta (key, value) VALUES ('owner', hex(randomblob(16)))
         ON CONFLICT (key) DO UPDATE SET value = excluded.value RETURNING value",
        [],
        |row| row.get(0),
    )?)
}
