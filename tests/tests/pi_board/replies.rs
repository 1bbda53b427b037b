//! Replies by the command line to sessions of the real pi, seen at the board.

use crate::{
    both,
    support::{board, enter, wait_says},
};
use board_protocol::state::SemanticState::{Idle, NeedsInput, Working};
use e2e::{
    agents::pi::Edition,
    keys,
    model_server::{Gate, Step},
    pi_stage::{DEADLINE, Stage},
    steps::{insert, leave},
};
use serde_json::{Value, json};

fn queue(stage: &Stage, session: &str) -> Vec<Value> {
    let queue = stage.world.runner(&["queue", "--json", session]).ok().json();
    queue.as_array().unwrap().clone()
}

fn asked_for(stage: &Stage, words: &str) -> usize {
    let requests = stage.model.requests();
    requests
        .iter()
        .filter(|request| request.last_text("user").is_some_and(|text| text.trim() == words))
        .count()
}

both! {
    fn a_reply_to_a_waiting_pi_starts_a_turn_and_one_while_it_works_waits_for_its_end(stage) {
        let gate = Gate::new();
        stage.model.push(Step::text("Ready when you are."));
        stage.model.push(Step::slow("The first ", &gate, "part is done."));
        stage.model.push(Step::text("The second part is done as well."));
        let terminal = board(stage);
        insert(&terminal, "builder");
        wait_says(&terminal, "builder", Idle, "Ready when you are.");
        stage.world.runner(&["reply", "builder", "do", "the first part"]).ok();
        wait_says(&terminal, "builder", Working, "");
        assert_eq!(stage.model.requests()[1].last_text("user").as_deref(), Some("do the first part"));
        let queued = stage.world.runner(&["reply", "--json", "builder", "then the second\npart"]).ok().json();
        assert_eq!(queued["queue"][0]["progress"], "waiting", "{queued:#}");
        assert!(queued["notice"].as_str().unwrap().contains("when its turn ends"), "{queued:#}");
        assert_eq!(stage.wait("builder", "queued", |row| row["queued"] == 1)["state"], "working");
        gate.open();
        wait_says(&terminal, "builder", Idle, "The second part is done as well.");
        assert_eq!(stage.model.requests().len(), 3);
        assert_eq!(asked_for(stage, "then the second\npart"), 1);
        assert_eq!(queue(stage, "builder"), Vec::<Value>::new());
    }
}

// Acceptance I.1, U7: what waits in its turn does not wake a row that was put aside; a row that is done, it does.
#[test]
fn i1_u7_queued_words_leave_a_holding_row_alone_and_wake_one_that_is_done() {
    let stage = Stage::new(Edition::Second);
    for words in ["Parked answer.", "Control answer.", "Control went on."] {
        stage.model.push(Step::text(words));
    }
    let terminal = board(&stage);
    insert(&terminal, "parked");
    wait_says(&terminal, "parked", Idle, "Parked answer.");
    insert(&terminal, "control");
    wait_says(&terminal, "control", Idle, "Control answer.");
    stage.world.runner(&["hold", "parked"]).ok();
    stage.world.runner(&["done", "control"]).ok();
    stage.world.runner(&["reply", "--queue", "parked", "not yet"]).ok();
    stage.world.runner(&["reply", "--queue", "control", "go on"]).ok();
    wait_says(&terminal, "control", Idle, "Control went on.");
    assert_eq!(asked_for(&stage, "go on"), 1);
    let parked = stage.world.row("parked").unwrap();
    assert_eq!((&parked["state"], &parked["queued"]), (&json!("holding"), &json!(1)), "{parked:#}");
    assert_eq!(asked_for(&stage, "not yet"), 0);
}

