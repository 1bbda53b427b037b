//! The board as a place to live in: names, pins, tags, the filter, a closer look, the screen of a session, several rows
//! at once. Each in a real zellij, with the keys that a person presses.

use crate::support::{enter, is_board, leave, select, up, wait_row};
use board_protocol::state::SemanticState::{Completed, Failed, Holding, Idle, Working};
use e2e::{Screen, World, keys};
use std::time::Duration;

/// The names of the rows, from the top.
fn names(screen: &Screen, known: &[&str]) -> Vec<String> {
    let groups = screen.groups();
    let rows = groups.iter().flat_map(|group| &group.rows);
    rows.filter_map(|row| known.iter().find(|name| row.names(name))).map(ToString::to_string).collect()
}

#[test]
fn living_a_session_is_renamed_pinned_tagged_and_marked_unread() {
    let world = World::new();
    let terminal = up(&world);
    let first = world.start_actor("first", &["wait"]);
    world.start_actor("second", &["wait"]);
    wait_row(&terminal, "first", Working);
    wait_row(&terminal, "second", Working);
    select(&terminal, "second");
    terminal.send("p");
    terminal.wait("second on top, and selected as before", |screen| {
        names(screen, &["first", "second"]) == ["second", "first"] && screen.selects("second")
    });
    select(&terminal, "first");
    terminal.send("R");
    terminal.wait_for("RENAME");
    terminal.send(keys::ctrl('u')).send("renamed").send(keys::ENTER);
    wait_row(&terminal, "renamed", Working);
    world.wait_row(&first, "its name", |row| row["name"] == "renamed");
    terminal.send("t");
    terminal.wait_for("TAGS");
    terminal.send("#web api").send(keys::ENTER);
    world.wait_row(&first, "its tags", |row| row["tags"] == serde_json::json!(["api", "web"]));
    terminal.wait_for("#api");
    let said = world.start_actor("said", &["exit", "0"]);
    wait_row(&terminal, "said", Idle);
    terminal.wait_for("1 unread");
    select(&terminal, "said");
    for unread in [false, true] {
        terminal.send("u");
        world.wait_row(&said, "its mark", |row| row["unread"] == unread);
        terminal.wait("the mark on the board", |screen| screen.has("1 unread") == unread);
    }
}

// Acceptance I.1, U1 and U2: the keys as a person presses them.
#[test]
fn i1_u1_h_puts_a_row_aside_and_takes_it_back() {
    let world = World::new();
    let terminal = up(&world);
    let id = world.start_actor("parked", &["exit", "0"]);
    world.start_actor("done", &["exit", "0"]);
    wait_row(&terminal, "parked", Idle);
    wait_row(&terminal, "done", Idle);
    let counts = |screen: &Screen| screen.line_with("unread").unwrap_or_default().to_owned();
    let before = counts(&terminal.wait_for("unread"));
    select(&terminal, "parked");
    terminal.send("h");
    terminal.wait("the group, the selection that follows, the notice, and no counter of its own", |screen| {
        screen.state_of("parked") == Some(Holding)
            && screen.selects("parked")
            && screen.has("On hold")
            && counts(screen) == before
    });
    world.wait_state(&id, "holding");
    terminal.send("h");
    wait_row(&terminal, "parked", Idle);
    terminal.wait_for("Resumed");
    // And from peek.
    terminal.send(" ");
    terminal.wait_for("folder");
    terminal.send("h");
    world.wait_state(&id, "holding");
    terminal.wait_for("On hold");
    // U5: done, after a question.
    terminal.send("d");
    let screen = terminal.wait_for("(y/N)");
    assert!(screen.has("Mark \"parked\" as done?"), "{screen}");
    terminal.send("y");
    world.wait_state(&id, "completed");
    terminal.wait_for("Marked done");
}

// Acceptance I.1, U3 and U4: a person who types into a session goes on with it, whatever they had said of it before.
#[test]
fn i1_u3_u4_typing_into_a_row_with_a_verdict_makes_it_run() {
    let world = World::new();
    let terminal = up(&world);
    let id = world.start_actor("shell", &["lines"]);
    wait_row(&terminal, "shell", Working);
    let fences = || {
        let log = world.runner(&["log", &id]).ok().stdout;
        log.lines().filter(|line| line.contains("fence")).count()
    };
    for verdict in [Holding, Completed] {
        select(&terminal, "shell");
        if verdict == Holding {
            terminal.send("h");
        } else {
            terminal.send("d");
            terminal.wait_for("(y/N)");
            terminal.send("y");
        }
        wait_row(&terminal, "shell", verdict);
        let before = fences();
        enter(&terminal, "shell", "lines:");
        assert_ne!(world.row(&id).unwrap()["state"], "working", "entering alone changes nothing");
        terminal.line("more");
        world.wait_state(&id, "working");
        leave(&terminal);
        wait_row(&terminal, "shell", Working);
        assert_eq!(fences(), before, "no diagnostic about a fence");
    }
}

