//! What users of neighbouring tools reported, each as a test on the whole product. The id in a test's name is the
//! report's.

use crate::support::{EMPTY, is_board, join, select, up, wait_row};
use board_protocol::state::SemanticState::{Failed, Idle, Working};
use e2e::{
    World, keys,
    processes::Process,
    run,
    wait::{DEADLINE, eventually},
    world::Grant,
};
use rustix::process::Signal;
use std::{collections::BTreeSet, fs, os::unix::fs::MetadataExt};

/// Sessions of the report in which a crash lost them all.
const MANY: usize = 10;

// A crash of the server lost every session. Here the daemon and all hosts are killed at once: every row is still there,
// and says that it failed and why; the ones whose hosts lived are adopted.
#[test]
fn f1_no_session_vanishes_when_daemon_and_hosts_are_killed() {
    let world = World::new();
    let names: Vec<String> = (0..MANY).map(|number| format!("agent{number}")).collect();
    let ids: BTreeSet<String> = names.iter().map(|name| world.start_actor(name, &["lines"])).collect();
    assert_eq!(ids.len(), MANY);
    for name in &names {
        world.wait_text(name, "lines:");
    }
    let hosts = world.wait_runners("host", MANY);
    // The daemon first, so that nobody keeps books while half of the hosts go.
    let daemon = world.daemon();
    world.signal(&daemon, Signal::KILL);
    for host in &hosts[..MANY / 2] {
        world.signal(host, Signal::KILL);
    }
    let listed = eventually("every row settled", || {
        let rows = world.rows();
        let alive =
            rows.iter().filter(|row| row["host_state"] == "alive" && row["state"] == "working").count();
        let failed = rows.iter().filter(|row| row["state"] == "failed" && row["busy"] == false).count();
        (alive == MANY - MANY / 2 && failed == MANY / 2).then_some(rows)
    });
    let after: BTreeSet<String> = listed.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(after, ids);
    for row in listed.iter().filter(|row| row["state"] == "failed") {
        assert!(row["error"].is_string(), "a reason: {row:#}");
    }
}

// Closing the last window cold-started the server.
#[test]
fn f6_closing_the_last_pane_leaves_daemon_and_hosts_alone() {
    let world = World::new();
    let mut terminal = up(&world);
    world.start_actor("kept", &["lines"]);
    wait_row(&terminal, "kept", Working);
    let (daemon, hosts) = (world.daemon(), world.runners("host"));
    terminal.send(keys::ctrl('p')).send("x");
    terminal.wait_ended();
    eventually("no zellij and no link", || {
        (world.zellij_servers().is_empty() && world.runners("link").is_empty()).then_some(())
    });
    assert!(daemon.runs() && hosts.iter().all(Process::runs));
    assert_eq!(world.daemon().identity, daemon.identity);
    assert_eq!(world.runners("host"), hosts);
    assert_eq!(world.row("kept").unwrap()["state"], "working");
}

// A stale lock whose pid was reused: the daemon never starts again, or kills an unrelated process.
#[test]
fn f12_a_lock_with_the_pid_of_somebody_else_is_no_lock() {
    let world = World::new();
    world.rows();
    let daemon = world.daemon();
    world.kill(&daemon);
    let bystander = world.terminal("bystander", &["sleep", "600"]);
    let lock = world.root().join("daemon.lock");
    assert!(lock.exists(), "the lock's file");
    fs::write(&lock, format!("{}\n", bystander.pid())).unwrap();
    let id = world.start_actor("starts", &["lines"]);
    world.wait_text(&id, "lines:");
    assert_ne!(world.daemon().identity, daemon.identity);
    // And what runs is not killed with it when the daemon is told to end.
    world.runner(&["shutdown"]).ok();
    let mut bystander = bystander;
    assert!(!bystander.has_ended(), "an unrelated process was ended");
}

