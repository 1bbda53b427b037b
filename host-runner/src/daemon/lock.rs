//! One daemon per root: a lock that the kernel gives back however its owner ends.
//!
//! The file names its owner for people only. Nobody is signalled because of what it says, so a stale file or a pid that
//! another program has now is harmless (field report F12).

use crate::{process::own_identity, root::BoardRoot};
use rustix::fs::{FlockOperation, flock};
use std::{
    fs, io,
    io::{Seek, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How long the lock of a daemon that is just ending is waited for (reference C.1).
const PATIENCE: Duration = Duration::from_millis(500);
/// How often it is tried.
const POLL: Duration = Duration::from_millis(10);

/// The lock, held while this value lives.
#[derive(Debug)]
pub(super) struct DaemonLock {
    file: fs::File,
    path: PathBuf,
}

impl DaemonLock {
    /// Takes the lock; `None` when another daemon has it.
    pub(super) fn take(root: &BoardRoot) -> io::Result<Option<Self>> {
        let path = root.daemon_lock();
        // Close-on-exec, as always in Rust: a host that inherited the lock would keep it.
        let file = fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => break,
                Err(rustix::io::Errno::WOULDBLOCK) if Instant::now() < deadline => std::thread::sleep(POLL),
                Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        let mut lock = Self { file, path };
        lock.sign()?;
        Ok(Some(lock))
    }

    fn sign(&mut self) -> io::Result<()> {
        let own = own_identity();
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{} {}", own.pid, own.start_ticks)
    }

    /// Whether the root still has this lock: not when somebody deleted the file or the whole root, and not when a
    /// successor made a new one.
    pub(super) fn is_in_place(&self) -> bool {
        same_file(&self.file, &self.path)
    }
}

/// Who has the lock, as far as the file says. For people.
pub(super) fn owner(root: &BoardRoot) -> String {
    let text = fs::read_to_string(root.daemon_lock()).unwrap_or_default();
    text.split_ascii_whitespace().next().unwrap_or("unknown").to_owned()
}

fn same_file(file: &fs::File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(theirs)) => (ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_owner_at_a_time_and_a_lost_file_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(directory.path()).unwrap();
        let lock = DaemonLock::take(&root).unwrap().unwrap();
        assert!(lock.is_in_place());
        assert!(DaemonLock::take(&root).unwrap().is_none());
        assert_eq!(owner(&root), std::process::id().to_string());
        fs::remove_file(root.daemon_lock()).unwrap();
        assert!(!lock.is_in_place());
        let successor = DaemonLock::take(&root).unwrap().unwrap();
        assert!(successor.is_in_place() && !lock.is_in_place());
    }

    // Field report F12: a stale lock whose pid belongs to another program now.
    #[test]
    fn f12_what_a_stale_lock_says_does_not_matter() {
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(directory.path()).unwrap();
        fs::write(root.daemon_lock(), "1 1\n").unwrap();
        let lock = DaemonLock::take(&root).unwrap();
        assert!(lock.is_some());
        assert_eq!(owner(&root), std::process::id().to_string());
    }
}
