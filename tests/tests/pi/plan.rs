//! A real pi that plans, is sent back, and carries out what was approved.

use crate::both;
use e2e::model_server::Step;
use serde_json::json;

const FIRST: &str = "1. Look at the login.\n2. Rewrite it.\n3. Test it.";
const SECOND: &str = "1. Look at the login.\n2. Mend it.";

both! {
    fn a11_d13_a_plan_is_asked_for_sent_back_approved_and_carried_out(stage) {
        stage.model.push(Step::text("I am ready whenever you are."));
        let id = stage.start("hello");
        stage.wait_state(&id, "idle");
        let runner = |arguments: &[&str]| stage.world.runner(arguments);
        let asks = |what: &str| {
            stage.wait(&id, what, |row| {
                row["state"] == "needs_input"
                    && row["question"] == "Approve this plan?"
                    && row["plan"] == "awaiting_approval"
            });
            runner(&["plan", "show", &id, "--json"]).ok().json()
        };
        let told = || stage.model.requests().last().and_then(|asked| asked.last_text("user")).unwrap();

        stage.model.push(Step::text(FIRST));
        runner(&["plan", "request", &id, "mend", "the", "login"]).ok();
        let plan = asks("the first plan");
        assert_eq!(plan["text"], FIRST, "{plan:#}");
        assert!(told().contains("only a plan") && told().contains("mend the login"), "{}", told());

        // Free words decide nothing.
        let refused = runner(&["reply", &id, "yes"]).expect_code(1);
        assert!(refused.stderr.contains(&format!("plan approve {id}")), "{refused:?}");
        let kept = runner(&["reply", "--queue", &id, "and the logout"]).ok();
        assert!(kept.stderr.contains("plan"), "{kept:?}");

        stage.model.push(Step::text(SECOND));
        runner(&["plan", "change", &id, "do not rewrite it"]).ok();
        stage.wait(&id, "a second plan", |row| {
            row["plan"] == "awaiting_approval" && row["summary"] == "Approve this plan?" && row["busy"] == false
        });
        let plan = asks("the second plan");
        assert_eq!((&plan["text"], &plan["change_request"]), (&json!(SECOND), &json!("do not rewrite it")));
        assert!(told().contains("do not rewrite it"), "{}", told());

        stage.model.push(Step::text("The login is mended and tested."));
        stage.model.push(Step::text("The logout is mended as well."));
        let approved = runner(&["plan", "approve", &id, "--json"]).ok().json();
        assert_eq!(approved["plan"]["status"], "executing_approved_plan", "{approved:#}");
        // What waited goes once the plan is carried out.
        let row = stage.wait_summary(&id, "The logout is mended as well.");
        assert_eq!((&row["plan"], &row["queued"]), (&json!("executing_approved_plan"), &json!(0)));
        let users: Vec<String> =
            stage.model.requests().iter().filter_map(|asked| asked.last_text("user")).collect();
        assert_eq!(users.len(), 5, "{users:#?}");
        assert!(users[3].starts_with("I approve your plan") && users[4] == "and the logout", "{users:#?}");
        let history = runner(&["plan", "show", &id, "--json"]).ok().json()["history"].clone();
        let actions: Vec<&str> =
            history.as_array().unwrap().iter().filter_map(|change| change["action"].as_str()).collect();
        assert_eq!(actions, ["request", "ready", "change", "ready", "approve", "execute"]);
        assert!(runner(&["plan", "approve", &id]).expect_code(1).stderr.contains("No plan is awaiting approval"));
        runner(&["plan", "reset", &id]).ok();
        let shown = runner(&["plan", "show", &id]).ok();
        assert!(shown.stdout.starts_with("no plan"), "{shown:?}");
    }
}
