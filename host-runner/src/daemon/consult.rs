//! Runs the commands of a person's own that are asked about sessions: two at a time, each in a process group of its own
//! that ends with it, and none for longer than its time.
//!
//! Threads, not tasks: a command is a child, three pipes and a deadline, and `poll` watches them all. Called by `dispatch`;
//! every question that is taken is answered to the coordinator once. It decides nothing.

use crate::{
    client::forget_session,
    config::{CommandLine, Config},
    coordinator::{Consult, Input, NO_SWEEP},
    model::consult::Consultation,
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open, waitid},
};
use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::CommandExt,
    },
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    time::{Duration, Instant},
};
use tokio::sync::mpsc;

/// Commands that run at once: a board of many sessions must not fill the machine with them.
const WORKERS: usize = 2;
/// Questions that wait for one of these: two minutes' worth of commands that take their whole time.
const WAITING: usize = 16;
/// How long a command may take (reference B.11).
const DEADLINE: Duration = Duration::from_secs(15);
/// Most bytes that it may print: an answer has a few hundred.
const MAX_OUTPUT_BYTES: usize = 16 * 1024;
/// Bytes of its complaints that are kept for the log.
const KEPT_ERROR_BYTES: usize = 512;
/// How often a worker looks whether the daemon ends, while its command says nothing.
const LOOK: Duration = Duration::from_millis(250);
/// How long the end of a daemon waits for the end of its commands: a look, and a moment for the kernel.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often it looks.
const MOMENT: Duration = Duration::from_millis(10);
/// How long what was printed before an end may take to be read, where somebody else holds the pipe open.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The commands, and the threads that run them.
#[derive(Debug)]
pub(super) struct Consultants {
    /// `None` where no command is set.
    questions: Option<SyncSender<Consult>>,
    inbox: mpsc::Sender<Input>,
    ending: Arc<AtomicBool>,
    /// How many commands run.
    busy: Arc<AtomicUsize>,
}

impl Consultants {
    /// Starts the threads, if there is anything for them to do. Answers go into the inbox.
    pub(super) fn new(config: &Config, inbox: mpsc::Sender<Input>) -> Self {
        let commands = config.consultants();
        let (ending, busy) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        if commands.is_empty() {
            return Self { questions: None, inbox, ending, busy };
        }
        let (questions, waiting) = sync_channel(WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..WORKERS {
            let worker = Worker {
                waiting: Arc::clone(&waiting),
                commands: commands.clone(),
                inbox: inbox.clone(),
                ending: Arc::clone(&ending),
                busy: Arc::clone(&busy),
            };
            let name = format!("consult-{number}");
            if let Err(error) = std::thread::Builder::new().name(name).spawn(move || worker.work()) {
                tracing::warn!(%error, "no thread for commands of the person's own");
            }
        }
        Self { questions: Some(questions), inbox, ending, busy }
    }

    /// Ends what runs: nothing of a daemon's own outlives it. Waits a moment for that, and no longer.
    pub(super) fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
        let deadline = Instant::now() + FAREWELL;
        // A thread without a command waits for a question that never comes; it holds nothing.
        while self.busy.load(Ordering::Relaxed) > 0 && Instant::now() < deadline {
            std::thread::sleep(MOMENT);
        }
    }

    /// Takes a question, or says at once why not. Never waits.
    pub(super) fn ask(&self, consult: Consult) {
        let refused = match &self.questions {
            None => Some((consult, "no such command is set")),
            Some(questions) => match questions.try_send(consult) {
                Ok(()) => None,
                Err(TrySendError::Full(consult)) => Some((consult, "too many wait for their commands")),
                Err(TrySendError::Disconnected(consult)) => Some((consult, "nothing runs commands any more")),
            },
        };
        if let Some((consult, reason)) = refused {
            // The coordinator may be behind: then the line in the log is what gets lost.
            let _ = self.inbox.try_send(answered(consult, Err(reason.to_owned())));
        }
    }
}

