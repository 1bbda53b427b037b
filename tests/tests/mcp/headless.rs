//! Agents without a terminal: each opens one of its own in a turn, which lives on, and in its next turn it waits there and
//! finds.

use crate::terminal_of;
use e2e::{
    model_server::Step,
    run_stage::{DEADLINE, Stage, Worker},
};
use serde_json::{Value, json};
use std::fs;

/// `prefix` is what the agent puts in front of our tools' names.
fn opens_in_a_turn_and_finds_in_the_next(stage: &Stage, prefix: &str) {
    let open = json!({"command": "echo booting; echo server is ready; exec cat", "title": "server"});
    stage.model.push(Step::tool("t1", &format!("{prefix}terminal_open"), open));
    stage.model.push(Step::text("It is open."));
    let id = stage.begin("open a server");
    stage.wait(&id, "the turn is over", |row| row["summary"] == "It is open." && row["state"] == "idle");
    let terminal = terminal_of(&stage.world, &id);
    let wait = json!({"id": terminal, "needle": "is r[a-e]+dy", "timeout_ms": 60_000});
    stage.model.push(Step::tool("t2", &format!("{prefix}terminal_wait_for"), wait));
    stage.model.push(Step::text("It is ready."));
    stage.world.runner(&["run", "--session", &id, "--", "wait until it is ready"]).ok();
    stage
        .wait(&id, "the next turn is over", |row| row["summary"] == "It is ready." && row["state"] == "idle");
    stage
        .model
        .wait_until("what was found in a tool's result", DEADLINE, |asked| {
            let text = |asked: &e2e::model_server::RecordedRequest| Value::from(asked.messages()).to_string();
            // As text, or as the structure that comes with it; both stand inside a string of the request.
            let found = |text: &str| {
                text.contains(r#"Found \"is r[a-e]+dy\" at line"#) || text.contains(r#"\"kind\":\"found\""#)
            };
            asked.iter().map(text).any(|text| found(&text))
        })
        .unwrap();
}

#[test]
fn pi_of_the_first_generation_without_a_terminal_opens_one_in_a_turn_and_finds_in_the_next() {
    opens_in_a_turn_and_finds_in_the_next(&Stage::new(Worker::PiFirst), "");
}

#[test]
fn pi_of_the_second_generation_without_a_terminal_opens_one_in_a_turn_and_finds_in_the_next() {
    opens_in_a_turn_and_finds_in_the_next(&Stage::new(Worker::PiSecond), "");
}

#[test]
fn claude_code_without_a_terminal_opens_one_in_a_turn_and_finds_in_the_next() {
    let stage = Stage::new(Worker::Claude);
    // Nobody can be asked there, so the person has given leave before.
    let settings = json!({"permissions": {"allow": ["mcp__agent_board"]}});
    let directory = stage.world.path("home").join(".claude");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("settings.json"), settings.to_string()).unwrap();
    opens_in_a_turn_and_finds_in_the_next(&stage, "mcp__agent_board__");
}

#[test]
fn codex_without_a_terminal_opens_one_in_a_turn_and_finds_in_the_next() {
    opens_in_a_turn_and_finds_in_the_next(&Stage::new(Worker::Codex), "mcp__agent_board__");
}
