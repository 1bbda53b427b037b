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
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    thread,
    time::{Duration, Instant},
};

/// How often a missing daemon is tried: hosts and links start it again, within a second or two.
const RETRY_EVERY: Duration = Duration::from_secs(2);
/// How long the titles wait for a screen that does not come.
const FOLLOW_WITHIN: Duration = Duration::from_millis(200);

/// The title of a row; an hourglass says that its agent waits for something in it.
pub(super) fn of(row: &Row) -> String {
    let waits = if row.waiting.is_some() { "⏳ " } else { "" };
    format!("{waits}{} · {}", row.name, row.state.label())
}

/// The titles of a session, followed from the moment at which somebody has time for them.
pub(super) struct Titles {
    /// What is followed, until it is.
    waiting: Option<(BoardRoot, SessionId, String)>,
    /// When that begins at the latest.
    due: Instant,
    /// Each line of it is a new title.
    stream: Option<UnixStream>,
}

impl Titles {
    /// Those of a session that is entered now.
    pub(super) fn new(root: &BoardRoot, row: &Row, now: Instant) -> Self {
        let waiting = Some((root.clone(), row.id.clone(), row.name.clone()));
        Self { waiting, due: now + FOLLOW_WITHIN, stream: None }
    }

    /// Begins to follow, once the session's screen is shown: until then its state is the one that was just read, and the
    /// person waits for the screen.
    pub(super) fn on_time(&mut self, shown: Shown, now: Instant) {
        if (shown == Shown::Screen || now >= self.due)
            && let Some((root, id, name)) = self.waiting.take()
        {
            // Without a thread the title stays as it is.
            self.stream = follow(root, id, name).ok();
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.waiting.as_ref().map(|_| self.due)
    }

    /// What becomes readable with a new title.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.stream.as_ref().map(AsFd::as_fd)
    }

    /// The newest title, if one came.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Option<String> {
        let count = match self.stream.as_mut()?.read(buffer) {
            Ok(0) => {
                self.stream = None;
                return None;
            }
            Ok(count) => count,
            Err(_) => return None,
        };
        let text = String::from_utf8_lossy(buffer.get(..count).unwrap_or_default());
        text.lines().next_back().map(str::to_owned)
    }
}

/// What the person sees of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Its screen.
    Screen,
    /// Nothing yet.
    Nothing,
}

fn follow(root: BoardRoot, id: SessionId, name: String) -> io::Result<UnixStream> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
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
