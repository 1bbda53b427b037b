//! Idle agents with a real daemon, real hosts and a pi that only reports: swept, brought back, never started by a restart.

use crate::support::{Board, until};
use board_protocol::{
    ids::SessionId,
    state::{HostState, SemanticState},
};
use host_runner::process;
use std::{fs, os::unix::fs::PermissionsExt, process::Command};

/// A pi that says what it was started with, reports a turn that ends, and writes down what is typed into it.
const PI: &str = r#"#!/bin/sh
case "$1" in --version) echo "pi 0.80.2"; exit 0;; esac
echo "$*" >> "$HOME/starts"
n=0
say() { n=$((n + 1)); printf '{"boot":"%s","seq":%s,%s}' "$$" "$n" "$1" | "$RUNNER" hook pi; }
say '"type":"session_start","reason":"startup"'
case "$*" in *"fix it"*)
    say '"type":"input","source":"interactive","launch":true'
    say '"type":"agent_start"'
    say '"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"All of it is fixed now."}],"usage":{"input":1,"output":1}}'
    say '"type":"agent_settled"';;
esac
say '"type":"editor","state":"empty"'
printf '\033[?2004h'
stty raw -echo
exec cat >> "$HOME/typed"
"#;

fn agents() -> Board {
    let board = Board::new();
    let write = |path: std::path::PathBuf, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    };
    let pi = write(board.path().join("bin/pi"), PI);
    fs::set_permissions(&pi, fs::Permissions::from_mode(0o755)).unwrap();
    write(
        board.path().join(".config/agent-board/config.toml"),
        "max_warm_hosts = 0\nwarm_host_ttl_ms = 3600000\nwarm_host_grace_ms = 0\nsweep_interval_ms = 1000\n",
    );
    board
}

fn with_pi(board: &Board, arguments: &[&str]) -> Command {
    let mut command = board.command(arguments);
    command
        .env("PATH", format!("{}:/usr/bin:/bin", board.path().join("bin").display()))
        .env("RUNNER", env!("CARGO_BIN_EXE_host-runner"));
    command
}

