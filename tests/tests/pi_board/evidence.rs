//! The evidence page: `e` shows what a real pi did, above why its row stands where it stands.

use crate::{
    both,
    support::{board, wait_says},
};
use board_protocol::state::SemanticState::Idle;
use e2e::{
    keys,
    model_server::Step,
    pi_stage::DEADLINE,
    steps::{insert, select},
};
use serde_json::json;
use std::fs;

both! {
    fn f8_the_evidence_page_shows_the_commands_and_files_of_pi(stage) {
        let home = stage.world.home();
        fs::write(home.join("auth.rs"), "fn old() {}\n").unwrap();
        let edit = json!({"path": "auth.rs", "edits": [{"oldText": "old", "newText": "new"}]});
        stage.model.push(Step::tool("c1", "bash", json!({"command": "echo all 7 tests pass"})));
        stage.model.push(Step::tool("c2", "edit", edit));
        stage.model.push(Step::text("I renamed it everywhere."));
        let terminal = board(stage);
        insert(&terminal, "rename");
        wait_says(&terminal, "rename", Idle, "I renamed it everywhere");
        terminal.wait_within(DEADLINE, "that there is work to look at", |screen| {
            screen.row_of("rename").is_some_and(|row| row.text.contains("ready"))
        });
        select(&terminal, "rename");
        terminal.send("e");
        terminal.wait_within(DEADLINE, "its work", |screen| {
            ["Changed files", "edited auth.rs", "echo all 7 tests pass", "It says", "Diagnostics"]
                .iter()
                .all(|words| screen.has(words))
        });
        terminal.send(keys::ESC);
        terminal.send(" ");
        terminal.wait_within(DEADLINE, "its work, counted", |screen| screen.has("1 file changed · 1 command"));
    }
}
