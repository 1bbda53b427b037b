//! The transcript of a session of Claude Code, from the file that its hooks name.

use e2e::{claude_stage::Stage, model_server::Step, wait::eventually};
use serde_json::{Value, json};

#[test]
fn b13_what_claude_code_writes_is_printed() {
    let stage = Stage::new();
    std::fs::write(stage.work().join("notes.md"), "green\n").unwrap();
    stage.model.push(Step::tool("t1", "Read", json!({"file_path": stage.work().join("notes.md")})));
    stage.model.push(Step::text("Everything is green."));
    let id = stage.start("read the notes");
    stage.wait_state(&id, "idle");
    // Its hook may speak before its file has the last line.
    let told = eventually("all three items", || {
        let told = stage.world.runner(&["transcript", "--json", &id]).ok().json();
        (told["total"] == 3).then_some(told)
    });
    let items = told["items"].as_array().unwrap();
    let said: Vec<(&Value, &Value)> = items.iter().map(|item| (&item["role"], &item["label"])).collect();
    let expected = [("you", "you"), ("tool", "Read"), ("agent", "agent")]
        .map(|(role, label)| (json!(role), json!(label)));
    let expected: Vec<(&Value, &Value)> = expected.iter().map(|(role, label)| (role, label)).collect();
    assert_eq!(said, expected, "{told:#}");
    assert_eq!(items[0]["text"], "read the notes");
    assert!(items[1]["output"].as_str().unwrap().contains("green"), "{told:#}");
    assert_eq!(items[2]["text"], "Everything is green.");
    assert_eq!(told["cwd"], json!(stage.work()), "{told:#}");
}
