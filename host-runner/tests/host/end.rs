//! The host as a real process: stop, facts while the daemon is away, and every way in which a session ends.

use crate::support::{Board, Client, FakeDaemon, process_of, wait_for_end};
use board_protocol::{
    daemon::ToDaemon,
    hello::Role,
    host::{Exit, FromHost, HostFact, HostOrder, ToHost},
};
use std::time::Duration;

// Field report G1: orphans of stopped agents lived on.
#[test]
fn g1_a_stop_ends_the_stubborn_tree_and_lists_what_left_it() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let script = r#"trap '' TERM
        setsid sh -c 'trap "" TERM; echo $$ >descendant.new; mv descendant.new descendant; while :; do sleep 1000; done' &
        setsid sh -c 'sh -c "echo \$\$ >stray.new; mv stray.new stray; exec sleep 1000" & exit' &
        while [ ! -e descendant ] || [ ! -e stray ]; do :; done
        echo ready; while :; do sleep 1000; done"#;
    let mut host = board.start(board.shell(script));
    let mut client = Client::attach(&host);
    let child = daemon.wait_for_child();
    client.wait_for("ready");
    let pid_in = |name: &str| std::fs::read_to_string(board.path(name)).unwrap();
    let descendant = process_of(&pid_in("descendant"));
    let stray = process_of(&pid_in("stray"));
    let start = std::time::Instant::now();
    daemon.order(HostOrder::Stop);
    let exit = client.wait_for_message(|message| match message {
        FromHost::Exited(exit) => Some(*exit),
        _ => None,
    });
    assert_eq!(exit, Exit::Signal(9));
    assert!(start.elapsed() >= Duration::from_secs(4), "SIGTERM has four seconds");
    let (_, strays) = daemon.wait_for_fact("end", |fact| match fact {
        HostFact::ChildExited { strays, .. } => Some(strays.clone()),
        _ => None,
    });
    wait_for_end(child);
    wait_for_end(descendant);
    assert_eq!(strays.iter().map(|stray| stray.process).collect::<Vec<_>>(), [stray]);
    assert_eq!(strays[0].command, "sleep 1000");
    host.wait();
    assert!(host_runner::process::is_running(stray), "what left on purpose is not ended");
    let pid = rustix::process::Pid::from_raw(stray.pid as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

#[test]
fn a_program_that_takes_sigterm_ends_at_once_and_so_does_one_that_was_suspended() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    for suspended in [false, true] {
        let mut host =
            board.start(board.shell("trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.05; done"));
        let child = daemon.wait_for_child();
        Client::attach(&host).wait_for("up");
        if suspended {
            let pid = rustix::process::Pid::from_raw(child.pid as i32).unwrap();
            rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
        }
        host.signal(rustix::process::Signal::TERM);
        let (_, (exit, screen)) = daemon.wait_for_fact("end", |fact| match fact {
            HostFact::ChildExited { exit, last_screen, .. } => Some((*exit, last_screen.clone())),
            _ => None,
        });
        assert_eq!(exit, Exit::Code(5));
        assert!(screen.contains("bye"), "{screen}");
        host.wait();
    }
}

// A stop at any moment between start and handlers ends in a terminal state.
#[test]
fn a_stop_at_any_moment_of_the_start_ends_the_session() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    for delay in 0..40 {
        let mut host = board.start(board.shell("trap 'exit 0' TERM; while :; do sleep 0.05; done"));
        for _ in 0..delay * 2_000 {
            std::hint::spin_loop();
        }
        let status = {
            host.signal(rustix::process::Signal::TERM);
            host.wait()
        };
        // Before its handlers a host dies of the signal and has shown nothing; after them the end is reported.
        if status.success() {
            daemon.wait_for_fact("end", |fact| matches!(fact, HostFact::ChildExited { .. }).then_some(()));
        } else {
            assert!(!std::path::Path::new(&host.launch.socket).exists());
        }
    }
}

