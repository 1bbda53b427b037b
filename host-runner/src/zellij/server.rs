//! zellij servers: found among a process's ancestors or by their socket, told apart by pid and start time.

use crate::process;
use board_protocol::ids::ProcessIdentity;
use std::{
    ffi::OsString,
    fs,
    os::unix::ffi::OsStringExt,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// Ancestors looked at before we give up: a loop in what `/proc` says must not be followed for ever.
const MAX_ANCESTORS: usize = 64;
/// zellij keeps the sockets of one client-server contract in a directory of this kind inside its socket directory.
const CONTRACT_DIRECTORY: &str = "contract_version_";

/// A running zellij server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    /// Its process.
    pub(crate) identity: ProcessIdentity,
    /// The socket that it was started with. A renamed session has moved it.
    pub(crate) socket: PathBuf,
}

impl Server {
    /// The binary that it runs, also after the file was replaced or removed: the kernel keeps it.
    pub(crate) fn binary(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/exe", self.identity.pid))
    }

    /// What `ZELLIJ_SOCKET_DIR` must be for a client of this server: the directory above the contract's own.
    pub(crate) fn socket_directory(&self) -> Option<&Path> {
        let contract = self.socket.parent()?;
        let is_contract = contract.file_name()?.to_str()?.starts_with(CONTRACT_DIRECTORY);
        if is_contract { contract.parent() } else { None }
    }
}

/// The zellij server in whose pane this process runs: the nearest one among its ancestors.
pub(crate) fn among_ancestors(pid: u32) -> Option<Server> {
    ancestor(pid).map(|(server, _)| server)
}

/// The same, and how many generations up it is: the parent is one.
pub(crate) fn ancestor(pid: u32) -> Option<(Server, usize)> {
    let mut next = process::stat(pid)?.parent;
    for generation in 1..=MAX_ANCESTORS {
        if next <= 1 {
            return None;
        }
        if let Some(server) = at(next) {
            return Some((server, generation));
        }
        next = process::stat(next)?.parent;
    }
    None
}

/// Every zellij server of this user.
pub(crate) fn all() -> Vec<Server> {
    let own = rustix::process::getuid().as_raw();
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter(|entry| entry.metadata().is_ok_and(|meta| meta.uid() == own))
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(at)
        .collect()
}

/// The server that this process is, if it is one.
pub(crate) fn at(pid: u32) -> Option<Server> {
    let arguments = arguments(&fs::read(format!("/proc/{pid}/cmdline")).ok()?);
    let socket = server_socket(&arguments)?;
    Some(Server { identity: process::identify(pid)?, socket })
}

fn arguments(cmdline: &[u8]) -> Vec<OsString> {
    cmdline
        .strip_suffix(b"\0")
        .unwrap_or(cmdline)
        .split(|byte| *byte == 0)
        .map(|bytes| OsString::from_vec(bytes.to_vec()))
        .collect()
}

/// `zellij --server <socket>`: started so by zellij's own client, whatever surrounds the name (`zellij-0.45.1`,
/// `.zellij-wrapped`; `/proc/<pid>/exe` when it was started from there).
fn server_socket(arguments: &[OsString]) -> Option<PathBuf> {
    let program = Path::new(arguments.first()?);
    let name = program.file_name()?.to_str()?;
    if !(name.contains("zellij") || program.starts_with("/proc")) {
        return None;
    }
    let at = arguments.iter().position(|argument| argument == "--server")?;
    let socket = PathBuf::from(arguments.get(at + 1)?);
    socket.is_absolute().then_some(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        arguments(line.replace(' ', "\0").as_bytes())
    }

    #[test]
    fn a_server_is_known_by_its_command_line() {
        let socket = |line: &str| server_socket(&words(line));
        let path = "/run/u/zellij/contract_version_1/board";
        assert_eq!(socket(&format!("/opt/zellij --server {path}")), Some(PathBuf::from(path)));
        assert_eq!(socket(&format!("zellij-0.45.1 --debug --server {path}")), Some(PathBuf::from(path)));
        assert_eq!(socket(&format!("/proc/7/exe --server {path}")), Some(PathBuf::from(path)));
        assert_eq!(socket(&format!("/opt/.zellij-wrapped --server {path}")), Some(PathBuf::from(path)));
        for other in [
            "zellij attach board",
            "zellij --server",
            "zellij --server x",
            "other --server /x",
            "/zellij/sh --server /x",
            "",
        ] {
            assert_eq!(socket(other), None, "{other}");
        }
    }

    #[test]
    fn the_socket_directory_is_above_the_contract() {
        let identity = process::own_identity();
        let server = |socket: &str| Server { identity, socket: socket.into() };
        assert_eq!(
            server("/run/u/zellij/contract_version_1/board").socket_directory(),
            Some(Path::new("/run/u/zellij"))
        );
        assert_eq!(server("/run/board").socket_directory(), None);
    }

    #[test]
    fn this_process_is_no_server_and_has_no_such_child() {
        assert_eq!(at(std::process::id()), None);
        assert_eq!(at(0), None);
    }
}
