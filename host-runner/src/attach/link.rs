//! The connection to the session's host: frames in and out, never waiting.

use crate::wire::connect_at_once;
use board_protocol::{
    daemon::HostEndpoint,
    frame::{self, FrameReader},
    hello::{HOST_PROTOCOL, Hello, Role},
};
use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
    path::Path,
};

/// The connection.
pub(super) struct Link {
    pub(super) stream: UnixStream,
    pub(super) reader: FrameReader,
    /// Whether the host answered the hello.
    pub(super) greeted: bool,
    /// Bytes that wait for the host.
    pub(super) out: Vec<u8>,
}

impl Link {
    /// Connects and says hello; the answer comes later.
    pub(super) fn connect(endpoint: &HostEndpoint) -> io::Result<Self> {
        let stream = connect_at_once(Path::new(&endpoint.socket)).map_err(io::Error::other)?;
        let hello = Hello {
            versions: HOST_PROTOCOL,
            role: Role::Attach,
            build: crate::BUILD.to_owned(),
            generation: None,
            process: crate::process::own_identity(),
        };
        let out = frame::encode(&hello).map_err(io::Error::other)?;
        let mut link = Self { stream, reader: FrameReader::new(), greeted: false, out };
        link.flush()?;
        Ok(link)
    }

    /// Writes what the host takes now.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        while !self.out.is_empty() {
            match self.stream.write(&self.out) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => drop(self.out.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
