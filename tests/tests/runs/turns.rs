//! Turns that end by themselves: what the row says meanwhile and afterwards, and what there is to show for them.

use e2e::{
    each_worker,
    model_server::{Gate, Part, Step, Usage},
    run,
    run_stage::{DEADLINE, Stage, Worker},
    wait::seen_within,
};
use serde_json::{Value, json};

/// The evidence of a session, once it satisfies a predicate.
fn evidence(stage: &Stage, session: &str, what: &str, predicate: impl Fn(&Value) -> bool) -> Value {
    seen_within(DEADLINE, what, || {
        let evidence = stage.world.runner(&["evidence", "--json", session]).ok().json();
        if predicate(&evidence) { Ok(evidence) } else { Err(evidence) }
    })
}

each_worker! {
    /// Running while the model thinks, then it needs instructions, and everything about it is known.
    fn d1_a_run_answers(stage) {
        let gate = Gate::new();
        let parts = [Part::Wait(gate.clone()), Part::Text("I looked at everything.".into())];
        stage.model.push(Step::stream(parts).costing(Usage { input: 70, output: 30 }));
        let id = stage.begin("-h look around");
        stage.wait_turns(1);
        let row = stage.wait_state(&id, "working");
        assert_eq!((&row["process_state"], &row["headless"], &row["busy"]), (&json!("alive"), &json!(true), &json!(true)));
        gate.open();
        let row = stage.wait_state(&id, "idle");
        assert_eq!((&row["process_state"], &row["summary"]), (&json!("exited"), &json!("I looked at everything.")));
        assert_eq!((&row["agent"], &row["unread"]), (&json!(stage.worker.agent().name()), &json!(true)));
        let detail = stage.show(&id);
        let agent = &detail["agent_detail"];
        assert_eq!((&agent["tokens_read"], &agent["tokens_written"]), (&json!(70), &json!(30)), "{detail:#}");
        assert!(agent["session_id"].as_str().is_some_and(|id| id.len() == 36), "{detail:#}");
        stage.wait_gone();
    }

    /// A command, with what it printed and its end.
    fn a8_a_run_shows_what_its_tools_did(stage) {
        stage.model.push(stage.worker.runs("c1", "echo seen"));
        stage.model.push(stage.worker.runs("c2", "ls ./nowhere"));
        stage.model.push(stage.worker.writes("c3", "made.txt"));
        stage.model.push(Step::text("All done."));
        let id = stage.begin("look around");
        stage.wait_state(&id, "idle");
        let shown = evidence(stage, &id, "both commands", |shown| {
            let commands = shown["commands"].as_array();
            commands.is_some_and(|all| all.len() == 2 && all.iter().all(|one| one["status"] != "started"))
                && shown["claims"].as_array().is_some_and(|claims| !claims.is_empty())
        });
        let told = |index: usize| {
            let command = &shown["commands"][index];
            (command["command"].clone(), command["status"].clone(), command["exit_code"].clone())
        };
        assert_eq!(told(0), (json!("echo seen"), json!("passed"), json!(0)), "{shown:#}");
        assert_eq!(told(1), (json!("ls ./nowhere"), json!("failed"), json!(2)), "{shown:#}");
        let preview = |index: usize| shown["commands"][index]["output_preview"].as_str().unwrap_or_default().to_owned();
        assert_eq!(preview(0).trim(), "seen");
        assert!(preview(1).contains("No such file") && !preview(1).contains("[object"), "{shown:#}");
        assert_eq!(shown["claims"].as_array().unwrap().last().unwrap()["text"], "All done.");
        let changes = shown["file_changes"].as_array().unwrap();
        if stage.worker == Worker::Claude {
            assert_eq!(changes.len(), 0, "nobody gave leave: {shown:#}");
        } else {
            assert_eq!(changes.len(), 1, "{shown:#}");
            assert!(changes[0]["path"].as_str().unwrap().ends_with("made.txt"));
            assert_eq!(changes[0]["action"], "written");
        }
        assert_eq!(shown["usage"]["read"], 400, "{shown:#}");
    }

    /// Its model fails: the row says so, with the error, whatever the exit code of the agent is.
    fn b5_a_run_whose_model_fails_has_failed(stage) {
        stage.model.push(Step::status(400, "there is no such model").always());
        let id = stage.begin("look around");
        let row = stage.wait_state(&id, "failed");
        assert!(row["error"].as_str().is_some_and(|error| error.contains("no such model")), "{row:#}");
        assert_eq!(row["process_state"], "exited");
        stage.wait_gone();
    }

    /// Its last words ask something.
    fn b5_a_run_that_asks_in_its_text_needs_an_answer(stage) {
        stage.model.push(Step::text("I looked at it. Which database should I use?"));
        let id = stage.begin("choose a database");
        let row = stage.wait_state(&id, "needs_input");
        assert_eq!((&row["question"], &row["process_state"]), (&json!("Which database should I use?"), &json!("exited")));
    }

    /// `--wait` prints the last words, for scripts.
    fn d1_a_script_waits_for_the_last_words(stage) {
        stage.model.push(Step::text("Forty-two."));
        let work = stage.work();
        let arguments = ["run", "--agent", stage.worker.agent().name(), "--cwd", work.to_str().unwrap(), "--wait", "--", "count"];
        let finished = run::run(stage.world.runner_command(&arguments), b"", DEADLINE).ok();
        assert_eq!(finished.stdout, "Forty-two.\n");
    }
}
