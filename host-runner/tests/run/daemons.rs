//! Daemons come and go in the middle of a run, and it costs nothing.

use crate::{scene::Scene, support::end};
use board_protocol::state::SemanticState;
use rustix::process::Signal;
use std::fs;

/// A worker that waits until the test lets it end.
const WAITS: &str = "echo here >&2; until [ -e go ]; do sleep 0.05; done";

fn let_go(scene: &Scene) {
    fs::write(scene.board.path().join("go"), "").unwrap();
}

#[test]
fn d1_a_daemon_that_is_killed_in_the_middle_of_a_run_costs_nothing() {
    let scene = Scene::new();
    let run = scene.run(WAITS, &[]);
    scene.wait_code("worker_stderr");
    let daemon = scene.board.daemon_process();
    end(daemon, Signal::KILL);
    let_go(&scene);
    run.ended();
    // The run itself started another one for its last words.
    scene.board.wait_successor(daemon);
    scene.board.wait_state(&scene.session, SemanticState::Idle);
    assert!(scene.codes().contains(&"worker_exit".to_owned()));
    assert_eq!(scene.facts("run_finalized").len(), 1);
}

#[test]
fn d1_a_run_that_ends_after_a_shutdown_waits_on_the_disk() {
    let scene = Scene::new();
    let run = scene.run(WAITS, &[]);
    scene.wait_code("worker_stderr");
    scene.board.ok(&["shutdown"]);
    let_go(&scene);
    run.ended();
    assert!(!scene.board.root.daemon_socket().exists(), "nothing starts a daemon that a person shut down");
    scene.board.ok(&["ls"]);
    scene.board.wait_state(&scene.session, SemanticState::Idle);
    assert!(scene.codes().contains(&"worker_exit".to_owned()));
    assert_eq!(scene.facts("run_finalized").len(), 1);
}

#[test]
fn d1_a_run_that_begins_and_ends_without_a_daemon_is_told_afterwards() {
    let scene = Scene::new();
    scene.ask("run_1");
    scene.board.ok(&["shutdown"]);
    scene.drive("run_1", "exit 4", &[]).ended();
    scene.board.ok(&["ls"]);
    let row = scene.board.wait_state(&scene.session, SemanticState::Failed);
    assert!(row.error.unwrap().contains("exit code 4"));
    let codes = scene.codes();
    assert_eq!(codes.first().map(String::as_str), Some("stop_latch_armed"));
    assert_eq!((scene.facts("run_started").len(), scene.facts("run_finalized").len()), (1, 1));
}
