//! The daemon's socket file: bound beside its name and renamed over it, so that there is never a moment without one,
//! and taken away at the end only if it is still this daemon's (field report F13).

use crate::root::BoardRoot;
use std::{
    fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    os::unix::net::UnixListener,
    path::{Path, PathBuf},
};

/// A bound socket.
#[derive(Debug)]
pub(super) struct DaemonSocket {
    path: PathBuf,
    inode: (u64, u64),
}

impl DaemonSocket {
    /// Binds. The lock is taken, so whatever stands there belongs to nobody who serves this root.
    pub(super) fn bind(root: &BoardRoot) -> io::Result<(Self, UnixListener)> {
        let path = root.daemon_socket();
        let fresh = path.with_extension("new");
        if let Err(error) = fs::remove_file(&fresh)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error);
        }
        let listener = UnixListener::bind(&fresh)?;
        fs::set_permissions(&fresh, fs::Permissions::from_mode(0o600))?;
        let inode = inode(&fresh)?;
        fs::rename(&fresh, &path)?;
        listener.set_nonblocking(true)?;
        Ok((Self { path, inode }, listener))
    }
}

impl Drop for DaemonSocket {
    fn drop(&mut self) {
        if inode(&self.path).is_ok_and(|found| found == self.inode) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn inode(path: &Path) -> io::Result<(u64, u64)> {
    let meta = fs::symlink_metadata(path)?;
    Ok((meta.dev(), meta.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    // Field report F13: an old daemon deleted its successor's socket when it ended.
    #[test]
    fn f13_the_end_of_an_old_daemon_leaves_its_successors_socket() {
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(directory.path()).unwrap();
        let (old, _old_listener) = DaemonSocket::bind(&root).unwrap();
        let (new, new_listener) = DaemonSocket::bind(&root).unwrap();
        drop(old);
        new_listener.set_nonblocking(false).unwrap();
        UnixStream::connect(root.daemon_socket()).unwrap();
        new_listener.accept().unwrap();
        drop(new);
        assert!(!root.daemon_socket().exists());
    }
}
