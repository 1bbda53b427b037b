//! The pane's title: the session's name and state, as the daemon publishes them.
//!
//! A thread of its own reads the daemon's board, so that a daemon that hangs never keeps typing waiting. It ends with the process. The loop
//! reads one line for each new title; without a daemon the title has no state.

use crate::{
    client::{DaemonClient, StartPolicy},
    root::BoardRoot,
};
use board_protocol::{
    board::{BoardUpdate, Row},
    daemon::{FromDaemon, Request, ToDaemon},
    frame,
    hello::Role,
    ids::SessionId,
};
use std::{
    io::{self, Read, Write},
    os::unix::net::UnixStream,
    thread,
    time::Duration,
};

/// How often a missing daemon is tried: hosts and links start it again, within a second or two.
const RETRY_EVERY: Duration = Duration::from_secs(2);

/// The title of a row; an hourglass says that its agent waits for something in it.
pub(super) fn of(row: &Row) -> String {
    let waits = if row.waiting.is_some() { "⏳ " } else { "" };
    format!("{waits}{} · {}", row.name, row.state.label())
}

/// Starts following a session. Each line of the stream is a new title.
pub(super) fn follow(root: &BoardRoot, row: &Row) -> io::Result<UnixStream> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let (root, id, name) = (root.clone(), row.id.clone(), row.name.clone());
    thread::Builder::new().name("title".into()).spawn(move || {
        let mut follower = Follower { id, name, said: String::new(), out: theirs };
        loop {
            // The reason does not matter to a title; the host's own connection tells what does.
            let _ = follower.watch(&root);
            if follower.say(follower.name.clone()).is_err() {
                return;
            }
            thread::sleep(RETRY_EVERY);
        }
    })?;
    Ok(ours)
}

struct Follower {
    id: SessionId,
    name: String,
    said: String,
    out: UnixStream,
}

impl Follower {
    fn watch(&mut self, root: &BoardRoot) -> io::Result<()> {
        let client = DaemonClient::connect(root, Role::Cli, StartPolicy::Never).map_err(io::Error::other)?;
        let (mut stream, mut reader) = client.into_parts().map_err(io::Error::other)?;
        stream.set_read_timeout(None)?;
        let ask = ToDaemon::Ask { id: u64::MAX, request: Request::Subscribe };
        stream.write_all(&frame::encode(&ask).map_err(io::Error::other)?)?;
        let mut chunk = vec![0; 16 * 1024];
        loop {
            while let Some(message) = reader.next_message().map_err(io::Error::other)? {
                if let FromDaemon::Board(
                    BoardUpdate::Full { rows, .. } | BoardUpdate::Delta { upserted: rows, .. },
                ) = message
                    && let Some(row) = rows.iter().find(|row| row.id == self.id)
                {
                    self.name.clone_from(&row.name);
                    self.say(of(row))?;
                }
            }
            match stream.read(&mut chunk)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => reader.push(chunk.get(..count).unwrap_or_default()),
            }
        }
    }

    fn say(&mut self, title: String) -> io::Result<()> {
        if title != self.said {
            self.out.write_all(format!("{title}\n").as_bytes())?;
            self.said = title;
        }
        Ok(())
    }
}
