//! A root looked at without touching it: for `doctor`, which changes nothing.

use super::{
    BoardRoot, LONGEST_SOCKET_NAME, MAX_SOCKET_PATH_BYTES, RootError, fallback_socket_directory, machine_id,
};
use board_text::root as texts;
use rustix::process::getuid;
use std::{
    fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// A root as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The root, to ask it for paths.
    pub(crate) root: BoardRoot,
    /// The rights of its directory.
    pub(crate) mode: u32,
    /// Whether it carries this machine's mark.
    pub(crate) mark: Mark,
    /// The rights of the socket directory; `None` when it is missing.
    pub(crate) sockets_mode: Option<u32>,
}

/// The mark that ties a root to its machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Of this machine.
    Ours,
    /// There is none yet, or this machine has no id.
    Missing,
}

impl BoardRoot {
    /// Looks at the root in `directory`. `None`: there is none yet; the first command makes it.
    ///
    /// # Errors
    /// [`RootError`], as [`BoardRoot::open`] would refuse it.
    pub(crate) fn look(directory: &Path) -> Result<Option<Seen>, RootError> {
        let io_error = |path: &Path, source| RootError::Io { path: path.to_owned(), source };
        let meta = match fs::metadata(directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| io_error(directory, error))?,
        };
        if !meta.is_dir() {
            return Err(RootError::NotOurs { path: directory.to_owned(), what: texts::is_a_file() });
        }
        let caller = getuid().as_raw();
        if meta.uid() != caller {
            return Err(RootError::Foreign { path: directory.to_owned(), owner: meta.uid(), caller });
        }
        let mark = look_at_mark(directory)?;
        let sockets = look_for_sockets(directory);
        let sockets_mode = fs::symlink_metadata(&sockets).ok().map(|meta| meta.permissions().mode() & 0o7777);
        let root = Self { directory: directory.to_owned(), sockets };
        Ok(Some(Seen { root, mode: meta.permissions().mode() & 0o7777, mark, sockets_mode }))
    }

    /// Where its sockets are.
    pub(crate) fn sockets(&self) -> &Path {
        &self.sockets
    }
}

fn look_at_mark(directory: &Path) -> Result<Mark, RootError> {
    let path = directory.join("machine");
    let theirs = match fs::read_to_string(&path) {
        Ok(text) => text.trim().to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Mark::Missing),
        Err(source) => return Err(RootError::Io { path, source }),
    };
    match machine_id() {
        Some(ours) if theirs == ours => Ok(Mark::Ours),
        Some(ours) if !theirs.is_empty() => {
            Err(RootError::OtherMachine { path: directory.to_owned(), theirs, ours })
        }
        _ => Ok(Mark::Missing),
    }
}

/// Whether a file system can bind sockets cannot be known without trying. A pointer file says that it once could not.
fn look_for_sockets(directory: &Path) -> PathBuf {
    let preferred = directory.join("run");
    let fallback = fallback_socket_directory(directory);
    let fits = preferred.as_os_str().len() + 1 + LONGEST_SOCKET_NAME <= MAX_SOCKET_PATH_BYTES;
    let pointed = directory.join("sockets-are-in").exists() && fallback.join("daemon.sock").exists();
    if fits && (preferred.join("daemon.sock").exists() || !pointed) { preferred } else { fallback }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_changes_nothing_and_sees_what_opening_made() {
        let parent = tempfile::tempdir().unwrap();
        for name in ["short".to_owned(), "x".repeat(100)] {
            let directory = parent.path().join(name);
            assert_eq!(BoardRoot::look(&directory).unwrap(), None);
            assert!(!directory.exists());
            let opened = BoardRoot::open(&directory).unwrap();
            let before = listing(&directory);
            let seen = BoardRoot::look(&directory).unwrap().unwrap();
            assert_eq!(seen.root, opened);
            assert_eq!((seen.mode, seen.mark, seen.sockets_mode), (0o700, Mark::Ours, Some(0o700)));
            assert_eq!(listing(&directory), before);
            let _ = fs::remove_dir(seen.root.sockets());
        }
    }

    fn listing(directory: &Path) -> Vec<PathBuf> {
        let mut names: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_opening_refuses_looking_refuses() {
        let directory = tempfile::tempdir().unwrap();
        BoardRoot::open(directory.path()).unwrap();
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(BoardRoot::look(directory.path()).unwrap().unwrap().mode, 0o755);
        fs::write(directory.path().join("machine"), "").unwrap();
        assert_eq!(BoardRoot::look(directory.path()).unwrap().unwrap().mark, Mark::Missing);
        fs::write(directory.path().join("machine"), "elsewhere").unwrap();
        assert!(matches!(BoardRoot::look(directory.path()), Err(RootError::OtherMachine { .. })));
        let file = directory.path().join("machine");
        assert!(matches!(BoardRoot::look(&file), Err(RootError::NotOurs { .. })));
    }
}
