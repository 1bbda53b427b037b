//! Real agents in their own full screens, talking to the loopback model.

use super::SIZE;
use crate::{
    Terminal,
    agents::pi::Edition,
    claude_stage, keys,
    model_server::Step,
    pi_stage::{DEADLINE, Stage},
    recording::Recording,
};
use board_protocol::ids::Size;
use serde_json::json;

/// An answer with everything that an agent draws in a way of its own.
pub(super) const ANSWER: &str = "# A heading\n\nSome **bold** and *slanted* words, `code`, ~~gone~~ and a [link](http://example.org/).\n\n\
- one\n- two 漢字テスト\n- three ☁\u{fe0f} 👍🏽 👩\u{200d}👧\n\n```rust\nfn main() {\n    println!(\"hello\");\n}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end of the first answer.";

fn start(stage: &Stage) -> Terminal {
    stage.model.push(Step::text(ANSWER));
    stage.model.push(Step::tool(
        "call-1",
        "bash",
        json!({"command": "seq 1 40; printf '\\033[31mred\\033[0m\\n'"}),
    ));
    stage.model.push(Step::text("The tool has run."));
    let terminal = stage.world.recorded_terminal("pi", SIZE, &["sh", "-c", "cd work && exec pi"]);
    terminal.wait_within(DEADLINE, "pi's editor", |screen| screen.count("────") >= 2);
    terminal
}

pub(super) fn say(terminal: &Terminal, words: &str, answer: &str) {
    terminal.send(words);
    terminal.wait_for(words);
    terminal.send(keys::ENTER);
    terminal.wait_within(DEADLINE, answer, |screen| screen.has(answer));
}

fn ended(terminal: Terminal) -> Recording {
    terminal.send("\x03");
    terminal.send("\x04");
    terminal.send("\x04");
    kept(terminal)
}

fn kept(mut terminal: Terminal) -> Recording {
    terminal.wait_ended();
    terminal.recording().expect("a recorded terminal")
}

fn pi(edition: Edition) -> Recording {
    let stage = Stage::new(edition);
    let terminal = start(&stage);
    say(&terminal, "say something", "The end of the first answer.");
    say(&terminal, "run a tool", "The tool has run.");
    // The list of commands opens and closes above the editor.
    terminal.send("/").wait_within(DEADLINE, "the commands", |screen| screen.has("model"));
    terminal.send(keys::ESC).send(keys::BACKSPACE);
    terminal.send(keys::paste("a pasted line\nand another one"));
    terminal.wait_for("another one");
    ended(terminal)
}

pub(super) fn pi_first() -> Recording {
    pi(Edition::First)
}

pub(super) fn pi_second() -> Recording {
    pi(Edition::Second)
}

pub(super) fn claude() -> Recording {
    claude_at(&[])
}

pub(super) fn claude_resized() -> Recording {
    claude_at(&[(60, 24), (100, 30), (100, 14), (80, 24)])
}

/// Its terminal has these sizes one after the other, once it has answered.
fn claude_at(sizes: &[(u16, u16)]) -> Recording {
    let stage = claude_stage::Stage::new();
    stage.model.push(Step::text(ANSWER));
    let terminal = stage.world.recorded_terminal("claude", SIZE, &["sh", "-c", "cd work && exec claude"]);
    let wait =
        |text: &str| drop(terminal.wait_within(claude_stage::DEADLINE, text, |screen| screen.has(text)));
    wait("❯");
    stage.say(&terminal, "say something");
    wait("The end of the first answer.");
    for (n, (cols, rows)) in sizes.iter().enumerate() {
        terminal.resize(Size { cols: *cols, rows: *rows });
        // What is typed stands in the editor as soon as it knows its new size.
        terminal.send(format!("w{n}"));
        wait(&format!("w{n}"));
    }
    terminal.send("\x15/");
    wait("/add-dir");
    terminal.send("\x15");
    terminal.wait_gone("/add-dir");
    // It asks once more, and only the same key counts then.
    terminal.send("\x04");
    wait("again to exit");
    terminal.send("\x04");
    kept(terminal)
}

pub(super) fn pi_second_resized() -> Recording {
    let stage = Stage::new(Edition::Second);
    let terminal = start(&stage);
    say(&terminal, "say something", "The end of the first answer.");
    for (n, (cols, rows)) in [(60, 24), (100, 30), (100, 14), (80, 24)].into_iter().enumerate() {
        terminal.resize(Size { cols, rows });
        // What is typed stands in the editor as soon as pi knows its new size.
        terminal.send(format!("w{n}"));
        terminal.wait_within(DEADLINE, "the typed word", |screen| screen.has(&format!("w{n}")));
    }
    terminal.send("\x03");
    say(&terminal, "run a tool", "The tool has run.");
    ended(terminal)
}
