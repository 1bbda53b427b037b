//! Steps that many tests take at the board: open it, start a session from it, enter and leave that.
//!
//! Called by the tests; nothing here knows which program a session runs.

use crate::{Screen, Terminal, World, board::BoardRow, keys, wait::DEADLINE};
use board_protocol::state::SemanticState;
use std::{
    cmp::Ordering,
    time::{Duration, Instant},
};

/// What the board says when it has no rows.
pub const EMPTY: &str = "No sessions yet.";

/// `host-runner up` in a terminal, once the board is drawn.
pub fn up(world: &World) -> Terminal {
    up_as(world, "up")
}

/// [`up`] in a terminal with this name.
pub fn up_as(world: &World, name: &str) -> Terminal {
    let terminal = join(world, name);
    terminal.wait("a board", is_board);
    terminal
}

/// Has zellij load the board's plugin anew, as a person does after an update: every board of the session begins from
/// nothing.
pub fn reload(world: &World) {
    let (runner, root) = (&world.programs().runner, world.root());
    let configuration = format!("runner={},root={},attach_in=tab", runner.display(), root.display());
    let url = format!("file:{}", world.plugin().display());
    let action = ["action", "start-or-reload-plugin", &url, "--configuration", &configuration];
    world.zellij(&[&["--session", "agent-board"], &action[..]].concat()).ok();
}

/// How often a terminal is opened that zellij then throws out.
const JOINS: usize = 5;
/// How long zellij may take to draw its first line for a client.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// `host-runner up` in a terminal with this name, once zellij draws in it. zellij asks every session whether it lives
/// before it attaches, removes each such client twice, and may remove the person with it: a terminal in which nothing
/// appears is closed and opened again, as a person would do.
pub fn join(world: &World, name: &str) -> Terminal {
    for _ in 1..JOINS {
        let terminal = world.terminal(name, &["host-runner", "up"]);
        if terminal.shows_within(FIRST_LINE, |screen| screen.has("Zellij (")) {
            return terminal;
        }
    }
    let terminal = world.terminal(name, &["host-runner", "up"]);
    terminal.wait_for("Zellij (");
    terminal
}

/// Whether a board is shown: with rows, or with the text of an empty one.
pub fn is_board(screen: &Screen) -> bool {
    screen.has(EMPTY) || !screen.groups().is_empty()
}

/// Waits until a row stands under a state on the board.
pub fn wait_row(terminal: &Terminal, name: &str, state: SemanticState) -> Screen {
    terminal.wait(&format!("{name} under {}", state.label()), |screen| screen.state_of(name) == Some(state))
}

/// Moves the selection to a row, one key for each step. Rows may come, go and change their groups meanwhile: which way
/// to go is read off the screen before each key, and no key is sent before the one before has done its work.
pub fn select(terminal: &Terminal, name: &str) {
    let end = Instant::now() + DEADLINE;
    loop {
        let screen =
            terminal.wait(&format!("a row {name}, and one selected"), |screen| way(screen, name).is_some());
        let key = match way(&screen, name).expect("it was waited for") {
            Ordering::Equal => return,
            Ordering::Less => keys::UP,
            Ordering::Greater => keys::DOWN,
        };
        assert!(Instant::now() < end, "{name} cannot be selected:\n{screen}");
        let before = selected_name(&screen);
        terminal.send(key);
        terminal.wait("the selection moves", |screen| {
            let now = selected_name(screen);
            now.is_some() && now != before
        });
    }
}

/// Where a row stands, seen from the selected one. `None` while the row is not there, or while the picture before is not
/// yet drawn over: it shows two selected rows, or none.
fn way(screen: &Screen, name: &str) -> Option<Ordering> {
    let rows = rows(screen);
    let there = rows.iter().position(|row| row.names(name))?;
    Some(there.cmp(&sole_selected(&rows)?))
}

/// The name of the selected row, and which of the rows of that name it is. By the name alone, because what a row says
/// changes without any key.
fn selected_name(screen: &Screen) -> Option<(String, usize)> {
    let rows = rows(screen);
    let place = sole_selected(&rows)?;
    let name = rows[place].name();
    let nth = rows[..place].iter().filter(|row| row.name() == name).count();
    Some((name.to_owned(), nth))
}

fn rows(screen: &Screen) -> Vec<BoardRow> {
    screen.groups().into_iter().flat_map(|group| group.rows).collect()
}

fn sole_selected(rows: &[BoardRow]) -> Option<usize> {
    let mut selected = rows.iter().enumerate().filter(|(_, row)| row.selected).map(|(place, _)| place);
    selected.next().filter(|_| selected.next().is_none())
}

/// Which row is selected, counted over all groups; `None` too while a picture is half drawn.
pub fn selected(screen: &Screen) -> Option<usize> {
    sole_selected(&rows(screen))
}

/// Selects a row, enters it with →, and waits until its screen holds this text.
pub fn enter(terminal: &Terminal, name: &str, text: &str) -> Screen {
    select(terminal, name);
    terminal.send(keys::RIGHT);
    terminal.wait(&format!("{text:?} in the pane of {name}"), |screen| screen.has(text) && !is_board(screen));
    wait_locked(terminal)
}

/// Waits until zellij is in Locked mode: its status bar names the one chord that is left to it. That nothing else stands
/// there is not enough: a new tab is drawn before its bar, and its bar before the mode changes.
pub fn wait_locked(terminal: &Terminal) -> Screen {
    terminal.wait("zellij's Locked mode", |screen| screen.has("<Alt g> LOCK"))
}

/// Waits until zellij is in Normal mode.
pub fn wait_normal(terminal: &Terminal) -> Screen {
    terminal.wait("zellij's Normal mode", |screen| screen.has("<p> PANE"))
}

/// Leaves an attach pane with Ctrl+\ and waits for the board.
pub fn leave(terminal: &Terminal) -> Screen {
    terminal.send(keys::DETACH);
    terminal.wait("the board again", is_board);
    wait_normal(terminal)
}

/// Writes a command line into the board's insert line and starts it.
pub fn insert(terminal: &Terminal, command_line: &str) {
    terminal.send("i");
    terminal.wait("the insert mode", |screen| screen.has("INSERT"));
    terminal.send(command_line);
    let tail: String = command_line.chars().rev().take(20).collect::<Vec<_>>().into_iter().rev().collect();
    terminal.wait("the draft", |screen| screen.has(&tail));
    terminal.send(keys::ENTER);
}

/// Whether this is the form of a session's id.
pub fn is_session_id(word: &str) -> bool {
    word.len() == 10 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Every process of the world, one a line.
pub fn kinds_of_processes(world: &World) -> String {
    world.processes().iter().map(|process| format!("{}\n", process.line())).collect()
}
