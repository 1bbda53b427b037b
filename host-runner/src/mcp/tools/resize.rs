//! `terminal_resize`: another size for a terminal.

use super::{Effect, Outcome, define, read_arguments};
use crate::mcp::{
    desk::{Desk, Reply},
    results::{Answered, Done},
};
use board_protocol::{ids::Size, terminals::TerminalAsk};
use rmcp::{
    model::{JsonObject, Tool},
    schemars::{self, JsonSchema},
};
use serde::Deserialize;

pub(super) const NAME: &str = "terminal_resize";

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The terminal's id.
    id: String,
    /// Columns, 20 to 1000.
    #[schemars(range(min = 20, max = 1000))]
    cols: u16,
    /// Rows, 5 to 500.
    #[schemars(range(min = 5, max = 500))]
    rows: u16,
}

pub(super) fn tool() -> Tool {
    let description = "Gives one of your terminals another size: wide for long lines, tall for a program that draws. While the person looks into it, their pane has the last word.\n\nExample: {\"id\": \"3f9a01c2d4\", \"cols\": 200, \"rows\": 50}.";
    define::<Arguments, Done>(NAME, "Resize a terminal", description, Effect::Settles)
}

pub(super) async fn call(desk: &Desk, arguments: JsonObject) -> Outcome {
    let Arguments { id, cols, rows } = read_arguments(NAME, arguments)?;
    let size = Size { cols, rows }.clamped();
    let _turn = desk.turn(&id).await?;
    match desk.ask(&id, TerminalAsk::Resize(size)).await? {
        Reply::Answer(_) => {
            let message = format!("Terminal {id} was given the size {size}");
            Ok(Answered::new(message.clone(), &Done { id, message }))
        }
        Reply::Ended(terminal) => Err(super::signal::over(&terminal)),
    }
}
