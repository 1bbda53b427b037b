//! Turns of a session: what it does, asks, was told, and how it ends (flows 1 to 3).

use crate::both;
use e2e::model_server::{Gate, Part, Step};
use serde_json::{Value, json};

fn of(row: &Value) -> (&str, &str, &str) {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    (text("state"), text("process_state"), text("host_state"))
}

both! {
    /// The whole of flow 1 and 2 as the row tells it.
    fn a_session_runs_asks_is_answered_and_settles(stage) {
        let gate = Gate::new();
        stage.model.push(Step::tool("c1", "bash", json!({"command": "sh ./wait-for-it # make test"})));
        std::fs::write(stage.work().join("wait-for-it"), "until test -e go; do sleep 0.05; done\n").unwrap();
        stage.model.push(Step::text("I looked at it. Which database should I use?"));
        stage.model.push(Step::stream([Part::Wait(gate.clone()), Part::Text("Everything is green now.".into())]));
        let id = stage.start("choose a database");
        let row = stage.wait(&id, "a tool", |row| row["summary"].as_str().is_some_and(|s| s.starts_with("Running ")));
        assert_eq!(of(&row), ("working", "alive", "alive"), "{row:#}");
        assert_eq!((&row["agent"], &row["busy"]), (&json!("pi"), &json!(true)));
        std::fs::write(stage.work().join("go"), "").unwrap();
        let row = stage.wait(&id, "settled with a question", |row| {
            row["state"] == "needs_input" && row["process_state"] == "exited"
        });
        assert_eq!(row["question"], "Which database should I use?");
        assert_eq!(row["summary"], "Which database should I use?");
        assert_eq!((&row["unread"], &row["busy"]), (&json!(true), &json!(false)));
        stage.in_terminal(&id, "Which database", |terminal| {
            // Only looking changes nothing but that it was seen.
            let row = stage.wait(&id, "seen", |row| row["unread"] == false);
            assert_eq!(of(&row), ("needs_input", "exited", "alive"));
            terminal.line("the small one");
            let row = stage.wait_state(&id, "working");
            assert_eq!((&row["process_state"], &row["question"]), (&json!("alive"), &Value::Null));
        });
        gate.open();
        let row = stage.wait_state(&id, "idle");
        assert_eq!(of(&row), ("idle", "exited", "alive"), "{row:#}");
        assert_eq!(row["summary"], "Everything is green now.");
        let asked = stage.model.requests();
        assert_eq!(asked.last().unwrap().last_text("user").as_deref(), Some("the small one"));
        let detail = stage.show(&id);
        assert_eq!(detail["agent_detail"]["model"], "fake/fake");
        assert!(detail["agent_detail"]["tokens_read"].as_u64() >= Some(300), "{detail:#}");
        assert_eq!(detail["agent_detail"]["diagnostics"], json!([]), "{detail:#}");
        let transcript = stage.world.root().join(format!("sessions/{id}.jsonl"));
        assert!(transcript.exists(), "the transcript is the board's to find");
    }
}
