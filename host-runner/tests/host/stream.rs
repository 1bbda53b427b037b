//! The host as a real process: its stream, its clients and what it reports about them.

use crate::support::{
    Board, Client, FakeDaemon, PATIENCE, SIZE, SIZE_REPORTER, client::read_screen, variable, wait_for_end,
};
use board_protocol::{
    board::AttachPlace,
    daemon::ToDaemon,
    hello::Role,
    host::{AttachMode, AttachedClient, Exit, FromHost, HostFact, SnapshotCause, ToHost},
    ids::Size,
};
use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

#[test]
fn a_host_registers_reports_its_program_and_its_end_and_leaves_nothing() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let mut host = board.start(board.shell("echo last words; exit 3"));
    let registration = daemon.wait_for_registration();
    assert_eq!(registration.session, host.session());
    assert_eq!(registration.generation, host.generation());
    assert_eq!(registration.token, host.launch.token);
    assert_eq!(registration.process.pid, host.pid());
    assert_eq!(registration.size, SIZE);
    let child = daemon.wait_for_child();
    let (_, (exit, screen)) = daemon.wait_for_fact("end", |fact| match fact {
        HostFact::ChildExited { exit, last_screen, .. } => Some((*exit, last_screen.clone())),
        _ => None,
    });
    assert_eq!(exit, Exit::Code(3));
    assert_eq!(screen, "last words\n");
    assert!(host.wait().success());
    wait_for_end(child);
    assert!(!std::path::Path::new(&host.launch.socket).exists());
    assert!(host_runner::spool::drain(&board.root).is_empty(), "what the daemon took is not on disk, too");
}

#[test]
fn a_client_gets_the_screen_then_live_output_without_gaps() {
    let board = Board::new();
    let host = board.start(board.shell("echo before; exec cat"));
    let mut first = Client::attach(&host);
    first.wait_for("before");
    first.type_in("hello\r");
    first.wait_for("hello\nhello");
    // The second one starts from a snapshot; both go on.
    let mut second = Client::attach(&host);
    second.wait_for("hello\nhello");
    assert_eq!(second.causes, [SnapshotCause::Asked]);
    second.type_in("both\r");
    for client in [&mut first, &mut second] {
        client.wait_for("both\nboth");
    }
    assert_eq!(first.contents(), second.contents());
    assert_eq!(first.next, second.next);
    assert_eq!(read_screen(&host, 0), "before\nhello\nhello\nboth\nboth\n");
}

// Field report C5: attaching at the same size left an empty screen until the next resize.
#[test]
fn c5_after_detach_the_session_goes_on_and_attach_shows_it_whole() {
    let board = Board::new();
    let host = board.start(board.shell("printf 'drawn once'; exec cat"));
    let mut client = Client::attach(&host);
    client.wait_for("drawn once");
    client.send(&ToHost::Detach);
    client.wait_for_message(|message| (*message == FromHost::Detached).then_some(()));
    let mut client = Client::attach(&host);
    client.wait_for("drawn once");
}

#[test]
fn a_client_that_missed_a_few_chunks_gets_only_those() {
    let board = Board::new();
    let host = board.start(board.shell("echo start; exec cat"));
    let mut client = Client::attach(&host);
    client.wait_for("start");
    let seen = board_protocol::ids::OutputSeq(client.next.unwrap().0 - 1);
    let mut other = Client::attach(&host);
    drop(client);
    other.type_in("missed\r");
    other.wait_for("missed\nmissed");
    let mut back = Client::attach_as(&host, SIZE, AttachMode::Interactive, Some(seen));
    back.wait_for("missed\nmissed");
    assert!(back.causes.is_empty(), "no snapshot was needed");
    assert!(!back.contents().contains("start"));
}

#[test]
fn a_client_that_does_not_read_keeps_nobody_waiting_and_gets_a_fresh_screen() {
    let board = Board::new();
    let script =
        "read go; for i in $(seq 120000); do echo \"line $i of many that nobody can hold\"; done; exec cat";
    let host = board.start(board.shell(script));
    let mut slow = Client::attach(&host);
    slow.wait_for_message(|message| matches!(message, FromHost::SnapshotEnd { .. }).then_some(()));
    let mut quick = Client::attach(&host);
    quick.type_in("go\r");
    quick.wait_for_raw(b"line 120000 of");
    assert_eq!(quick.causes, [SnapshotCause::Asked], "a client that reads loses nothing");
    // Only now does the slow one read again: what was queued for it, then a whole new screen.
    slow.wait_for("line 120000 of");
    assert!(slow.causes.len() >= 2 && slow.causes[1..].iter().all(|cause| *cause == SnapshotCause::Resync));
    assert_eq!(slow.next, quick.next);
    quick.type_in("after\r");
    slow.wait_for("after\nafter");
}

