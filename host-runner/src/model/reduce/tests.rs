//! Every way through a session's life, by hand from reference B.5 and the generic adapter's rules.

use super::*;
use crate::model::{
    AfterStop,
    samples::{after, attached, begun, exited, fact, generation, process, session, started},
    view::{Live, is_busy, is_unread, row},
};

fn stop() -> FactKind {
    FactKind::StopRequested { then: AfterStop::Stays }
}

fn lost() -> FactKind {
    FactKind::HostLost { generation: generation(), reason: "its host is gone".into(), strays: Vec::new() }
}

fn failed_to_start(seq: u64) -> FactKind {
    FactKind::ChildStartFailed {
        generation: generation(),
        seq: FactSeq(seq),
        error: "no such program".into(),
    }
}

type Expected = (SemanticState, ProcessState, HostState, Option<&'static str>, Option<&'static str>);

#[test]
fn the_state_after_every_kind_of_life() {
    use HostState as H;
    use ProcessState::{Alive, Exited};
    use SemanticState as S;
    let table: Vec<(&str, Vec<FactKind>, Expected)> = vec![
        ("asked for", vec![], (S::Queued, Alive, H::Starting, None, None)),
        ("runs", vec![started(1)], (S::Working, Alive, H::Alive, None, None)),
        (
            "exit 0",
            vec![started(1), exited(2, Exit::Code(0))],
            (S::Idle, Exited, H::Exited, None, Some("exit code 0")),
        ),
        (
            "exit 3",
            vec![started(1), exited(2, Exit::Code(3))],
            (S::Failed, Exited, H::Exited, Some("exit code 3"), Some("exit code 3")),
        ),
        (
            "signal",
            vec![started(1), exited(2, Exit::Signal(9))],
            (S::Failed, Exited, H::Exited, Some("signal 9 (SIGKILL)"), Some("signal 9 (SIGKILL)")),
        ),
        (
            "interrupted, and ended of it",
            vec![started(1), FactKind::SessionInterrupted, exited(2, Exit::Signal(2))],
            (S::Stopped, Exited, H::Exited, None, Some("signal 2 (SIGINT)")),
        ),
        (
            "interrupted, and its shell returned what that means",
            vec![started(1), FactKind::SessionInterrupted, exited(2, Exit::Code(130))],
            (S::Stopped, Exited, H::Exited, None, Some("exit code 130")),
        ),
        (
            "interrupted, and ended of something else",
            vec![started(1), FactKind::SessionInterrupted, exited(2, Exit::Code(3))],
            (S::Failed, Exited, H::Exited, Some("exit code 3"), Some("exit code 3")),
        ),
        (
            "ended by an interrupt that nobody at the board sent",
            vec![started(1), exited(2, Exit::Signal(2))],
            (S::Failed, Exited, H::Exited, Some("signal 2 (SIGINT)"), Some("signal 2 (SIGINT)")),
        ),
        ("being stopped", vec![started(1), stop()], (S::Working, Alive, H::Stopping, None, None)),
        (
            "stopped",
            vec![started(1), stop(), exited(2, Exit::Signal(15))],
            (S::Stopped, Exited, H::Exited, None, Some("signal 15 (SIGTERM)")),
        ),
        (
            "stopped, ended well",
            vec![started(1), stop(), exited(2, Exit::Code(0))],
            (S::Stopped, Exited, H::Exited, None, Some("exit code 0")),
        ),
        ("stopped before it ran", vec![stop(), started(1)], (S::Working, Alive, H::Stopping, None, None)),
        (
            "could not start",
            vec![failed_to_start(1)],
            (S::Failed, Exited, H::Failed, Some("no such program"), Some("could not be started")),
        ),
        (
            "host killed",
            vec![started(1), lost()],
            (S::Failed, Exited, H::Failed, Some("its host is gone"), Some("its host ended unexpectedly")),
        ),
        (
            "host killed while stopping",
            vec![started(1), stop(), lost()],
            (S::Stopped, Exited, H::Failed, None, Some("its host ended unexpectedly")),
        ),
        (
            "the truth arrives late, from the spool",
            vec![started(1), lost(), exited(2, Exit::Code(0))],
            (S::Idle, Exited, H::Exited, None, Some("exit code 0")),
        ),
        (
            "what ended stays ended",
            vec![started(1), exited(2, Exit::Code(0)), started(3), lost(), exited(4, Exit::Code(9)), stop()],
            (S::Idle, Exited, H::Exited, None, Some("exit code 0")),
        ),
    ];
    for (name, facts, (state, process_state, host_state, error, ended)) in table {
        let record = after(facts);
        let row = row(&record, &Live::default());
        assert_eq!(row.state, state, "{name}");
        assert_eq!(row.process_state, process_state, "{name}");
        assert_eq!(row.host_state, host_state, "{name}");
        assert_eq!(row.error.as_deref(), error, "{name}");
        assert_eq!(row.ended.as_deref(), ended, "{name}");
        assert_eq!(is_busy(&record), process_state == Alive, "{name}");
    }
}

