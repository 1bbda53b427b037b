//! Flow 4: tools that ask. The row says what is asked, one question after the other, until each is answered or given up.

use crate::support::{board, enter, wait_says};
use board_protocol::state::SemanticState::{Idle, NeedsInput};
use e2e::{
    agents::pi::Edition,
    keys,
    model_server::{Part, Step},
    pi_stage::{DEADLINE, Stage},
    steps::{insert, is_board, leave, reload},
};
use serde_json::{Value, json};

fn call(id: &str, tool: &str, arguments: Value) -> Part {
    Part::ToolCall { id: id.to_owned(), name: tool.to_owned(), arguments }
}

/// What the model was told by the tools, as one text.
fn told(stage: &Stage) -> String {
    let asked = stage.model.requests().pop().unwrap();
    asked.messages().iter().filter(|message| message["role"] == "tool").map(ToString::to_string).collect()
}

// Field report A18: question tools were not recognised, and the row stayed Running.
#[test]
fn flow4_a18_every_question_tool_asks_with_its_text_and_is_answered_first() {
    let stage = Stage::new(Edition::First);
    stage.with_question_tools();
    let shapes = [
        ("question", "Which one?", json!({"question": "Which one?", "options": ["left", "right"]})),
        (
            "questionnaire",
            "What name?",
            json!({"questions": [{"prompt": "What name?", "options": ["ann", "bob"]}]}),
        ),
        (
            "ask_questions",
            "How many?",
            json!({"questions": [{"question": "How many?", "options": ["one", "two"]}]}),
        ),
    ];
    for (tool, _, arguments) in shapes.clone() {
        stage.model.push(Step::tool(tool, tool, arguments));
    }
    stage.model.push(Step::text("Thank you."));
    let terminal = board(&stage);
    insert(&terminal, "asker");
    wait_says(&terminal, "asker", NeedsInput, "Which one?");
    enter(&terminal, "asker", "Which one?");
    for (_, text, _) in shapes {
        terminal.wait_within(DEADLINE, text, |screen| screen.has(text));
        let row = stage.wait("asker", text, |row| row["state"] == "needs_input" && row["question"] == text);
        assert_eq!(row["busy"], true, "the turn goes on: {row:#}");
        terminal.send(keys::DOWN).send(keys::ENTER);
    }
    stage.wait_state("asker", "idle");
    leave(&terminal);
    wait_says(&terminal, "asker", Idle, "Thank you.");
    let told = told(&stage);
    for answer in ["answer: right", "answer: bob", "answer: two"] {
        assert!(told.contains(answer), "{answer}: {told}");
    }
}

// From wherever in the zellij session the person is; and a board that was loaded anew binds its keys again.
#[test]
fn flow4_the_next_question_is_one_key_away_first() {
    let stage = Stage::new(Edition::First);
    stage.with_question_tools();
    let arguments = json!({"question": "Which one?", "options": ["left", "right"]});
    stage.model.push(Step::tool("q0", "question", arguments));
    stage.model.push(Step::text("Thank you."));
    let terminal = board(&stage);
    insert(&terminal, "asker");
    wait_says(&terminal, "asker", NeedsInput, "Which one?");
    let a_shell = || {
        terminal.send(keys::ctrl('t')).send("n");
        terminal.wait("a shell", |screen| !is_board(screen) && screen.has("$"));
    };
    a_shell();
    terminal.send(keys::alt('\x0e'));
    terminal.wait_within(DEADLINE, "the question", |screen| {
        !is_board(screen) && screen.has("Which one?") && screen.has("left")
    });
    terminal.send(keys::DOWN).send(keys::ENTER);
    stage.wait_state("asker", "idle");
    assert!(told(&stage).contains("answer: right"), "{}", told(&stage));
    leave(&terminal);
    reload(&stage.world);
    wait_says(&terminal, "asker", Idle, "Thank you.");
    a_shell();
    terminal.send(keys::alt('\x01'));
    terminal.wait("the board", is_board);
}