// Field reports E1, E5, C7: the size follows the person who types, with one SIGWINCH for each change.
#[test]
fn e5_the_size_belongs_to_who_typed_last_and_readers_never_decide() {
    let board = Board::new();
    let host = board.start(board.launch(&["perl", "-e", SIZE_REPORTER]));
    let mut first = Client::attach(&host);
    first.wait_for("ready");
    let large = Size { cols: 100, rows: 30 };
    let mut second = Client::attach_as(&host, large, AttachMode::Interactive, None);
    second.wait_for("ready");
    let mut reader = Client::attach_as(&host, Size { cols: 50, rows: 10 }, AttachMode::ReadOnly, None);
    reader.wait_for("ready");
    second.type_in("x");
    for client in [&mut first, &mut second, &mut reader] {
        let size = client.wait_for_message(|message| match message {
            FromHost::Resized(size) => Some(*size),
            _ => None,
        });
        assert_eq!(size, large);
        client.wait_for("size 30 100");
        assert_eq!(client.causes.last(), Some(&SnapshotCause::Resize));
    }
    reader.send(&ToHost::Resize(Size { cols: 40, rows: 9 }));
    reader.type_in("no");
    let refused = reader.wait_for_message(|message| match message {
        FromHost::Refused(refusal) => Some(refusal.text.clone()),
        _ => None,
    });
    assert!(refused.contains("only looks"), "{refused}");
    drop(second);
    first.wait_for("size 24 80");
    assert_eq!(first.contents().matches("size").count(), 2, "one SIGWINCH each:\n{}", first.contents());
}

// Field report F24: one session's environment leaked into others.
#[test]
fn f24_the_program_gets_the_launching_shells_environment_and_nothing_of_the_hosts() {
    let board = Board::new();
    let mut launch = board.shell("env; echo end; exec cat");
    for (name, value) in
        [("FOO", "2"), ("ZELLIJ_PANE_ID", "7"), ("TERM", "dumb"), ("AGENT_BOARD_TOKEN", "old")]
    {
        launch.environment.push(variable(name, value));
    }
    let host = board.start(launch);
    let mut client = Client::attach_as(&host, Size { cols: 200, rows: 60 }, AttachMode::Interactive, None);
    client.wait_for("end");
    let text = read_screen(&host, 100);
    let all: Vec<&str> = text.lines().collect();
    let socket = format!("AGENT_BOARD_SOCKET={}", host.launch.socket);
    let session = format!("AGENT_BOARD_SESSION={}", host.session());
    let set = [
        "FOO=2",
        "TERM=xterm-256color",
        "COLORTERM=truecolor",
        "AGENT_BOARD_TOKEN=secret",
        &socket,
        &session,
    ];
    for expected in set {
        assert!(all.contains(&expected), "{expected} is missing in\n{text}");
    }
    for foreign in ["ONLY_THE_HOST", "ZELLIJ_PANE_ID", "FOO=1", "CARGO"] {
        assert!(!text.contains(foreign), "{foreign} is in\n{text}");
    }
}

#[test]
fn the_program_leads_its_own_session_on_its_own_terminal() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("tty; stty size; ls /proc/self/fd | xargs; echo end; exec cat"));
    let child = daemon.wait_for_child();
    let mut client = Client::attach(&host);
    // The 3 is the directory that `ls` reads: nothing of the host's was inherited.
    client.wait_for("24 80\n0 1 2 3\nend");
    assert!(client.contents().starts_with("/dev/pts/"));
    let (program, own) =
        (host_runner::process::stat(child.pid).unwrap(), host_runner::process::stat(host.pid()).unwrap());
    assert_eq!((program.session, program.group, program.parent), (child.pid, child.pid, host.pid()));
    assert_eq!(own.session, host.pid(), "the host has a session of its own");
}

#[test]
fn the_host_answers_the_programs_questions_and_no_client_sees_them() {
    let board = Board::new();
    let script = r#"stty raw -echo; printf 'ab\033[6n'; IFS= read -r -d R answer; stty sane
        echo; echo "at ${answer#*[}"; exec cat"#;
    let host = board.start(board.shell(script));
    let mut client = Client::attach(&host);
    client.wait_for("at 1;3");
    assert!(!client.raw.windows(4).any(|part| part == b"\x1b[6n"));
}

