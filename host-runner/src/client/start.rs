//! Starts a detached daemon and ends an older one. Called by [`super::DaemonClient`] and by whoever supervises.
//!
//! It signals only a process whose identity was checked (field report F12), and never touches hosts.

use super::{ClientError, environment::forget_session};
use crate::{process, program::own_program, root::BoardRoot, wire};
use board_protocol::{ids::ProcessIdentity, text::plain};
use board_text::client as texts;
use rustix::process::Signal;
use std::{
    fs,
    io::{self, Read, Seek},
    os::unix::fs::OpenOptionsExt,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The daemon's log inside the root's log directory.
pub(crate) const LOG_NAME: &str = "daemon.log";
/// A log over this size is put aside when it is opened the next time; one older log is kept.
pub(crate) const MAX_LOG_BYTES: u64 = 1024 * 1024;
/// How much of the log's end is searched for its last line.
const LAST_WORDS_BYTES: u64 = 4096;
/// How long an older daemon may take to end after SIGTERM (reference C.3).
const END_DEADLINE: Duration = Duration::from_secs(3);
/// How often its end is looked for.
const END_POLL: Duration = Duration::from_millis(20);

/// Starts a daemon for `root` that outlives the caller: in a session of its own, without a terminal, its output in the
/// root's log, its directory `/`. Returns once it runs, which is before it answers.
///
/// It starts through an intermediate process that ends at once. So the daemon is nobody's child: no caller keeps a
/// zombie of it, and it has no zellij server among its ancestors.
///
/// # Errors
/// The log cannot be opened or the program cannot be started.
pub fn spawn_daemon(root: &BoardRoot) -> io::Result<()> {
    let log = open_log(root, LOG_NAME)?;
    let mut command = Command::new(own_program()?);
    command
        .args(["daemon", "--detach"])
        .env("AGENT_BOARD_ROOT", root.directory())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    forget_session(&mut command);
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(texts::detach_failed(status))) }
}

/// Opens a log of the root for appending; one that is too long is put aside first.
///
/// # Errors
/// The file cannot be opened.
pub(crate) fn open_log(root: &BoardRoot, name: &str) -> io::Result<fs::File> {
    let path = root.logs().join(name);
    if fs::metadata(&path).is_ok_and(|meta| meta.len() > MAX_LOG_BYTES) {
        // One that cannot be put aside grows on: better than no log.
        let _ = fs::rename(&path, root.logs().join(format!("{name}.old")));
    }
    fs::OpenOptions::new().create(true).append(true).mode(0o600).open(&path)
}

/// Removes the marker of a shutdown: a person wants the board again.
pub(super) fn remove_shutdown_marker(root: &BoardRoot) -> Result<(), ClientError> {
    let path = root.shutdown_marker();
    // On a read-only disk removing what is not there is an error, and a running daemon could not even be asked.
    if fs::symlink_metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(());
    }
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ClientError::Root { path, reason: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// Ends a daemon that is too old to speak with us: SIGTERM, then waits until exactly that process is gone.
pub(super) fn end_older_daemon(older: ProcessIdentity, root: &BoardRoot) -> Result<(), ClientError> {
    // What it says about itself must be what the kernel says about the listener.
    if listener_pid(root) != Some(older.pid) {
        return Ok(());
    }
    // Should the signal not get through, the daemon stays, and the wait below says so.
    let _ = process::signal(older, Signal::TERM);
    let deadline = Instant::now() + END_DEADLINE;
    while process::is_running(older) {
        if Instant::now() >= deadline {
            return Err(ClientError::OlderStays(older.pid));
        }
        std::thread::sleep(END_POLL);
    }
    Ok(())
}

/// The process of a daemon that does not answer: the listener, or, when even its queue is full, who signed the lock.
pub(super) fn silent_pid(root: &BoardRoot) -> Option<u32> {
    listener_pid(root).or_else(|| {
        let signed = fs::read_to_string(root.daemon_lock()).ok()?;
        let mut words = signed.split_ascii_whitespace();
        let identity =
            ProcessIdentity { pid: words.next()?.parse().ok()?, start_ticks: words.next()?.parse().ok()? };
        process::is_running(identity).then_some(identity.pid)
    })
}

/// The process that listens on the daemon's socket, from the kernel.
pub(super) fn listener_pid(root: &BoardRoot) -> Option<u32> {
    let stream = wire::connect(&root.daemon_socket(), Duration::ZERO).ok()?;
    let peer = rustix::net::sockopt::socket_peercred(stream).ok()?;
    u32::try_from(peer.pid.as_raw_nonzero().get()).ok()
}

/// The last thing that a daemon said, for a person who waits for it in vain.
pub(super) fn last_words(root: &BoardRoot) -> Option<String> {
    let mut log = fs::File::open(root.logs().join(LOG_NAME)).ok()?;
    let length = log.metadata().ok()?.len();
    log.seek(io::SeekFrom::Start(length.saturating_sub(LAST_WORDS_BYTES))).ok()?;
    let mut bytes = Vec::new();
    log.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().rev().map(plain).find(|line| !line.is_empty())?;
    Some(line.strip_prefix("host-runner: ").unwrap_or(&line).to_owned())
}
