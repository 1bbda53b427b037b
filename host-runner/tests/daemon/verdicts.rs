//! A person's verdict through the real command line, hosts and sockets: given, kept over a killed daemon, lifted by
//! typing; and a headless run that speaks for itself.

use crate::support::{Board, PATIENCE, end};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome},
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    hello::{HOST_PROTOCOL, Role},
    host::{AttachMode, AttachRequest, ScrollbackOwner, TerminalLook, ToHost},
    ids::{CommandId, RunId, SessionId, Size, UnixMs},
    refusal::RefusalKind,
    run::{RunBeat, RunEnd, RunEnding, RunReport, RunStart, RunStop, RunUsage},
    state::{CommandSource, ProcessState, SemanticState},
};
use host_runner::wire::Connection;
use rustix::process::Signal;
use serde_json::Value;
use std::path::Path;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A person in a pane of this session.
fn attached(board: &Board, session: &SessionId) -> Connection {
    let host = board.show(session).host.expect("it has a host");
    let mut pane = Connection::connect(Path::new(&host.socket)).unwrap();
    pane.greet(HOST_PROTOCOL, Role::Attach, None).unwrap();
    let attach = AttachRequest {
        size: Size::DEFAULT,
        mode: AttachMode::Interactive,
        place: None,
        look: TerminalLook::default(),
        scrollback: ScrollbackOwner::Person,
    };
    pane.send(&ToHost::Attach(attach)).unwrap();
    pane
}

#[test]
fn verdicts_are_given_by_the_command_line_and_survive_a_killed_daemon() {
    let board = Board::new();
    let one = board.start(&["--name", "one", "exit 0"]);
    let two = board.start(&["--name", "two", "sleep 1000"]);
    board.wait_state(&one, SemanticState::Idle);
    board.wait_state(&two, SemanticState::Working);
    board.ok(&["hold", "one", "two"]);
    for session in [&one, &two] {
        let row = board.wait_state(session, SemanticState::Holding);
        assert!(!row.busy);
    }
    let daemon = board.daemon_process();
    end(daemon, Signal::KILL);
    board.wait_successor(daemon);
    assert_eq!(board.show(&two).row.state, SemanticState::Holding);
    assert_eq!(board.show(&two).row.process_state, ProcessState::Alive);

    // One that cannot be released does not keep the other from being released.
    board.ok(&["done", "one"]);
    let output = board.run(&["unhold", "one", "two", "nobody", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = json(&String::from_utf8(output.stdout).unwrap());
    let outcomes: Vec<_> = told.as_array().unwrap().iter().map(|one| one["outcome"].as_str()).collect();
    assert_eq!(outcomes, [Some("refused"), Some("applied"), Some("refused")]);
    assert_eq!(told[0]["refusal"]["kind"], "no_change");
    assert_eq!(told[1]["session"], two.0.as_str());
    assert_eq!(told[2]["refusal"]["kind"], "unknown_session");
    board.wait_state(&two, SemanticState::Working);
    assert_eq!(board.show(&one).row.state, SemanticState::Completed);
    board.fails(&["hold"], 2);
    let said = board.fails(&["unhold", "two"], 1);
    assert!(said.contains("not on hold"), "{said}");

    // The end of a process is a machine's word.
    board.ok(&["done", "two"]);
    end(board.show(&two).child.unwrap(), Signal::KILL);
    board.wait("its program has ended", |rows| {
        rows.iter().any(|row| row.id == two && row.ended.is_some() && row.state == SemanticState::Completed)
    });
    let log = json(&board.ok(&["log", "two", "--json"]));
    assert!(log.to_string().contains("manual_fence"), "{log}");
}

// Two lines right after one another, with a verdict in between: the second one lifts it, whatever the host has just
// reported, and the first one does not.
#[test]
fn typing_a_line_into_a_shell_lifts_its_verdict_and_only_a_line_typed_after_it() {
    let board = Board::new();
    let shell = board.start(&["--name", "shell", "cat"]);
    board.wait_state(&shell, SemanticState::Working);
    let mut pane = attached(&board, &shell);
    let type_in = |pane: &mut Connection, text: &str| {
        pane.send(&ToHost::Input { data: text.as_bytes().to_vec() }).unwrap()
    };
    for verdict in ["hold", "done"] {
        let before = format!("before {verdict}");
        type_in(&mut pane, &format!("{before}\r"));
        board.until("the host has read the line", || board.ok(&["screen", "shell"]).contains(&before));
        board.ok(&[verdict, "shell"]);
        // No line end: nothing was said yet.
        type_in(&mut pane, "aft");
        assert_ne!(board.show(&shell).row.state, SemanticState::Working);
        type_in(&mut pane, "er\r");
        board.wait_state(&shell, SemanticState::Working);
    }
    let log = json(&board.ok(&["log", "shell", "--json"]));
    assert!(!log.to_string().contains("manual_fence"), "{log}");
}

fn told(connection: &mut Connection, request: Request) -> Result<CommandOutcome, String> {
    connection.send(&ToDaemon::Ask { id: 1, request }).unwrap();
    match connection.receive(PATIENCE).unwrap() {
        FromDaemon::Answer { answer: Ok(Answer::Outcome(outcome)), .. } => Ok(outcome),
        other => Err(format!("{other:?}")),
    }
}

#[test]
fn a_headless_run_reports_over_the_socket_and_meets_the_fence_like_any_machine() {
    let board = Board::new();
    let session = board.start(&["exit 0"]);
    board.wait_state(&session, SemanticState::Idle);
    let mut run = board.connection(Role::Cli);
    let mut report = |id: &str, report: RunReport| {
        let envelope = CommandEnvelope {
            command_id: CommandId(id.into()),
            command: Command::ReportRun { session: session.clone(), run: RunId("run_1".into()), report },
            environment: None,
            source: CommandSource::Run,
            expected_revision: None,
        };
        told(&mut run, Request::Command(Box::new(envelope))).unwrap()
    };
    let applied = |outcome| assert!(matches!(outcome, CommandOutcome::Applied { .. }), "{outcome:?}");
    applied(report("r1", RunReport::Started(RunStart { prompt: "go on".into(), ..RunStart::default() })));
    board.wait_state(&session, SemanticState::Working);
    let beat = RunBeat { doing: Some("Running tests".into()), ..RunBeat::default() };
    applied(report("", RunReport::Progressed(beat)));
    let ended = |text: &str| {
        RunReport::Finalized(RunEnd {
            ended_at_ms: UnixMs(9),
            exit_code: Some(0),
            stop: Some(RunStop::Done),
            ending: RunEnding::Itself,
            text: Some(text.into()),
            last_agent_activity_at_ms: None,
            error: None,
            usage: RunUsage::default(),
        })
    };
    applied(report("r2", ended("Which one do you want?")));
    let row = board.wait_state(&session, SemanticState::NeedsInput);
    assert_eq!(row.question.as_deref(), Some("Which one do you want?"));
    board.ok(&["hold", &session.0]);
    let fenced = report("r3", RunReport::PlanReady { question: None, plan: None });
    assert!(
        matches!(&fenced, CommandOutcome::Refused(refusal) if refusal.kind == RefusalKind::ManualFence),
        "{fenced:?}"
    );
    // Sent again, it is the same answer.
    assert_eq!(report("r3", RunReport::PlanReady { question: None, plan: None }), fenced);
    let bad = report("", ended("x"));
    assert!(
        matches!(&bad, CommandOutcome::Refused(refusal) if refusal.kind == RefusalKind::BadInput),
        "{bad:?}"
    );
}
