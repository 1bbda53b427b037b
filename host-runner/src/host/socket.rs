//! The host's listening socket: bound before the program starts, private, and removed by its owner only.

use crate::wire::check_peer;
use std::{
    fs, io,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::{
            fs::{MetadataExt, PermissionsExt},
            net::{UnixListener, UnixStream},
        },
    },
    path::{Path, PathBuf},
};

/// A bound socket.
#[derive(Debug)]
pub(super) struct Listener {
    listener: UnixListener,
    path: PathBuf,
    /// Device and inode of what we bound.
    inode: (u64, u64),
}

impl Listener {
    /// Binds the socket (0600, non-blocking). A path that exists already is somebody else's.
    pub(super) fn bind(path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        let meta = fs::symlink_metadata(path)?;
        Ok(Self { listener, path: path.to_owned(), inode: (meta.dev(), meta.ino()) })
    }

    /// The next connection of the same user; others are closed at once.
    pub(super) fn accept(&self) -> Option<UnixStream> {
        loop {
            let (stream, _) = match self.listener.accept() {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return None,
            };
            if let Err(error) = check_peer(&stream) {
                tracing::warn!("a connection was closed: {error}");
                continue;
            }
            if stream.set_nonblocking(true).is_ok() {
                return Some(stream);
            }
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

impl Drop for Listener {
    /// Removes the socket file unless a successor bound the same path (field report F13).
    fn drop(&mut self) {
        let ours = fs::symlink_metadata(&self.path).is_ok_and(|meta| (meta.dev(), meta.ino()) == self.inode);
        if ours {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Field report F13: an old process deleted its successor's socket on exit.
    #[test]
    fn f13_only_the_socket_that_was_bound_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let old = Listener::bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(Listener::bind(&path).is_err());
        fs::rename(&path, directory.path().join("aside")).unwrap();
        let new = Listener::bind(&path).unwrap();
        drop(old);
        assert!(UnixStream::connect(&path).is_ok());
        drop(new);
        assert!(!path.exists());
    }
}
