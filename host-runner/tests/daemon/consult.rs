//! Commands of a person's own, as real programs under a real daemon: one that answers, and those that hang, flood and
//! fail, which cost one line in a log and nothing else.

use crate::support::{Board, end};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome},
    daemon::{Answer, FromDaemon, LogLine, Request, ToDaemon},
    hello::Role,
    ids::{CommandId, RunId, SessionId, UnixMs},
    run::{RunEnd, RunEnding, RunReport, RunStart, RunStop, RunUsage},
    state::{ClassifierKind, CommandSource, SemanticState},
};
use host_runner::process;
use rustix::process::Signal;
use std::{
    fs,
    time::{Duration, Instant},
};

/// A command may take fifteen seconds; a machine under load may take long to say so.
const PATIENCE: Duration = Duration::from_secs(90);

/// A board whose daemon knows this command.
fn board(settings: &str) -> Board {
    let board = Board::new();
    let directory = board.path().join(".config/agent-board");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("config.toml"), settings).unwrap();
    board
}

/// A session whose last words are these: a run without a terminal said them.
fn said(board: &Board, name: &str, words: &str) -> SessionId {
    let session = board.start(&["--name", name, "exit 0"]);
    board.wait_state(&session, SemanticState::Idle);
    let start =
        RunStart { process: Some(process::own_identity()), started_at_ms: UnixMs(60), ..RunStart::default() };
    let end = RunEnd {
        ended_at_ms: UnixMs(90),
        exit_code: Some(0),
        stop: Some(RunStop::Done),
        ending: RunEnding::Itself,
        text: Some(words.to_owned()),
        last_agent_activity_at_ms: Some(UnixMs(80)),
        error: None,
        usage: RunUsage::default(),
    };
    let mut connection = board.connection(Role::Cli);
    for (id, report) in [(1, RunReport::Started(start)), (2, RunReport::Finalized(end))] {
        let run = RunId("run_1".into());
        let envelope = CommandEnvelope {
            command_id: CommandId(format!("{session} {id}")),
            command: Command::ReportRun { session: session.clone(), run, report },
            environment: None,
            source: CommandSource::Run,
            expected_revision: None,
        };
        connection.send(&ToDaemon::Ask { id, request: Request::Command(Box::new(envelope)) }).unwrap();
        match connection.receive::<FromDaemon>(PATIENCE).unwrap() {
            FromDaemon::Answer { answer: Ok(Answer::Outcome(CommandOutcome::Applied { .. })), .. } => {}
            other => panic!("{other:?}"),
        }
    }
    session
}

/// The lines about the command in a session's log, once there is one.
fn complaints(board: &Board, session: &SessionId) -> Vec<LogLine> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let log: Vec<LogLine> =
            serde_json::from_str(&board.ok(&["log", session.as_str(), "--json"])).unwrap();
        let lines: Vec<LogLine> = log.into_iter().filter(|line| line.code == "auto_state_command").collect();
        if !lines.is_empty() {
            return lines;
        }
        assert!(Instant::now() < deadline, "nothing is said about the command of {session}");
        std::thread::yield_now();
    }
}

#[test]
fn b11_a_persons_own_classifier_reads_the_last_words_and_moves_the_row() {
    let board = board(
        r#"auto_state_command = "cat > ~/question; echo 'Well:'; echo '{\"state\": \"blocked\", \"reason\": \"wants a word\", \"question\": \"Merge it?\"}'""#,
    );
    let session = said(&board, "one", "Everything is green.");
    let row = board.wait_state(&session, SemanticState::NeedsInput);
    assert_eq!(row.question.as_deref(), Some("Merge it?"));
    let classification = board.show(&session).classification.unwrap();
    assert_eq!((classification.by, classification.reason.as_str()), (ClassifierKind::Model, "wants a word"));
    let question: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(board.path().join("question")).unwrap()).unwrap();
    assert_eq!(
        (question["text"].as_str(), question["kind"].as_str()),
        (Some("Everything is green."), Some("auto_state"))
    );
    assert_eq!(question["session"], session.0.as_str());
}

// Acceptance I.5 A8: the answer comes after the person's verdict, and after another daemon.
#[test]
fn i5_a8_a_slow_classifier_does_not_beat_a_verdict() {
    let board = board(
        r#"auto_state_command = "until [ -e ~/gate ]; do sleep 0.02; done; echo '{\"state\": \"question\", \"question\": \"Merge it?\"}'""#,
    );
    let session = said(&board, "one", "Everything is green.");
    board.ok(&["hold", "one"]);
    fs::write(board.path().join("gate"), "").unwrap();
    let deadline = Instant::now() + PATIENCE;
    while !board.ok(&["log", "one", "--json"]).contains("manual_fence") {
        assert!(Instant::now() < deadline, "the late answer is not noted");
        std::thread::yield_now();
    }
    assert_eq!(board.show(&session).row.state, SemanticState::Holding);
    let daemon = board.daemon_process();
    end(daemon, Signal::KILL);
    board.ok(&["ls"]);
    assert_eq!(board.show(&session).row.state, SemanticState::Holding);
}

#[test]
fn one_that_floods_or_fails_leaves_one_line_and_the_row_to_the_rules() {
    let table = [
        (r#"auto_state_command = "yes""#, "printed more than 16384 bytes"),
        (r#"auto_state_command = ["/bin/sh", "-c", "echo no key >&2; exit 7"]"#, "exit status: 7): no key"),
        (r#"auto_state_command = "/nowhere/judge""#, "it failed (exit status: 127)"),
        (r#"auto_state_command = ["/nowhere/judge"]"#, "it cannot be started"),
        (r#"auto_state_command = "sleep 1000 & echo maybe""#, "printed no JSON object"),
    ];
    for (setting, words) in table {
        let board = board(setting);
        let session = said(&board, "one", "Which one shall I take?");
        let lines = complaints(&board, &session);
        assert!(lines.len() == 1 && lines[0].message.contains(words), "{setting}: {lines:?}");
        let row = board.show(&session).row;
        assert_eq!(row.question.as_deref(), Some("Which one shall I take?"), "{setting}");
    }
}

#[test]
fn those_that_hang_are_ended_and_keep_nobody_waiting() {
    let board = board(r#"auto_state_command = "echo $$ >> ~/pids; sleep 1000 & sleep 1000""#);
    let sessions: Vec<SessionId> =
        ["one", "two", "three"].iter().map(|name| said(&board, name, "Everything is green.")).collect();
    // Two hang, one waits; whoever asks the daemon is answered all the same.
    let before = Instant::now();
    board.ok(&["pin", "one"]);
    assert!(before.elapsed() < Duration::from_secs(14), "the coordinator waits for a command");
    let pids = || fs::read_to_string(board.path().join("pids")).unwrap_or_default();
    assert!(pids().lines().count() <= 2, "two at once");
    for session in &sessions {
        let lines = complaints(&board, session);
        assert!(lines.len() == 1 && lines[0].message.contains("it took too long"), "{lines:?}");
    }
    for pid in pids().lines() {
        assert!(process::identify(pid.parse().unwrap()).is_none(), "{pid} still runs");
    }
    assert_eq!(pids().lines().count(), 3, "each was asked once");
}