// What listens to the dialogs of the first generation outlives a reload of its extensions, and must not listen twice.
#[test]
fn flow4_a_question_after_a_reload_is_closed_by_its_answer_first() {
    let stage = Stage::new(Edition::First);
    stage.with_question_tools();
    stage.model.push(Step::text("I am here."));
    let terminal = board(&stage);
    insert(&terminal, "asker");
    wait_says(&terminal, "asker", Idle, "I am here.");
    enter(&terminal, "asker", "I am here.");
    for text in ["First?", "Second?"] {
        terminal.send("/reload");
        terminal.wait_for("/reload");
        terminal.send(keys::ENTER);
        terminal.wait_gone("/reload");
        stage.model.push(Step::tool(
            "q0",
            "question",
            json!({"question": text, "options": ["left", "right"]}),
        ));
        stage.model.push(Step::text("Thank you."));
        stage.world.runner(&["reply", "asker", "go on"]).ok();
        terminal.wait_within(DEADLINE, text, |screen| screen.has(text) && screen.has("left"));
        stage.wait("asker", text, |row| row["state"] == "needs_input" && row["question"] == text);
        terminal.send(keys::ENTER);
        let row = stage.wait_state("asker", "idle");
        assert_eq!((&row["question"], &row["busy"]), (&Value::Null, &json!(false)), "{row:#}");
    }
}

#[test]
fn flow4_a_cancelled_question_is_closed_and_the_turn_goes_on_first() {
    let stage = Stage::new(Edition::First);
    stage.with_question_tools();
    stage.model.push(Step::tool("q0", "question", json!({"question": "Delete everything?"})));
    stage.model.push(Step::text("Then I leave it."));
    let terminal = board(&stage);
    insert(&terminal, "asker");
    wait_says(&terminal, "asker", NeedsInput, "Delete everything?");
    enter(&terminal, "asker", "Delete everything?");
    terminal.send(keys::ESC);
    let row = stage.wait_state("asker", "idle");
    assert_eq!((&row["question"], &row["busy"]), (&Value::Null, &json!(false)), "{row:#}");
    leave(&terminal);
    wait_says(&terminal, "asker", Idle, "Then I leave it.");
    assert!(told(&stage).contains("The person cancelled"), "{}", told(&stage));
}

// The second generation: in the first, the second dialog takes the place of the first one for good.
#[test]
fn flow4_several_questions_at_once_are_shown_one_after_the_other_second() {
    let stage = Stage::new(Edition::Second);
    stage.with_question_tools();
    stage.model.push(Step::stream([
        call("q0", "question", json!({"question": "Which colour?"})),
        call("q1", "question", json!({"question": "Which size?"})),
    ]));
    stage.model.push(Step::text("Both answered."));
    let terminal = board(&stage);
    insert(&terminal, "asker");
    wait_says(&terminal, "asker", NeedsInput, "Which colour?");
    stage.wait("asker", "two questions", |_| {
        let detail = stage.show("asker");
        let questions = detail["agent_detail"]["questions"].to_string();
        questions.contains("Which colour?") && questions.contains("Which size?")
    });
    // The last one asked has the keys; the row goes on showing the first that is still open.
    enter(&terminal, "asker", "Which size?");
    terminal.send(keys::ENTER);
    let row = stage.wait("asker", "one question", |_| {
        let questions = stage.show("asker")["agent_detail"]["questions"].to_string();
        questions.contains("Which colour?") && !questions.contains("Which size?")
    });
    assert_eq!(
        (&row["state"], &row["question"]),
        (&json!("needs_input"), &json!("Which colour?")),
        "{row:#}"
    );
    terminal.wait_within(DEADLINE, "the other question", |screen| screen.has("Which colour?"));
    terminal.send(keys::ENTER);
    stage.wait_state("asker", "idle");
    leave(&terminal);
    wait_says(&terminal, "asker", Idle, "Both answered.");
}

// In the first generation the dialog that lost its place is given up with Esc, which interrupts the turn.
#[test]
fn flow4_of_two_questions_at_once_none_stays_open_first() {
    let stage = Stage::new(Edition::First);
    stage.with_question_tools();
    stage.model.push(Step::stream([
        call("q0", "question", json!({"question": "Which colour?"})),
        call("q1", "question", json!({"question": "Which size?"})),
    ]));
    stage.model.push(Step::text("Enough.").always());
    let terminal = board(&stage);
    insert(&terminal, "asker");
    wait_says(&terminal, "asker", NeedsInput, "Which");
    enter(&terminal, "asker", "Which size?");
    terminal.send(keys::ENTER);
    stage.wait("asker", "one question", |row| {
        row["state"] == "needs_input"
            && !stage.show("asker")["agent_detail"]["questions"].to_string().contains("Which size?")
    });
    terminal.send(keys::ESC);
    let row = stage.wait("asker", "nothing runs", |row| row["busy"] == false);
    assert_eq!((&row["state"], &row["question"]), (&json!("idle"), &Value::Null), "{row:#}");
    assert_eq!(stage.show("asker")["agent_detail"]["questions"], json!([]));
    leave(&terminal);
    wait_says(&terminal, "asker", Idle, "");
}
