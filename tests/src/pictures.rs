//! The pictures of the README and of docs: a day's work on a board in a real zellij, with a real agent in it, driven as
//! a person drives it.
//!
//! Called by the program that writes them, and by the test that compares their text with what was written: a picture
//! that shows what the board no longer does fails there.

use crate::{
    Screen, Terminal, World,
    agents::pi::Edition,
    keys,
    model_server::Step,
    pi_stage::Stage,
    steps::{is_board, select, wait_locked},
    world::Grant,
};
use board_protocol::{ids::Size, state::SemanticState};
use serde_json::json;
use std::fs;

/// The size of the pictures in cells: readable at the width of a README.
pub const SIZE: Size = Size { cols: 110, rows: 30 };
/// The least width of the side layout's picture: two columns.
const SIDE_COLS: u16 = 150;
/// What the board's groups hold once everything has happened.
const GROUPS: [&str; 5] = ["NEEDS ANSWER 1", "RUNNING 3", "NEEDS INSTRUCTIONS 2", "FAILED 1", "STOPPED 1"];
/// A word of the name of the row from which the pictures of one session are taken.
const WATCHER: &str = "watcher";

/// One of them.
pub struct Picture {
    /// The name of its files.
    pub name: &'static str,
    /// What the terminal showed.
    pub screen: Screen,
}

/// Takes all of them at this size.
///
/// # Panics
/// The board does not do what a picture shows.
pub fn take(size: Size) -> Vec<Picture> {
    // Without the arrows of a patched font, which a reader of the README does not have.
    let world = World::with(Grant::Given, "simplified_ui true");
    let stage = Stage::in_world(Edition::Second, world);
    stage.with_question_tools();
    let board = stage.world.terminal_of("board", size, &["host-runner", "up"]);
    board.wait_for("No sessions yet");
    fill(&stage);
    board.wait("every row in its group, and what they count", |screen| {
        GROUPS.iter().all(|group| screen.has(group)) && screen.has("•3 unread")
    });
    let mut pictures = Pictures::default();
    at_the_list(&board, &mut pictures);
    in_the_dialog(&board, &mut pictures);
    in_a_session(&board, &mut pictures);
    drop(board);
    let wide = Size { cols: size.cols.max(SIDE_COLS), rows: size.rows };
    let side = ["host-runner", "up", "--session", "side", "--layout", "agent-board-side"];
    let side = stage.world.terminal_of("side", wide, &side);
    side.wait("the board beside a shell", |screen| {
        GROUPS.iter().all(|group| screen.has(group)) && screen.has("$")
    });
    select(&side, WATCHER);
    pictures.add("side", side.screen());
    pictures.0
}

#[derive(Default)]
struct Pictures(Vec<Picture>);

impl Pictures {
    fn add(&mut self, name: &'static str, screen: Screen) {
        self.0.push(Picture { name, screen });
    }
}

/// Sessions as a working day leaves them.
fn fill(stage: &Stage) {
    let world = &stage.world;
    let shop = stage.work().join("shop");
    fs::create_dir_all(&shop).unwrap();
    let shop = shop.to_str().expect("paths of worlds are text");
    let pi =
        |name: &str, words: &str| world.start(&["--agent", "pi", "--cwd", shop, "--name", name, "--", words]);
    let question = json!({"question": "Keep the old cookie for a week?", "options": ["yes", "no"]});
    stage.model.push(Step::tool("c1", "question", question));
    let asking = pi("login", "The cookie is set twice. Find out why and mend it.");
    stage.wait_state(&asking, "needs_input");
    stage.model.push(Step::tool("c2", "bash", json!({"command": "printf '3 suites\n41 passed\n'"})));
    stage.model.push(Step::text("All 41 tests pass. The basket was emptied before the total was read."));
    let asked = pi("checkout", "Make the tests of the checkout pass.");
    stage.wait_state(&asked, "idle");
    let shell =
        |name: &str, script: &str| world.start(&["--cwd", shop, "--name", name, "--", "sh", "-c", script]);
    shell("dev server", "echo listening on 127.0.0.1:5173; exec cat");
    shell("test watcher", "echo 412 passed; exec cat");
    shell("log of staging", "exec tail -f /dev/null");
    let finished = shell("release notes", "echo written");
    world.wait_state(&finished, "idle");
    let failed = shell("integration tests", "echo 2 failed; exit 101");
    world.wait_state(&failed, "failed");
    let stopped = shell("old experiment", "exec cat");
    world.wait_state(&stopped, "working");
    world.runner(&["stop", &stopped]).ok();
    world.wait_state(&stopped, "stopped");
}

