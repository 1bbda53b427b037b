//! Looking at a store without changing a byte of it: for `doctor`, beside a running daemon or without one.

use super::{Store, error::StoreError, schema};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};

/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inspection {
    /// The schema's version.
    pub(crate) schema: i64,
    /// Sessions on the board.
    pub(crate) sessions: u64,
    /// Records in quarantine.
    pub(crate) quarantined: u64,
    /// The first thing that is wrong with the file.
    pub(crate) problem: Option<String>,
}

impl Store {
    /// Checks the file at `path`, which must exist.
    ///
    /// # Errors
    /// [`StoreError::Newer`]; [`StoreError::Unfinished`] when only recovery, which writes, could tell; or the file cannot be
    /// read at all.
    pub(crate) fn inspect(path: &Path) -> Result<Inspection, StoreError> {
        let connection = open_untouched(path)?;
        let schema: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if schema > schema::VERSION {
            return Err(StoreError::Newer { path: path.to_owned(), theirs: schema, ours: schema::VERSION });
        }
        let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        let problem = (verdict != "ok").then_some(verdict);
        if schema == 0 || problem.is_some() {
            return Ok(Inspection { schema, sessions: 0, quarantined: 0, problem });
        }
        let rows = |table: &str| -> Result<u64, StoreError> {
            let rows: i64 =
                connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
            Ok(u64::try_from(rows).unwrap_or(0))
        };
        Ok(Inspection { schema, sessions: rows("sessions")?, quarantined: rows("quarantine")?, problem })
    }
}

/// SQLite opens a WAL database read-only only with its shared memory, and makes that file when it is missing. So: with
/// the file, it is read and not written (`readonly_shm`); without it and without a log, nobody has the database open and
/// nothing is pending, which is what `immutable` promises; with a log alone, only recovery could tell.
fn open_untouched(path: &Path) -> Result<Connection, StoreError> {
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let pending = |suffix: &str| beside(suffix).metadata().is_ok_and(|meta| meta.len() > 0);
    let how = if beside("-shm").exists() {
        "mode=ro&readonly_shm=1"
    } else if pending("-wal") || pending("-journal") {
        return Err(StoreError::Unfinished { path: path.to_owned() });
    } else {
        "mode=ro&immutable=1"
    };
    let uri = format!("file:{}?{how}", escaped(path));
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(uri, flags)?;
    connection.busy_timeout(super::open::BUSY_TIMEOUT)?;
    Ok(connection)
}

/// A path inside a URI: every byte that could mean something else as `%xx`.
fn escaped(path: &Path) -> String {
    let mut out = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            out.push(char::from(*byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeMap, fs};

    /// Everything in a directory, byte by byte.
    fn bytes(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(directory).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect()
    }

    #[test]
    fn a_closed_and_an_open_store_are_read_and_not_touched() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path().join("with blank, ? and #");
        fs::create_dir(&directory).unwrap();
        let path = directory.join("board.db");
        let opened = Store::open(&path, "now").unwrap();
        let expected = Inspection { schema: schema::VERSION, sessions: 0, quarantined: 0, problem: None };
        // Open elsewhere, as beside a daemon.
        let before = bytes(&directory);
        assert_eq!(Store::inspect(&path).unwrap(), expected);
        assert_eq!(bytes(&directory).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
        drop(opened);
        let before = bytes(&directory);
        assert_eq!(before.len(), 1);
        assert_eq!(Store::inspect(&path).unwrap(), expected);
        assert_eq!(bytes(&directory), before);
    }

    #[test]
    fn what_a_killed_daemon_left_is_read_with_its_log_or_not_judged() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("board.db");
        let opened = Store::open(&path, "now").unwrap();
        // The files as they are on the disk of a daemon that is killed now.
        let left = tempfile::tempdir().unwrap();
        for file in bytes(directory.path()).keys() {
            fs::copy(file, left.path().join(file.file_name().unwrap())).unwrap();
        }
        drop(opened);
        let path = left.path().join("board.db");
        let before = bytes(left.path());
        assert_eq!(Store::inspect(&path).unwrap().schema, schema::VERSION);
        assert_eq!(bytes(left.path()), before);
        fs::remove_file(left.path().join("board.db-shm")).unwrap();
        assert!(matches!(Store::inspect(&path), Err(StoreError::Unfinished { .. })));
        assert!(!left.path().join("board.db-shm").exists());
    }

    #[test]
    fn damage_and_a_newer_schema_are_seen() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("board.db");
        fs::write(&path, "not a database at all, and long enough to be none").unwrap();
        assert!(Store::inspect(&path).unwrap_err().is_damage());
        fs::remove_file(&path).unwrap();
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", schema::VERSION + 1).unwrap();
        drop(connection);
        assert!(matches!(Store::inspect(&path), Err(StoreError::Newer { .. })));
    }
}
