//! Says what a run reports to the daemon, each report once and in order, whatever becomes of the daemon meanwhile.
//!
//! A thread of its own, so that a daemon that does not answer never keeps the run from reading its worker or from taking
//! a stop. Reports have stable command ids: one whose answer was lost is said again and counts once. What cannot be said
//! goes to the spool, where the next daemon finds it.

use super::mailbox::{Letter, Mailbox, Next};
use crate::{
    client::{ClientError, DaemonClient, StartPolicy, coordinator_is_off},
    fresh,
    root::BoardRoot,
    spool,
};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome, EnvVar},
    daemon::{Answer, Request},
    hello::Role,
    host::{HostFact, SpooledFact},
    ids::{CommandId, FactSeq, RunId, SessionId},
    refusal::Refusal,
    run::{KeptReport, RunBeat, RunReport},
    state::CommandSource,
};
use std::{
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

/// How long one look for news lasts: only a bound, whatever comes wakes it.
const WAIT: Duration = Duration::from_secs(60);
/// The shortest and the longest pause before a daemon is looked for again.
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// The longest pause once nothing more comes: whoever waits for the end of the run waits for this.
const LAST_RETRY: Duration = Duration::from_millis(500);
/// How long the end of a run is tried to be said before it goes to the disk: a daemon starts within three seconds.
const FAREWELL: Duration = Duration::from_secs(10);

/// Whose run it is.
#[derive(Debug, Clone)]
pub(super) struct About {
    /// The root.
    pub(super) root: BoardRoot,
    /// The session.
    pub(super) session: SessionId,
    /// The run.
    pub(super) run: RunId,
    /// What a run that follows this one is started with; said with the end, and kept in memory only (decision 12).
    pub(super) environment: Vec<EnvVar>,
}

/// What became of the report of the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Beginning {
    /// The row says that it runs.
    Recorded,
    /// The board does not want this run any more.
    Unwanted(Refusal),
    /// It could not be said and waits on the disk.
    Kept,
}

/// The thread.
pub(super) struct Reporter {
    about: About,
    mailbox: Arc<Mailbox>,
    beginning: mpsc::Sender<Beginning>,
    client: Option<DaemonClient>,
    pause: Duration,
    /// Since when everything was said that is going to be said.
    closing_since: Option<Instant>,
}

impl Reporter {
    pub(super) fn new(about: About, mailbox: Arc<Mailbox>, beginning: mpsc::Sender<Beginning>) -> Self {
        Self { about, mailbox, beginning, client: None, pause: RETRY.0, closing_since: None }
    }

    /// Works until everything is said or kept.
    pub(super) fn run(mut self) {
        loop {
            match self.mailbox.next(WAIT) {
                Next::Over => return,
                Next::Nothing => {}
                Next::Beat(beat) => self.show(beat),
                Next::Letter(letter) => self.deliver(&letter),
            }
        }
    }

    /// Shows what goes on, if a daemon is there.
    fn show(&mut self, beat: RunBeat) {
        let envelope = self.envelope(fresh::command_id(), RunReport::Progressed(beat));
        if self.connect().is_ok()
            && let Some(client) = &mut self.client
            && client.ask(Request::Command(Box::new(envelope))).is_err()
        {
            self.client = None;
        }
    }

    fn deliver(&mut self, letter: &Letter) {
        match self.say(letter) {
            Ok(outcome) => {
                self.pause = RETRY.0;
                if matches!(letter.report, RunReport::Started(_)) {
                    let told = match outcome {
                        CommandOutcome::Applied { .. } => Beginning::Recorded,
                        CommandOutcome::Refused(refusal) => Beginning::Unwanted(refusal),
                    };
                    let _ = self.beginning.send(told);
                }
                self.mailbox.said(letter);
            }
            Err(error) => {
                tracing::info!(%error, "a report cannot be said");
                self.client = None;
                let closing = self.mailbox.is_closed();
                let since = closing.then(|| *self.closing_since.get_or_insert_with(Instant::now));
                // Nobody starts a daemon after a shutdown, and without one there is nobody to wait for.
                let hopeless = coordinator_is_off() || (closing && matches!(error, ClientError::ShutDown));
                if hopeless || since.is_some_and(|since| since.elapsed() >= FAREWELL) {
                    self.keep(letter);
                } else if closing {
                    std::thread::sleep(self.pause.min(LAST_RETRY));
                    self.pause = self.pause.saturating_mul(2).min(RETRY.1);
                } else {
                    self.mailbox.pause(self.pause.mul_f64(0.5 + 0.5 * fresh::fraction()));
                    self.pause = self.pause.saturating_mul(2).min(RETRY.1);
                }
            }
        }
    }

    /// Writes a report to the disk. One that the disk refuses, too, is lost, and the log says so.
    fn keep(&mut self, letter: &Letter) {
        let kept = KeptReport {
            run: self.about.run.clone(),
            command_id: self.command_id(letter.number),
            report: letter.report.clone(),
        };
        let fact = SpooledFact {
            session: self.about.session.clone(),
            generation: None,
            seq: Some(FactSeq(letter.number)),
            at_ms: fresh::now(),
            fact: HostFact::RunReported(Box::new(kept)),
        };
        if let Err(error) = spool::write(&self.about.root, &fact) {
            tracing::error!(%error, "a report is lost");
        }
        if matches!(letter.report, RunReport::Started(_)) {
            let _ = self.beginning.send(Beginning::Kept);
        }
        self.mailbox.said(letter);
    }

    /// # Errors
    /// It is not known to be recorded: it has to be said again.
    fn say(&mut self, letter: &Letter) -> Result<CommandOutcome, ClientError> {
        let mut envelope = self.envelope(self.command_id(letter.number), letter.report.clone());
        if matches!(letter.report, RunReport::Finalized(_)) {
            envelope.environment = Some(self.about.environment.clone());
        }
        self.connect()?;
        let Some(client) = &mut self.client else { return Err(ClientError::NotRunning) };
        match client.ask(Request::Command(Box::new(envelope)))? {
            Answer::Outcome(outcome) => Ok(outcome),
            _ => Err(ClientError::Unexpected(board_text::client::an_outcome())),
        }
    }

    fn connect(&mut self) -> Result<(), ClientError> {
        if self.client.is_none() {
            self.client = Some(DaemonClient::connect(&self.about.root, Role::Cli, StartPolicy::Service)?);
        }
        Ok(())
    }

    /// Stable: the same report has the same id after every loss.
    fn command_id(&self, number: u64) -> CommandId {
        CommandId(format!("run-{}-{number}", self.about.run))
    }

    fn envelope(&self, command_id: CommandId, report: RunReport) -> CommandEnvelope {
        let (session, run) = (self.about.session.clone(), self.about.run.clone());
        CommandEnvelope {
            command_id,
            command: Command::ReportRun { session, run, report },
            environment: None,
            source: CommandSource::Run,
            expected_revision: None,
        }
    }
}
