//! The PTY and the program on it.
//!
//! The host keeps the slave side open as well: a program that closes its terminal would otherwise leave the master
//! hung up, and `poll` would report that for ever (field report G3).

use crate::{agents::launching::inherited, backlog::Backlog};
use board_protocol::{
    host::HostLaunch,
    ids::{ProcessIdentity, Size},
};
use board_text::host as texts;
use pty_process::blocking::{Command, Pts, Pty as Master, open};
use rustix::{
    fs::OFlags,
    process::Signal,
    termios::{InputModes, LocalModes, OptionalActions},
};
use std::{
    ffi::OsString,
    io::{self, Read},
    os::fd::{AsFd, BorrowedFd},
    path::Path,
};

/// Most input that waits for a program that does not read: a paste of 1 MiB (field report D3) and what follows it. Beyond
/// it clients are not read until the program does.
pub(super) const MAX_WAITING_INPUT: usize = 1024 * 1024 + 256 * 1024;
/// Most input that waits while a question of the program is still answered: one that asks for ever and never reads must
/// neither fill the memory nor keep the person's keys out. It is many times what a program asks at its start.
const MAX_WAITING_BEFORE_ANSWER: usize = 64 * 1024;

/// Variables that describe a terminal in which the session does not run. `ZELLIJ_SESSION_NAME` stays: it names a session
/// that the program may talk to.
const FOREIGN_TERMINAL: [&str; 16] = [
    "ZELLIJ",
    "ZELLIJ_PANE_ID",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "WINDOWID",
    "COLUMNS",
    "LINES",
    "TERMCAP",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "VTE_VERSION",
    "KITTY_WINDOW_ID",
    "WEZTERM_PANE",
    "ALACRITTY_WINDOW_ID",
];

/// The two ends of the session's terminal.
pub(super) struct Pty {
    master: Master,
    slave: Pts,
    waiting: Backlog,
}

/// What a read of the PTY gave.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PtyRead {
    /// Bytes.
    Some(usize),
    /// Nothing now.
    Nothing,
    /// Nothing ever again.
    HungUp,
}

impl Pty {
    /// A terminal of this size with nobody on it.
    pub(super) fn open(size: Size) -> io::Result<Self> {
        let (master, slave) = open().map_err(io::Error::other)?;
        let flags = rustix::fs::fcntl_getfl(&master)?;
        rustix::fs::fcntl_setfl(&master, flags | OFlags::NONBLOCK)?;
        // Line editing in cooked mode erases whole characters.
        let mut modes = rustix::termios::tcgetattr(&slave)?;
        modes.input_modes |= InputModes::IUTF8;
        rustix::termios::tcsetattr(&slave, OptionalActions::Now, &modes)?;
        let pty = Self { master, slave, waiting: Backlog::default() };
        pty.resize(size)?;
        Ok(pty)
    }

