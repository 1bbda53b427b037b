//! `host-runner link`: the layout starts it in the status pane, the plugin starts one when none speaks.

use super::Failure;
use crate::link;
use board_text::cli as texts;
use std::ffi::OsString;

/// Arguments of `link`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The zellij session to serve, when this process does not run inside one.
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Become the program that follows, and die when process PID ends (how the link starts its own children).
    #[arg(long, value_name = "PID", hide = true, requires = "program")]
    die_with: Option<u32>,
    /// The program to become, with its arguments.
    #[arg(hide = true, last = true, requires = "die_with")]
    program: Vec<OsString>,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    if let (Some(parent), Some((program, arguments))) = (args.die_with, args.program.split_first()) {
        let error = link::become_child_of(parent, program, arguments);
        return Err(anyhow::Error::new(error).context(texts::cannot_run(program.display())).into());
    }
    let Some(server) = link::own_server(args.session.as_deref()) else {
        return Err(Failure::Unreachable(texts::link_outside().into()));
    };
    Ok(link::run(super::board_root()?, server, args.session)?)
}
