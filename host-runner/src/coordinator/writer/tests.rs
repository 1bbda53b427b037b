//! The single writer on a real store, in a world that the test makes.

use super::{super::decision::Force, stage::*};
use crate::{
    coordinator::{ConnectionId, Input, Output, reconcile},
    model::samples::process,
};
use board_protocol::{
    command::{Command, CommandOutcome},
    host::{HostOrder, HostRegistration, SpooledFact},
    ids::{CommandId, FactSeq, SessionId, UnixMs},
    refusal::RefusalKind,
    state::{HostState, SemanticState},
};
use std::path::PathBuf;

mod adopted;
mod agent;
mod between_turns;
mod commits;
mod consulted;
mod evidence;
mod favourites;
mod insight;
mod looks;
mod notices;
mod owners;
mod plans;
mod references;
mod replies;
mod runs;
mod terminals;
mod verdicts;
mod waits;
mod warm;

#[test]
fn a_session_from_start_to_end() {
    let mut play = Play::new();
    let (launch, outputs) = play.start("c1");
    // The board knows the row before the person hears of it, and the host is started last.
    let kinds: Vec<&str> = outputs
        .iter()
        .map(|output| match output {
            Output::BoardChanged { .. } => "board",
            Output::Running { hosts: 1 } => "running",
            Output::Answer { .. } => "answer",
            Output::Spawn(_) => "spawn",
            Output::LookForReferences(_) => "references",
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["board", "running", "answer", "spawn", "references"]);
    assert_eq!(launch.socket, format!("/run/{}.{}.sock", launch.session, launch.generation));

    let outputs = play.host_comes(&launch, 50, 1);
    assert_eq!(orders(&outputs), [&HostOrder::Adopted, &HostOrder::Acknowledge { seq: FactSeq(1) }]);
    let detail = play.show(&launch.session);
    assert_eq!((detail.row.state, detail.row.host_state), (SemanticState::Working, HostState::Alive));
    assert_eq!(detail.host.unwrap().process, process(50));

    let outputs = play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    assert_eq!(orders(&outputs), [&HostOrder::Acknowledge { seq: FactSeq(2) }]);
    let detail = play.show(&launch.session);
    assert_eq!((detail.row.state, detail.row.host_state), (SemanticState::Idle, HostState::Exited));
    assert_eq!(play.coordinator.store.last_screen(&launch.session).unwrap().as_deref(), Some("the end"));
}

// The same command twice, also after a crash in between.
#[test]
fn c10_6_a_command_that_comes_twice_happens_once() {
    let mut play = Play::new();
    let (launch, first) = play.start("c1");
    let again = play.command("c1", Command::Stop { session: launch.session.clone() });
    let second = play.coordinator.handle(vec![again.clone()]);
    assert_eq!(outcome(&second), outcome(&first));
    let (mut play, _) = play.restart();
    let third = play.coordinator.handle(vec![again]);
    assert_eq!(outcome(&third), outcome(&first));
    assert_eq!(play.coordinator.sessions().len(), 1);
    assert_eq!(play.coordinator.sessions()[&launch.session].stop, None);
}

#[test]
fn the_same_command_twice_in_one_batch_happens_once() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    play.host_comes(&launch, 50, 1);
    let stop = || Command::Stop { session: launch.session.clone() };
    let batch = vec![play.command("c2", stop()), play.command("c2", stop())];
    let outputs = play.coordinator.handle(batch);
    assert_eq!(orders(&outputs), [&HostOrder::Stop]);
}

#[test]
fn a_refusal_changes_nothing_and_is_remembered() {
    let mut play = Play::new();
    let stop = play.command("c1", Command::Stop { session: SessionId("00000000aa".into()) });
    let outputs = play.coordinator.handle(vec![stop]);
    assert!(
        matches!(outcome(&outputs), CommandOutcome::Refused(refusal) if refusal.kind == RefusalKind::UnknownSession)
    );
    let kept = play.coordinator.store.outcome(&CommandId("c1".into())).unwrap();
    assert_eq!(kept, Some(outcome(&outputs)));
}

