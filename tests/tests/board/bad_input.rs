//! What nobody wants: directories that are gone, paths without room for a socket, full disks, damaged stores. Each is
//! said in words that help, and nothing else is lost.

use crate::support::{EMPTY, enter, insert, is_board, up, wait_row};
use board_protocol::state::SemanticState::Working;
use e2e::{World, processes::Process, run, wait::DEADLINE};
use rustix::process::geteuid;
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// Shortest root whose sockets do not fit into it: a socket's path has at most 107 bytes, and the names in the root take
/// 30 of them.
const LONG_NAME_BYTES: usize = 120;

#[test]
fn a_directory_that_vanished_is_said_and_leaves_no_row() {
    let world = World::new();
    world.rows();
    let gone = world.path("home/gone");
    fs::create_dir(&gone).unwrap();
    // The person stands in a directory that somebody else removes.
    let mut here = world.command("/bin/sh");
    here.args(["-c", "cd gone && rmdir ../gone && exec host-runner start -- actor wait"]);
    let refused = run::run(here, b"", DEADLINE).expect_code(1);
    assert!(refused.stderr.contains("is gone") && refused.stderr.contains("cd "), "{refused:?}");
    let gone = gone.to_str().unwrap();
    let refused = world.runner(&["start", "--cwd", gone, "--", "actor", "wait"]).expect_code(1);
    assert!(refused.stderr.contains("there is no directory") && refused.stderr.contains(gone), "{refused:?}");
    assert_eq!(world.rows(), Vec::<Value>::new());
    // At the board the words come back into the line, with the reason.
    let mut below = world.runner_command(&["up"]);
    fs::create_dir(gone).unwrap();
    below.current_dir(gone);
    let terminal = world.terminal_with("up", below);
    terminal.wait("a board", is_board);
    fs::remove_dir(gone).unwrap();
    insert(&terminal, "exec actor wait");
    let screen = terminal.wait_for("there is no directory");
    assert!(screen.has("exec actor wait"), "the words are not lost:\n{screen}");
    assert_eq!(world.rows(), Vec::<Value>::new());
}

