//! Kills: of the daemon, of hosts, of both. No row vanishes and none lies.

use crate::support::{Board, end};
use board_protocol::{
    hello::Role,
    ids::SessionId,
    state::{HostState, SemanticState},
};
use host_runner::process;
use rustix::process::Signal;

fn running(board: &Board, count: usize) -> Vec<SessionId> {
    let sessions: Vec<_> = (0..count).map(|_| board.start(&["--", "sleep", "1000"])).collect();
    for session in &sessions {
        board.wait_state(session, SemanticState::Working);
    }
    sessions
}

// Field report G3, and the daemon's half of F1.
#[test]
fn g3_sessions_outlive_a_killed_daemon_which_comes_back_by_itself() {
    let board = Board::new();
    let sessions = running(&board, 3);
    let ended = board.start(&["exit 5"]);
    board.wait_state(&ended, SemanticState::Failed);
    let before: Vec<_> = sessions.iter().map(|session| board.show(session)).collect();
    let daemon = board.daemon_process();
    end(daemon, Signal::KILL);
    // Its socket file is still there, and nobody listens: hosts start another one.
    board.wait_successor(daemon);
    for (session, before) in sessions.iter().zip(before) {
        let after = board.show(session);
        assert_eq!((after.row.state, after.child), (SemanticState::Working, before.child));
        assert_eq!(after.host, before.host);
    }
    let rows = board.wait("every row is there", |rows| rows.len() == 4);
    let row = rows.iter().find(|row| row.id == ended).unwrap();
    assert_eq!((row.state, row.error.as_deref()), (SemanticState::Failed, Some("exit code 5")));
    // Adopted, not only remembered: orders reach them.
    board.ok(&["stop", &sessions[0].0]);
    board.wait_state(&sessions[0], SemanticState::Stopped);
}

#[test]
fn what_ends_while_there_is_no_daemon_is_known_afterwards() {
    let board = Board::new();
    let gate = board.path().join("gate");
    let session = board.start(&[&format!("until [ -e {} ]; do sleep 0.01; done; exit 6", gate.display())]);
    board.wait_state(&session, SemanticState::Working);
    let host = board.show(&session).host.unwrap().process;
    board.ok(&["shutdown"]);
    std::fs::write(&gate, "").unwrap();
    board.until("the host is gone", || !process::is_running(host));
    board.ok(&["ls"]);
    let row = board.wait_state(&session, SemanticState::Failed);
    assert_eq!((row.ended.as_deref(), row.host_state), (Some("exit code 6"), HostState::Exited));
    assert_eq!(std::fs::read_dir(board.root.spool()).unwrap().count(), 0);
}

#[test]
fn a_killed_host_fails_its_row_with_a_reason_and_no_other() {
    let board = Board::new();
    let sessions = running(&board, 2);
    let detail = board.show(&sessions[0]);
    let host = detail.host.unwrap();
    end(host.process, Signal::KILL);
    let row = board.wait_state(&sessions[0], SemanticState::Failed);
    assert!(row.error.unwrap().contains(&format!("pid {}", host.process.pid)));
    assert_eq!(row.host_state, HostState::Failed);
    board.until("its program ended of the hang-up", || !process::is_running(detail.child.unwrap()));
    assert!(!std::path::Path::new(&host.socket).exists());
    assert_eq!(board.show(&sessions[1]).row.state, SemanticState::Working);
    // Nothing is left to stop: the row can go.
    board.ok(&["rm", &sessions[0].0]);
}

