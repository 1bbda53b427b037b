//! Flow 1: `host-runner up` opens the board, in whatever situation the person is.

use crate::support::{EMPTY, insert, is_board, kinds_of_processes, up, up_as, wait_locked, wait_row};
use board_protocol::state::SemanticState::Working;
use e2e::{Terminal, World, keys, wait::eventually};
use std::{
    fs,
    io::Read,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
};

/// The session that `up` opens.
const SESSION: &str = "agent-board";

#[test]
fn flow1_up_opens_the_board_in_the_first_tab_above_a_status_pane_with_the_link() {
    let world = World::new();
    let terminal = up(&world);
    let screen = terminal.wait_for(EMPTY);
    world.wait_runners("link", 1);
    let servers = world.zellij_servers();
    assert_eq!(servers.len(), 1, "{servers:?}");
    let link = world.runners("link").remove(0);
    // The layout starts it in a pane: it belongs to the zellij server and has a terminal.
    assert_eq!(link.parent, servers[0].identity.pid, "{}", kinds_of_processes(&world));
    let layout = world.zellij(&["--session", SESSION, "action", "dump-layout"]).ok().stdout;
    let plugin = format!("file:{}", world.plugin().display());
    assert!(layout.contains(&plugin), "one absolute path to the plugin:\n{layout}");
    let tabs = layout.lines().filter(|line| line.trim_start().starts_with("tab ")).count();
    assert_eq!(tabs, 1, "{layout}");
    assert!(layout.contains("size=1"), "a status pane of one row:\n{layout}");
    // The board has the whole width and all rows but the status row and zellij's own bars.
    assert!(screen.lines().len() == 36, "{screen}");
    drop(terminal);
}

#[test]
fn flow1_no_arguments_on_a_terminal_is_up_and_help_elsewhere() {
    let world = World::new();
    let terminal = world.terminal("plain", &["host-runner"]);
    terminal.wait_for(EMPTY);
    let elsewhere = world.runner(&[]);
    let said = format!("{}{}", elsewhere.stdout, elsewhere.stderr);
    assert!(said.contains("Usage"), "{elsewhere:?}");
}

#[test]
fn flow1_inside_a_session_up_opens_the_board_as_a_new_tab() {
    let world = World::new();
    let terminal = bare_zellij(&world);
    terminal.line("host-runner up");
    terminal.wait("the board", is_board);
    eventually("no session inside a session", || (world.zellij_servers().len() == 1).then_some(()));
    // It works as any other board: a session is started from it.
    insert(&terminal, "actor wait");
    terminal.wait("a running row", |screen| screen.groups().iter().any(|group| group.state == Working));
    // The tab that the person came from is still there.
    world.wait_tabs("mine", 2);
}

#[test]
fn flow1_up_attaches_to_the_running_session() {
    let world = World::new();
    let first = up(&world);
    world.start_actor("shared", &["wait"]);
    wait_row(&first, "shared", Working);
    let second = up_as(&world, "second");
    wait_row(&second, "shared", Working);
    eventually("one server", || (world.zellij_servers().len() == 1).then_some(()));
    world.wait_runners("link", 1);
}

#[test]
fn flow1_up_deletes_a_dead_session_and_starts_afresh() {
    let world = World::with(e2e::world::Grant::Given, "serialization_interval 1");
    let mut terminal = up(&world);
    world.start_actor("before", &["wait"]);
    wait_row(&terminal, "before", Working);
    let cache = world
        .path(&format!("home/.cache/zellij/contract_version_1/session_info/{SESSION}/session-layout.kdl"));
    eventually("zellij keeps the session's layout", || cache.exists().then_some(()));
    world.kill(&world.zellij_servers()[0]);
    terminal.wait_ended();
    let listed = world.zellij(&["list-sessions", "--no-formatting"]).stdout;
    assert!(listed.contains(SESSION) && listed.contains("EXITED"), "a dead session: {listed}");
    let again = up_as(&world, "again");
    wait_row(&again, "before", Working);
    // Not resurrected: no pane waits to be run.
    assert!(!again.screen().has("Waiting to run"), "{}", again.screen());
    world.wait_runners("link", 1);
}