#[test]
fn a_malformed_frame_or_a_wrong_order_costs_only_its_connection() {
    let board = Board::new();
    let host = board.start(board.shell("exec cat"));
    let mut good = Client::attach(&host);
    let mut bad = Client::attach(&host);
    let (mut stream, _) = bad.connection.into_parts();
    std::io::Write::write_all(&mut stream, &[3, 0, 0, 0, 0xc1, 0xc1, 0xc1]).unwrap();
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut stream, &mut rest).unwrap();
    bad = Client::connect(&host, Role::Attach);
    bad.send(&ToHost::Subscribe { since: None });
    assert!(matches!(bad.receive(), FromHost::Refused(_)), "attach comes first");
    let mut hook = Client::connect(&host, Role::Hook);
    hook.send(&ToHost::Input { data: b"typed by a hook\r".to_vec() });
    assert!(matches!(hook.receive(), FromHost::Refused(_)));
    good.type_in("still here\r");
    good.wait_for("still here\nstill here");
    assert!(!good.contents().contains("hook"));
}

#[test]
fn events_need_the_sessions_token_and_reach_the_daemon_in_order() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    let mut hook = Client::connect(&host, Role::Hook);
    let mut forged = host.report("forged");
    forged.token = board_protocol::ids::Token("guess".into());
    hook.send(&ToHost::Event(forged));
    assert!(matches!(hook.receive(), FromHost::Refused(_)));
    for payload in ["one", "two"] {
        hook.send(&ToHost::Event(host.report(payload)));
        assert_eq!(hook.receive(), FromHost::EventTaken);
    }
    let payload = |fact: &HostFact| match fact {
        HostFact::AgentReported(report) => Some(String::from_utf8(report.payload.clone()).unwrap()),
        _ => None,
    };
    let (first, one) = daemon.wait_for_fact("event", payload);
    let (second, two) = daemon.wait_for_fact("event", payload);
    assert_eq!((one.as_str(), two.as_str()), ("one", "two"));
    assert!(first < second);
}

#[test]
fn the_daemon_hears_that_a_session_prints_and_that_a_person_typed_a_line() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("stty -echo; echo up; exec cat"));
    daemon.wait_for_registration();
    let mut client = Client::attach(&host);
    client.wait_for("up");
    client.type_in("no line end");
    client.type_in("\r\r\r");
    let typed = |fact: &HostFact| (*fact == HostFact::PersonTyped).then_some(());
    daemon.wait_for_fact("line end", typed);
    client.wait_for("no line end");
    drop(client);
    let gone = |fact: &HostFact| match fact {
        HostFact::AttachedChanged { attached, .. } => attached.is_empty().then_some(()),
        _ => None,
    };
    daemon.wait_for_fact("departure", gone);
    let lines = daemon
        .passed
        .iter()
        .filter(|message| matches!(message, ToDaemon::HostReported { fact: HostFact::PersonTyped, .. }));
    assert_eq!(lines.count(), 0, "three line ends at once are one fact");
    assert!(daemon.passed.iter().any(|message| matches!(message, ToDaemon::HostActive { .. })));
}

#[test]
fn the_daemon_learns_who_is_attached_where_and_which_pane_was_left_on_purpose() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("exec cat"));
    daemon.wait_for_child();
    let lists = |fact: &HostFact| match fact {
        HostFact::AttachedChanged { attached, left } => Some((attached.clone(), *left)),
        _ => None,
    };
    let place = |pane_id| Some(AttachPlace { server_pid: 77, pane_id });
    let here = |pane_id| AttachedClient { mode: AttachMode::Interactive, place: place(pane_id) };
    let mut clients: Vec<Client> = Vec::new();
    for pane_id in [1, 2] {
        clients.push(Client::attach_in(&host, place(pane_id)));
    }
    assert_eq!(daemon.wait_for_fact("first", lists).1, (vec![here(1)], None));
    assert_eq!(daemon.wait_for_fact("second", lists).1, (vec![here(1), here(2)], None));
    // One leaves with the detach key, the other's pane is closed: only the first wants the board.
    clients[1].send(&ToHost::Detach);
    assert_eq!(daemon.wait_for_fact("detach", lists).1, (vec![here(1)], place(2)));
    clients.clear();
    assert_eq!(daemon.wait_for_fact("close", lists).1, (vec![], None));
}

