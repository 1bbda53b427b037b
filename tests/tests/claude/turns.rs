//! Turns of a session: what it does, asks, was told, and how it ends.

use e2e::{
    claude_stage::{DEADLINE, Stage},
    keys,
    model_server::{Gate, Heard, Part, Step},
};
use serde_json::{Value, json};

fn of(row: &Value) -> (&str, &str, &str) {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    (text("state"), text("process_state"), text("host_state"))
}

#[test]
fn a_session_runs_a_tool_and_settles() {
    let stage = Stage::new();
    let gate = Gate::new();
    stage.model.push(Step::tool("t1", "Read", json!({"file_path": stage.work().join("notes.md")})));
    stage.model.push(Step::slow("Everything is", &gate, " green now."));
    std::fs::write(stage.work().join("notes.md"), "green\n").unwrap();
    let id = stage.start("read the notes");
    let row = stage.wait_state(&id, "working");
    assert_eq!((&row["agent"], &row["busy"]), (&json!("claude"), &json!(true)));
    stage
        .model
        .wait_until("the answer to the tool", DEADLINE, |asked| {
            asked.iter().filter(|asked| !asked.tools().is_empty()).count() == 2
        })
        .unwrap();
    gate.open();
    let row = stage.wait_state(&id, "idle");
    assert_eq!(of(&row), ("idle", "exited", "alive"), "{row:#}");
    assert_eq!((&row["summary"], &row["unread"]), (&json!("Everything is green now."), &json!(true)));
    let detail = stage.show(&id);
    assert_eq!(detail["agent_detail"]["diagnostics"], json!([]), "{detail:#}");
    let transcript = detail["agent_detail"]["transcript"].as_str().unwrap();
    assert!(std::path::Path::new(transcript).exists(), "{transcript}");
}

#[test]
fn a_running_tool_is_told_in_words_and_its_leave_is_a_question_until_it_is_given() {
    let stage = Stage::new();
    let wait = "until test -e go; do sleep 0.05; done; make test";
    std::fs::write(stage.work().join("Makefile"), "test:\n\ttrue\n").unwrap();
    stage.model.push(Step::tool("t1", "Bash", json!({"command": wait, "description": "Run the tests"})));
    stage.model.push(Step::text("They pass. Shall I commit it?"));
    let id = stage.start("run the tests");
    let row = stage.wait_state(&id, "needs_input");
    assert!(row["question"].as_str().unwrap().starts_with("Allow Bash: until test"), "{row:#}");
    assert_eq!(of(&row), ("needs_input", "alive", "alive"), "the turn still runs: {row:#}");
    let mut terminal = stage.attach(&id, "Do you want to proceed?");
    assert_eq!(stage.world.row(&id).unwrap()["state"], "needs_input", "looking answers nothing");
    terminal.send("1");
    terminal.wait_within(DEADLINE, "the answer was taken", |screen| !screen.has("Do you want to proceed?"));
    std::fs::write(stage.work().join("go"), "").unwrap();
    let row = stage.wait(&id, "a question in words", |row| row["process_state"] == "exited");
    assert_eq!((of(&row).0, &row["question"]), ("needs_input", &json!("Shall I commit it?")));
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}

#[test]
fn questions_of_a_tool_are_shown_and_closed_by_their_answers() {
    let stage = Stage::new();
    let question = |text: &str, header: &str, options: [&str; 2]| {
        let options = options.map(|label| json!({"label": label, "description": "so"}));
        json!({"question": text, "header": header, "multiSelect": false, "options": options})
    };
    let asked = json!({"questions": [
        question("Which database?", "Database", ["small", "large"]),
        question("Which colour?", "Colour", ["red", "blue"]),
    ]});
    let gate = Gate::new();
    stage.model.push(Step::tool("t1", "AskUserQuestion", asked));
    stage.model.push(Step::slow("So it", &gate, " shall be."));
    let id = stage.start("ask me");
    let row = stage.wait_state(&id, "needs_input");
    assert_eq!((&row["question"], &row["summary"]), (&json!("Which database?"), &json!("Which database?")));
    assert_eq!(stage.show(&id)["agent_detail"]["questions"], json!(["Which database?", "Which colour?"]));
    let mut terminal = stage.attach(&id, "Which database?");
    for shown in ["Which database?", "Which colour?", "Submit answers"] {
        terminal.wait_within(DEADLINE, shown, |screen| screen.has(shown));
        terminal.send(keys::ENTER);
    }
    let row = stage.wait_state(&id, "working");
    assert_eq!(row["question"], Value::Null);
    gate.open();
    stage.wait_state(&id, "idle");
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}