#[test]
fn a_fact_said_twice_or_by_another_boot_changes_nothing() {
    let once = after([started(1), attached(2, 1)]);
    let twice = after([started(1), attached(2, 1), started(1), attached(2, 5), attached(1, 9)]);
    assert_eq!(once, twice);
    let foreign = FactKind::ChildExited {
        generation: Generation("22222222-bbbb".into()),
        seq: FactSeq(9),
        exit: Exit::Code(1),
        strays: Vec::new(),
        reason: None,
    };
    assert_eq!(after([started(1), foreign]), after([started(1)]));
}

#[test]
fn unread_is_what_nobody_looked_at() {
    let end = |seq| exited(seq, Exit::Code(0));
    let table = [
        ("ended alone", vec![started(1), end(2)], true),
        ("ended, then visited", vec![started(1), end(2), FactKind::SessionVisited], false),
        ("ended under somebody's eyes", vec![started(1), attached(2, 1), end(3)], false),
        ("looked at, left, ended", vec![started(1), attached(2, 1), attached(3, 0), end(4)], true),
        ("stopped by a person", vec![started(1), stop(), end(2)], false),
        ("still runs", vec![started(1)], false),
    ];
    for (name, facts, unread) in table {
        assert_eq!(is_unread(&after(facts)), unread, "{name}");
    }
}

#[test]
fn running_again_keeps_the_row_and_starts_its_life_anew() {
    let second = Generation("22222222-bbbb".into());
    let again = FactKind::SessionBegunAgain {
        generation: second.clone(),
        argv: vec!["/bin/sh".into()],
        environment_at: UnixMs(99),
    };
    let record = after([started(1), stop(), exited(2, Exit::Code(3)), again]);
    assert_eq!((record.state, record.host.state), (SemanticState::Queued, HostState::Starting));
    assert_eq!((record.created_at, record.name.as_str()), (UnixMs(10), "sample"));
    assert_eq!((&record.error, &record.ending, record.stop), (&None, &None, None));
    assert_eq!((record.host.generation.clone(), record.host.last_fact), (second, FactSeq(0)));
    assert_eq!(record.environment_at, Some(UnixMs(99)));
    assert!(!is_unread(&record));
}

#[test]
fn registering_again_after_a_daemon_restart_changes_only_what_is_new() {
    let met = HostMet {
        generation: generation(),
        process: process(50),
        child: Some(process(77)),
        socket: "/run/x.sock".into(),
        attached: Vec::new(),
    };
    let record = after([started(1), FactKind::HostRegistered(met.clone())]);
    assert_eq!(record.state, SemanticState::Working);
    assert_eq!(
        (record.host.process, record.host.socket.as_deref()),
        (Some(process(50)), Some("/run/x.sock"))
    );
    // A host that registers after its row ended does not bring it back.
    let ended = after([started(1), exited(2, Exit::Code(0)), FactKind::HostRegistered(met)]);
    assert_eq!(ended.host.state, HostState::Exited);
    assert_eq!(ended.host.socket, None);
}

#[test]
fn facts_about_nobody_change_nothing() {
    let mut sessions = Sessions::new();
    apply(&mut sessions, &fact("0000000009", 1, started(1)));
    assert!(sessions.is_empty());
    begun(&mut sessions, "0000000001", "one");
    apply(&mut sessions, &fact("0000000001", 2, FactKind::SessionRemoved));
    assert!(!sessions.contains_key(&session("0000000001")));
}

// Field report C22: what a session is called or says cannot reach a terminal as control characters.
#[test]
fn c22_texts_of_a_row_are_plain() {
    let mut record = after([failed_to_start(1)]);
    record.name = "a\u{1b}[2Jb".into();
    record.error = Some("\u{9b}31mred\u{202e}".into());
    record.cwd = "/tmp/\u{7}x".into();
    let row = row(&record, &Live { doubt: Some("\u{1b}]0;t\u{7}why".into()), ..Live::default() });
    assert_eq!((row.name.as_str(), row.error.as_deref()), ("ab", Some("red")));
    assert_eq!(
        (row.cwd.as_str(), row.doubt.as_deref(), row.summary.as_str()),
        ("/tmp/x", Some("why"), "red")
    );
}

mod states;
