//! The command line: every command with its exit codes, and what its JSON holds.

use crate::support::{is_session_id, kinds_of_processes};
use e2e::{World, wait::eventually};
use rustix::process::Signal;
use serde_json::Value;

/// What an element of `ls --json` has at least, and of which type: `s`tring, `b`ool, `n`umber, `?` string or null.
const FIELDS: [(&str, char); 14] = [
    ("id", 's'),
    ("name", 's'),
    ("agent", 's'),
    ("state", 's'),
    ("process_state", 's'),
    ("host_state", 's'),
    ("busy", 'b'),
    ("summary", 's'),
    ("question", '?'),
    ("cwd", 's'),
    ("pinned", 'b'),
    ("unread", 'b'),
    ("created_at_ms", 'n'),
    ("last_activity_at_ms", 'n'),
];

#[test]
fn start_prints_the_id_and_ls_has_every_field() {
    let world = World::new();
    let id = world.start_actor("clerk", &["say", "ready", "wait"]);
    assert!(is_session_id(&id), "{id:?}");
    let row = world.wait_row(&id, "running", |row| row["host_state"] == "alive");
    for (field, kind) in FIELDS {
        let value = &row[field];
        let fits = match kind {
            's' => value.is_string(),
            'b' => value.is_boolean(),
            'n' => value.as_u64().is_some_and(|number| number > 1_600_000_000_000),
            _ => value.is_null() || value.is_string(),
        };
        assert!(fits, "{field} is {value} in {row:#}");
    }
    assert_eq!(row["id"], *id);
    assert_eq!(row["name"], "clerk");
    assert_eq!(row["agent"], "generic");
    assert_eq!((&row["state"], &row["process_state"]), (&"working".into(), &"alive".into()));
    assert_eq!(row["busy"], true);
    assert_eq!(row["pinned"], false);
    assert_eq!(row["cwd"].as_str(), world.home().to_str());
    let text = world.runner(&["ls"]).ok().stdout;
    assert!(text.contains("clerk") && text.contains("Running"), "{text}");
}

#[test]
fn ls_of_an_empty_board_is_an_empty_list() {
    let world = World::new();
    assert_eq!(world.rows(), Vec::<Value>::new());
    assert_eq!(world.runner(&["ls"]).ok().code, Some(0));
}

#[test]
fn a_start_takes_a_directory_a_size_a_name_and_a_task() {
    let world = World::new();
    let work = world.path("home/work").canonicalize().unwrap();
    let cwd = work.to_str().unwrap();
    let id = world.start(&["--name", "placed", "--cwd", cwd, "--size", "77x13", "--", "actor", "size"]);
    world.wait_text(&id, "size 77x13");
    assert_eq!(world.row(&id).unwrap()["cwd"], cwd);

    // A task of the generic agent is a command line for the person's shell.
    let id = world.start(&["--cwd", cwd, "echo in=$(pwd) sum=$((40+2)); exec actor wait"]);
    let screen = world.wait_text(&id, "sum=42");
    assert!(screen.replace('\n', "").contains(&format!("in={cwd}")), "{screen}");

    // Words after -- are taken literally, whatever a shell would make of them.
    let id = world.start(&["--", "actor", "say", "$HOME; * \"'", "wait"]);
    world.wait_text(&id, "$HOME; * \"'");
    let names: Vec<String> =
        world.rows().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect();
    assert!(names.iter().all(|name| !name.is_empty()), "a name is made where none was given: {names:?}");
}

#[test]
fn a_session_is_found_by_id_by_prefix_and_by_name() {
    let world = World::new();
    let first = world.start_actor("alpha", &["wait"]);
    let second = world.start_actor("beta", &["wait"]);
    let prefix =
        (1..first.len()).map(|end| &first[..end]).find(|prefix| !second.starts_with(prefix)).unwrap();
    for word in [first.as_str(), prefix, "alpha"] {
        let shown = world.runner(&["show", word, "--json"]).ok().json();
        let shown_id = shown.get("id").or_else(|| shown["row"].get("id")).cloned();
        assert_eq!(shown_id, Some(Value::from(first.as_str())), "{word}: {shown:#}");
    }
    // Two sessions may have one name; then the name is refused and both are told apart.
    let third = world.start_actor("alpha", &["wait"]);
    let refused = world.runner(&["show", "alpha"]).expect_code(1);
    assert!(refused.stderr.contains(&first) && refused.stderr.contains(&third), "{refused:?}");
    let refused = world.runner(&["stop", "nobody"]).expect_code(1);
    assert!(refused.stderr.contains("nobody"), "{refused:?}");
    for command in ["show", "screen", "interrupt", "stop", "rm"] {
        let refused = world.runner(&[command, "nobody"]).expect_code(1);
        assert!(refused.stderr.contains("nobody"), "{refused:?}");
        assert!(refused.stdout.is_empty(), "{refused:?}");
        world.runner(&[command]).expect_code(2);
    }
    let mut attach = world.terminal("attach", &["host-runner", "attach", "nobody"]);
    assert_eq!(attach.wait_ended().code(), Some(1), "{}", attach.screen());
    assert!(attach.screen().has("nobody"), "{}", attach.screen());
}

