//! A pipe child of the link dies with it, even when the link is killed and can do nothing any more.

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, pidfd_open},
};
use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

/// Generous: the kernel needs microseconds.
const DEADLINE: Timespec = Timespec { tv_sec: 30, tv_nsec: 0 };

const RUNNER: &str = env!("CARGO_BIN_EXE_host-runner");

#[test]
fn a_child_dies_when_its_parent_is_killed() {
    // A shell plays the link. The child says its pid once it has become the program.
    let script = r#""$0" link --die-with $$ -- sh -c 'echo $$; exec sleep 600'; true"#;
    let mut parent = Command::new("sh").args(["-c", script, RUNNER]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(parent.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let child = Pid::from_raw(line.trim().parse().unwrap()).unwrap();
    let child = pidfd_open(child, PidfdFlags::empty()).unwrap();
    let ready = |wait: Timespec| poll(&mut [PollFd::new(&child, PollFlags::IN)], Some(&wait)).unwrap();
    assert_eq!(ready(Timespec { tv_sec: 0, tv_nsec: 0 }), 0, "it runs as long as its parent");
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert_eq!(ready(DEADLINE), 1, "it outlived its parent");
}

#[test]
fn a_child_whose_parent_is_gone_already_does_not_start() {
    // Nobody's parent is pid 1 and this test at once.
    let output =
        Command::new(RUNNER).args(["link", "--die-with", "1", "--", "echo", "started"]).output().unwrap();
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("the link has ended"));
}
