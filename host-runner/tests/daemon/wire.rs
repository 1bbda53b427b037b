//! What comes over the daemon's socket: whoever misbehaves loses a connection, and nobody else anything.

use crate::support::{Board, PATIENCE};
use board_protocol::{
    board::AttachPlace,
    daemon::{Answer, FromDaemon, LinkOpened, LinkTerminal, PaneEvent, Request, ToDaemon},
    frame::MAX_FRAME_BYTES,
    hello::{COORDINATOR_PROTOCOL, HOST_PROTOCOL, Hello, HelloReply, Role, Versions},
    host::{
        AttachMode, AttachRequest, FromHost, HostOrder, HostRegistration, ScrollbackOwner, TerminalLook,
        ToHost,
    },
    ids::{Generation, ProcessIdentity, Size, Token, UnixMs},
    refusal::RefusalKind,
    state::SemanticState,
};
use host_runner::{
    process,
    wire::{Connection, WireError},
};
use std::{io::Write, os::unix::net::UnixStream, path::Path};

fn closes(mut connection: Connection) {
    loop {
        match connection.receive::<FromDaemon>(PATIENCE) {
            Ok(_) => {}
            Err(WireError::Closed | WireError::Io(_)) => return,
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn i1_a13_the_hello_carries_the_protocol_which_starts_at_3() {
    let board = Board::new();
    board.ok(&["ls"]);
    let mut connection = Connection::connect(&board.root.daemon_socket()).unwrap();
    let welcome = connection.greet(COORDINATOR_PROTOCOL, Role::Cli, None).unwrap();
    assert_eq!(welcome.version, COORDINATOR_PROTOCOL.newest);
    assert!(welcome.version >= 3);
    // One that speaks only what was before is refused, with the versions in the refusal.
    let mut connection = Connection::connect(&board.root.daemon_socket()).unwrap();
    match connection.greet(Versions { oldest: 1, newest: 2 }, Role::Cli, None) {
        Err(WireError::Refused(refused)) => {
            assert_eq!(refused.versions, COORDINATOR_PROTOCOL);
            assert_eq!(refused.refusal.kind, RefusalKind::Version);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn broken_frames_and_wrong_roles_cost_one_connection() {
    let board = Board::new();
    board.ok(&["ls"]);
    let daemon = board.daemon_process();
    let mut good = board.connection(Role::Cli);

    let garbage: [&[u8]; 4] = [
        b"GET / HTTP/1.1\r\n\r\n",
        &u32::MAX.to_le_bytes(),
        &u32::try_from(MAX_FRAME_BYTES + 1).unwrap().to_le_bytes(),
        &[3, 0, 0, 0, 0xc1, 0xc1, 0xc1],
    ];
    for bytes in garbage {
        // Before the hello, and after it.
        let mut stream = UnixStream::connect(board.root.daemon_socket()).unwrap();
        stream.write_all(bytes).unwrap();
        let (mut greeted, _) = board.connection(Role::Link).into_parts();
        greeted.write_all(bytes).unwrap();
        for mut stream in [stream, greeted] {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            assert!(matches!(std::io::Read::read(&mut stream, &mut [0; 64]), Ok(0) | Err(_)));
        }
    }
    let mut nosy = board.connection(Role::Cli);
    nosy.send(&ToDaemon::HostActive { at_ms: UnixMs(1) }).unwrap();
    closes(nosy);
    let mut nosy = board.connection(Role::Host);
    nosy.send(&ToDaemon::Ask { id: 1, request: Request::Board }).unwrap();
    closes(nosy);

    good.send(&ToDaemon::Ask { id: 9, request: Request::Ping }).unwrap();
    let answer: FromDaemon = good.receive(PATIENCE).unwrap();
    assert_eq!(answer, FromDaemon::Answer { id: 9, answer: Ok(Answer::Ready) });
    assert_eq!(board.daemon_process(), daemon);
}

#[test]
fn a_hello_that_is_not_for_us_is_refused_in_words() {
    let board = Board::new();
    board.ok(&["ls"]);
    let greet = |hello: &Hello| {
        let mut connection = Connection::connect(&board.root.daemon_socket()).unwrap();
        connection.send(hello).unwrap();
        match connection.receive::<HelloReply>(PATIENCE).unwrap() {
            HelloReply::Refused(refused) => refused,
            HelloReply::Welcome(welcome) => panic!("{welcome:?}"),
        }
    };
    let hello = Hello {
        versions: COORDINATOR_PROTOCOL,
        role: Role::Cli,
        build: "0.0.1".into(),
        generation: None,
        process: process::own_identity(),
    };
    for (oldest, newest) in [(1, 2), (98, 99)] {
        let refused = greet(&Hello { versions: Versions { oldest, newest }, ..hello.clone() });
        assert_eq!(refused.refusal.kind, RefusalKind::Version);
        assert_eq!((refused.versions, refused.process), (COORDINATOR_PROTOCOL, board.daemon_process()));
    }
    for role in [Role::Attach, Role::Viewer, Role::Hook] {
        assert_eq!(greet(&Hello { role, ..hello.clone() }).refusal.kind, RefusalKind::Forbidden);
    }
    // A host is the process that it says it is.
    let other = ProcessIdentity { pid: 1, start_ticks: 1 };
    let refused = greet(&Hello { role: Role::Host, process: other, ..hello });
    assert_eq!(refused.refusal.kind, RefusalKind::Forbidden);
}

#[test]
fn a_host_without_the_sessions_secret_is_sent_away() {
    let board = Board::new();
    let session = board.start(&["--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    let host = board.show(&session).host.unwrap();
    for (generation, token) in [(host.generation.clone(), "guess"), (Generation("other".into()), "guess")] {
        let mut connection = board.connection(Role::Host);
        let registration = HostRegistration {
            session: session.clone(),
            generation,
            token: Token(token.into()),
            process: process::own_identity(),
            child: None,
            socket: "/tmp/x.sock".into(),
            size: Size::DEFAULT,
            attached: Vec::new(),
            text_field: None,
            waits: Vec::new(),
        };
        connection.send(&ToDaemon::HostRegistered(registration)).unwrap();
        let order: FromDaemon = connection.receive(PATIENCE).unwrap();
        assert!(matches!(order, FromDaemon::Order(HostOrder::Revoked { .. })), "{order:?}");
    }
    assert_eq!(board.show(&session).host, Some(host));
    board.ok(&["stop", &session.0]);
    board.wait_state(&session, SemanticState::Stopped);
}

#[test]
fn a_subscriber_that_does_not_read_is_not_waited_for() {
    let board = Board::new();
    board.ok(&["ls"]);
    let mut sleepy = board.connection(Role::Link);
    sleepy.send(&ToDaemon::Ask { id: 1, request: Request::Subscribe }).unwrap();
    let sessions: Vec<_> = (0..20).map(|_| board.start(&["true"])).collect();
    for session in &sessions {
        board.wait_state(session, SemanticState::Idle);
    }
    // It reads at last, and has the newest board after few updates.
    let mut shown = host_runner::client::WholeBoard::default();
    while shown.rows.values().filter(|row| row.state == SemanticState::Idle).count() < sessions.len() {
        if let FromDaemon::Board(update) = sleepy.receive(PATIENCE).unwrap() {
            shown.take(update);
        }
    }
}

#[test]
fn an_attach_pane_is_announced_to_the_link_of_its_zellij_server() {
    let board = Board::new();
    let session = board.start(&["--", "cat"]);
    board.wait_state(&session, SemanticState::Working);
    let link = |pid: u32| {
        let mut link = board.connection(Role::Link);
        let opened = LinkOpened {
            server: ProcessIdentity { pid, start_ticks: 1 },
            environment: Vec::new(),
            environment_at_ms: UnixMs(1),
            terminal: LinkTerminal::StatusPane,
        };
        link.send(&ToDaemon::LinkOpened(opened)).unwrap();
        link.send(&ToDaemon::Ask { id: 1, request: Request::Ping }).unwrap();
        let _: FromDaemon = link.receive(PATIENCE).unwrap();
        link
    };
    let (mut ours, mut other) = (link(4242), link(4243));
    let place = AttachPlace { server_pid: 4242, pane_id: 7 };

    let host = board.show(&session).host.unwrap();
    let mut client = Connection::connect(Path::new(&host.socket)).unwrap();
    client.greet(HOST_PROTOCOL, Role::Attach, None).unwrap();
    let request = AttachRequest {
        size: Size::DEFAULT,
        mode: AttachMode::Interactive,
        place: Some(place),
        look: TerminalLook::default(),
        scrollback: ScrollbackOwner::Session,
    };
    client.send(&ToHost::Attach(request)).unwrap();
    client.send(&ToHost::Subscribe { since: None }).unwrap();
    let event: FromDaemon = ours.receive(PATIENCE).unwrap();
    assert_eq!(event, FromDaemon::Pane(PaneEvent::Attached { session: session.clone(), place }));
    let row = board.wait("it is attached", |rows| rows[0].attached == 1).remove(0);
    assert_eq!(row.places, [place]);

    client.send(&ToHost::Detach).unwrap();
    while !matches!(client.receive(PATIENCE), Ok(FromHost::Detached)) {}
    let event: FromDaemon = ours.receive(PATIENCE).unwrap();
    assert_eq!(event, FromDaemon::Pane(PaneEvent::Detached { session, place }));
    // The other server's link heard nothing of it: the next thing that it hears is its own answer.
    other.send(&ToDaemon::Ask { id: 2, request: Request::Ping }).unwrap();
    let next: FromDaemon = other.receive(PATIENCE).unwrap();
    assert_eq!(next, FromDaemon::Answer { id: 2, answer: Ok(Answer::Ready) });
}
