//! A terminal of a test's own with `host-runner attach` in it.

use super::{Board, PATIENCE};
use board_protocol::ids::{ProcessIdentity, Size};
use host_runner::process;
use pty_process::blocking::{Command, Pts, Pty, open};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, pidfd_open},
    termios::{OptionalActions, Termios, tcgetattr, tcsetattr},
};
use std::{
    io::{Read, Write},
    num::NonZero,
    process::Child,
    time::{Duration, Instant},
};

pub(crate) struct Pane {
    pty: Pty,
    slave: Pts,
    child: Child,
    pub(crate) screen: vt100::Parser,
    /// Everything that was written to this terminal.
    pub(crate) raw: Vec<u8>,
    pub(crate) before: String,
}

impl Pane {
    /// Runs `host-runner` with these arguments on a terminal of this size.
    pub(crate) fn open(board: &Board, size: Size, arguments: &[&str]) -> Self {
        Self::open_with(board, size, arguments, &[])
    }

    /// As [`Pane::open`], with these variables set.
    pub(crate) fn open_with(
        board: &Board,
        size: Size,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let (pty, slave) = open().unwrap();
        pty.resize(pty_process::Size::new(size.rows, size.cols)).unwrap();
        let before = settings(&slave);
        let child = Command::new(env!("CARGO_BIN_EXE_host-runner"))
            .args(arguments)
            .env("AGENT_BOARD_ROOT", board.root.directory())
            .env_remove("AGENT_BOARD_SESSION")
            .env_remove("ZELLIJ_PANE_ID")
            .envs(environment.iter().copied())
            .spawn_borrowed(&slave)
            .unwrap();
        let screen =
            vt100::Parser::new(NonZero::new(size.rows).unwrap(), NonZero::new(size.cols).unwrap(), 500);
        Self { pty, slave, child, screen, raw: Vec::new(), before }
    }

    pub(crate) fn identity(&self) -> ProcessIdentity {
        process::stat(self.child.id()).unwrap().identity
    }

    pub(crate) fn type_in(&mut self, bytes: &[u8]) {
        self.pty.write_all(bytes).unwrap();
    }

    pub(crate) fn resize(&mut self, size: Size) {
        self.screen.screen_mut().set_size(NonZero::new(size.rows).unwrap(), NonZero::new(size.cols).unwrap());
        self.pty.resize(pty_process::Size::new(size.rows, size.cols)).unwrap();
    }

    /// The terminal's line settings.
    pub(crate) fn settings(&self) -> String {
        settings(&self.slave)
    }

    /// Bytes that were typed and that nobody read: the next program on this terminal would get them.
    pub(crate) fn unread(&self) -> u64 {
        rustix::io::ioctl_fionread(&self.slave).unwrap()
    }

    pub(crate) fn contents(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads what was written, until `done` or the time is up.
    fn read_until(&mut self, time: Duration, done: impl Fn(&Self) -> bool) -> bool {
        let end = Instant::now() + time;
        let mut chunk = [0; 64 * 1024];
        while !done(self) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
            if let Ok(0) = poll(&mut [PollFd::new(&self.pty, PollFlags::IN)], Some(&timeout)) {
                return false;
            }
            let Ok(count) = self.pty.read(&mut chunk) else { return done(self) };
            self.screen.process(&chunk[..count]);
            self.raw.extend_from_slice(&chunk[..count]);
        }
        true
    }

    pub(crate) fn wait_for(&mut self, text: &str) {
        let seen = self.read_until(PATIENCE, |pane| pane.contents().contains(text));
        assert!(seen, "{text:?} is not on the screen:\n{}", self.contents());
    }

    pub(crate) fn wait_until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let done = self.read_until(PATIENCE, done);
        assert!(done, "not so in time: {what}\n{}", self.contents());
    }

    pub(crate) fn wait_for_raw(&mut self, bytes: &[u8]) {
        let seen = self.read_until(PATIENCE, |pane| pane.raw.windows(bytes.len()).any(|part| part == bytes));
        assert!(seen, "{} was not written: {}", bytes.escape_ascii(), self.raw.escape_ascii());
    }

    /// What was typed and not read by anybody: the shell's next line.
    pub(crate) fn left_to_the_shell(&mut self) -> Vec<u8> {
        // A line that has not ended is read, too.
        let mut raw = tcgetattr(&self.slave).unwrap();
        raw.make_raw();
        tcsetattr(&self.slave, OptionalActions::Now, &raw).unwrap();
        let mut chunk = [0; 1024];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        match poll(&mut [PollFd::new(&self.slave, PollFlags::IN)], Some(&now)) {
            Ok(1) => {
                rustix::io::read(&self.slave, &mut chunk).map_or(Vec::new(), |count| chunk[..count].to_vec())
            }
            _ => Vec::new(),
        }
    }

    /// Whether the program has ended by now.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Reads to the end of the program and gives its exit code.
    pub(crate) fn wait_for_exit(&mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        let pid = Pid::from_raw(self.child.id() as i32).unwrap();
        let ended = pidfd_open(pid, PidfdFlags::empty()).unwrap();
        let mut chunk = [0; 64 * 1024];
        loop {
            let timeout = Timespec { tv_sec: 1, tv_nsec: 0 };
            let mut fds = [PollFd::new(&self.pty, PollFlags::IN), PollFd::new(&ended, PollFlags::IN)];
            poll(&mut fds, Some(&timeout)).unwrap();
            let readable = fds[0].revents().contains(PollFlags::IN);
            let over = !fds[1].revents().is_empty();
            if readable && let Ok(count) = self.pty.read(&mut chunk) {
                self.screen.process(&chunk[..count]);
                self.raw.extend_from_slice(&chunk[..count]);
            } else if over {
                return self.child.wait().unwrap().code();
            }
            assert!(Instant::now() < end, "it does not end:\n{}", self.contents());
        }
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn settings(slave: &Pts) -> String {
    let Termios { input_modes, output_modes, control_modes, local_modes, special_codes, .. } =
        tcgetattr(slave).unwrap();
    format!("{input_modes:?} {output_modes:?} {control_modes:?} {local_modes:?} {special_codes:?}")
}