// Field report G3: the daemon dies, hosts live on and are found again.
#[test]
fn g3_a_restarted_daemon_adopts_what_runs_and_says_what_died() {
    let mut play = Play::new();
    let (lives, _) = play.start("c1");
    let (dies, _) = play.start("c2");
    let (never, _) = play.start("c3");
    play.host_comes(&lives, 50, 1);
    play.host_comes(&dies, 60, 2);
    play.kill(60);
    play.kill(61);
    let (mut play, outputs) = play.restart();
    let watched: Vec<_> = outputs.iter().filter(|output| matches!(output, Output::Watch { .. })).collect();
    assert_eq!(watched.len(), 1, "only what runs is watched");
    assert_eq!(play.show(&lives.session).row.state, SemanticState::Working);
    let dead = play.show(&dies.session);
    assert_eq!((dead.row.state, dead.row.host_state), (SemanticState::Failed, HostState::Failed));
    assert!(dead.row.error.unwrap().contains("pid 60"));
    // Its socket is of no use to anybody.
    assert!(play.stage.0.discarded.borrow().contains(&PathBuf::from(&dies.socket)));
    // One whose host was never seen gets its grace, measured by a clock that cannot jump.
    assert_eq!(play.show(&never.session).row.state, SemanticState::Queued);
    play.stage.0.now.set(8 * 3600 * 1000);
    play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(play.show(&never.session).row.state, SemanticState::Queued);
    play.stage.0.uptime.set(reconcile::START_GRACE_MS);
    play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(play.show(&never.session).row.state, SemanticState::Failed);

    let registration = HostRegistration { child: Some(process(51)), ..registration(&lives, 50) };
    let outputs = play.coordinator.handle(vec![Input::HostRegistered {
        connection: ConnectionId(9),
        version: 5,
        registration,
    }]);
    assert_eq!(orders(&outputs), [&HostOrder::Adopted]);
}

#[test]
fn a_host_that_dies_while_the_daemon_looks_fails_its_row_only() {
    let mut play = Play::new();
    let (one, _) = play.start("c1");
    let (two, _) = play.start("c2");
    play.host_comes(&one, 50, 1);
    play.host_comes(&two, 60, 2);
    play.kill(50);
    // The process is seen to end before its connection is read to the end: its last words still count.
    play.coordinator.handle(vec![Input::HostEnded { session: one.session.clone() }]);
    assert_eq!(play.show(&one.session).row.state, SemanticState::Working);
    play.kill(51);
    play.coordinator.handle(vec![Input::HostLeft { connection: ConnectionId(1) }]);
    assert_eq!(play.show(&one.session).row.state, SemanticState::Failed);
    assert_eq!(play.show(&two.session).row.state, SemanticState::Working);
}

#[test]
fn what_a_host_spooled_before_it_ended_is_read_before_it_is_called_lost() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    play.host_comes(&launch, 50, 1);
    let fact = SpooledFact {
        session: launch.session.clone(),
        generation: Some(launch.generation.clone()),
        seq: Some(FactSeq(2)),
        at_ms: UnixMs(60),
        fact: exit(0),
    };
    play.stage.0.spool.borrow_mut().push((PathBuf::from("/spool/1"), fact.clone()));
    play.kill(50);
    play.coordinator.handle(vec![Input::HostLeft { connection: ConnectionId(1) }]);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Idle);
    assert!(play.stage.0.spool.borrow().is_empty());
    // The same at boot.
    let (again, _) = play.start("c2");
    play.host_comes(&again, 60, 2);
    play.kill(60);
    let fact = SpooledFact {
        session: again.session.clone(),
        generation: Some(again.generation.clone()),
        fact: exit(4),
        ..fact
    };
    play.stage.0.spool.borrow_mut().push((PathBuf::from("/spool/2"), fact));
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&again.session).row.ended.as_deref(), Some("exit code 4"));
}

#[test]
fn a_program_that_outlives_its_host_is_listed() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    play.host_comes(&launch, 50, 1);
    play.stage.0.running.borrow_mut().insert(51);
    play.kill(50);
    let outputs = play.coordinator.handle(vec![Input::HostLeft { connection: ConnectionId(1) }]);
    assert!(outputs.iter().any(|output| matches!(output, Output::LookAgain { .. })), "{outputs:?}");
    play.stage.0.uptime.set(1000);
    play.coordinator.handle(vec![Input::HostEnded { session: launch.session.clone() }]);
    let detail = play.show(&launch.session);
    assert_eq!(detail.row.state, SemanticState::Failed);
    assert_eq!(detail.strays[0].process, process(51));
}