// Field report G3: hosts span at 100 % when their daemon died, or when the program closed its terminal.
#[test]
fn g3_an_idle_host_sleeps_even_when_its_program_has_closed_the_terminal() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let script = "echo closing; exec 3<>\"$FIFO\"; exec 0<&- 1>&- 2>&-; read -r x <&3; exit 7";
    let fifo = board.path("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let mut launch = board.shell(script);
    launch.environment.push(variable("FIFO", fifo.to_str().unwrap()));
    let mut host = board.start(launch);
    let mut client = Client::attach(&host);
    client.wait_for("closing");
    daemon.wait_for_child();
    let wakes = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", host.pid())).unwrap();
        let line = status.lines().find(|line| line.starts_with("voluntary")).unwrap();
        line.split_whitespace().last().unwrap().parse::<u64>().unwrap()
    };
    // What it does because of the start may take its time on a loaded machine; one that spins is never quiet.
    let end = Instant::now() + PATIENCE;
    loop {
        let before = wakes();
        assert!(client.stays_silent(Duration::from_millis(600)));
        let woken = wakes() - before;
        if woken <= 3 {
            break;
        }
        assert!(Instant::now() < end, "an idle host woke {woken} times in 0.6 s");
    }

    // Its daemon is gone and nobody may start another: it looks for one ever more rarely, and does not spin in between.
    std::fs::write(board.root.shutdown_marker(), "").unwrap();
    drop(daemon);
    let spent = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", host.pid())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        // Ticks of 10 ms, in the program and in the kernel.
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let (before, ticks) = (wakes(), spent());
    assert!(client.stays_silent(Duration::from_millis(1_500)));
    let (woken, ticks) = (wakes() - before, spent() - ticks);
    assert!(woken <= 60, "a host without a daemon woke {woken} times in 1.5 s");
    assert!(ticks <= 30, "a host without a daemon computed for {ticks} ticks of 150");
    std::fs::write(&fifo, "go\n").unwrap();
    let exit = client.wait_for_message(|message| match message {
        FromHost::Exited(exit) => Some(*exit),
        _ => None,
    });
    assert_eq!(exit, Exit::Code(7));
    host.wait();
}

// Field report D3: a large paste was cut or froze everything.
#[test]
fn d3_a_paste_of_a_mebibyte_arrives_whole_at_a_program_that_reads_late() {
    let board = Board::new();
    let script = "stty raw -echo; echo ready; read -r -n 1 x; head -c 1048576 | sha256sum; exec cat";
    let host = board.start(board.shell(script));
    let mut client = Client::attach(&host);
    client.wait_for("ready");
    let paste: Vec<u8> = (0..1_048_576_u32).map(|n| b'a' + (n % 23) as u8).collect();
    for part in paste.chunks(100_000) {
        client.send(&ToHost::Input { data: part.to_vec() });
    }
    // The first byte is eaten by the `read`, so one more completes the count.
    client.send(&ToHost::Input { data: b"!".to_vec() });
    let mut expected =
        Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = expected.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, &[&paste[1..], b"!"].concat()).unwrap();
    drop(stdin);
    let sum = expected.wait_with_output().unwrap().stdout;
    client.wait_for(std::str::from_utf8(&sum[..64]).unwrap());
}

/// Output that is no terminal's language, as fast as a program prints it: random bytes, and sequences that never end well.
#[test]
fn a_flood_of_malformed_output_leaves_the_host_alive_the_screen_right_and_the_log_short() {
    let board = Board::new();
    let _daemon = FakeDaemon::start(&board.root);
    let broken =
        r"\033[99;\377\303(\033]2;\200\033P\360\033[?1;2;3;4;5;6;7;8;9\033[3\030\033]8;;\033[\342\202";
    let script = format!(
        "stty raw -echo; yes \"$(printf '{broken}')\" | head -c 6000000; head -c 6000000 /dev/urandom; \
         printf '\\030\\033\\\\\\033c\\033[Hafter the flood'; exec cat"
    );
    let log = board.path("stderr");
    let host = board.start_saying(board.shell(&script), std::fs::File::create(&log).unwrap().into());
    let mut client = Client::attach(&host);
    client.wait_for("after the flood");
    // Whoever attaches later sees the same, and nothing else.
    let mut late = Client::attach(&host);
    late.wait_for("after the flood");
    assert_eq!(late.contents().trim(), "after the flood");
    client.type_in("alive");
    client.wait_for("alive");
    let said = std::fs::metadata(&log).unwrap().len();
    assert!(said < 64 * 1024, "{said} bytes of log");
}
