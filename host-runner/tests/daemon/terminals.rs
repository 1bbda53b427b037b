//! Terminals of agents with a real daemon, real hosts and the real command line: opened with the session's secret, waited on,
//! skipped by a person, and gone with their session (reference G).

use crate::support::{Board, end};
use board_protocol::{
    command::EnvVar,
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    hello::{HOST_PROTOCOL, Role},
    host::{FromHost, ToHost},
    ids::{CommandId, SessionId, Token},
    refusal::{Refusal, RefusalKind},
    state::{HostState, SemanticState},
    terminals::{AgentAsk, AgentTerminal, OpenTerminal, TerminalAnswer, TerminalAsk, WaitEnd},
};
use host_runner::wire::Connection;
use rustix::process::Signal;
use serde_json::Value;
use std::{fs, path::Path, time::Duration};

const PATIENCE: Duration = crate::support::PATIENCE;

/// A session, and its secret as a program in it reads it.
struct Agent {
    session: SessionId,
    token: Token,
}

impl Agent {
    fn start(board: &Board) -> Self {
        let file = board.path().join("secret");
        let script = format!(
            "printf %s \"$AGENT_BOARD_TOKEN\" >{0}.new; mv {0}.new {0}; exec sleep 1000",
            file.display()
        );
        let session = board.start(&["--name", "agent", "--", "/bin/sh", "-c", &script]);
        board.until("the program knows its secret", || file.exists());
        Self { session, token: Token(fs::read_to_string(file).unwrap()) }
    }

    /// One question on a connection of its own, as an agent's server asks it.
    fn ask(&self, board: &Board, ask: AgentAsk) -> Result<Vec<AgentTerminal>, Refusal> {
        let mut connection = board.connection(Role::Agent);
        let (session, token) = (self.session.clone(), self.token.clone());
        let request = Request::AgentTerminals { session, token, ask };
        connection.send(&ToDaemon::Ask { id: 7, request }).unwrap();
        match connection.receive(PATIENCE).unwrap() {
            FromDaemon::Answer { id: 7, answer: Ok(Answer::AgentTerminals(all)) } => Ok(all),
            FromDaemon::Answer { id: 7, answer: Err(refusal) } => Err(refusal),
            other => panic!("{other:?}"),
        }
    }

    fn open(&self, board: &Board, id: &str, command: &str) -> Result<AgentTerminal, Refusal> {
        let ours = [("AGENT_BOARD_SESSION", "stolen"), ("PATH", "/usr/bin:/bin"), ("FLAVOUR", "mint")];
        let variable = |(name, value): (&str, &str)| EnvVar {
            name: name.as_bytes().to_vec().into(),
            value: value.as_bytes().to_vec().into(),
        };
        let environment = ours.map(variable).to_vec();
        let open = OpenTerminal { command: Some(command.into()), cwd: None, size: None, title: None };
        let command_id = CommandId(id.into());
        self.ask(board, AgentAsk::Open { command_id, open, environment }).map(|mut all| all.remove(0))
    }

    fn terminal(&self, board: &Board, id: &SessionId) -> Option<AgentTerminal> {
        let all = self.ask(board, AgentAsk::List).unwrap();
        all.into_iter().find(|terminal| terminal.id == *id)
    }

    /// A wait on a terminal that runs; its answer comes on this connection.
    fn wait_for(&self, terminal: &AgentTerminal, needle: &str) -> Connection {
        let socket = terminal.socket.clone().expect("it has a host");
        let mut connection = Connection::connect(Path::new(&socket)).unwrap();
        connection.greet(HOST_PROTOCOL, Role::Agent, None).unwrap();
        let ask = TerminalAsk::WaitFor { needle: needle.into(), timeout_ms: 3_600_000 };
        connection.send(&ToHost::Terminal { id: 3, token: self.token.clone(), ask }).unwrap();
        connection
    }
}

/// How a wait ended.
fn waited(connection: &mut Connection) -> WaitEnd {
    match connection.receive(PATIENCE).unwrap() {
        FromHost::Terminal { id: 3, answer: Ok(TerminalAnswer::Waited { end, .. }) } => end,
        other => panic!("{other:?}"),
    }
}

fn waits(board: &Board) -> Vec<Value> {
    serde_json::from_str(&board.ok(&["waits", "--json"])).unwrap()
}

