//! One board in a directory of its own, used through the real binary, and followed without polling its rows.

use board_protocol::{
    board::Row,
    daemon::{FromDaemon, Request, SessionDetail, ToDaemon},
    hello::{COORDINATOR_PROTOCOL, Role},
    ids::{ProcessIdentity, SessionId},
    state::SemanticState,
};
use host_runner::{
    client::{DaemonClient, StartPolicy, WholeBoard},
    process,
    root::BoardRoot,
    wire::Connection,
};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

/// How long anything may take before a test says that it does not happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
/// How often a condition that nobody announces is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// How many lines of each log a failure shows.
const LOG_TAIL: usize = 200;

/// A board.
pub(crate) struct Board {
    pub(crate) root: BoardRoot,
    directory: tempfile::TempDir,
}

impl Board {
    pub(crate) fn new() -> Self {
        Self::below(tempfile::tempdir().unwrap())
    }

    /// One in memory where there is room for it: what it syncs costs nothing, and other things are met by chance.
    pub(crate) fn in_memory() -> Self {
        Self::below(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn below(directory: tempfile::TempDir) -> Self {
        let root = BoardRoot::open(&directory.path().join("root")).unwrap();
        Self { root, directory }
    }

    /// A directory of the test's own, outside the root.
    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The binary with an environment that holds nothing of the machine's.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_host-runner"));
        command
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.path())
            .env("SHELL", "/bin/sh")
            .env("AGENT_BOARD_ROOT", self.root.directory())
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs one command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs one command that must succeed, and gives what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}\n{}", self.logs());
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Runs one command that must fail like this, and gives what it said.
    pub(crate) fn fails(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}\n{}", self.logs());
        String::from_utf8(output.stderr).unwrap()
    }

    /// Starts a session and gives its id.
    pub(crate) fn start(&self, arguments: &[&str]) -> SessionId {
        let arguments: Vec<&str> = ["start"].iter().chain(arguments).copied().collect();
        SessionId::parse(&self.ok(&arguments)).expect("start prints an id")
    }

    /// The daemon's lock, as soon as nobody has it: while this file lives, no daemon serves and the store is still.
    pub(crate) fn lock(&self) -> fs::File {
        let file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(self.root.daemon_lock())
            .unwrap();
        self.until("nobody has the daemon's lock", || file.try_lock().is_ok());
        file
    }

    /// A daemon in the foreground, as a child of the test.
    pub(crate) fn daemon(&self) -> Child {
        let child = self.command(&["daemon"]).stderr(Stdio::null()).spawn().unwrap();
        until("the daemon answers", || Connection::connect(&self.root.daemon_socket()).is_ok());
        child
    }

    /// A client that starts nothing.
    pub(crate) fn client(&self, role: Role) -> DaemonClient {
        let connected = DaemonClient::connect(&self.root, role, StartPolicy::Never);
        connected.unwrap_or_else(|error| panic!("{error}\n{}", self.logs()))
    }

    /// A connection after its hello.
    pub(crate) fn connection(&self, role: Role) -> Connection {
        let mut connection = Connection::connect(&self.root.daemon_socket()).unwrap();
        connection.greet(COORDINATOR_PROTOCOL, role, None).unwrap();
        connection
    }

    /// The daemon that serves this board now.
    pub(crate) fn daemon_process(&self) -> ProcessIdentity {
        self.client(Role::Cli).welcome().process
    }

    /// Waits until a daemon serves this board that is not the one that just ended. A killed process still listens for a
    /// moment: its first thread is gone before its last one lets go of the socket.
    pub(crate) fn wait_successor(&self, of: ProcessIdentity) {
        until("another daemon serves", || {
            DaemonClient::connect(&self.root, Role::Cli, StartPolicy::Never)
                .is_ok_and(|client| client.welcome().process != of)
        });
    }

    /// [`until`] for this board: what does not come in time is told with the rows and the ends of all logs.
    pub(crate) fn until(&self, what: &str, condition: impl Fn() -> bool) {
        let told = || {
            // A daemon that does not answer is part of what went wrong.
            let rows = self.run(&["ls", "--json"]);
            format!(
                "{}\n{}\n{}",
                String::from_utf8_lossy(&rows.stdout),
                String::from_utf8_lossy(&rows.stderr),
                self.logs()
            )
        };
        until_or_tell(what, condition, told);
    }

    /// Follows the board until it satisfies a condition.
    pub(crate) fn wait(&self, what: &str, condition: impl Fn(&[Row]) -> bool) -> Vec<Row> {
        let mut connection = self.connection(Role::Cli);
        connection.send(&ToDaemon::Ask { id: 1, request: Request::Subscribe }).unwrap();
        let deadline = Instant::now() + PATIENCE;
        let mut board = WholeBoard::default();
        let mut rows = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match connection.receive(left) {
                Ok(FromDaemon::Board(update)) => board.take(update),
                Ok(_) => continue,
                Err(error) => panic!("{what}: {error}\n{rows:#?}\n{}", self.logs()),
            }
            rows = board.rows.values().cloned().collect();
            if condition(&rows) {
                return rows;
            }
        }
    }

    /// Follows the board until one row has this state.
    pub(crate) fn wait_state(&self, session: &SessionId, state: SemanticState) -> Row {
        let rows = self.wait(&format!("{session} is {state:?}"), |rows| {
            rows.iter().any(|row| row.id == *session && row.state == state)
        });
        rows.into_iter().find(|row| row.id == *session).unwrap()
    }

    /// Everything about a session.
    pub(crate) fn show(&self, session: &SessionId) -> SessionDetail {
        let mut client = self.client(Role::Cli);
        match client.ask(Request::Show { session: session.0.clone() }) {
            Ok(board_protocol::daemon::Answer::Session(detail)) => *detail,
            other => panic!("{other:?}"),
        }
    }

    fn logs(&self) -> String {
        let mut text = String::new();
        for entry in fs::read_dir(self.root.logs()).into_iter().flatten().flatten() {
            let log = fs::read_to_string(entry.path()).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            let tail = &lines[lines.len().saturating_sub(LOG_TAIL)..];
            text.push_str(&format!("--- {}\n{}\n", entry.path().display(), tail.join("\n")));
        }
        text
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.run(&["shutdown", "--kill-hosts"]);
        // What a test broke on purpose may not listen any more. Only processes that were started for this very root
        // are ended, each by its own pid.
        let mark = format!("AGENT_BOARD_ROOT={}", self.root.directory().display());
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Ok(pid) = entry.file_name().to_string_lossy().parse::<i32>() else { continue };
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            let ours = environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes());
            if let (true, Some(pid)) = (ours, Pid::from_raw(pid)) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

/// Waits for something that nobody announces.
pub(crate) fn until(what: &str, condition: impl Fn() -> bool) {
    until_or_tell(what, condition, String::new);
}

fn until_or_tell(what: &str, condition: impl Fn() -> bool, told: impl Fn() -> String) {
    let (_never, nothing) = mpsc::channel::<()>();
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "not in time: {what}\n{}", told());
        let _ = nothing.recv_timeout(LOOK);
    }
}

/// Signals a process and waits until it is gone.
pub(crate) fn end(process: ProcessIdentity, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(process.pid).unwrap()).unwrap();
    assert!(process::is_running(process), "pid {} runs", process.pid);
    kill_process(pid, signal).unwrap();
    until("the process ends", || !process::is_running(process));
}