#[test]
fn show_says_what_runs_where() {
    let world = World::new();
    let id = world.start_actor("shown", &["say", "up", "wait"]);
    world.wait_text(&id, "up");
    let shown = world.runner(&["show", "shown", "--json"]).ok().json();
    let text = shown.to_string();
    let child = world.processes().into_iter().find(|process| process.line().ends_with("actor say up wait"));
    let child = child.expect("the session's program").identity;
    assert!(text.contains(&child.pid.to_string()) && text.contains("actor"), "{shown:#}");
    let human = world.runner(&["show", "shown"]).ok().stdout;
    assert!(human.contains("shown") && human.contains(&id) && human.contains("Running"), "{human}");
}

#[test]
fn screen_prints_text_attributes_and_history() {
    let world = World::new();
    let id = world.start(&[
        "--size",
        "60x10",
        "--",
        "actor",
        "flood",
        "30",
        "raw",
        "1b5b33316d7265641b5b6d0a",
        "wait",
    ]);
    let screen = world.wait_text(&id, "red");
    assert!(screen.contains("line 30\n") && !screen.contains("line 5\n"), "{screen}");
    assert!(!screen.contains('\x1b'), "{screen:?}");
    let ansi = world.runner(&["screen", &id, "--ansi"]).ok().stdout;
    assert!(ansi.contains("\x1b[31mred") || ansi.contains("31mred"), "{ansi:?}");
    let history = world.runner(&["screen", &id, "--scrollback", "1000"]).ok().stdout;
    let expected: String = (1..=30).map(|number| format!("line {number}\n")).collect();
    assert!(history.starts_with(&expected), "{history}");
    let some = world.runner(&["screen", &id, "--scrollback", "3"]).ok().stdout;
    assert_eq!(some.matches("line ").count(), screen.matches("line ").count() + 3, "{some}");
}

#[test]
fn the_last_screen_of_an_ended_session_stays() {
    let world = World::new();
    let id = world.start_actor("brief", &["say", "last words", "exit", "3"]);
    let row = world.wait_state(&id, "failed");
    assert_eq!((&row["process_state"], &row["busy"]), (&"exited".into(), &false.into()), "{row:#}");
    assert!(row.to_string().contains('3'), "the reason names the exit code: {row:#}");
    world.wait_text(&id, "last words");
}

#[test]
fn every_way_to_end_has_its_state() {
    let world = World::new();
    let good = world.start_actor("good", &["exit", "0"]);
    let bad = world.start_actor("bad", &["exit", "7"]);
    let crashed = world.start_actor("crashed", &["crash"]);
    let stopped = world.start_actor("stopped", &["wait"]);
    let missing = world.runner(&["start", "--name", "missing", "--", "/no/such/program"]);
    world.wait_state(&good, "idle");
    assert!(world.wait_state(&bad, "failed").to_string().contains("code 7"));
    let reason = world.wait_state(&crashed, "failed").to_string();
    assert!(reason.contains("signal 6") || reason.contains("SIGABRT"), "{reason}");
    world.wait_state(&stopped, "working");
    world.runner(&["stop", "--no-wait", "stopped"]).ok();
    world.wait_state(&stopped, "stopped");
    // Refused at once, or a failed row: never a row that pretends to run.
    if missing.code == Some(0) {
        let row = world.wait_state("missing", "failed").to_string();
        assert!(row.contains("/no/such/program"), "{row}");
    } else {
        assert!(missing.code == Some(1) && missing.stderr.contains("/no/such/program"), "{missing:?}");
    }
    // Stopping what has ended is refused in words, or nothing to do; it never changes the row.
    let again = world.runner(&["stop", "bad"]);
    assert!(matches!(again.code, Some(0 | 1)), "{again:?}");
    assert_eq!(world.row(&bad).unwrap()["state"], "failed");
}

