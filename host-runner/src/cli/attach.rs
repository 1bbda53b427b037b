//! `host-runner attach`.

use super::Failure;
use crate::attach;
use board_protocol::host::AttachMode;

/// Arguments of `attach`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// Only look: nothing that is typed reaches the session, and its size stays.
    #[arg(long)]
    read_only: bool,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let root = super::board_root()?;
    let mode = if args.read_only { AttachMode::ReadOnly } else { AttachMode::Interactive };
    attach::run(&root, &args.session, mode)
}
