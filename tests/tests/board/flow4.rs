//! Flow 4: things are killed. What belongs to the killed goes with it, everything else goes on, and no row lies.

use crate::support::{enter, insert, kinds_of_processes, up, up_as, wait_row};
use board_protocol::state::SemanticState::{Failed, Idle, Stopped, Working};
use e2e::{Screen, World, processes::Process, wait::eventually};

#[test]
fn flow4_a_killed_zellij_server_takes_its_processes_and_no_session() {
    let world = World::new();
    let mut terminal = up(&world);
    let id = world.start_actor("lives", &["say", "still here", "lines"]);
    world.start_actor("done", &["exit", "0"]);
    wait_row(&terminal, "lives", Working);
    wait_row(&terminal, "done", Idle);
    enter(&terminal, "lives", "still here");
    let belongs = |process: &Process| {
        process.is_zellij_pipe()
            || process.is_zellij_server()
            || process.is_runner("link")
            || process.is_runner("attach")
    };
    let before: Vec<Process> = world.processes().into_iter().filter(belongs).collect();
    assert!(before.len() >= 5, "server, link, two pipes, attach client: {}", kinds_of_processes(&world));
    let hosts = world.runners("host");
    world.kill(&world.zellij_servers()[0]);
    terminal.wait_ended();
    eventually("the end of everything that belonged to the server", || {
        (!before.iter().any(Process::runs)).then_some(())
    });
    eventually("no new ones", || (!world.processes().iter().any(belongs)).then_some(()));
    assert!(hosts.iter().all(Process::runs), "{hosts:?}");
    assert_eq!(world.row(&id).unwrap()["state"], "working");
    let again = up_as(&world, "again");
    wait_row(&again, "lives", Working);
    wait_row(&again, "done", Idle);
    enter(&again, "lives", "still here");
    again.line("after the crash");
    again.wait_for("got: after the crash");
}

#[test]
fn flow4_a_killed_daemon_comes_back_by_itself_and_adopts_its_hosts() {
    let world = World::new();
    let terminal = up(&world);
    let id = world.start_actor("adopted", &["say", "before", "lines"]);
    let ended = world.start_actor("ended", &["exit", "3"]);
    wait_row(&terminal, "adopted", Working);
    wait_row(&terminal, "ended", Failed);
    let (daemon, host) = (world.daemon(), world.runners("host"));
    assert_eq!(host.len(), 1, "{host:?}");
    world.kill(&daemon);
    // Nobody asks for it: links and hosts start it again.
    let next = eventually("another daemon", || {
        world.runners("daemon").into_iter().find(|process| process.identity != daemon.identity)
    });
    assert_ne!(next.identity, daemon.identity);
    wait_row(&terminal, "adopted", Working);
    wait_row(&terminal, "ended", Failed);
    let row = world.wait_row(&id, "adopted", |row| row["host_state"] == "alive");
    assert_eq!((&row["state"], &row["busy"]), (&"working".into(), &true.into()), "{row:#}");
    assert!(
        host[0].runs() && world.runners("host").len() == 1,
        "the same host: {}",
        kinds_of_processes(&world)
    );
    assert_eq!(world.row(&ended).unwrap()["state"], "failed");
    // Several may have been started at once; one serves, the others see it and end.
    world.daemon();
    // The board works as before.
    enter(&terminal, "adopted", "before");
    terminal.line("x");
    terminal.wait_for("got: x");
}

#[test]
fn flow4_while_the_daemon_is_gone_the_board_says_so_in_one_line() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("shown", &["wait"]);
    wait_row(&terminal, "shown", Working);
    // A person ended it: it stays away until a command of a person, so that the line can be read (decision 17).
    world.runner(&["shutdown"]).ok();
    let said = |screen: &Screen| {
        let board = screen.lines().iter().filter(|line| !line.starts_with(" Agent Board:"));
        board.filter(|line| line.contains("shut down") || line.contains("daemon")).count()
    };
    let screen = terminal.wait("a line about it, with what to do", |screen| {
        said(screen) > 0 && screen.has("shut down") && screen.has("host-runner ls")
    });
    assert_eq!(said(&screen), 1, "one line:\n{screen}");
    assert!(screen.row_of("shown").is_some(), "the last known rows stay:\n{screen}");
    world.wait_runners("daemon", 0);
    assert_eq!(world.rows().len(), 1);
    terminal.wait("the line is gone", |screen| said(screen) == 0);
    world.start_actor("later", &["wait"]);
    wait_row(&terminal, "later", Working);
}

#[test]
fn flow4_what_happens_while_the_daemon_is_gone_is_not_lost() {
    let world = World::new();
    let id = world.start_actor("meanwhile", &["lines"]);
    world.wait_text(&id, "lines:");
    let detail = world.runner(&["show", &id, "--json"]).ok().json();
    world.runner(&["shutdown"]).ok();
    world.wait_runners("daemon", 0);
    // The program ends while nobody keeps books; the host leaves the fact on disk.
    let child =
        world.processes().into_iter().find(|process| process.line().ends_with("actor lines")).unwrap();
    world.kill(&child);
    world.wait_runners("host", 0);
    let row = world.wait_state(&id, "failed");
    assert!(row.to_string().contains("signal 9"), "{row:#}\nwas {detail:#}");
    world.wait_text(&id, "lines:");
}

#[test]
fn flow4_a_killed_host_fails_its_row_with_a_reason_and_no_other() {
    let world = World::new();
    let terminal = up(&world);
    let victim = world.start_actor("victim", &["lines"]);
    world.start_actor("witness", &["lines"]);
    wait_row(&terminal, "victim", Working);
    wait_row(&terminal, "witness", Working);
    let hosts = world.runners("host");
    let host =
        hosts.iter().find(|host| host_of(&world, host, &victim)).unwrap_or_else(|| panic!("{hosts:?}"));
    world.kill(host);
    wait_row(&terminal, "victim", Failed);
    let row = world.wait_state(&victim, "failed");
    let reason = format!("{} {}", row["error"], row["summary"]).to_lowercase();
    assert!(reason.contains("host"), "a reason: {row:#}");
    assert_eq!(row["busy"], false, "{row:#}");
    wait_row(&terminal, "witness", Working);
    enter(&terminal, "witness", "lines:");
    terminal.line("untouched");
    terminal.wait_for("got: untouched");
    // What it ran is not left behind as an orphan.
    eventually("one program left", || {
        (world.processes().iter().filter(|process| process.line().ends_with("actor lines")).count() == 1)
            .then_some(())
    });
}

#[test]
fn flow4_a_stop_and_a_start_from_the_board_survive_a_killed_daemon() {
    let world = World::new();
    let terminal = up(&world);
    insert(&terminal, "exec actor wait");
    terminal.wait("a running row", |screen| screen.groups().iter().any(|group| group.state == Working));
    let id = world.rows()[0]["id"].as_str().unwrap().to_owned();
    let daemon = world.daemon();
    world.runner(&["stop", &id]).ok();
    world.kill(&daemon);
    let row = world.wait_state(&id, "stopped");
    assert_eq!(row["busy"], false, "{row:#}");
    terminal.wait("the stopped row", |screen| screen.groups().iter().any(|group| group.state == Stopped));
    eventually("no program", || {
        (!world.processes().iter().any(|process| process.line().ends_with("actor wait"))).then_some(())
    });
}

/// Whether this host process is the one of this session: its pid stands in what `show` says.
fn host_of(world: &World, host: &Process, session: &str) -> bool {
    let shown = world.runner(&["show", session, "--json"]).ok().json();
    shown["host"]["process"]["pid"] == host.identity.pid
}