#[test]
fn a_bad_start_is_refused_and_leaves_no_row() {
    let world = World::new();
    world.runner(&["start", "--cwd", "/no/such/directory", "--", "actor", "wait"]).expect_code(1);
    world.runner(&["start", "--agent", "nobody-knows-it", "a task"]).expect_code(1);
    world.runner(&["start"]).expect_code(2);
    world.runner(&["start", "--size", "huge", "--", "actor", "wait"]).expect_code(2);
    world.runner(&["start", "--no-such-option"]).expect_code(2);
    world.runner(&["no-such-command"]).expect_code(2);
    let blank = world.runner(&["start", "   "]);
    assert!(matches!(blank.code, Some(1 | 2)), "{blank:?}");
    assert_eq!(world.rows(), Vec::<Value>::new());
}

#[test]
fn interrupt_writes_ctrl_c_to_a_generic_session() {
    let world = World::new();
    let id = world.start_actor("typed", &["hex"]);
    world.wait_text(&id, "hex:");
    world.runner(&["interrupt", "typed"]).ok();
    let screen = world.wait_text(&id, "<03>");
    assert_eq!(screen.matches("<03>").count(), 1, "one key, once: {screen}");
    assert_eq!(world.row(&id).unwrap()["state"], "working");
    world.runner(&["stop", "typed"]).ok();
    world.wait_state(&id, "stopped");
    world.runner(&["interrupt", "typed"]).expect_code(1);
}

#[test]
fn stop_ends_the_tree_also_a_stubborn_one_and_lists_what_left_it() {
    let world = World::new();
    let id = world.start_actor("tree", &["child", "stray", "stubborn", "wait"]);
    let screen = world.wait_text(&id, "stubborn");
    let pid = |name: &str| {
        let line = screen.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u32>().unwrap()
    };
    let (child, stray) = (pid("child "), pid("stray "));
    let process = |pid| world.processes().into_iter().find(|process| process.identity.pid == pid);
    let (child, stray) = (process(child).unwrap(), process(stray).unwrap());
    assert_ne!(stray.session, child.session, "it left");
    world.runner(&["stop", "tree"]).ok();
    // It returns once everything has ended.
    assert_eq!(world.row(&id).unwrap()["state"], "stopped");
    assert!(!child.runs(), "{child:?}");
    assert!(stray.runs(), "what left the tree on purpose is ended only on request");
    let shown = world.runner(&["show", "tree", "--json"]).ok().json().to_string();
    assert!(shown.contains(&stray.identity.pid.to_string()), "{shown}");
    assert!(
        !world.processes().iter().any(|process| process.line().ends_with("actor child stray stubborn wait"))
    );
}

#[test]
fn rm_takes_the_row_and_stops_a_running_one() {
    let world = World::new();
    let id = world.start_actor("gone", &["wait"]);
    world.wait_state(&id, "working");
    world.runner(&["rm", "gone"]).ok();
    eventually("no row", || world.row(&id).is_none().then_some(()));
    eventually("no process", || {
        (!world.processes().iter().any(|process| process.line().ends_with("actor wait"))).then_some(())
    });
    world.wait_runners("host", 0);
    world.runner(&["show", &id]).expect_code(1);
}

#[test]
fn shutdown_keeps_the_sessions_and_kill_hosts_ends_them() {
    let world = World::new();
    let id = world.start_actor("survivor", &["say", "here", "lines"]);
    world.wait_text(&id, "here");
    let daemon = world.daemon();
    let host = world.runners("host");
    world.runner(&["shutdown"]).ok();
    eventually("the end of the daemon", || (!daemon.runs()).then_some(()));
    assert!(host.iter().all(e2e::processes::Process::runs) && host.len() == 1, "{host:?}");
    // The next command of a person starts it again, and it adopts what runs.
    let row = world.wait_row(&id, "adopted", |row| row["host_state"] == "alive");
    assert_eq!(row["state"], "working");
    world.wait_text(&id, "here");
    world.runner(&["shutdown", "--kill-hosts"]).ok();
    eventually("the end of everything", || world.processes().is_empty().then_some(()));
    let row = world.row(&id).expect("its row stays");
    assert_eq!((&row["state"], &row["busy"]), (&"stopped".into(), &false.into()), "{row:#}");
}

#[test]
fn a_hook_says_nothing_and_always_succeeds() {
    let world = World::new();
    // Outside any session, with a socket that is not there, with garbage on its input.
    for (variables, input) in [
        (vec![], &b"{}"[..]),
        (
            vec![
                ("AGENT_BOARD_SESSION", "0123456789"),
                ("AGENT_BOARD_SOCKET", "/nowhere/at/all.sock"),
                ("AGENT_BOARD_TOKEN", "00000000000000000000000000000000"),
            ],
            &b"\xff\x00garbage"[..],
        ),
    ] {
        let mut command = world.runner_command(&["hook", "generic"]);
        command.envs(variables);
        let finished = e2e::run::run(command, input, e2e::wait::DEADLINE).ok();
        assert!(finished.stdout.is_empty() && finished.stderr.is_empty(), "{finished:?}");
    }
    assert!(
        world.runners("daemon").is_empty(),
        "a hook never starts the daemon: {}",
        kinds_of_processes(&world)
    );
}

