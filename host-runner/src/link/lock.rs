//! One link per zellij server: a lock file in the root's run directory, named after the server.
//!
//! Whoever comes second tells the first one that it is missed, and leaves.

use crate::{process, root::BoardRoot};
use board_protocol::ids::ProcessIdentity;
use rustix::{
    fs::{FlockOperation, flock},
    process::Signal,
};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How long a link that is just leaving may keep the lock: a board that was closed and opened again must get one.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the lock is tried meanwhile.
const POLL: Duration = Duration::from_millis(20);

/// The lock, while this link lives.
#[derive(Debug)]
pub(super) struct LinkLock {
    path: PathBuf,
    file: File,
    noted: Option<Boards>,
}

/// Whether a board answers the link, as its file tells it to `doctor`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boards {
    /// At least one does: the round trip works.
    Answer,
    /// None does.
    Silent,
}

impl Boards {
    /// Both words have one length, so that a note is one write over the last one and is never read half.
    const fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Silent => "silent",
        }
    }
}

impl LinkLock {
    /// Takes the lock of a zellij server. `None`: another link has it, and was told that it is missed.
    pub(super) fn take(root: &BoardRoot, server: ProcessIdentity) -> io::Result<Option<Self>> {
        let socket = root.daemon_socket();
        let directory = socket.parent().unwrap_or(root.directory());
        let path = directory.join(format!("link-{}.lock", server.pid));
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(file) = try_lock(&path)? {
                return Ok(Some(Self { path, file, noted: None }));
            }
            if Instant::now() >= deadline {
                tell_owner(&path);
                return Ok(None);
            }
            std::thread::sleep(POLL);
        }
    }

    /// Writes down whether a board answers, when that changed. A disk that does not take it costs `doctor` a line.
    pub(super) fn note(&mut self, boards: Boards) {
        if self.noted != Some(boards) {
            self.noted = Some(boards);
            let text = format!("{}\n{}", owner_line(process::own_identity()), boards.word());
            let _ = self.file.write_all_at(text.as_bytes(), 0);
        }
    }
}

/// The place of one zellij server's link, as its file tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seat {
    /// The file.
    pub(crate) path: PathBuf,
    /// The server.
    pub(crate) server_pid: u32,
    /// The link that took it last; it may be gone.
    pub(crate) owner: Option<ProcessIdentity>,
    /// Whether a board answered it last; `None` when it has not said so.
    pub(crate) boards: Option<Boards>,
}

/// Every place in a socket directory. Nothing is locked: a link that starts meanwhile must not be disturbed.
pub(crate) fn seats(directory: &Path) -> Vec<Seat> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut seats: Vec<Seat> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let server_pid = name.to_str()?.strip_prefix("link-")?.strip_suffix(".lock")?.parse().ok()?;
            let path = entry.path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            let noted = text.lines().nth(1);
            let boards =
                [Boards::Answer, Boards::Silent].into_iter().find(|boards| noted == Some(boards.word()));
            Some(Seat { path, server_pid, owner: parse(&text), boards })
        })
        .collect();
    seats.sort_by_key(|seat| seat.server_pid);
    seats
}

impl Drop for LinkLock {
    fn drop(&mut self) {
        // Still locked: nobody else can have taken this file for its own.
        let _ = fs::remove_file(&self.path);
    }
}

fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    // The last owner may have removed the file between our opening and our locking it.
    if fs::metadata(path).ok().map(|meta| meta.ino()) != Some(file.metadata()?.ino()) {
        return Ok(None);
    }
    let own = process::own_identity();
    file.set_len(0)?;
    file.write_all(owner_line(own).as_bytes())?;
    Ok(Some(file))
}

/// Signals the owner, if the file names exactly the process that runs now (field report F12).
fn tell_owner(path: &Path) {
    let text = fs::read_to_string(path).unwrap_or_default();
    // One that cannot be told speaks with its own next line.
    if let Some(owner) = parse(&text) {
        let _ = process::signal(owner, Signal::USR1);
    }
}

fn owner_line(owner: ProcessIdentity) -> String {
    format!("{} {}", owner.pid, owner.start_ticks)
}

fn parse(text: &str) -> Option<ProcessIdentity> {
    let (pid, start_ticks) = text.lines().next()?.split_once(' ')?;
    Some(ProcessIdentity { pid: pid.parse().ok()?, start_ticks: start_ticks.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_gets_nothing_until_the_first_leaves() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("link-1.lock");
        let first = try_lock(&path).unwrap().unwrap();
        assert_eq!(parse(&fs::read_to_string(&path).unwrap()), Some(process::own_identity()));
        assert!(try_lock(&path).unwrap().is_none());
        let mut lock = LinkLock { path: path.clone(), file: first, noted: None };
        let seat = || seats(directory.path()).pop().unwrap();
        assert_eq!((seat().server_pid, seat().boards), (1, None));
        for boards in [Boards::Silent, Boards::Answer, Boards::Silent] {
            lock.note(boards);
            assert_eq!((seat().owner, seat().boards), (Some(process::own_identity()), Some(boards)));
        }
        drop(lock);
        assert!(!path.exists());
        assert!(try_lock(&path).unwrap().is_some());
    }

    #[test]
    fn the_owner_is_only_named_in_full() {
        for bad in ["", "1", "1 ", "x 2", "1 2 3"] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
    }
}
