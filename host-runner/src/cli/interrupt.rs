//! `host-runner interrupt`: sends the agent's interrupt key, once.

use super::{Failure, session};
use board_protocol::command::Command;

/// Arguments of `interrupt`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    session::change(&args.session, |session| Command::Interrupt { session })
}
