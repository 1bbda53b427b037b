//! Terminals of agents and the waits on them, at a real host with a real PTY (reference G).

use crate::support::{
    Agent, Board, Client, FakeDaemon, PATIENCE, SIZE, SIZE_REPORTER,
    agent::{OWNER, found, owned, terminal},
};
use board_protocol::{
    daemon::ToDaemon,
    hello::{HOST_PROTOCOL, Role, Versions},
    host::{AttachMode, AttachRequest, FromHost, HostFact, HostOrder, ScrollbackOwner, TerminalLook, ToHost},
    ids::{Size, Token},
    refusal::RefusalKind,
    terminals::{
        MAX_WAITS_PER_TERMINAL, TerminalAnswer, TerminalAsk, TerminalSignal, Wait, WaitEnd, Waiting,
    },
};
use host_runner::wire::{Connection, WireError};
use std::path::Path;

/// The waits as the daemon hears of them next.
fn heard(daemon: &mut FakeDaemon) -> Vec<String> {
    daemon.wait("list of waits", |message| match message {
        ToDaemon::HostWaits { waits } => Some(needles(waits)),
        _ => None,
    })
}

fn needles(waits: &[Wait]) -> Vec<String> {
    waits.iter().map(|wait| wait.needle.clone()).collect()
}

/// What an attach client shows next.
fn shown(client: &mut Client) -> Option<(String, u32)> {
    client
        .wait_for_message(|message| match message {
            FromHost::Waiting(waiting) => Some(waiting.clone()),
            _ => None,
        })
        .map(|Waiting { needle, count, .. }| (needle, count))
}

#[test]
fn g1_text_that_is_there_already_is_found_at_once_and_text_that_comes_later_when_it_comes() {
    let board = Board::new();
    let host = terminal(&board, "echo one; read -r line; echo \"got <$line>\"; read -r line");
    let mut agent = Agent::connect(&host);
    assert_eq!(agent.see("o.e"), (0, 0, "one".into()));
    assert_eq!(agent.see("^ne|one$"), (0, 0, "one".into()), "again: it is still there");
    let id = agent.wait_for(r"got <(\w+)>");
    agent.send("words\r");
    let (line, column, matched) = found(agent.end(id));
    assert_eq!((line, column, matched.as_str()), (2, 0, "got <words>"));
    let page = agent.read(Some(0), 10);
    assert_eq!(page.lines, ["one", "words", "got <words>"]);
    assert_eq!((page.from, page.total_lines, page.oldest_line), (0, 3, 0));
}

