//! The process of a headless run: it drives one worker, reads what that prints, and tells the daemon. It ends with its
//! worker and never with the daemon.
//!
//! Started detached by the daemon, with a launch on its standard input. In this order (reference D.1): the signals are
//! caught; the first line of its log says so; the launch is read; the beginning is reported; the worker is started; its
//! handlers are wired; a stop that came before that is carried out. A stop at any moment after the first step leads to an
//! end that is reported.
//!
//! Reading order: [`run`], `drive` (the one `poll`), `worker` (the program), `reporter` (what is said to the daemon);
//! pure: `latch`, `lines`, `story`, `notes`; between the two threads: `mailbox`.

mod drive;
mod latch;
mod lines;
mod mailbox;
mod notes;
mod reporter;
mod signals;
mod story;
mod worker;

use crate::{agents::AgentKind, fresh, process, root::BoardRoot};
use board_protocol::{
    daemon::LogLevel,
    run::{RunKind, RunLaunch, RunReport, RunStart},
};
use drive::Drive;
use latch::StopLatch;
use mailbox::Mailbox;
use reporter::{About, Beginning, Reporter};
use signals::Signals;
use std::{
    sync::{Arc, mpsc},
    time::Duration,
};

/// How long the worker waits for the beginning to be recorded. After that it works without: the report comes later.
const BEGINNING_WITHIN: Duration = Duration::from_secs(2);

/// The signals of a run, held from before its launch is read.
#[derive(Debug)]
pub struct Prepared {
    signals: Signals,
    armed_at: board_protocol::ids::UnixMs,
}

/// Detaches from the starter's session and catches signals. Called first: a stop at any later moment is kept.
///
/// # Errors
/// The kernel gives no descriptors.
pub fn prepare() -> std::io::Result<Prepared> {
    let signals = Signals::install()?;
    let armed_at = fresh::now();
    // Fails for the leader of a process group, which then already has a session of its own or a person at its terminal.
    let _ = rustix::process::setsid();
    // Descendants whose parents die come to us and not to init: they stay countable and are reaped.
    if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
        tracing::warn!("orphans of the run go to init: {error}");
    }
    Ok(Prepared { signals, armed_at })
}

/// Runs one turn until its worker has ended and that is known to the daemon or written to the disk.
///
/// # Errors
/// The agent of the launch is none that this build knows, or a thread cannot be started.
pub fn run(prepared: Prepared, root: BoardRoot, mut launch: RunLaunch) -> anyhow::Result<()> {
    let agent = AgentKind::parse(&launch.agent).map_err(anyhow::Error::msg)?;
    let mailbox = Arc::new(Mailbox::default());
    let (told, beginning) = mpsc::channel();
    let about = About {
        root: root.clone(),
        session: launch.session.clone(),
        run: launch.run.clone(),
        environment: launch.environment.clone(),
    };
    let reporter = Reporter::new(about, Arc::clone(&mailbox), told);
    let reporting = std::thread::Builder::new().name("reporter".to_owned()).spawn(move || reporter.run())?;
    let Prepared { signals, armed_at } = prepared;
    let mut drive = Drive::new(agent, &root, &launch, signals, Arc::clone(&mailbox));
    drive.note_at(armed_at, LogLevel::Info, "stop_latch_armed", "SIGTERM and SIGINT are kept from here on");
    drive.note(
        LogLevel::Info,
        "runner_start",
        &format!("pid {}, {} by {}", std::process::id(), purpose(launch.kind), launch.agent),
    );
    mailbox.put(RunReport::Started(RunStart {
        kind: launch.kind,
        prompt: launch.prompt.clone(),
        model: launch.model.clone(),
        process: Some(process::own_identity()),
        started_at_ms: fresh::now(),
    }));
    let mut latch = StopLatch::default();
    match beginning.recv_timeout(BEGINNING_WITHIN) {
        Ok(Beginning::Unwanted(refusal)) => {
            // The row is gone, or another run took its place: there is nobody to work for.
            tracing::info!(%refusal, "this run is not wanted any more");
            mailbox.close();
            let _ = reporting.join();
            return Ok(());
        }
        Ok(Beginning::Recorded | Beginning::Kept) | Err(_) => {}
    }
    drive.boot_window();
    drive.start(&mut launch, &mut latch);
    drive.work();
    mailbox.close();
    reporting.join().map_err(|_| anyhow::anyhow!("the reporter panicked"))
}

/// What a run is for, for whoever reads the log.
const fn purpose(kind: RunKind) -> &'static str {
    match kind {
        RunKind::Dispatch => "first words",
        RunKind::Reply => "more words",
        RunKind::Plan => "a plan",
        RunKind::PlanChange => "another plan",
        RunKind::PlanApproval => "an approved plan, carried out",
    }
}
