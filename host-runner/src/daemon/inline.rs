//! The coordinator inside the process that asks it: `AGENT_BOARD_COORDINATOR=off` (reference C.9).
//!
//! A second shell around the same [`Coordinator`], under the same lock, on the same store: decisions, journal and outcomes
//! are those of a daemon. There is no socket, so nobody can connect: hosts keep what they have to say in the spool, and the
//! next command that opens the board reads it there; a session is ended by a signal to its host. It lives for one command.

use super::{
    board::{Board, Subscription},
    lock::{self, DaemonLock},
    preflight::{self, Subject},
    requests, spawn,
    world::Machine,
};
use crate::{
    config::Config,
    coordinator::{Coordinator, Environment, Input, Output, Preflight, Quiet, Ticket, decision::Force},
    fresh,
    model::{SessionRecord, run::RunRecord},
    process,
    root::BoardRoot,
    store::Store,
};
use anyhow::Context;
use board_protocol::{
    board::BoardUpdate,
    command::{AdoptSession, Command, CommandEnvelope, StartSession},
    daemon::{Answer, HostEndpoint, Request, SessionDetail},
    ids::{ProcessIdentity, SessionId},
    refusal::{Refusal, RefusalKind},
};
use board_text::daemon as texts;
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// How long a host may take to end beyond the time that its program has: SIGKILL, its last words, the spool.
const END_PATIENCE: Duration = Duration::from_secs(5);
/// How often its end is looked for.
const END_POLL: Duration = Duration::from_millis(10);

/// An open board without a daemon. Its lock is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Inline {
    root: BoardRoot,
    config: Config,
    coordinator: Coordinator<Machine>,
    board: Board,
    runtime: tokio::runtime::Runtime,
    ticket: u64,
    _lock: DaemonLock,
}

/// The process that a stop has to reach.
fn at_work(record: &SessionRecord) -> Option<ProcessIdentity> {
    if record.is_live() { record.host.process } else { record.run.as_ref().and_then(RunRecord::process) }
}

/// Why there is none.
#[derive(Debug)]
pub(crate) enum Unavailable {
    /// A daemon, or another command of this kind, has the board.
    Taken {
        /// Its pid, as far as the lock says.
        owner: String,
    },
    /// Something failed.
    Failed(anyhow::Error),
}

impl Inline {
    /// Opens the board as a daemon would, and looks around once.
    pub(crate) fn open(root: &BoardRoot) -> Result<Self, Unavailable> {
        let taken = DaemonLock::take(root).context(texts::cannot_lock());
        let Some(lock) = taken.map_err(Unavailable::Failed)? else {
            return Err(Unavailable::Taken { owner: lock::owner(root) });
        };
        Self::under(root, lock).map_err(Unavailable::Failed)
    }

    fn under(root: &BoardRoot, lock: DaemonLock) -> anyhow::Result<Self> {
        let config = Config::load();
        let opened = Store::open(&root.database(), &fresh::now().0.to_string())
            .with_context(|| texts::cannot_open(root.database().display()))?;
        let machine = Machine::new(root.clone(), &config);
        let coordinator = Coordinator::new(machine, opened, config.warnings().to_vec());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context(texts::cannot_start_programs())?;
        let board = Board::default();
        let root = root.clone();
        let mut inline = Self { root, config, coordinator, board, runtime, ticket: 0, _lock: lock };
        let first = inline.coordinator.boot();
        inline.carry_out(first);
        inline.end_what_is_to_end();
        Ok(inline)
    }

    /// Answers a request.
    ///
    /// # Errors
    /// The refusal that the person reads.
    pub(crate) fn ask(&mut self, request: Request) -> Result<Answer, Refusal> {
        if let Some(question) = requests::question(&request) {
            return self.turn(|ticket| Input::Asked { ticket, question }).map(|answer| self.complete(answer));
        }
        match request {
            Request::Ping => Ok(Answer::Ready),
            Request::Board => Ok(Answer::Rows(self.board.rows())),
            Request::Reconcile => self.turn(|ticket| Input::Reconcile { ticket }),
            Request::ForgetDirectory { path } => self.turn(|ticket| Input::ForgetDirectory { ticket, path }),
            Request::Command(envelope) => {
                let answer = self.command(*envelope);
                self.end_what_is_to_end();
                for output in self.coordinator.tidy_up(Quiet::Yes) {
                    self.carry_out(vec![output]);
                }
                answer
            }
            _ => {
                let text = texts::coordinator_off();
                Err(Refusal::new(RefusalKind::WrongState, text))
            }
        }
    }

    /// The whole board, as a subscriber would get it.
    pub(crate) fn updates(&self) -> Vec<BoardUpdate> {
        Subscription::default().catch_up(&self.board)
    }

    fn command(&mut self, mut envelope: CommandEnvelope) -> Result<Answer, Refusal> {
        let taken_at = fresh::now();
        let environment = envelope.environment.take().map(|variables| Environment { variables, taken_at });
        if let Command::Start(StartSession { size, .. }) | Command::Adopt(AdoptSession { size, .. }) =
            &mut envelope.command
        {
            size.get_or_insert(self.config.size);
        }
        let preflight = self.preflight(&envelope.command, environment.as_ref());
        self.turn(|ticket| Input::Command { ticket, envelope, environment, preflight })
    }

