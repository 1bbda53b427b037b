//! Flow 5: the model fails, is overloaded, hangs, talks without end. The row says it, nothing gets stuck, and neither the
//! session's host nor the daemon grows with what passes through.

use crate::support::{board, enter, wait_says};
use board_protocol::state::SemanticState::{Idle, NeedsInput, Working};
use e2e::{
    World,
    agents::pi::Edition,
    keys,
    model_server::{Gate, Heard, Part, Step},
    pi_stage::{DEADLINE, Stage},
    processes::Process,
    steps::{insert, leave},
};
use serde_json::{Value, json};
use std::fs;

/// Most memory of a host or of the daemon at any moment, in KiB. Their pages at rest are a few MiB; a copy of what
/// passes through would be several times that.
const MOST_MEMORY_KIB: u64 = 40 * 1024;
/// An answer of about as many bytes as people's longest.
const LONG_ANSWER_LINES: usize = 4_000;

/// The most memory that a process ever had resident, in KiB.
fn peak(process: &Process) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.identity.pid)).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse().unwrap()
}

fn memory_is_bounded(world: &World) {
    let mut ours = world.runners("host");
    assert!(!ours.is_empty());
    ours.push(world.daemon());
    for process in ours {
        let peak = peak(&process);
        assert!(peak < MOST_MEMORY_KIB, "{peak} KiB: {}", process.line());
    }
}

/// The row after a turn that did not work: it rests, it says why, and it still takes words.
fn failed_turn(stage: &Stage, session: &str, error: &str) -> Value {
    let row = stage.wait(session, error, |row| {
        row["busy"] == false && row["error"].as_str().is_some_and(|text| text.contains(error))
    });
    assert_eq!(
        (&row["state"], &row["host_state"]),
        (&json!("idle"), &json!("alive")),
        "pi itself goes on: {row:#}"
    );
    row
}

#[test]
fn flow5_an_error_of_the_model_is_said_and_the_next_words_are_answered_first() {
    let stage = Stage::new(Edition::First);
    stage.model.push(Step::status(400, "this model does not exist"));
    let terminal = board(&stage);
    insert(&terminal, "wrong");
    wait_says(&terminal, "wrong", Idle, "this model does not exist");
    failed_turn(&stage, "wrong", "this model does not exist");
    stage.model.push(Step::text("Now it works."));
    enter(&terminal, "wrong", "this model does not exist");
    terminal.line("again");
    let row = stage.wait("wrong", "answered", |row| row["state"] == "idle" && row["error"].is_null());
    assert_eq!(row["summary"], "Now it works.");
    leave(&terminal);
    let screen = wait_says(&terminal, "wrong", Idle, "Now it works.");
    assert!(!screen.has("does not exist"), "an error that is over is not shown:\n{screen}");
}

#[test]
fn flow5_retries_are_running_until_they_work_or_are_used_up_first() {
    let stage = Stage::new(Edition::First);
    stage.with_quick_retries(2);
    let gate = Gate::new();
    stage.model.push(Step::overloaded());
    stage.model.push(Step::breaks_midway("Half an answer"));
    stage.model.push(Step::slow("At last ", &gate, "an answer."));
    let terminal = board(&stage);
    insert(&terminal, "patient");
    // Field report A15: the end of an attempt was taken for the end of the turn.
    stage.model.wait_for_requests(3, DEADLINE).unwrap();
    wait_says(&terminal, "patient", Working, "");
    let row = stage.wait_state("patient", "working");
    assert_eq!(row["busy"], true, "{row:#}");
    gate.open();
    wait_says(&terminal, "patient", Idle, "At last an answer.");
    assert_eq!(stage.wait_state("patient", "idle")["error"], Value::Null);
    // And when they are used up, it says so and rests.
    stage.model.push(Step::overloaded().always());
    insert(&terminal, "hopeless");
    wait_says(&terminal, "hopeless", Idle, "verloaded");
    failed_turn(&stage, "hopeless", "verloaded");
}

#[test]
fn flow5_a_model_that_hangs_can_be_interrupted_from_the_board_first() {
    let stage = Stage::new(Edition::First);
    let never = Gate::new();
    stage.model.push(Step::hang(&never));
    let terminal = board(&stage);
    insert(&terminal, "hangs");
    stage.model.wait_for_requests(1, DEADLINE).unwrap();
    wait_says(&terminal, "hangs", Working, "");
    // The board's own key, with nobody attached (decision 13): pi's interrupt key, once.
    e2e::steps::select(&terminal, "hangs");
    terminal.send("s");
    wait_says(&terminal, "hangs", Idle, "");
    let asked = stage.model.wait_until("given up", DEADLINE, |asked| asked[0].heard == Heard::Abandoned);
    asked.unwrap();
    let row = stage.wait("hangs", "rests", |row| row["busy"] == false);
    assert_eq!((&row["state"], &row["host_state"]), (&json!("idle"), &json!("alive")), "{row:#}");
    assert!(!terminal.screen().has("(y/N)"), "interrupting asks nothing:\n{}", terminal.screen());
}