#[test]
fn flow1_up_takes_the_zellij_of_path_only_if_its_version_is_supported() {
    let world = World::new();
    shadow_zellij(&world, "zellij 0.30.0");
    // Neither a supported one in PATH nor a pinned one: said in words, nothing started.
    let mut lost = world.terminal("lost", &["host-runner", "up"]);
    assert_eq!(lost.wait_ended().code(), Some(3), "{}", lost.screen());
    let said = lost.screen().text().replace('\n', "");
    assert!(said.contains("0.30.0") && said.contains("0.45"), "{said}");
    // With the pinned one in its place it is used.
    let pinned = world.path("home/.cache/agent-board/zellij-0.45.1/bin");
    fs::create_dir_all(&pinned).unwrap();
    symlink(&world.programs().zellij, pinned.join("zellij")).unwrap();
    up(&world);
    let server = world.zellij_servers().remove(0);
    assert_eq!(server.executable, world.programs().zellij);
}

#[test]
fn flow1_inside_a_session_the_servers_own_binary_is_used() {
    let world = World::new();
    let zellij = world.programs().zellij.to_str().unwrap().to_owned();
    shadow_zellij(&world, "zellij 0.30.0");
    let terminal = world.terminal("own", &[&zellij, "--session", "mine"]);
    terminal.wait("a prompt", |screen| screen.has("mine") && screen.has("$"));
    terminal.line("host-runner up");
    terminal.wait("the board", is_board);
    let pipes = eventually("both pipes of the link", || {
        let pipes: Vec<_> =
            world.processes().into_iter().filter(|process| process.is_zellij_pipe()).collect();
        (pipes.len() == 2).then_some(pipes)
    });
    assert!(pipes.iter().all(|pipe| pipe.executable == world.programs().zellij), "{pipes:?}");
}

#[test]
fn flow1_the_plugin_lies_at_a_stable_path_and_is_replaced_by_rename() {
    let world = World::new();
    let plugin = world.plugin();
    fs::create_dir_all(plugin.parent().unwrap()).unwrap();
    fs::write(&plugin, "an older plugin").unwrap();
    let mut older = fs::File::open(&plugin).unwrap();
    let terminal = up(&world);
    terminal.wait_for(EMPTY);
    let meta = fs::metadata(&plugin).unwrap();
    assert_ne!(meta.ino(), older.metadata().unwrap().ino(), "written in place");
    let mut text = String::new();
    older.read_to_string(&mut text).unwrap();
    assert_eq!(text, "an older plugin", "who had the old file open still reads it");
    assert_eq!(fs::read(&plugin).unwrap(), fs::read(&world.programs().plugin).unwrap());
    let unchanged = meta.ino();
    drop(terminal);
    up_as(&world, "again");
    assert_eq!(fs::metadata(&plugin).unwrap().ino(), unchanged, "the same plugin is left alone");
}

#[test]
fn flow1_permissions_are_asked_for_once_for_everything() {
    let world = World::with(e2e::world::Grant::Unasked, "");
    let terminal = world.terminal("ask", &["host-runner", "up"]);
    terminal.wait("zellij's question", |screen| screen.has("(y/n)"));
    terminal.send("y");
    terminal.wait_for(EMPTY);
    // Every kind of thing that the plugin does, without another question.
    insert(&terminal, "exec actor lines");
    terminal.wait("a running row", |screen| screen.groups().iter().any(|group| group.state == Working));
    terminal.send(keys::RIGHT);
    terminal.wait_for("lines:");
    wait_locked(&terminal);
    terminal.line("locked");
    terminal.wait_for("got: locked");
    terminal.send(keys::DETACH);
    terminal.wait("the board again", is_board);
    let granted = fs::read_to_string(world.permissions_file()).unwrap();
    assert_eq!(granted.matches(".wasm").count(), 1, "{granted}");
    world.kill(&world.zellij_servers()[0]);
    let again = world.terminal("again", &["host-runner", "up"]);
    again.wait("the board without a question", |screen| {
        assert!(!screen.has("(y/n)"), "asked again:\n{screen}");
        is_board(screen)
    });
}

/// A zellij that is not ours, with a shell in it.
fn bare_zellij(world: &World) -> Terminal {
    let terminal = world.terminal("bare", &["zellij", "--session", "mine"]);
    terminal.wait("a prompt", |screen| screen.has("mine") && screen.has("$"));
    terminal
}

/// Puts a program that only tells a version in place of PATH's zellij.
fn shadow_zellij(world: &World, version: &str) {
    let path = world.path("bin/zellij");
    fs::remove_file(&path).unwrap();
    write_script(
        &path,
        &format!("#!/bin/sh\n[ \"$1\" = --version ] || [ \"$1\" = -V ] || exit 70\necho '{version}'\n"),
    );
}

fn write_script(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
