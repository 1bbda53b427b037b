//! The two things that only the board can do: start the configured agent from its insert line, and continue an ended
//! session with →.

use crate::{both, stage::DEADLINE};
use e2e::{keys, model_server::Step};
use serde_json::json;
use std::fs;

both! {
    fn the_insert_line_starts_the_default_agent_and_right_continues_an_ended_one(stage) {
        stage.model.push(Step::text("The answer is forty-two, of course."));
        let file = stage.world.home().join(".config/agent-board/config.toml");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "default_agent = \"pi\"\n").unwrap();
        let board = stage.world.terminal("up", &["host-runner", "up"]);
        board.wait_within(DEADLINE, "an empty board", |screen| screen.has("No sessions yet."));
        board.send("i");
        board.wait_for("INSERT");
        board.send("what is the answer");
        board.wait_for("what is the answer");
        board.send(keys::ENTER);
        let row = stage.wait("what-is-the-answer", "idle", |row| row["state"] == "idle");
        assert_eq!(row["agent"], "pi");
        board.wait_for("The answer is forty-two");
        let id = row["id"].as_str().unwrap();
        stage.world.runner(&["stop", id]).ok();
        stage.wait_state(id, "stopped");
        board.wait_for("STOPPED");
        board.send(keys::RIGHT);
        let row = stage.wait(id, "a fresh host", |row| row["host_state"] == "alive" && row["attached"] == 1);
        assert_eq!((&row["state"], &row["process_state"]), (&json!("idle"), &json!("exited")));
        board.wait_within(DEADLINE, "pi's own screen", |screen| screen.has("fake") && screen.has("forty-two"));
    }
}