    /// Starts the program: leader of its own kernel session and process group, this terminal as its controlling one, the
    /// launch's environment and nothing of the host's (field report F24).
    pub(super) fn spawn(&self, launch: &HostLaunch) -> Result<ProcessIdentity, String> {
        let Some((program, arguments)) = launch.argv.split_first() else {
            return Err(texts::nothing_to_run().to_owned());
        };
        if !Path::new(&launch.cwd).is_dir() {
            return Err(texts::no_directory(program, &launch.cwd));
        }
        let mut command = Command::new(program)
            .args(arguments)
            .current_dir(&launch.cwd)
            .env_clear()
            .envs(environment(launch));
        let child = command.spawn_borrowed(&self.slave).map_err(|error| match error {
            pty_process::Error::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                texts::not_found(program)
            }
            error => texts::cannot_start(program, &error),
        })?;
        Ok(crate::process::stat(child.id())
            .map_or(ProcessIdentity { pid: child.id(), start_ticks: 0 }, |stat| stat.identity))
    }

    /// Sets the size; the kernel sends SIGWINCH to the foreground process group if it changed.
    pub(super) fn resize(&self, size: Size) -> io::Result<()> {
        self.master.resize(pty_process::Size::new(size.rows, size.cols)).map_err(io::Error::other)
    }

    /// Sends a signal to the process group in the foreground.
    pub(super) fn signal_foreground(&self, signal: Signal) -> io::Result<()> {
        // The master may be asked by whoever has it; the slave only by those whose controlling terminal it is.
        let group = rustix::termios::tcgetpgrp(&self.master)?;
        Ok(rustix::process::kill_process_group(group, signal)?)
    }

    /// Whether the kernel puts lines together for the program, as it does for one that changed nothing.
    pub(super) fn reads_lines(&self) -> bool {
        rustix::termios::tcgetattr(&self.slave)
            .is_ok_and(|modes| modes.local_modes.contains(LocalModes::ICANON))
    }

    /// Reads what the program wrote.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> PtyRead {
        loop {
            return match self.master.read(buffer) {
                Ok(0) => PtyRead::HungUp,
                Ok(count) => PtyRead::Some(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => PtyRead::Nothing,
                // EIO: every slave was closed or hung up, and everything before it was read.
                Err(_) => PtyRead::HungUp,
            };
        }
    }

    /// Types bytes, now as far as the program takes them, the rest when it reads.
    pub(super) fn type_in(&mut self, bytes: &[u8]) {
        self.waiting.push(bytes);
        self.flush();
    }

    /// Answers questions of the program, unless it has long stopped reading what it asked for.
    pub(super) fn answer(&mut self, bytes: &[u8]) {
        if self.waiting_input() <= MAX_WAITING_BEFORE_ANSWER {
            self.type_in(bytes);
        }
    }

    /// Writes waiting input.
    pub(super) fn flush(&mut self) {
        self.waiting.write_to(&mut self.master);
    }

    /// Input that the program has not read yet, in bytes.
    pub(super) fn waiting_input(&self) -> usize {
        self.waiting.len()
    }
}

impl AsFd for Pty {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.master.as_fd()
    }
}

/// The launch's environment with what the host adds (decision 12).
fn environment(launch: &HostLaunch) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> = inherited(&launch.environment)
        .filter(|(name, _)| !FOREIGN_TERMINAL.iter().any(|foreign| name == foreign))
        .collect();
    let ours = [
        ("TERM", "xterm-256color"),
        ("COLORTERM", "truecolor"),
        ("PWD", &launch.cwd),
        ("AGENT_BOARD_ROOT", &launch.root),
        ("AGENT_BOARD_SESSION", launch.session.as_str()),
        ("AGENT_BOARD_SOCKET", &launch.socket),
        ("AGENT_BOARD_TOKEN", launch.token.as_str()),
    ];
    if let Some(prompt) = &launch.prompt {
        all.push((prompt.variable.clone().into(), prompt.path.clone().into()));
    }
    all.retain(|(name, _)| !ours.iter().any(|(our, _)| name == our));
    all.extend(ours.map(|(name, value)| (name.into(), value.into())));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_asks_and_never_reads_costs_a_bounded_memory() {
        let mut pty = Pty::open(Size { cols: 80, rows: 24 }).unwrap();
        // Raw: the kernel then keeps what nobody reads, and the rest waits here.
        let mut modes = rustix::termios::tcgetattr(&pty.slave).unwrap();
        modes.make_raw();
        rustix::termios::tcsetattr(&pty.slave, OptionalActions::Now, &modes).unwrap();
        let answers = [b'a'; 4096];
        for _ in 0..1000 {
            pty.answer(&answers);
        }
        assert!(
            pty.waiting_input() > MAX_WAITING_BEFORE_ANSWER,
            "the kernel took everything; the test needs more"
        );
        assert!(pty.waiting_input() <= MAX_WAITING_BEFORE_ANSWER + answers.len());
        // The person's own words still go through.
        let before = pty.waiting_input();
        pty.type_in(b"x");
        assert_eq!(pty.waiting_input(), before + 1);
    }
}
