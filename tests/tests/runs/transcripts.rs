//! What was said in headless runs, from the file that each agent keeps by its own rules: no hook names it.

use e2e::{each_worker, model_server::Step};
use serde_json::{Value, json};

each_worker! {
    /// A tool and two turns, in the words that are the same for every agent.
    fn b13_what_was_said_is_read_from_every_agents_file(stage) {
        stage.model.push(stage.worker.runs("c1", "echo seen"));
        stage.model.push(Step::text("I saw it.\n\n- one"));
        let id = stage.begin("look around");
        stage.wait_state(&id, "idle");
        stage.model.push(Step::text("Still there."));
        stage.world.runner(&["run", "--session", &id, "--", "and now"]).ok();
        stage.wait(&id, "the second answer", |row| row["state"] == "idle" && row["summary"] == "Still there.");
        let told = stage.world.runner(&["transcript", "--json", &id]).ok().json();
        let items = told["items"].as_array().unwrap();
        let roles: Vec<&Value> = items.iter().map(|item| &item["role"]).collect();
        assert_eq!(roles, ["you", "tool", "agent", "you", "agent"], "{told:#}");
        let text = |at: usize| items[at]["text"].as_str().unwrap().trim().to_owned();
        assert_eq!((text(0), text(1)), ("look around".to_owned(), "echo seen".to_owned()), "{told:#}");
        assert!(items[1]["output"].as_str().unwrap().contains("seen"), "{told:#}");
        assert_eq!((text(2), text(3), text(4)), ("I saw it.\n\n- one".into(), "and now".into(), "Still there.".into()));
        assert!(items.iter().all(|item| item["at_ms"].is_u64()), "{told:#}");
        assert_eq!((&told["cwd"], &told["incomplete"]), (&json!(stage.work()), &json!(false)));
    }
}
