//! `host-runner shutdown`: ends the daemon, and with `--kill-hosts` every session first, and hosts that it does not know afterwards. Nothing starts it again before
//! the next command of a person (decision 17).

use super::Failure;
use crate::{
    client::{ClientError, DaemonClient, StartPolicy, coordinator_is_off},
    orphans::{self, Table},
    process,
    root::BoardRoot,
};
use anyhow::Context;
use board_protocol::{
    daemon::{Answer, HostsOnShutdown, Request},
    hello::Role,
    host::MAX_STOP_GRACE_MS,
};
use board_text::cli as texts;
use std::{
    fs,
    time::{Duration, Instant},
};

/// How long the daemon may take to end: longer than it waits for sessions itself.
const END_DEADLINE: Duration = Duration::from_secs(15);
/// How often its end is looked for.
const POLL: Duration = Duration::from_millis(20);

/// Arguments of `shutdown`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Stop every session, too. Without this they go on, and the next daemon finds them.
    #[arg(long)]
    kill_hosts: bool,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let root = super::board_root()?;
    // Sessions are stopped by a daemon, so that every row says what became of it.
    let (hosts, policy) = match args.kill_hosts {
        // Without daemons there is none to stop them: each is stopped by its own command.
        true if coordinator_is_off() => (HostsOnShutdown::Stop, StartPolicy::Never),
        true => (HostsOnShutdown::Stop, StartPolicy::Person),
        false => (HostsOnShutdown::Keep, StartPolicy::Never),
    };
    let mut client = match DaemonClient::connect(&root, Role::Cli, policy) {
        // The sessions stay: saying nothing would look as if they had been stopped.
        Err(ClientError::NotRunning) if args.kill_hosts => return Err(ClientError::Off.into()),
        Err(ClientError::NotRunning) => {
            let marker = root.shutdown_marker();
            fs::write(&marker, "").with_context(|| texts::cannot_write(marker.display()))?;
            eprintln!("{}", texts::shutdown_none());
            return Ok(());
        }
        other => other?,
    };
    let daemon = client.welcome().process;
    match client.ask(Request::Shutdown { hosts })? {
        Answer::ShuttingDown => {}
        _ => return Err(ClientError::Unexpected(board_text::client::a_shutdown()).into()),
    }
    let deadline = Instant::now() + END_DEADLINE;
    while process::is_running(daemon) {
        if Instant::now() >= deadline {
            let pid = daemon.pid;
            return Err(Failure::TimedOut(texts::shutdown_does_not_end(pid)));
        }
        std::thread::sleep(POLL);
    }
    if args.kill_hosts {
        end_strangers(&root)?;
    }
    Ok(())
}

/// Ends hosts of this root that the board knew nothing of: its store was lost, or they were started for an earlier one.
fn end_strangers(root: &BoardRoot) -> Result<(), Failure> {
    let table = Table::read(root.directory());
    let hosts: Vec<_> = table.hosts().iter().map(|host| host.process).collect();
    if hosts.is_empty() {
        return Ok(());
    }
    let grace = Duration::from_millis(MAX_STOP_GRACE_MS.into());
    let left = orphans::end_hosts(&hosts, grace);
    eprintln!("{}", texts::shutdown_ended_more(hosts.len() - left.len()));
    orphans::all_ended(&left).map_err(|error| Failure::TimedOut(error.to_string()))
}
