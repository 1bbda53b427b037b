//! `host-runner visit`: says that a person has looked at a session, or that nobody has.

use super::{Failure, session};
use board_protocol::command::Command;

/// Arguments of `visit`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// Make it look as if nobody had looked at what it said last.
    #[arg(long)]
    unread: bool,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    session::change_and_say(&args.session, args.output, |session| {
        if args.unread { Command::MarkUnread { session } } else { Command::Visit { session } }
    })
}
