//! `host-runner export`: everything, of one moment, and it folds into what the board shows.

use crate::support::Board;
use board_protocol::{
    command::{Command, CommandEnvelope, Pin},
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    hello::Role,
    ids::{CommandId, SessionId},
    state::{CommandSource, SemanticState},
};
use host_runner::{
    model::{Fact, SessionRecord, Sessions, apply},
    store::{KEPT_MS, Store},
};
use serde_json::Value;

/// What an export says, read by nothing but its own lines.
#[derive(Debug, Default)]
struct Told {
    header: Value,
    folded: Sessions,
    records: Sessions,
    facts: u64,
    outcomes: Vec<Value>,
    diagnostics: u64,
    changes: u64,
    evidence: u64,
}

fn read(text: &str) -> Told {
    let mut told = Told::default();
    let mut start = std::collections::BTreeMap::new();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.last().unwrap()["end"]["lines"], lines.len());
    for line in lines {
        if let Some(header) = line.get("export") {
            told.header = header.clone();
        } else if let Some(checkpoint) = line.get("checkpoint") {
            let id = SessionId(checkpoint["session"].as_str().unwrap().into());
            start.insert(id.clone(), checkpoint["seq"].as_i64().unwrap());
            if let Ok(record) = serde_json::from_value(checkpoint["record"].clone()) {
                told.folded.insert(id, record);
            }
        } else if let Some(line) = line.get("fact") {
            let fact: Fact = serde_json::from_value(line["fact"].clone()).unwrap();
            told.facts += 1;
            if line["seq"].as_i64().unwrap() > start.get(&fact.session).copied().unwrap_or(0) {
                apply(&mut told.folded, &fact);
            }
        } else if let Some(line) = line.get("record") {
            let record: SessionRecord = serde_json::from_value(line["record"].clone()).unwrap();
            told.records.insert(record.id.clone(), record);
        } else if let Some(outcome) = line.get("outcome") {
            told.outcomes.push(outcome.clone());
        } else if line.get("diagnostic").is_some() {
            told.diagnostics += 1;
        } else if line.get("change").is_some() {
            told.changes += 1;
        } else if line.get("evidence").is_some() {
            told.evidence += 1;
        } else {
            assert!(line.get("end").is_some(), "{line}");
        }
    }
    told
}

fn envelope(id: &str, command: Command) -> Request {
    Request::Command(Box::new(CommandEnvelope {
        command_id: CommandId(id.into()),
        command,
        environment: None,
        source: CommandSource::Person,
        expected_revision: None,
    }))
}

#[test]
fn an_export_folds_into_the_rows_and_tells_no_secret() {
    let board = Board::new();
    let secret = "the environment is nobody's business";
    let mut start = board.command(&["start", "--name", "one", "--", "sleep", "1000"]);
    let started = start.env("SECRET", secret).output().unwrap();
    let one = SessionId(String::from_utf8(started.stdout).unwrap().trim().into());
    let two = board.start(&["exit 3"]);
    board.wait_state(&one, SemanticState::Working);
    board.wait_state(&two, SemanticState::Failed);
    let gone = board.start(&["exit 0"]);
    board.wait_state(&gone, SemanticState::Idle);
    board.ok(&["rm", &gone.0]);
    // A line longer than a page of the wire, with characters that JSON writes as six.
    let mut client = board.client(Role::Cli);
    let long = "\u{1}".repeat(300_000);
    let start = board_protocol::command::StartSession {
        name: Some("long".into()),
        agent: "generic".into(),
        launch: board_protocol::command::Launch::Task(format!(": '{long}'")),
        cwd: "/".into(),
        size: None,
        model: None,
        thinking: None,
        tags: Vec::new(),
        remember: Default::default(),
    };
    match client.command(Command::Start(start), Some(Vec::new())).unwrap() {
        board_protocol::command::CommandOutcome::Applied { session, .. } => {
            board
                .wait("the long one has ended", |rows| rows.iter().any(|row| row.id == session && !row.busy));
        }
        other => panic!("{other:?}"),
    }
    let text = board.ok(&["export"]);
    let told = read(&text);
    assert_eq!(told.folded, told.records);
    assert_eq!(told.header["format"], 1);
    assert_eq!(told.header["records"], 3);
    assert_eq!(told.header["facts"].as_u64(), Some(told.facts));
    assert_eq!(told.header["changes"].as_u64(), Some(told.changes));
    assert_eq!(told.header["evidence"].as_u64(), Some(told.evidence));
    assert!(told.changes >= 3 && told.evidence >= 3, "every row has a story: {told:?}");
    assert!(told.outcomes.iter().any(|outcome| outcome["command"] == "remove"));
    let rows = board.wait("rows", |rows| rows.len() == 3);
    for row in rows {
        assert_eq!(told.records[&row.id].state, row.state);
    }
    assert!(!text.contains(secret), "no environment");
    let connection = rusqlite::Connection::open(board.root.database()).unwrap();
    let tokens: Vec<String> = connection
        .prepare("SELECT token FROM tokens")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(tokens.len(), 3);
    assert!(tokens.iter().all(|token| !text.contains(token)), "no token");
}