#[test]
fn g1_wraps_split_characters_and_written_over_lines_are_found_in_a_real_terminal() {
    let board = Board::new();
    // Every character of a needle comes in two writes; a line is wider than the terminal; a progress line.
    let script = r#"stty -echo; read -r go; exec perl -e '$| = 1; binmode STDOUT;
        for my $byte (split //, "\xe4\xbf\xae\xe5\xa4\x8d ready\n") { syswrite STDOUT, $byte; select undef, undef, undef, 0.002; }
        print "x" x 75, " wrapped needle ", "y" x 100, "\n";
        print "10%\r", "55%\r", "100%\n"; sleep 60'"#;
    let host = terminal(&board, script);
    let mut agent = Agent::connect(&host);
    let ids = ["^修复 ready$", "^x+ wrapped needle y+$", "^100%$"].map(|needle| agent.wait_for(needle));
    agent.send("\r");
    let lines = ids.map(|id| found(agent.end(id)).0);
    assert_eq!(lines, [0, 1, 2]);
}

#[test]
fn g1_a_wait_ends_by_its_time_and_a_bad_needle_is_refused_or_taken_literally() {
    let board = Board::new();
    let host = terminal(&board, "echo 'a(b'; exec cat");
    let mut agent = Agent::connect(&host);
    agent.see(r"a\(b");
    let timeout = agent.get(TerminalAsk::WaitFor { needle: "never".into(), timeout_ms: 1 });
    let end = WaitEnd::Timeout { needle: "never".into(), timeout_ms: 100, total_lines: 1 };
    assert_eq!(timeout, Ok(TerminalAnswer::Waited { end, literal: None }));
    let literal = agent.get(TerminalAsk::WaitFor { needle: "a(b".into(), timeout_ms: 1_000 });
    assert!(matches!(literal, Ok(TerminalAnswer::Waited { end: WaitEnd::Found { .. }, literal: Some(_) })));
    let empty = agent.get(TerminalAsk::WaitFor { needle: String::new(), timeout_ms: 1_000 });
    assert_eq!(empty.unwrap_err().kind, RefusalKind::BadInput);
}

#[test]
fn g1_the_end_of_the_program_ends_every_wait_before_the_connection_closes() {
    let board = Board::new();
    let mut host = terminal(&board, "echo ready; read -r line; echo needle; exit 3");
    let mut agent = Agent::connect(&host);
    agent.see("ready");
    let ids = ["never", "neither"].map(|needle| agent.wait_for(needle));
    agent.send("\r");
    for (id, needle) in ids.into_iter().zip(["never", "neither"]) {
        let exited = WaitEnd::Exited { needle: needle.into(), exit_code: Some(3), signal: None };
        assert_eq!(agent.end(id), exited);
    }
    host.wait();
    assert!(matches!(agent.client.connection.receive::<FromHost>(PATIENCE), Err(WireError::Closed)));
}

#[test]
fn g1_the_last_text_of_a_terminal_is_handed_over_and_not_only_its_screen() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let _host = terminal(&board, "for n in {1..300}; do echo line $n; done; exit 0");
    let last = daemon.wait_for_fact("end", |fact| match fact {
        HostFact::ChildExited { last_screen, .. } => Some(last_screen.clone()),
        _ => None,
    });
    let lines: Vec<_> = last.1.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[299]), (300, "line 1", "line 300"));
}

#[test]
fn g1_a_cancelled_wait_leaves_no_trace_and_neither_do_those_of_a_client_that_dies() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = terminal(&board, "exec cat");
    daemon.wait_for_child();
    let mut agent = Agent::connect(&host);
    let first = agent.wait_for("first");
    assert_eq!(heard(&mut daemon), ["first"]);
    let _second = agent.wait_for("second");
    assert_eq!(heard(&mut daemon), ["first", "second"]);
    agent.ask(TerminalAsk::Cancel { wait: first });
    assert_eq!(agent.end(first), WaitEnd::Aborted);
    assert_eq!(heard(&mut daemon), ["second"]);
    let mut other = Agent::connect(&host);
    other.wait_for("of another");
    assert_eq!(heard(&mut daemon), ["second", "of another"]);
    drop(agent);
    assert_eq!(heard(&mut daemon), ["of another"]);
    drop(other);
    assert_eq!(heard(&mut daemon), [""; 0]);
}

#[test]
fn g2_a_person_at_an_attach_client_skips_every_wait_and_a_reader_does_not() {
    let board = Board::new();
    let host = terminal(&board, "exec cat");
    let mut client = Client::attach(&host);
    let mut reader = Client::attach_as(&host, SIZE, AttachMode::ReadOnly, None);
    let mut agent = Agent::connect(&host);
    let ids = ["one", "two"].map(|needle| {
        let id = agent.wait_for(needle);
        assert_eq!(shown(&mut client).unwrap().0, needle);
        id
    });
    // Whoever comes later is told at once.
    let mut late = Client::attach(&host);
    assert_eq!(shown(&mut late), Some(("two".into(), 2)));
    reader.send(&ToHost::SkipWaits);
    let refusal = reader.wait_for_message(|message| match message {
        FromHost::Refused(refusal) => Some(refusal.kind),
        _ => None,
    });
    assert_eq!(refusal, RefusalKind::Forbidden);
    client.send(&ToHost::SkipWaits);
    for (id, needle) in ids.into_iter().zip(["one", "two"]) {
        assert_eq!(agent.end(id), WaitEnd::Skipped { needle: needle.into() });
    }
    assert_eq!(shown(&mut client), None);
    assert_eq!(shown(&mut late), None);
    // An empty one is harmless.
    client.send(&ToHost::SkipWaits);
    agent.send("still here\r");
    client.wait_for("still here");
}

