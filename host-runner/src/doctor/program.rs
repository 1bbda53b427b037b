//! Programs on a `PATH`, and what they answer to a question, within a limit of time and bytes.

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, Signal, kill_process_group},
};
use std::{
    ffi::OsStr,
    io::Read,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

/// How long a program may take to answer: some agents start an interpreter and look for updates first.
pub(super) const LIMIT: Duration = Duration::from_secs(5);
/// Most bytes of an answer: a version is a line.
const MAX_BYTES: usize = 16 * 1024;
/// How often a program that closed its output is looked at until it has ended.
const END_POLL: Duration = Duration::from_millis(5);

/// The first executable of this name in the absolute directories of a `PATH`.
pub(super) fn find(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    std::env::split_paths(path?)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name))
        .find(|file| {
            file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
        })
}

/// What a program prints to its standard output. One that has not ended within `limit` is killed, with what it started.
/// What a program leaves running behind it, such as its own update, is let alone.
///
/// # Errors
/// Why there is no answer, for people.
pub(super) fn ask(
    program: &Path,
    arguments: &[&str],
    path: Option<&OsStr>,
    limit: Duration,
) -> Result<String, String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0);
    // No look for updates, no colours: only the answer.
    command.env("PI_OFFLINE", "1").env("NO_COLOR", "1");
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let mut child = command.spawn().map_err(|error| format!("it cannot be run: {error}"))?;
    let end = Instant::now() + limit;
    let output = child.stdout.take().map(|out| read_until(out, end));
    let ended = output.is_some() && wait_until(&mut child, end);
    if !ended {
        // Not reaped yet, so the pid is still this child's.
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = child.wait();
        return Err(format!("it did not answer within {} s", limit.as_secs_f32()));
    }
    let output = output.unwrap_or_default();
    match child.wait() {
        Ok(status) if status.success() => Ok(String::from_utf8_lossy(&output).into_owned()),
        Ok(status) => Err(format!("it failed ({status})")),
        Err(error) => Err(format!("it failed: {error}")),
    }
}

fn read_until(mut out: ChildStdout, end: Instant) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || bytes.len() >= MAX_BYTES {
            return bytes;
        }
        let timeout = Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(&out, PollFlags::IN)], timeout.as_ref()) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => return bytes,
        }
        match out.read(&mut chunk) {
            Ok(0) | Err(_) => return bytes,
            Ok(count) => bytes.extend_from_slice(chunk.get(..count).unwrap_or_default()),
        }
    }
}

fn wait_until(child: &mut Child, end: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) if Instant::now() < end => std::thread::sleep(END_POLL),
            _ => return false,
        }
    }
}
