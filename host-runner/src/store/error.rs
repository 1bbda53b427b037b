//! Why the store failed, and whether the file itself is damaged.

use std::path::PathBuf;

/// Why the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer build wrote it. It is not touched.
    #[error(
        "{path} was written by a newer host-runner (schema {theirs}; this build knows {ours}). Use the newer build, or set AGENT_BOARD_ROOT to another directory",
        path = path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        theirs: i64,
        /// The newest schema version that this build knows.
        ours: i64,
    },
    /// Its last writer did not end in an orderly way, and only recovery, which writes, could tell what it holds.
    #[error("{path} was not closed", path = path.display())]
    Unfinished {
        /// The database.
        path: PathBuf,
    },
    /// It was damaged, and neither a new file nor the old one can be used: whoever has it must end.
    #[error("{path} was damaged and cannot be opened again: {reason}", path = path.display())]
    Lost {
        /// The database.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Somebody deleted, replaced or cut the open file.
    #[error("{path} {what} while the daemon ran", path = path.display())]
    Displaced {
        /// The database.
        path: PathBuf,
        /// What happened to it.
        what: &'static str,
    },
    /// Another process has opened the board since. Whoever gets this must end.
    #[error("another daemon has taken over this board")]
    Superseded,
    /// SQLite says no.
    #[error("the store failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A record cannot be written as JSON.
    #[error("a record cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The file system says no.
    #[error("cannot use {path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

impl StoreError {
    /// Whether the file's contents are damaged, rather than unreachable or busy.
    pub(crate) fn is_damage(&self) -> bool {
        if matches!(self, Self::Displaced { .. }) {
            return true;
        }
        let Self::Sqlite(error) = self else { return false };
        matches!(
            error.sqlite_error_code(),
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase)
        )
    }
}
