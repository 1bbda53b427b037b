//! The schema and its migrations. Versions are counted in SQLite's `user_version`; a migration is never edited after a
//! release, only followed by another one.

use super::error::StoreError;
use rusqlite::Connection;
use std::path::Path;

/// What leads from each version to the next one; the first makes an empty file version 1.
const MIGRATIONS: [&str; 3] = [
    // Version 1. `journal` is the truth; `sessions` is what follows from it, so that a start does not replay.
    // `commands` makes a command id work once; refusals are kept too. Tokens and screens are no part of the journal:
    // an export must not contain a secret, and a screen is large.
    "CREATE TABLE journal (
         seq INTEGER PRIMARY KEY AUTOINCREMENT,
         session TEXT NOT NULL,
         at_ms INTEGER NOT NULL,
         fact TEXT NOT NULL
     ) STRICT;
     CREATE INDEX journal_by_session ON journal (session, seq);
     CREATE TABLE sessions (session TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID;
     CREATE TABLE commands (
         command_id TEXT PRIMARY KEY,
         at_ms INTEGER NOT NULL,
         command TEXT NOT NULL,
         outcome TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX commands_by_time ON commands (at_ms);
     CREATE TABLE tokens (session TEXT PRIMARY KEY, token TEXT NOT NULL) STRICT, WITHOUT ROWID;
     CREATE TABLE last_screens (session TEXT PRIMARY KEY, screen TEXT NOT NULL) STRICT;
     CREATE TABLE quarantine (
         id INTEGER PRIMARY KEY,
         source TEXT NOT NULL,
         key TEXT NOT NULL,
         body BLOB NOT NULL,
         reason TEXT NOT NULL
     ) STRICT;",
    // Version 2. Diagnostics (reference A.9) are no facts: they move no row, a session keeps only its newest ones, and a
    // fold of the journal does not need them. `checkpoint` holds the records as they were at one number of the journal,
    // so that what lies before it can go and the rest still folds into the same records; a removed session has a row
    // without a record, so that it stays known. `state_changes` and `evidence` are what `explain` tells: they follow from the
    // facts of their commit, and reach back further than a pruned journal. `meta` names the boot of the machine whose
    // processes the records mean.
    "CREATE TABLE diagnostics (
         id INTEGER PRIMARY KEY AUTOINCREMENT,
         session TEXT NOT NULL,
         at_ms INTEGER NOT NULL,
         level TEXT NOT NULL,
         source TEXT NOT NULL,
         code TEXT NOT NULL,
         message TEXT NOT NULL
     ) STRICT;
     CREATE INDEX diagnostics_by_session ON diagnostics (session, id);
     CREATE INDEX diagnostics_of_errors ON diagnostics (id, session, at_ms) WHERE level = 'error';
     CREATE TABLE checkpoint (session TEXT PRIMARY KEY, seq INTEGER NOT NULL, record TEXT) STRICT, WITHOUT ROWID;
     CREATE TABLE state_changes (
         id INTEGER PRIMARY KEY AUTOINCREMENT,
         session TEXT NOT NULL,
         at_ms INTEGER NOT NULL,
         change TEXT NOT NULL
     ) STRICT;
     CREATE INDEX state_changes_by_session ON state_changes (session, id);
     CREATE TABLE evidence (
         session TEXT NOT NULL,
         source TEXT NOT NULL,
         at_ms INTEGER NOT NULL,
         what TEXT NOT NULL,
         PRIMARY KEY (session, source)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;",
    // Version 3. None of these is a fact. `work` is what there is to show for a session's work (reference A.8; `evidence`
    // above is what `explain` tells): one row an item, so that an item costs one small write. `reviews` has the sums of it, which
    // every start reads. `code_refs` are found in that.
    // `directories` counts starts, `preferences` what the last of them chose (reference A.13); the rows that there
    // are count once, here.
    "CREATE TABLE work (
         session TEXT NOT NULL,
         kind TEXT NOT NULL,
         key TEXT NOT NULL,
         at_ms INTEGER NOT NULL,
         body TEXT NOT NULL,
         PRIMARY KEY (session, kind, key)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE reviews (session TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
     CREATE TABLE code_refs (session TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
     CREATE TABLE directories (
         path TEXT PRIMARY KEY,
         uses INTEGER NOT NULL,
         last_used_ms INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE preferences (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
     INSERT INTO directories (path, uses, last_used_ms)
         SELECT coalesce(nullif(rtrim(cwd, '/'), ''), '/'), count(*), max(at) FROM (
             SELECT json_extract(record, '$.cwd') AS cwd, json_extract(record, '$.created_at') AS at
             FROM sessions WHERE json_valid(record))
         WHERE typeof(cwd) = 'text' AND typeof(at) = 'integer' AND cwd LIKE '/%' GROUP BY 1;",
];

/// The version that this build writes.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// Brings the schema to [`VERSION`], one transaction a step.
///
/// # Errors
/// [`StoreError::Newer`] for a schema that this build does not know; nothing is changed then.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), theirs: found, ours: VERSION });
    }
    for (version, migration) in (1_i64..).zip(MIGRATIONS) {
        if version > found {
            let transaction = connection.transaction()?;
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", version)?;
            transaction.commit()?;
        }
    }
    Ok(())
}
