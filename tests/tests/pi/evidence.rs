//! What there is to show for a session's work (reference A.8): the commands and files of a real pi, by the command line.

use crate::both;
use e2e::{model_server::Step, pi_stage::Stage, wait::eventually};
use serde_json::{Value, json};

fn evidence(stage: &Stage, id: &str) -> Value {
    stage.world.runner(&["evidence", "--json", id]).ok().json()
}

both! {
    fn a8_what_pi_did_is_evidence_and_its_row_can_be_reviewed(stage) {
        std::fs::write(stage.work().join("auth.rs"), "fn old() {}\n").unwrap();
        let edit = json!({"path": "auth.rs", "edits": [{"oldText": "old", "newText": "new"}]});
        stage.model.push(Step::tool("c1", "bash", json!({"command": "make test # none here"})));
        stage.model.push(Step::tool("c2", "edit", edit));
        stage.model.push(Step::text("I renamed it.\n\nEverything is green."));
        let id = stage.start("rename it");
        stage.wait_state(&id, "idle");
        let found = eventually("all of its evidence", || {
            let found = evidence(stage, &id);
            (found["claims"].as_array().is_some_and(|claims| !claims.is_empty())
                && found["file_changes"].as_array().is_some_and(|files| !files.is_empty()))
            .then_some(found)
        });
        let command = &found["commands"][0];
        assert_eq!(command["command"], "make test # none here", "{found:#}");
        assert_eq!((&command["kind"], &command["status"]), (&json!("test"), &json!("failed")), "{found:#}");
        assert!(command["output_preview"].as_str().is_some_and(|text| text.contains("make")), "{found:#}");
        assert!(command["duration_ms"].is_u64(), "{found:#}");
        assert_eq!(found["commands"].as_array().map(Vec::len), Some(1), "one command, upserted by its id: {found:#}");
        let file = &found["file_changes"][0];
        assert_eq!((&file["path"], &file["action"], &file["count"]), (&json!("auth.rs"), &json!("edited"), &json!(1)));
        assert_eq!(found["claims"].as_array().and_then(|claims| claims.last()).map(|claim| &claim["text"]),
            Some(&json!("I renamed it. Everything is green.")), "{found:#}");
        assert!(found["usage"]["read"].as_u64() > Some(0), "{found:#}");
        assert_eq!((&found["usage"]["tools"], &found["usage"]["turns"]), (&json!(2), &json!(3)), "{found:#}");
        assert_eq!((&found["review"]["ready"], &found["review"]["outcome"]), (&json!(true), &json!("ready")));
        let text = stage.world.runner(&["evidence", &id]).ok().stdout;
        assert!(text.contains("ready: 1 changed file, 1 command (1 failed), 0 errors"), "{text}");
        // A person puts it aside: it can still be reviewed, and says where it is.
        stage.world.runner(&["hold", &id]).ok();
        let row = stage.wait_state(&id, "holding");
        assert_eq!((&row["review"]["ready"], &row["review"]["outcome"]), (&json!(true), &json!("holding")), "{row:#}");
        let listed = stage.world.runner(&["ls", "--json", "review:ready"]).ok().json();
        assert!(listed.to_string().contains(&id), "{listed:#}");
        // What it did outlives the daemon.
        stage.world.runner(&["shutdown"]).ok();
        assert_eq!(evidence(stage, &id)["commands"], found["commands"]);
        assert_eq!(stage.show(&id)["diagnostics"]["error_count"], 0);
    }
}
