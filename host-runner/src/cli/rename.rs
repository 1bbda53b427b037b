//! `host-runner rename`: gives a session another name.

use super::{Failure, session};
use board_protocol::command::Command;

/// Arguments of `rename`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// The new name.
    name: String,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    session::change_and_say(&args.session, args.output, |session| Command::Rename {
        session,
        name: args.name,
    })
}
