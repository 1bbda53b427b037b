//! The transcript of a session of pi: what `v` shows at the board, and what the command line prints.

use crate::{
    both,
    support::{board, wait_says},
};
use board_protocol::state::SemanticState::Idle;
use e2e::{
    Screen, keys,
    model_server::Step,
    pi_stage::DEADLINE,
    steps::{insert, is_board, select},
};
use serde_json::{Value, json};

/// Waits, at the board, for the transcript with all of these.
fn shows(terminal: &e2e::Terminal, texts: &[&str]) -> Screen {
    terminal.wait_within(DEADLINE, &format!("a transcript with {texts:?}"), |screen| {
        screen.has("── transcript") && texts.iter().all(|text| screen.has(text))
    })
}

both! {
    fn b13_f8b_v_shows_what_was_said_follows_it_and_marks_it_read(stage) {
        stage.model.push(Step::tool("c1", "bash", json!({"command": "printf 'loud\nquiet\n'"})));
        stage.model.push(Step::text("Both said their lines.\n\n    indented 漢字"));
        stage.model.push(Step::text("And once more."));
        let terminal = board(stage);
        insert(&terminal, "sayit");
        wait_says(&terminal, "sayit", Idle, "Both said their lines.");
        assert_eq!(stage.world.row("sayit").unwrap()["unread"], true);
        select(&terminal, "sayit");
        terminal.send("v");
        let screen = shows(&terminal, &["you", "sayit", "bash", "│ loud", "│ quiet", "agent", "Both said their lines."]);
        assert!(screen.has("     indented 漢字"), "{screen}");
        stage.wait("sayit", "read", |row| row["unread"] == false);
        // A reply is written from here, and what comes of it is shown here.
        terminal.send("r");
        terminal.wait("the reply's editor", |screen| screen.has("REPLY"));
        terminal.send("say it again").send(keys::ENTER);
        shows(&terminal, &["say it again", "And once more."]);
        terminal.send(keys::HOME);
        shows(&terminal, &["sayit"]);
        terminal.send(keys::ESC);
        terminal.wait("the board", is_board);
        stage.wait("sayit", "read again", |row| row["unread"] == false);

        let told = stage.world.runner(&["transcript", "--json", "sayit"]).ok().json();
        let roles: Vec<&Value> = told["items"].as_array().unwrap().iter().map(|item| &item["role"]).collect();
        assert_eq!(roles, ["you", "tool", "agent", "you", "agent"], "{told:#}");
        assert_eq!((&told["total"], &told["pages"]), (&json!(5), &json!(1)));
        assert_eq!(told["items"][1]["output"], "loud\nquiet", "{told:#}");
        let text = stage.world.runner(&["transcript", "sayit", "--all"]).ok().stdout;
        assert!(text.contains("\nprintf 'loud\nquiet\n'\n  │ loud\n  │ quiet\n"), "{text}");
        assert_eq!(stage.world.runner(&["transcript", "sayit", "--page", "1"]).ok().stdout, text);
        let beyond = stage.world.runner(&["transcript", "sayit", "--page", "2"]).expect_code(1);
        assert!(beyond.stderr.contains("there is no page 2; the last one is 1"), "{beyond:?}");
    }
}

#[test]
fn b13_a_program_that_keeps_no_transcript_is_told_apart_first() {
    let stage = e2e::pi_stage::Stage::new(e2e::agents::pi::Edition::First);
    stage.world.runner(&["start", "--name", "shell", "--", "sleep", "600"]).ok();
    let refused = stage.world.runner(&["transcript", "shell"]).expect_code(1);
    assert!(refused.stderr.contains("no agent that keeps one"), "{refused:?}");
    stage.model.push(Step::text("Hello."));
    let id = stage.start("hello");
    stage.wait_state(&id, "idle");
    let detail = stage.show(&id);
    let file = detail["agent_detail"]["transcript"].as_str().unwrap();
    std::fs::remove_file(file).unwrap();
    let refused = stage.world.runner(&["transcript", &id]).expect_code(1);
    assert!(refused.stderr.contains("Session file not created yet."), "{refused:?}");
    std::fs::create_dir(file).unwrap();
    let refused = stage.world.runner(&["transcript", &id]).expect_code(1);
    assert!(refused.stderr.contains("Couldn't read session: "), "{refused:?}");
}
