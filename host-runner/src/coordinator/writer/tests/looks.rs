//! Records against the world (reference D.9): every line of its table through the whole writer, over a restart of the
//! daemon and without one.

use super::*;
use crate::{coordinator::Ticket, model::Sessions};
use board_protocol::{
    board::Revival,
    daemon::{Answer, LogLevel},
    host::HostLaunch,
};

/// How often a daemon looks around, in milliseconds.
const TICK_MS: u64 = 5_000;
/// For how long a test does that.
const TICKS_IN_TEN_MINUTES: u64 = 600_000 / TICK_MS;

/// A session whose host has this pid, on connection 1.
fn hosted(play: &mut Play, pid: u32) -> HostLaunch {
    let (launch, _) = play.start(&format!("start {pid}"));
    play.host_comes(&launch, pid, u64::from(pid));
    launch
}

fn assert_folds(play: &Play) {
    let replayed = play.coordinator.store.replay(None).unwrap();
    assert_eq!(&replayed.sessions, play.coordinator.sessions());
}

fn state(play: &mut Play, launch: &HostLaunch) -> (SemanticState, HostState) {
    let row = play.show(&launch.session).row;
    (row.state, row.host_state)
}

/// What a daemon that starts finds of a session, and what it makes of it.
#[test]
fn d9_what_a_restart_finds() {
    type Ruin = fn(&mut Play);
    let dead: Ruin = |play| {
        play.kill(50);
        play.kill(51);
    };
    let table: [(&str, Ruin, SemanticState, HostState); 6] = [
        ("a host that lives", |_| {}, SemanticState::Working, HostState::Alive),
        ("a dead host", dead, SemanticState::Failed, HostState::Failed),
        ("a dead program in a living host", |play| play.kill(51), SemanticState::Working, HostState::Alive),
        (
            "a host whose pid is another process by now",
            |play| {
                // The number runs, but it is not the host.
                play.kill(51);
                play.stage.0.reused.borrow_mut().insert(50);
            },
            SemanticState::Failed,
            HostState::Failed,
        ),
        (
            "the machine was restarted, and both pids are taken by others with the same start times",
            |play| *play.stage.0.boot.borrow_mut() = "second".into(),
            SemanticState::Failed,
            HostState::Failed,
        ),
        (
            "the clock went on by eight hours",
            |play| play.stage.0.now.set(8 * 3600 * 1000),
            SemanticState::Working,
            HostState::Alive,
        ),
    ];
    for (what, ruin, expected, host) in table {
        let mut play = Play::new();
        *play.stage.0.boot.borrow_mut() = "first".into();
        (play, _) = play.restart();
        let launch = hosted(&mut play, 50);
        ruin(&mut play);
        let (mut play, _) = play.restart();
        assert_eq!(state(&mut play, &launch), (expected, host), "{what}");
        assert_folds(&play);
        let reconciled: &[&str] = if expected == SemanticState::Failed { &["host_reconciled"] } else { &[] };
        assert_eq!(play.log(&launch.session), reconciled, "{what}");
        // The same answer when it is asked for once more, and by the next daemon.
        play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(state(&mut play, &launch), (expected, host), "{what}, a moment later");
        let (mut play, _) = play.restart();
        assert_eq!(state(&mut play, &launch), (expected, host), "{what}, at the next start");
        assert_eq!(play.log(&launch.session), reconciled, "{what}, and it is said once");
    }
}

