//! One connection to the host of a terminal: one question and its answer, or one wait and its end.
//!
//! Made by [`super::desk`] for each call of a tool, so that the end of a call, or of this process, ends what it waited for
//! (the host takes back the waits of a connection that closes).

use super::{identity::Identity, trouble::Trouble};
use crate::wire::{Connection, WireError};
use board_protocol::{
    frame::{self, FrameReader},
    hello::{HOST_PROTOCOL, Role},
    host::{FromHost, ToHost},
    refusal::Refusal,
    terminals::{TerminalAnswer, TerminalAsk},
};
use serde::Serialize;
use std::{io, path::Path, path::PathBuf, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
};

/// The first version of a host's protocol in which an agent may ask.
const KNOWS_AGENTS: u32 = 4;
/// How long a host may take to answer what it does at once.
const ANSWER: Duration = Duration::from_secs(5);
/// Bytes read at once: a page of text is one frame of some dozen kilobytes.
const READ_BYTES: usize = 64 * 1024;
/// The id of a connection's only question.
const QUESTION: u64 = 1;

/// Why a host gave no answer.
#[derive(Debug)]
pub(super) enum Lost {
    /// Nobody is there, or not any more: its program has ended, or it died.
    Gone,
    /// It said no.
    Refused(Refusal),
    /// Anything else, for the agent.
    Trouble(Trouble),
}

/// A connection after its hello.
#[derive(Debug)]
pub(super) struct HostConnection {
    stream: UnixStream,
    reader: FrameReader,
    identity: Identity,
}

impl HostConnection {
    /// Connects and says hello.
    pub(super) async fn connect(socket: &Path, identity: &Identity) -> Result<Self, Lost> {
        let socket: PathBuf = socket.to_owned();
        let greeted = tokio::task::spawn_blocking(move || {
            let mut connection = Connection::connect(&socket)?;
            let welcome = connection.greet(HOST_PROTOCOL, Role::Agent, None)?;
            Ok::<_, WireError>((connection, welcome))
        });
        let (connection, welcome) =
            greeted.await.map_err(|error| hung(&error.to_string()))?.map_err(|error| match error {
                WireError::Connect(_) | WireError::Closed | WireError::Io(_) => Lost::Gone,
                WireError::Refused(refused) => Lost::Refused(refused.refusal),
                other => hung(&other.to_string()),
            })?;
        if welcome.version < KNOWS_AGENTS {
            return Err(Lost::Trouble(Trouble::new(
                "this terminal's host is of an older build. Close the terminal and open it again",
            )));
        }
        let (stream, reader) = connection.into_parts();
        stream.set_nonblocking(true).and_then(|()| UnixStream::from_std(stream)).map_or_else(
            |error| Err(hung(&error.to_string())),
            |stream| Ok(Self { stream, reader, identity: identity.clone() }),
        )
    }

    /// Asks what is answered at once.
    pub(super) async fn ask(&mut self, ask: TerminalAsk) -> Result<TerminalAnswer, Lost> {
        let answered = async {
            self.send(ask).await?;
            self.answer().await
        };
        match tokio::time::timeout(ANSWER, answered).await {
            Ok(answer) => answer,
            Err(_) => Err(hung("no answer in time")),
        }
    }

    /// Sends a question.
    pub(super) async fn send(&mut self, ask: TerminalAsk) -> Result<(), Lost> {
        let message = ToHost::Terminal { id: QUESTION, token: self.identity.token.clone(), ask };
        write(&mut self.stream, &message).await.map_err(|_| Lost::Gone)
    }

    /// Takes a wait back. The connection closes behind it, which says the same once more.
    pub(super) async fn cancel(mut self) {
        let ask = TerminalAsk::Cancel { wait: QUESTION };
        let message = ToHost::Terminal { id: QUESTION + 1, token: self.identity.token.clone(), ask };
        // A host that does not read hears of it when the connection closes.
        let _ = tokio::time::timeout(ANSWER, write(&mut self.stream, &message)).await;
    }

    /// The answer, whenever it comes.
    pub(super) async fn answer(&mut self) -> Result<TerminalAnswer, Lost> {
        let mut chunk = vec![0; READ_BYTES];
        loop {
            loop {
                let message = self.reader.next_message().map_err(|error| hung(&error.to_string()))?;
                match message {
                    Some(FromHost::Terminal { id: QUESTION, answer }) => {
                        return answer.map_err(Lost::Refused);
                    }
                    Some(FromHost::Refused(refusal)) => return Err(Lost::Refused(refusal)),
                    Some(FromHost::Exited(_)) => return Err(Lost::Gone),
                    Some(_) => {}
                    None => break,
                }
            }
            match self.stream.read(&mut chunk).await {
                Ok(0) | Err(_) => return Err(Lost::Gone),
                Ok(count) => self.reader.push(chunk.get(..count).unwrap_or_default()),
            }
        }
    }
}

async fn write<T: Serialize>(stream: &mut UnixStream, message: &T) -> io::Result<()> {
    stream.write_all(&frame::encode(message).map_err(io::Error::other)?).await
}

fn hung(why: &str) -> Lost {
    Lost::Trouble(Trouble(format!(
        "the terminal's host does not answer ({why}). Try again; if it stays so, close the terminal and open it again"
    )))
}