#[test]
fn a_removed_row_leaves_with_the_end_of_its_program() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    play.host_comes(&launch, 50, 1);
    let remove = play.command("c2", Command::Remove { session: launch.session.clone() });
    let outputs = play.coordinator.handle(vec![remove]);
    assert_eq!(orders(&outputs), [&HostOrder::Stop]);
    let outputs = play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    assert!(outputs.iter().any(|output| matches!(
        output,
        Output::BoardChanged { removed, .. } if *removed == [launch.session.clone()]
    )));
    // A late host of it is sent away.
    let registration = registration(&launch, 50);
    let outputs = play.coordinator.handle(vec![Input::HostRegistered {
        connection: ConnectionId(2),
        version: 5,
        registration,
    }]);
    assert!(matches!(orders(&outputs).as_slice(), [HostOrder::Revoked { .. }]));
}

#[test]
fn a_host_that_runs_in_silence_is_doubted_and_signalled_only_for_a_stop() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    play.host_comes(&launch, 50, 1);
    play.coordinator.handle(vec![Input::HostLeft { connection: ConnectionId(1) }]);
    play.stage.0.uptime.set(60_000);
    let outputs = play.coordinator.handle(vec![Input::Tick]);
    assert!(!outputs.iter().any(|output| matches!(output, Output::Signal { .. })));
    let row = play.show(&launch.session).row;
    assert_eq!(row.state, SemanticState::Working);
    assert!(row.doubt.is_some());
    let stop = play.command("c2", Command::Stop { session: launch.session.clone() });
    play.coordinator.handle(vec![stop]);
    let outputs = play.coordinator.handle(vec![Input::Tick]);
    let signal = Output::Signal { process: process(50), force: Force::Kill };
    assert!(outputs.contains(&signal), "{outputs:?}");
    // It comes back after all: the doubt goes, the stop stands.
    let registration = HostRegistration { child: Some(process(51)), ..registration(&launch, 50) };
    let outputs = play.coordinator.handle(vec![Input::HostRegistered {
        connection: ConnectionId(3),
        version: 5,
        registration,
    }]);
    assert!(orders(&outputs).contains(&&HostOrder::Stop));
    assert_eq!(play.show(&launch.session).row.doubt, None);
}

#[test]
fn a_commit_that_fails_changes_nothing_and_says_so() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    play.host_comes(&launch, 50, 1);
    let breaker = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    breaker
        .execute_batch(
            "CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        )
        .unwrap();
    let before = play.coordinator.sessions().clone();
    let stop = play.command("c2", Command::Stop { session: launch.session.clone() });
    let outputs = play.coordinator.handle(vec![stop.clone(), reported(ConnectionId(1), 2, exit(0))]);
    assert_eq!(play.coordinator.sessions(), &before);
    assert!(outputs.iter().any(|output| matches!(
        output,
        Output::Answer { answer: Err(refusal), .. } if refusal.kind == RefusalKind::Internal
    )));
    // The host says it again after it connected anew; it was not told that it was heard.
    assert!(outputs.contains(&Output::Disconnect { connection: ConnectionId(1) }));
    assert!(orders(&outputs).is_empty());
    assert!(outputs.iter().any(|output| matches!(
        output,
        Output::BoardChanged { warnings: Some(warnings), .. } if warnings[0].text.contains("cannot be written")
    )));
    breaker.execute_batch("DROP TRIGGER full").unwrap();
    let outputs = play.coordinator.handle(vec![stop]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }));
    assert!(outputs.iter().any(|output| matches!(
        output,
        Output::BoardChanged { warnings: Some(warnings), .. } if warnings.is_empty()
    )));
}

// A damaged page that is met only in a commit refused every command from then on.
#[test]
fn damage_that_shows_in_a_commit_is_survived_with_a_warning() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    play.host_comes(&launch, 50, 1);
    damage(&play, "journal");
    let stop = play.command("c2", Command::Stop { session: launch.session.clone() });
    let outputs = play.coordinator.handle(vec![stop]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }), "{outputs:?}");
    assert_eq!(orders(&outputs), [&HostOrder::Stop]);
    assert!(outputs.iter().any(|output| matches!(
        output,
        Output::BoardChanged { warnings: Some(warnings), .. } if warnings[0].text.contains("was damaged")
    )));
    let replayed = play.coordinator.store.replay(None).unwrap();
    assert_eq!(&replayed.sessions, play.coordinator.sessions());
    assert!(play.coordinator.store.token(&launch.session).unwrap().is_some(), "its host is still known");
    assert_eq!(play.coordinator.lost(), None);
    let (play, _) = play.restart();
    assert!(play.coordinator.sessions()[&launch.session].stop.is_some());
}

