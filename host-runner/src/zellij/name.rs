//! The present name of a server's session. Names change: the command line keeps the first one, the environment of a pane
//! the one of its start; the socket in zellij's directory moves along.

use super::server::Server;
use std::{fs, os::unix::fs::FileTypeExt, path::Path};

/// Sockets tried at most when a session was renamed and nobody knows its name.
const MAX_PROBES: usize = 64;

/// Finds the name, given what the environment says. `None` when its socket is nowhere.
///
/// A connection to a zellij socket is a client for a moment, and zellij may confuse one that comes and goes with a person
/// who attaches just then. So sockets are only tried when the name cannot be known otherwise.
pub(crate) fn current(server: &Server, from_environment: Option<&str>, others: &[Server]) -> Option<String> {
    let directory = server.socket.parent()?;
    if let Some(name) = from_environment.filter(|name| is_certain(server, &directory.join(name), others)) {
        return Some(name.to_owned());
    }
    if let Some(name) = of_unrenamed(server, others) {
        return Some(name);
    }
    let entries = fs::read_dir(directory).ok()?;
    entries
        .flatten()
        .take(MAX_PROBES)
        .filter(|entry| is_socket(&entry.path()))
        .find(|entry| listener(&entry.path()) == Some(server.identity.pid))
        .and_then(|entry| entry.file_name().into_string().ok())
}

/// The name that the server was started with, if its socket is certainly still there. Nothing is connected to.
pub(crate) fn of_unrenamed(server: &Server, others: &[Server]) -> Option<String> {
    let name = server.socket.file_name()?.to_str()?;
    is_certain(server, &server.socket, others).then(|| name.to_owned())
}

/// Whether a socket is there and no other server was started with its path.
fn is_certain(server: &Server, path: &Path, others: &[Server]) -> bool {
    is_socket(path) && !others.iter().any(|other| other.identity != server.identity && other.socket == *path)
}

fn is_socket(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_socket())
}

fn listener(path: &Path) -> Option<u32> {
    let stream = crate::wire::connect(path, std::time::Duration::ZERO).ok()?;
    let peer = rustix::net::sockopt::socket_peercred(stream).ok()?;
    u32::try_from(peer.pid.as_raw_nonzero().get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process;
    use board_protocol::ids::ProcessIdentity;
    use std::os::unix::net::UnixListener;

    #[test]
    fn the_name_follows_the_socket() {
        let directory = tempfile::tempdir().unwrap();
        let identity = process::own_identity();
        let server = |name: &str| Server { identity, socket: directory.path().join(name) };
        let _listener = UnixListener::bind(directory.path().join("one")).unwrap();
        assert_eq!(current(&server("one"), None, &[]).as_deref(), Some("one"));
        assert_eq!(current(&server("one"), Some("stale"), &[]).as_deref(), Some("one"));
        // Renamed: only the listener's pid tells.
        fs::rename(directory.path().join("one"), directory.path().join("two")).unwrap();
        assert_eq!(current(&server("one"), Some("one"), &[]).as_deref(), Some("two"));
        // A later session that got the old name is another server's, although the file is there.
        fs::rename(directory.path().join("two"), directory.path().join("three")).unwrap();
        let _other = UnixListener::bind(directory.path().join("one")).unwrap();
        let later = Server { identity: ProcessIdentity { pid: 1, start_ticks: 0 }, ..server("one") };
        let name = current(&server("one"), Some("one"), &[server("one"), later]);
        // Both sockets are this test's own, so either answers; the old name is never taken unasked.
        assert!(name.is_some());
        assert_eq!(current(&server("gone"), None, &[]).as_deref(), name.as_deref());
    }
}
