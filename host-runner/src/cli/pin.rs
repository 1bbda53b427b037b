//! `host-runner pin`: puts a session first in its group, or back where its age puts it.

use super::{Failure, session};
use board_protocol::command::{Command, Pin};

/// Arguments of `pin`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// Take the pin away.
    #[arg(long)]
    off: bool,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let pin = if args.off { Pin::Unpinned } else { Pin::Pinned };
    session::change_and_say(&args.session, args.output, |session| Command::SetPin { session, pin })
}
