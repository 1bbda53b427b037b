//! Our own wire, spoken by hand, for what no well-behaved client does: wrong tokens, wrong versions, garbage, silence.

use crate::processes::own_identity;
use board_protocol::{
    frame::{self, FrameReader},
    hello::{Hello, HelloReply, Role, Versions},
    ids::Generation,
};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    io::{Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    time::Duration,
};

/// How long the other side may take.
const PATIENCE: Duration = Duration::from_secs(90);

/// One connection.
pub struct Wire {
    stream: UnixStream,
    reader: FrameReader,
}

impl Wire {
    /// Connects.
    ///
    /// # Panics
    /// Nobody listens.
    pub fn connect(socket: &Path) -> Self {
        let stream =
            UnixStream::connect(socket).unwrap_or_else(|error| panic!("{}: {error}", socket.display()));
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { stream, reader: FrameReader::new() }
    }

    /// Says hello with these versions and returns the answer.
    pub fn greet(&mut self, versions: Versions, role: Role) -> HelloReply {
        let process = own_identity();
        let generation: Option<Generation> = None;
        self.send(&Hello { versions, role, build: "0.0.0-test".into(), generation, process });
        self.receive().expect("an answer to a hello")
    }

    /// Sends one message. A connection that the other side closed takes nothing, silently: the next
    /// [`Wire::receive`] says so.
    ///
    /// # Panics
    /// The message is over the limit.
    pub fn send(&mut self, message: &impl Serialize) {
        self.send_bytes(&frame::encode(message).unwrap());
    }

    /// Sends these bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
    }

    /// The next message; `None` when the other side closed the connection.
    ///
    /// # Panics
    /// It says nothing in time, or no frame of ours.
    pub fn receive<T: DeserializeOwned>(&mut self) -> Option<T> {
        let mut chunk = [0; 16 * 1024];
        loop {
            if let Some(message) = self.reader.next_message().unwrap() {
                return Some(message);
            }
            match self.stream.read(&mut chunk) {
                Ok(0) => return None,
                Ok(count) => self.reader.push(&chunk[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("no message: {error}"),
            }
        }
    }
}