// Where neither the damaged file nor a new one can be used, going on would mean to answer from memory alone.
#[test]
fn a_store_that_is_lost_ends_the_coordinator_and_answers_no() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    damage(&play, "journal");
    let before = play.coordinator.sessions().clone();
    // No new file can be made, and the old one has lost its first page.
    std::fs::create_dir_all(play.directory.path().join("board.db.new/x")).unwrap();
    overwrite(&play, 1);
    let stop = play.command("c2", Command::Stop { session: launch.session });
    let outputs = play.coordinator.handle(vec![stop]);
    assert!(matches!(
        outputs.as_slice(),
        [Output::Answer { answer: Err(refusal), .. }, ..] if refusal.text.contains("nothing was changed")
    ));
    assert!(orders(&outputs).is_empty());
    let lost = play.coordinator.lost();
    assert!(lost.is_some_and(|reason| reason.contains("cannot be opened again")), "{lost:?} {outputs:?}");
    assert_eq!(play.coordinator.sessions(), &before);
}

/// Overwrites the first page of a table in the open store's file.
fn damage(play: &Play, table: &str) {
    let path = play.directory.path().join("board.db");
    let beside = rusqlite::Connection::open(&path).unwrap();
    beside.execute_batch("PRAGMA wal_checkpoint(RESTART)").unwrap();
    let page: i64 = beside
        .query_row("SELECT rootpage FROM sqlite_master WHERE name = ?1", [table], |row| row.get(0))
        .unwrap();
    let page = u64::try_from(page).unwrap();
    // A commit of somebody else's makes the coordinator's connection read its pages again.
    beside.execute_batch("CREATE TABLE touched (x)").unwrap();
    beside.execute_batch("PRAGMA wal_checkpoint(RESTART)").unwrap();
    overwrite(play, page);
}

fn overwrite(play: &Play, page: u64) {
    let file = std::fs::OpenOptions::new().write(true).open(play.directory.path().join("board.db")).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &[0x5a; 4096], (page - 1) * 4096).unwrap();
}

#[test]
fn what_a_session_prints_moves_its_time_and_writes_nothing() {
    let mut play = Play::new();
    let (launch, _) = play.start("c1");
    play.host_comes(&launch, 50, 1);
    play.stage.0.now.set(5000);
    let outputs =
        play.coordinator.handle(vec![Input::HostActive { connection: ConnectionId(1), at: UnixMs(4000) }]);
    assert!(matches!(
        outputs.as_slice(),
        [Output::BoardChanged { upserted, .. }] if upserted[0].last_activity_at_ms == UnixMs(4000)
    ));
    let replayed = play.coordinator.store.replay(None).unwrap();
    assert_eq!(&replayed.sessions, play.coordinator.sessions());
}

#[test]
fn a_running_row_is_run_again_only_after_its_end_and_the_old_host_is_sent_away() {
    let mut play = Play::new();
    let (first, _) = play.start("c1");
    play.host_comes(&first, 50, 1);
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(1))]);
    let rerun = play.command("c2", Command::Rerun { session: first.session.clone() });
    let outputs = play.coordinator.handle(vec![rerun]);
    let launch = outputs.iter().find_map(|output| match output {
        Output::Spawn(launch) => Some((**launch).clone()),
        _ => None,
    });
    let second = launch.expect("a host is started");
    assert_eq!(second.session, first.session);
    assert_ne!((&second.generation, &second.token), (&first.generation, &first.token));
    // The old connection closes late: the new host is not taken for lost.
    play.host_comes(&second, 60, 2);
    play.coordinator.handle(vec![Input::HostLeft { connection: ConnectionId(1) }]);
    assert_eq!(play.show(&first.session).row.state, SemanticState::Working);
    let replayed = play.coordinator.store.replay(None).unwrap();
    assert_eq!(&replayed.sessions, play.coordinator.sessions());
}