#[test]
fn d9_a_machine_that_restarted_has_no_process_of_before_and_the_next_one_counts_again() {
    let mut play = Play::new();
    *play.stage.0.boot.borrow_mut() = "first".into();
    (play, _) = play.restart();
    let runs = hosted(&mut play, 50);
    let (starting, _) = play.start("starting");
    let (put_aside, _) = play.start("aside");
    play.host_comes(&put_aside, 60, 3);
    let holding = play.command("hold it", Command::MarkHolding { session: put_aside.session.clone() });
    play.coordinator.handle(vec![holding]);
    *play.stage.0.boot.borrow_mut() = "second".into();
    let (mut play, outputs) = play.restart();
    assert!(!outputs.iter().any(|output| matches!(output, Output::Watch { .. } | Output::Signal { .. })));
    for launch in [&runs, &starting] {
        assert_eq!(state(&mut play, launch), (SemanticState::Failed, HostState::Failed));
        let error = play.show(&launch.session).row.error.unwrap();
        assert!(error.contains("machine was restarted"), "{error}");
    }
    // A person's verdict outlives the machine.
    assert_eq!(state(&mut play, &put_aside), (SemanticState::Holding, HostState::Failed));
    // Run again, it is looked at like any other: same boot, same pid.
    let rerun = play.command("again", Command::Rerun { session: runs.session.clone() });
    let outputs = play.coordinator.handle(vec![rerun]);
    let launch = outputs.iter().find_map(|output| match output {
        Output::Spawn(launch) => Some((**launch).clone()),
        _ => None,
    });
    play.host_comes(&launch.unwrap(), 50, 9);
    let (mut play, _) = play.restart();
    assert_eq!(state(&mut play, &runs), (SemanticState::Working, HostState::Alive));
}

// Of a loss that a person asked for, or that moves no row, nobody is alarmed.
#[test]
fn d9_the_loss_of_a_host_is_an_error_unless_a_person_decides_the_row() {
    type Before = fn(SessionId) -> Option<Command>;
    let table: [(Before, LogLevel, SemanticState); 3] = [
        (|_| None, LogLevel::Error, SemanticState::Failed),
        (|session| Some(Command::Stop { session }), LogLevel::Info, SemanticState::Stopped),
        (|session| Some(Command::MarkHolding { session }), LogLevel::Info, SemanticState::Holding),
    ];
    for (before, level, expected) in table {
        let mut play = Play::new();
        let launch = hosted(&mut play, 50);
        if let Some(command) = before(launch.session.clone()) {
            let input = play.command("before", command);
            play.coordinator.handle(vec![input]);
        }
        play.kill(50);
        play.kill(51);
        play.coordinator.handle(vec![Input::HostLeft { connection: ConnectionId(50) }]);
        assert_eq!(state(&mut play, &launch).0, expected);
        let log = play.coordinator.store.log(&launch.session, 10).unwrap();
        let told: Vec<_> =
            log.iter().filter(|line| line.code == "host_reconciled").map(|line| line.level).collect();
        assert_eq!(told, [level], "{expected:?}");
    }
}

#[test]
fn d9_a_host_that_starts_has_its_grace_and_no_more() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    for (uptime, expected) in [
        (0, SemanticState::Queued),
        (reconcile::START_GRACE_MS - 1, SemanticState::Queued),
        (reconcile::START_GRACE_MS, SemanticState::Failed),
    ] {
        play.stage.0.uptime.set(uptime);
        play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(state(&mut play, &launch).0, expected, "after {uptime} ms");
    }
}

// Nobody has to wait for a tick, and the answer comes after what was found.
#[test]
fn d9_a_comparison_that_is_asked_for_is_made_before_it_is_answered() {
    let mut play = Play::new();
    let launch = hosted(&mut play, 50);
    // Its host is away for a moment, which is nothing yet; then it dies without anybody hearing of it.
    play.coordinator.handle(vec![Input::HostLeft { connection: ConnectionId(50) }]);
    play.kill(50);
    play.kill(51);
    assert_eq!(state(&mut play, &launch).0, SemanticState::Working);
    let outputs = play.coordinator.handle(vec![Input::Reconcile { ticket: Ticket(7) }]);
    let place = |what: &dyn Fn(&Output) -> bool| outputs.iter().position(what);
    let told = place(&|output| match output {
        Output::BoardChanged { upserted, .. } => {
            upserted.iter().any(|row| row.state == SemanticState::Failed)
        }
        _ => false,
    });
    let answered = place(
        &|output| matches!(output, Output::Answer { ticket: Ticket(7), answer } if *answer == Ok(Answer::Ready)),
    );
    assert!(told.is_some() && told < answered, "{outputs:?}");
    assert_eq!(state(&mut play, &launch), (SemanticState::Failed, HostState::Failed));
    // Asked once more, it finds nothing and says so.
    let outputs = play.coordinator.handle(vec![Input::Reconcile { ticket: Ticket(8) }]);
    assert_eq!(outputs, [Output::Answer { ticket: Ticket(8), answer: Ok(Answer::Ready) }]);
    assert_folds(&play);
}

