//! `host-runner up`, and `host-runner` alone on a terminal: opens the board.
//!
//! Outside zellij it starts, restarts or joins a session of its own; inside zellij it opens or focuses the board's tab of
//! that session, with the running server's own binary. It never touches another session.

mod inside;
mod outside;

use super::Failure;
use crate::{
    assets::{self, Layout},
    client::{DaemonClient, StartPolicy},
    zellij::server,
};
use board_protocol::{
    hello::Role,
    refusal::{Refusal, RefusalKind},
};
use clap::CommandFactory;
use std::io::{IsTerminal, stdin, stdout};

/// The zellij session in which the board lives unless told otherwise.
const SESSION: &str = "agent-board";

/// Arguments of `up`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The zellij session to open or join; inside zellij the board opens in the session that you are in.
    #[arg(long, value_name = "NAME", default_value = SESSION, value_parser = session_name)]
    session: String,
    /// The arrangement of the board's tab.
    #[arg(long, value_enum, default_value_t)]
    layout: Layout,
}

/// The command line without arguments: the board on a terminal, help elsewhere.
pub(super) fn run_without_arguments() -> Result<(), Failure> {
    if !(stdin().is_terminal() && stdout().is_terminal()) {
        return super::Cli::command().print_long_help().map_err(|error| Failure::Other(error.into()));
    }
    run(Args { session: SESSION.to_owned(), layout: Layout::default() })
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    if std::env::var_os("AGENT_BOARD_SESSION").is_some_and(|value| !value.is_empty()) {
        let text =
            "this terminal is a session of the board. Detach with Ctrl+\\ and open the board outside it";
        return Err(Refusal::new(RefusalKind::WrongState, text).into());
    }
    let root = super::board_root()?;
    let installed = assets::install(&root, "tab").map_err(anyhow::Error::new)?;
    // A board without a daemon would only say so; here the reason can still be read in full.
    DaemonClient::connect(&root, Role::Cli, StartPolicy::Person)?;
    let layout = installed.layout(args.layout);
    match server::among_ancestors(std::process::id()) {
        Some(server) => inside::open(&server, &installed.plugin_url, &layout),
        None => outside::open(&args.session, &layout),
    }
}

/// A name that zellij takes: it becomes a file name and a word of its listings.
fn session_name(text: &str) -> Result<String, String> {
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if text.is_empty() || text.starts_with(['.', '-']) || !is_plain || text.len() > 32 {
        return Err("use at most 32 letters, digits, '-', '_' and '.'".into());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_name_is_plain() {
        for good in ["agent-board", "work_2", "a.b"] {
            assert_eq!(session_name(good).as_deref(), Ok(good));
        }
        for bad in ["", "a b", "../x", "-x", "a/b", "x\n", &"x".repeat(33)] {
            assert!(session_name(bad).is_err(), "{bad:?}");
        }
    }
}
