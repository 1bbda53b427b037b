//! What sessions leave behind, hosts that no board knows, files that somebody takes away, and settings with a slip in
//! them: all with a real daemon.

use crate::support::{Board, end, until};
use board_protocol::{hello::Role, state::SemanticState};
use host_runner::process;
use rustix::process::Signal;
use serde_json::Value;
use std::fs;

fn orphans(board: &Board, arguments: &[&str]) -> Vec<Value> {
    let arguments: Vec<&str> = ["orphans", "--json"].iter().chain(arguments).copied().collect();
    serde_json::from_str(&board.ok(&arguments)).unwrap()
}

fn pid(board: &Board, name: &str) -> board_protocol::ids::ProcessIdentity {
    let read = || fs::read_to_string(board.path().join(name)).ok()?.trim().parse::<u32>().ok();
    board.until("the process says its pid", || read().is_some());
    process::identify(read().unwrap()).unwrap()
}

// Field report G1: processes that a stop left behind took 20 GB.
#[test]
fn g1_a_descendant_ends_with_its_session_and_what_left_it_is_listed_and_ended_on_request() {
    let board = Board::new();
    let script = "setsid sh -c 'echo $$ > inside; exec sleep 1001' & (setsid sh -c 'echo $$ > outside; exec env TOKEN=hunter2 sleep 1002' &) ; exec sleep 1003";
    let session = board.start(&[script]);
    board.wait_state(&session, SemanticState::Working);
    let (inside, outside) = (pid(&board, "inside"), pid(&board, "outside"));
    // Adopted by the host once the shell between them has ended.
    board.until("only what left is an orphan", || {
        let listed: Vec<_> = orphans(&board, &[]).iter().map(|orphan| orphan["pid"].as_u64()).collect();
        listed == [Some(outside.pid.into())]
    });
    let listed = orphans(&board, &["--session", &session.0]);
    assert_eq!(listed[0]["session"], session.0.as_str());
    assert!(listed[0]["age_ms"].as_u64().is_some_and(|age| age < 600_000), "{listed:?}");
    assert!(orphans(&board, &["--session", "00000000ff"]).is_empty());
    // Another board has nothing to do with it.
    assert!(orphans(&Board::new(), &["--kill"]).is_empty());
    board.ok(&["stop", &session.0]);
    assert!(!process::is_running(inside), "a descendant ends with its session");
    assert!(process::is_running(outside), "what left on purpose is not ended by a stop");
    let detail = board.show(&session);
    assert_eq!((detail.row.state, detail.row.strays), (SemanticState::Stopped, 1));
    assert_eq!(detail.strays[0].process, outside);
    assert!(board.run(&["doctor"]).stdout.windows(5).any(|part| part == b"1002 " || part == b"1002\n"));
    // Also of a session that is not on the board any more.
    board.ok(&["rm", &session.0]);
    let ended = orphans(&board, &["--kill", "--session", &session.0]);
    assert_eq!(ended[0]["ended"], true, "{ended:?}");
    assert!(!process::is_running(outside));
    assert!(orphans(&board, &[]).is_empty());
}

#[test]
fn g1_the_row_forgets_a_process_that_was_ended() {
    let board = Board::new();
    let session = board.start(&["(setsid sh -c 'echo $$ > outside; exec sleep 1002' &) ; exec sleep 1003"]);
    board.wait_state(&session, SemanticState::Working);
    let outside = pid(&board, "outside");
    board.until("it has left", || !orphans(&board, &[]).is_empty());
    board.ok(&["stop", &session.0]);
    assert_eq!(board.show(&session).row.strays, 1);
    board.ok(&["orphans", "--kill"]);
    assert!(!process::is_running(outside));
    board.until("the row lists none", || board.show(&session).row.strays == 0);
}

// Field report F16: what a person stopped came back with the next daemon.
#[test]
fn f16_a_stopped_row_stays_stopped_over_restarts_and_nothing_is_typed_into_it() {
    let board = Board::new();
    let typed = board.path().join("typed");
    let session = board.start(&[&format!("exec cat > {}", typed.display())]);
    board.wait_state(&session, SemanticState::Working);
    board.ok(&["stop", &session.0]);
    for _ in 0..3 {
        board.ok(&["shutdown"]);
        board.ok(&["ls"]);
        let detail = board.show(&session);
        assert_eq!((detail.row.state, detail.host), (SemanticState::Stopped, None));
    }
    assert_eq!(fs::read_to_string(&typed).unwrap(), "");
}

#[test]
fn shutdown_with_hosts_ends_those_that_the_board_does_not_know() {
    let board = Board::new();
    let session = board.start(&["--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    let detail = board.show(&session);
    let (host, child) = (detail.host.unwrap().process, detail.child.unwrap());
    board.ok(&["shutdown"]);
    for name in ["board.db", "board.db-wal", "board.db-shm"] {
        let _ = fs::remove_file(board.root.directory().join(name));
    }
    board.ok(&["ls"]);
    assert!(process::is_running(host), "a lost store ends no agent");
    let doctor = String::from_utf8(board.run(&["doctor"]).stdout).unwrap();
    assert!(doctor.contains("without a row") && doctor.contains(&host.pid.to_string()), "{doctor}");
    board.ok(&["shutdown", "--kill-hosts"]);
    assert!(!process::is_running(host) && !process::is_running(child));
}

#[test]
fn a_store_that_is_deleted_under_a_daemon_is_written_anew_and_said() {
    let board = Board::new();
    let session = board.start(&["--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    let before = board.show(&session);
    for name in ["board.db", "board.db-wal", "board.db-shm"] {
        fs::remove_file(board.root.directory().join(name)).unwrap();
    }
    board.until("the file is back", || board.root.database().exists());
    board.until("the board says so", || {
        board
            .client(Role::Cli)
            .board()
            .unwrap()
            .warnings
            .iter()
            .any(|warning| warning.text.contains("was deleted"))
    });
    let daemon = board.daemon_process();
    end(daemon, Signal::KILL);
    board.wait_successor(daemon);
    board.wait_state(&session, SemanticState::Working);
    let after = board.show(&session);
    assert_eq!((after.host, after.child), (before.host, before.child), "its host is believed");
    board.ok(&["stop", &session.0]);
}

#[test]
fn a_slip_in_the_settings_is_on_the_board_while_it_is_there() {
    let board = Board::new();
    board.ok(&["ls"]);
    let file = board.path().join(".config/agent-board/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let warned = || {
        let board = board.client(Role::Cli).board().unwrap();
        board.warnings.iter().any(|warning| warning.text.contains("histroy_lines"))
    };
    fs::write(&file, "histroy_lines = 100\n").unwrap();
    until("the board warns", warned);
    fs::write(&file, "history_lines = 100\n").unwrap();
    until("the warning goes", || !warned());
}
