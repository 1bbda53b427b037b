//! The daemon's life: lock, store, first turn, socket, service, end.

use super::{
    dispatch,
    lock::{self, DaemonLock},
    notify, screen_logs, serve,
    shell::Shell,
    socket::DaemonSocket,
    world::Machine,
};
use crate::{
    config::{Config, file_path},
    coordinator::{Coordinator, Input, Output, Quiet, notify::Wanted},
    fresh, process,
    root::BoardRoot,
    store::Store,
};
use anyhow::Context;
use board_protocol::{
    daemon::HostsOnShutdown,
    hello::{COORDINATOR_PROTOCOL, Welcome},
};
use board_text::daemon as texts;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::{
    fs, io,
    path::{Path, PathBuf},
    rc::Rc,
    thread::JoinHandle,
    time::{Duration, SystemTime},
};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::{mpsc, oneshot},
    task::{LocalSet, spawn_local},
    time::MissedTickBehavior,
};

/// Messages that may wait for the coordinator; more make their senders wait.
const INBOX: usize = 4096;
/// Most inputs that share one commit.
const MAX_BATCH: usize = 512;
/// How often records are compared with processes, and the lock with its file (reference D.9).
const TICK: Duration = Duration::from_secs(5);
/// How long a shutdown waits for sessions once their programs had their time to end: SIGKILL, then the host's last words.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
/// How long the last answer may take to reach whoever asked for the shutdown.
const FAREWELL: Duration = Duration::from_millis(100);

/// Who starts the daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// A person, in the foreground: a shutdown's marker is removed.
    Person,
    /// Whoever needs it, detached: a shutdown's marker is obeyed (decision 17).
    OnDemand,
}

/// Runs the daemon until it is told to end. Returns at once when another one serves this root.
///
/// # Errors
/// The lock, the store or the socket cannot be used; the text says which and what to do.
pub fn run(root: &BoardRoot, start: Start) -> anyhow::Result<()> {
    let marker = root.shutdown_marker();
    match start {
        Start::OnDemand if marker.exists() => return Ok(()),
        Start::OnDemand => {}
        Start::Person => match fs::remove_file(&marker) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| texts::cannot_remove(marker.display()));
            }
            _ => {}
        },
    }
    let Some(lock) = DaemonLock::take(root).context(texts::cannot_lock())? else {
        tracing::info!("another daemon (pid {}) serves {}", lock::owner(root), root.directory().display());
        return Ok(());
    };
    // Looked at again with the lock: whoever waited for it may have seen no marker because the daemon before was still
    // about to be shut down.
    if start == Start::OnDemand && marker.exists() {
        return Ok(());
    }
    let usual_descriptors = raise_descriptor_limit();
    let config = Config::load();
    let opened = Store::open(&root.database(), &fresh::now().0.to_string())
        .with_context(|| texts::cannot_open(root.database().display()))?;
    let mut coordinator =
        Coordinator::new(Machine::new(root.clone(), &config), opened, config.warnings().to_vec());
    let first = coordinator.boot();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(8)
        .build()
        .context(texts::cannot_start_sockets())?;
    let set = LocalSet::new();
    let result = set.block_on(&runtime, service(root, &lock, config, usual_descriptors, coordinator, first));
    drop(set);
    // A preflight that hangs on a dead file system must not keep the process.
    runtime.shutdown_background();
    result
}

/// The configuration file, for whoever edits it while the daemon runs: most of it counts from the next daemon on, and a
/// slip in it is said at once.
#[derive(Debug)]
struct SettingsFile {
    path: Option<PathBuf>,
    seen: Option<(SystemTime, u64)>,
}

impl Default for SettingsFile {
    fn default() -> Self {
        let path = file_path(|name| std::env::var_os(name));
        let seen = path.as_deref().and_then(look_of);
        Self { path, seen }
    }
}

impl SettingsFile {
    /// What is wrong with the configuration, if the file has changed.
    fn news(&mut self) -> Option<Vec<String>> {
        let seen = self.path.as_deref().and_then(look_of);
        (seen != self.seen).then(|| {
            self.seen = seen;
            Config::load().warnings().to_vec()
        })
    }
}

