//! `terminal_close`: ends a terminal and takes it off the board.

use super::{Effect, Outcome, define, read_arguments};
use crate::mcp::{
    daemon,
    desk::Desk,
    results::{Answered, Done},
    trouble::Trouble,
};
use board_protocol::ids::SessionId;
use rmcp::{
    model::{JsonObject, Tool},
    schemars::{self, JsonSchema},
};
use serde::Deserialize;

pub(super) const NAME: &str = "terminal_close";

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The terminal's id.
    id: String,
}

pub(super) fn tool() -> Tool {
    let description = "Ends the program of one of your terminals, with everything that it started, and takes the terminal off the person's board. Read what you still need before.\n\nExample: {\"id\": \"3f9a01c2d4\"}.";
    define::<Arguments, Done>(NAME, "Close a terminal", description, Effect::Ends)
}

pub(super) async fn call(desk: &Desk, arguments: JsonObject) -> Outcome {
    let Arguments { id } = read_arguments(NAME, arguments)?;
    let terminal = SessionId::parse(id.trim()).ok_or_else(|| Trouble::unknown_terminal(&id))?;
    // What was sent before arrives before.
    let _turn = desk.turn(&id).await?;
    desk.terminals(daemon::close(terminal.clone())).await?;
    desk.forget(&terminal);
    let message = format!("Closed terminal {id}");
    Ok(Answered::new(message.clone(), &Done { id, message }))
}
