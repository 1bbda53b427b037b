//! Why the store failed, and whether the file itself is damaged.

use board_text::store as texts;
use std::path::PathBuf;

/// Why the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer build wrote it. It is not touched.
    #[error("{}", texts::newer_schema(path.display(), theirs, ours))]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        theirs: i64,
        /// The newest schema version that this build knows.
        ours: i64,
    },
    /// Its last writer did not end in an orderly way, and only recovery, which writes, could tell what it holds.
    #[error("{}", texts::not_closed(path.display()))]
    Unfinished {
        /// The database.
        path: PathBuf,
    },
    /// It was damaged, and neither a new file nor the old one can be used: whoever has it must end.
    #[error("{}", texts::not_reopened(path.display(), reason))]
    Lost {
        /// The database.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Somebody deleted, replaced or cut the open file.
    #[error("{}", texts::while_running(path.display(), what))]
    Displaced {
        /// The database.
        path: PathBuf,
        /// What happened to it.
        what: &'static str,
    },
    /// Another process has opened the board since. Whoever gets this must end.
    #[error("{}", texts::taken_over())]
    Superseded,
    /// SQLite says no.
    #[error("{}", texts::failed(.0))]
    Sqlite(#[from] rusqlite::Error),
    /// A record cannot be written as JSON.
    #[error("{}", texts::cannot_write_record(.0))]
    Json(#[from] serde_json::Error),
    /// The file system says no.
    #[error("{}", texts::cannot_use(path.display(), source))]
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
