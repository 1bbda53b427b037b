//! What happens to a damaged file: everything in it that can be read goes into a new one, and the old one is kept aside.
//!
//! Called when a file cannot be opened, and when damage shows in a commit. Nothing is lost silently: the warning names
//! what could not be read in full.

use super::{Store, error::StoreError, open::make_private, retain};
use crate::model::Sessions;
use board_protocol::ids::{SessionId, Token};
use board_text::store as texts;
use rusqlite::{Connection, OpenFlags, Transaction, params_from_iter, types::Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

/// A table: its name, its columns, of which the first one is the key, and what its rows are for people.
type Table = (&'static str, &'static [&'static str], fn() -> &'static str);

/// Every table.
const TABLES: [Table; 16] = [
    ("sessions", &["session", "record"], texts::of_sessions),
    ("tokens", &["session", "token"], texts::of_tokens),
    ("checkpoint", &["session", "seq", "record"], texts::of_checkpoint),
    ("journal", &["seq", "session", "at_ms", "fact"], texts::of_journal),
    ("commands", &["command_id", "at_ms", "command", "outcome"], texts::of_commands),
    ("last_screens", &["session", "screen"], texts::of_last_screens),
    ("diagnostics", &["id", "session", "at_ms", "level", "source", "code", "message"], texts::of_diagnostics),
    ("state_changes", &["id", "session", "at_ms", "change"], texts::of_state_changes),
    ("evidence", &["session", "source", "at_ms", "what"], texts::of_evidence),
    ("directories", &["path", "uses", "last_used_ms"], texts::of_directories),
    ("preferences", &["key", "value"], texts::of_preferences),
    ("work", &["session", "kind", "key", "at_ms", "body"], texts::of_work),
    ("reviews", &["session", "body"], texts::of_reviews),
    ("code_refs", &["session", "body"], texts::of_code_refs),
    ("meta", &["key", "value"], texts::of_meta),
    ("quarantine", &["id", "source", "key", "body", "reason"], texts::of_quarantine),
];

/// In the place of a table: records of sessions, each of which could not be read.
const RECORDS: &str = "records";

/// What is lost with a table, for people.
fn for_people(lost: &str) -> &'static str {
    TABLES.iter().find(|(table, ..)| *table == lost).map_or(texts::single_records(), |(.., words)| words())
}

/// What became of a damaged file.
#[derive(Debug)]
pub(super) struct Rebuilt {
    /// Where it is kept.
    kept: Option<PathBuf>,
    /// The tables that could not be read in full, and [`RECORDS`].
    lost: Vec<&'static str>,
}

impl Rebuilt {
    /// Whether the name of the owner may be gone.
    fn lost_meta(&self) -> bool {
        self.lost.contains(&"meta")
    }

    /// The line for the board.
    pub(super) fn warning(&self, error: &StoreError, sessions: usize) -> String {
        let lost = if self.lost.is_empty() {
            texts::nothing_missing().to_owned()
        } else {
            let lost: Vec<&str> = self.lost.iter().map(|table| for_people(table)).collect();
            texts::not_in_full(lost.join(", "))
        };
        let displaced = matches!(error, StoreError::Displaced { .. });
        match (displaced, self.kept.as_ref().map(|kept| kept.display())) {
            (true, None) => texts::rebuilt_after_loss(error, sessions, lost),
            (true, Some(kept)) => texts::rebuilt_after_loss_kept(error, sessions, lost, kept),
            (false, None) => texts::rebuilt_after_damage(error, sessions, lost),
            (false, Some(kept)) => texts::rebuilt_after_damage_kept(error, kept, sessions, lost),
        }
    }
}

impl Store {
    /// Puts the damaged file aside and goes on with a new one that holds `sessions`, the last committed state, and
    /// everything else that can be read. Gives the line for the board.
    ///
    /// # Errors
    /// No new file can be made; the old one is still in use, and nothing changed. [`StoreError::Lost`]: it cannot be
    /// opened again either.
    pub fn rebuild(
        &mut self,
        aside: &str,
        sessions: &Sessions,
        error: &StoreError,
    ) -> Result<String, StoreError> {
        let path = self.path.clone();
        let tokens = std::mem::take(&mut self.tokens);
        // Of a file that only lost its name the open connection still has everything.
        let whole = matches!(error, StoreError::Displaced { .. }) && self.save().is_ok();
        // Closed before anything is renamed: a connection that closes removes the log that stands beside the name which
        // it knows, and that would be the new file's.
        drop(std::mem::replace(&mut self.connection, Connection::open_in_memory()?));
        let replaced = if whole {
            put_in_place(&path, aside).map(|kept| Rebuilt { kept, lost: Vec::new() })
        } else {
            replace(&path, aside, Some(sessions))
        };
        let opened = Self::open_file(&path)
            .map_err(|error| StoreError::Lost { path: path.clone(), reason: error.to_string() })?;
        // Its claim was copied; where that was damaged, the next commit makes another one.
        let owner = self.owner.take().filter(|_| !replaced.as_ref().is_ok_and(Rebuilt::lost_meta));
        *self = Self { owner, ..opened };
        self.restore(tokens);
        Ok(replaced?.warning(error, sessions.len()))
    }
}

impl Store {
    /// Writes everything that this connection reads into the file that will take the place of the lost one.
    fn save(&self) -> Result<(), StoreError> {
        let fresh = with(&self.path, ".new");
        remove_all(&fresh);
        make_private(&fresh)?;
        let name = fresh.to_string_lossy().into_owned();
        self.connection.execute("VACUUM INTO ?1", [name])?;
        Ok(())
    }

    /// Secrets that the new file may not have.
    fn restore(&mut self, tokens: BTreeMap<SessionId, Token>) {
        for (session, token) in &tokens {
            let written = self.connection.execute(
                "INSERT OR IGNORE INTO tokens (session, token) VALUES (?1, ?2)",
                (session.as_str(), token.as_str()),
            );
            if let Err(error) = written {
                tracing::error!(%error, %session, "a secret is lost");
            }
        }
        self.tokens = tokens;
        self.leave();
    }
}

fn remove_all(path: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(with(path, suffix));
    }
}

