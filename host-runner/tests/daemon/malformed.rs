//! What is no command at all, as frames on the daemon's socket: it costs its connection or is refused, and leaves nothing
//! in the store (reference C.5, validateCommand).

use crate::support::{Board, PATIENCE};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome},
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    hello::Role,
    ids::{CommandId, RunId, SessionId, UnixMs},
    refusal::{Refusal, RefusalKind},
    run::{RunEnd, RunEnding, RunReport, RunStart, RunStop, RunUsage},
    state::{Classification, ClassificationKind, ClassifierKind, CommandSource, Confidence, SemanticState},
};
use host_runner::wire::WireError;
use serde_json::{Value, json};

/// What became of a frame.
#[derive(Debug)]
enum Fate {
    /// The daemon hung up.
    Closed,
    Refused(Refusal),
    Decided,
}

fn fate(board: &Board, frame: &Value) -> Fate {
    let mut connection = board.connection(Role::Cli);
    connection.send(frame).unwrap();
    match connection.receive::<FromDaemon>(PATIENCE) {
        Err(WireError::Closed | WireError::Io(_)) => Fate::Closed,
        Ok(FromDaemon::Answer { answer: Ok(Answer::Outcome(CommandOutcome::Refused(refusal))), .. }) => {
            Fate::Refused(refusal)
        }
        Ok(FromDaemon::Answer { answer: Err(refusal), .. }) => Fate::Refused(refusal),
        Ok(FromDaemon::Answer { answer: Ok(Answer::Outcome(_)), .. }) => Fate::Decided,
        other => panic!("{other:?}"),
    }
}