    fn preflight(&self, command: &Command, environment: Option<&Environment>) -> Option<Preflight> {
        let environment = environment?.clone();
        let subject = Subject::of(command, |session| self.board.row(session).cloned())?;
        let root = self.root.directory().to_owned();
        Some(self.runtime.block_on(preflight::check(subject, environment, root)))
    }

    /// One turn of the coordinator, and the answer in it.
    fn turn(&mut self, input: impl FnOnce(Ticket) -> Input) -> Result<Answer, Refusal> {
        self.ticket += 1;
        let ticket = Ticket(self.ticket);
        let outputs = self.coordinator.handle(vec![input(ticket)]);
        let answer = self.carry_out(outputs);
        answer.unwrap_or_else(|| Err(Refusal::new(RefusalKind::Internal, texts::nobody_answered())))
    }

    /// Carries out what the coordinator says; gives the answer in it.
    fn carry_out(&mut self, outputs: Vec<Output>) -> Option<Result<Answer, Refusal>> {
        let mut given = None;
        for output in outputs {
            match output {
                Output::BoardChanged { upserted, removed, warnings } => {
                    self.board.apply(upserted, removed, warnings);
                }
                Output::Answer { answer, .. } => given = Some(answer),
                Output::Spawn(launch) => {
                    let (session, generation) = (launch.session.clone(), launch.generation.clone());
                    let spawned = self.runtime.block_on(spawn::alone(&self.root, *launch));
                    let input = match spawned {
                        Ok(process) => Input::HostSpawned { session, generation, process },
                        Err(reason) => Input::HostSpawnFailed { session, generation, reason },
                    };
                    let outputs = self.coordinator.handle(vec![input]);
                    self.carry_out(outputs);
                }
                Output::SpawnRun(launch) => {
                    let (session, run) = (launch.session.clone(), launch.run.clone());
                    let spawned = self.runtime.block_on(spawn::run_alone(&self.root, *launch));
                    let input = match spawned {
                        Ok(process) => Input::RunSpawned { session, run, process },
                        Err(reason) => Input::RunSpawnFailed { session, run, reason },
                    };
                    let outputs = self.coordinator.handle(vec![input]);
                    self.carry_out(outputs);
                }
                Output::Signal { process, force } => {
                    let signal = if force == Force::Kill { Signal::KILL } else { Signal::TERM };
                    let _ = process::signal(process, signal);
                }
                // Nobody is connected, and this process does not live long enough to look again.
                Output::Order { .. }
                | Output::Disconnect { .. }
                | Output::Watch { .. }
                | Output::LookAgain { .. }
                | Output::ShowLater { .. }
                | Output::SkipLater { .. }
                | Output::TellPane { .. }
                | Output::Consult(_)
                | Output::NoticeLater { .. }
                | Output::Notify(_)
                | Output::LookForReferences(_)
                | Output::Running { .. } => {}
            }
        }
        given
    }

    /// Sessions that a person wants to end: a host that cannot be told ends its program at SIGTERM. What it says then
    /// lies in the spool.
    fn end_what_is_to_end(&mut self) {
        let ending: Vec<(SessionId, ProcessIdentity)> = self
            .coordinator
            .sessions()
            .values()
            .filter(|record| record.is_at_work() && record.stop.is_some())
            .filter_map(|record| Some((record.id.clone(), at_work(record)?)))
            .collect();
        if ending.is_empty() {
            return;
        }
        for (_, process) in &ending {
            let _ = process::signal(*process, Signal::TERM);
        }
        let grace = Duration::from_millis(self.config.host_settings().stop_grace_ms.into());
        let deadline = Instant::now() + grace + END_PATIENCE;
        while ending.iter().any(|(_, process)| process::is_running(*process)) && Instant::now() < deadline {
            std::thread::sleep(END_POLL);
        }
        let seen = ending.into_iter().map(|(session, _)| Input::HostEnded { session }).collect();
        let outputs = self.coordinator.handle(seen);
        self.carry_out(outputs);
    }

    /// A host that could not introduce itself listens all the same, at the address that it was given.
    fn complete(&self, answer: Answer) -> Answer {
        let Answer::Session(mut detail) = answer else { return answer };
        if detail.host.is_none() {
            detail.host = self.endpoint(&detail);
        }
        Answer::Session(detail)
    }

    fn endpoint(&self, detail: &SessionDetail) -> Option<HostEndpoint> {
        let record = self.coordinator.sessions().get(&detail.row.id).filter(|record| record.is_live())?;
        let process = record.host.process.filter(|process| process::is_running(*process))?;
        let generation = record.host.generation.clone();
        let socket = self.root.host_socket(&record.id, &generation).to_string_lossy().into_owned();
        Some(HostEndpoint { socket, generation, process })
    }
}
