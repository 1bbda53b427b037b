//! The connection to the session's host: frames in and out, never waiting.

use crate::{backlog::Backlog, wire::connect_at_once};
use board_protocol::{
    daemon::HostEndpoint,
    frame::{self, FrameError, FrameReader},
    hello::{HOST_PROTOCOL, Hello, Role},
};
use serde::Serialize;
use std::{io, os::unix::net::UnixStream, path::Path};

/// The connection.
pub(super) struct Link {
    pub(super) stream: UnixStream,
    pub(super) reader: FrameReader,
    /// Whether the host answered the hello.
    pub(super) greeted: bool,
    /// Bytes that wait for the host.
    out: Backlog,
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
        let mut link = Self { stream, reader: FrameReader::new(), greeted: false, out: Backlog::default() };
        link.send(&hello).map_err(io::Error::other)?;
        Ok(link)
    }

    /// Sends a message, now as far as the host takes it. A connection that is broken shows at the next read.
    pub(super) fn send<T: Serialize>(&mut self, message: &T) -> Result<(), FrameError> {
        self.out.push(&frame::encode(message)?);
        self.flush();
        Ok(())
    }

    /// Writes what the host takes now.
    pub(super) fn flush(&mut self) {
        self.out.write_to(&mut self.stream);
    }

    /// Bytes that wait for the host.
    pub(super) fn waiting(&self) -> usize {
        self.out.len()
    }
}
