//! Starts hosts and headless runs: the same program in other roles, told everything on their standard input. Environments
//! and secrets reach no disk and no command line.
//!
//! Called by `dispatch` and, for a command without a daemon, by `inline`. It decides nothing: whatever goes wrong is told
//! to the coordinator.

use super::shell::Shell;
use crate::{
    client::open_log,
    coordinator::{Input, NO_SWEEP},
    process,
    program::own_program,
    root::BoardRoot,
};
use board_protocol::{
    frame,
    host::HostLaunch,
    ids::{Generation, ProcessIdentity, RunId, SessionId},
    run::RunLaunch,
};
use board_text::daemon as texts;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use serde::Serialize;
use std::{io, process::Stdio, rc::Rc, time::Duration};
use tokio::{
    io::AsyncWriteExt,
    process::{Child, Command},
};

/// What makes this program a host.
const HOST: &[&str] = &["host"];
/// What makes it the process of a headless run.
const RUN: &[&str] = &["run", "--turn"];
/// What hosts and runs write before they have a log of their own, and their panics.
const LOG_NAME: &str = "hosts.log";
/// How long a host may take to read its launch.
const LAUNCH_DEADLINE: Duration = Duration::from_secs(5);

/// Starts the host, says that it was started, and reaps it when it ends.
pub(super) async fn host(shell: Rc<Shell>, launch: HostLaunch) {
    let (session, generation) = (launch.session.clone(), launch.generation.clone());
    match start(&shell.root, shell.usual_descriptors, HOST, &launch.root) {
        Err(error) => failed(&shell, session, generation, texts::host_cannot_start(&error)).await,
        Ok(mut child) => {
            if let Some(process) = child.id().and_then(process::identify) {
                let spawned =
                    Input::HostSpawned { session: session.clone(), generation: generation.clone(), process };
                let _ = shell.inbox.send(spawned).await;
            }
            // A host that does not take its launch ends; its end is noticed like any other.
            if let Err(error) = hand_over(&mut child, &launch).await {
                tracing::warn!(%session, %error, "a host did not take its launch");
                let _ = child.start_kill();
            }
            drop(launch);
            let _ = child.wait().await;
        }
    }
}

async fn failed(shell: &Shell, session: SessionId, generation: Generation, reason: String) {
    tracing::error!(%session, %reason, "a host cannot be started");
    let _ = shell.inbox.send(Input::HostSpawnFailed { session, generation, reason }).await;
}

/// Starts the process of a headless run, says that it was started, and reaps it when it ends.
pub(super) async fn run(shell: Rc<Shell>, launch: RunLaunch) {
    let (session, run) = (launch.session.clone(), launch.run.clone());
    let mut child = match start(&shell.root, shell.usual_descriptors, RUN, &launch.root) {
        Ok(child) => child,
        Err(error) => return run_failed(&shell, session, run, no_run(&error)).await,
    };
    match child.id().and_then(process::identify) {
        Some(process) => {
            let spawned = Input::RunSpawned { session: session.clone(), run: run.clone(), process };
            let _ = shell.inbox.send(spawned).await;
        }
        None => run_failed(&shell, session.clone(), run, texts::run_ended().to_owned()).await,
    }
    // One that does not take its launch ends; its end is noticed like any other.
    if let Err(error) = hand_over(&mut child, &launch).await {
        tracing::warn!(%session, %error, "a run did not take its launch");
        let _ = child.start_kill();
    }
    drop(launch);
    let _ = child.wait().await;
}

async fn run_failed(shell: &Shell, session: SessionId, run: RunId, reason: String) {
    tracing::error!(%session, %reason, "a run cannot be started");
    let _ = shell.inbox.send(Input::RunSpawnFailed { session, run, reason }).await;
}

fn no_run(error: &io::Error) -> String {
    texts::run_cannot_start(error)
}

/// Starts the process of a run for a process that does not stay.
pub(super) async fn run_alone(root: &BoardRoot, launch: RunLaunch) -> Result<ProcessIdentity, String> {
    let mut child =
        start(root, getrlimit(Resource::Nofile), RUN, &launch.root).map_err(|error| no_run(&error))?;
    let process = child.id().and_then(process::identify);
    hand_over(&mut child, &launch).await.map_err(|error| no_run(&error))?;
    process.ok_or_else(|| texts::run_ended().to_owned())
}

/// Starts the host for a process that does not stay: it is nobody's child afterwards.
pub(super) async fn alone(root: &BoardRoot, launch: HostLaunch) -> Result<ProcessIdentity, String> {
    let failed = |error: io::Error| texts::host_cannot_start(&error);
    let mut child = start(root, getrlimit(Resource::Nofile), HOST, &launch.root).map_err(failed)?;
    let process = child.id().and_then(process::identify);
    hand_over(&mut child, &launch).await.map_err(failed)?;
    process.ok_or_else(|| texts::host_ended().to_owned())
}

fn start(
    root: &BoardRoot,
    usual_descriptors: Rlimit,
    role: &[&str],
    root_of_launch: &str,
) -> io::Result<Child> {
    let log = open_log(root, LOG_NAME)?;
    // It takes itself into a session of its own (see `host::prepare` and `run::prepare`). Its directory is `/`, so that it
    // keeps no file system busy; the program's is in the launch.
    let child = Command::new(own_program()?)
        .args(role)
        .env("AGENT_BOARD_ROOT", root_of_launch)
        // What it starts is started for the board, whoever started this daemon.
        .env_remove(NO_SWEEP)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(log)
        .kill_on_drop(false)
        .spawn()?;
    // It waits for its launch, so this comes before its program.
    if let Some(pid) = child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw)
        && let Err(error) = prlimit(Some(pid), Resource::Nofile, usual_descriptors)
    {
        tracing::warn!(%error, "a session keeps the daemon's limit of open files");
    }
    Ok(child)
}

async fn hand_over(child: &mut Child, launch: &impl Serialize) -> io::Result<()> {
    let bytes = frame::encode(launch).map_err(io::Error::other)?;
    let mut stdin = child.stdin.take().ok_or_else(|| io::Error::other(texts::no_stdin()))?;
    let written = tokio::time::timeout(LAUNCH_DEADLINE, stdin.write_all(&bytes)).await;
    written.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}