fn answered(consult: Consult, answer: Result<String, String>) -> Input {
    let Consult { kind, session, about, .. } = consult;
    Input::Consulted { kind, session, about, answer }
}

/// One of the threads.
struct Worker {
    waiting: Arc<Mutex<Receiver<Consult>>>,
    commands: BTreeMap<Consultation, CommandLine>,
    inbox: mpsc::Sender<Input>,
    ending: Arc<AtomicBool>,
    busy: Arc<AtomicUsize>,
}

impl Worker {
    fn work(&self) {
        loop {
            // A thread that panicked with the lock has left nothing half done: it only receives.
            let next = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(consult) = next else { return };
            self.busy.fetch_add(1, Ordering::Relaxed);
            let answer = match self.commands.get(&consult.kind) {
                Some(command) => run(&command.argv(), &consult.input, DEADLINE, &self.ending),
                None => Err("no such command is set".to_owned()),
            };
            self.busy.fetch_sub(1, Ordering::Relaxed);
            if self.inbox.blocking_send(answered(consult, answer)).is_err() {
                return;
            }
        }
    }
}

/// Runs one command to its end, and gives what it printed.
///
/// # Errors
/// Why there is no answer, in half a sentence.
fn run(argv: &[String], input: &str, deadline: Duration, ending: &AtomicBool) -> Result<String, String> {
    let deadline = Instant::now() + deadline;
    let running = Running::start(argv, input).map_err(|error| format!("it cannot be started: {error}"))?;
    running.finish(deadline, ending)
}

fn too_much() -> String {
    format!("it printed more than {MAX_OUTPUT_BYTES} bytes and was ended")
}

/// A command that runs.
struct Running {
    child: Child,
    group: Pid,
    /// Readable when it has ended; `None` on a kernel without such.
    process: Option<OwnedFd>,
    input: Vec<u8>,
    written: usize,
    printed: Vec<u8>,
    complained: Vec<u8>,
}

