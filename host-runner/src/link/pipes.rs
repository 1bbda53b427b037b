//! The two `zellij pipe` children: one prints what the plugin says, one is told what the plugin shall hear.
//!
//! Driven by [`super::run`] as the machine decides. They are started with the running server's own binary, and they die
//! with the link even when it is killed: a shim asks the kernel for that before it becomes zellij.

use super::address::Address;
use crate::zellij::{command::for_server, server::Server};
use board_protocol::pipe::{DOWN_PIPE, MAX_LINE_BYTES, UP_PIPE, UpLine};
use board_text::link as texts;
use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use std::{
    ffi::{OsStr, OsString},
    io,
    os::unix::process::CommandExt,
    process::{Command as StdCommand, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::mpsc,
};

/// Bytes read from the up child at once.
const READ_BYTES: usize = 16 * 1024;
/// How long the down child may take to pass the last line on before it is killed all the same.
const FAREWELL_LIMIT: Duration = Duration::from_millis(300);
/// Batches that wait for the child to read them; the machine sends the next only after the last was acknowledged.
const WRITE_QUEUE: usize = 4;

/// What a child did. The number tells it from an earlier child of its kind.
#[derive(Debug)]
pub(super) enum PipeEvent {
    /// A line came up.
    Line(u64, Box<UpLine>),
    /// The up child ended.
    UpEnded(u64),
    /// The down child ended.
    DownEnded(u64),
}

/// Starts, feeds and ends the children.
#[derive(Debug)]
pub(super) struct Pipes {
    server: Server,
    events: mpsc::UnboundedSender<PipeEvent>,
    last: u64,
    up: Option<Running>,
    down: Option<Running>,
}

/// A child with what it still has to read. Its output stays open as long as it lives, whether it prints or not: the end
/// of the output is the end of the child.
#[derive(Debug)]
struct Running {
    number: u64,
    child: Child,
    input: mpsc::Sender<Vec<u8>>,
}

impl Running {
    /// Kills the child before anything else happens: a child whose input ends would say one more, empty line.
    fn kill(mut self) {
        let _ = self.child.start_kill();
        tokio::spawn(async move {
            let _ = self.child.wait().await;
            drop(self.input);
        });
    }
}

impl Pipes {
    pub(super) fn new(server: Server, events: mpsc::UnboundedSender<PipeEvent>) -> Self {
        Self { server, events, last: 0, up: None, down: None }
    }

    /// Starts the up child of `session` and writes its one line.
    pub(super) fn start_up(&mut self, session: &str, line: Vec<u8>) -> io::Result<()> {
        self.stop_up();
        let (up, output) = self.spawn(session, &["--name", UP_PIPE])?;
        let _ = up.input.try_send(line);
        let (number, events) = (up.number, self.events.clone());
        tokio::spawn(async move {
            if let Some(output) = output {
                read_lines(number, output, &events).await;
            }
            let _ = events.send(PipeEvent::UpEnded(number));
        });
        self.up = Some(up);
        Ok(())
    }

    /// Starts the down child of `session`, for `address` or for everybody.
    pub(super) fn start_down(&mut self, session: &str, address: Option<&Address>) -> io::Result<()> {
        self.stop_down();
        let mut arguments = vec!["--name", DOWN_PIPE];
        if let Some(address) = address {
            arguments.extend(["--plugin", &address.location]);
            if let Some(configuration) = &address.configuration {
                arguments.extend(["--plugin-configuration", configuration]);
            }
        }
        let (down, output) = self.spawn(session, &arguments)?;
        let (number, events) = (down.number, self.events.clone());
        tokio::spawn(async move {
            if let Some(output) = output {
                drain(output).await;
            }
            let _ = events.send(PipeEvent::DownEnded(number));
        });
        self.down = Some(down);
        Ok(())
    }

    /// Hands bytes to the down child. A child that does not read any more is found stuck by the machine.
    pub(super) fn write(&mut self, bytes: Vec<u8>) {
        if let Some(down) = &self.down {
            let _ = down.input.try_send(bytes);
        }
    }

    pub(super) fn stop_up(&mut self) {
        if let Some(up) = self.up.take() {
            up.kill();
        }
    }

    pub(super) fn stop_down(&mut self) {
        if let Some(down) = self.down.take() {
            down.kill();
        }
    }

    /// Whether an event is of a child that still counts; a child that ended counts no more after this.
    pub(super) fn is_current(&mut self, event: &PipeEvent) -> bool {
        let is =
            |running: &Option<Running>, number: u64| running.as_ref().is_some_and(|r| r.number == number);
        match event {
            PipeEvent::Line(number, _) => is(&self.up, *number),
            PipeEvent::UpEnded(number) if is(&self.up, *number) => {
                self.stop_up();
                true
            }
            PipeEvent::DownEnded(number) if is(&self.down, *number) => {
                self.stop_down();
                true
            }
            PipeEvent::UpEnded(_) | PipeEvent::DownEnded(_) => false,
        }
    }

    /// Ends both, the down child after what it was given.
    pub(super) async fn finish(&mut self) {
        self.stop_up();
        if let Some(Running { mut child, input, .. }) = self.down.take() {
            // At the end of its input the child ends by itself, once zellij took the last line.
            drop(input);
            if tokio::time::timeout(FAREWELL_LIMIT, child.wait()).await.is_err() {
                let _ = child.kill().await;
            }
        }
    }

    fn spawn(&mut self, session: &str, arguments: &[&str]) -> io::Result<(Running, Option<ChildStdout>)> {
        let mut zellij = for_server(&self.server, session);
        zellij.arg("pipe").args(arguments);
        let mut shim = Command::from(dying_with_us(&zellij));
        shim.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = shim.spawn()?;
        let (input, batches) = mpsc::channel(WRITE_QUEUE);
        tokio::spawn(feed(child.stdin.take(), batches));
        self.last += 1;
        let output = child.stdout.take();
        Ok((Running { number: self.last, child, input }, output))
    }
}

/// `command` behind a shim that ties its life to ours. The shim is this binary, as the kernel still has it.
fn dying_with_us(command: &StdCommand) -> StdCommand {
    let mut shim = StdCommand::new("/proc/self/exe");
    shim.args(["link", "--die-with"]).arg(std::process::id().to_string()).arg("--");
    shim.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shim.env(name, value),
            None => shim.env_remove(name),
        };
    }
    // Keys typed at the status pane are none of the children's business.
    shim.process_group(0);
    shim
}

