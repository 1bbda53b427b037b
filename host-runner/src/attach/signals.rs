//! Signals as bytes on pipes, so that the one `poll` of the loop sees them.

use crate::polling::drain;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH},
    low_level::pipe,
};
use std::{io, os::unix::net::UnixStream};

/// Signals as bytes.
pub(super) struct Signals {
    pub(super) resized: UnixStream,
    pub(super) leave: UnixStream,
}

impl Signals {
    /// Installs the handlers; before the terminal is made raw, so that no way out misses its restoration.
    pub(super) fn install() -> io::Result<Self> {
        let (resized, resized_sink) = UnixStream::pair()?;
        let (leave, leave_sink) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        pipe::register(SIGWINCH, resized_sink)?;
        for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
            pipe::register(signal, leave_sink.try_clone()?)?;
        }
        Ok(Self { resized, leave })
    }

    /// Whether the terminal's size may have changed since the last call.
    pub(super) fn take_resize(&self) -> bool {
        drain(&self.resized)
    }
}
