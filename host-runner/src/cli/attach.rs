//! `host-runner attach`.

use super::Failure;

/// Arguments of `attach`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// Carries the command out.
pub(super) fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::Unreachable("this command is not built yet".into()))
}