// The old daemon deletes its successor's socket when it exits.
#[test]
fn f13_an_ending_daemon_never_takes_its_successors_socket() {
    let world = World::new();
    for round in 0..8 {
        world.rows();
        let old = world.daemon();
        // Asked to end, and its successor started while it is still about to.
        world.runner(&["shutdown"]).ok();
        let answer = world.runner(&["ls", "--json"]);
        assert_eq!(answer.code, Some(0), "round {round}: {answer:?}");
        eventually("the end of the old daemon", || (!old.runs()).then_some(()));
        let new = world.daemon();
        assert_ne!(new.identity, old.identity);
        let socket = world.root().join("run/daemon.sock");
        let bound = fs::symlink_metadata(&socket).unwrap_or_else(|error| panic!("round {round}: {error}"));
        assert!(bound.ino() > 0);
        assert_eq!(world.runner(&["ls"]).code, Some(0), "round {round}");
        assert_eq!(world.daemon().identity, new.identity, "the successor was reached, not a third one");
    }
}

// "Opening…" for ever: the daemon's socket accepts and nothing answers.
#[test]
fn f20_a_daemon_that_never_answers_is_an_error_that_says_what_to_do() {
    let world = World::new();
    let terminal = up(&world);
    let id = world.start_actor("shown", &["lines"]);
    wait_row(&terminal, "shown", Working);
    let daemon = world.daemon();
    world.signal(&daemon, Signal::STOP);
    // Three seconds are the product's limit; ten times as long is the test's.
    for arguments in
        [&["ls", "--json"][..], &["show", &id], &["stop", &id], &["start", "--", "actor", "wait"]]
    {
        let finished = run::run(world.runner_command(arguments), b"", DEADLINE);
        assert!(matches!(finished.code, Some(3 | 4)), "{finished:?}");
        assert!(finished.stderr.contains("daemon"), "{finished:?}");
        assert!(finished.stdout.is_empty(), "{finished:?}");
    }
    world.signal(&daemon, Signal::CONT);
    eventually("it answers again", || (world.runner(&["ls"]).code == Some(0)).then_some(()));
    // Nothing that was reported as failed half happened twice: at most the one start that was sent.
    assert!(world.rows().len() <= 2, "{:#?}", world.rows());
    world.start_actor("later", &["lines"]);
    wait_row(&terminal, "later", Working);
}

// The daemon leaks the environment of the session that started it into all others.
#[test]
fn f24_a_session_gets_the_environment_of_who_starts_it() {
    let world = World::new();
    let mut first = world.runner_command(&["ls"]);
    first.env("FOO", "1").env("ONLY_DAEMON", "leaked");
    run::run(first, b"", DEADLINE).ok();
    let mut start = world.runner_command(&[
        "start",
        "--",
        "actor",
        "env",
        "FOO",
        "env",
        "ONLY_DAEMON",
        "env",
        "AGENT_BOARD_SESSION",
        "wait",
    ]);
    start.env("FOO", "2");
    let id = run::run(start, b"", DEADLINE).ok().line();
    let screen = world.wait_text(&id, "AGENT_BOARD_SESSION=");
    assert!(screen.contains("FOO=2") && screen.contains("ONLY_DAEMON=(unset)"), "{screen}");
    assert!(screen.contains(&format!("AGENT_BOARD_SESSION={id}")), "{screen}");
    // From a board it is the environment of that zellij session.
    let mut command = world.runner_command(&["up"]);
    command.env("FOO", "3");
    let terminal = world.terminal_with("board", command);
    terminal.wait("a board", is_board);
    crate::support::insert(&terminal, "exec actor env FOO env ONLY_DAEMON wait");
    let started = eventually("a second row", || {
        world.rows().iter().map(|row| row["id"].as_str().unwrap().to_owned()).find(|other| *other != id)
    });
    let screen = world.wait_text(&started, "ONLY_DAEMON=");
    assert!(screen.contains("FOO=3") && screen.contains("ONLY_DAEMON=(unset)"), "{screen}");
    // The secret of a session is its own.
    let token = |session: &str| {
        world
            .processes()
            .iter()
            .find(|process| process.variable("AGENT_BOARD_SESSION").as_deref() == Some(session))
            .and_then(|process| process.variable("AGENT_BOARD_TOKEN"))
    };
    let (mine, other) = (token(&id).expect("a token"), token(&started).expect("a token"));
    assert!(mine.len() == 32 && mine != other);
}

