//! More than one turn: a second run, words that waited, and a person who enters what a run began.

use e2e::{
    each_worker, keys,
    model_server::{Gate, Step},
    run_stage::{DEADLINE, Stage, Worker},
};
use serde_json::{Value, json};

/// Everything that the model was asked with last, as one text.
fn last_asked(stage: &Stage) -> String {
    stage.turns().last().unwrap().messages().iter().map(Value::to_string).collect()
}

each_worker! {
    /// `run --session`: the same conversation, the same row.
    fn d1_a_second_run_goes_on_with_the_conversation(stage) {
        stage.model.push(Step::text("Your name is Ada."));
        let id = stage.begin("my name is Ada");
        stage.wait_state(&id, "idle");
        stage.model.push(Step::text("It is still Ada."));
        let again = stage.world.runner(&["run", "--session", &id, "--", "what is my name"]).ok().line();
        assert_eq!(again, id);
        stage.wait(&id, "the second answer", |row| row["state"] == "idle" && row["summary"] == "It is still Ada.");
        let asked = last_asked(stage);
        assert!(asked.contains("my name is Ada") && asked.contains("Your name is Ada."), "{asked}");
        assert_eq!(stage.world.rows().len(), 1);
        let detail = stage.show(&id);
        assert_eq!(detail["agent_detail"]["tokens_read"], 200, "{detail:#}");
    }

    /// Words that were queued while it ran go on in another turn, once.
    fn d10_words_that_waited_follow_once(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("First ", &gate, "answer."));
        let id = stage.begin("the first words");
        stage.wait_turns(1);
        stage.wait_state(&id, "working");
        stage.world.runner(&["reply", "--queue", &id, "the second words"]).ok();
        stage.model.push(Step::text("Second answer."));
        gate.open();
        stage.wait(&id, "the second answer", |row| row["state"] == "idle" && row["summary"] == "Second answer.");
        assert!(last_asked(stage).contains("the second words"));
        assert_eq!(stage.world.row(&id).unwrap()["queued"], json!(0));
        stage.wait_gone();
        assert_eq!(stage.turns().len(), 2, "once");
    }
}

/// `attach` after a run continues the conversation in a terminal.
fn entered(worker: Worker, typed: impl Fn(&Stage, &e2e::Terminal, &str)) {
    let stage = Stage::new(worker);
    stage.model.push(Step::text("Your name is Ada."));
    let id = stage.begin("my name is Ada");
    stage.wait_state(&id, "idle");
    stage.wait_gone();
    let mut terminal = stage.world.terminal("attach", &["host-runner", "attach", &id]);
    terminal.wait_within(DEADLINE, "the conversation", |screen| screen.has("Your name is Ada."));
    stage.wait(&id, "its terminal", |row| row["host_state"] == "alive");
    stage.model.push(Step::text("It is still Ada."));
    typed(&stage, &terminal, "what is my name");
    terminal.wait_within(DEADLINE, "the answer", |screen| screen.has("It is still Ada."));
    stage
        .wait(&id, "the second answer", |row| row["state"] == "idle" && row["summary"] == "It is still Ada.");
    let asked = last_asked(&stage);
    assert!(asked.contains("my name is Ada") && asked.contains("Your name is Ada."), "{asked}");
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}

fn pi_is_entered(worker: Worker) {
    entered(worker, |_, terminal, words| {
        terminal.send(words);
        terminal.wait_within(DEADLINE, "the words in the editor", |screen| screen.has(words));
        terminal.send(keys::ENTER);
    });
}

#[test]
fn d4_what_a_run_of_pi_began_is_entered_first() {
    pi_is_entered(Worker::PiFirst);
}

#[test]
fn d4_what_a_run_of_pi_began_is_entered_second() {
    pi_is_entered(Worker::PiSecond);
}

#[test]
fn d4_what_a_run_of_claude_began_is_entered() {
    entered(Worker::Claude, |_, terminal, words| {
        terminal.send(words);
        let shown = format!("❯\u{a0}{words}");
        terminal.wait_within(DEADLINE, "the words in the prompt", |screen| screen.has(&shown));
        terminal.send(keys::ENTER);
    });
}
