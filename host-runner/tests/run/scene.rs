//! A board with a session that is at rest, and a run process for it whose worker is a script. The run is asked for as a
//! person would, and driven by the real process with a launch that the test makes: no agent is needed.

use crate::support::{Board, until};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome, EnvVar},
    daemon::{Answer, LogLine, Request},
    frame,
    hello::Role,
    ids::{CommandId, ProcessIdentity, RunId, SessionId, Token},
    run::{RunKind, RunLaunch, RunReport},
    state::{CommandSource, SemanticState},
};
use host_runner::process;
use rustix::process::Signal;
use std::{
    io::Write,
    process::{Child, Stdio},
};

/// The variable that widens the time before the worker is started.
pub(crate) const BOOT_WINDOW: &str = "AGENT_BOARD_TEST_BOOT_WINDOW_MS";

/// A board, its session, and what its run left.
pub(crate) struct Scene {
    pub(crate) board: Board,
    pub(crate) session: SessionId,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let board = Board::new();
        let session = board.start(&["true"]);
        board.wait_state(&session, SemanticState::Idle);
        Self { board, session }
    }

    /// A run is asked for.
    pub(crate) fn ask(&self, run: &str) {
        let envelope = CommandEnvelope {
            command_id: CommandId(format!("ask-{run}")),
            command: Command::ReportRun {
                session: self.session.clone(),
                run: RunId(run.into()),
                report: RunReport::Queued,
            },
            environment: None,
            source: CommandSource::Person,
            expected_revision: None,
        };
        let answer = self.board.client(Role::Cli).ask(Request::Command(Box::new(envelope))).unwrap();
        assert!(matches!(answer, Answer::Outcome(CommandOutcome::Applied { .. })), "{answer:?}");
    }

    /// The process of a run whose worker is this script.
    pub(crate) fn drive(&self, run: &str, script: &str, knobs: &[(&str, &str)]) -> Driven {
        self.drive_argv(run, &["/bin/sh", "-c", script], knobs)
    }

    pub(crate) fn drive_argv(&self, run: &str, argv: &[&str], knobs: &[(&str, &str)]) -> Driven {
        let root = self.board.root.directory().to_string_lossy().into_owned();
        let launch = RunLaunch {
            root,
            session: self.session.clone(),
            run: RunId(run.into()),
            agent: "pi".into(),
            kind: RunKind::Reply,
            argv: argv.iter().map(ToString::to_string).collect(),
            input: None,
            cwd: self.board.path().to_string_lossy().into_owned(),
            environment: vec![EnvVar {
                name: b"PATH".to_vec().into(),
                value: b"/usr/bin:/bin".to_vec().into(),
            }],
            prompt: "go on".into(),
            model: None,
            stop_grace_ms: 500,
            token: Some(Token("5ec2e7".into())),
        };
        let mut child = self
            .board
            .command(&["run", "--turn"])
            .envs(knobs.iter().copied())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&frame::encode(&launch).unwrap()).unwrap();
        Driven(child)
    }

    /// A run from its request on.
    pub(crate) fn run(&self, script: &str, knobs: &[(&str, &str)]) -> Driven {
        self.ask("run_1");
        self.drive("run_1", script, knobs)
    }

    /// The session's log, oldest first.
    pub(crate) fn log(&self) -> Vec<LogLine> {
        let request = Request::Log { session: self.session.0.clone(), limit: 200 };
        match self.board.client(Role::Cli).ask(request) {
            Ok(Answer::Log(lines)) => lines,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn codes(&self) -> Vec<String> {
        self.log().into_iter().filter(|line| line.source == "runner").map(|line| line.code).collect()
    }

    /// Waits for a line of the log.
    pub(crate) fn wait_code(&self, code: &str) -> LogLine {
        self.board.until(&format!("the log has {code}"), || self.codes().iter().any(|known| known == code));
        self.log().into_iter().find(|line| line.code == code).unwrap()
    }

    /// The worker's process, as the log names it.
    pub(crate) fn worker(&self) -> ProcessIdentity {
        let line = self.wait_code("worker_pid");
        process::identify(line.message.trim_start_matches("pid ").parse().unwrap()).expect("the worker runs")
    }

    /// The facts of this session's runs, as the journal has them.
    pub(crate) fn facts(&self, kind: &str) -> Vec<serde_json::Value> {
        let export = self.board.ok(&["export"]);
        let lines = export.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines.filter_map(|line| line["fact"]["fact"]["kind"].get(kind).cloned()).collect()
    }
}

/// A run process that the test started.
pub(crate) struct Driven(Child);

impl Driven {
    pub(crate) fn signal(&self, signal: Signal) {
        let process = process::stat(self.0.id()).expect("it was not reaped").identity;
        process::signal(process, signal).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn ended(mut self) -> std::process::ExitStatus {
        let child = std::cell::RefCell::new(&mut self.0);
        until("the run process ends", || child.borrow_mut().try_wait().unwrap().is_some());
        self.0.wait().unwrap()
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
