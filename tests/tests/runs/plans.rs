//! A plan without a terminal: asked for, sent back, approved and carried out, each by a turn of a real agent.

use e2e::{each_worker, model_server::Step};
use serde_json::{Value, json};

each_worker! {
    /// Nothing that waits goes by itself while the plan is made or waits for a person.
    fn a11_d1_a_plan_is_made_sent_back_and_carried_out_without_a_terminal(stage) {
        stage.model.push(Step::text("I am ready whenever you are."));
        let id = stage.begin("hello");
        stage.wait_state(&id, "idle");
        let runner = |arguments: &[&str]| stage.world.runner(arguments);
        let asks = |what: &str| {
            stage.wait(&id, what, |row| row["plan"] == "awaiting_approval" && row["state"] == "needs_input");
            runner(&["plan", "show", &id, "--json"]).ok().json()
        };

        stage.model.push(Step::text("1. Rewrite the login."));
        runner(&["plan", "request", &id, "mend the login"]).ok();
        let plan = asks("the first plan");
        assert_eq!(plan["text"], "1. Rewrite the login.", "{plan:#}");
        let row = stage.world.row(&id).unwrap();
        assert_eq!((&row["question"], &row["headless"]), (&json!("Approve this plan?"), &json!(true)), "{row:#}");
        runner(&["reply", "--queue", &id, "and the logout"]).ok();
        runner(&["reconcile"]).ok();

        stage.model.push(Step::text("1. Mend the login."));
        runner(&["plan", "change", &id, "do not rewrite it"]).ok();
        stage.wait(&id, "the second plan", |_| {
            runner(&["plan", "show", &id, "--json"]).ok().json()["text"] == "1. Mend the login."
        });
        asks("the second plan");
        assert_eq!(stage.turns().len(), 3, "the words that wait were not said");

        stage.model.push(Step::text("The login is mended."));
        stage.model.push(Step::text("The logout is mended as well."));
        runner(&["plan", "approve", &id]).ok();
        stage.wait(&id, "what waited, once the plan is carried out", |row| {
            row["summary"] == "The logout is mended as well." && row["state"] == "idle" && row["queued"] == 0
        });
        stage.wait_gone();
        let said: Vec<String> =
            stage.turns().iter().map(|asked| asked.messages().iter().map(Value::to_string).collect()).collect();
        assert_eq!(said.len(), 5, "{said:#?}");
        for (turn, words) in [(1, "mend the login"), (2, "do not rewrite it"), (3, "I approve your plan"), (4, "and the logout")] {
            assert!(said[turn].contains(words) && !said[turn - 1].contains(words), "{words}: {said:#?}");
        }
        let history = runner(&["plan", "show", &id, "--json"]).ok().json()["history"].clone();
        let actions: Vec<&str> = history.as_array().unwrap().iter().filter_map(|change| change["action"].as_str()).collect();
        assert_eq!(actions, ["request", "ready", "change", "ready", "approve", "execute"]);
    }
}
