//! `terminal_signal`: a signal for what runs in a terminal.

use super::{Effect, Outcome, define, read_arguments};
use crate::mcp::{
    desk::{Desk, Reply},
    results::{Answered, Done},
    trouble::Trouble,
};
use board_protocol::terminals::{AgentTerminal, TerminalAsk, TerminalSignal};
use rmcp::{
    model::{JsonObject, Tool},
    schemars::{self, JsonSchema},
};
use serde::Deserialize;

pub(super) const NAME: &str = "terminal_signal";

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The terminal's id.
    id: String,
    /// Which signal.
    signal: Signal,
}

/// A signal, by its name without `SIG`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(inline)]
enum Signal {
    /// Written as Ctrl+C.
    #[serde(alias = "SIGINT")]
    Int,
    /// Written as Ctrl+\.
    #[serde(alias = "SIGQUIT")]
    Quit,
    /// Written as Ctrl+Z.
    #[serde(alias = "SIGTSTP")]
    Tstp,
    /// Go on after a stop.
    #[serde(alias = "SIGCONT")]
    Cont,
    /// Please end.
    #[serde(alias = "SIGTERM")]
    Term,
    /// End at once.
    #[serde(alias = "SIGKILL")]
    Kill,
    /// The terminal went away; many servers read their configuration again.
    #[serde(alias = "SIGHUP")]
    Hup,
    /// The first signal without a meaning of its own.
    #[serde(alias = "SIGUSR1")]
    Usr1,
    /// The second one.
    #[serde(alias = "SIGUSR2")]
    Usr2,
    /// The size changed.
    #[serde(alias = "SIGWINCH")]
    Winch,
}

impl From<Signal> for TerminalSignal {
    fn from(signal: Signal) -> Self {
        match signal {
            Signal::Int => Self::Int,
            Signal::Quit => Self::Quit,
            Signal::Tstp => Self::Tstp,
            Signal::Cont => Self::Cont,
            Signal::Term => Self::Term,
            Signal::Kill => Self::Kill,
            Signal::Hup => Self::Hup,
            Signal::Usr1 => Self::Usr1,
            Signal::Usr2 => Self::Usr2,
            Signal::Winch => Self::Winch,
        }
    }
}

pub(super) fn tool() -> Tool {
    let description = "Sends a signal to what runs in the foreground of one of your terminals. INT, QUIT and TSTP are written as the keys Ctrl+C, Ctrl+\\ and Ctrl+Z, so that a program that reads keys gets them as a person's. To end the terminal as a whole, use terminal_close.\n\nExamples: {\"id\": \"3f9a01c2d4\", \"signal\": \"INT\"}; {\"id\": \"3f9a01c2d4\", \"signal\": \"HUP\"}.";
    define::<Arguments, Done>(NAME, "Signal a terminal", description, Effect::Acts)
}

pub(super) async fn call(desk: &Desk, arguments: JsonObject) -> Outcome {
    let Arguments { id, signal } = read_arguments(NAME, arguments)?;
    let signal = TerminalSignal::from(signal);
    let _turn = desk.turn(&id).await?;
    match desk.ask(&id, TerminalAsk::Signal { signal }).await? {
        Reply::Answer(_) => {
            let message = format!("Sent {} to terminal {id}", format!("{signal:?}").to_uppercase());
            Ok(Answered::new(message.clone(), &Done { id, message }))
        }
        Reply::Ended(terminal) => Err(over(&terminal)),
    }
}

/// Nothing can be sent to a program that has ended.
pub(super) fn over(terminal: &AgentTerminal) -> Trouble {
    let how = terminal.ended.as_deref().map_or_else(String::new, |how| format!(" ({how})"));
    Trouble(format!(
        "the program of terminal {} has ended{how}. terminal_read shows its last screen; terminal_open starts another one",
        terminal.id
    ))
}
