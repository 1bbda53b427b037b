//! A session of Claude Code at the board, in a real zellij.

use board_protocol::state::SemanticState::{NeedsInput, Working};
use e2e::{
    claude_stage::{DEADLINE, Stage},
    keys,
    model_server::{Gate, Step},
    steps::{enter, insert, leave, up},
};
use serde_json::json;

#[test]
fn a_person_starts_it_gives_leave_in_its_own_screen_and_reads_the_end_on_the_row() {
    let stage = Stage::new();
    stage.with_default_agent();
    let gate = Gate::new();
    stage.model.push(Step::tool(
        "t1",
        "Bash",
        json!({"command": "touch made.txt", "description": "Make a file"}),
    ));
    stage.model.push(Step::slow("The file is there.\n\nShall", &gate, " I remove it again?"));
    let terminal = up(&stage.world);
    let says = |state: board_protocol::state::SemanticState, text: &str| {
        terminal.wait_within(DEADLINE, &format!("{} saying {text:?}", state.label()), |screen| {
            screen.state_of("make") == Some(state)
                && screen.row_of("make").is_some_and(|row| row.text.contains(text))
        });
    };
    insert(&terminal, "make");
    says(NeedsInput, "Allow Bash: touch made.txt");
    enter(&terminal, "make", "Do you want to proceed?");
    // Plain Left is Claude Code's own key: it reaches it and detaches nobody, so that the answer goes where it should.
    terminal.send(keys::LEFT).send("1");
    terminal.wait_within(DEADLINE, "the answer begins", |screen| screen.has("The file is there."));
    leave(&terminal);
    says(Working, "");
    gate.open();
    says(NeedsInput, "Shall I remove it again?");
    assert!(stage.work().join("made.txt").exists() || stage.world.home().join("made.txt").exists());
}