// Field report F4: a record without a terminal was shown as if it ran.
#[test]
fn f4_a_record_that_nothing_stands_behind_is_never_running() {
    let mut play = Play::new();
    let launch = hosted(&mut play, 50);
    play.kill(50);
    play.kill(51);
    let (mut play, outputs) = play.restart();
    let shown = outputs.iter().find_map(|output| match output {
        Output::BoardChanged { upserted, .. } => Some(upserted.clone()),
        _ => None,
    });
    // Already in the first picture of the board: nobody sees it running for a moment.
    let row = shown.unwrap().remove(0);
    assert_eq!((row.state, row.busy), (SemanticState::Failed, false));
    assert!(row.error.unwrap().contains("pid 50"));
    assert_eq!(row.revival, Revival::RunsAgain);
    assert_eq!(play.show(&launch.session).host, None);

    // The same in the middle of an agent's turn: it does not run, and can be entered again.
    let mut play = Play::new();
    let launch = super::agent::running(&mut play);
    assert_eq!(state(&mut play, &launch), (SemanticState::Working, HostState::Alive));
    play.kill(50);
    play.kill(51);
    let (mut play, outputs) = play.restart();
    let rows: Vec<_> = outputs
        .iter()
        .filter_map(|output| match output {
            Output::BoardChanged { upserted, .. } => Some(upserted),
            _ => None,
        })
        .flatten()
        .collect();
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!((row.state, row.busy), (SemanticState::Failed, false), "in every picture of it");
        assert_eq!((row.host_state, row.revival), (HostState::Failed, Revival::Resumes));
    }
    for _ in 0..3 {
        play.coordinator.handle(vec![Input::Tick]);
        let shown = play.show(&launch.session);
        assert_eq!((shown.row.state, shown.row.busy, shown.host), (SemanticState::Failed, false, None));
        (play, _) = play.restart();
    }
}

// The clock of the machine jumps; what is measured is measured by one that cannot.
#[test]
fn d9_a_clock_that_jumps_moves_no_row() {
    let mut play = Play::new();
    let runs = hosted(&mut play, 50);
    let (starting, _) = play.start("starting");
    let stopping = hosted(&mut play, 60);
    let stop = play.command("stop", Command::Stop { session: stopping.session.clone() });
    play.coordinator.handle(vec![stop]);
    let away = hosted(&mut play, 70);
    play.coordinator.handle(vec![Input::HostLeft { connection: ConnectionId(70) }]);
    let states = |play: &mut Play| -> Vec<_> {
        [&runs, &starting, &stopping, &away].map(|launch| play.show(&launch.session).row.state).to_vec()
    };
    let before = states(&mut play);
    for hours in [8_u64, 0, 24 * 365] {
        play.stage.0.now.set(hours * 3600 * 1000);
        let outputs = play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(outputs, [], "{hours} h");
        assert_eq!(states(&mut play), before);
    }
    let (mut play, _) = play.restart();
    assert_eq!(states(&mut play), before);
}

// Field report F16: what a person had stopped came back to life with the next daemon, or was asked to go on.
#[test]
fn f16_a_stopped_row_stays_stopped_over_three_daemons_and_nothing_is_started_or_said() {
    let mut play = Play::new();
    let launch = hosted(&mut play, 50);
    let stop = play.command("stop", Command::Stop { session: launch.session.clone() });
    play.coordinator.handle(vec![stop]);
    play.coordinator.handle(vec![reported(ConnectionId(50), 2, exit(0))]);
    play.kill(50);
    play.kill(51);
    let before: Sessions = play.coordinator.sessions().clone();
    assert_eq!(before[&launch.session].state, SemanticState::Stopped);
    for _ in 0..3 {
        let outputs;
        (play, outputs) = play.restart();
        assert!(
            outputs
                .iter()
                .all(|output| matches!(output, Output::BoardChanged { .. } | Output::Running { .. })),
            "{outputs:?}"
        );
        let outputs = play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(outputs, []);
        assert_eq!(play.coordinator.sessions(), &before);
    }
    assert!(play.stage.0.spool.borrow().is_empty());
}