fn look_of(path: &Path) -> Option<(SystemTime, u64)> {
    let meta = fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

async fn service(
    root: &BoardRoot,
    lock: &DaemonLock,
    config: Config,
    usual_descriptors: Rlimit,
    coordinator: Coordinator<Machine>,
    first: Vec<Output>,
) -> anyhow::Result<()> {
    let (inbox, inputs) = mpsc::channel(INBOX);
    // Without a limit of its own: a coordinator that waited for this thread, while this thread waits in front of its
    // inbox, would never go on. `dispatch` never waits, so it stays short.
    let (outputs, mut outbox) = mpsc::unbounded_channel();
    let welcome = Welcome {
        version: COORDINATOR_PROTOCOL.newest,
        build: crate::BUILD.to_owned(),
        generation: fresh::generation(),
        process: process::own_identity(),
    };
    let (told, notices) = mpsc::channel(notify::MAX_WAITING);
    let told = (config.notices().wanted == Wanted::Yes).then_some(told);
    let shell = Rc::new(Shell::new(root.clone(), config, welcome, usual_descriptors, inbox, told));
    spawn_local(notify::serve(Rc::clone(&shell), notices));
    let (writer, written) = start_writer(coordinator, inputs, outputs)?;
    for output in first {
        dispatch::carry_out(&shell, output);
    }
    let (socket, listener) =
        DaemonSocket::bind(root).with_context(|| texts::cannot_bind(root.daemon_socket().display()))?;
    let listener = tokio::net::UnixListener::from_std(listener).context(texts::cannot_listen())?;
    spawn_local(serve::accept(Rc::clone(&shell), listener));
    spawn_local(screen_logs::tidy(root.clone(), shell.config.host_settings().screen_log_days));
    tracing::info!(pid = std::process::id(), root = %root.directory().display(), "the daemon serves");

    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut settings_file = SettingsFile::default();
    let mut sweeps = shell.config.sweep_every().map(|every| {
        let mut sweeps = tokio::time::interval_at(tokio::time::Instant::now() + every, every);
        sweeps.set_missed_tick_behavior(MissedTickBehavior::Delay);
        sweeps
    });
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut ending = shell.ending.subscribe();
    let mut over = std::pin::pin!(std::future::pending::<()>());
    let mut leaving: Option<std::pin::Pin<Box<dyn Future<Output = ()>>>> = None;
    loop {
        tokio::select! {
            output = outbox.recv() => match output {
                Some(output) => dispatch::carry_out(&shell, output),
                None => anyhow::bail!("{}", texts::coordinator_ended()),
            },
            _ = ticks.tick() => {
                if !lock.is_in_place() {
                    tracing::warn!("the root or its lock is gone, or another daemon took it: this one ends");
                    break;
                }
                let _ = shell.inbox.try_send(Input::Tick);
                if let Some(warnings) = settings_file.news() {
                    let _ = shell.inbox.try_send(Input::Configured { warnings });
                }
            }
            () = async { match &mut sweeps { Some(sweeps) => drop(sweeps.tick().await), None => std::future::pending().await } } => {
                let _ = shell.inbox.try_send(Input::Sweep);
            }
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            Ok(()) = ending.changed(), if leaving.is_none() => {
                let wish = *ending.borrow_and_update();
                if let Some(hosts) = wish {
                    leaving = Some(Box::pin(farewell(Rc::clone(&shell), hosts)));
                }
            }
            () = async { match &mut leaving { Some(leaving) => leaving.await, None => (&mut over).await } } => break,
        }
    }
    drop(socket);
    tracing::info!("the daemon ends");
    end(shell, outbox, writer, written).await
}

/// Lets the coordinator finish the turn that it is in, so that the store closes cleanly.
async fn end(
    shell: Rc<Shell>,
    mut outbox: mpsc::UnboundedReceiver<Output>,
    writer: JoinHandle<()>,
    written: oneshot::Receiver<()>,
) -> anyhow::Result<()> {
    // Connections still have the shell, and with it the inbox: closing the other end is what ends the writer.
    outbox.close();
    shell.consultants.end();
    let _ = shell.inbox.try_send(Input::Tick);
    drop(shell);
    // Not on the runtime's blocking threads: checks that hang on a dead file system may have all of them.
    let _ = written.await;
    writer.join().map_err(|_| anyhow::anyhow!("{}", texts::coordinator_panicked()))
}

/// A shutdown that a person asked for: the answer goes out, and the sessions end first where that was asked for.
async fn farewell(shell: Rc<Shell>, hosts: HostsOnShutdown) {
    match hosts {
        // Nobody looks for idle processes until the next daemon: once more, and what is told leaves before the end.
        HostsOnShutdown::Keep => {
            let _ = shell.inbox.send(Input::Sweep).await;
        }
        HostsOnShutdown::Stop => {
            let mut running = shell.running.subscribe();
            let _ = shell.inbox.send(Input::StopAll).await;
            let stopped = running.wait_for(|hosts| *hosts == 0);
            let grace = Duration::from_millis(shell.config.host_settings().stop_grace_ms.into());
            if tokio::time::timeout(grace + STOP_PATIENCE, stopped).await.is_err() {
                tracing::warn!("some sessions did not end in time");
            }
        }
    }
    tokio::time::sleep(FAREWELL).await;
}

/// The coordinator's thread: takes what waits, in one turn. The receiver hears when it ends.
fn start_writer(
    mut coordinator: Coordinator<Machine>,
    mut inputs: mpsc::Receiver<Input>,
    outputs: mpsc::UnboundedSender<Output>,
) -> io::Result<(JoinHandle<()>, oneshot::Receiver<()>)> {
    let (ended, written) = oneshot::channel::<()>();
    let writer = std::thread::Builder::new().name("coordinator".to_owned()).spawn(move || {
        // Dropped at the end of the thread, whichever end that is.
        let _ended = ended;
        let mut batch = Vec::new();
        while inputs.blocking_recv_many(&mut batch, MAX_BATCH) > 0 {
            let said = coordinator.handle(std::mem::take(&mut batch));
            if said.into_iter().any(|output| outputs.send(output).is_err()) {
                return;
            }
            // What is in memory may not be on the disk: the next daemon starts from what is.
            if let Some(reason) = coordinator.lost() {
                tracing::error!("the daemon ends, its store is lost: {reason}");
                return;
            }
            loop {
                let quiet = if inputs.is_empty() { Quiet::Yes } else { Quiet::No };
                let said = coordinator.tidy_up(quiet);
                if said.into_iter().any(|output| outputs.send(output).is_err()) {
                    return;
                }
                if quiet == Quiet::No || !coordinator.wants_tidying() {
                    break;
                }
            }
            if outputs.is_closed() {
                return;
            }
        }
        // Nobody waits for what it says.
        coordinator.write_rest();
    })?;
    Ok((writer, written))
}

/// Every host and every client is a descriptor, and the usual soft limit is 1024. Gives the limit as it was, which is
/// the one that sessions get: programs that use `select` break over a larger one.
fn raise_descriptor_limit() -> Rlimit {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
    limit
}
