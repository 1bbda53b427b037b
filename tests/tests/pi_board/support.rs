//! What a person sees and does at a board with sessions of pi.

use board_protocol::state::SemanticState;
use e2e::{
    Screen, Terminal, keys,
    pi_stage::{DEADLINE, Stage},
    steps::{is_board, select},
};

/// Opens the board where `i` starts pi.
pub(crate) fn board(stage: &Stage) -> Terminal {
    stage.with_default_agent();
    e2e::steps::up(&stage.world)
}

/// Waits until a row stands under a state and says this. pi takes its time on a loaded machine.
pub(crate) fn wait_says(terminal: &Terminal, name: &str, state: SemanticState, says: &str) -> Screen {
    terminal.wait_within(DEADLINE, &format!("{name} under {} saying {says:?}", state.label()), |screen| {
        screen.state_of(name) == Some(state) && screen.row_of(name).is_some_and(|row| row.text.contains(says))
    })
}

/// Selects a row, enters it with →, and waits until pi's own screen holds this text.
pub(crate) fn enter(terminal: &Terminal, name: &str, text: &str) -> Screen {
    select(terminal, name);
    terminal.send(keys::RIGHT);
    terminal.wait_within(DEADLINE, &format!("{text:?} in the pane of {name}"), |screen| {
        screen.has(text) && !is_board(screen)
    });
    e2e::steps::wait_locked(terminal)
}
