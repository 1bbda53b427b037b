//! `host-runner rm`: takes a session off the board; a running one is stopped first.

use super::{Failure, session};
use board_protocol::command::Command;

/// Arguments of `rm`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    session::change(&args.session, |session| Command::Remove { session })
}
