//! Notifications of a real daemon: a person's own command reads them, and of several links one shows them, none where
//! somebody looks at the session.

use crate::support::{Board, PATIENCE};
use board_protocol::{
    board::AttachPlace,
    daemon::{ClientFocus, FromDaemon, LinkOpened, LinkOrder, LinkTerminal, NoticeWay, Request, ToDaemon},
    hello::{HOST_PROTOCOL, Role},
    host::{AttachMode, AttachRequest, ScrollbackOwner, TerminalLook, ToHost},
    ids::{ProcessIdentity, SessionId, Size, UnixMs},
    state::SemanticState,
};
use host_runner::wire::Connection;
use std::{fs, path::Path};

/// A board whose daemon writes every notification into a file, one line each, and has these settings besides.
fn board(settings: &str) -> Board {
    let board = Board::new();
    let directory = board.path().join(".config/agent-board");
    fs::create_dir_all(&directory).unwrap();
    let told = board.path().join("told");
    let command = format!("notify_command = 'cat >> {0}; echo >> {0}'\n{settings}", told.display());
    fs::write(directory.join("config.toml"), command).unwrap();
    board
}

/// What the command was told so far.
fn told(board: &Board) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(board.path().join("told")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn ended(board: &Board, name: &str, line: &str, state: SemanticState) -> SessionId {
    let session = board.start(&["--name", name, line]);
    board.wait_state(&session, state);
    session
}

#[test]
fn a_command_of_the_persons_own_reads_what_happened_once() {
    let board = board("");
    ended(&board, "bad", "exit 3", SemanticState::Failed);
    board.until("the failure is told", || told(&board).len() == 1);
    let stopped = board.start(&["--name", "stopped", "--", "sleep", "600"]);
    board.wait_state(&stopped, SemanticState::Working);
    board.ok(&["stop", stopped.as_str()]);
    board.wait_state(&stopped, SemanticState::Stopped);
    let good = ended(&board, "good", "exit 0", SemanticState::Idle);
    // What came before it would have been told before it.
    board.until("the end is told", || told(&board).len() >= 2);
    let told = told(&board);
    let of = |at: usize| {
        let event = &told[at];
        (event["name"].as_str().unwrap(), event["event"].as_str().unwrap(), event["state"].as_str().unwrap())
    };
    assert_eq!((of(0), of(1)), (("bad", "failed", "failed"), ("good", "finished", "idle")));
    assert_eq!((told.len(), told[1]["session"].as_str()), (2, Some(good.as_str())));
    assert_eq!(told[0]["error"].as_str(), Some("exit code 3"));
}

#[test]
fn a_restarted_daemon_tells_nothing_again() {
    let board = board("");
    ended(&board, "bad", "exit 3", SemanticState::Failed);
    board.until("the failure is told", || told(&board).len() == 1);
    board.ok(&["shutdown"]);
    ended(&board, "good", "exit 0", SemanticState::Idle);
    board.until("the end is told", || told(&board).len() >= 2);
    assert_eq!(told(&board)[1]["name"], "good");
}

#[test]
fn a_command_that_fails_costs_a_line_in_the_log() {
    let board = Board::new();
    let directory = board.path().join(".config/agent-board");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("config.toml"), "notify_command = 'echo no bus >&2; exit 4'\n").unwrap();
    let session = ended(&board, "good", "exit 0", SemanticState::Idle);
    board.until("it is said in the log", || {
        let log = board.ok(&["log", session.as_str(), "--json"]);
        log.contains("notify_command") && log.contains("no bus")
    });
}

/// A link of the zellij server with this pid.
fn link(board: &Board, pid: u32, terminal: LinkTerminal) -> Connection {
    let mut link = board.connection(Role::Link);
    let opened = LinkOpened {
        server: ProcessIdentity { pid, start_ticks: 1 },
        environment: Vec::new(),
        environment_at_ms: UnixMs(1),
        terminal,
    };
    link.send(&ToDaemon::LinkOpened(opened)).unwrap();
    link.send(&ToDaemon::Ask { id: 1, request: Request::Ping }).unwrap();
    let _: FromDaemon = link.receive(PATIENCE).unwrap();
    link
}

/// The next order of the daemon.
fn ordered(link: &mut Connection) -> LinkOrder {
    loop {
        if let FromDaemon::Link(order) = link.receive(PATIENCE).unwrap() {
            return order;
        }
    }
}

/// Answers the daemon's next question.
fn looks(link: &mut Connection, clients: &[ClientFocus]) {
    match ordered(link) {
        LinkOrder::Look { number } => {
            link.send(&ToDaemon::Looked { number, clients: clients.to_vec() }).unwrap();
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn of_two_links_the_one_where_somebody_is_shows_it_and_of_a_watched_session_none() {
    let board = board("");
    board.ok(&["ls"]);
    let mut here = link(&board, 4242, LinkTerminal::StatusPane);
    let mut left = link(&board, 4243, LinkTerminal::StatusPane);
    ended(&board, "good", "exit 0", SemanticState::Idle);
    looks(&mut here, &[ClientFocus::NoTerminal]);
    looks(&mut left, &[ClientFocus::Gone]);
    let LinkOrder::Notify { text, ways } = ordered(&mut here) else { panic!("no notification") };
    assert!(text.starts_with("Agent Board: good has finished"), "{text}");
    assert_eq!(ways, [NoticeWay::Osc9, NoticeWay::Bell]);

    // Somebody looks at the next one: neither link shows anything, and the one after it comes next.
    let watched = board.start(&["--name", "watched", "read line; exit 3"]);
    board.wait_state(&watched, SemanticState::Working);
    let host = board.show(&watched).host.unwrap();
    let mut client = Connection::connect(Path::new(&host.socket)).unwrap();
    client.greet(HOST_PROTOCOL, Role::Attach, None).unwrap();
    let request = AttachRequest {
        size: Size::DEFAULT,
        mode: AttachMode::Interactive,
        place: Some(AttachPlace { server_pid: 4242, pane_id: 7 }),
        look: TerminalLook::default(),
        scrollback: ScrollbackOwner::Session,
    };
    client.send(&ToHost::Attach(request)).unwrap();
    client.send(&ToHost::Subscribe { since: None }).unwrap();
    board.wait("somebody is attached", |rows| rows.iter().any(|row| row.id == watched && row.attached == 1));
    client.send(&ToHost::Input { data: b"x\r".to_vec() }).unwrap();
    looks(&mut here, &[ClientFocus::Terminal(7)]);
    looks(&mut left, &[ClientFocus::NoTerminal]);
    board.wait_state(&watched, SemanticState::Failed);
    ended(&board, "last", "exit 0", SemanticState::Idle);
    looks(&mut here, &[ClientFocus::NoTerminal]);
    looks(&mut left, &[ClientFocus::Gone]);
    let LinkOrder::Notify { text, .. } = ordered(&mut here) else { panic!("no notification") };
    assert!(text.starts_with("Agent Board: last has finished"), "{text}");
    board.until("the command was told of two", || told(&board).len() >= 2);
    assert_eq!(told(&board)[1]["name"], "last", "of the watched one it was not told either");
}
