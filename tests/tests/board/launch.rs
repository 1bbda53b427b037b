//! The launch dialog as a person uses it: favourites, Tab through directories, names and tags, a refusal, and going in.

use crate::support::{EMPTY, is_board, leave, up, wait_locked, wait_row};
use board_protocol::state::SemanticState::Working;
use e2e::{Terminal, World, keys};
use serde_json::Value;
use std::fs;

/// Shift and tabulator.
const BACK_TAB: &str = "\x1b[Z";

/// Opens the dialog, with the keys on the task.
fn open(terminal: &Terminal) {
    terminal.send("n");
    terminal.wait("the dialog and the agents that there are", |screen| {
        screen.has("New session") && screen.has("generic") && screen.has("codex")
    });
}

fn favourites(world: &World) -> Value {
    let told = world.runner(&["favourites", "--json"]).ok().stdout;
    serde_json::from_str(&told).unwrap()
}

#[test]
fn i6_a_session_is_started_in_a_directory_that_tab_found_with_a_name_and_a_tag() {
    let world = World::new();
    let projects = world.home().join("projects");
    for name in ["web-api", "web-site/docs", ".hidden"] {
        fs::create_dir_all(projects.join(name)).unwrap();
    }
    fs::write(projects.join("web-notes"), "").unwrap();
    let terminal = up(&world);
    terminal.wait_for(EMPTY);
    open(&terminal);
    terminal.send(keys::UP).send("~/pro");
    terminal.wait_for("~/projects");
    // Tab completes, Tab again goes inside; files and hidden directories are not there.
    terminal.send(keys::TAB);
    terminal.wait_for("~/projects");
    terminal.send(keys::TAB);
    let screen = terminal.wait("what is inside", |screen| screen.has("~/projects/web-api"));
    assert!(
        screen.has("~/projects/web-site") && !screen.has("web-notes") && !screen.has(".hidden"),
        "{screen}"
    );
    terminal.send("w").send(keys::TAB);
    terminal.wait_for("~/projects/web-");
    terminal.send("s").send(keys::TAB);
    terminal.wait("one of them", |screen| screen.has("~/projects/web-site") && !screen.has("web-api"));
    terminal.send(keys::TAB);
    terminal.wait_for("~/projects/web-site/docs");
    terminal.send(BACK_TAB);
    terminal.wait_for("~/projects/web-api");
    terminal.send("web-site").send(keys::ENTER);
    terminal.wait("the field again", |screen| !screen.has("directories"));
    terminal.send("actor wait name:site #web");
    terminal.wait("the words of the task", |screen| screen.has("name site"));
    terminal.send(keys::ENTER);
    wait_row(&terminal, "site", Working);
    let row = world.row("site").unwrap();
    assert_eq!(row["cwd"], projects.join("web-site").to_str().unwrap(), "{row}");
    assert_eq!(row["tags"], serde_json::json!(["web"]), "{row}");
    assert_eq!(row["summary"], "actor wait", "{row}");
    // It is a favourite now, and offered as one.
    let known = favourites(&world);
    assert_eq!(known["directories"][0]["path"], projects.join("web-site").to_str().unwrap(), "{known}");
    assert_eq!(known["directories"][0]["uses"], 1, "{known}");
    open(&terminal);
    terminal.send(keys::UP).send(keys::ENTER);
    let screen = terminal.wait("the favourites", |screen| screen.has("1×"));
    assert!(screen.has("0×"), "the home directory is always there\n{screen}");
    // One at a time: two bytes of Esc at once are Alt and Esc.
    terminal.send(keys::ESC);
    terminal.wait("the fields", |screen| !screen.has("favourites"));
    terminal.send(keys::ESC);
    terminal.wait("the board", |screen| is_board(screen) && !screen.has("New session"));
    world.runner(&["favourites", "--forget", projects.join("web-site").to_str().unwrap()]).ok();
    assert_eq!(favourites(&world)["directories"][0]["uses"], 0);
}

// Field report D14: a text that was refused was gone.
#[test]
fn d14_a_refused_start_keeps_the_dialog_with_everything_in_it_and_then_goes_in() {
    let world = World::new();
    let terminal = up(&world);
    terminal.wait_for(EMPTY);
    open(&terminal);
    terminal.send(keys::UP).send("/no/such/place").send(keys::ENTER);
    terminal.wait("the field", |screen| screen.has("/no/such/place") && !screen.has("directories"));
    terminal.send("actor say inside wait name:kept");
    terminal.wait("the words of the task", |screen| screen.has("name kept"));
    terminal.send(keys::ENTER);
    let screen = terminal.wait_for("there is no directory /no/such/place");
    assert!(screen.has("actor say inside wait name:kept") && screen.has("New session"), "{screen}");
    // Only the folder is changed; then it is started and entered.
    terminal.send(keys::UP).send("~").send(keys::ENTER);
    terminal
        .wait("the other folder", |screen| !screen.has("/no/such/place ") && screen.has("actor say inside"));
    terminal.send(keys::DOWN);
    terminal.wait("the buttons", |screen| screen.has("› ") && screen.has("[ Start and enter"));
    terminal.send(keys::RIGHT).send(keys::ENTER);
    terminal.wait("the session from inside", |screen| !is_board(screen) && screen.has("inside"));
    wait_locked(&terminal);
    leave(&terminal);
    wait_row(&terminal, "kept", Working);
    assert_eq!(world.row("kept").unwrap()["cwd"], world.home().to_str().unwrap());
}
