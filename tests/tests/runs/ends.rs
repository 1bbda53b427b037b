//! Runs that a person stops, and one that somebody else ends.

use e2e::{
    each_worker,
    model_server::{Gate, Step},
};
use rustix::process::Signal;
use serde_json::json;

each_worker! {
    /// In the middle of an answer: the row is Stopped, whatever the agent's exit code says, and no process is left.
    fn d2_a_run_that_is_stopped_in_its_turn_leaves_nothing(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("Half an ", &gate, "answer").always());
        let id = stage.begin("look around");
        stage.wait_turns(1);
        stage.wait_state(&id, "working");
        stage.world.runner(&["stop", &id]).ok();
        let row = stage.wait_state(&id, "stopped");
        assert_eq!((&row["process_state"], &row["error"]), (&json!("exited"), &json!(null)), "{row:#}");
        stage.wait_gone();
    }

    /// In the middle of a command: that one ends as well.
    fn d2_a_run_that_is_stopped_in_a_command_ends_that_too(stage) {
        std::fs::write(stage.work().join("for-ever"), "touch begun; while :; do sleep 0.05; done\n").unwrap();
        // Nobody else needs the leave.
        stage.allow("Bash(sh ./for-ever)");
        stage.model.push(stage.worker.runs("c1", "sh ./for-ever"));
        let id = stage.begin("look around");
        stage.wait(&id, "the command", |_| stage.work().join("begun").exists());
        stage.world.runner(&["stop", &id]).ok();
        stage.wait_state(&id, "stopped");
        stage.wait_gone();
    }

    /// Somebody else ends the agent: the row has failed, also where the agent goes with the exit code 0 (Codex).
    fn b5_a_run_whose_agent_is_ended_by_another_has_failed(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("Half an ", &gate, "answer").always());
        let id = stage.begin("look around");
        stage.wait_turns(1);
        stage.wait_state(&id, "working");
        let run = stage.world.runners("run").remove(0);
        let worker = stage.world.processes().into_iter().find(|process| process.parent == run.identity.pid).unwrap();
        stage.world.signal(&worker, Signal::TERM);
        let row = stage.wait_state(&id, "failed");
        assert!(row["error"].as_str().is_some_and(|error| !error.is_empty()), "{row:#}");
        stage.wait_gone();
    }

    /// Stopped as soon as it was asked for, at whatever point of its start that comes.
    fn i3_a4_a_run_that_is_stopped_at_once_is_stopped(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("Half an ", &gate, "answer").always());
        let id = stage.begin("look around");
        stage.world.runner(&["stop", "--no-wait", &id]).ok();
        let row = stage.wait_state(&id, "stopped");
        assert_eq!(row["process_state"], "exited", "{row:#}");
        stage.wait_gone();
    }
}
