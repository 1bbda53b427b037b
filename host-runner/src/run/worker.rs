//! The worker of a run: the agent's program in a process group of its own, with pipes instead of a terminal.
//!
//! Called by [`super::drive`] alone. It starts it and reads what it prints; what that means and how it is ended is not
//! its business.

use crate::{agents::launching::inherited, coordinator::NO_SWEEP, kernel, mcp, process};
use board_protocol::{ids::ProcessIdentity, run::RunLaunch};
use board_text::run as texts;
use rustix::{
    fs::{MemfdFlags, fcntl_getfl, fcntl_setfl, memfd_create},
    io::Errno,
};
use std::{
    ffi::OsString,
    fs::File,
    io::{self, Read, Seek, Write},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::process::CommandExt,
    },
    process::{Command, Stdio},
};

/// What belongs to the terminal of a session, and so to no run, and the secret of a run that this one was started from.
const FOREIGN: [&str; 3] = ["AGENT_BOARD_SOCKET", mcp::TOKEN, mcp::RUN_TOKEN];

/// A running worker.
#[derive(Debug)]
pub(super) struct Worker {
    /// Its process, the leader of its group.
    pub(super) process: ProcessIdentity,
    /// What it prints; `None` once that is over.
    pub(super) output: Option<Pipe>,
    /// What it complains about; `None` once that is over.
    pub(super) errors: Option<Pipe>,
}

/// One pipe of a worker, never waited for.
#[derive(Debug)]
pub(super) struct Pipe(File);

/// What one read gave.
pub(super) enum PipeRead {
    /// So many bytes.
    Some(usize),
    /// Nothing at the moment.
    Nothing,
    /// It is over.
    Over,
}

impl Worker {
    /// Starts it.
    ///
    /// # Errors
    /// Why it could not be started, for the person.
    pub(super) fn start(launch: &RunLaunch) -> Result<Self, String> {
        let (program, arguments) =
            launch.argv.split_first().ok_or_else(|| texts::nothing_to_execute().to_owned())?;
        let input = match &launch.input {
            Some(text) => Stdio::from(held(text).map_err(|error| texts::cannot_keep_prompt(&error))?),
            None => Stdio::null(),
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(environment(launch))
            .current_dir(&launch.cwd)
            .process_group(0)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        kernel::ends_with_its_starter(&mut command);
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if std::fs::metadata(&launch.cwd).is_err() => {
                texts::no_directory(program, &launch.cwd)
            }
            io::ErrorKind::NotFound => texts::not_found(program),
            _ => texts::cannot_start(program, &error),
        })?;
        let pid = child.id();
        let process =
            process::stat(pid).map_or(ProcessIdentity { pid, start_ticks: 0 }, |stat| stat.identity);
        let pipe = |fd: Option<OwnedFd>| fd.and_then(|fd| Pipe::new(fd).ok());
        let output = pipe(child.stdout.take().map(OwnedFd::from));
        let errors = pipe(child.stderr.take().map(OwnedFd::from));
        // Reaped by the run's signals, like everything below it.
        Ok(Self { process, output, errors })
    }
}

impl Pipe {
    fn new(fd: OwnedFd) -> io::Result<Self> {
        fcntl_setfl(&fd, fcntl_getfl(&fd)? | rustix::fs::OFlags::NONBLOCK)?;
        Ok(Self(File::from(fd)))
    }

    /// Reads what there is.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> PipeRead {
        loop {
            return match self.0.read(buffer) {
                Ok(0) => PipeRead::Over,
                Ok(count) => PipeRead::Some(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => PipeRead::Nothing,
                Err(_) => PipeRead::Over,
            };
        }
    }
}

impl AsFd for Pipe {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// A text as a file without a name: a worker that reads slowly, or never, keeps nobody waiting.
fn held(text: &str) -> io::Result<File> {
    let fd = memfd_create("prompt", MemfdFlags::CLOEXEC).map_err(|error: Errno| io::Error::from(error))?;
    let mut file = File::from(fd);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

/// The launch's environment with what marks the session (decision 12).
fn environment(launch: &RunLaunch) -> Vec<(OsString, OsString)> {
    let ours = [
        ("PWD", launch.cwd.as_str()),
        ("AGENT_BOARD_ROOT", &launch.root),
        // What it leaves behind can be found by this.
        ("AGENT_BOARD_SESSION", launch.session.as_str()),
        // A worker never ends idle hosts (reference D.7).
        (NO_SWEEP, "1"),
    ];
    let mut all: Vec<(OsString, OsString)> = inherited(&launch.environment)
        .filter(|(name, _)| {
            !FOREIGN.iter().any(|foreign| name == foreign) && !ours.iter().any(|(our, _)| name == our)
        })
        .collect();
    all.extend(ours.map(|(name, value)| (name.into(), value.into())));
    // Under a name of its own: hooks in the same environment do not know it, and report nothing for a run.
    all.extend(launch.token.iter().map(|token| (mcp::RUN_TOKEN.into(), token.as_str().into())));
    all
}
