//! What is full or fills up: a disk that a session does not need, and a memory that a program must not fill.

use crate::support::{Board, Client, FakeDaemon, PATIENCE, client::read_screen};
use board_protocol::{host::AttachMode, ids::Size};
use std::{fs::File, os::unix::fs::symlink, time::Instant};

// On a full disk every host died of the first line that it could not write into its log: the logger complained about
// that on standard error, which is a log on the same disk, and that panicked.
#[test]
fn a_host_whose_log_cannot_be_written_goes_on() {
    let board = Board::new();
    let daemon = FakeDaemon::start(&board.root);
    let launch = board.shell("echo up; exec cat");
    let log = board.root.logs().join(format!("host-{}.log", launch.session));
    symlink("/dev/full", log).unwrap();
    let host = board.start_saying(launch, File::options().write(true).open("/dev/full").unwrap().into());
    let mut client = Client::attach(&host);
    client.wait_for("up");
    // Its connection to the daemon ends, which it logs.
    daemon.kill();
    let mut daemon = FakeDaemon::start(&board.root);
    daemon.wait_for_registration();
    client.type_in("still here\n");
    client.wait_for("still here");
}

// A program that asked its terminal for ever and never read an answer filled its host's memory with answers.
#[test]
fn answers_that_nobody_reads_do_not_fill_the_memory() {
    let board = Board::new();
    let _daemon = FakeDaemon::start(&board.root);
    let script = r#"stty raw -echo; echo up; read -r line
        perl -e 'print "\e]10;?\a" x 1_000 for 1..1_000'; echo done; exec sleep 1000"#;
    let host = board.start(board.shell(script));
    let mut client = Client::attach(&host);
    client.wait_for("up");
    let before = resident_kib(host.pid());
    client.type_in("\n");
    client.wait_for("done");
    let after = resident_kib(host.pid());
    // All the answers are 26 MB; as much as a large paste may wait.
    assert!(after < before + 8 * 1024, "{before} KiB before, {after} KiB after");
}

// Two thousand wide lines with colours of their own in every cell were a snapshot larger than what may wait for a client:
// every attach was dropped as one that does not read.
#[test]
fn a_long_and_wide_history_in_colour_can_be_attached() {
    let board = Board::new();
    let _daemon = FakeDaemon::start(&board.root);
    let script = r#"perl -e 'for $l (1..2_100) {
            print map({ sprintf "\e[38;2;%d;%d;%d;48;2;%d;%d;%dmX", ($l + $_) % 256, $_, 255, 200, $l % 256, $_ } 1..250), "\e[m\r\n" }'
        echo done; exec sleep 1000"#;
    let mut launch = board.shell(script);
    launch.size = Size { cols: 250, rows: 24 };
    let host = board.start(launch.clone());
    // Each look makes the host parse what it has.
    let end = Instant::now() + 3 * PATIENCE;
    while !read_screen(&host, 0).contains("done") {
        assert!(Instant::now() < end, "it prints for ever");
    }
    let mut client = Client::attach_as(&host, launch.size, AttachMode::Interactive, None);
    client.wait_for("done");
}

fn resident_kib(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}