// Field report I6: what waited was flushed into an open question, and answered it.
#[test]
fn i6_nothing_that_waits_answers_an_open_question_first() {
    let stage = Stage::new(Edition::First);
    stage.with_question_tools();
    let gate = Gate::new();
    stage.model.push(Step::slow("Let me see ", &gate, "what there is."));
    stage.model.push(Step::tool("q0", "question", json!({"question": "Delete everything?"})));
    stage.model.push(Step::text("Then it stays."));
    stage.model.push(Step::text("Yes to what?"));
    let terminal = board(&stage);
    insert(&terminal, "asker");
    wait_says(&terminal, "asker", Working, "");
    stage.world.runner(&["reply", "asker", "ask me"]).ok();
    stage.world.runner(&["reply", "asker", "yes"]).ok();
    gate.open();
    // The first one was sent; what it leads to is a question, and the second one stays where it is.
    wait_says(&terminal, "asker", NeedsInput, "Delete everything?");
    let refused = stage.world.runner(&["reply", "--now", "asker", "yes"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("Attach to answer the pending question"), "{}", refused.stderr);
    assert_eq!(queue(&stage, "asker").len(), 1);
    assert_eq!(queue(&stage, "asker")[0]["progress"], "waiting");
    assert_eq!(stage.model.requests().len(), 2);
    enter(&terminal, "asker", "Delete everything?");
    terminal.send(keys::ESC);
    // Once the question is closed and the turn is over it goes, also while somebody is in the session and types nothing.
    stage.wait("asker", "nothing waits", |row| row["queued"] == 0 && row["question"] != "Delete everything?");
    leave(&terminal);
    wait_says(&terminal, "asker", NeedsInput, "Yes to what?");
    assert_eq!(asked_for(&stage, "yes"), 1);
}

both! {
    // Field report D11: a reply to a stopped row was lost. The daemon dies in between; attaching starts the agent again.
    fn d11_a_reply_to_a_stopped_pi_waits_for_the_person_and_arrives_once(stage) {
        stage.model.push(Step::text("Ready when you are."));
        stage.model.push(Step::text("I have it now."));
        let id = stage.start_named("sleeper", "wait for me");
        stage.wait_state(&id, "idle");
        stage.world.runner(&["stop", &id]).ok();
        stage.wait(&id, "stopped", |row| row["state"] == "stopped" && row["host_state"] == "exited");
        let told = stage.world.runner(&["reply", &id, "carry on"]).ok();
        assert!(told.stderr.contains("it was stopped"), "{}", told.stderr);
        for _ in 0..3 {
            stage.world.kill(&stage.world.daemon());
            let row = stage.wait(&id, "still queued", |row| row["queued"] == 1);
            assert_eq!((&row["state"], &row["host_state"]), (&json!("stopped"), &json!("exited")), "{row:#}");
        }
        assert_eq!(stage.model.requests().len(), 1, "nothing was typed");
        stage.in_terminal(&id, "I have it now.", |_| {});
        stage.wait(&id, "nothing waits", |row| row["queued"] == 0 && row["state"] == "idle");
        assert_eq!(asked_for(stage, "carry on"), 1);
        assert_eq!(stage.model.requests().len(), 2);
    }

    // A session whose agent has ended by itself goes on with the words, on the same transcript.
    fn a_reply_to_a_pi_that_has_quit_continues_it(stage) {
        stage.model.push(Step::text("The number is seven."));
        stage.model.push(Step::text("It was seven."));
        let id = stage.start_named("memory", "remember the number");
        stage.wait_state(&id, "idle");
        let terminal = stage.world.terminal("attach", &["host-runner", "attach", &id]);
        terminal.wait_within(DEADLINE, "pi", |screen| screen.has("The number is seven."));
        // Ctrl+D in an empty text field is how a person leaves pi.
        terminal.send("\u{4}");
        stage.wait(&id, "ended", |row| row["host_state"] == "exited");
        let told = stage.world.runner(&["reply", &id, "what was it?"]).ok();
        assert!(told.stderr.contains("is continued"), "{}", told.stderr);
        stage.wait(&id, "answered", |row| row["state"] == "idle" && row["summary"].as_str().is_some_and(|s| s.contains("It was seven")));
        let requests = stage.model.requests();
        assert_eq!(requests.len(), 2);
        assert!(requests[1].messages().iter().any(|message| message.to_string().contains("The number is seven.")));
        assert_eq!(queue(stage, &id), Vec::<Value>::new());
    }
}

// Whoever types in pi is not disturbed; what waits goes once the text field is empty again.
#[test]
fn words_do_not_go_into_a_text_field_in_which_somebody_types_second() {
    let stage = Stage::new(Edition::Second);
    stage.model.push(Step::text("Ready when you are."));
    stage.model.push(Step::text("Understood."));
    let id = stage.start_named("shared", "wait for me");
    stage.wait_state(&id, "idle");
    let mut terminal = stage.world.terminal("attach", &["host-runner", "attach", &id]);
    terminal.wait_within(DEADLINE, "the words", |screen| screen.has("Ready when you are."));
    terminal.send("half a thou");
    terminal.wait_within(DEADLINE, "the half", |screen| screen.has("half a thou"));
    let told = stage.world.runner(&["reply", &id, "from outside"]).ok();
    assert!(told.stderr.contains("text field"), "{}", told.stderr);
    assert_eq!(queue(&stage, &id)[0]["progress"], "waiting");
    assert_eq!(stage.model.requests().len(), 1);
    // Taken back by the person: Ctrl+U empties the line.
    terminal.send("\u{15}");
    stage.wait(&id, "sent", |row| row["queued"] == 0 && row["state"] == "idle");
    assert_eq!(asked_for(&stage, "from outside"), 1);
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}
