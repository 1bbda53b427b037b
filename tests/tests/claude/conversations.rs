//! Conversations of a row: cleared, ended, continued, and beside another agent's.

use e2e::{
    claude_stage::{DEADLINE, Stage},
    keys,
    model_server::Step,
    wait::eventually,
};
use serde_json::{Value, json};
use std::path::Path;

fn conversation(stage: &Stage, id: &str) -> String {
    stage.show(id)["agent_detail"]["session_id"].as_str().unwrap_or_default().to_owned()
}

/// Every message of the last turn that the model was asked for, as one text.
fn last_asked(stage: &Stage) -> String {
    stage.turns().last().unwrap().messages().iter().map(Value::to_string).collect()
}

/// Leaves Claude Code as a person does.
fn quit(stage: &Stage, id: &str, shown: &str) {
    let mut terminal = stage.attach(id, shown);
    terminal.send(keys::ctrl('d'));
    terminal.wait_within(DEADLINE, "the question whether to leave", |screen| screen.has("again to exit"));
    terminal.send(keys::ctrl('d'));
    terminal.wait_ended();
    stage.wait(id, "exited", |row| row["host_state"] == "exited");
}

/// Field report A31: a row was removed at the end of a session that another one followed, or kept the first one's id.
#[test]
fn a31_clear_makes_another_conversation_in_the_same_row() {
    let stage = Stage::new();
    stage.model.push(Step::text("The first answer."));
    let id = stage.start("the first words");
    stage.wait_state(&id, "idle");
    let first = conversation(&stage, &id);
    let mut terminal = stage.attach(&id, "The first answer.");
    stage.say(&terminal, "/clear");
    let second = eventually("another conversation", || {
        let now = conversation(&stage, &id);
        (now != first).then_some(now)
    });
    let row = stage.world.row(&id).unwrap();
    assert_eq!((&row["state"], &row["host_state"]), (&json!("idle"), &json!("alive")));
    stage.model.push(Step::text("The second answer."));
    stage.say(&terminal, "the second words");
    stage
        .wait(&id, "the second answer", |row| row["summary"] == "The second answer." && row["busy"] == false);
    assert!(!last_asked(&stage).contains("the first words"));
    assert_eq!(stage.world.rows().len(), 1);
    terminal.send(keys::DETACH);
    terminal.wait_ended();
    // What was cleared last is continued.
    quit(&stage, &id, "The second answer.");
    let terminal = stage.attach(&id, "The second answer.");
    stage.wait(&id, "alive again", |row| row["host_state"] == "alive");
    stage.model.push(Step::text("The third answer."));
    stage.say(&terminal, "the third words");
    stage.wait(&id, "the third answer", |row| row["summary"] == "The third answer.");
    assert_eq!(conversation(&stage, &id), second);
    assert!(last_asked(&stage).contains("the second words"));
}

/// A cleared conversation without words is kept nowhere: another life begins a new one instead of failing.
#[test]
fn a_cleared_conversation_without_words_is_begun_again() {
    let stage = Stage::new();
    stage.model.push(Step::text("The first answer."));
    let id = stage.start("the first words");
    stage.wait_state(&id, "idle");
    let first = conversation(&stage, &id);
    let mut terminal = stage.attach(&id, "The first answer.");
    stage.say(&terminal, "/clear");
    eventually("another conversation", || (conversation(&stage, &id) != first).then_some(()));
    terminal.send(keys::DETACH);
    terminal.wait_ended();
    quit(&stage, &id, "❯");
    let terminal = stage.attach(&id, "❯");
    stage.wait(&id, "alive again", |row| row["host_state"] == "alive");
    stage.model.push(Step::text("Here I am."));
    stage.say(&terminal, "are you there");
    stage.wait(&id, "an answer", |row| row["summary"] == "Here I am.");
}

