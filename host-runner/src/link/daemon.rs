//! The link's connection to the daemon: made, kept, lost and made again (decision 17).
//!
//! A task of [`super::run`]. It starts a missing daemon unless a person shut it down, subscribes to the board, and says
//! at once when the connection is lost. It decides nothing about what the plugin is told.

use super::machine::DaemonEvent;
use crate::{
    client::{ClientError, DaemonClient, StartPolicy},
    fresh::fraction,
    root::BoardRoot,
    wire::ANSWER_DEADLINE,
};
use board_protocol::{
    daemon::{FromDaemon, LinkOpened, Request, ToDaemon},
    frame::{self, FrameReader},
    hello::Role,
    pipe::DaemonHealth,
};
use board_text::link as texts;
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixStream, unix::OwnedWriteHalf},
    sync::mpsc,
    time::{Instant, timeout},
};

/// First delay before the daemon is tried again; it doubles each time, and jitter of the same length is added, so that
/// many links and hosts do not all start a daemon in the same moment.
const FIRST_RETRY: Duration = Duration::from_millis(100);
/// Longest such delay: a person who mends something should not wait for the board.
const LAST_RETRY: Duration = Duration::from_secs(3);
/// After a daemon that was connected is gone, it is started again after at most this long: a random time, in which somebody
/// else's start is noticed, so that not every link and host starts one.
const RESTART_WITHIN: Duration = Duration::from_millis(500);
/// How often it is looked for meanwhile.
const RESTART_POLL: Duration = Duration::from_millis(50);
/// How often a shut down or incompatible daemon is looked at.
const PATIENT_RETRY: Duration = Duration::from_secs(1);
/// A daemon that says nothing for this long is asked whether it is there.
const QUIET: Duration = Duration::from_secs(5);
/// Bytes read at once.
const READ_BYTES: usize = 64 * 1024;
/// Ids of this task's own questions: the machine's questions count from 1.
const SUBSCRIPTION: u64 = u64::MAX;
const ARE_YOU_THERE: u64 = u64::MAX - 1;

/// Keeps the connection until the loop goes away.
pub(super) async fn keep(
    root: BoardRoot,
    opened: LinkOpened,
    events: mpsc::UnboundedSender<DaemonEvent>,
    mut questions: mpsc::UnboundedReceiver<ToDaemon>,
) {
    let mut failures = 0_u32;
    let mut was_connected = false;
    loop {
        let after_loss = std::mem::take(&mut was_connected);
        let health = match connect(&root, after_loss).await {
            Ok(Ok(client)) => {
                failures = 0;
                was_connected = true;
                match serve(client, &opened, &events, &mut questions).await {
                    // A person's shutdown and a crash look alike on the connection; the marker tells them apart.
                    Ended::Lost(_) if root.shutdown_marker().exists() => health_of(&ClientError::ShutDown),
                    Ended::Lost(text) => DaemonHealth::Unreachable { text },
                    Ended::LinkGone => return,
                }
            }
            Ok(Err(error)) => {
                failures = failures.saturating_add(1);
                health_of(&error)
            }
            Err(_) => return,
        };
        let patient = !matches!(health, DaemonHealth::Unreachable { .. });
        if events.send(DaemonEvent::Lost(health)).is_err() {
            return;
        }
        if !was_connected {
            tokio::time::sleep(if patient { PATIENT_RETRY } else { retry_delay(failures) }).await;
        }
        // Questions of the meantime were for a connection that never came: the machine asks again.
        while questions.try_recv().is_ok() {}
    }
}

/// One connection, to a daemon that is started if nobody else does.
async fn connect(
    root: &BoardRoot,
    after_loss: bool,
) -> Result<Result<DaemonClient, ClientError>, tokio::task::JoinError> {
    let attempt = |policy| {
        let root = root.clone();
        tokio::task::spawn_blocking(move || DaemonClient::connect(&root, Role::Link, policy))
    };
    if after_loss {
        let start_at = Instant::now() + RESTART_WITHIN.mul_f64(fraction());
        while Instant::now() < start_at {
            tokio::time::sleep(RESTART_POLL).await;
            if let Ok(client) = attempt(StartPolicy::Never).await? {
                return Ok(Ok(client));
            }
        }
    }
    attempt(StartPolicy::Service).await
}

fn health_of(error: &ClientError) -> DaemonHealth {
    let text = error.to_string();
    match error {
        ClientError::ShutDown => DaemonHealth::ShutDown { text },
        ClientError::Incompatible { .. } => DaemonHealth::Incompatible { text },
        _ => DaemonHealth::Unreachable { text },
    }
}

