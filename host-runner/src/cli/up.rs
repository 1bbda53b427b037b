//! `host-runner up`, and `host-runner` alone on a terminal: opens the board.
//!
//! Outside zellij it starts, restarts or joins a session of its own; inside zellij it opens or focuses the board's tab of
//! that session, with the running server's own binary. It never touches another session, nor one that shows another board.

mod inside;
mod named;
mod outside;

use super::Failure;
use crate::{
    assets::{self, Layout},
    client::{ClientError, DaemonClient, StartPolicy, coordinator_is_off},
    config::{Config, session_name},
    zellij::server,
};
use board_protocol::{
    hello::Role,
    refusal::{Refusal, RefusalKind},
};
use board_text::cli as texts;
use clap::CommandFactory;
use std::io::{IsTerminal, stdin, stdout};

/// Arguments of `up`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The zellij session to open or join; inside zellij the board opens in the session that you are in.
    /// Without it, the setting zellij_session.
    #[arg(long, value_name = "NAME", value_parser = session_name)]
    session: Option<String>,
    /// The arrangement of the board's tab; without it, the setting layout.
    #[arg(long, value_enum)]
    layout: Option<Layout>,
}

/// The command line without arguments: the board on a terminal, help elsewhere.
pub(super) fn run_without_arguments() -> Result<(), Failure> {
    if !(stdin().is_terminal() && stdout().is_terminal()) {
        return super::Cli::command().print_long_help().map_err(|error| Failure::Other(error.into()));
    }
    run(Args { session: None, layout: None })
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    if std::env::var_os("AGENT_BOARD_SESSION").is_some_and(|value| !value.is_empty()) {
        let text = texts::up_inside_session();
        return Err(Refusal::new(RefusalKind::WrongState, text).into());
    }
    // A board without a daemon would only say so; here the reason can still be read in full.
    if coordinator_is_off() {
        return Err(ClientError::Off.into());
    }
    let root = super::board_root()?;
    let config = Config::load();
    let installed = assets::install(&root, config.attach_in).map_err(anyhow::Error::new)?;
    DaemonClient::connect(&root, Role::Cli, StartPolicy::Person)?;
    let layout = installed.layout(args.layout.unwrap_or(config.layout));
    match server::among_ancestors(std::process::id()) {
        Some(server) => inside::open(&server, &installed.plugin_url, &layout),
        None => {
            let (session, chosen) = match &args.session {
                Some(session) => (session, named::Chosen::Here),
                None => (&config.zellij_session, named::Chosen::Before),
            };
            let session = named::session(session, chosen, &root, outside::running_server)?;
            outside::open(&session, &layout, &root, config.zellij.as_deref())
        }
    }
}