/// Rows of the journal, and commands that are remembered.
fn kept(board: &Board) -> (i64, i64) {
    let file = board.root.directory().join("board.db");
    let database =
        rusqlite::Connection::open_with_flags(file, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let count = |table: &str| {
        let question = format!("SELECT COUNT(*) FROM {table}");
        database.query_row(&question, [], |row| row.get(0)).unwrap()
    };
    (count("journal"), count("commands"))
}

fn frame(id: &str, source: CommandSource, command: Command) -> Value {
    let envelope = CommandEnvelope {
        command_id: CommandId(id.into()),
        command,
        environment: None,
        source,
        expected_revision: None,
    };
    let request = Request::Command(Box::new(envelope));
    serde_json::to_value(ToDaemon::Ask { id: 1, request }).unwrap()
}

fn report(session: &SessionId, id: &str, report: RunReport) -> Value {
    let command = Command::ReportRun { session: session.clone(), run: RunId("run_1".into()), report };
    frame(id, CommandSource::Run, command)
}

fn end() -> RunReport {
    RunReport::Finalized(RunEnd {
        ended_at_ms: UnixMs(9),
        exit_code: Some(0),
        stop: Some(RunStop::Done),
        ending: RunEnding::Itself,
        text: None,
        last_agent_activity_at_ms: Some(UnixMs(9)),
        error: None,
        usage: RunUsage::default(),
    })
}

fn classification() -> Classification {
    Classification {
        kind: ClassificationKind::InProgress,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "because".into(),
        question: None,
        text_hash: "0123456789ab".into(),
    }
}

#[test]
fn what_is_no_command_leaves_nothing_behind() {
    const COMMAND: &str = "/ask/request/command";
    let board = Board::new();
    let session = board.start(&["exit 0"]);
    board.wait_state(&session, SemanticState::Idle);
    let visit = frame("v", CommandSource::Person, Command::Visit { session: session.clone() });
    let classify = Command::Classify { session: session.clone(), classification: classification() };
    let classify = frame("c", CommandSource::Classifier, classify);
    let queued = report(&session, "q", RunReport::Queued);
    let started = report(&session, "s", RunReport::Started(RunStart::default()));
    let followed = report(&session, "f", RunReport::FollowedUp(RunStart::default()));
    let ended = report(&session, "e", end());
    let plan = report(&session, "p", RunReport::PlanReady { question: Some("Well?".into()), plan: None });
    let patched = report(&session, "x", RunReport::Patched { summary: Some("s".into()), preview: None });
    // The code of the reference, a good frame, where it is broken, and what stands there instead: nothing takes it away.
    let run = "command/report_run";
    let finalized = format!("{run}/report/finalized");
    let result = "command/classify/classification";
    let at = |place: &str, rest: &str| format!("{place}{rest}");
    let table: Vec<(&str, &Value, String, Option<Value>)> = vec![
        ("bad_type", &visit, String::new(), Some(json!("words"))),
        ("missing_commandId", &visit, "command_id".into(), None),
        ("missing_commandId", &visit, "command_id".into(), Some(json!(""))),
        ("missing_viewId", &visit, "command/visit/session".into(), None),
        ("missing_viewId", &visit, "command/visit/session".into(), Some(json!(""))),
        ("unknown_kind", &visit, "command".into(), Some(json!({"fly": {"session": session.0}}))),
        ("unknown_source", &visit, "source".into(), Some(json!("robot"))),
        ("bad_expectedRevision", &visit, "expected_revision".into(), Some(json!("seven"))),
        ("bad_expectedRevision", &visit, "expected_revision".into(), Some(json!(-1))),
        ("bad_runId", &queued, at(run, "/run"), Some(json!(7))),
        ("missing_runId", &queued, at(run, "/run"), None),
        ("missing_runId", &started, at(run, "/run"), Some(json!(""))),
        ("missing_runId", &plan, at(run, "/run"), Some(json!(""))),
        ("missing_newRunId", &followed, at(run, "/run"), Some(json!(""))),
        ("missing_classification", &classify, result.into(), None),
        ("bad_classification", &classify, at(result, "/kind"), Some(json!("great"))),
        ("bad_classification", &classify, at(result, "/text_hash"), Some(json!("xyz"))),
        ("bad_classification", &classify, at(result, "/reason"), Some(json!("r".repeat(121)))),
        ("missing_payload", &queued, at(run, "/report"), None),
        ("missing_status", &started, at(run, "/report/started"), Some(json!(null))),
        (
            "bad_status",
            &started,
            at(run, "/report/started/process"),
            Some(json!({"pid": 0, "start_ticks": 1})),
        ),
        ("missing_statusPatch", &patched, at(run, "/report/patched"), Some(json!(7))),
        ("bad_exitCode", &ended, at(&finalized, "/exit_code"), Some(json!("zero"))),
        ("bad_endedAt", &ended, at(&finalized, "/ended_at_ms"), Some(json!("now"))),
        ("bad_endedAt", &ended, at(&finalized, "/ended_at_ms"), None),
        ("bad_lastAgentActivityAt", &ended, at(&finalized, "/last_agent_activity_at_ms"), Some(json!(10))),
        ("bad_stoppedByUser", &ended, at(&finalized, "/ending"), Some(json!("perhaps"))),
        ("bad_stopReason", &ended, at(&finalized, "/stop"), Some(json!("tired"))),
        ("bad_error", &ended, at(&finalized, "/error"), Some(json!(7))),
        ("bad_question", &plan, at(run, "/report/plan_ready/question"), Some(json!(" "))),
    ];
    let before = kept(&board);
    for (code, good, place, instead) in table {
        let mut frame = good.clone();
        let place = if place.is_empty() { COMMAND.to_owned() } else { format!("{COMMAND}/{place}") };
        let (parent, name) = place.rsplit_once('/').unwrap();
        let parent = frame.pointer_mut(parent).unwrap_or_else(|| panic!("{place} of {good:#}"));
        let parent = parent.as_object_mut().unwrap();
        assert!(parent.contains_key(name), "{place} of {good:#}");
        match instead.clone() {
            Some(value) => parent.insert(name.to_owned(), value),
            None => parent.remove(name),
        };
        match fate(&board, &frame) {
            Fate::Closed => {}
            Fate::Refused(refusal) => {
                assert_eq!(refusal.kind, RefusalKind::BadInput, "{code}: {refusal}");
                assert!(refusal.text.ends_with(&format!("({code})")), "{code}: {refusal}");
            }
            Fate::Decided => panic!("{code}: {frame:#}"),
        }
        assert_eq!(kept(&board), before, "{code} at {place} with {instead:?}");
    }
    // The same frames unbroken are commands: each is decided and remembered, whatever becomes of it.
    for (number, good) in
        [&visit, &classify, &queued, &started, &patched, &plan, &followed, &ended].iter().enumerate()
    {
        assert!(!matches!(fate(&board, good), Fate::Closed), "{good:#}");
        assert_eq!(kept(&board).1, before.1 + i64::try_from(number).unwrap() + 1, "{good:#}");
    }
}
