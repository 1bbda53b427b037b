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

// What a run did is on the disk with the run itself: a daemon that is killed takes nothing of it with it.
#[test]
fn a8_what_a_run_did_outlives_a_daemon_that_is_killed() {
    let scene = Scene::new();
    let begins = r#"{"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{"command":"make test"}}"#;
    let ends = r#"{"type":"tool_execution_end","toolCallId":"c1","toolName":"bash","isError":false,"result":{"content":[{"type":"text","text":"7 passed"}]}}"#;
    let run =
        scene.run(&format!("echo '{begins}'; until [ -e go ]; do sleep 0.05; done; echo '{ends}'"), &[]);
    let commands = || {
        let told = scene.board.ok(&["evidence", "--json", scene.session.as_str()]);
        serde_json::from_str::<serde_json::Value>(&told).unwrap()["commands"].clone()
    };
    scene.board.until("the command is known", || commands()[0]["status"] == "started");
    let daemon = scene.board.daemon_process();
    end(daemon, Signal::KILL);
    scene.board.ok(&["ls"]);
    let known = commands();
    assert_eq!((&known[0]["command"], &known[0]["kind"]), (&"make test".into(), &"test".into()), "{known}");
    let again = scene.board.daemon_process();
    assert_ne!(again, daemon);
    end(again, Signal::KILL);
    let_go(&scene);
    run.ended();
    scene.board.ok(&["ls"]);
    scene.board.until("its end is known", || commands()[0]["status"] == "passed");
    let known = commands();
    assert_eq!(known.as_array().map(Vec::len), Some(1), "one command: {known}");
    assert_eq!(known[0]["output_preview"], "7 passed", "{known}");
}