fn retry_delay(failures: u32) -> Duration {
    let delay = FIRST_RETRY.saturating_mul(1 << failures.min(8)).min(LAST_RETRY);
    delay + delay.mul_f64(fraction())
}

/// Why a connection is not served any more.
enum Ended {
    Lost(String),
    LinkGone,
}

async fn serve(
    client: DaemonClient,
    opened: &LinkOpened,
    events: &mpsc::UnboundedSender<DaemonEvent>,
    questions: &mut mpsc::UnboundedReceiver<ToDaemon>,
) -> Ended {
    let welcome = client.welcome().clone();
    let pid = welcome.process.pid;
    let (stream, mut frames) = match client.into_parts() {
        Ok(parts) => parts,
        Err(error) => return Ended::Lost(error.to_string()),
    };
    let stream = match stream.set_nonblocking(true).and_then(|()| UnixStream::from_std(stream)) {
        Ok(stream) => stream,
        Err(error) => return Ended::Lost(texts::daemon_broke(error)),
    };
    let (mut input, mut output) = stream.into_split();
    let first = [
        ToDaemon::LinkOpened(opened.clone()),
        ToDaemon::Ask { id: SUBSCRIPTION, request: Request::Subscribe },
    ];
    for message in &first {
        if let Err(reason) = send(&mut output, message).await {
            return Ended::Lost(reason);
        }
    }
    let connected = DaemonEvent::Connected { build: welcome.build, generation: welcome.generation };
    if events.send(connected).is_err() {
        return Ended::LinkGone;
    }
    let mut chunk = vec![0; READ_BYTES];
    // The subscription is a question: its answer is due like any other.
    let mut answer_due = Some(Instant::now() + ANSWER_DEADLINE);
    let mut heard = Instant::now();
    loop {
        match hand_on(&mut frames, events) {
            Ok(Heard::Nothing) => {}
            Ok(Heard::Something) => {
                heard = Instant::now();
                answer_due = None;
            }
            Err(ended) => return ended,
        }
        let tick = answer_due.unwrap_or(heard + QUIET);
        tokio::select! {
            read = input.read(&mut chunk) => match read {
                Ok(0) => return Ended::Lost(texts::daemon_ended().into()),
                Ok(count) => frames.push(chunk.get(..count).unwrap_or_default()),
                Err(error) => return Ended::Lost(texts::daemon_broke(error)),
            },
            question = questions.recv() => {
                let Some(question) = question else { return Ended::LinkGone };
                if let Err(reason) = send(&mut output, &question).await {
                    return Ended::Lost(reason);
                }
            }
            () = tokio::time::sleep_until(tick) => {
                if answer_due.is_some() {
                    return Ended::Lost(texts::daemon_silent(pid));
                }
                let ping = ToDaemon::Ask { id: ARE_YOU_THERE, request: Request::Ping };
                if let Err(reason) = send(&mut output, &ping).await {
                    return Ended::Lost(reason);
                }
                answer_due = Some(Instant::now() + ANSWER_DEADLINE);
            }
        }
    }
}

enum Heard {
    Nothing,
    Something,
}

/// Hands every whole message on.
fn hand_on(frames: &mut FrameReader, events: &mpsc::UnboundedSender<DaemonEvent>) -> Result<Heard, Ended> {
    let mut heard = Heard::Nothing;
    loop {
        let message = match frames.next_message::<FromDaemon>() {
            Ok(Some(message)) => message,
            Ok(None) => return Ok(heard),
            Err(error) => {
                return Err(Ended::Lost(texts::daemon_unreadable(error)));
            }
        };
        heard = Heard::Something;
        let event = match message {
            FromDaemon::Board(update) => DaemonEvent::Board(update),
            FromDaemon::Answer { id: SUBSCRIPTION | ARE_YOU_THERE, answer: Ok(_) } => continue,
            FromDaemon::Answer { id: SUBSCRIPTION, answer: Err(refusal) } => {
                return Err(Ended::Lost(refusal.text));
            }
            FromDaemon::Answer { id, answer } => DaemonEvent::Answered { id, answer },
            FromDaemon::Pane(event) => DaemonEvent::Pane(event),
            FromDaemon::Link(order) => DaemonEvent::Order(order),
            FromDaemon::Order(_) => continue,
        };
        if events.send(event).is_err() {
            return Err(Ended::LinkGone);
        }
    }
}

async fn send(output: &mut OwnedWriteHalf, message: &ToDaemon) -> Result<(), String> {
    let bytes = frame::encode(message).map_err(|error| error.to_string())?;
    match timeout(ANSWER_DEADLINE, output.write_all(&bytes)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(texts::daemon_broke(error)),
        Err(_) => Err(texts::daemon_does_not_read().into()),
    }
}
