//! `host-runner up`.

use super::Failure;

/// Arguments of `up`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// The command line without arguments: the board on a terminal, help elsewhere.
pub(super) fn run_without_arguments() -> Result<(), Failure> {
    run(Args {})
}

/// Carries the command out.
pub(super) fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::Unreachable("this command is not built yet".into()))
}
