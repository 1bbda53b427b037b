//! The loop of a run: one `poll` over its worker's pipes and its own signals.
//!
//! Owned by [`super::run`]. It decides nothing about the row: it says what happened.

use super::{
    latch::StopLatch,
    lines::{Lines, Piece},
    mailbox::Mailbox,
    notes::Notes,
    signals::Signals,
    story::Story,
    worker::{PipeRead, Worker},
};
use crate::{
    agents::{AgentKind, headless::HeadlessReader, questions::QuestionTools},
    fresh,
    host::{
        stop::{Step, Stop},
        supervise::exit_of,
        tree::Tree,
    },
    model::{evidence::Fold, exit_text, redacted},
    polling::timespec,
    root::BoardRoot,
};
use board_protocol::{
    daemon::LogLevel,
    evidence::{ErrorEvidence, EvidenceItem},
    host::{Exit, MAX_STOP_GRACE_MS},
    ids::UnixMs,
    run::{RunEnd, RunEnding, RunLaunch, RunReport},
    text::{beginning_of, plain},
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    process::Signal,
};
use std::{
    fs::{File, OpenOptions},
    io::{Read, Seek, Write},
    os::{fd::AsFd, unix::fs::OpenOptionsExt},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

/// How much one wake reads from a pipe, in bytes.
const READ_BYTES: usize = 64 * 1024;
/// How often what goes on is reported: four times a second (reference D.1).
const BEAT: Duration = Duration::from_millis(250);
/// How long a worker's pipes are read after its end. Whoever holds them open longer is somebody that it left behind.
const DRAIN: Duration = Duration::from_millis(500);
/// Most bytes of complaints that are kept beside the log (field report F8).
const MAX_ERROR_BYTES: u64 = 256 * 1024;
/// Widens the time between the report of the beginning and the start of the worker, in milliseconds; for tests, and for
/// whoever wants to see what a stop in it leaves. Nothing happens when it is not set.
const BOOT_WINDOW: &str = "AGENT_BOARD_TEST_BOOT_WINDOW_MS";
/// Longest error of a run that becomes evidence, in bytes.
const MAX_EVIDENCE_ERROR_BYTES: usize = 500;
/// Longest complaint that becomes a line of the log, in bytes.
const MAX_ERROR_LINE_BYTES: usize = 4 * 1024;

/// A run at work.
pub(super) struct Drive {
    reader: HeadlessReader,
    tools: QuestionTools,
    session: String,
    grace: Duration,
    signals: Signals,
    mailbox: Arc<Mailbox>,
    notes: Notes,
    story: Story,
    evidence: Fold,
    worker: Option<Worker>,
    output: Lines,
    errors: Lines,
    /// Where complaints are kept, with how many bytes they may still have.
    error_file: (PathBuf, Option<File>, u64),
    tree: Option<Tree>,
    stop: Stop,
    exit: Option<Exit>,
    /// Why there never was a worker.
    failure: Option<String>,
    ended_at: Option<(UnixMs, Instant)>,
    beat_at: Option<Instant>,
}

impl Drive {
    pub(super) fn new(
        agent: AgentKind,
        root: &BoardRoot,
        launch: &RunLaunch,
        signals: Signals,
        mailbox: Arc<Mailbox>,
    ) -> Self {
        let errors = root.logs().join(format!("run-{}.stderr", launch.session));
        Self {
            reader: HeadlessReader::new(agent, launch.run.as_str()),
            // Without a terminal nobody could answer: question tools are tools like others (reference B.3).
            tools: QuestionTools::none(),
            session: launch.session.0.clone(),
            grace: Duration::from_millis(launch.stop_grace_ms.min(MAX_STOP_GRACE_MS).into()),
            signals,
            mailbox,
            notes: Notes::default(),
            story: Story::default(),
            evidence: Fold::default(),
            worker: None,
            output: Lines::default(),
            errors: Lines::default(),
            error_file: (errors, None, MAX_ERROR_BYTES),
            tree: None,
            stop: Stop::default(),
            exit: None,
            failure: None,
            ended_at: None,
            beat_at: None,
        }
    }

    /// A line for the session's log.
    pub(super) fn note(&mut self, level: LogLevel, code: &str, text: &str) {
        self.note_at(fresh::now(), level, code, text);
    }

    /// The same about an earlier moment.
    pub(super) fn note_at(&mut self, at: UnixMs, level: LogLevel, code: &str, text: &str) {
        if let Some(note) = self.notes.note(at, level, code, text) {
            self.mailbox.note(note);
        }
    }

    /// Waits as long as a test wants, or until somebody asks for the end; that stays to be taken.
    pub(super) fn boot_window(&self) {
        let Some(window) = std::env::var(BOOT_WINDOW).ok().and_then(|text| text.parse().ok()) else { return };
        let until = Instant::now() + Duration::from_millis(window);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let [_, term, int] = self.signals.fds();
            let mut fds = [term, int].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
            match poll(&mut fds, Some(&timespec(left))) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(0) if !left.is_zero() => {}
                Ok(_) | Err(_) => return,
            }
        }
    }

    /// Starts the worker, wires its stop, and carries out a stop that came before that: a doomed worker is started once,
    /// so that there is one order of things (reference D.2).
    pub(super) fn start(&mut self, launch: &mut RunLaunch, latch: &mut StopLatch) {
        if let Some(signal) = self.signals.take_stop() {
            latch.note(signal);
        }
        let program = launch.argv.first().cloned().unwrap_or_default();
        let arguments = launch.argv.len().saturating_sub(1);
        // The words are in the transcript; a line of a log is read by others.
        self.note(LogLevel::Info, "worker_spawn", &format!("{program} with {arguments} arguments"));
        match Worker::start(launch) {
            Ok(worker) => {
                self.note(LogLevel::Info, "worker_pid", &format!("pid {}", worker.process.pid));
                self.tree = Some(Tree::new(worker.process, &self.session));
                self.worker = Some(worker);
            }
            Err(error) => {
                self.note(LogLevel::Error, "worker_error", &error);
                self.failure = Some(error);
                self.ended_at = Some((fresh::now(), Instant::now()));
            }
        }
        // It is the worker's; this process has no use for it.
        launch.environment = Vec::new();
        launch.input = None;
        if let Some(signal) = latch.take() {
            self.note(LogLevel::Info, "stop_latch_replayed", signal.name());
            self.stop.ask();
        }
    }

    /// Works until the worker has ended, and reports that.
    pub(super) fn work(&mut self) {
        while !self.is_over() {
            if let Err(error) = self.wait() {
                self.note(LogLevel::Error, "worker_error", &format!("poll failed: {error}"));
                self.stop.ask();
            }
            if self.signals.take_stop().is_some() {
                self.stop.ask();
            }
            self.read();
            self.reap();
            self.advance_stop();
            self.tell();
        }
        self.finish();
    }

    fn is_over(&self) -> bool {
        if self.failure.is_some() {
            return true;
        }
        let Some((_, ended)) = self.ended_at else { return self.stop.is_over() };
        let silent =
            self.worker.as_ref().is_none_or(|worker| worker.output.is_none() && worker.errors.is_none());
        // A stop ends the whole tree, not only its root.
        let stopping = self.stop.is_asked() && !self.stop.is_over();
        !stopping && (silent || ended.elapsed() >= DRAIN)
    }

    fn wait(&self) -> std::io::Result<()> {
        let now = Instant::now();
        let drained = self.ended_at.map(|(_, ended)| ended + DRAIN);
        let beat = self.story.has_news().then(|| self.beat_at.map_or(now, |at| at + BEAT));
        let deadline = [self.stop.next_deadline(now), drained, beat].into_iter().flatten().min();
        let timeout = deadline.map(|deadline| timespec(deadline.saturating_duration_since(now)));
        let pipes = self.worker.iter().flat_map(|worker| [&worker.output, &worker.errors]).flatten();
        let mut fds: Vec<PollFd<'_>> = self
            .signals
            .fds()
            .into_iter()
            .chain(pipes.map(AsFd::as_fd))
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn read(&mut self) {
        let mut buffer = vec![0; READ_BYTES];
        let Some(worker) = &mut self.worker else { return };
        let printed = worker.output.as_mut().map(|pipe| pipe.read(&mut buffer));
        match printed {
            Some(PipeRead::Some(count)) => self.hear(buffer.get(..count).unwrap_or_default()),
            Some(PipeRead::Over) => {
                worker.output = None;
                self.hear_end();
            }
            Some(PipeRead::Nothing) | None => {}
        }
        let Some(worker) = &mut self.worker else { return };
        let complained = worker.errors.as_mut().map(|pipe| pipe.read(&mut buffer));
        match complained {
            Some(PipeRead::Some(count)) => self.complain(buffer.get(..count).unwrap_or_default()),
            Some(PipeRead::Over) => {
                worker.errors = None;
                self.complain_end();
            }
            Some(PipeRead::Nothing) | None => {}
        }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::take(&mut self.output);
        lines.push(bytes, |piece| self.line(piece));
        self.output = lines;
    }

    fn hear_end(&mut self) {
        let mut lines = std::mem::take(&mut self.output);
        lines.finish(|piece| self.line(piece));
    }

    fn line(&mut self, piece: Piece<'_>) {
        let at = fresh::now();
        let line = match piece {
            Piece::TooLong(length) => {
                let text = format!("a line of {length} bytes is no event");
                return self.note_at(at, LogLevel::Warn, "malformed_event", &text);
            }
            Piece::Line(line) if line.iter().all(u8::is_ascii_whitespace) => return,
            Piece::Line(line) => line,
        };
        for event in self.reader.read(line, &self.tools) {
            self.mailbox.evidence(self.evidence.take(&event, at));
            if let Some(fault) = self.story.hear(event, at) {
                self.note_at(at, LogLevel::Warn, &fault.code, &fault.detail);
            }
        }
        if let Some(conversation) = self.story.conversation() {
            self.mailbox.put(RunReport::Conversing(conversation));
        }
    }

    fn complain(&mut self, bytes: &[u8]) {
        self.keep_complaint(bytes);
        let mut lines = std::mem::take(&mut self.errors);
        lines.push(bytes, |piece| self.complaint(piece));
        self.errors = lines;
    }

    fn complain_end(&mut self) {
        let mut lines = std::mem::take(&mut self.errors);
        lines.finish(|piece| self.complaint(piece));
    }

    fn complaint(&mut self, piece: Piece<'_>) {
        let text = match piece {
            Piece::TooLong(length) => format!("a line of {length} bytes"),
            Piece::Line(line) => {
                let line = line.get(..line.len().min(MAX_ERROR_LINE_BYTES)).unwrap_or_default();
                String::from_utf8_lossy(line).into_owned()
            }
        };
        if !text.trim().is_empty() {
            self.note(LogLevel::Warn, "worker_stderr", &text);
        }
    }

    /// Complaints of the newest run, as they are, for whoever looks for a fault.
    fn keep_complaint(&mut self, bytes: &[u8]) {
        let (path, file, left) = &mut self.error_file;
        if file.is_none() {
            let opened = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&*path);
            *file = opened.inspect_err(|error| tracing::warn!(%error, "complaints are not kept")).ok();
        }
        let length = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
        if let Some(file) = file
            && file.write_all(bytes.get(..length).unwrap_or_default()).is_ok()
        {
            *left = left.saturating_sub(length as u64);
        }
    }

    fn reap(&mut self) {
        let worker = self.worker.as_ref().map(|worker| worker.process.pid);
        let mut ended = None;
        self.signals.reap(|pid, status| {
            if Some(pid) == worker {
                ended = exit_of(status);
            }
        });
        if let Some(exit) = ended {
            self.exit = Some(exit);
            self.ended_at.get_or_insert_with(|| (fresh::now(), Instant::now()));
        }
    }

    /// Carries a stop on: SIGTERM to the whole tree, its grace, SIGKILL.
    fn advance_stop(&mut self) {
        let Some(tree) = &mut self.tree else { return };
        let exited = self.exit.is_some();
        let step = self.stop.on(Instant::now(), self.grace, || tree.refresh() || !exited);
        if let Some(step @ (Step::Terminate | Step::Kill)) = step {
            tree.refresh();
            tree.signal(if step == Step::Kill { Signal::KILL } else { Signal::TERM });
            // A stopped process takes SIGTERM only once it goes on.
            if step == Step::Terminate {
                tree.signal(Signal::CONT);
            }
        }
    }

    /// Reports what goes on, at most four times a second.
    fn tell(&mut self) {
        let due = self.beat_at.is_none_or(|at| at.elapsed() >= BEAT);
        if due && let Some(beat) = self.story.beat() {
            self.beat_at = Some(Instant::now());
            self.mailbox.beat(beat);
        }
    }

    /// Everything that was printed is read: the end.
    fn finish(&mut self) {
        let at = self.ended_at.map_or_else(fresh::now, |(at, _)| at);
        // What was still under way when somebody kept the pipes open.
        if self.worker.as_ref().is_some_and(|worker| worker.output.is_some()) {
            self.hear_end();
        }
        let asked = self.stop.is_asked();
        for event in self.reader.finish().into_iter().filter(|_| !asked) {
            self.mailbox.evidence(self.evidence.take(&event, at));
            self.story.hear(event, at);
        }
        let outcome = self.story.outcome();
        if self.worker.is_some() {
            let how = self.exit.map_or_else(|| "it could not be ended".to_owned(), exit_text);
            let survivors = self.tree.as_mut().map_or(0, |tree| {
                tree.refresh();
                tree.survivors().len()
            });
            let left = match survivors {
                0 => String::new(),
                count => format!("; processes that it left: {count}"),
            };
            let bad = !asked && self.exit != Some(Exit::Code(0));
            let level = if bad { LogLevel::Error } else { LogLevel::Info };
            self.note_at(at, level, "worker_exit", &format!("{how}{left}"));
        }
        for more in self.notes.more(at) {
            self.mailbox.note(more);
        }
        let dropped = self.mailbox.dropped();
        if dropped > 0 {
            self.note(LogLevel::Warn, "reports_dropped", &format!("{dropped} reports found no room"));
        }
        let exit_code = match self.exit {
            Some(Exit::Code(code)) => Some(code),
            Some(Exit::Signal(_)) | None => None,
        };
        let error = self.failure.take().or(outcome.error).or_else(|| self.last_complaint(exit_code));
        if let Some(message) = error.as_deref().filter(|_| !asked) {
            let message = beginning_of(message, MAX_EVIDENCE_ERROR_BYTES).to_owned();
            let error = ErrorEvidence { at_ms: at, source: "run".to_owned(), message, tool: None };
            self.mailbox.evidence(vec![EvidenceItem::Error(error)]);
        }
        self.mailbox.put(RunReport::Finalized(RunEnd {
            ended_at_ms: at,
            exit_code,
            stop: outcome.stop,
            ending: if asked { RunEnding::StoppedByPerson } else { RunEnding::Itself },
            text: outcome.text,
            // A clock that was set back must not make a run speak after its end.
            last_agent_activity_at_ms: outcome.spoke_at.map(|spoke| spoke.min(at)),
            error,
            usage: outcome.usage,
        }));
    }

    /// Why a worker failed that printed no error of its own: how it ended, and the last thing that it complained about.
    fn last_complaint(&self, exit_code: Option<i32>) -> Option<String> {
        let exit = self.exit.filter(|_| exit_code != Some(0))?;
        let mut text = String::new();
        let mut file = File::open(&self.error_file.0).ok().filter(|_| self.error_file.1.is_some())?;
        let length = file.metadata().ok()?.len();
        file.seek(std::io::SeekFrom::Start(length.saturating_sub(MAX_ERROR_LINE_BYTES as u64))).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        text.push_str(&String::from_utf8_lossy(&bytes));
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
        Some(format!("{}: {}", exit_text(exit), redacted(&plain(line))))
    }
}
