//! The official Python SDK as the client: every tool and every end of a wait, in a session under a real daemon.

use crate::{DEADLINE, wait_is_open};
use e2e::{World, agents, wait::seen_within};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};

const CLIENT: &str = include_str!("client.py");

/// What the client has noted so far, by step.
fn noted(file: &Path) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|line| (line["step"].as_str().unwrap().to_owned(), line["value"].clone()))
        .collect()
}

#[test]
fn an_agent_with_the_python_sdk_uses_its_terminals_and_a_person_ends_a_wait() {
    let world = World::new();
    let (script, notes) = (world.path("client.py"), world.path("notes"));
    fs::write(&script, CLIENT).unwrap();
    let python = agents::mcp_python().unwrap();
    let program = [&python, &script, &world.programs().runner, &notes];
    let mut start = vec!["start", "--name", "sdk", "--"];
    start.extend(program.iter().map(|path| path.to_str().unwrap()));
    let session = world.runner(&start).ok().line();
    let terminal = wait_is_open(&world, "a person");
    let row = world.row(&terminal).unwrap();
    assert_eq!(row["parent"], json!(session), "it stands below its session: {row:#}");
    assert_eq!(world.runner(&["skip-wait", "--json", &terminal]).ok().json(), json!({"skipped": 1}));
    let notes = seen_within(DEADLINE, "the end of the client", || {
        let noted = noted(&notes);
        if noted.contains_key("end") {
            Ok(noted)
        } else {
            Err(format!("{noted:#?}\n{}", world.runner(&["screen", &session]).stdout))
        }
    });
    let data = |step: &str| {
        assert_eq!(notes[step]["error"], json!(false), "{step}: {}", notes[step]);
        notes[step]["data"].clone()
    };
    assert_eq!(notes["tools"].as_array().unwrap().len(), 8);
    assert_eq!((&data("there")["kind"], &data("there")["match"]), (&json!("found"), &json!("booting")));
    assert_eq!((&data("found")["kind"], &data("found")["needle"]), (&json!("found"), &json!("got tea")));
    assert!(data("read")["lines"].as_array().unwrap().contains(&json!("got tea")), "{}", data("read"));
    assert_eq!((&data("timeout")["kind"], &data("timeout")["timeout_ms"]), (&json!("timeout"), &json!(200)));
    assert!(data("literal")["literal"].is_string(), "{}", data("literal"));
    assert_eq!(data("application")["match"], json!("033   O   A"), "cursor keys as the program wants them");
    assert_eq!(data("normal")["match"], json!("033   [   A"));
    assert_eq!(
        (&data("skipped")["kind"], &data("skipped")["needle"]),
        (&json!("skipped"), &json!("a person"))
    );
    let text = notes["skipped"]["text"].as_str().unwrap();
    assert!(text.starts_with("Skipped by user while waiting for \"a person\" — "), "{text}");
    assert_eq!((&data("exited")["kind"], &data("exited")["exit_code"]), (&json!("exited"), &json!(3)));
    assert_eq!(
        (&data("last")["source"], &data("last")["ended"]),
        (&json!("last_screen"), &json!("exit code 3"))
    );
    assert_eq!(
        notes["foreign"]["error"],
        json!(true),
        "its own session is no terminal of it: {}",
        notes["foreign"]
    );
    assert_eq!(data("list"), json!({"terminals": []}));
}
