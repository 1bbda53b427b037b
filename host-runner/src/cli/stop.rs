//! `host-runner stop`: ends a session's agent and everything below it; the row stays.

use super::{Failure, session};
use board_protocol::command::Command;

/// Arguments of `stop`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    session::change(&args.session, |session| Command::Stop { session })
}