#[test]
fn an_export_is_of_one_moment_although_the_daemon_goes_on() {
    let board = Board::new();
    // So much that it takes several pages.
    let long = format!("exit 0 # {}", "x".repeat(100_000));
    let sessions: Vec<_> = (0..5).map(|_| board.start(&[&long])).collect();
    for session in &sessions {
        board.wait_state(session, SemanticState::Idle);
    }
    let session = sessions[0].clone();
    let mut connection = board.connection(Role::Cli);
    let mut ask = |id: u64, request: Request| -> Answer {
        connection.send(&ToDaemon::Ask { id, request }).unwrap();
        loop {
            match connection.receive(crate::support::PATIENCE).unwrap() {
                FromDaemon::Answer { id: answered, answer } if answered == id => return answer.unwrap(),
                _ => {}
            }
        }
    };
    let mut text = String::new();
    let (mut after, mut pages) = (0, 0);
    loop {
        let Answer::Exported { lines, next, unfinished } = ask(after, Request::Export { after }) else {
            panic!("a part of an export")
        };
        assert!(!unfinished);
        pages += 1;
        lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        // What happens now is in no later page, not even as the end of the session.
        let pin = if pages % 2 == 1 { Pin::Pinned } else { Pin::Unpinned };
        ask(1, envelope(&format!("pin {pages}"), Command::SetPin { session: session.clone(), pin }));
        if pages == 1 {
            ask(2, envelope("late", Command::Remove { session: session.clone() }));
        }
        match next {
            Some(next) => after = next,
            None => break,
        }
    }
    assert!(pages > 1, "the test is about pages");
    let told = read(&text);
    assert_eq!(told.folded, told.records);
    assert_eq!(told.records.len(), 5);
    assert!(!told.records[&session].pinned && !text.contains("\"late\""));
}

// An exported journal whose beginning went into the checkpoint folds all the same; a daemon is started for it.
#[test]
fn an_export_after_pruning_folds_too() {
    let board = Board::new();
    let session = board.start(&["exit 0"]);
    board.wait_state(&session, SemanticState::Idle);
    board.ok(&["rm", &board.start(&["exit 0"]).0]);
    board.ok(&["shutdown"]);
    {
        let mut opened = Store::open(&board.root.database(), "test").unwrap();
        let later = board_protocol::ids::UnixMs(host_runner::fresh::now().0 + 2 * KEPT_MS);
        assert!(!opened.store.prune(later, &opened.loaded.sessions).unwrap().more);
    }
    let told = read(&board.ok(&["export"]));
    assert_eq!((told.facts, told.header["checkpoints"].as_u64()), (0, Some(2)));
    assert_eq!(told.folded, told.records);
    assert!(told.records.contains_key(&session));
    board.until("a daemon was started for it", || board.root.daemon_socket().exists());
    board.fails(&["export", "nonsense"], 2);
}