#[test]
fn flow5_a_very_long_stream_keeps_host_and_daemon_small_first() {
    let stage = Stage::new(Edition::First);
    let gate = Gate::new();
    let line = "All work and no play makes a dull board.\n\n";
    let parts = std::iter::repeat_n(Part::Text(line.into()), LONG_ANSWER_LINES);
    let end = [Part::Wait(gate.clone()), Part::Text("Is that long enough?".into())];
    stage.model.push(Step::stream(parts.chain(end)));
    let terminal = board(&stage);
    insert(&terminal, "novelist");
    wait_says(&terminal, "novelist", Working, "");
    // Somebody watches while it streams, and leaves: both paths of the bytes.
    enter(&terminal, "novelist", "All work and no play");
    leave(&terminal);
    gate.open();
    wait_says(&terminal, "novelist", NeedsInput, "Is that long enough?");
    stage.wait("novelist", "settled", |row| row["busy"] == false && row["state"] == "needs_input");
    memory_is_bounded(&stage.world);
    // The board has not grown an unreadable row, and takes keys.
    terminal.send("i");
    terminal.wait_for("INSERT");
    terminal.send(keys::ESC);
    terminal.wait_gone("INSERT");
}

/// An extension whose tool returns as much as a person's log can be.
const FLOOD_TOOL: &str = r#"
import { Type } from "typebox";
export default function (pi: any) {
  pi.registerTool({
    name: "flood", label: "flood", description: "Returns five megabytes.", parameters: Type.Object({}),
    async execute() {
      const text = "a line of a very long log, a line of a very long log\n".repeat(94340);
      return { content: [{ type: "text", text }], details: {} };
    },
  });
}
"#;

#[test]
fn flow5_a_tool_result_of_five_megabytes_keeps_host_and_daemon_small_first() {
    let stage = Stage::new(Edition::First);
    stage.with_extension("flood.ts", FLOOD_TOOL);
    stage.model.push(Step::tool("c1", "flood", json!({})));
    // A command that prints as much, too: what it prints goes through pi's own limits.
    stage.model.push(Step::tool(
        "c2",
        "bash",
        json!({"command": "yes 'a line of output' | head -c 5000000"}),
    ));
    stage.model.push(Step::text("That was a lot."));
    let terminal = board(&stage);
    insert(&terminal, "flooded");
    wait_says(&terminal, "flooded", Idle, "That was a lot.");
    stage.wait("flooded", "settled", |row| row["busy"] == false);
    let asked = stage.model.requests();
    let longest =
        asked.iter().flat_map(|asked| asked.messages()).map(|message| message.to_string().len()).max();
    assert!(longest > Some(5_000_000), "the model got all of it: {longest:?}");
    memory_is_bounded(&stage.world);
    let detail = stage.show("flooded");
    assert_eq!(detail["agent_detail"]["diagnostics"], json!([]), "{detail:#}");
}

// Field report A17: a pi that an agent runs as a command claimed the state of the session around it.
#[test]
fn flow5_a17_a_pi_inside_a_session_of_pi_moves_nothing_first() {
    let stage = Stage::new(Edition::First);
    let gate = Gate::new();
    stage.model.push(Step::tool(
        "c1",
        "bash",
        json!({"command": "pi -p 'the inner words' && pi --mode json -p inner"}),
    ));
    stage.model.push(
        Step::text("Which inner question?")
            .when(|asked| asked.last_text("user").is_some_and(|text| text.contains("inner")))
            .always(),
    );
    stage.model.push(Step::slow("The outer ", &gate, "answer."));
    let terminal = board(&stage);
    insert(&terminal, "outer");
    stage.model.wait_for_requests(4, DEADLINE).unwrap();
    let row = stage.wait("outer", "running", |row| row["busy"] == true && row["state"] == "working");
    assert_eq!(row["question"], Value::Null, "the inner one's question is not this session's: {row:#}");
    gate.open();
    wait_says(&terminal, "outer", Idle, "The outer answer.");
    let detail = stage.show("outer");
    assert_eq!(detail["agent_detail"]["diagnostics"], json!([]), "{detail:#}");
    assert_eq!(stage.world.rows().len(), 1);
}