impl Running {
    fn start(argv: &[String], input: &str) -> io::Result<Self> {
        let (program, arguments) = argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir("/")
            // What it starts must not take hosts for idle ones (reference D.7).
            .env(NO_SWEEP, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        forget_session(&mut command);
        let mut child = command.spawn()?;
        let prepared = Self::prepare(&child);
        match prepared {
            Ok((group, process)) => Ok(Self {
                child,
                group,
                process,
                input: input.as_bytes().to_vec(),
                written: 0,
                printed: Vec::new(),
                complained: Vec::new(),
            }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    fn prepare(child: &Child) -> io::Result<(Pid, Option<OwnedFd>)> {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidData)?;
        let quiet = |fd: rustix::fd::BorrowedFd<'_>| -> io::Result<()> {
            let flags = fcntl_getfl(fd)?;
            Ok(fcntl_setfl(fd, flags | OFlags::NONBLOCK)?)
        };
        for pipe in [
            child.stdin.as_ref().map(AsFd::as_fd),
            child.stdout.as_ref().map(AsFd::as_fd),
            child.stderr.as_ref().map(AsFd::as_fd),
        ]
        .into_iter()
        .flatten()
        {
            quiet(pipe)?;
        }
        Ok((pid, pidfd_open(pid, PidfdFlags::empty()).ok()))
    }

    /// Waits for its end, or ends it. Gives what it printed.
    fn finish(mut self, deadline: Instant, ending: &AtomicBool) -> Result<String, String> {
        let ended = self.watch(deadline, ending);
        // Whatever it left in its group ends with it, before its pid can be anybody else's.
        self.end_group();
        let status = self.child.wait().map_err(|error| format!("how it ended is not known: {error}"))?;
        ended?;
        self.read_rest();
        if self.printed.len() > MAX_OUTPUT_BYTES {
            return Err(too_much());
        }
        if !status.success() {
            let said = String::from_utf8_lossy(&self.complained);
            let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
            let colon = if said.is_empty() { "" } else { ": " };
            return Err(format!("it failed ({status}){colon}{said}"));
        }
        String::from_utf8(self.printed).map_err(|_| "what it printed is no text".to_owned())
    }

    /// Feeds it and reads it until it has ended.
    fn watch(&mut self, deadline: Instant, ending: &AtomicBool) -> Result<(), String> {
        loop {
            let now = Instant::now();
            if now >= deadline {
                return Err("it took too long and was ended".to_owned());
            }
            if ending.load(Ordering::Relaxed) {
                return Err("the daemon ends".to_owned());
            }
            self.feed();
            self.read();
            if self.printed.len() > MAX_OUTPUT_BYTES {
                return Err(too_much());
            }
            let wait = (deadline - now).min(LOOK);
            if self.has_ended() {
                return Ok(());
            }
            self.wait(wait);
        }
    }

    /// Whether it has ended; it is not reaped, so its group keeps its number.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }

    /// Until it reads, prints or ends, at most so long.
    fn wait(&self, longest: Duration) {
        let mut fds = Vec::new();
        if let Some(process) = &self.process {
            fds.push(PollFd::new(process, PollFlags::IN));
        }
        if let Some(stdin) = &self.child.stdin {
            fds.push(PollFd::new(stdin, PollFlags::OUT));
        }
        if let Some(stdout) = &self.child.stdout {
            fds.push(PollFd::new(stdout, PollFlags::IN));
        }
        if let Some(stderr) = &self.child.stderr {
            fds.push(PollFd::new(stderr, PollFlags::IN));
        }
        let longest = Timespec::try_from(longest).ok();
        let _ = poll(&mut fds, longest.as_ref());
    }

    /// Writes what it takes. One that does not read its input is no fault.
    fn feed(&mut self) {
        let Some(stdin) = &mut self.child.stdin else { return };
        let rest = self.input.get(self.written..).unwrap_or_default();
        match stdin.write(rest) {
            Ok(0) => self.child.stdin = None,
            Ok(written) => {
                self.written += written;
                if self.written >= self.input.len() {
                    self.child.stdin = None;
                }
            }
            Err(error) if is_for_later(&error) => {}
            Err(_) => self.child.stdin = None,
        }
    }

    /// Reads what is there. A pipe that has ended is closed, so that it is not looked at again.
    fn read(&mut self) {
        if let Some(stdout) = &mut self.child.stdout
            && take(stdout, &mut self.printed, MAX_OUTPUT_BYTES + 1) == Pipe::Ended
        {
            self.child.stdout = None;
        }
        if let Some(stderr) = &mut self.child.stderr
            && take(stderr, &mut self.complained, KEPT_ERROR_BYTES) == Pipe::Ended
        {
            self.child.stderr = None;
        }
    }

    /// What it printed before its end. Somebody who left its group may hold the pipe open: they are not waited for.
    fn read_rest(&mut self) {
        let deadline = Instant::now() + LAST_WORDS;
        loop {
            let before = self.printed.len();
            self.read();
            let quiet = self.printed.len() == before;
            if self.child.stdout.is_none() || quiet || Instant::now() >= deadline {
                return;
            }
        }
    }

    fn end_group(&self) {
        let _ = kill_process_group(self.group, Signal::KILL);
    }
}

/// Whether a pipe can say more.
#[derive(Debug, PartialEq, Eq)]
enum Pipe {
    Open,
    Ended,
}

/// Reads what is there, and keeps at most so many bytes of it all; of the rest, one buffer a call is thrown away.
fn take(pipe: &mut impl Read, into: &mut Vec<u8>, most: usize) -> Pipe {
    let mut buffer = [0; 4096];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => return Pipe::Ended,
            Ok(count) => {
                let room = most.saturating_sub(into.len());
                into.extend_from_slice(buffer.get(..count.min(room)).unwrap_or_default());
                if room <= count {
                    return Pipe::Open;
                }
            }
            Err(error) if is_for_later(&error) => return Pipe::Open,
            Err(_) => return Pipe::Ended,
        }
    }
}

fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests;