/// Field reports A19 and F16: an exit was taken for the end of the work, and words were said twice.
#[test]
fn an_exit_is_never_done_and_entering_continues_the_same_conversation_without_saying_anything() {
    let stage = Stage::new();
    stage.model.push(Step::text("My name is Ada."));
    let id = stage.start("who are you");
    stage.wait_state(&id, "idle");
    let before = stage.show(&id);
    quit(&stage, &id, "My name is Ada.");
    let row = stage.world.row(&id).unwrap();
    assert_eq!(
        (&row["state"], &row["busy"], &row["ended"]),
        (&json!("idle"), &json!(false), &json!("exit code 0"))
    );
    let mut terminal = stage.attach(&id, "My name is Ada.");
    let row = stage.wait(&id, "alive again", |row| row["host_state"] == "alive" && row["attached"] == 1);
    assert_eq!((&row["state"], &row["busy"]), (&json!("idle"), &json!(false)), "{row:#}");
    assert_eq!(stage.turns().len(), 1, "words that it had are not said again");
    stage.model.push(Step::text("Ada, still."));
    stage.say(&terminal, "and now");
    stage.wait(&id, "the answer", |row| row["summary"] == "Ada, still.");
    let asked = last_asked(&stage);
    for words in ["who are you", "My name is Ada.", "and now"] {
        assert!(asked.contains(words), "{words}: {asked}");
    }
    let after = stage.show(&id);
    for field in ["session_id", "transcript"] {
        assert_eq!(after["agent_detail"][field], before["agent_detail"][field]);
    }
    assert_ne!(after["host"]["generation"], before["host"]["generation"], "a fresh host");
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}

/// Field report A12: the end of an agent that another one had started was taken for the end of that one. The nested one
/// here is told of by our own hooks, with the row's identity, as a wrapper of a person may do it.
#[test]
fn a12_a_nested_claude_leaves_the_row_alone() {
    let stage = Stage::new();
    let settings = |id: &str| {
        let argv = stage.show(id)["argv"].clone();
        let words = argv.as_array().unwrap();
        let at = words.iter().position(|word| word == "--settings").unwrap();
        words[at + 1].as_str().unwrap().to_owned()
    };
    let allowed = json!({"permissions": {"allow": ["Bash"]}});
    std::fs::create_dir_all(stage.work().join(".claude")).unwrap();
    std::fs::write(stage.work().join(".claude/settings.json"), allowed.to_string()).unwrap();
    stage.model.push(
        Step::text("I was nested.").when(|asked| asked.messages()[0].to_string().contains("nested words")),
    );
    stage.model.push(Step::text("First."));
    let id = stage.start("start");
    stage.wait_state(&id, "idle");
    let own = conversation(&stage, &id);
    let nested = format!(
        "claude -p --settings {} 'nested words' > nested.txt; until test -e go; do sleep 0.05; done",
        settings(&id)
    );
    stage.model.push(Step::tool("t1", "Bash", json!({"command": nested, "description": "Ask another"})));
    stage.model.push(Step::text("It answered."));
    let mut terminal = stage.attach(&id, "First.");
    stage.say(&terminal, "go on");
    let said = stage.work().join("nested.txt");
    e2e::wait::within(DEADLINE, "the nested answer", || {
        std::fs::read_to_string(&said).ok().filter(|text| text.contains("I was nested."))
    });
    let detail = stage.wait(&id, "its words were heard", |_| {
        stage.show(&id)["agent_detail"]["diagnostics"].to_string().contains("foreign_session")
    });
    assert_eq!((&detail["state"], &detail["busy"]), (&json!("working"), &json!(true)), "{detail:#}");
    std::fs::write(stage.work().join("go"), "").unwrap();
    let row = stage.wait_state(&id, "idle");
    assert_eq!(row["summary"], "It answered.");
    assert_eq!(conversation(&stage, &id), own);
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}

#[test]
fn a_person_s_own_hooks_and_files_stay_theirs() {
    let stage = Stage::new();
    let log = stage.with_own_hooks(&["SessionStart", "Stop"]);
    let settings = stage.world.home().join(".claude/settings.json");
    let before = std::fs::read(&settings).unwrap();
    stage.model.push(Step::text("Done with it."));
    let id = stage.start("do it");
    let row = stage.wait_state(&id, "idle");
    assert_eq!(row["summary"], "Done with it.");
    eventually("both own hooks", || {
        std::fs::read_to_string(&log).ok().filter(|text| text == "SessionStart\nStop\n")
    });
    assert_eq!(std::fs::read(&settings).unwrap(), before);
    let adapters = stage.world.root().join("adapters");
    assert!(Path::new(&adapters).exists(), "ours lie below the board's root");
}
