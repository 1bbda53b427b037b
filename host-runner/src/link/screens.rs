//! Reads a session's picture from its host, for a board that previews it. A blocking call with a deadline of its own.

use crate::wire::{Connection, WireError};
use board_protocol::{
    hello::{HOST_PROTOCOL, Role},
    host::{FromHost, ScreenFormat, ToHost},
};
use std::{path::Path, time::Duration};

/// A host that does not answer for this long is not read: the board's question has its own limit beyond it.
const READ_LIMIT: Duration = Duration::from_secs(2);

/// The picture as text; `None` when the host cannot be read, which is how one looks that has just ended.
pub(super) fn read(socket: &str) -> Option<String> {
    match ask(Path::new(socket)) {
        Ok(FromHost::Screen { text }) => Some(text),
        Ok(_) => None,
        Err(error) => {
            tracing::debug!(%error, socket, "a screen cannot be read");
            None
        }
    }
}

fn ask(socket: &Path) -> Result<FromHost, WireError> {
    let mut connection = Connection::connect(socket)?;
    connection.greet(HOST_PROTOCOL, Role::Viewer, None)?;
    connection.send(&ToHost::ReadScreen { format: ScreenFormat::Text, scrollback: 0 })?;
    connection.receive(READ_LIMIT)
}
