//! `host-runner hook`: delivers to the host, else to the disk; always succeeds, prints nothing, is never slow.

use crate::support::{Board, FakeDaemon, Host, wait_for_end};
use board_protocol::host::{HostFact, MAX_EVENT_BYTES};
use host_runner::process;
use std::{
    io::Write,
    process::{Child, Command, Stdio},
};

fn hook(board: &Board, host: &Host, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_host-runner"))
        .arg("hook")
        .args(arguments)
        .env("AGENT_BOARD_ROOT", board.root.directory())
        .env("AGENT_BOARD_SESSION", host.session().as_str())
        .env("AGENT_BOARD_SOCKET", &host.launch.socket)
        .env("AGENT_BOARD_TOKEN", "secret")
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

#[test]
fn an_event_reaches_the_daemon_through_the_host() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    finish(hook(&board, &host, &["claude"]), b"{\"hook_event_name\":\"Stop\"}");
    let (_, event) = daemon.wait_for_fact("event", payload);
    assert_eq!(event, ("claude".to_owned(), b"{\"hook_event_name\":\"Stop\"}".to_vec()));
    // Codex passes its event as the last argument.
    finish(hook(&board, &host, &["codex", "{\"type\":\"agent-turn-complete\"}"]), b"");
    let (_, event) = daemon.wait_for_fact("event", payload);
    assert_eq!(event, ("codex".to_owned(), b"{\"type\":\"agent-turn-complete\"}".to_vec()));
    assert_eq!(spooled(&board), []);
}

#[test]
fn an_event_larger_than_the_limit_is_cut_and_the_writer_is_not_disturbed() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    let mut process = hook(&board, &host, &["claude"]);
    let large = vec![b'x'; MAX_EVENT_BYTES * 3];
    process.stdin.as_mut().unwrap().write_all(&large).unwrap();
    finish(process, b"");
    let (_, (_, event)) = daemon.wait_for_fact("event", payload);
    assert_eq!(event.len(), MAX_EVENT_BYTES);
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
    let mut process = hook(&board, &host, &["pi"]);
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(b"open end").unwrap();
    assert!(process.wait().unwrap().success());
    drop(stdin);
    assert_eq!(daemon.wait_for_fact("event", payload).1.1, b"open end");
    finish(hook(&board, &host, &[]), b"nobody");
    finish(hook(&board, &host, &["--strange", "-x"]), b"");
}

#[test]
fn an_event_with_a_wrong_token_is_dropped() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    let mut command = Command::new(env!("CARGO_BIN_EXE_host-runner"));
    command
        .args(["hook", "claude"])
        .env("AGENT_BOARD_ROOT", board.root.directory())
        .env("AGENT_BOARD_SESSION", host.session().as_str())
        .env("AGENT_BOARD_SOCKET", &host.launch.socket)
        .env("AGENT_BOARD_TOKEN", "guess");
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    finish(child, b"forged");
    finish(hook(&board, &host, &["claude"]), b"true");
    assert_eq!(daemon.wait_for_fact("event", payload).1.1, b"true");
    assert_eq!(spooled(&board), []);
}