fn at_the_list(board: &Terminal, pictures: &mut Pictures) {
    select(board, WATCHER);
    pictures.add("board", board.screen());
    board.send(" ");
    pictures.add("peek", board.wait("its details", |screen| screen.has("shows") && screen.has("412 passed")));
    board.send(keys::ESC);
    board.wait("the list", is_board);
    board.send("m");
    board.wait_for("0 selected");
    board.send(" ").send(keys::DOWN).send(" ");
    pictures.add(
        "select",
        board.wait("two of them, and no notice about it", |screen| {
            screen.has("2 selected") && !screen.has("SELECT mode")
        }),
    );
    board.send("m");
    board.wait_gone("SELECT");
    // The notice about it passes; a picture must not depend on whether it has.
    board.wait_gone("NORMAL mode");
    select(board, "checkout");
    board.send("v");
    let transcript = board.wait("what was said", |screen| {
        screen.has("41 passed") && screen.has("All 41 tests pass") && screen.has("── transcript")
    });
    pictures.add("transcript", transcript);
    board.send(keys::ESC);
    board.wait("the list", is_board);
}

fn in_the_dialog(board: &Terminal, pictures: &mut Pictures) {
    board.send("n");
    board.wait("the dialog", |screen| screen.has("New session") && screen.has("codex"));
    board.send("name:basket #shop the basket forgets its discount; find out why");
    pictures.add(
        "launch",
        board.wait("the whole text", |screen| screen.has("name basket") && screen.has("find out why")),
    );
    board.send(keys::UP).send(keys::ENTER);
    pictures
        .add("folders", board.wait("favourites", |screen| screen.has("favourites") && screen.has("shop")));
    board.send(keys::ESC);
    board.wait_gone("favourites");
    board.send(keys::ctrl('c'));
    board.wait_gone("New session");
    board.send("?");
    pictures.add("help", board.wait_for("press any key"));
    board.send(" ");
    board.wait("the list", is_board);
}

fn in_a_session(board: &Terminal, pictures: &mut Pictures) {
    select(board, "server");
    board.send(keys::RIGHT);
    board.wait("its pane", |screen| screen.has("listening on") && !is_board(screen));
    pictures.add("attach", wait_locked(board));
    board.send(keys::DETACH);
    board.wait("the board again", |screen| screen.state_of("server") == Some(SemanticState::Working));
}

/// The text of a picture without what differs from run to run: the build, the world's directory, pids, and ages.
pub fn normal(screen: &Screen) -> String {
    let mut text = String::new();
    for line in screen.lines() {
        let end = if line.ends_with('│') { "│" } else { "" };
        let body = line.strip_suffix('│').unwrap_or(line).trim_end();
        let mut words: Vec<&str> = body.split(' ').collect();
        // `now` and `3m` at the end of a row, `just now` and `3m ago` at the end of a sentence.
        let ending = match words.as_slice() {
            [.., "just", "now"] => 2,
            [.., age, "ago"] if is_age(age) => 2,
            [_, .., age] if is_age(age) => 1,
            _ => 0,
        };
        words.truncate(words.len() - ending);
        let mut before = "";
        let mut plain = String::new();
        for word in words {
            if !plain.is_empty() || before == " " {
                plain.push(' ');
            }
            plain += &normal_word(before, word);
            before = if word.is_empty() { " " } else { word };
        }
        text += plain.trim_end();
        text += if ending > 0 { "  AGE" } else { "" };
        text += end;
        text.push('\n');
    }
    text
}

fn is_age(word: &str) -> bool {
    word == "now"
        || word
            .strip_suffix(['m', 'h'])
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn normal_word(before: &str, word: &str) -> String {
    let digits = word.trim_end_matches(',');
    if before == "pid" && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.replace(digits, "PID");
    }
    if word.starts_with(concat!(env!("CARGO_PKG_VERSION"), "+")) {
        return "BUILD".to_owned();
    }
    match word.split_once("/tmp/ab") {
        // A world's directory ends in six letters.
        Some((front, rest)) if rest.len() >= 6 && rest.is_char_boundary(6) => {
            format!("{front}/tmp/WORLD{}", &rest[6..])
        }
        _ => word.to_owned(),
    }
}