// `zellij pipe` blocks until every instance consumes; one at its permission prompt blocks all, and every event leaks a
// process and two descriptors.
#[test]
fn h1_five_hundred_changes_while_nobody_answers_the_prompt_leak_nothing() {
    let world = World::with(Grant::Unasked, "");
    let terminal = world.terminal("prompt", &["host-runner", "up"]);
    terminal.wait("zellij's question", |screen| screen.has("(y/n)"));
    let id = world.start_actor("noisy", &["osc", "x", "lines"]);
    world.wait_text(&id, "lines:");
    let server = world.zellij_servers().remove(0);
    let pipes = || world.processes().iter().filter(|process| process.is_zellij_pipe()).count();
    let before = server.descriptors();
    let mut most = 0;
    // Starts and removals change the board at least five times each.
    for number in 0..50 {
        let id = world.start_actor(&format!("brief{number}"), &["exit", "0"]);
        world.wait_state(&id, "idle");
        world.runner(&["rm", &id]).ok();
        most = most.max(pipes());
    }
    assert!(most <= 2, "{most} pipes at once");
    let after = server.descriptors();
    assert!(after <= before + 8, "the server's descriptors went from {before} to {after}");
    terminal.send("y");
    wait_row(&terminal, "noisy", Working);
    let screen = terminal.screen();
    assert!(!screen.has("brief"), "the newest board, not the queue of all:\n{screen}");
    eventually("one pair of pipes", || (pipes() == 2).then_some(()));
}

/// How long the answer to zellij's question may take to reach another client's instance by itself.
const ANSWER_SPREADS: std::time::Duration = std::time::Duration::from_secs(5);

// A background instance cannot get its permission, and its siblings stay blocked.
#[test]
fn h4_the_question_appears_in_front_and_all_instances_work_after_it() {
    let world = World::with(Grant::Unasked, "");
    let first = world.terminal("first", &["host-runner", "up"]);
    first.wait("the question in the focused pane", |screen| screen.has("(y/n)"));
    // Its instance waits in the background: whatever it shows, it keeps nobody from working.
    let second = join(&world, "second");
    first.send("y");
    first.wait("a board", is_board);
    // zellij shows its question to the first client only, and tells the answer to that client's instance. The other one
    // may have heard of it, or show nothing: then any key asks again.
    if !second.shows_within(ANSWER_SPREADS, |screen| screen.has("(y/n)") || is_board(screen)) {
        second.send(keys::ESC);
    }
    second.wait("the question or a board", |screen| screen.has("(y/n)") || is_board(screen));
    if second.screen().has("(y/n)") {
        second.send("y");
    }
    second.wait("a board", is_board);
    world.start_actor("seen", &["lines"]);
    wait_row(&first, "seen", Working);
    wait_row(&second, "seen", Working);
}

// Messages before the grant are dropped; a denial leaves a blank pane.
#[test]
fn h8_what_happened_before_the_grant_is_there_after_it_and_a_denial_is_text() {
    let world = World::with(Grant::Unasked, "");
    world.start_actor("early", &["lines"]);
    let terminal = world.terminal("up", &["host-runner", "up"]);
    terminal.wait("zellij's question", |screen| screen.has("(y/n)"));
    world.start_actor("during", &["lines"]);
    terminal.send("n");
    let screen = terminal
        .wait("a text", |screen| screen.text().to_lowercase().contains("permission") && !screen.has("(y/n)"));
    let words = screen.text().split_whitespace().count();
    assert!(words > 8, "no blank pane:\n{screen}");
    terminal.send(keys::ENTER);
    terminal.wait("the question again", |screen| screen.has("(y/n)"));
    terminal.send("y");
    wait_row(&terminal, "early", Working);
    wait_row(&terminal, "during", Working);
}