#[test]
fn g1_g2_g3_an_agent_waits_in_its_terminal_and_a_person_skips_that() {
    let board = Board::new();
    let agent = Agent::start(&board);
    let file = board.path().join("seen");
    let command = format!("echo $AGENT_BOARD_SESSION $FLAVOUR >{}; exec sleep 1000", file.display());
    let opened = agent.open(&board, "open", &command).unwrap();
    assert_eq!(agent.open(&board, "open", &command).unwrap().id, opened.id);
    board.wait_state(&opened.id, SemanticState::Working);
    // It is who it is, with the environment of whoever asked.
    board.until("it has said who it is", || fs::read_to_string(&file).is_ok_and(|said| said.ends_with('\n')));
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{} mint\n", opened.id));
    // Below its session, in text and for scripts.
    let rows: Vec<Value> = serde_json::from_str(&board.ok(&["ls", "--json"])).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1]["parent"], agent.session.as_str());
    let listed = board.ok(&["ls"]);
    assert!(listed.starts_with("Running (1)\n"), "{listed}");
    assert!(
        listed
            .lines()
            .nth(2)
            .is_some_and(|line| line.starts_with("    ") && line.contains(opened.id.as_str())),
        "{listed}"
    );

    assert!(waits(&board).is_empty());
    assert_eq!(board.ok(&["skip-wait", "agent"]), "nobody waits for anything there");
    let mut first = agent.wait_for(&agent.terminal(&board, &opened.id).unwrap(), "^never$");
    let mut second = agent.wait_for(&opened, "not this either");
    let both = |rows: &[board_protocol::board::Row]| {
        rows.iter().all(|row| row.waiting.as_ref().is_some_and(|waiting| waiting.count == 2))
    };
    let rows = board.wait("both rows show both waits", both);
    assert_eq!(rows.len(), 2);
    assert_eq!(waits(&board)[0]["waits"].as_array().map(Vec::len), Some(2));
    // The daemon is killed: the host owns the waits, and tells the next one.
    let old = board.daemon_process();
    end(old, Signal::KILL);
    let daemon = board.run(&["ls"]);
    assert!(daemon.status.success());
    board.wait("the next daemon knows them", both);
    assert!(board.ok(&["show", opened.id.as_str()]).contains("^never$"));
    assert_eq!(
        board.ok(&["skip-wait", "agent", "--json"]).replace(char::is_whitespace, ""),
        "{\"skipped\":2}"
    );
    assert_eq!(waited(&mut first), WaitEnd::Skipped { needle: "^never$".into() });
    assert_eq!(waited(&mut second), WaitEnd::Skipped { needle: "not this either".into() });
    board.wait("nobody waits any more", |rows| rows.iter().all(|row| row.waiting.is_none()));
    assert_eq!(board.ok(&["skip-wait", opened.id.as_str()]), "nobody waits for anything there");
    board.fails(&["skip-wait", "nobody"], 1);
    assert!(board.fails(&["hold", opened.id.as_str()], 1).contains("is a terminal of the agent of agent"));

    // It ends with its session, and a wait says so.
    let mut third = agent.wait_for(&opened, "never again");
    board.wait("it is waited for", |rows| rows.iter().any(|row| row.waiting.is_some()));
    board.ok(&["stop", "agent"]);
    assert!(matches!(waited(&mut third), WaitEnd::Exited { .. }));
    let ended = board.wait_state(&opened.id, SemanticState::Stopped);
    assert_eq!((ended.parent, ended.waiting), (Some(agent.session.clone()), None));
    board.fails(&["skip-wait", opened.id.as_str()], 1);
    board.ok(&["rm", "agent"]);
    board.wait("both rows are gone", <[_]>::is_empty);
}

#[test]
fn g2_only_the_sessions_own_agent_opens_lists_and_closes() {
    let board = Board::new();
    let agent = Agent::start(&board);
    let opened = agent.open(&board, "open", "exec sleep 1000").unwrap();
    board.wait_state(&opened.id, SemanticState::Working);
    let thief = Agent { session: agent.session.clone(), token: Token("guessed".into()) };
    let refused = |result: Result<Vec<AgentTerminal>, Refusal>| result.unwrap_err().kind;
    assert_eq!(refused(thief.ask(&board, AgentAsk::List)), RefusalKind::UnknownSession);
    let close = |id: &str| AgentAsk::Close { command_id: CommandId(id.into()), terminal: opened.id.clone() };
    assert_eq!(refused(thief.ask(&board, close("theft"))), RefusalKind::UnknownSession);
    // What cannot be opened is refused before there is a row.
    let lost = OpenTerminal {
        command: None,
        cwd: Some(board.path().join("gone").to_string_lossy().into_owned()),
        size: None,
        title: None,
    };
    let command_id = CommandId("lost".into());
    let refusal =
        agent.ask(&board, AgentAsk::Open { command_id, open: lost, environment: Vec::new() }).unwrap_err();
    assert!(refusal.text.contains("gone"), "{refusal}");
    // An agent may ask for nothing else on its connection.
    let mut connection = board.connection(Role::Agent);
    connection.send(&ToDaemon::Ask { id: 1, request: Request::Board }).unwrap();
    assert!(connection.receive::<FromDaemon>(PATIENCE).is_err());
    assert_eq!(agent.terminal(&board, &opened.id).unwrap().host_state, HostState::Alive);
    assert_eq!(agent.ask(&board, close("close")).unwrap(), []);
    board.wait("its row is gone", |rows| rows.iter().all(|row| row.id != opened.id));
}