// Field report A30: one damaged record in twenty costs itself, and says so on the board and in the row's diagnostics.
#[test]
fn a30_one_damaged_record_in_twenty_leaves_a_diagnostic_and_nineteen_rows() {
    for (table, what, rows, code) in
        [("sessions", "record", 20, "record_rebuilt"), ("both", "", 19, "record_quarantined")]
    {
        let mut play = Play::new();
        let launches: Vec<_> = (0..20).map(|n| hosted(&mut play, 100 + 2 * n)).collect();
        let victim = launches[6].session.clone();
        let beside = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
        let spoil = |statement: &str| {
            assert!(beside.execute(statement, [victim.as_str()]).unwrap() > 0, "{table} {what}");
        };
        spoil("UPDATE sessions SET record = '{\"oops' WHERE session = ?1");
        if table == "both" {
            spoil("UPDATE journal SET fact = '{\"oops' WHERE session = ?1");
        }
        let (mut play, outputs) = play.restart();
        let warnings = outputs.iter().find_map(|output| match output {
            Output::BoardChanged { upserted, warnings: Some(warnings), .. } => {
                Some((upserted.len(), warnings.clone()))
            }
            _ => None,
        });
        let (shown, warnings) = warnings.unwrap();
        assert_eq!((shown, warnings.len()), (rows, 1));
        assert!(warnings[0].text.contains(victim.as_str()), "{warnings:?}");
        let log = play.coordinator.store.log(&victim, 10).unwrap();
        assert_eq!(log.iter().map(|line| line.code.as_str()).collect::<Vec<_>>(), [code]);
        // The hosts come back to the new daemon.
        for (launch, pid) in launches.iter().zip((100..).step_by(2)) {
            if play.coordinator.sessions().contains_key(&launch.session) {
                let connection = ConnectionId(u64::from(pid));
                let mut registration = registration(launch, pid);
                registration.child = Some(process(pid + 1));
                play.coordinator.handle(vec![Input::HostRegistered { connection, version: 5, registration }]);
            }
        }
        // It was said, and that is all: ten minutes of ticks say nothing more and lose nothing.
        for _ in 0..TICKS_IN_TEN_MINUTES {
            let scene = &play.stage.0;
            scene.now.set(scene.now.get() + TICK_MS);
            scene.uptime.set(scene.uptime.get() + TICK_MS);
            assert_eq!(play.coordinator.handle(vec![Input::Tick]), []);
            assert_eq!(play.coordinator.lost(), None);
        }
        assert_eq!(play.coordinator.store.log(&victim, 10).unwrap(), log);
        // The rest works.
        let stop = play.command("stop", Command::Stop { session: launches[0].session.clone() });
        let outputs = play.coordinator.handle(vec![stop]);
        assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }));
    }
}

// Reference C.10, flow 7: the journal is the truth, and a record that lags behind it is brought up to it.
#[test]
fn c10_7_what_a_crash_left_behind_is_healed_from_the_journal() {
    let mut play = Play::new();
    let launch = hosted(&mut play, 50);
    let rename = play.command("r", Command::Rename { session: launch.session.clone(), name: "new".into() });
    let outputs = play.coordinator.handle(vec![rename.clone()]);
    let before = play.coordinator.sessions().clone();
    // Journal and record commit together, so only damage can part them: the record is lost, the journal is not.
    let beside = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    beside.execute("UPDATE sessions SET record = 'torn'", []).unwrap();
    let (mut play, _) = play.restart();
    assert_eq!(play.coordinator.sessions(), &before);
    assert_eq!(outcome(&play.coordinator.handle(vec![rename])), outcome(&outputs));
    assert_folds(&play);
}
