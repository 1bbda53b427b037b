//! `host-runner hook AGENT [EVENT]`: delivers one event of an agent to its session's host, or leaves it in the spool.
//!
//! It runs inside somebody else's program: it always succeeds, prints nothing, starts nothing, and never takes longer
//! than its limit (decision 8, field report J3).

use super::Failure;
use crate::{agents::AgentKind, fresh, polling::timespec, process, spool, wire::connect_at_once};
use board_protocol::{
    frame::{self, FrameReader},
    hello::{HOST_PROTOCOL, Hello, HelloReply, Role},
    host::{AgentReport, FromHost, HostFact, MAX_EVENT_BYTES, SpooledFact, ToHost},
    ids::{SessionId, Token},
    refusal::RefusalKind,
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use serde::de::DeserializeOwned;
use std::{
    ffi::OsString,
    io::{self, Read, Write},
    os::{
        fd::AsFd,
        unix::{ffi::OsStringExt, net::UnixStream},
    },
    path::Path,
    time::{Duration, Instant},
};

/// How long an agent may be kept waiting, from the start to the answer (decision 8).
const LIMIT: Duration = Duration::from_millis(200);
/// How much of it the agent may take to write its event; one that never closes the pipe must not use up the rest.
const READ_LIMIT: Duration = Duration::from_millis(120);

/// Arguments of `hook`. Anything is accepted: a hook may not fail.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The agent's adapter, then the event itself for agents that pass it as an argument.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "AGENT")]
    words: Vec<OsString>,
}

/// Carries the command out; whatever happens is a success.
#[expect(clippy::unnecessary_wraps, reason = "every command has this shape")]
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let start = Instant::now();
    let deadline = start + LIMIT;
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut words = args.words.into_iter();
    // Outside a session there is nobody to tell.
    let (Some(adapter), Some(session), Some(token)) =
        (words.next(), variable("AGENT_BOARD_SESSION"), variable("AGENT_BOARD_TOKEN"))
    else {
        return Ok(());
    };
    let adapter = adapter.to_string_lossy().into_owned();
    let agent = AgentKind::parse(&adapter).ok();
    let mut payload = match words.last() {
        Some(event) => event.into_vec(),
        None => read_event(agent.map_or(MAX_EVENT_BYTES, AgentKind::longest_report), start + READ_LIMIT),
    };
    if let Some(agent) = agent {
        payload = agent.condense(payload);
    }
    payload.truncate(MAX_EVENT_BYTES);
    let report = AgentReport { token: Token(token), adapter, at_ms: fresh::now(), payload };
    let socket = variable("AGENT_BOARD_SOCKET");
    let delivered = socket.map(|socket| deliver(Path::new(&socket), &report, deadline));
    // A host that knows better is not asked a second time by way of the disk.
    let settled = matches!(delivered, Some(Ok(Delivery::Taken | Delivery::Forbidden)));
    if !settled && let Some(session) = SessionId::parse(&session) {
        leave_in_spool(session, report);
    }
    Ok(())
}

/// Waits until the descriptor is ready or the time is up.
fn ready(fd: &impl AsFd, flags: PollFlags, deadline: Instant) -> io::Result<()> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match poll(&mut [PollFd::new(fd, flags)], Some(&timespec(left))) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Standard input to its end, as much of it as an event may have; the rest is read and dropped, so that the agent does
/// not write into a closed pipe.
fn read_event(longest: usize, deadline: Instant) -> Vec<u8> {
    let mut input = io::stdin().lock();
    let mut event = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    while ready(&rustix::stdio::stdin(), PollFlags::IN, deadline).is_ok() {
        match input.read(&mut chunk) {
            Ok(count) if count > 0 => {
                let room = longest.saturating_sub(event.len());
                event.extend_from_slice(chunk.get(..count.min(room)).unwrap_or_default());
            }
            _ => break,
        }
    }
    event
}

/// What became of an event that the host read.
enum Delivery {
    /// It is the host's now.
    Taken,
    /// It is not this session's.
    Forbidden,
}

fn deliver(socket: &Path, report: &AgentReport, deadline: Instant) -> io::Result<Delivery> {
    let mut stream = connect_at_once(socket).map_err(io::Error::other)?;
    let hello = Hello {
        versions: HOST_PROTOCOL,
        role: Role::Hook,
        build: crate::BUILD.to_owned(),
        generation: None,
        process: process::own_identity(),
    };
    let mut bytes = frame::encode(&hello).map_err(io::Error::other)?;
    // Both at once: a host that refuses the hello does not read the event, and says so.
    frame::encode_into(&ToHost::Event(report.clone()), &mut bytes).map_err(io::Error::other)?;
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        ready(&stream, PollFlags::OUT, deadline)?;
        match stream.write(rest) {
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    let mut reader = FrameReader::new();
    let HelloReply::Welcome(_) = receive(&mut stream, &mut reader, deadline)? else {
        return Err(io::Error::other("refused"));
    };
    match receive(&mut stream, &mut reader, deadline)? {
        FromHost::EventTaken => Ok(Delivery::Taken),
        FromHost::Refused(refusal) if refusal.kind == RefusalKind::Forbidden => Ok(Delivery::Forbidden),
        other => Err(io::Error::other(format!("not taken: {other:?}"))),
    }
}

fn receive<T: DeserializeOwned>(
    stream: &mut UnixStream,
    reader: &mut FrameReader,
    deadline: Instant,
) -> io::Result<T> {
    let mut chunk = [0; 4096];
    loop {
        if let Some(message) = reader.next_message().map_err(io::Error::other)? {
            return Ok(message);
        }
        ready(stream, PollFlags::IN, deadline)?;
        match stream.read(&mut chunk) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => reader.push(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

fn leave_in_spool(session: SessionId, report: AgentReport) {
    let Ok(root) = super::board_root() else { return };
    let at_ms = report.at_ms;
    let fact = HostFact::AgentReported(report);
    let _ = spool::write(&root, &SpooledFact { session, generation: None, seq: None, at_ms, fact });
}
