//! What each recorded program is made to do. Used by the program `recordings` only; the tests read what it wrote.
//!
//! A step is typed when the screen shows the one before, so that a recording is the same but for timing whoever makes it.

mod agents;
mod others;
mod programs;

use crate::recording::Recording;
use board_protocol::ids::Size;

/// The size of the terminal, at the start.
const SIZE: Size = Size { cols: 80, rows: 24 };

/// One recorded program.
pub struct Scenario {
    /// The name of the recording.
    pub name: &'static str,
    /// Runs the program and returns what it printed.
    pub record: fn() -> Recording,
}

/// All of them.
pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "bash", record: programs::bash },
    Scenario { name: "bash-resized", record: programs::bash_resized },
    Scenario { name: "bash-rows", record: programs::bash_rows },
    Scenario { name: "less", record: programs::less },
    Scenario { name: "vim", record: programs::vim },
    Scenario { name: "vim-resized", record: programs::vim_resized },
    Scenario { name: "tmux", record: programs::tmux },
    Scenario { name: "htop", record: programs::htop },
    Scenario { name: "pi-0.73.1", record: agents::pi_first },
    Scenario { name: "pi-1.6.0", record: agents::pi_second },
    Scenario { name: "pi-1.6.0-resized", record: agents::pi_second_resized },
    Scenario { name: "claude-2.1.197", record: agents::claude },
    Scenario { name: "claude-2.1.197-resized", record: agents::claude_resized },
    Scenario { name: "codex-0.63.0", record: others::codex },
    Scenario { name: "opencode-1.18.33", record: others::opencode },
];
