//! What a worker does costs only its own run.

use crate::scene::Scene;
use board_protocol::state::{ProcessState, SemanticState};
use host_runner::process;

#[test]
fn d1_a_worker_that_is_missing_fails_with_its_name() {
    let scene = Scene::new();
    scene.ask("run_1");
    scene.drive_argv("run_1", &["no-such-agent"], &[]).ended();
    let row = scene.board.wait_state(&scene.session, SemanticState::Failed);
    assert!(row.error.as_deref().unwrap().contains("no-such-agent"), "{row:?}");
    assert_eq!(row.process_state, ProcessState::Exited);
    assert!(scene.codes().contains(&"worker_error".to_owned()));
}

#[test]
fn d1_a_worker_that_fails_says_why() {
    let scene = Scene::new();
    scene.run("echo 'API_KEY=sk-secret is wrong' >&2; exit 3", &[]).ended();
    let row = scene.board.wait_state(&scene.session, SemanticState::Failed);
    let error = row.error.unwrap();
    assert!(error.contains("exit code 3") && error.contains("is wrong"), "{error}");
    assert!(!error.contains("sk-secret"));
    assert!(scene.log().iter().all(|line| !line.message.contains("sk-secret")));
}

#[test]
fn d1_a_worker_that_was_killed_has_failed() {
    let scene = Scene::new();
    scene.run("kill -9 $$", &[]).ended();
    let row = scene.board.wait_state(&scene.session, SemanticState::Failed);
    assert!(row.error.unwrap().contains("signal"));
}

#[test]
fn d1_hostile_output_costs_nothing_but_a_line_in_the_log() {
    let scene = Scene::new();
    let script = r#"
        head -c 10485760 /dev/zero | tr '\0' x; echo
        head -c 100000 /dev/urandom
        printf '\n\377\376\n{"type":"message_end","mess\n\033[31m\n'
        printf '{"cut":'"#;
    scene.run(script, &[]).ended();
    let row = scene.board.wait_state(&scene.session, SemanticState::Idle);
    assert_eq!(row.error, None);
    let lines = scene.log();
    assert!(lines.iter().any(|line| line.message.contains("10485760 bytes")), "{lines:?}");
    let plain = |text: &str| !text.chars().any(char::is_control);
    assert!(lines.iter().all(|line| line.message.len() < 4096 && plain(&line.message)));
}

#[test]
fn d1_a_flood_of_complaints_is_held_back() {
    let scene = Scene::new();
    scene.run("i=0; while [ $i -lt 20000 ]; do echo again >&2; i=$((i+1)); done", &[]).ended();
    scene.board.wait_state(&scene.session, SemanticState::Idle);
    let lines = scene.log().into_iter().filter(|line| line.code == "worker_stderr").count();
    assert!((1..=25).contains(&lines), "{lines}");
    let kept = scene.board.root.logs().join(format!("run-{}.stderr", scene.session));
    assert_eq!(std::fs::metadata(kept).unwrap().len(), 6 * 20_000, "beside the log there is all of it");
}

#[test]
fn d1_what_a_worker_leaves_behind_keeps_nobody_waiting() {
    let scene = Scene::new();
    scene.run("sleep 1000 & echo $! >&2; exit 0", &[]).ended();
    scene.board.wait_state(&scene.session, SemanticState::Idle);
    let lines = scene.log();
    let left = lines.iter().find(|line| line.code == "worker_stderr").unwrap();
    let left = process::identify(left.message.parse().unwrap()).expect("nobody asked to end it");
    let exit = lines.iter().find(|line| line.code == "worker_exit").unwrap();
    assert!(exit.message.contains("processes that it left: 1"), "{exit:?}");
    process::signal(left, rustix::process::Signal::KILL).unwrap();
}

#[test]
fn d1_a_worker_is_marked_as_its_sessions_and_never_sweeps() {
    let scene = Scene::new();
    scene.run("env > environment", &[]).ended();
    let environment = std::fs::read_to_string(scene.board.path().join("environment")).unwrap();
    let has = |line: &str| environment.lines().any(|known| known == line);
    assert!(has(&format!("AGENT_BOARD_SESSION={}", scene.session)), "{environment}");
    assert!(has("AGENT_BOARD_NO_SWEEP=1"));
    assert!(has("AGENT_BOARD_MCP_TOKEN=5ec2e7"), "for the server of its terminals, and for no hook");
    assert!(!environment.contains("AGENT_BOARD_TOKEN") && !environment.contains("AGENT_BOARD_SOCKET"));
}

#[test]
fn c5_a_run_that_another_one_replaced_starts_no_worker() {
    let scene = Scene::new();
    scene.ask("run_1");
    scene.ask("run_2");
    scene.drive("run_1", "touch started", &[]).ended();
    assert!(!scene.board.path().join("started").exists());
    scene.drive("run_2", "touch started", &[]).ended();
    assert!(scene.board.path().join("started").exists());
    scene.board.wait_state(&scene.session, SemanticState::Idle);
}
