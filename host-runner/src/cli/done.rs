//! `host-runner done`: says that sessions are done; nothing but a person moves them from there.
//!
//! Exit codes: 0 all done, 1 at least one was refused (the others happened), 2 usage, 3 not reachable.

use super::{Failure, session};
use board_protocol::command::Command;

/// Arguments of `done`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The sessions: each by its id, a unique beginning of it, or its unique name.
    #[arg(required = true)]
    sessions: Vec<String>,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    session::change_each(&args.sessions, args.output, |session| Command::MarkCompleted { session })
}
