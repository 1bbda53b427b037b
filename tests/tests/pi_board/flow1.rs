//! Flow 1: `i`, a task, Enter: the row is queued, says what pi does, and asks.

use crate::{
    both,
    support::{board, wait_says},
};
use board_protocol::state::SemanticState::{NeedsInput, Queued, Working};
use e2e::{model_server::Step, steps::insert, wait::eventually};
use serde_json::json;
use std::fs;

/// What careful people have: an extension that lets pi edit only when it is allowed to.
const CAREFUL: &str = r#"
import { existsSync } from "node:fs";
export default function (pi: any) {
  pi.on("tool_call", async (event: any, ctx: any) => {
    while (event.toolName === "edit" && !existsSync(`${ctx.cwd}/allowed`)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
}
"#;

both! {
    fn flow1_a_task_is_queued_says_what_it_does_and_asks(stage) {
        let home = stage.world.home();
        // Both tools wait for the test, each for a file.
        fs::write(home.join("Makefile"), "test:\n\tuntil test -e go; do sleep 0.05; done\n").unwrap();
        stage.with_extension("careful.ts", CAREFUL);
        fs::write(home.join("auth.rs"), "fn old() {}\n").unwrap();
        let edit = json!({"path": "auth.rs", "edits": [{"oldText": "old", "newText": "new"}]});
        stage.model.push(Step::tool("c1", "bash", json!({"command": "make test"})));
        stage.model.push(Step::tool("c2", "edit", edit));
        stage.model.push(Step::text("I changed it. Which database should I use?"));
        let terminal = board(stage);
        insert(&terminal, "login");
        wait_says(&terminal, "login", Queued, "");
        wait_says(&terminal, "login", Working, "Running tests");
        fs::write(home.join("go"), "").unwrap();
        wait_says(&terminal, "login", Working, "Editing auth.rs");
        fs::write(home.join("allowed"), "").unwrap();
        let screen = wait_says(&terminal, "login", NeedsInput, "Which database should I use?");
        assert_eq!(fs::read_to_string(home.join("auth.rs")).unwrap(), "fn new() {}\n");
        assert!(!screen.has("I changed it."), "the question, not what stands before it:\n{screen}");
        let rows = stage.world.rows();
        assert_eq!(rows.len(), 1, "{rows:#?}");
        assert_eq!((&rows[0]["agent"], &rows[0]["question"]), (&json!("pi"), &json!("Which database should I use?")));
        assert_eq!(rows[0]["unread"], true);
        eventually("the end of the turn", || (stage.world.rows()[0]["busy"] == false).then_some(()));
        assert_eq!(stage.model.requests()[0].last_text("user").as_deref(), Some("login"));
    }
}
