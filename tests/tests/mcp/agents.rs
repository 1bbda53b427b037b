//! Real agents: each opens a terminal and waits in it, a person skips the wait, and the model is told so.

use crate::{DEADLINE, terminal_of, wait_is_open};
use e2e::{
    World,
    agents::pi::Edition,
    claude_stage,
    model_server::{ModelServer, Step},
    pi_stage, steps,
};
use serde_json::{Value, json};
use std::fs;

/// The last thing that the model was asked, once it says what a person did.
fn told_of_the_skip(model: &ModelServer) -> String {
    let skip = "Skipped by user while waiting for";
    let asked = model
        .wait_until("the skip in a tool's result", DEADLINE, |asked| {
            asked
                .iter()
                .any(|asked| asked.messages().iter().any(|message| message.to_string().contains(skip)))
        })
        .unwrap();
    asked
        .iter()
        .rev()
        .map(|asked| Value::from(asked.messages()).to_string())
        .find(|text| text.contains(skip))
        .unwrap()
}

/// A person at a board in zellij ends every wait of a session.
fn skip_from_the_board(world: &World, session: &str) {
    let name = world.row(session).unwrap()["name"].as_str().unwrap().to_owned();
    let board = steps::up(world);
    board.wait("the hourglass", |screen| screen.has("⧖"));
    steps::select(&board, &name);
    board.send("w");
    board.wait_for(&format!("Skip 1 wait of \"{name}\"? (y/N)"));
    board.send("y");
    board.wait("no hourglass any more", |screen| screen.has(&name) && !screen.has("⧖"));
}

fn pi_goes_on(edition: Edition) {
    let stage = pi_stage::Stage::new(edition);
    stage.model.push(Step::tool(
        "t1",
        "terminal_open",
        json!({"command": "echo booting; exec cat", "title": "server"}),
    ));
    stage.model.push(Step::text("It is open."));
    let id = stage.start("open a server");
    stage.wait(&id, "the terminal is open", |row| row["summary"] == "It is open.");
    let terminal = terminal_of(&stage.world, &id);
    stage.model.push(Step::tool(
        "t2",
        "terminal_wait_for",
        json!({"id": terminal, "needle": "ready", "timeout_ms": 600_000}),
    ));
    stage.model.push(Step::text("Then I go on."));
    stage.world.runner(&["reply", &id, "wait until it is ready"]).ok();
    assert_eq!(wait_is_open(&stage.world, "ready"), terminal);
    skip_from_the_board(&stage.world, &id);
    told_of_the_skip(&stage.model);
    stage.wait(&id, "it goes on", |row| row["summary"] == "Then I go on." && row["state"] == "idle");
}

#[test]
fn pi_of_the_first_generation_waits_is_skipped_and_goes_on() {
    pi_goes_on(Edition::First);
}

#[test]
fn pi_of_the_second_generation_waits_is_skipped_and_goes_on() {
    pi_goes_on(Edition::Second);
}

#[test]
fn claude_code_waits_is_skipped_and_goes_on() {
    let stage = claude_stage::Stage::new();
    // The person's own leave for these tools; without it Claude Code asks before each.
    let directory = stage.world.home().join(".claude");
    fs::create_dir_all(&directory).unwrap();
    let settings = json!({"permissions": {"allow": ["mcp__agent_board"]}});
    fs::write(directory.join("settings.json"), settings.to_string()).unwrap();
    let open = json!({"command": "echo booting; exec cat", "title": "server"});
    // Claude Code connects its servers while the first request is on its way, and gives the model this to wait with.
    stage.model.push(Step::tool("t0", "WaitForMcpServers", json!({})));
    stage.model.push(Step::tool("t1", "mcp__agent_board__terminal_open", open));
    stage.model.push(Step::text("It is open."));
    let id = stage.start("open a server");
    stage.wait(&id, "the terminal is open", |row| row["summary"] == "It is open.");
    let terminal = terminal_of(&stage.world, &id);
    let wait = json!({"id": terminal, "needle": "ready", "timeout_ms": 600_000});
    stage.model.push(Step::tool("t2", "mcp__agent_board__terminal_wait_for", wait));
    stage.model.push(Step::text("Then I go on."));
    stage.world.runner(&["reply", &id, "wait until it is ready"]).ok();
    assert_eq!(wait_is_open(&stage.world, "ready"), terminal);
    skip_from_the_board(&stage.world, &id);
    told_of_the_skip(&stage.model);
    stage.wait(&id, "it goes on", |row| row["summary"] == "Then I go on." && row["state"] == "idle");
}