#[test]
fn g2_the_daemon_skips_and_hears_how_many_there_were() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = terminal(&board, "exec cat");
    daemon.wait_for_child();
    let mut agent = Agent::connect(&host);
    let id = agent.wait_for("needle");
    assert_eq!(heard(&mut daemon), ["needle"]);
    for (number, expected) in [(7, 1), (8, 0)] {
        daemon.order(HostOrder::SkipWaits { number });
        let count = daemon.wait("count", |message| match message {
            ToDaemon::WaitsSkipped { number: answered, count } if *answered == number => Some(*count),
            _ => None,
        });
        assert_eq!(count, expected);
    }
    assert_eq!(agent.end(id), WaitEnd::Skipped { needle: "needle".into() });
}

#[test]
fn g3_a_daemon_that_dies_ends_no_wait_and_hears_of_it_again() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = terminal(&board, "exec cat");
    daemon.wait_for_child();
    let mut agent = Agent::connect(&host);
    let id = agent.wait_for("needle");
    assert_eq!(heard(&mut daemon), ["needle"]);
    daemon.kill();
    let second = agent.wait_for("while it is away");
    let mut client = Client::attach(&host);
    assert_eq!(shown(&mut client).unwrap().1, 2);
    let mut daemon = FakeDaemon::start(&board.root);
    assert_eq!(needles(&daemon.wait_for_registration().waits), ["needle", "while it is away"]);
    agent.send("a needle\r");
    assert!(matches!(agent.end(id), WaitEnd::Found { .. }));
    assert_eq!(heard(&mut daemon), ["while it is away"]);
    daemon.order(HostOrder::SkipWaits { number: 1 });
    assert!(matches!(agent.end(second), WaitEnd::Skipped { .. }));
}

#[test]
fn g4_an_older_daemon_and_an_older_client_hear_nothing_of_waits() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start_speaking(&board.root, Some(6));
    let host = terminal(&board, "exec cat");
    daemon.wait_for_child();
    let mut old = Connection::connect(Path::new(&host.launch.socket)).unwrap();
    let welcome = old.greet(Versions { oldest: 1, newest: 3 }, Role::Attach, None).unwrap();
    assert_eq!(welcome.version, 3);
    let mode = AttachMode::Interactive;
    let (look, scrollback) = (TerminalLook::default(), ScrollbackOwner::Person);
    old.send(&ToHost::Attach(AttachRequest { size: SIZE, mode, place: None, look, scrollback })).unwrap();
    let mut agent = Agent::connect(&host);
    let id = agent.wait_for("needle");
    let mut client = Client::attach(&host);
    assert_eq!(shown(&mut client), Some(("needle".into(), 1)));
    client.send(&ToHost::SkipWaits);
    agent.end(id);
    assert_eq!(shown(&mut client), None);
    old.send(&ToHost::Reconcile).unwrap();
    assert!(matches!(old.receive(PATIENCE), Ok(FromHost::Reconciled { .. })), "the first that it hears");
    client.type_in("\r");
    daemon.wait_for_fact("a line end", |fact| matches!(fact, HostFact::PersonTyped).then_some(()));
    assert!(!daemon.passed.iter().any(|message| matches!(message, ToDaemon::HostWaits { .. })));
}

#[test]
fn g1_a_terminal_answers_its_owner_only_and_other_sessions_take_no_agent() {
    let board = Board::new();
    let host = terminal(&board, "exec cat");
    let mut stranger = Client::connect(&host, Role::Agent);
    for token in ["secret", "", "the parent's secreT"] {
        let ask = TerminalAsk::Screen;
        stranger.send(&ToHost::Terminal { id: 1, token: Token(token.into()), ask });
        match stranger.receive() {
            FromHost::Terminal { id: 1, answer: Err(refusal) } => {
                assert_eq!(refusal.kind, RefusalKind::UnknownSession, "{token}");
            }
            other => panic!("{token}: {other:?}"),
        }
    }
    // Nor anybody who is no agent.
    let mut viewer = Client::connect(&host, Role::Viewer);
    viewer.send(&ToHost::Terminal { id: 1, token: Token(OWNER.into()), ask: TerminalAsk::Screen });
    assert!(matches!(viewer.receive(), FromHost::Refused(_)));
    let own = board.start(board.shell("exec cat"));
    drop(Client::connect(&own, Role::Viewer));
    let mut connection = Connection::connect(Path::new(&own.launch.socket)).unwrap();
    assert!(connection.greet(HOST_PROTOCOL, Role::Agent, None).is_err());
}

