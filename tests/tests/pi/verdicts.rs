//! A real pi in a row that a person has put aside: nothing that it says moves the row, and one line typed into it does.

use crate::{both, stage::Stage};
use e2e::model_server::Step;
use serde_json::{Value, json};

/// The codes in a session's log.
fn log(stage: &Stage, session: &str) -> Vec<String> {
    let lines = stage.world.runner(&["log", session, "--json"]).ok().json();
    let code = |line: &Value| line["code"].as_str().map(str::to_owned);
    lines.as_array().into_iter().flatten().filter_map(code).collect()
}

both! {
    fn u3_u4_typing_into_a_row_that_was_put_aside_lifts_it_and_looking_does_not(stage) {
        stage.model.push(Step::text("The answer is forty-two, as ever."));
        let id = stage.start("what is the answer");
        stage.wait(&id, "the end of the turn", |row| row["process_state"] == "exited");
        let rounds = [("hold", "holding", "first"), ("done", "completed", "second")];
        for (verb, state, word) in rounds {
            stage.world.runner(&[verb, &id]).ok();
            assert_eq!(stage.show(&id)["state"], state);
            stage.in_terminal(&id, "forty-two", |_| {});
            assert_eq!(stage.show(&id)["state"], state, "looking is no word about it");
            let says = format!("This is the {word} time that you ask for it.");
            stage.model.push(Step::text(&*says));
            stage.in_terminal(&id, "forty-two", |terminal| {
                terminal.line("say it again");
                stage.wait(&id, "the end of the turn", |row| {
                    row["summary"] == *says && row["state"] == "idle" && row["busy"] == false
                });
            });
        }
        assert_eq!(log(stage, &id), Vec::<String>::new());
        let detail = stage.show(&id);
        assert_eq!(detail["classification"]["by"], "heuristic", "{detail:#}");
        assert_eq!(detail["classification"]["text_hash"], detail["agent_detail"]["text_hash"]);
        assert_eq!(detail["process_state"], json!("exited"));
    }
}
