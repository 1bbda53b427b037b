//! Questions that tools and dialogs ask: shown, several at once, answered, cancelled (flow 4).

use crate::{
    both,
    stage::{DEADLINE, Stage},
};
use e2e::{
    keys,
    model_server::{Part, Step},
};
use serde_json::{Value, json};

fn ask(stage: &Stage, calls: Vec<(&str, &str, Value)>) {
    let parts = calls.into_iter().map(|(id, name, arguments)| Part::ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    });
    stage.model.push(Step::stream(parts));
}

both! {
    /// Field report A18: question tools were not recognised, the row stayed Running.
    fn a18_every_question_tool_needs_an_answer(stage) {
        stage.with_question_tools();
        let tools = [
            ("question", json!({"question": "Which database?", "options": ["small", "large"]}), "Which database?"),
            ("questionnaire", json!({"questions": [{"prompt": "Which colour?"}]}), "Which colour?"),
            ("ask_questions", json!({"questions": [{"question": "Which shape?"}]}), "Which shape?"),
        ];
        for (number, (tool, arguments, _)) in tools.iter().enumerate() {
            ask(stage, vec![(&format!("c{number}"), tool, arguments.clone())]);
        }
        stage.model.push(Step::text("Thank you, that is all I need."));
        let id = stage.start("ask me");
        let mut terminal = stage.world.terminal("attach", &["host-runner", "attach", &id]);
        for (_, _, question) in tools {
            let row = stage.wait(&id, question, |row| row["question"] == question);
            assert_eq!((&row["state"], &row["summary"]), (&json!("needs_input"), &json!(question)));
            assert_eq!((&row["process_state"], &row["busy"]), (&json!("alive"), &json!(true)));
            terminal.wait_within(DEADLINE, question, |screen| screen.has(question));
            terminal.send(keys::ENTER);
        }
        let row = stage.wait_state(&id, "idle");
        assert_eq!((&row["summary"], &row["question"]), (&json!("Thank you, that is all I need."), &Value::Null));
        terminal.send(keys::DETACH);
        terminal.wait_ended();
    }

    fn several_questions_at_once_are_closed_one_by_one_and_cancelled(stage) {
        stage.with_question_tools();
        ask(stage, vec![
            ("c1", "question", json!({"question": "First thing?", "options": ["a"]})),
            ("c2", "question", json!({"question": "Second thing?", "options": ["b"]})),
        ]);
        stage.model.push(Step::text("Then I shall decide it myself."));
        let id = stage.start("ask me twice");
        let mut terminal = stage.world.terminal("attach", &["host-runner", "attach", &id]);
        stage.wait(&id, "the first", |row| row["question"] == "First thing?");
        stage.wait(&id, "both", |_| {
            let questions = stage.show(&id)["agent_detail"]["questions"].to_string();
            questions.contains("First thing?") && questions.contains("Second thing?")
        });
        // One dialog after the other: the first is cancelled with Esc, the other answered. The first generation shows
        // only the newest of several and lets the others wait for ever; there Esc ends the turn.
        let mut cancelled = false;
        e2e::wait::within(DEADLINE, "both closed", || {
            let row = stage.world.row(&id).unwrap();
            if row["state"] == "needs_input" {
                let screen = terminal.screen();
                let shown = ["First thing?", "Second thing?"].iter().any(|text| screen.has(text));
                terminal.send(if shown && cancelled { keys::ENTER } else { keys::ESC });
                cancelled = true;
            }
            (row["state"] == "idle" || row["state"] == "failed").then_some(())
        });
        let row = stage.world.row(&id).unwrap();
        assert_eq!((&row["state"], &row["question"]), (&json!("idle"), &Value::Null), "{row:#}");
        terminal.send(keys::DETACH);
        terminal.wait_ended();
    }

    fn a_dialog_between_turns_needs_an_answer_and_leaves_the_row_as_it_was(stage) {
        stage.with_question_tools();
        stage.model.push(Step::text("Everything is green now."));
        let id = stage.start("go");
        stage.wait_state(&id, "idle");
        stage.in_terminal(&id, "Everything is green", |terminal| {
            terminal.line("/dialog");
            let row = stage.wait_state(&id, "needs_input");
            assert_eq!(row["question"], "Deploy to production?");
            assert_eq!((&row["process_state"], &row["busy"]), (&json!("exited"), &json!(false)));
            terminal.wait_for("Deploy to production?");
            terminal.send(keys::ESC);
            let row = stage.wait_state(&id, "idle");
            assert_eq!(row["summary"], "Everything is green now.");
        });
    }
}
