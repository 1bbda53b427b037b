//! A plugin and a runner of different builds (field report H16). The older plugin is the real one with another build
//! written into it: as many bytes, so that nothing else changes.

use crate::support::{insert, is_board, wait_row};
use board_protocol::state::SemanticState::Working;
use e2e::{Terminal, World, keys};
use std::fs;

/// The build that the older plugin says it is.
const OLDER: &str = "00000000";

// zellij keeps the code of a plugin that it once loaded: after an update the old one goes on, whatever lies on disk.
#[test]
fn h16_an_older_plugin_reloads_itself_when_the_file_on_disk_is_newer() {
    let world = World::new();
    let (newer, older) = plugins(&world);
    fs::create_dir_all(world.plugin().parent().unwrap()).unwrap();
    fs::write(world.plugin(), older).unwrap();
    let terminal = zellij_with_plugin(&world);
    terminal.wait_for(OLDER);
    // The new release arrives as `up` puts it there: by a rename. Nobody has spoken to the plugin yet.
    let next = world.path("next.wasm");
    fs::write(&next, &newer).unwrap();
    fs::rename(&next, world.plugin()).unwrap();
    terminal.line("host-runner link");
    terminal.wait("the newer build", |screen| screen.has(&build_of(&newer)) && !screen.has(OLDER));
    world.start_actor("after", &["lines"]);
    wait_row(&terminal, "after", Working);
}

#[test]
fn h16_a_plugin_that_is_still_older_after_its_reload_says_so_and_only_shows() {
    let world = World::new();
    let (newer, older) = plugins(&world);
    fs::create_dir_all(world.plugin().parent().unwrap()).unwrap();
    fs::write(world.plugin(), older).unwrap();
    let terminal = zellij_with_plugin(&world);
    terminal.wait_for(OLDER);
    terminal.line("host-runner link");
    let screen = terminal.wait("which builds they are and what to do", |screen| {
        screen.has("restart the board") && screen.has("host-runner up")
    });
    assert!(screen.has(OLDER), "{screen}");
    world.start_actor("shown", &["lines"]);
    wait_row(&terminal, "shown", Working);
    // To the board: nothing can be started from it, and it says why.
    terminal.send(keys::alt('k')).send("i");
    terminal.wait_for("INSERT");
    terminal.send("actor wait\r");
    terminal.wait_for("Read-only");
    terminal.send(keys::ESC);
    terminal.wait_gone("INSERT");
    // As it says: close it (the link goes with the last board), then run `up`.
    terminal.send(keys::ctrl('p')).send("x");
    terminal.wait("a shell", |screen| !is_board(screen) && screen.count("$") == 2);
    terminal.line("host-runner up");
    wait_row(&terminal, "shown", Working);
    terminal.wait("the newer build", |screen| screen.has(&build_of(&newer)) && !screen.has(OLDER));
    assert_eq!(world.rows().len(), 1, "the older one only showed: {:#?}", world.rows());
    insert(&terminal, "exec actor lines");
    terminal.wait("two rows", |screen| {
        screen.groups().iter().any(|group| group.state == Working && group.rows.len() == 2)
    });
}

/// A zellij with the plugin above a shell, and no link: the plugin is given no runner that exists.
fn zellij_with_plugin(world: &World) -> Terminal {
    let layout = format!(
        "layout {{
            tab name=\"board\" {{
                pane split_direction=\"horizontal\" {{
                    pane size=\"75%\" {{
                        plugin location=\"file:{}\" {{
                            runner \"{}\"
                            root \"{}\"
                            attach_in \"tab\"
                        }}
                    }}
                    pane focus=true
                }}
            }}
        }}",
        world.plugin().display(),
        world.path("bin/nothing").display(),
        world.root().display()
    );
    let file = world.path("layout.kdl");
    fs::write(&file, layout).unwrap();
    world.terminal(
        "zellij",
        &["zellij", "--session", "upgraded", "--new-session-with-layout", file.to_str().unwrap()],
    )
}

/// The plugin as it was built, and the same with another build in it.
fn plugins(world: &World) -> (Vec<u8>, Vec<u8>) {
    let newer = fs::read(&world.programs().plugin).unwrap();
    let build = build_of(&newer);
    let mut older = newer.clone();
    let places: Vec<usize> =
        (0..newer.len() - build.len()).filter(|at| newer[*at..].starts_with(build.as_bytes())).collect();
    for at in places {
        older[at..at + build.len()].copy_from_slice(OLDER.as_bytes());
    }
    assert_ne!(older, newer);
    (newer, older)
}

/// The eight digits behind the version in a plugin's build.
fn build_of(plugin: &[u8]) -> String {
    let version = concat!(env!("CARGO_PKG_VERSION"), "+").as_bytes();
    let at = plugin.windows(version.len()).position(|window| window == version);
    let at = at.unwrap_or_else(|| panic!("no build in the plugin: make build sets AGENT_BOARD_BUILD"));
    let at = at + version.len();
    String::from_utf8(plugin[at..at + OLDER.len()].to_vec()).unwrap()
}
