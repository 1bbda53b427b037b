//! Makes the pictures of the README: opens the board in a real zellij, drives it, and writes what it shows as SVG.
//!
//! `make pictures` calls it with the directory to write to. A second argument is another size: `80x24`.

use e2e::{Terminal, World, keys, picture::svg, world::Grant};
use std::{fs, path::Path, process::ExitCode};

/// The size of the pictures in cells: readable at the width of a README.
const SIZE: (u16, u16) = (110, 30);

fn main() -> ExitCode {
    let Some(directory) = std::env::args().nth(1) else {
        eprintln!("pictures: say where to: pictures DIRECTORY");
        return ExitCode::from(2);
    };
    let directory = Path::new(&directory);
    let size = std::env::args().nth(2);
    let size = size.as_deref().and_then(|size| size.split_once('x'));
    let (cols, rows) =
        size.and_then(|(cols, rows)| Some((cols.parse().ok()?, rows.parse().ok()?))).unwrap_or(SIZE);
    // Without the arrows of a patched font, which a reader of the README does not have.
    let world = World::with(Grant::Given, "simplified_ui true");
    let board = world.terminal_of("board", board_protocol::ids::Size { cols, rows }, &["host-runner", "up"]);
    board.wait_for("No sessions yet");
    fill(&world);
    board.wait("a row in every group", |screen| {
        ["RUNNING 3", "NEEDS INSTRUCTIONS 1", "FAILED 1", "STOPPED 1"].iter().all(|group| screen.has(group))
    });
    // Which row is selected first depends on which of them came first.
    while !board.screen().has("› ● test watcher") {
        let before = board.screen().text();
        board.send(keys::DOWN);
        board.wait("another row", |screen| screen.text() != before);
    }
    save(directory, "board", &board);
    board.send(" ");
    board.wait("its details", |screen| screen.has("shows") && screen.has("412 passed"));
    save(directory, "peek", &board);
    board.send(keys::ESC);
    board.wait_for("RUNNING 3");
    board.send("m");
    board.wait_for("0 selected");
    board.send(" ").send(keys::DOWN).send(" ");
    board.wait_for("2 selected");
    save(directory, "select", &board);
    board.send("m");
    board.wait_gone("SELECT");
    board.send("n");
    board.wait("the dialog", |screen| screen.has("New session") && screen.has("codex"));
    board.send("name:login #auth the cookie is set twice; find out why and mend it");
    board.wait_for("name login");
    save(directory, "launch", &board);
    board.send(keys::UP).send(keys::ENTER);
    board.wait_for("favourites");
    save(directory, "folders", &board);
    board.send(keys::ESC);
    board.wait_gone("favourites");
    board.send(keys::ctrl('c'));
    board.wait_gone("New session");
    board.send("?");
    board.wait_for("press any key");
    save(directory, "help", &board);
    ExitCode::SUCCESS
}

/// Sessions as a working day leaves them.
fn fill(world: &World) {
    let shell = |name: &str, script: &str| world.start(&["--name", name, "--", "sh", "-c", script]);
    shell("dev server", "echo listening on 127.0.0.1:5173; exec cat");
    shell("test watcher", "echo 412 passed; exec cat");
    shell("log of staging", "exec tail -f /dev/null");
    let finished = shell("release notes", "echo written");
    let failed = shell("integration tests", "echo 2 failed; exit 101");
    let stopped = shell("old experiment", "exec cat");
    world.wait_state(&finished, "idle");
    world.wait_state(&failed, "failed");
    world.wait_state(&stopped, "working");
    world.runner(&["stop", &stopped]).ok();
    world.wait_state(&stopped, "stopped");
}

fn save(directory: &Path, name: &str, terminal: &Terminal) {
    let path = directory.join(name).with_extension("svg");
    match fs::write(&path, svg(terminal.screen().cells())) {
        Ok(()) => println!("{}", path.display()),
        Err(error) => eprintln!("pictures: cannot write {}: {error}", path.display()),
    }
}
