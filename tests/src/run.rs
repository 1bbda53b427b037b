//! One command, run to its end with a deadline. It waits for the end of the output as well: a background process that
//! inherited standard output is a fault of the program under test.

use crate::wait::poll_for;
use rustix::{
    event::{PollFd, PollFlags},
    process::{Pid, PidfdFlags, pidfd_open},
};
use serde_json::Value;
use std::{
    io::{Read, Write},
    os::fd::AsFd,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// What a command said and how it ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Program and arguments.
    pub what: String,
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
}

impl Finished {
    /// Asserts an exit code.
    ///
    /// # Panics
    /// It is another one.
    pub fn expect_code(self, code: i32) -> Self {
        assert!(self.code == Some(code), "exit code {code} expected: {self:#?}");
        self
    }

    /// Asserts success.
    ///
    /// # Panics
    /// It failed.
    pub fn ok(self) -> Self {
        self.expect_code(0)
    }

    /// Standard output as JSON.
    ///
    /// # Panics
    /// It is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {self:#?}"))
    }

    /// Standard output without the line end, for commands that print one word.
    ///
    /// # Panics
    /// It is not one line.
    pub fn line(&self) -> String {
        let line = self.stdout.strip_suffix('\n').unwrap_or(&self.stdout);
        assert!(!line.is_empty() && !line.contains('\n'), "one line expected: {self:#?}");
        line.to_owned()
    }
}

/// Runs a command to its end, with `input` on its standard input.
///
/// # Panics
/// It cannot be started, or it (or its output) does not end within `deadline`.
pub fn run(mut command: Command, input: &[u8], deadline: Duration) -> Finished {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let what = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {what}: {error}"));
    // A command that does not read its input has no use for it.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    let (stdout, stderr) = read_both(&mut child, started + deadline, &what);
    let status = ended(&mut child, started + deadline, &what);
    Finished {
        what,
        code: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        took: started.elapsed(),
    }
}

fn read_both(child: &mut Child, end: Instant, what: &str) -> (Vec<u8>, Vec<u8>) {
    let mut out = child.stdout.take().expect("piped");
    let mut err = child.stderr.take().expect("piped");
    let (mut out_bytes, mut err_bytes) = (Vec::new(), Vec::new());
    let (mut out_open, mut err_open) = (true, true);
    while out_open || err_open {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let _ = child.kill();
            panic!(
                "{what} or a process that it left behind does not end its output; it said {:?} and {:?}",
                String::from_utf8_lossy(&out_bytes),
                String::from_utf8_lossy(&err_bytes)
            );
        }
        // A closed stream is not asked again: a poll on it would return at once for ever.
        let ready = {
            let flags = |open| if open { PollFlags::IN } else { PollFlags::empty() };
            let mut fds = [PollFd::new(&out, flags(out_open)), PollFd::new(&err, flags(err_open))];
            let watched = match (out_open, err_open) {
                (true, true) => &mut fds[..],
                (true, false) => &mut fds[..1],
                _ => &mut fds[1..],
            };
            poll_for(watched, left);
            fds.map(|fd| !fd.revents().is_empty())
        };
        if ready[0] && out_open {
            out_open = read_some(&mut out, &mut out_bytes);
        }
        if ready[1] && err_open {
            err_open = read_some(&mut err, &mut err_bytes);
        }
    }
    (out_bytes, err_bytes)
}

fn read_some(from: &mut impl Read, into: &mut Vec<u8>) -> bool {
    let mut chunk = [0; 16 * 1024];
    match from.read(&mut chunk) {
        Ok(0) | Err(_) => false,
        Ok(count) => {
            into.extend_from_slice(&chunk[..count]);
            true
        }
    }
}

/// Waits for the end of a child of this process.
///
/// # Panics
/// It does not end in time; it is killed then.
pub(crate) fn ended(child: &mut Child, end: Instant, what: &str) -> std::process::ExitStatus {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a pid");
    let watched =
        pidfd_open(pid, PidfdFlags::empty()).expect("our own child can be watched until it is reaped");
    loop {
        if let Some(status) = child.try_wait().expect("our own child") {
            return status;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let _ = child.kill();
            panic!("{what} does not end in time");
        }
        poll_for(&mut [PollFd::new(&watched.as_fd(), PollFlags::IN)], left);
    }
}