// Acceptance I.1, U6: several rows at once.
#[test]
fn i1_u6_marked_rows_are_done_and_deleted_together() {
    let world = World::new();
    let terminal = up(&world);
    for name in ["one", "two"] {
        world.start_actor(name, &["exit", "0"]);
        wait_row(&terminal, name, Idle);
    }
    world.start_actor("live", &["wait"]);
    wait_row(&terminal, "live", Working);
    terminal.send("m");
    terminal.wait_for("0 selected");
    terminal.send("a");
    terminal.wait_for("3 selected");
    terminal.send(keys::ctrl('x'));
    terminal.wait_for("Only Done sessions can be batch deleted");
    select(&terminal, "live");
    terminal.send(" ");
    terminal.wait_for("2 selected");
    terminal.send("d");
    let screen = terminal.wait_for("(y/N)");
    assert!(screen.has("Mark 2 selected sessions as done?"), "{screen}");
    terminal.send("y");
    terminal.wait_for("Moved 2 to Done");
    wait_row(&terminal, "one", Completed);
    wait_row(&terminal, "two", Completed);
    terminal.send(keys::ctrl('x'));
    terminal.wait_for("(y/N)");
    terminal.send("y");
    terminal.wait_for("Deleted 2");
    assert_eq!(world.rows().len(), 1);
}

// Acceptance I.1, U6: a whole group on hold is deleted with one key; what still runs in it stays.
#[test]
fn i1_u6_deleting_the_holding_group_leaves_what_still_runs() {
    let world = World::new();
    let terminal = up(&world);
    for (name, words, state) in
        [("one", ["exit", "0"], Idle), ("two", ["exit", "0"], Idle), ("live", ["wait", ""], Working)]
    {
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        world.start_actor(name, &words);
        wait_row(&terminal, name, state);
        world.runner(&["hold", name]).ok();
        wait_row(&terminal, name, Holding);
    }
    let other = world.start_actor("other", &["exit", "0"]);
    wait_row(&terminal, "other", Idle);
    select(&terminal, "one");
    terminal.send("X");
    let screen = terminal.wait_for("(y/N)");
    assert!(screen.has("Delete 2 On hold sessions? 1 running skipped."), "{screen}");
    terminal.send("y");
    terminal.wait_for("Deleted 2");
    wait_row(&terminal, "live", Holding);
    assert!(world.row("one").is_none() && world.row("two").is_none());
    assert!(world.row("live").is_some() && world.row(&other).is_some());
}

#[test]
fn living_the_filter_shows_what_fits_and_hides_nothing_for_ever() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("alpha", &["wait"]);
    world.start_actor("beta", &["exit", "3"]);
    wait_row(&terminal, "alpha", Working);
    wait_row(&terminal, "beta", Failed);
    terminal.send("/").send("s:failed");
    terminal.wait("the failed one alone", |screen| {
        screen.row_of("beta").is_some() && screen.row_of("alpha").is_none()
    });
    terminal.send(keys::ENTER);
    let screen = terminal.wait_for("filter:s:failed");
    assert!(screen.has("1 running"), "counts ignore the filter:\n{screen}");
    terminal.send(keys::ESC);
    wait_row(&terminal, "alpha", Working);
    terminal.send("/").send("nobody has this");
    terminal.wait_for("No sessions match the filter");
    terminal.send(keys::ESC);
    wait_row(&terminal, "beta", Failed);
}

