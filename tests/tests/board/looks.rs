//! How the board looks by the configuration of a person: without colours, and with two lines a row, in a real zellij.

use crate::support::{select, up, wait_row};
use board_protocol::state::SemanticState::{Failed, Working};
use e2e::{Screen, World};
use std::fs;
use vt100::Color;

/// The colours of the cells of the line on which this stands.
fn colours(screen: &Screen, text: &str) -> Vec<Color> {
    let line = screen
        .lines()
        .iter()
        .position(|line| line.contains(text))
        .unwrap_or_else(|| panic!("{text}\n{screen}"));
    let (_, columns) = screen.cells().size();
    let row = u16::try_from(line).unwrap();
    (0..columns.get())
        .filter_map(|column| screen.cells().cell(row, column))
        .filter(|cell| cell.has_contents() && cell.contents() != " ")
        .map(vt100::Cell::fgcolor)
        .collect()
}

fn configure(world: &World, text: &str) {
    let directory = world.path("home/.config/agent-board");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("config.toml"), text).unwrap();
}

#[test]
fn no_color_leaves_the_board_without_colours_and_its_signs_tell_states_apart() {
    let mut world = World::new();
    world.set_variable("NO_COLOR", "1");
    let terminal = up(&world);
    world.start_actor("runs", &["wait"]);
    world.start_actor("broke", &["exit", "3"]);
    wait_row(&terminal, "runs", Working);
    let screen = wait_row(&terminal, "broke", Failed);
    for text in ["Agent Board", "RUNNING", "FAILED", "runs", "broke", "insert"] {
        let colours = colours(&screen, text);
        assert!(colours.iter().all(|colour| *colour == Color::Default), "{text}: {colours:?}\n{screen}");
    }
    assert_ne!(
        screen.row_of("runs").unwrap().text.chars().next(),
        screen.row_of("broke").unwrap().text.chars().next()
    );
}

#[test]
fn density_and_roles_of_the_configuration_are_drawn_and_what_is_unknown_is_a_warning() {
    let world = World::new();
    configure(
        &world,
        "row_density = \"comfortable\"\nrole_error = \"#010203\"\nrole_accent = \"theme-2\"\nrole_dim = \"purple\"\n",
    );
    let terminal = up(&world);
    world.start_actor("broke", &["exit", "3"]);
    wait_row(&terminal, "broke", Failed);
    select(&terminal, "broke");
    let screen = terminal.screen();
    let lines = screen.lines();
    let row = lines.iter().position(|line| line.contains("broke")).unwrap();
    assert!(!lines[row].contains("exit code 3") && lines[row + 1].contains("exit code 3"), "{screen}");
    assert!(colours(&screen, "FAILED").contains(&Color::Rgb(1, 2, 3)), "{screen}");
    let accent = colours(&screen, "broke");
    assert!(
        accent.iter().any(|colour| !matches!(colour, Color::Default | Color::Rgb(1, 2, 3))),
        "{accent:?}"
    );
    terminal.wait("the warning", |screen| screen.has("role_dim") && screen.has("purple"));
}
