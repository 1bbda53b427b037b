//! Flow 2: `→` shows pi's own screen; an answer that is typed there moves the row, looking does not.

use crate::{
    both,
    support::{board, enter, wait_says},
};
use board_protocol::state::SemanticState::{Idle, NeedsInput, Working};
use e2e::{
    model_server::{Gate, Step},
    steps::{insert, leave},
};
use serde_json::Value;

/// What must stay as it is when somebody only looks.
fn standing(row: &Value) -> Vec<Value> {
    ["state", "process_state", "host_state", "question", "summary", "error", "busy"]
        .map(|field| row[field].clone())
        .to_vec()
}

both! {
    fn flow2_an_answer_in_pis_own_screen_moves_the_row_and_looking_does_not(stage) {
        let gate = Gate::new();
        stage.model.push(Step::text("Which database should I use?"));
        stage.model.push(Step::slow("Then the ", &gate, "small one it is."));
        let terminal = board(stage);
        insert(&terminal, "database");
        wait_says(&terminal, "database", NeedsInput, "Which database");
        let before = stage.wait("database", "settled", |row| row["busy"] == false && row["unread"] == true);
        // Only looking: the screen is pi's, and nothing but "unread" changes.
        enter(&terminal, "database", "Which database should I use?");
        let seen = stage.wait("database", "seen", |row| row["unread"] == false && row["attached"] == 1);
        assert_eq!(standing(&seen), standing(&before));
        leave(&terminal);
        wait_says(&terminal, "database", NeedsInput, "Which database");
        let after = stage.wait("database", "left", |row| row["attached"] == 0);
        assert_eq!(standing(&after), standing(&before));
        assert_eq!(stage.model.requests().len(), 1, "looking says nothing to the model");
        // The answer.
        enter(&terminal, "database", "Which database should I use?");
        terminal.line("the small one");
        let row = stage.wait_state("database", "working");
        assert_eq!((&row["busy"], &row["question"]), (&true.into(), &Value::Null));
        leave(&terminal);
        wait_says(&terminal, "database", Working, "");
        gate.open();
        wait_says(&terminal, "database", Idle, "Then the small one it is.");
        let row = stage.wait_state("database", "idle");
        assert_eq!((&row["host_state"], &row["busy"]), (&"alive".into(), &false.into()), "pi still runs: {row:#}");
        let asked = stage.model.requests();
        assert_eq!(asked.last().unwrap().last_text("user").as_deref(), Some("the small one"));
    }
}