#[test]
fn g4_waits_have_a_limit() {
    let board = Board::new();
    let host = terminal(&board, "exec cat");
    let mut agent = Agent::connect(&host);
    let ids: Vec<u64> = (0..MAX_WAITS_PER_TERMINAL).map(|_| agent.wait_for("needle")).collect();
    let refused = agent.wait_for("needle");
    assert_eq!(agent.answer(refused).unwrap_err().kind, RefusalKind::Limit);
    agent.send("needle\r");
    for id in ids {
        assert!(matches!(agent.end(id), WaitEnd::Found { .. }));
    }
}

#[test]
fn g4_the_screen_is_the_one_that_a_person_sees() {
    let board = Board::new();
    let host = terminal(&board, r"printf 'one\r\n\033[31mtwo\033[m '; exec cat");
    let mut agent = Agent::connect(&host);
    agent.see("two $");
    match agent.get(TerminalAsk::Screen).unwrap() {
        TerminalAnswer::Screen { lines, cursor, size, .. } => {
            assert_eq!((lines, cursor, size), (vec!["one".to_owned(), "two".to_owned()], [4, 1], SIZE));
        }
        other => panic!("{other:?}"),
    }
}

// What a full-screen program shows is no text that was printed, and still a person sees it.
#[test]
fn g4_a_needle_on_the_screen_of_a_full_screen_program_is_found() {
    let board = Board::new();
    let script = r"stty -echo; read -r go; printf '\033[?1049h\033[2J\033[3;5Hthe me'; read -r go; printf 'nu'; read -r go;
        printf '\033[2J\033[Hgone'; read -r go; printf '\033[?1049lback\r\n'; exec cat";
    let host = terminal(&board, script);
    let mut agent = Agent::connect(&host);
    let id = agent.wait_for("the menu");
    agent.send("\r\r");
    let (line, column, _) = found(agent.end(id));
    assert_eq!((line, column), (2, 4));
    assert_eq!(agent.read(None, 10).lines, [""; 0], "it is no text");
    // It stands there already.
    assert_eq!(agent.see("menu$").0, 2);
    agent.send("\r");
    assert_eq!(agent.see("gone").0, 0);
    let vanished = agent.get(TerminalAsk::WaitFor { needle: "menu".into(), timeout_ms: 200 });
    assert!(
        matches!(vanished, Ok(TerminalAnswer::Waited { end: WaitEnd::Timeout { .. }, .. })),
        "{vanished:?}"
    );
    agent.send("\r");
    assert_eq!(agent.see("back").0, 0);
}

#[test]
fn g4_signals_reach_the_foreground_and_three_of_them_are_keys() {
    let board = Board::new();
    let script = r#"exec perl -e '$| = 1; for my $name (qw(INT QUIT TERM USR1 USR2 HUP)) { $SIG{$name} = sub { print "got $name\n" } }
        print "ready\n"; sleep 1 while 1'"#;
    let host = terminal(&board, script);
    let mut agent = Agent::connect(&host);
    agent.see("ready");
    for (signal, name) in [
        (TerminalSignal::Int, "INT"),
        (TerminalSignal::Quit, "QUIT"),
        (TerminalSignal::Term, "TERM"),
        (TerminalSignal::Usr1, "USR1"),
        (TerminalSignal::Usr2, "USR2"),
        (TerminalSignal::Hup, "HUP"),
    ] {
        assert_eq!(agent.get(TerminalAsk::Signal { signal }), Ok(TerminalAnswer::Done));
        agent.see(&format!("got {name}"));
    }
    let id = agent.wait_for("never");
    agent.ask(TerminalAsk::Signal { signal: TerminalSignal::Kill });
    assert_eq!(agent.end(id), WaitEnd::Exited { needle: "never".into(), exit_code: None, signal: Some(9) });
}

