//! `host-runner completions SHELL`: the completion script of a shell.

use super::{Cli, Failure, session::print};
use clap::CommandFactory;
use clap_complete::{Shell, generate};

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    // The generator panics when it cannot write, so it never gets a pipe.
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "host-runner", &mut script);
    print(&String::from_utf8_lossy(&script))
}
