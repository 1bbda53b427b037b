//! `terminal_list`: every terminal of this session.

use super::{Effect, Outcome, define, read_arguments};
use crate::mcp::{
    desk::Desk,
    results::{Answered, Terminal},
};
use board_protocol::terminals::AgentAsk;
use rmcp::{
    model::{JsonObject, Tool},
    schemars::{self, JsonSchema},
};
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "terminal_list";

/// What it takes: nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {}

/// What it answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
struct Terminals {
    /// The oldest first.
    terminals: Vec<Terminal>,
}

pub(super) fn tool() -> Tool {
    let description = "Lists your terminals, the oldest first, with their ids, what they run, and how those that have ended did. A terminal that has ended stays in the list until you close it.\n\nExample: {}.";
    define::<Arguments, Terminals>(NAME, "List your terminals", description, Effect::Looks)
}

pub(super) async fn call(desk: &Desk, arguments: JsonObject) -> Outcome {
    let Arguments {} = read_arguments(NAME, arguments)?;
    let listed = desk.terminals(AgentAsk::List).await?;
    let terminals: Vec<Terminal> = listed.iter().map(Terminal::from).collect();
    let text = if terminals.is_empty() {
        "You have no terminals; terminal_open makes one.".to_owned()
    } else {
        terminals.iter().map(Terminal::line).collect::<Vec<_>>().join("\n")
    };
    Ok(Answered::new(text, &Terminals { terminals }))
}
