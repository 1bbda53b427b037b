//! What the host and attach tests share: a board in a temporary directory, a daemon of the test's own, hosts as real
//! processes, and clients that speak the raw protocol and watch their screens with an independent parser.

pub(crate) mod agent;
pub(crate) mod client;
pub(crate) mod daemon;
pub(crate) mod pane;

pub(crate) use agent::Agent;
pub(crate) use client::Client;
pub(crate) use daemon::FakeDaemon;

use board_protocol::{
    command::EnvVar,
    frame,
    host::{AgentReport, HostLaunch, HostSettings},
    ids::{Generation, ProcessIdentity, SessionId, Size, Token, UnixMs},
};
use host_runner::{process, root::BoardRoot};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, pidfd_open},
};
use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// How long a test waits for anything: far longer than a loaded machine needs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
pub(crate) const SIZE: Size = Size { cols: 80, rows: 24 };

/// Prints its terminal's size once for every SIGWINCH. Not in bash: that loses one that comes while its trap runs.
pub(crate) const SIZE_REPORTER: &str =
    r#"$| = 1; $SIG{WINCH} = sub { print "size ", `stty size` }; print "ready\n"; sleep 1 while 1"#;

/// A board root of a test's own.
pub(crate) struct Board {
    directory: TempDir,
    pub(crate) root: BoardRoot,
}

impl Board {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(directory.path()).unwrap();
        // No host of a test ever starts a real daemon.
        fs::write(root.shutdown_marker(), "").unwrap();
        Self { directory, root }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A launch of a program with the environment of this test, as the daemon would make it.
    pub(crate) fn launch(&self, argv: &[&str]) -> HostLaunch {
        let session = host_runner::fresh::session_id();
        let generation = host_runner::fresh::generation();
        let socket = self.root.host_socket(&session, &generation);
        HostLaunch {
            session,
            name: "a session".into(),
            generation,
            token: Token("secret".into()),
            root: self.root.directory().to_str().unwrap().into(),
            socket: socket.to_str().unwrap().into(),
            argv: argv.iter().map(ToString::to_string).collect(),
            cwd: self.directory.path().to_str().unwrap().into(),
            environment: vec![variable("PATH", &std::env::var("PATH").unwrap())],
            size: SIZE,
            settings: HostSettings::default(),
            prompt: None,
            parent: None,
        }
    }

    pub(crate) fn shell(&self, script: &str) -> HostLaunch {
        self.launch(&["bash", "--norc", "-c", script])
    }

    /// Starts a host as a real process.
    pub(crate) fn start(&self, launch: HostLaunch) -> Host {
        self.start_saying(launch, Stdio::inherit())
    }

    /// As [`Board::start`]; what the host says on its standard error goes to `stderr`.
    pub(crate) fn start_saying(&self, launch: HostLaunch, stderr: Stdio) -> Host {
        let mut process = Command::new(env!("CARGO_BIN_EXE_host-runner"))
            .arg("host")
            .stdin(Stdio::piped())
            // What the host itself was started with must never reach its program.
            .env("ONLY_THE_HOST", "1")
            .env("FOO", "1")
            .stderr(stderr)
            .spawn()
            .unwrap();
        let mut stdin = process.stdin.take().unwrap();
        stdin.write_all(&frame::encode(&launch).unwrap()).unwrap();
        Host { process, launch }
    }
}

pub(crate) fn variable(name: &str, value: &str) -> EnvVar {
    EnvVar { name: name.as_bytes().to_vec().into(), value: value.as_bytes().to_vec().into() }
}

/// One host process.
pub(crate) struct Host {
    process: Child,
    pub(crate) launch: HostLaunch,
}

impl Host {
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn session(&self) -> SessionId {
        self.launch.session.clone()
    }

    pub(crate) fn generation(&self) -> Generation {
        self.launch.generation.clone()
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(Pid::from_raw(self.pid() as i32).unwrap(), signal).unwrap();
    }

    /// Waits until the process has ended by itself.
    pub(crate) fn wait(&mut self) -> std::process::ExitStatus {
        wait_for_end(process::stat(self.pid()).unwrap().identity);
        self.process.wait().unwrap()
    }

    pub(crate) fn report(&self, payload: &str) -> AgentReport {
        let token = self.launch.token.clone();
        AgentReport { token, adapter: "pi".into(), at_ms: UnixMs(5), payload: payload.into() }
    }
}

impl Drop for Host {
    /// A test that fails leaves nothing behind: a stop ends the tree, and a host that does not end is ended.
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            let identity = process::identify(self.pid());
            self.signal(rustix::process::Signal::TERM);
            if identity.is_some_and(|identity| !ends_within(identity, Duration::from_secs(10))) {
                let _ = self.process.kill();
            }
            let _ = self.process.wait();
        }
    }
}

/// Waits for the end of a process that need not be a child.
pub(crate) fn wait_for_end(identity: ProcessIdentity) {
    assert!(ends_within(identity, PATIENCE), "process {identity:?} still runs");
}

pub(crate) fn ends_within(identity: ProcessIdentity, time: Duration) -> bool {
    let Ok(fd) = pidfd_open(Pid::from_raw(identity.pid as i32).unwrap(), PidfdFlags::empty()) else {
        return true;
    };
    if process::stat(identity.pid).is_none_or(|stat| stat.identity != identity) {
        return true;
    }
    let end = Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => return false,
            Ok(_) => return true,
            Err(_) => {}
        }
    }
}

/// The process with this pid, as a program printed it.
pub(crate) fn process_of(pid: &str) -> ProcessIdentity {
    process::stat(pid.trim().parse().unwrap()).expect("the process runs").identity
}