// A command pane of a program that just ended stays with a re-run banner, or deadlocks.
#[test]
fn h15_attaching_to_what_just_ended_leaves_no_pane_behind() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("ended", &["say", "over", "exit", "0"]);
    wait_row(&terminal, "ended", Idle);
    // By the command line: refused in words.
    let mut attach = world.terminal("attach", &["host-runner", "attach", "ended"]);
    assert_eq!(attach.wait_ended().code(), Some(1), "{}", attach.screen());
    assert!(attach.screen().text().contains("ended"), "{}", attach.screen());
    // At the board: it says how it ended.
    select(&terminal, "ended");
    terminal.send(keys::RIGHT);
    terminal.wait_for("(y/N)");
    terminal.send("n");
    terminal.wait_gone("(y/N)");
    // The race: it ends while the pane opens, before the board can know.
    for round in 0..5 {
        let name = format!("race{round}");
        let id = world.start_actor(&name, &["lines"]);
        world.wait_text(&id, "lines:");
        wait_row(&terminal, &name, Working);
        select(&terminal, &name);
        let program =
            world.processes().into_iter().find(|process| process.line().ends_with("actor lines")).unwrap();
        terminal.send(keys::RIGHT);
        // Seen only once the board has acted on the key: before that it would still look as it does at the end.
        eventually("an attach client", || (!world.runners("attach").is_empty()).then_some(()));
        world.signal(&program, Signal::KILL);
        world.wait_state(&id, "failed");
        let screen = terminal.wait("the board with the failed row", |screen| {
            screen.state_of(&name) == Some(Failed) && is_board(screen)
        });
        if screen.has("Run it again?") {
            terminal.send("n");
            terminal.wait_gone("Run it again?");
        }
        world.wait_runners("attach", 0);
    }
    world.wait_tabs("agent-board", 1);
    // The bar of tabs is drawn a moment after the tab is gone.
    terminal.wait_gone("EXIT CODE");
}

// Control bytes in what an agent says reach the person's terminal through the board.
#[test]
fn c22_control_characters_of_a_session_never_reach_the_board() {
    let world = World::new();
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}evil\u{85}\u{9b}31m";
    world.start(&["--name", evil, "--", "actor", "lines"]);
    // Everything that a session can say: its title, its command line, its output.
    world.start(&[
        "--name",
        "teller",
        "--",
        "actor",
        "osc",
        "t\u{202e}\u{85}itle",
        "raw",
        "1b5d303b6f776e656407",
        "say",
        evil,
        "lines",
    ]);
    let terminal = up(&world);
    wait_row(&terminal, "teller", Working);
    let list = world.runner(&["ls", "--json"]).ok();
    let rows = list.json();
    let forbidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    for row in rows.as_array().unwrap() {
        for (field, value) in row.as_object().unwrap() {
            if let Some(text) = value.as_str() {
                assert!(!text.chars().any(forbidden), "{field}: {text:?}");
            }
        }
    }
    let plain = world.runner(&["ls"]).ok().stdout;
    assert!(!plain.chars().any(|c| c != '\n' && forbidden(c)), "{plain:?}");
    let screen = terminal
        .wait("both rows", |screen| screen.groups().iter().map(|group| group.rows.len()).sum::<usize>() == 2);
    assert!(!screen.text().chars().any(|c| c != '\n' && forbidden(c)), "{screen}");
    assert!(!screen.title().contains("owned"), "{}", screen.title());
    assert!(screen.has("evil"), "the harmless rest is shown:\n{screen}");
    assert!(!screen.has(EMPTY));
}
