//! Whether the file that this store has open is still the one under its name, with all of its log.
//!
//! SQLite goes on with a file that was deleted or replaced, and with a log that was cut, and says that it commits: what
//! it writes then is gone with the process. So every commit and every tick of the daemon looks, at the cost of two calls
//! of the kernel.

use super::{Store, error::StoreError};
use board_text::store as texts;
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// What a store's files looked like when it last wrote.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Footprint {
    /// Device and number of the database.
    file: Option<(u64, u64)>,
    /// Bytes of the write-ahead log: it grows between two writes of ours, or stays.
    log_bytes: u64,
}

impl Footprint {
    /// How the files look now.
    pub(super) fn of(path: &Path) -> Self {
        let file = fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()));
        Self { file, log_bytes: fs::metadata(log_of(path)).map_or(0, |meta| meta.len()) }
    }
}

fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

impl Store {
    /// Whether everything is where this store left it.
    ///
    /// # Errors
    /// [`StoreError::Displaced`] with what happened.
    pub fn check_place(&self) -> Result<(), StoreError> {
        let now = Footprint::of(&self.path);
        let what = match now.file {
            None => texts::was_deleted(),
            Some(_) if now.file != self.footprint.file => texts::was_replaced(),
            Some(_) if now.log_bytes < self.footprint.log_bytes => texts::lost_log(),
            Some(_) => return Ok(()),
        };
        Err(StoreError::Displaced { path: self.path.clone(), what })
    }

    /// Remembers how the files look after a write of this store's own.
    pub(super) fn leave(&mut self) {
        self.footprint = Footprint::of(&self.path);
    }
}