#[test]
fn a_failed_request_is_an_error_beside_a_row_that_waits() {
    let stage = Stage::new();
    stage.model.push(Step::status(400, "no such thing"));
    let id = stage.start("fail");
    let row = stage.wait_state(&id, "idle");
    assert!(row["error"].as_str().unwrap().contains("no such thing"), "{row:#}");
    assert_eq!((of(&row), &row["unread"]), (("idle", "exited", "alive"), &json!(true)));
    // It is no end: the next words are a turn like any other.
    stage.model.push(Step::text("It works this time."));
    let mut terminal = stage.attach(&id, "no such thing");
    stage.say(&terminal, "again");
    let row = stage.wait(&id, "the next turn", |row| row["summary"] == "It works this time.");
    assert_eq!((of(&row).0, &row["error"]), ("idle", &Value::Null));
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}

/// No event tells of an interrupt (field report A1): the row goes on saying that it runs, until the next words. What
/// stands on the screen will tell it, and nothing here may guess it.
#[test]
fn an_interrupt_reaches_the_agent_and_the_row_follows_at_the_next_words() {
    let stage = Stage::new();
    let gate = Gate::new();
    // It draws whole paragraphs only.
    stage.model.push(Step::slow("I begin at the beginning.\n\nAnd", &gate, " so on."));
    let id = stage.start("begin");
    stage.world.wait_text(&id, "I begin at the beginning");
    stage.world.runner(&["interrupt", &id]).ok();
    stage.world.wait_text(&id, "Interrupted");
    let given_up = stage.model.wait_until("the answer was given up", DEADLINE, |asked| {
        asked.iter().any(|asked| asked.heard == Heard::Abandoned)
    });
    given_up.unwrap();
    assert_eq!(of(&stage.world.row(&id).unwrap()), ("working", "alive", "alive"));
    stage.model.push(Step::text("Fine, from the end then."));
    let mut terminal = stage.attach(&id, "Interrupted");
    stage.say(&terminal, "from the end");
    let row = stage.wait_state(&id, "idle");
    assert_eq!(row["summary"], "Fine, from the end then.");
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}

/// Field report A10: the end of a turn was taken for the end of the work.
#[test]
fn a10_a_task_in_the_background_keeps_the_row_running() {
    let stage = Stage::new();
    let wait = json!({"command": "until test -e go; do sleep 0.05; done", "description": "Build",
        "run_in_background": true});
    std::fs::create_dir_all(stage.work().join(".claude")).unwrap();
    let allowed = json!({"permissions": {"allow": ["Bash"]}});
    std::fs::write(stage.work().join(".claude/settings.json"), allowed.to_string()).unwrap();
    let notices = stage.with_own_hooks(&["Notification"]);
    stage.model.push(Step::tool("t1", "Bash", wait));
    stage.model.push(Step::text("It builds in the background."));
    let id = stage.start("build it");
    stage.wait(&id, "a task in the background", |row| row["background"] == 1);
    // It says that it waits, and the person's own hook tells when it does.
    e2e::wait::within(DEADLINE, "an idle prompt", || {
        std::fs::read(&notices).ok().filter(|text| !text.is_empty())
    });
    let row = stage.world.row(&id).unwrap();
    assert_eq!((of(&row).0, &row["busy"]), ("working", &json!(true)), "{row:#}");
    stage.model.push(Step::text("The build is done."));
    std::fs::write(stage.work().join("go"), "").unwrap();
    let row = stage.wait_state(&id, "idle");
    assert_eq!((&row["summary"], &row["background"]), (&json!("The build is done."), &json!(0)));
}

/// Field report A13: what an agent below the session's own did looked like the session's.
#[test]
fn a13_an_agent_below_the_session_s_own_is_counted_and_moves_nothing() {
    let stage = Stage::new();
    let gate = Gate::new();
    let order =
        json!({"description": "look around", "prompt": "look here", "subagent_type": "general-purpose"});
    stage.model.push(
        Step::stream([Part::Wait(gate.clone()), Part::Text("Nothing there.".into())])
            .when(|asked| asked.last_text("user").is_some_and(|text| text.contains("look here"))),
    );
    stage.model.push(Step::tool("t1", "Agent", order));
    stage.model.push(Step::text("My agent found nothing."));
    let id = stage.start("send somebody");
    let count = |done: u64, all: u64| {
        stage.wait(&id, "a count", |_| {
            let detail = stage.show(&id)["agent_detail"].clone();
            (&detail["children_done"], &detail["children"]) == (&json!(done), &json!(all))
        })
    };
    let row = count(0, 1);
    assert_eq!((of(&row).0, &row["question"]), ("working", &Value::Null));
    gate.open();
    let row = stage.wait_state(&id, "idle");
    assert_eq!(row["summary"], "My agent found nothing.");
    count(1, 1);
}
