//! Errors, attempts, overload, hangs, very long answers, and a daemon that dies in the middle (flows 5 and 6).

use crate::{both, stage::Stage};
use e2e::model_server::{Chunking, Gate, Part, Step};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;

/// Most private memory of a host and of the daemon after a flood, in KiB.
const MEMORY_KIB: u64 = 64 * 1024;

fn quick_retries(stage: &Stage) {
    let path = stage.world.home().join(".pi/agent/settings.json");
    let mut settings: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    settings["retry"] =
        json!({"enabled": true, "maxRetries": 2, "baseDelayMs": 20, "provider": {"maxRetries": 0}});
    fs::write(path, settings.to_string()).unwrap();
}

fn memory_kib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

both! {
    fn an_error_of_the_model_is_shown_and_the_session_goes_on(stage) {
        quick_retries(stage);
        let refused = Step::status(400, "this model is not for you").always();
        stage.model.push(refused.when(|request| request.last_text("user").as_deref() == Some("go")));
        let id = stage.start("go");
        let row = stage.wait(&id, "an error", |row| row["error"].is_string() && row["process_state"] == "exited");
        assert_eq!((&row["state"], &row["host_state"]), (&json!("idle"), &json!("alive")));
        assert!(row["summary"].as_str().unwrap().contains("not for you"), "{row:#}");
        assert_eq!((&row["unread"], &row["busy"]), (&json!(true), &json!(false)));
        stage.model.push(Step::text("Now it works as it should."));
        stage.in_terminal(&id, "not for you", |terminal| {
            terminal.line("again");
            let row = stage.wait_summary(&id, "Now it works as it should.");
            assert_eq!(row["error"], Value::Null, "the error is over");
        });
    }

    /// Without a key for its model pi takes the words, says so on its screen, and has no event for it.
    fn words_that_pi_refuses_leave_no_row_running(stage) {
        fs::remove_file(stage.world.home().join(".pi/agent/models.json")).unwrap();
        fs::remove_file(stage.world.home().join(".pi/agent/settings.json")).unwrap();
        let id = stage.start("go");
        let row = stage.wait_state(&id, "idle");
        assert_eq!((&row["process_state"], &row["host_state"]), (&json!("exited"), &json!("alive")));
        assert!(row["error"].as_str().unwrap().contains("did not begin to work"), "{row:#}");
    }

    fn a_model_that_does_not_exist_is_the_reason_of_the_failure(stage) {
        let id = stage.try_start(&["--model", "nope/none", "go"]).ok().line();
        let row = stage.wait_state(&id, "failed");
        let error = row["error"].as_str().unwrap();
        assert!(error.starts_with("exit code 1: ") && error.contains("nope/none"), "{row:#}");
        assert_eq!(row["host_state"], json!("exited"));
        stage.world.wait_text(&id, "nope/none");
    }

    /// Field report A15: the end of an attempt is not the end of the work.
    fn a15_an_overloaded_model_is_asked_again_and_the_row_runs_meanwhile(stage) {
        quick_retries(stage);
        let gate = Gate::new();
        stage.model.push(Step::overloaded());
        stage.model.push(Step::overloaded());
        stage.model.push(Step::stream([Part::Wait(gate.clone()), Part::Text("Third time is the charm.".into())]));
        let id = stage.start("go");
        stage.model.wait_for_requests(3, crate::stage::DEADLINE).unwrap();
        let row = stage.wait_state(&id, "working");
        assert_eq!(row["process_state"], "alive");
        gate.open();
        let row = stage.wait_summary(&id, "Third time is the charm.");
        let row = if row["state"] == "idle" { row } else { stage.wait_state(&id, "idle") };
        assert_eq!(row["error"], Value::Null);
    }

    fn a_model_that_hangs_or_breaks_off_leaves_nothing_stuck(stage) {
        quick_retries(stage);
        let gate = Gate::new();
        stage.model.push(Step::hang(&gate));
        let id = stage.start("go");
        stage.wait_state(&id, "working");
        stage.model.wait_for_requests(1, crate::stage::DEADLINE).unwrap();
        stage.world.runner(&["interrupt", &id]).ok();
        stage.wait(&id, "interrupted", |row| row["state"] == "idle" && row["process_state"] == "exited");
        stage.model.push(Step::breaks_midway("I had just begun").always());
        stage.in_terminal(&id, "go", |terminal| {
            terminal.line("again");
            stage.wait(&id, "given up", |row| row["state"] == "idle" && row["error"].is_string());
        });
    }

    fn a_flood_of_words_and_a_huge_result_change_nothing_but_the_words(stage) {
        stage.model.push(Step::tool("c1", "bash", json!({"command": "yes some more output of a command | head -c 5000000"})));
        let long = Step::long("some more words of a very long answer ", 4_000);
        stage.model.push(long.chunked(Chunking::Bytes(700)));
        let id = stage.start("flood me");
        let row = stage.wait_state(&id, "idle");
        assert!(row["summary"].as_str().unwrap().starts_with("some more words"), "{row:#}");
        let detail = stage.show(&id);
        let host = u32::try_from(detail["host"]["process"]["pid"].as_u64().unwrap()).unwrap();
        for pid in [host, stage.world.daemon().identity.pid] {
            assert!(memory_kib(pid) < MEMORY_KIB, "{} KiB", memory_kib(pid));
        }
    }

    fn f1_sessions_go_on_without_the_daemon_and_every_row_is_right_afterwards(stage) {
        const MANY: usize = 4;
        let gate = Gate::new();
        for number in 0..MANY {
            let prompt = format!("job {number}");
            let words = format!("Job {number} is finished now.");
            let step = Step::stream([Part::Text("Working on it. ".into()), Part::Wait(gate.clone()), Part::Text(words)]);
            stage.model.push(step.when(move |request| request.last_text("user").as_deref() == Some(&prompt)));
        }
        let ids: Vec<String> =
            (0..MANY).map(|number| stage.start_named(&format!("job{number}"), &format!("job {number}"))).collect();
        for id in &ids {
            stage.wait_state(id, "working");
            stage.world.wait_text(id, "Working on it");
        }
        // Nobody may start a daemon before all have settled: what they say waits on the disk.
        fs::write(stage.world.root().join("shut-down"), "").unwrap();
        let daemon = stage.world.daemon();
        stage.world.kill(&daemon);
        gate.open();
        let spool = stage.world.root().join("spool");
        e2e::wait::within(crate::stage::DEADLINE, "every end in the spool", || {
            let settled = fs::read_dir(&spool).unwrap().flatten().filter(|entry| {
                let bytes = fs::read(entry.path()).unwrap_or_default();
                bytes.windows(13).any(|window| window == b"agent_settled")
            });
            (settled.count() >= MANY).then_some(())
        });
        for (number, id) in ids.iter().enumerate() {
            let row = stage.wait_state(id, "idle");
            let said = format!("Job {number} is finished now.");
            assert!(stage.show(id)["agent_detail"]["preview"].as_str().unwrap().contains(&said), "{row:#}");
            assert_eq!((&row["host_state"], &row["process_state"]), (&json!("alive"), &json!("exited")));
        }
        // And they listen still.
        stage.model.push(Step::text("Glad to be of service, as always."));
        stage.world.signal(&stage.world.daemon(), Signal::KILL);
        stage.in_terminal(&ids[0], "finished now", |terminal| {
            terminal.line("thanks");
            stage.wait_summary(&ids[0], "Glad to be of service, as always.");
        });
    }
}
