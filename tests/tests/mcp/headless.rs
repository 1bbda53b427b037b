//! An agent without a terminal: it opens one of its own in a turn, which lives on, and in its next turn it waits there and finds.

use crate::terminal_of;
use e2e::{
    model_server::Step,
    run_stage::{DEADLINE, Stage, Worker},
};
use serde_json::{Value, json};

#[test]
fn codex_without_a_terminal_opens_one_in_a_turn_and_finds_in_the_next() {
    let stage = Stage::new(Worker::Codex);
    let open = json!({"command": "echo booting; echo server is ready; exec cat", "title": "server"});
    stage.model.push(Step::tool("t1", "mcp__agent_board__terminal_open", open));
    stage.model.push(Step::text("It is open."));
    let id = stage.begin("open a server");
    stage.wait(&id, "the turn is over", |row| row["summary"] == "It is open." && row["state"] == "idle");
    let terminal = terminal_of(&stage.world, &id);
    let wait = json!({"id": terminal, "needle": "is r[a-e]+dy", "timeout_ms": 60_000});
    stage.model.push(Step::tool("t2", "mcp__agent_board__terminal_wait_for", wait));
    stage.model.push(Step::text("It is ready."));
    stage.world.runner(&["run", "--session", &id, "--", "wait until it is ready"]).ok();
    stage
        .wait(&id, "the next turn is over", |row| row["summary"] == "It is ready." && row["state"] == "idle");
    stage
        .model
        .wait_until("what was found in a tool's result", DEADLINE, |asked| {
            let text = |asked: &e2e::model_server::RecordedRequest| Value::from(asked.messages()).to_string();
            asked.iter().map(text).any(|text| text.contains("is ready") && text.contains("found"))
        })
        .unwrap();
}
