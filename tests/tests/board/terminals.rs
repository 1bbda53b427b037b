//! Terminals of agents in a real zellij: below their session, with what their agent waits for, and the end of that wait from
//! the board and from the pane (reference G.3).

use crate::support::{enter, join, leave, select, up};
use board_protocol::{
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    hello::{COORDINATOR_PROTOCOL, HOST_PROTOCOL, HelloReply, Role},
    host::{FromHost, ToHost},
    ids::{CommandId, SessionId, Token},
    terminals::{AgentAsk, AgentTerminal, OpenTerminal, TerminalAnswer, TerminalAsk, WaitEnd},
};
use e2e::{Screen, World, keys, run_stage::DEADLINE, socket::Wire, steps::reload, wait::seen_within};

/// An agent that speaks our wire itself, with the secret of its session.
struct Agent {
    session: SessionId,
    token: Token,
}

impl Agent {
    /// In the session whose program has this command line.
    fn of(world: &World, session: &str, line: &str) -> Self {
        let processes = world.processes();
        let token = processes.iter().find(|process| process.line().ends_with(line));
        let token = token.and_then(|process| process.variable("AGENT_BOARD_TOKEN")).unwrap();
        Self { session: SessionId(session.to_owned()), token: Token(token) }
    }

    /// Opens a terminal that runs this.
    fn open(&self, world: &World, title: &str, command: &str) -> AgentTerminal {
        let mut wire = Wire::connect(&world.root().join("run/daemon.sock"));
        assert!(matches!(wire.greet(COORDINATOR_PROTOCOL, Role::Agent), HelloReply::Welcome(_)));
        let open = OpenTerminal {
            command: Some(command.to_owned()),
            cwd: None,
            size: None,
            title: Some(title.to_owned()),
        };
        let command_id = CommandId(format!("open-{title}"));
        let ask = AgentAsk::Open { command_id, open, environment: Vec::new() };
        let request =
            Request::AgentTerminals { session: self.session.clone(), token: self.token.clone(), ask };
        wire.send(&ToDaemon::Ask { id: 1, request });
        match wire.receive() {
            Some(FromDaemon::Answer { answer: Ok(Answer::AgentTerminals(mut opened)), .. }) => {
                opened.pop().unwrap()
            }
            other => panic!("no terminal: {other:?}"),
        }
    }

    /// Begins to wait; the connection tells how that ends.
    fn wait_for(&self, terminal: &AgentTerminal, needle: &str) -> Wire {
        let mut wire = Wire::connect(terminal.socket.as_deref().unwrap().as_ref());
        assert!(matches!(wire.greet(HOST_PROTOCOL, Role::Agent), HelloReply::Welcome(_)));
        let ask = TerminalAsk::WaitFor { needle: needle.to_owned(), timeout_ms: 600_000 };
        wire.send(&ToHost::Terminal { id: 1, token: self.token.clone(), ask });
        wire
    }
}

fn ended(mut wait: Wire) -> WaitEnd {
    match wait.receive() {
        Some(FromHost::Terminal { answer: Ok(TerminalAnswer::Waited { end, .. }), .. }) => end,
        other => panic!("no end of a wait: {other:?}"),
    }
}

/// Whether a row carries the hourglass.
fn waits(screen: &Screen, name: &str) -> bool {
    screen.row_of(name).is_some_and(|row| row.text.contains('⧖'))
}

#[test]
fn g3_what_an_agent_waits_for_is_seen_and_skipped_from_the_board_and_from_the_pane() {
    let world = World::new();
    let terminal = up(&world);
    let owner = world.start_actor("owner", &["lines"]);
    world.wait_text(&owner, "lines:");
    let agent = Agent::of(&world, &owner, "actor lines");
    let server = agent.open(&world, "server", "stty -echo; echo it-is-up; exec cat");
    terminal.wait("the terminal below its session", |screen| {
        screen.row_of("server").is_some_and(|row| row.text.starts_with("└ ")) && screen.has("RUNNING 1 ")
    });
    let wait = agent.wait_for(&server, "ready in .* ms");
    let both = |screen: &Screen| waits(screen, "owner") && waits(screen, "server");
    let screen = terminal.wait("the hourglass on both rows", both);
    assert!(screen.row_of("server").unwrap().text.contains("Agent is waiting for"), "{screen}");
    // Another board shows the same, and both do so again after the daemon was killed: the host knows.
    let other = join(&world, "other");
    other.wait("the hourglass on the second board", both);
    let daemon = world.daemon();
    world.kill(&daemon);
    world.runner(&["ls"]).ok();
    assert_ne!(world.daemon().identity, daemon.identity);
    for board in [&terminal, &other] {
        board.wait("the hourglass after a restart", |screen| both(screen) && screen.has("● connected"));
    }
    // The host connects again in its own time.
    seen_within(DEADLINE, "the wait of a host that is back", || {
        let told = world.runner(&["waits"]).ok().stdout;
        if told.contains("ready in .* ms") { Ok(()) } else { Err(told) }
    });
    // A board that was loaded anew knows nothing but what it is told.
    terminal.send("?");
    terminal.wait("the page of keys", |screen| !both(screen));
    reload(&world);
    terminal.wait("the hourglass after a reload", |screen| both(screen) && screen.has("● connected"));
    // From the board, at the session: how many, then only y.
    select(&terminal, "owner");
    terminal.send("w");
    terminal.wait_for("Skip 1 wait of \"owner\"? (y/N)");
    terminal.send("y");
    assert_eq!(ended(wait), WaitEnd::Skipped { needle: "ready in .* ms".into() });
    for board in [&terminal, &other] {
        board.wait("no hourglass any more", |screen| screen.has("server") && !screen.has("⧖"));
    }
    terminal.send("w");
    terminal.wait_for("No agent waits for anything in \"owner\"");
    // From the pane of the terminal.
    let wait = agent.wait_for(&server, "PASS");
    terminal.wait("the hourglass again", both);
    let screen = enter(&terminal, "server", "Agent is waiting for PASS");
    assert!(screen.has("Skip (Alt+w)") && screen.has("it-is-up"), "{screen}");
    terminal.wait("the hourglass in the name of the tab", |screen| screen.has("⏳ server"));
    terminal.send(keys::alt('w'));
    assert_eq!(ended(wait), WaitEnd::Skipped { needle: "PASS".into() });
    let screen = terminal.wait("the terminal alone", |screen| {
        !screen.has("Agent is waiting") && !screen.has("⏳") && screen.has("it-is-up")
    });
    assert!(!screen.has("Skip (Alt+w)"), "{screen}");
    leave(&terminal);
}
