//! `host-runner doctor`: prints what the checks found.

use super::Failure;

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: Args) -> Result<(), Failure> {
    Ok(())
}
