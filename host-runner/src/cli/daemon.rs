//! `host-runner daemon`: the daemon in the foreground, or detached for whoever starts it on demand.

use super::Failure;
use crate::{
    client::coordinator_is_off,
    config::Config,
    daemon::{self, BoundedLog, Start},
    kernel,
    program::own_program,
};
use anyhow::Context;
use board_text::cli as texts;
use std::process::Command;
use tracing_subscriber::{EnvFilter, fmt::writer::BoxMakeWriter};

/// Arguments of `daemon`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Start it in a session of its own and return.
    #[arg(long, hide = true)]
    detach: bool,
    /// It was started because somebody needs it, not by a person.
    #[arg(long, hide = true, conflicts_with = "detach")]
    on_demand: bool,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    // What it says is read by others, each in a language of their own; also with options in front of its name.
    board_text::set_language(board_text::Language::English);
    kernel::close_inherited();
    // Reference C.1: whoever wants none gets none, and that is no failure.
    if coordinator_is_off() {
        eprintln!("{}", texts::daemon_coordinator_off());
        return Ok(());
    }
    if args.detach {
        return Ok(detach()?);
    }
    let root = super::board_root()?;
    let start = if args.on_demand { Start::OnDemand } else { Start::Person };
    // A person who runs it in the foreground sees it all.
    let writer = match start {
        Start::OnDemand => BoxMakeWriter::new(BoundedLog::new(root.clone())),
        Start::Person => BoxMakeWriter::new(std::io::stderr),
    };
    tracing_subscriber::fmt()
        .with_writer(writer)
        // A log that cannot be written (a full disk) is none; complaining about it on the same stream is a panic.
        .log_internal_errors(false)
        .with_ansi(false)
        .with_env_filter(EnvFilter::new(Config::load().log))
        .init();
    Ok(daemon::run(&root, start)?)
}

/// Starts the daemon as a member, not the leader, of a new session: such a process can never acquire a terminal.
fn detach() -> anyhow::Result<()> {
    // Fails only for the leader of a process group, which has a group of its own already.
    let _ = rustix::process::setsid();
    Command::new(own_program()?)
        .args(["daemon", "--on-demand"])
        .spawn()
        .context(texts::daemon_cannot_start())?;
    Ok(())
}
