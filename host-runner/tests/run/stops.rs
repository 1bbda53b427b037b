//! A stop at every point of a run leads to a terminal state (reference D.2, I.3), and what was stopped stays so (F16).

use crate::{
    scene::{BOOT_WINDOW, Scene},
    support::{end, until},
};
use board_protocol::state::{ProcessState, SemanticState};
use host_runner::process;
use rustix::process::Signal;

/// A worker that says that it is there and stays.
const STAYS: &str = "echo here >&2; echo x >> started; exec sleep 1000";

#[test]
fn i3_a1_a_stop_before_the_worker_runs_is_replayed() {
    let scene = Scene::new();
    let run = scene.run(STAYS, &[(BOOT_WINDOW, "600000")]);
    scene.board.wait_state(&scene.session, SemanticState::Working);
    run.signal(Signal::TERM);
    let row = scene.board.wait_state(&scene.session, SemanticState::Stopped);
    assert_eq!(row.process_state, ProcessState::Exited);
    run.ended();
    assert!(scene.codes().contains(&"stop_latch_replayed".to_owned()), "{:?}", scene.log());
    let ended = scene.facts("run_finalized");
    assert_eq!(ended.len(), 1);
    assert!(ended[0]["end"]["ended_at"].as_u64().unwrap() > 0, "{ended:?}");
}

#[test]
fn i3_a1_a_stop_of_a_worker_that_runs_replays_nothing() {
    let scene = Scene::new();
    let run = scene.run(STAYS, &[]);
    scene.wait_code("worker_stderr");
    let worker = scene.worker();
    run.signal(Signal::INT);
    let row = scene.board.wait_state(&scene.session, SemanticState::Stopped);
    assert_eq!((row.process_state, row.error), (ProcessState::Exited, None));
    run.ended();
    assert!(!process::is_running(worker));
    assert!(!scene.codes().contains(&"stop_latch_replayed".to_owned()), "{:?}", scene.log());
    assert!(scene.facts("run_finalized")[0]["end"]["ended_at"].as_u64().unwrap() > 0);
}

#[test]
fn i3_a3_the_first_line_of_a_run_says_that_stops_are_kept() {
    let scene = Scene::new();
    scene.run("exit 0", &[]).ended();
    let codes = scene.codes();
    let expected = ["stop_latch_armed", "runner_start", "worker_spawn", "worker_pid", "worker_exit"];
    assert_eq!(codes, expected, "{:?}", scene.log());
}

#[test]
fn i3_a10_a_run_that_was_killed_has_failed_and_its_worker_ends() {
    let scene = Scene::new();
    let run = scene.run(STAYS, &[]);
    let worker = scene.worker();
    run.signal(Signal::KILL);
    run.ended();
    scene.board.ok(&["reconcile"]);
    let row = scene.board.wait_state(&scene.session, SemanticState::Failed);
    assert_eq!(row.process_state, ProcessState::Exited);
    assert_eq!(row.error.as_deref(), Some("Runner exited unexpectedly"));
    until("the worker ends with its run", || !process::is_running(worker));
}

#[test]
fn d2_a_worker_that_ignores_sigterm_is_killed_after_its_grace() {
    let scene = Scene::new();
    let run = scene.run("trap '' TERM; echo here >&2; while :; do sleep 1; done", &[]);
    scene.wait_code("worker_stderr");
    let worker = scene.worker();
    scene.board.ok(&["stop", scene.session.as_str()]);
    scene.board.wait_state(&scene.session, SemanticState::Stopped);
    run.ended();
    assert!(!process::is_running(worker));
}

#[test]
fn d2_a_stop_reaches_everything_below_the_worker() {
    let scene = Scene::new();
    let script = "sleep 1000 & echo $! >&2; setsid sleep 1000 & echo $! >&2; echo all >&2; wait";
    let run = scene.run(script, &[]);
    let below = || -> Vec<u32> {
        let lines = scene.log().into_iter().filter(|line| line.code == "worker_stderr");
        lines.filter_map(|line| line.message.parse().ok()).collect()
    };
    scene.board.until("both are there", || below().len() == 2);
    let below: Vec<_> = below().into_iter().filter_map(process::identify).collect();
    assert_eq!(below.len(), 2);
    scene.board.ok(&["stop", scene.session.as_str()]);
    scene.board.wait_state(&scene.session, SemanticState::Stopped);
    run.ended();
    assert!(!below.iter().any(|process| process::is_running(*process)));
}

#[test]
fn d2_rm_of_a_row_that_works_stops_it_first() {
    let scene = Scene::new();
    let run = scene.run(STAYS, &[]);
    let worker = scene.worker();
    scene.board.ok(&["rm", scene.session.as_str()]);
    scene.board.wait("the row is gone", |rows| rows.is_empty());
    run.ended();
    assert!(!process::is_running(worker));
}

#[test]
fn d2_interrupt_ends_the_one_turn_of_a_run() {
    let scene = Scene::new();
    let run = scene.run(STAYS, &[]);
    scene.worker();
    scene.board.ok(&["interrupt", scene.session.as_str()]);
    scene.board.wait_state(&scene.session, SemanticState::Stopped);
    run.ended();
}

#[test]
fn d2_shutdown_with_its_hosts_ends_runs() {
    let scene = Scene::new();
    let run = scene.run(STAYS, &[]);
    let worker = scene.worker();
    scene.board.ok(&["shutdown", "--kill-hosts"]);
    run.ended();
    assert!(!process::is_running(worker));
    scene.board.ok(&["ls"]);
    scene.board.wait_state(&scene.session, SemanticState::Stopped);
}

#[test]
fn f16_what_was_stopped_stays_stopped_over_three_daemons() {
    let scene = Scene::new();
    let run = scene.run(STAYS, &[]);
    scene.wait_code("worker_stderr");
    scene.board.ok(&["reply", "--queue", scene.session.as_str(), "Continue"]);
    scene.board.ok(&["stop", scene.session.as_str()]);
    scene.board.wait_state(&scene.session, SemanticState::Stopped);
    run.ended();
    for _ in 0..3 {
        let daemon = scene.board.daemon_process();
        end(daemon, Signal::KILL);
        scene.board.ok(&["ls"]);
        scene.board.wait_successor(daemon);
        scene.board.ok(&["reconcile"]);
        let detail = scene.board.show(&scene.session);
        assert_eq!(detail.row.state, SemanticState::Stopped);
        assert_eq!(detail.queue.len(), 1, "what waits is not said by itself");
    }
    let started = std::fs::read_to_string(scene.board.path().join("started")).unwrap();
    assert_eq!(started, "x\n", "the worker was started once");
}

#[test]
fn d9_a_run_whose_process_never_comes_has_failed_after_a_grace() {
    let scene = Scene::new();
    scene.ask("run_1");
    let row = scene.board.wait_state(&scene.session, SemanticState::Failed);
    assert!(row.error.unwrap().contains("did not start"));
}
