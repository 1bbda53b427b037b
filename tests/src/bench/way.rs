//! The ways to run a program in a terminal that are compared: ours, dtach, tmux, shpool, and nothing in between.

use super::raw::RawTerminal;
use crate::{World, world::SIZE};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Host and attach client.
    Ours,
    /// dtach, which passes bytes on and keeps no screen.
    Dtach,
    /// tmux without its status line, so that the program has the same 120 by 36 cells.
    Tmux,
    /// shpool, which keeps a screen for whoever comes back. Its daemon starts with the first session.
    Shpool,
    /// The program right in the terminal: the floor.
    Bare,
}

impl Way {
    /// What is installed here, ours first.
    pub fn available() -> Vec<Self> {
        let all = [Self::Ours, Self::Dtach, Self::Tmux, Self::Shpool, Self::Bare];
        all.into_iter().filter(|way| way.program().is_none_or(|program| find(program).is_some())).collect()
    }

    /// Its name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Dtach => "dtach",
            Self::Tmux => "tmux",
            Self::Shpool => "shpool",
            Self::Bare => "bare PTY",
        }
    }

    const fn program(self) -> Option<&'static str> {
        match self {
            Self::Dtach => Some("dtach"),
            Self::Tmux => Some("tmux"),
            Self::Shpool => Some("shpool"),
            Self::Ours | Self::Bare => None,
        }
    }

    /// Starts the actor with these words, with this terminal attached to it.
    pub fn enter(self, world: &World, name: &str, words: &[&str]) -> RawTerminal {
        let command = match self {
            Self::Ours => {
                let id = world.start_actor(name, words);
                world.runner_command(&["attach", &id])
            }
            Self::Dtach => {
                let mut command = world.command("dtach");
                command
                    .arg("-A")
                    .arg(world.path(&format!("dtach-{name}")))
                    .args(["-E", "-z", "-r", "none", "actor"])
                    .args(words);
                command
            }
            Self::Tmux => {
                let mut command = tmux(world);
                command.args(["new-session", "-s", name, "actor"]).args(words);
                command
            }
            Self::Shpool => shpool(world, name, words),
            Self::Bare => {
                let mut command = world.command(world.path("bin/actor"));
                command.args(words);
                command
            }
        };
        RawTerminal::open(command, SIZE)
    }
}

/// tmux in a server of this world, with room for the history that ours keeps, up to the command.
///
/// # Panics
/// Its configuration cannot be written.
pub fn tmux(world: &World) -> Command {
    let configuration = world.path("tmux.conf");
    if !configuration.exists() {
        fs::write(
            &configuration,
            "set -g status off\nset -g history-limit 2000\nset -g default-size 120x36\n",
        )
        .unwrap();
    }
    let mut command = world.command("tmux");
    command.arg("-S").arg(world.path("tmux.sock")).arg("-f").arg(configuration);
    command
}

/// A shpool client for the session of this name, which runs the actor with these words if it does not exist yet.
///
/// # Panics
/// It is not installed.
pub fn shpool(world: &World, name: &str, words: &[&str]) -> Command {
    let actor = world.path("bin/actor");
    let line = [&[actor.to_str().unwrap()], words].concat().join(" ");
    let mut command = world.command(find("shpool").unwrap());
    command.args(["attach", "--cmd", &line, name]);
    command
}

/// Where a program is that a world could start: where [`World::command`] looks, and what `make rivals` installed.
pub fn find(program: &str) -> Option<PathBuf> {
    let installed = std::env::var_os("AGENT_BOARD_CACHE")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache/agent-board")));
    let installed = installed.map(|cache| cache.join(program).join("bin"));
    ["/usr/local/bin", "/usr/bin", "/bin"]
        .iter()
        .map(PathBuf::from)
        .chain(installed)
        .map(|directory| directory.join(program))
        .find(|path| path.is_file())
}
