//! The mouse in a real zellij: what a person's terminal sends for clicks and the wheel, as it sends it.

use crate::support::{is_board, select, up, wait_locked, wait_row};
use board_protocol::state::SemanticState::Working;
use e2e::{Screen, Terminal, World, keys};

/// Where a text stands: line and column, from 0.
fn place(screen: &Screen, text: &str) -> (usize, usize) {
    let found = screen.lines().iter().enumerate().find_map(|(line, shown)| {
        let before = shown.find(text).and_then(|at| shown.get(..at))?;
        Some((line, before.chars().count()))
    });
    found.unwrap_or_else(|| panic!("no {text:?} on\n{screen}"))
}

/// Presses and releases the left button on a cell, in the SGR encoding.
fn click(terminal: &Terminal, (line, column): (usize, usize)) {
    for end in ['M', 'm'] {
        terminal.send(format!("\u{1b}[<0;{};{}{end}", column + 1, line + 1));
    }
}

/// Clicks the first cell of a text.
fn click_on(terminal: &Terminal, text: &str) {
    click(terminal, place(&terminal.screen(), text));
}

fn wheel(terminal: &Terminal, button: u8) {
    terminal.send(format!("\u{1b}[<{button};20;12M"));
}

const WHEEL_UP: u8 = 64;
const WHEEL_DOWN: u8 = 65;

#[test]
fn f2_a_click_selects_a_second_click_enters_and_hints_are_buttons() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("alpha", &["ask", "First?"]);
    world.start_actor("beta", &["ask", "Second?"]);
    wait_row(&terminal, "alpha", Working);
    wait_row(&terminal, "beta", Working);
    select(&terminal, "alpha");
    click_on(&terminal, "beta");
    terminal.wait("beta is selected", |screen| screen.selects("beta"));
    // A hint acts as its key, and so does a question's letter.
    click_on(&terminal, "? help");
    terminal.wait_for("press any key to return");
    click_on(&terminal, "press any key to return");
    terminal.wait("the list", |screen| is_board(screen) && screen.selects("beta"));
    terminal.send("x");
    terminal.wait_for("(y/N)");
    click_on(&terminal, "N)");
    terminal.wait_gone("(y/N)");
    assert_eq!(world.rows().len(), 2);
    // Moving the mouse and letting go of its button are nothing (field report G8).
    terminal.send("\u{1b}[<35;12;8M\u{1b}[<35;13;9M\u{1b}[<0;12;8m");
    click_on(&terminal, "alpha");
    terminal.wait("alpha is selected", |screen| screen.selects("alpha"));
    click_on(&terminal, "alpha");
    terminal.wait_for("First?");
    wait_locked(&terminal);
    terminal.send(keys::DETACH);
    terminal.wait("the board again", is_board);
}

#[test]
fn f2_the_wheel_scrolls_the_list() {
    let world = World::new();
    let terminal = up(&world);
    for n in 0..6 {
        world.start_actor(&format!("row-{n}"), &["wait"]);
        wait_row(&terminal, &format!("row-{n}"), Working);
    }
    terminal.send(keys::HOME);
    terminal.wait("the first row", |screen| screen.selects("row-0"));
    wheel(&terminal, WHEEL_DOWN);
    let screen = terminal.wait("a lower row", |screen| !screen.selects("row-0"));
    assert!(!screen.selects("row-5"), "{screen}");
    for _ in 0..3 {
        wheel(&terminal, WHEEL_DOWN);
    }
    terminal.wait("the last row, and not around the end", |screen| screen.selects("row-5"));
    for _ in 0..4 {
        wheel(&terminal, WHEEL_UP);
    }
    terminal.wait("the first row again", |screen| screen.selects("row-0"));
}