fn start(board: &Board, prompt: &str) -> SessionId {
    let output = with_pi(board, &["start", "--agent", "pi", prompt]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    SessionId::parse(String::from_utf8(output.stdout).unwrap().trim()).unwrap()
}

fn text(board: &Board, name: &str) -> String {
    fs::read_to_string(board.path().join(name)).unwrap_or_default()
}

#[test]
fn f16_swept_and_stopped_rows_stay_what_they_are_over_restarts_and_nothing_is_typed() {
    let board = agents();
    // Without words of its own it is never swept: what ends it is the person.
    let stopped = start(&board, "look");
    board.wait("it runs", |rows| rows.iter().any(|row| row.host_state == HostState::Alive));
    board.ok(&["stop", &stopped.0]);
    board.wait_state(&stopped, SemanticState::Stopped);
    let swept = start(&board, "fix it");
    board.wait_state(&swept, SemanticState::Idle);
    board.ok(&["visit", &swept.0]);
    let rows = board.wait("the idle process is ended", |rows| {
        rows.iter().any(|row| row.id == swept && row.resumes_on_attach)
    });
    let row = rows.into_iter().find(|row| row.id == swept).unwrap();
    assert_eq!(
        (row.state, row.host_state, row.unread),
        (SemanticState::Idle, HostState::Exited, false),
        "{row:?}"
    );
    assert!(board.ok(&["log", &swept.0]).contains("host_reclaimed"));
    assert!(board.ok(&["ls"]).contains("resumes on attach"));
    assert!(board.ok(&["show", &swept.0]).contains("resumes on attach"));
    let starts = text(&board, "starts");
    for _ in 0..3 {
        board.ok(&["shutdown"]);
        board.ok(&["ls"]);
        let row = board.show(&swept).row;
        assert!(row.resumes_on_attach && row.state == SemanticState::Idle, "{row:?}");
        assert_eq!(board.show(&stopped).row.state, SemanticState::Stopped);
        assert!(board.show(&swept).host.is_none() && board.show(&stopped).host.is_none());
    }
    assert_eq!(text(&board, "starts"), starts, "no agent was started");
    assert_eq!(text(&board, "typed"), "", "nothing was typed");
    // Words bring it back, on the same transcript, without the words that it had.
    let output = with_pi(&board, &["reply", &swept.0, "go on"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    board.until("the words are typed", || text(&board, "typed").contains("go on"));
    let last = text(&board, "starts").lines().last().unwrap().to_owned();
    assert!(last.contains(&format!("sessions/{swept}.jsonl")) && !last.contains("fix it"), "{last}");
    assert!(!board.show(&swept).row.resumes_on_attach);
}

#[test]
fn i6_75_a7_a_daemon_that_an_agent_started_does_not_sweep() {
    let board = agents();
    let output = with_pi(&board, &["ls"]).env("AGENT_BOARD_SESSION", "00000000aa").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let daemon = board.daemon_process();
    let environment = fs::read(format!("/proc/{}/environ", daemon.pid)).unwrap();
    let has = |wanted: &str| environment.split(|byte| *byte == 0).any(|all| all == wanted.as_bytes());
    assert!(has("AGENT_BOARD_NO_SWEEP=1"));
    assert!(!environment.windows(20).any(|part| part == b"AGENT_BOARD_SESSION="));
    let session = start(&board, "fix it");
    board.wait_state(&session, SemanticState::Idle);
    let host = board.show(&session).host.unwrap().process;
    let doctor = || String::from_utf8(board.run(&["doctor"]).stdout).unwrap();
    assert!(doctor().contains("never ends idle processes"));
    // The end of such a daemon sweeps as little as its start and its clock.
    board.ok(&["shutdown"]);
    assert!(process::is_running(host));
    // One that a person starts does.
    board.ok(&["ls"]);
    assert!(!doctor().contains("never ends idle processes"));
    board.wait("the idle process is ended", |rows| {
        rows.iter().any(|row| row.id == session && row.resumes_on_attach)
    });
    until("its host ends", || !process::is_running(host));
}

// With `sweep_interval_ms` 0 nobody looks for idle processes by the clock: the end of the daemon still does.
#[test]
fn i6_75_a8_a_shutdown_sweeps_and_leaves_the_conversation() {
    let board = agents();
    fs::write(
        board.path().join(".config/agent-board/config.toml"),
        "max_warm_hosts = 0\nwarm_host_ttl_ms = 3600000\nwarm_host_grace_ms = 0\nsweep_interval_ms = 0\n",
    )
    .unwrap();
    let session = start(&board, "fix it");
    // What a person pinned is kept, also from the sweep of the start.
    board.ok(&["pin", &session.0]);
    let row = board.wait_state(&session, SemanticState::Idle);
    assert_eq!(row.host_state, HostState::Alive);
    let host = board.show(&session).host.unwrap().process;
    board.ok(&["pin", &session.0, "--off"]);
    board.ok(&["shutdown"]);
    // Without a daemon, which none but the one that ended can have asked for it.
    until("the idle process ends", || !process::is_running(host));
    assert!(!board.root.daemon_socket().exists(), "nothing starts a daemon that a person shut down");
    board.ok(&["ls"]);
    board.wait("the row says that it resumes", |rows| {
        rows.iter().any(|row| row.id == session && row.resumes_on_attach && row.state == SemanticState::Idle)
    });
    assert!(board.ok(&["log", &session.0]).contains("host_reclaimed"));
}

/// A terminal with `host-runner attach` in it.
struct Pane {
    child: std::process::Child,
    slave: pty_process::blocking::Pts,
}

impl Pane {
    fn open(board: &Board, session: &SessionId) -> Self {
        let (mut pty, slave) = pty_process::blocking::open().unwrap();
        pty.resize(pty_process::Size::new(36, 120)).unwrap();
        let child = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_host-runner"))
            .args(["attach", &session.0])
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", board.path().join("bin").display()))
            .env("RUNNER", env!("CARGO_BIN_EXE_host-runner"))
            .env("HOME", board.path())
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm-256color")
            .env("AGENT_BOARD_ROOT", board.root.directory())
            .spawn_borrowed(&slave)
            .unwrap();
        // Somebody reads what it draws, until the terminal goes.
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while std::io::Read::read(&mut pty, &mut chunk).is_ok_and(|count| count > 0) {}
        });
        Self { child, slave }
    }

    /// The window is closed.
    fn close(mut self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::HUP).unwrap();
        self.child.wait().unwrap();
        drop(self.slave);
    }
}

// With no idle process kept, leaving a pane is what ends the process: who enters again at once meets that end.
#[test]
fn d7_whoever_comes_while_an_idle_process_ends_is_in_the_session() {
    let board = agents();
    let session = start(&board, "fix it");
    board.wait("the idle process is ended", |rows| rows.iter().any(|row| row.resumes_on_attach));
    for round in 0..6 {
        let mut pane = Pane::open(&board, &session);
        board.wait(&format!("the person is in it, round {round}"), |rows| {
            rows.iter().any(|row| row.attached == 1 && row.host_state == HostState::Alive)
        });
        assert!(pane.child.try_wait().unwrap().is_none(), "the pane stays, round {round}");
        let row = board.show(&session).row;
        assert_eq!((row.state, row.error), (SemanticState::Idle, None), "round {round}");
        pane.close();
    }
    assert_eq!(text(&board, "typed"), "");
}
