//! Programs: where this one is, which ones a `PATH` has, and what they answer to a question, within a limit of time and
//! bytes.
//!
//! Called by the adapters, the checks before a start, the doctor, and whoever chooses a zellij or starts another role of
//! this program. It never waits longer than its caller allows, whatever a program prints or leaves running.

use board_text::program as texts;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{Access, AtFlags, CWD, accessat},
    process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open},
};
use std::{
    ffi::OsStr,
    io::{self, Read},
    os::{fd::AsFd, unix::process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Where programs are looked for when the environment has no PATH, as `execvp` does on Linux.
pub(crate) const FALLBACK_PATH: &str = "/bin:/usr/bin";
/// How long a program may take to answer where nobody waits for more than that: some agents start an interpreter and look
/// for updates first.
pub(crate) const LIMIT: Duration = Duration::from_secs(5);
/// Most bytes of an answer: a version is a line. What follows is read and dropped, so that the program can end.
const MAX_BYTES: usize = 16 * 1024;
/// No look for updates, no colours: only the answer.
const QUIET: [(&str, &str); 3] = [("PI_OFFLINE", "1"), ("DISABLE_AUTOUPDATER", "1"), ("NO_COLOR", "1")];

/// The absolute path of this program for whoever starts it later (a layout, an agent's hook): links resolved, and without
/// the mark that the kernel puts on a file that was replaced meanwhile (`proc_pid_exe(5)`).
///
/// # Errors
/// The kernel does not say.
pub(crate) fn runner_path() -> io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    let path = replacement(&path).unwrap_or(path);
    Ok(path.canonicalize().unwrap_or(path))
}

/// The file that an update has put in the place of the one that this path marks as deleted.
fn replacement(path: &Path) -> Option<PathBuf> {
    path.to_str()?.strip_suffix(" (deleted)").map(PathBuf::from).filter(|now| now.exists())
}

/// This program for starting another role of it now: the same build, which both ends of what is said between them were
/// made for. So a file that was replaced or removed is not [`runner_path`]'s: the kernel still knows the running one.
///
/// # Errors
/// The kernel does not say.
pub(crate) fn own_program() -> io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    Ok(if path.exists() { path } else { PathBuf::from("/proc/self/exe") })
}

/// The first executable of this name in the absolute directories of a `PATH`. The others are relative to a directory that
/// nobody means here.
pub(crate) fn on_path(name: &str, path: &OsStr) -> Option<PathBuf> {
    let directories = std::env::split_paths(path).filter(|directory| directory.is_absolute());
    first(name, directories)
}

/// The first executable of this name in a `PATH`, as a program that runs in `cwd` would find it.
pub(crate) fn on_path_in(cwd: &Path, name: &str, path: &OsStr) -> Option<PathBuf> {
    first(name, std::env::split_paths(path).map(|directory| cwd.join(directory)))
}

fn first(name: &str, directories: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    directories.map(|directory| directory.join(name)).find(|file| is_executable(file))
}

/// Whether this is a file that this user may run.
pub(crate) fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file()) && may_enter_or_run(file)
}

/// Whether this user may run this file, or enter this directory.
pub(crate) fn may_enter_or_run(path: &Path) -> bool {
    accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS).is_ok()
}

/// What a program prints to its standard output until it ends. One that has not ended within `limit` is killed, with what
/// it started. What a program leaves running behind it, such as its own update, is let alone and not waited for.
///
/// # Errors
/// Why there is no answer, for people.
pub(crate) fn ask(
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
        .process_group(0)
        .envs(QUIET);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let mut child = command.spawn().map_err(|error| texts::cannot_run(&error))?;
    match answer(&mut child, Instant::now() + limit) {
        Ok(Some(bytes)) => match child.wait() {
            Ok(status) if status.success() => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Ok(status) => Err(texts::failed_with(status)),
            Err(error) => Err(texts::failed(&error)),
        },
        Ok(None) => {
            end(&mut child);
            Err(texts::no_answer(limit.as_secs_f32()))
        }
        Err(error) => {
            end(&mut child);
            Err(texts::cannot_listen(&error))
        }
    }
}

/// Ends a child that was not reaped yet, so that the pid is still its own, and everything in its process group.
fn end(child: &mut Child) {
    if let Some(group) = pid(child) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// What the child has printed when it has ended; `None` if it has not by then. The end of its output says nothing: it may
/// close that and stay, or end and leave it to another.
fn answer(child: &mut Child, end: Instant) -> io::Result<Option<Vec<u8>>> {
    let mut out = child.stdout.take();
    let pid = pid(child).ok_or(io::ErrorKind::NotFound)?;
    let ended = pidfd_open(pid, PidfdFlags::empty())?;
    let mut bytes = Vec::new();
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        // Looked at before the output: what an ended child printed is then there already.
        let over = is_ready(&ended)?;
        let mut printed = false;
        if let Some(pipe) = &mut out {
            printed = is_ready(pipe)?;
            if printed && !take(pipe, &mut bytes)? {
                out = None;
            }
        }
        if over && (!printed || out.is_none() || bytes.len() >= MAX_BYTES) {
            return Ok(Some(bytes));
        }
        if over || printed {
            continue;
        }
        let timeout = Timespec::try_from(left).ok();
        let mut waits = vec![PollFd::new(&ended, PollFlags::IN)];
        waits.extend(out.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        match poll(&mut waits, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Reads once and keeps what there is room for; whether there may be more.
fn take(out: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut chunk = [0; 4096];
    let count = out.read(&mut chunk)?;
    let kept = count.min(MAX_BYTES.saturating_sub(bytes.len()));
    bytes.extend_from_slice(chunk.get(..kept).unwrap_or_default());
    Ok(count > 0)
}

fn is_ready(file: &impl AsFd) -> io::Result<bool> {
    // A look: it does not wait, so no signal interrupts it.
    Ok(poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&Timespec::default()))? > 0)
}

#[cfg(test)]
mod tests;
