//! What can be wrong with a start of pi from the board, and words that must stay words.

use crate::support::{board, enter, wait_says};
use board_protocol::state::SemanticState::{Idle, Stopped, Working};
use e2e::{
    World,
    agents::pi::Edition,
    keys,
    model_server::{Gate, Step},
    pi_stage::{DEADLINE, Stage},
    steps::{insert, is_board, select, up},
};
use serde_json::Value;
use std::{fs, os::unix::fs::PermissionsExt};

#[test]
fn a_missing_or_too_old_pi_is_said_at_the_board_and_the_words_come_back() {
    let world = World::new();
    let directory = world.home().join(".config/agent-board");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("config.toml"), "default_agent = \"pi\"\n").unwrap();
    let terminal = up(&world);
    insert(&terminal, "mend the login");
    let screen = terminal.wait_for("0.73.0 or later");
    assert!(screen.has("mend the login"), "the words are not lost:\n{screen}");
    // One that is too old, put there meanwhile: the line is still there, Enter tries again.
    let pi = world.path("bin/pi");
    fs::write(&pi, "#!/bin/sh\necho 0.50.3\n").unwrap();
    fs::set_permissions(&pi, fs::Permissions::from_mode(0o755)).unwrap();
    if !terminal.screen().has("INSERT") {
        terminal.send("i");
    }
    terminal
        .wait("the words to be sent again", |screen| screen.has("INSERT") && screen.has("mend the login"));
    terminal.send(keys::ENTER);
    let screen = terminal.wait_for("0.50.3");
    assert!(screen.has("mend the login"), "{screen}");
    assert_eq!(world.rows(), Vec::<Value>::new());
}

// Field report D5: words of a person were taken for keys, options or commands. Here as they are typed at the board.
#[test]
fn d5_words_typed_at_the_board_reach_the_model_as_they_are_first() {
    let stage = Stage::new(Edition::First);
    stage.model.push(Step::text("I have heard you.").always());
    let terminal = board(&stage);
    for (number, words) in ["Enter", "-t", ";", "!=x", "/help"].into_iter().enumerate() {
        insert(&terminal, words);
        let asked = stage.model.wait_for_requests(number + 1, DEADLINE).unwrap();
        assert_eq!(asked[number].last_text("user").as_deref().map(str::trim), Some(words));
        assert_eq!(stage.world.rows().len(), number + 1);
    }
    terminal.wait_within(DEADLINE, "five rows that wait", |screen| {
        screen.groups().iter().any(|group| group.state == Idle && group.rows.len() == 5)
    });
}

// The directory of a session that has exited is gone when somebody enters it.
#[test]
fn a_session_whose_directory_vanished_says_so_when_it_is_entered_first() {
    let stage = Stage::new(Edition::First);
    stage.model.push(Step::text("Done with it."));
    let terminal = board(&stage);
    let id = stage.start_named("homeless", "tidy up");
    wait_says(&terminal, "homeless", Idle, "Done with it.");
    stage.world.runner(&["stop", &id]).ok();
    stage.wait(&id, "ended", |row| row["host_state"] == "exited");
    // The board hears of it a little later than the daemon's own clients.
    wait_says(&terminal, "homeless", Stopped, "signal 15");
    fs::remove_dir_all(stage.work()).unwrap();
    select(&terminal, "homeless");
    terminal.send(keys::RIGHT);
    // The board says where the reason stands: in any terminal.
    terminal.wait_for(&format!("could not be entered: refused. host-runner attach {id}"));
    let mut attach = stage.world.terminal("attach", &["host-runner", "attach", &id]);
    assert_eq!(attach.wait_ended().code(), Some(1), "{}", attach.screen());
    assert!(attach.screen().has("there is no directory"), "{}", attach.screen());
    let row = stage.world.row(&id).unwrap();
    assert_eq!((&row["host_state"], &row["busy"]), (&"exited".into(), &false.into()), "{row:#}");
    // With the directory it goes on.
    fs::create_dir(stage.work()).unwrap();
    terminal.wait("the board", is_board);
    enter(&terminal, "homeless", "Done with it.");
}

// A root without room for a socket: pi's events take the same way as everywhere.
#[test]
fn events_arrive_where_sockets_lie_beside_the_root_first() {
    let mut stage = Stage::new(Edition::First);
    let root = stage.world.path(&"r".repeat(120));
    stage.world.set_variable("AGENT_BOARD_ROOT", &root);
    let gate = Gate::new();
    stage.model.push(Step::slow("Thinking ", &gate, "is done."));
    let terminal = board(&stage);
    insert(&terminal, "faraway");
    wait_says(&terminal, "faraway", Working, "");
    gate.open();
    wait_says(&terminal, "faraway", Idle, "Thinking is done.");
    let spool = root.join("spool");
    let left = fs::read_dir(&spool).map_or(0, Iterator::count);
    assert_eq!(left, 0, "no event had to go by way of the disk");
    let beside = fs::read_to_string(root.join("sockets-are-in")).unwrap();
    drop(terminal);
    drop(stage);
    let _ = fs::remove_dir_all(beside.trim());
}
