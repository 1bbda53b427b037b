//! `host-runner hook`: delivers to the host, else to the disk; always succeeds, prints nothing, is never slow.

use crate::support::{Board, FakeDaemon, Host, wait_for_end};
use board_protocol::{
    daemon::ToDaemon,
    host::{HostFact, MAX_EVENT_BYTES},
};
use host_runner::process;
use std::{
    fs,
    io::Write,
    process::{Child, Command, Stdio},
};

fn hook(board: &Board, host: &Host, arguments: &[&str]) -> Child {
    hook_with(board, host, arguments, "secret")
}

fn hook_with(board: &Board, host: &Host, arguments: &[&str], token: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_host-runner"))
        .arg("hook")
        .args(arguments)
        .env("AGENT_BOARD_ROOT", board.root.directory())
        .env("AGENT_BOARD_SESSION", host.session().as_str())
        .env("AGENT_BOARD_SOCKET", &host.launch.socket)
        .env("AGENT_BOARD_TOKEN", token)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Gives the hook its event and checks what is always true of one.
fn finish(mut hook: Child, event: &[u8]) {
    let process = process::stat(hook.id()).unwrap().identity;
    // One that does not wait for the whole event closes the pipe; that is its right.
    let _ = hook.stdin.take().unwrap().write_all(event);
    wait_for_end(process);
    let output = hook.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b""[..], &b""[..]));
}

fn payload(fact: &HostFact) -> Option<(String, Vec<u8>)> {
    match fact {
        HostFact::AgentReported(report) => Some((report.adapter.clone(), report.payload.clone())),
        _ => None,
    }
}

fn spooled(board: &Board) -> Vec<(String, Vec<u8>)> {
    let facts = host_runner::spool::drain(&board.root).into_iter().map(|(_, fact)| fact.unwrap());
    facts.filter_map(|fact| payload(&fact.fact)).collect()
}

/// How often an event is told at most. On a busy machine the hook's limit can be over before its host had its turn, or
/// before the event was written, but not so often.
const TELLINGS: usize = 100;

/// Tells an event until it has gone the way through the host, whole, and gives its adapter. `tell` says whether the hook
/// took all that was written.
fn through_the_host(board: &Board, daemon: &mut FakeDaemon, event: &[u8], tell: impl Fn() -> bool) -> String {
    for _ in 0..TELLINGS {
        for late in fs::read_dir(board.root.spool()).into_iter().flatten().flatten() {
            fs::remove_file(late.path()).unwrap();
        }
        if !tell() || !spooled(board).is_empty() {
            continue;
        }
        let ours = |fact: &HostFact| payload(fact).filter(|(_, heard)| event.starts_with(heard));
        let (adapter, heard) = daemon.wait_for_fact("event", ours).1;
        // One that was cut because its time was up is told again.
        if heard == event {
            return adapter;
        }
    }
    panic!("none of {TELLINGS} events went through the host")
}

#[test]
fn an_event_reaches_the_daemon_through_the_host() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    let event = b"{\"hook_event_name\":\"Stop\"}";
    let adapter = through_the_host(&board, &mut daemon, event, || {
        finish(hook(&board, &host, &["claude"]), event);
        true
    });
    assert_eq!(adapter, "claude");
    // Codex passes its event as the last argument.
    let event = "{\"type\":\"agent-turn-complete\"}";
    let adapter = through_the_host(&board, &mut daemon, event.as_bytes(), || {
        finish(hook(&board, &host, &["codex", event]), b"");
        true
    });
    assert_eq!(adapter, "codex");
    assert_eq!(spooled(&board), []);
}

#[test]
fn an_event_larger_than_the_limit_is_cut_and_the_writer_is_not_disturbed() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    let large = vec![b'x'; MAX_EVENT_BYTES * 3];
    through_the_host(&board, &mut daemon, &large[..MAX_EVENT_BYTES], || {
        let mut process = hook(&board, &host, &["claude"]);
        let written = process.stdin.as_mut().unwrap().write_all(&large);
        finish(process, b"");
        written.is_ok()
    });
}

// Field report J3: a hook that fails or waits blocks the agent's action.
#[test]
fn j3_without_a_host_the_event_is_on_disk_and_nothing_is_said() {
    let board = Board::new();
    let mut host = board.start(board.shell("true"));
    host.wait();
    finish(hook(&board, &host, &["claude"]), b"late");
    assert_eq!(spooled(&board), [("claude".to_owned(), b"late".to_vec())]);
}

#[test]
fn j3_a_host_that_hangs_costs_the_agent_its_limit_and_no_more() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    host.signal(rustix::process::Signal::STOP);
    finish(hook(&board, &host, &["claude"]), b"while it hangs");
    // How long it took says more about the machine than about the hook. That it came back says enough: its host still
    // stands still.
    assert_eq!(process::stat(host.pid()).unwrap().state, 'T');
    assert_eq!(spooled(&board), [("claude".to_owned(), b"while it hangs".to_vec())]);
    host.signal(rustix::process::Signal::CONT);
}

#[test]
fn an_agent_that_never_closes_the_pipe_and_a_bare_call_end_too() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    through_the_host(&board, &mut daemon, b"open end", || {
        let mut process = hook(&board, &host, &["pi"]);
        let mut stdin = process.stdin.take().unwrap();
        let written = stdin.write_all(b"open end");
        assert!(process.wait().unwrap().success());
        drop(stdin);
        written.is_ok()
    });
    finish(hook(&board, &host, &[]), b"nobody");
    finish(hook(&board, &host, &["--strange", "-x"]), b"");
}

#[test]
fn an_event_with_a_wrong_token_is_dropped() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    // Both together, so that the host has refused the one when it passes on the other.
    through_the_host(&board, &mut daemon, b"true", || {
        finish(hook_with(&board, &host, &["claude"], "guess"), b"forged");
        finish(hook(&board, &host, &["claude"]), b"true");
        true
    });
    let forged = |message: &ToDaemon| matches!(message, ToDaemon::HostReported { fact, .. } if payload(fact).is_some_and(|(_, event)| event == b"forged"));
    assert!(!daemon.passed.iter().any(forged), "{:?}", daemon.passed);
    assert_eq!(spooled(&board), []);
}