/// Makes a new file from what can be read of the one at `path`, and puts it in its place. `sessions` is the state where
/// somebody knows it better than the file.
///
/// # Errors
/// The new file cannot be written; the old one is where it was.
pub(super) fn replace(path: &Path, aside: &str, sessions: Option<&Sessions>) -> Result<Rebuilt, StoreError> {
    let fresh = with(path, ".new");
    remove_all(&fresh);
    make_private(&fresh)?;
    let mut store = Store::open_file(&fresh)?;
    let lost = copy(path, &mut store, sessions)?;
    // One file again, so that it can be renamed as a whole.
    store.connection.pragma_update(None, "journal_mode", "DELETE")?;
    drop(store);
    let kept = put_in_place(path, aside)?;
    Ok(Rebuilt { kept, lost })
}

/// Puts the new file where the old one was. Gives where that is kept, if it is there at all.
fn put_in_place(path: &Path, aside: &str) -> Result<Option<PathBuf>, StoreError> {
    let io_error = |source| StoreError::Io { path: path.to_owned(), source };
    let fresh = with(path, ".new");
    fs::File::open(&fresh).and_then(|file| file.sync_all()).map_err(io_error)?;
    let there = path.exists();
    let kept = with(path, &format!(".damaged-{aside}"));
    // A second name first, so that there is a file under the old one at every moment.
    if there && fs::hard_link(path, &kept).is_err() {
        fs::rename(path, &kept).map_err(io_error)?;
    }
    for suffix in ["-wal", "-shm", "-journal"] {
        let companion = with(path, suffix);
        match fs::rename(&companion, with(&kept, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_error(error)),
            _ => {}
        }
    }
    fs::rename(&fresh, path).map_err(io_error)?;
    if let Some(directory) = path.parent() {
        fs::File::open(directory).and_then(|directory| directory.sync_all()).map_err(io_error)?;
    }
    Ok(there.then_some(kept))
}

fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Copies what can be read, and gives what could not.
fn copy(path: &Path, into: &mut Store, sessions: Option<&Sessions>) -> Result<Vec<&'static str>, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut lost = Vec::new();
    match Connection::open_with_flags(path, flags) {
        Ok(from) => {
            let transaction = into.connection.transaction()?;
            for (table, columns, _) in TABLES {
                if !copy_table(&from, &transaction, table, columns)? {
                    lost.push(table);
                }
            }
            // Numbers of the journal never repeat.
            let last: i64 = from
                .query_row("SELECT seq FROM sqlite_sequence WHERE name = 'journal'", [], |row| row.get(0))
                .unwrap_or(0);
            transaction.execute("DELETE FROM sqlite_sequence WHERE name = 'journal'", [])?;
            transaction.execute(
                "INSERT INTO sqlite_sequence (name, seq)
                 VALUES ('journal', max(?1, (SELECT coalesce(max(seq), 0) FROM journal)))",
                [last],
            )?;
            transaction.commit()?;
        }
        Err(_) => lost.extend(TABLES.map(|(table, ..)| table)),
    }
    let sessions = match sessions {
        Some(sessions) => {
            // They are known better than any file knows them.
            lost.retain(|table| *table != "sessions");
            sessions.clone()
        }
        None => best_of(into, &mut lost)?,
    };
    let transaction = into.connection.transaction()?;
    transaction.execute("DELETE FROM sessions", [])?;
    for (session, record) in &sessions {
        transaction
            .prepare_cached("INSERT INTO sessions (session, record) VALUES (?1, ?2)")?
            .execute((session.as_str(), serde_json::to_string(record)?))?;
        // What is left of the journal may have gaps: the fold starts here.
        retain::rest_at_head(&transaction, session, &sessions)?;
    }
    // Who is not among them was removed, whatever the rest of a damaged journal says.
    transaction.execute_batch(
        "UPDATE checkpoint SET record = NULL WHERE session NOT IN (SELECT session FROM sessions);
         INSERT INTO checkpoint (session, seq, record)
             SELECT DISTINCT session, (SELECT seq FROM sqlite_sequence WHERE name = 'journal'), NULL FROM journal
             WHERE session NOT IN (SELECT session FROM sessions)
             ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, record = excluded.record;",
    )?;
    transaction.commit()?;
    Ok(lost)
}

/// The records, and where one is missing what the journal knows of it.
fn best_of(store: &mut Store, lost: &mut Vec<&'static str>) -> Result<Sessions, StoreError> {
    let loaded = store.load()?;
    if !loaded.damages.is_empty() {
        lost.push(RECORDS);
    }
    let mut sessions = loaded.sessions;
    for (session, record) in store.replay(None)?.sessions {
        sessions.entry(session).or_insert(record);
    }
    Ok(sessions)
}

/// Copies a table from both ends, so that one damaged page costs only itself. Gives whether that was all of it.
fn copy_table(
    from: &Connection,
    into: &Transaction<'_>,
    table: &str,
    columns: &[&str],
) -> Result<bool, StoreError> {
    let names = columns.join(", ");
    let key = columns.first().copied().unwrap_or_default();
    let places = vec!["?"; columns.len()].join(", ");
    let mut insert = into.prepare(&format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({places})"))?;
    let mut refused = BTreeSet::new();
    for order in ["ASC", "DESC"] {
        let query = format!("SELECT {names} FROM {table} ORDER BY {key} {order}");
        let Ok(mut statement) = from.prepare(&query) else {
            // An older schema has no such table; without a schema nothing can be read.
            return Ok(from
                .prepare("SELECT 1 FROM sqlite_master")
                .is_ok_and(|mut any| any.exists([]).is_ok()));
        };
        let Ok(mut rows) = statement.query([]) else { return Ok(false) };
        let mut whole = true;
        loop {
            match rows.next() {
                Ok(Some(row)) => {
                    let values: Result<Vec<Value>, _> =
                        (0..columns.len()).map(|column| row.get::<_, Value>(column)).collect();
                    // A value of a type that the column cannot have is damage, too.
                    match values {
                        Ok(values) if insert.execute(params_from_iter(&values)).is_ok() => {}
                        Ok(values) => {
                            refused.insert(format!("{:?}", values.first()));
                        }
                        Err(_) => whole = false,
                    }
                }
                Ok(None) => break,
                Err(_) => {
                    whole = false;
                    break;
                }
            }
        }
        if whole {
            return Ok(refused.is_empty());
        }
    }
    Ok(false)
}