// Field report F1: a killed server lost its sessions.
#[test]
fn f1_hosts_outlive_the_daemon_keep_facts_on_disk_and_register_again() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let mut host = board.start(board.shell("echo up; exec cat"));
    let child = daemon.wait_for_child();
    let mut client = Client::attach(&host);
    client.wait_for("up");
    // What the dying daemon heard but did not commit is not lost either.
    daemon.stay_silent();
    let mut hook = Client::connect(&host, Role::Hook);
    hook.send(&ToHost::Event(host.report("uncommitted")));
    assert_eq!(hook.receive(), FromHost::EventTaken);
    daemon.wait_for_fact("event", |fact| matches!(fact, HostFact::AgentReported(_)).then_some(()));
    daemon.kill();
    hook.send(&ToHost::Event(host.report("while away")));
    assert_eq!(hook.receive(), FromHost::EventTaken);
    let on_disk: Vec<String> = host_runner::spool::drain(&board.root)
        .into_iter()
        .filter_map(|(_, fact)| match fact.unwrap().fact {
            HostFact::AgentReported(report) => Some(String::from_utf8(report.payload).unwrap()),
            _ => None,
        })
        .collect();
    assert_eq!(on_disk, ["uncommitted", "while away"]);
    client.type_in("still alive\r");
    client.wait_for("still alive\nstill alive");
    let mut daemon = FakeDaemon::start(&board.root);
    let registration = daemon.wait_for_registration();
    assert_eq!((registration.child, registration.attached.len()), (Some(child), 1));
    for expected in ["uncommitted", "while away"] {
        let (_, payload) = daemon.wait_for_fact("event again", |fact| match fact {
            HostFact::AgentReported(report) => Some(report.payload.clone()),
            _ => None,
        });
        assert_eq!(payload, expected.as_bytes());
    }
    daemon.order(HostOrder::Stop);
    host.wait();
}

#[test]
fn an_end_while_the_daemon_is_away_is_on_disk() {
    let board = Board::new();
    let mut host = board.start(board.shell("echo alone; exit 4"));
    host.wait();
    let facts: Vec<_> =
        host_runner::spool::drain(&board.root).into_iter().map(|(_, fact)| fact.unwrap()).collect();
    assert!(
        facts.iter().all(|fact| fact.generation == Some(host.generation()) && fact.session == host.session())
    );
    assert!(matches!(facts[0].fact, HostFact::ChildStarted { .. }));
    let HostFact::ChildExited { exit, last_screen, .. } = &facts[1].fact else { panic!("{facts:?}") };
    assert_eq!((*exit, last_screen.as_str()), (Exit::Code(4), "alone\n"));
    assert_eq!(facts.len(), 2);
}

#[test]
fn a_revoked_host_ends_its_program_and_itself_and_reports_nothing() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let mut host = board.start(board.shell("exec cat"));
    let child = daemon.wait_for_child();
    daemon.order(HostOrder::Revoked { reason: "another took its place".into() });
    host.wait();
    wait_for_end(child);
    assert!(host_runner::spool::drain(&board.root).is_empty());
    assert!(!daemon.passed.iter().any(|message| {
        matches!(message, ToDaemon::HostReported { fact: HostFact::ChildExited { .. }, .. })
    }));
}

#[test]
fn a_program_that_cannot_start_is_a_fact_with_a_reason() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let mut elsewhere = board.shell("true");
    elsewhere.cwd = "/does/not/exist".into();
    for (launch, expected) in
        [(board.launch(&["no-such-program"]), "not found"), (elsewhere, "/does/not/exist")]
    {
        let mut host = board.start(launch);
        let (_, error) = daemon.wait_for_fact("failure", |fact| match fact {
            HostFact::ChildStartFailed { error } => Some(error.clone()),
            _ => None,
        });
        assert!(error.contains(expected), "{error}");
        host.wait();
    }
}

#[test]
fn the_interrupt_key_is_typed_once() {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = board.start(board.shell("trap 'echo interrupted' INT; echo up; while :; do sleep 0.05; done"));
    let mut client = Client::attach(&host);
    client.wait_for("up");
    daemon.wait_for_child();
    daemon.order(HostOrder::Interrupt { key: vec![3] });
    client.wait_for("interrupted");
    assert_eq!(client.contents().matches("interrupted").count(), 1);
}