#[test]
fn a_directory_without_rights_is_said_and_leaves_no_row() {
    let world = World::new();
    let closed = world.path("home/closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let closed = closed.to_str().unwrap();
    let start = ["start", "--cwd", closed, "--", "actor", "wait"];
    let command = if geteuid().is_root() {
        // Root may enter everything by two capabilities; without them it is asked like anybody else. The daemon is
        // started by this command and has no more than it.
        let mut command = world.command("setpriv");
        command.args(["--bounding-set", "-dac_override,-dac_read_search", "host-runner"]).args(start);
        command
    } else {
        world.runner_command(&start)
    };
    let refused = run::run(command, b"", DEADLINE).expect_code(1);
    assert!(refused.stderr.contains("may not enter") && refused.stderr.contains(closed), "{refused:?}");
    assert_eq!(world.rows(), Vec::<Value>::new());
}

/// Sockets that lie beside a root, removed with the test.
struct Beside(PathBuf);

impl Drop for Beside {
    fn drop(&mut self) {
        if let Ok(directory) = fs::read_to_string(self.0.join("sockets-are-in")) {
            let _ = fs::remove_dir_all(directory.trim());
        }
    }
}

#[test]
fn a_root_whose_path_has_no_room_for_a_socket_works_like_any_other() {
    let mut world = World::new();
    let root = world.path(&"r".repeat(LONG_NAME_BYTES));
    world.set_variable("AGENT_BOARD_ROOT", &root);
    let _beside = Beside(root.clone());
    let terminal = up(&world);
    let id = world.start_actor("far", &["say", "here I am", "lines"]);
    wait_row(&terminal, "far", Working);
    enter(&terminal, "far", "here I am");
    terminal.line("heard");
    terminal.wait_for("got: heard");
    let elsewhere = PathBuf::from(fs::read_to_string(root.join("sockets-are-in")).unwrap().trim());
    assert!(elsewhere.starts_with("/tmp") && elsewhere.is_dir(), "{}", elsewhere.display());
    assert_eq!(fs::metadata(&elsewhere).unwrap().permissions().mode() & 0o777, 0o700);
    let socket = world.runner(&["show", &id, "--json"]).ok().json()["host"]["socket"].clone();
    assert!(Path::new(socket.as_str().unwrap()).starts_with(&elsewhere), "{socket}");
    world.runner(&["stop", &id]).ok();
    world.wait_state(&id, "stopped");
}

/// A small file system of its own, as long as it lives.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where nothing may be mounted.
    fn mount(at: PathBuf, kib: u32) -> Option<Self> {
        fs::create_dir_all(&at).unwrap();
        let size = format!("size={kib}k,mode=700");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "agent-board-test"]).arg(&at).output();
        mounted.is_ok_and(|mount| mount.status.success()).then_some(Self(at))
    }

    /// Takes all the room that is left. Where it is taken.
    fn fill(&self) -> PathBuf {
        let ballast = self.0.join("ballast");
        let zeroes = vec![0; 4096];
        let mut file = fs::File::create(&ballast).unwrap();
        while std::io::Write::write_all(&mut file, &zeroes).is_ok() {}
        ballast
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: what runs in the world still has files open there.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_said_and_what_was_stored_stays() {
    let world = World::new();
    let Some(disk) = SmallDisk::mount(world.root(), 4 * 1024) else {
        eprintln!("SKIPPED: a small file system cannot be mounted here; run this test as root");
        return;
    };
    let terminal = up(&world);
    let id = world.start_actor("early", &["say", "still here", "lines"]);
    wait_row(&terminal, "early", Working);
    let ballast = disk.fill();
    let refused = world.runner(&["start", "--name", "late", "--", "actor", "wait"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("cannot be written") || refused.stderr.contains("full"), "{refused:?}");
    assert!(refused.stdout.is_empty(), "{refused:?}");
    // The board says it too, and what was there is there: seen, entered, answered.
    terminal.wait_for("cannot be written");
    assert!(terminal.screen().row_of("late").is_none(), "{}", terminal.screen());
    enter(&terminal, "early", "still here");
    terminal.line("and heard");
    terminal.wait_for("got: and heard");
    crate::support::leave(&terminal);
    // Room again: the same command works, and the line about it goes.
    fs::remove_file(ballast).unwrap();
    world.start_actor("late", &["wait"]);
    wait_row(&terminal, "late", Working);
    terminal.wait_gone("cannot be written");
    assert_eq!(world.row(&id).unwrap()["state"], "working");
    let names: Vec<Value> = world.rows().iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names, ["early", "late"], "nothing half done was left");
}

#[test]
fn f11_a_damaged_store_is_kept_aside_and_the_board_says_so() {
    let world = World::new();
    let id = world.start_actor("running", &["say", "alive", "lines"]);
    world.wait_text(&id, "alive");
    world.runner(&["shutdown"]).ok();
    let store = world.root().join("board.db");
    let garbage = b"this is no database. ".repeat(1_000);
    fs::write(&store, &garbage).unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(world.root().join(format!("board.db{suffix}")));
    }
    let terminal = up(&world);
    let screen = terminal.wait("what happened", |screen| screen.has("damaged") && screen.has("kept as"));
    assert!(screen.has(EMPTY), "it starts empty:\n{screen}");
    let kept: Vec<PathBuf> = fs::read_dir(world.root())
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains("damaged-")))
        .collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(fs::read(&kept[0]).unwrap(), garbage, "nothing of it was lost");
    // The session that ran goes on, although no row knows it.
    let hosts = world.runners("host");
    assert!(hosts.len() == 1 && hosts.iter().all(Process::runs), "{hosts:?}");
    assert!(world.processes().iter().any(|process| process.line().ends_with("actor say alive lines")));
    // The board works.
    world.start_actor("new", &["lines"]);
    wait_row(&terminal, "new", Working);
}