#[test]
fn living_peek_shows_why_and_the_screen_without_entering() {
    let world = World::new();
    let terminal = up(&world);
    let id = world.start_actor("looked", &["say", "hello from inside", "lines"]);
    world.wait_text(&id, "hello from inside");
    wait_row(&terminal, "looked", Working);
    select(&terminal, "looked");
    terminal.send(" ");
    let screen =
        terminal.wait("its details", |screen| screen.has("folder") && screen.has("hello from inside"));
    assert!(!is_board(&screen), "{screen}");
    terminal.send("l");
    terminal.wait_for("hello from inside");
    // It is looked at, not entered.
    world.wait_runners("attach", 0);
    assert_eq!(world.row(&id).unwrap()["attached"], 0);
    // What it prints later is seen without a key.
    let mut other = world.terminal("other", &["host-runner", "attach", &id]);
    other.wait_for("hello from inside");
    other.line("typed elsewhere");
    terminal.wait_for("typed elsewhere");
    terminal.send("e");
    terminal.wait("evidence", |screen| screen.has("Evidence") && screen.has("Diagnostics"));
    terminal.send("<");
    terminal.wait("peek again", |screen| screen.has("folder") && !screen.has("Diagnostics"));
    terminal.send(keys::ESC);
    wait_row(&terminal, "looked", Working);
    other.send(keys::DETACH);
    other.wait_ended();
}

// A reply is written into a running session without entering it, and what it says then is seen in peek.
#[test]
fn living_a_reply_reaches_a_session_from_peek() {
    let world = World::new();
    let terminal = up(&world);
    let id = world.start_actor("talks", &["ask", "Name?", "wait"]);
    world.wait_text(&id, "Name?");
    wait_row(&terminal, "talks", Working);
    select(&terminal, "talks");
    terminal.send(" ");
    terminal.wait("its last lines", |screen| screen.has("shows") && screen.has("Name?"));
    terminal.send("r");
    terminal.wait_for("REPLY");
    terminal.send("from the board").send(keys::ENTER);
    world.wait_text(&id, "answer: from the board");
    terminal.wait_for("answer: from the board");
    world.wait_runners("attach", 0);
}

#[test]
fn living_an_ended_session_shows_the_screen_that_it_left() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("over", &["say", "last words", "exit", "3"]);
    wait_row(&terminal, "over", Failed);
    select(&terminal, "over");
    terminal.send("l");
    terminal
        .wait("its last screen", |screen| screen.has("last words") && screen.has("the last that it showed"));
}

// On a busy machine zellij may pass on the second of two keys so late that the board takes it for one that was typed with
// thought, or for one that comes too late. Not so often.
#[test]
fn i2_a4_ctrl_x_twice_deletes_and_a_typed_ahead_y_does_not() {
    let world = World::new();
    let terminal = up(&world);
    let names = ["one", "two", "three", "four", "five", "six"];
    for name in names {
        world.start_actor(name, &["exit", "0"]);
        wait_row(&terminal, name, Idle);
    }
    // One write: the terminal delivers both keys before anybody can read the question.
    let stays = names.iter().find(|name| {
        select(&terminal, name);
        terminal.send("xy");
        let screen = terminal
            .wait("a question, or no row", |screen| screen.has("(y/N)") || screen.row_of(name).is_none());
        assert!(!screen.has("(y/N)") || screen.has(&format!("Delete \"{name}\"?")), "{screen}");
        screen.has("(y/N)")
    });
    let stays = stays.expect("every y that was typed ahead confirmed");
    terminal.send(keys::ENTER);
    terminal.wait_gone("(y/N)");
    assert!(world.row(stays).is_some());
    let left = world.rows().len();
    let deleted = format!("Deleted \"{stays}\"");
    let twice = |_| {
        terminal.send(keys::ctrl('x')).send(keys::ctrl('x'));
        terminal.shows_within(TWICE_ACTS, |screen| screen.has(&deleted))
    };
    select(&terminal, stays);
    assert!((0..names.len()).any(twice), "{}", terminal.screen());
    terminal.wait("the row is gone", |screen| screen.row_of(stays).is_none());
    assert_eq!(world.rows().len(), left - 1);
}

/// After this long both keys have done what they do, on any machine.
const TWICE_ACTS: Duration = Duration::from_secs(10);

#[test]
fn living_a_whole_state_is_deleted_as_far_as_the_filter_shows_it() {
    let world = World::new();
    let terminal = up(&world);
    for name in ["old-one", "old-two", "young"] {
        world.start_actor(name, &["exit", "3"]);
        wait_row(&terminal, name, Failed);
    }
    terminal.send("/").send("old").send(keys::ENTER);
    terminal.wait_for("filter:old");
    terminal.send("X");
    let screen = terminal.wait_for("(y/N)");
    assert!(screen.has("Delete 2 Failed sessions? 1 hidden by the filter stay."), "{screen}");
    terminal.send("y");
    terminal.wait_for("Deleted 2");
    terminal.send(keys::ESC);
    wait_row(&terminal, "young", Failed);
    assert_eq!(world.rows().len(), 1);
}
