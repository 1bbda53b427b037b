//! `host-runner daemon`: the daemon in the foreground, or detached for whoever starts it on demand.

use super::Failure;
use crate::client::own_program;
use anyhow::Context;
use std::process::Command;

/// Arguments of `daemon`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Start it in a session of its own and return.
    #[arg(long, hide = true)]
    detach: bool,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    if args.detach {
        return Ok(detach()?);
    }
    Err(Failure::Unreachable("this command is not built yet".into()))
}

/// Starts the daemon as a member, not the leader, of a new session: such a process can never acquire a terminal.
fn detach() -> anyhow::Result<()> {
    // Fails only for the leader of a process group, which has a group of its own already.
    let _ = rustix::process::setsid();
    Command::new(own_program()?).arg("daemon").spawn().context("cannot start host-runner daemon")?;
    Ok(())
}