// The job in the foreground, not the shell that started it.
#[test]
fn g4_a_signal_is_for_the_foreground_job() {
    let board = Board::new();
    let host = owned(&board, board.launch(&["bash", "--norc", "-i"]));
    let mut agent = Agent::connect(&host);
    agent.see("[$#] $");
    agent.send("sleep 1000; echo ended $?\r");
    agent.see("sleep 1000; echo");
    // Sent to whatever is in the foreground: again until it is the job.
    let id = agent.wait_for("ended 143");
    loop {
        agent.ask(TerminalAsk::Signal { signal: TerminalSignal::Term });
        let now = agent.get(TerminalAsk::WaitFor { needle: "ended 143".into(), timeout_ms: 200 });
        if matches!(now, Ok(TerminalAnswer::Waited { end: WaitEnd::Found { .. }, .. })) {
            break;
        }
    }
    found(agent.end(id));
    agent.send("echo the shell lives\r");
    agent.see("^the shell lives");
}

#[test]
fn g4_the_size_is_clamped_and_a_person_who_is_attached_decides() {
    let board = Board::new();
    let host = terminal(&board, &format!("exec perl -e '{SIZE_REPORTER}'"));
    let mut agent = Agent::connect(&host);
    agent.see("ready");
    let resize = |agent: &mut Agent, cols, rows| {
        assert_eq!(agent.get(TerminalAsk::Resize(Size { cols, rows })), Ok(TerminalAnswer::Done));
    };
    resize(&mut agent, 1, 9_999);
    agent.see("size 500 20");
    let client = Client::attach_as(&host, Size { cols: 90, rows: 30 }, AttachMode::Interactive, None);
    agent.see("size 30 90");
    resize(&mut agent, 100, 40);
    drop(client);
    let (line, ..) = agent.see("size 40 100");
    assert_eq!(agent.read(Some(line - 1), 1).lines, ["size 30 90"], "not while the person was attached");
}

#[test]
fn g4_what_is_sent_arrives_whole_or_is_refused() {
    let board = Board::new();
    let host = terminal(&board, "stty raw -echo; echo ready; head -c 600000 | sha1sum; exec sleep 1000");
    let mut agent = Agent::connect(&host);
    agent.see("ready");
    let data: Vec<u8> = (0..600_000_u32).map(|n| (n % 251) as u8).collect();
    for part in data.chunks(200_000) {
        assert_eq!(agent.get(TerminalAsk::Send { data: part.to_vec() }), Ok(TerminalAnswer::Done));
    }
    agent.see(&sha1(&data));
    // Nobody reads any more: what does not fit is refused, and nothing of it is kept.
    let refusal = loop {
        match agent.get(TerminalAsk::Send { data: vec![b'x'; 200_000] }) {
            Ok(_) => {}
            Err(refusal) => break refusal,
        }
    };
    assert_eq!(refusal.kind, RefusalKind::Limit);
    assert!(refusal.text.contains("does not read"), "{}", refusal.text);
}

#[test]
fn g4_a_line_that_the_kernel_would_cut_is_refused() {
    let board = Board::new();
    let host = terminal(&board, "echo ready; exec cat");
    let mut agent = Agent::connect(&host);
    agent.see("ready");
    let refusal = agent.get(TerminalAsk::Send { data: vec![b'x'; 5_000] }).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::BadInput);
    assert!(refusal.text.contains("4095"), "{}", refusal.text);
}

fn sha1(data: &[u8]) -> String {
    let mut child = std::process::Command::new("sha1sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), data).unwrap();
    let output = child.wait_with_output().unwrap().stdout;
    String::from_utf8(output[..40].to_vec()).unwrap()
}