/// The shim: becomes `program`, which the kernel kills when the process `parent` ends. Returns only on failure.
pub(crate) fn become_child_of(parent: u32, program: &OsStr, arguments: &[OsString]) -> io::Error {
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // The link may have died before the kernel was asked.
    let now = getppid().map(|pid| pid.as_raw_nonzero().get());
    if now.and_then(|pid| u32::try_from(pid).ok()) != Some(parent) {
        return io::Error::other(texts::has_ended());
    }
    // Under its usual name: `ps` would only show `/proc/<pid>/exe` otherwise.
    StdCommand::new(program).arg0("zellij").args(arguments).exec()
}

async fn feed(stdin: Option<ChildStdin>, mut batches: mpsc::Receiver<Vec<u8>>) {
    let Some(mut stdin) = stdin else { return };
    while let Some(bytes) = batches.recv().await {
        if stdin.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

/// Nothing is expected there; what comes all the same must not fill the pipe.
async fn drain(mut output: ChildStdout) {
    let mut chunk = [0; 256];
    while let Ok(1..) = output.read(&mut chunk).await {}
}

/// Reads lines until the end. A line that is too long or does not parse costs itself only.
async fn read_lines(number: u64, mut output: ChildStdout, events: &mpsc::UnboundedSender<PipeEvent>) {
    let mut splitter = LineSplitter::default();
    let mut chunk = vec![0; READ_BYTES];
    while let Ok(count @ 1..) = output.read(&mut chunk).await {
        for line in splitter.push(chunk.get(..count).unwrap_or_default()) {
            match serde_json::from_slice::<UpLine>(&line) {
                Ok(line) => {
                    if events.send(PipeEvent::Line(number, Box::new(line))).is_err() {
                        return;
                    }
                }
                Err(error) => {
                    tracing::debug!(%error, bytes = line.len(), "a line of the plugin does not parse")
                }
            }
        }
    }
}

/// Cuts bytes into lines of at most [`MAX_LINE_BYTES`].
#[derive(Debug, Default)]
struct LineSplitter {
    line: Vec<u8>,
    too_long: bool,
}

impl LineSplitter {
    fn push(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, is_end) = part.strip_suffix(b"\n").map_or((part, false), |text| (text, true));
            if self.line.len() + text.len() > MAX_LINE_BYTES {
                self.too_long = true;
                self.line.clear();
            }
            if !self.too_long {
                self.line.extend_from_slice(text);
            }
            if is_end {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.too_long) && !line.is_empty() {
                    lines.push(line);
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_survive_any_cut_and_a_long_one_costs_itself_only() {
        let long = vec![b'x'; MAX_LINE_BYTES + 1];
        let stream = [b"one\n\ntwo\n".as_slice(), &long, b"\nthree\nrest"].concat();
        for step in [1, 2, 3, 7, 1000, stream.len()] {
            let mut splitter = LineSplitter::default();
            let lines: Vec<_> = stream.chunks(step).flat_map(|chunk| splitter.push(chunk)).collect();
            assert_eq!(lines, [b"one".to_vec(), b"two".to_vec(), b"three".to_vec()], "in chunks of {step}");
        }
    }
}