#[test]
fn attach_works_in_any_terminal_and_detaches() {
    let world = World::new();
    let id = world.start_actor("plain", &["say", "hello there", "lines"]);
    world.wait_text(&id, "lines:");
    let mut terminal = world.terminal("attach", &["host-runner", "attach", "plain"]);
    terminal.wait_for("hello there");
    terminal.line("typed words");
    terminal.wait_for("got: typed words");
    terminal.send(e2e::keys::DETACH);
    assert_eq!(terminal.wait_ended().code(), Some(0));
    assert_eq!(world.row(&id).unwrap()["state"], "working");
    let mut again = world.terminal("again", &["host-runner", "attach", &id]);
    again.wait("nothing lost", |screen| screen.has("hello there") && screen.has("got: typed words"));
    again.line("quit");
    again.wait_ended();
    world.wait_state(&id, "idle");
    // Without a terminal there is nothing to attach to.
    let refused = world.runner(&["attach", "plain"]);
    assert!(matches!(refused.code, Some(1 | 2)) && !refused.stderr.is_empty(), "{refused:?}");
}

#[test]
fn start_with_attach_enters_the_session() {
    let world = World::new();
    let mut terminal = world.terminal(
        "start",
        &["host-runner", "start", "--attach", "--name", "entered", "--", "actor", "lines"],
    );
    terminal.wait_for("lines:");
    terminal.line("a word");
    terminal.wait_for("got: a word");
    terminal.send(e2e::keys::DETACH);
    assert_eq!(terminal.wait_ended().code(), Some(0));
    world.wait_state("entered", "working");
}

#[test]
fn an_unreachable_daemon_is_exit_code_3_or_4_with_what_to_do() {
    let world = World::new();
    world.rows();
    let daemon = world.daemon();
    world.signal(&daemon, Signal::STOP);
    // Every command that asks the daemon, at the same time: each waits for its own answer.
    let commands: [&[&str]; 23] = [
        &["ls"],
        &["start", "--", "true"],
        &["show", "x"],
        &["screen", "x"],
        &["reply", "x", "words"],
        &["queue", "x"],
        &["queue", "clear", "x"],
        &["interrupt", "x"],
        &["stop", "x"],
        &["done", "x"],
        &["hold", "x"],
        &["unhold", "x"],
        &["rm", "x"],
        &["export"],
        &["wait", "x", "--until", "idle"],
        &["explain", "x"],
        &["log", "x"],
        &["visit", "x"],
        &["rename", "x", "y"],
        &["pin", "x"],
        &["tag", "x"],
        &["shutdown"],
        &["up"],
    ];
    std::thread::scope(|scope| {
        let world = &world;
        let asked = commands.map(|command| scope.spawn(move || (command, world.runner(command))));
        for asked in asked {
            let (command, answer) = asked.join().unwrap();
            assert!(matches!(answer.code, Some(3 | 4)), "{command:?}: {answer:?}");
            assert!(answer.stdout.is_empty() && answer.stderr.contains("daemon"), "{command:?}: {answer:?}");
        }
    });
    // What needs no daemon does not notice.
    world.runner(&["config"]).ok();
    world.runner(&["completions", "bash"]).ok();
    world.runner(&["hook", "generic"]).ok();
    world.signal(&daemon, Signal::CONT);
    eventually("the daemon answers again", || (world.runner(&["ls"]).code == Some(0)).then_some(()));
}

#[test]
fn help_and_version_are_there() {
    let world = World::new();
    let help = world.runner(&["--help"]).ok().stdout;
    for command in [
        "up",
        "daemon",
        "link",
        "start",
        "ls",
        "show",
        "screen",
        "attach",
        "interrupt",
        "stop",
        "rm",
        "wait",
        "explain",
        "log",
        "visit",
        "rename",
        "pin",
        "tag",
        "hook",
        "shutdown",
        "reply",
        "queue",
        "done",
        "hold",
        "unhold",
        "export",
        "doctor",
        "config",
        "completions",
    ] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(command)), "{command} in {help}");
        assert!(!world.runner(&[command, "--help"]).ok().stdout.is_empty());
    }
    assert!(world.runner(&["--version"]).ok().stdout.starts_with("host-runner "));
    assert!(world.processes().is_empty(), "help starts nothing");
}