// Field report F1: a crash of everything lost all sessions.
#[test]
fn f1_after_a_crash_of_daemon_and_hosts_every_row_is_there_and_says_why() {
    let board = Board::new();
    let sessions = running(&board, 10);
    let hosts: Vec<_> = sessions.iter().map(|session| board.show(session).host.unwrap().process).collect();
    let daemon = board.daemon_process();
    // The daemon first, frozen, so that it can record nothing of what follows.
    let pid = rustix::process::Pid::from_raw(i32::try_from(daemon.pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::STOP).unwrap();
    for host in &hosts {
        end(*host, Signal::KILL);
    }
    end(daemon, Signal::KILL);
    board.ok(&["ls"]);
    let rows = board.wait("ten rows", |rows| {
        rows.len() == 10 && rows.iter().all(|row| row.state == SemanticState::Failed)
    });
    for row in rows {
        assert!(row.error.is_some() && row.host_state == HostState::Failed && !row.busy, "{row:?}");
    }
}

// Field report F11: one corrupted record made the daemon kill itself and every agent, again and again.
#[test]
fn f11_garbage_in_one_record_costs_one_warning() {
    let board = Board::new();
    let sessions = running(&board, 2);
    board.ok(&["shutdown"]);
    let store = rusqlite::Connection::open(board.root.database()).unwrap();
    let garbage = "UPDATE sessions SET record = 'garbage' WHERE session = ?1";
    assert_eq!(store.execute(garbage, [&sessions[0].0]).unwrap(), 1);
    drop(store);
    let listed = board.run(&["ls"]);
    let warnings = String::from_utf8_lossy(&listed.stderr).into_owned();
    assert!(warnings.contains("rebuilt from the journal"), "{warnings}");
    let rows = board.wait("both run", |rows| rows.iter().all(|row| row.state == SemanticState::Working));
    assert_eq!(rows.len(), 2);
    assert_eq!(board.client(Role::Cli).board().unwrap().rows.len(), 2);
}

#[test]
fn a_stop_that_the_daemon_did_not_live_to_pass_on_is_kept() {
    let board = Board::new();
    let session = running(&board, 1).remove(0);
    let host = board.show(&session).host.unwrap().process;
    // The host hears nothing while it is frozen, and the daemon dies before it wakes.
    let pid = rustix::process::Pid::from_raw(i32::try_from(host.pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::STOP).unwrap();
    board.ok(&["stop", "--no-wait", &session.0]);
    end(board.daemon_process(), Signal::KILL);
    rustix::process::kill_process(pid, Signal::CONT).unwrap();
    // It may find the order in its socket and end before it misses the daemon: then a person's command starts one.
    board.ok(&["ls"]);
    board.wait_state(&session, SemanticState::Stopped);
}

// A host that hangs keeps its connection: the order to stop lay in its socket for ever, and the row said "stopping".
#[test]
fn a_host_that_hangs_is_ended_by_a_stop() {
    let board = Board::new();
    let session = running(&board, 1).remove(0);
    let detail = board.show(&session);
    let host = detail.host.unwrap().process;
    let pid = rustix::process::Pid::from_raw(i32::try_from(host.pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::STOP).unwrap();
    board.ok(&["stop", &session.0]);
    board.wait_state(&session, SemanticState::Stopped);
    assert!(!process::is_running(host));
    board.until("its program ended of the hang-up", || !process::is_running(detail.child.unwrap()));
}

// Field report F16: what a person had stopped came back to life with the next daemon, or was asked to go on.
#[test]
fn f16_a_stopped_session_stays_stopped_over_three_daemons_and_reads_nothing() {
    let board = Board::new();
    let heard = board.path().join("heard");
    let session = board.start(&[&format!("exec cat > {}", heard.display())]);
    board.wait_state(&session, SemanticState::Working);
    let host = board.show(&session).host.unwrap().process;
    board.ok(&["stop", &session.0]);
    let before = board.wait_state(&session, SemanticState::Stopped);
    board.until("its host is gone", || !process::is_running(host));
    for _ in 0..3 {
        end(board.daemon_process(), Signal::KILL);
        board.ok(&["ls"]);
        let rows = board.wait("the row is there", |rows| rows.len() == 1);
        assert_eq!(rows.first(), Some(&before));
        let detail = board.show(&session);
        assert_eq!((detail.host, detail.child), (None, None));
    }
    assert_eq!(std::fs::read(&heard).unwrap(), b"");
    assert_eq!(std::fs::read_dir(board.root.spool()).unwrap().count(), 0);
}
