//! One connection's frames on the socket thread. Reading can be interrupted between any two bytes; a peer that does not
//! read is given up.

use board_protocol::frame::{self, FrameError, FrameReader};
use board_text::daemon as texts;
use serde::{Serialize, de::DeserializeOwned};
use std::{io, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
};

/// How long a peer may not read before it is given up; it may connect again and gets everything.
const WRITE_DEADLINE: Duration = Duration::from_secs(5);
/// How much one read takes.
const READ_BYTES: usize = 16 * 1024;

/// Why a conversation ended.
#[derive(Debug, thiserror::Error)]
pub(super) enum Ended {
    /// The other side closed.
    #[error("closed")]
    Closed,
    /// The socket broke.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The bytes are no frames of ours.
    #[error("{0}")]
    Frame(#[from] FrameError),
    /// It does not read, or did not say hello.
    #[error("{}", texts::no_progress(.0.as_secs()))]
    TimedOut(Duration),
    /// It said something that its role may not.
    #[error("{0}")]
    NotAllowed(&'static str),
}

/// A connection as messages.
#[derive(Debug)]
pub(super) struct Frames {
    stream: UnixStream,
    reader: FrameReader,
    chunk: Box<[u8; READ_BYTES]>,
}

impl Frames {
    pub(super) fn new(stream: UnixStream) -> Self {
        Self { stream, reader: FrameReader::new(), chunk: Box::new([0; READ_BYTES]) }
    }

    /// The next message. Dropping the future loses nothing.
    pub(super) async fn next<T: DeserializeOwned>(&mut self) -> Result<T, Ended> {
        loop {
            if let Some(message) = self.reader.next_message()? {
                return Ok(message);
            }
            match self.stream.read(self.chunk.as_mut_slice()).await? {
                0 => return Err(Ended::Closed),
                count => self.reader.push(self.chunk.get(..count).unwrap_or_default()),
            }
        }
    }

    /// The next message, within a time.
    pub(super) async fn next_within<T: DeserializeOwned>(&mut self, deadline: Duration) -> Result<T, Ended> {
        tokio::time::timeout(deadline, self.next()).await.unwrap_or(Err(Ended::TimedOut(deadline)))
    }

    /// Sends one message whole. Not to be dropped half-way.
    pub(super) async fn send<T: Serialize>(&mut self, message: &T) -> Result<(), Ended> {
        let bytes = frame::encode(message)?;
        match tokio::time::timeout(WRITE_DEADLINE, self.stream.write_all(&bytes)).await {
            Ok(written) => Ok(written?),
            Err(_) => Err(Ended::TimedOut(WRITE_DEADLINE)),
        }
    }
}
