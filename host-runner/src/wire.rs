//! A blocking connection that speaks our frames, for commands and other short-lived clients, and the check of who is at
//! the other end; and the way in for loops that may not wait. Every wait has a deadline (field report F20: a socket that accepts and never answers).

use board_protocol::{
    frame::{self, FrameError, FrameReader},
    hello::{Hello, HelloReply, Refused, Role, Versions, Welcome},
    ids::Generation,
};
use board_text::wire as texts;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    io::{self, Read, Write},
    os::fd::AsFd,
    os::unix::net::UnixStream,
    path::Path,
    time::{Duration, Instant},
};

/// How long a peer on the same machine may take to answer before we say that it hangs.
pub const ANSWER_DEADLINE: Duration = Duration::from_secs(3);

/// How often a listener with a full queue is tried again.
const CONNECT_POLL: Duration = Duration::from_millis(20);

/// Why a connection failed.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// Nobody listens there.
    #[error("{}", texts::cannot_connect(.0))]
    Connect(io::Error),
    /// The connection broke.
    #[error("{}", texts::broke(.0))]
    Io(#[from] io::Error),
    /// The other side closed it.
    #[error("{}", texts::closed())]
    Closed,
    /// No answer in time.
    #[error("{}", texts::no_answer(.0.as_secs_f32()))]
    TimedOut(Duration),
    /// The other side is another user.
    #[error("{}", texts::foreign(.0))]
    ForeignPeer(u32),
    /// The bytes are no frames of ours.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The hello was refused.
    #[error("{}", .0.refusal)]
    Refused(Box<Refused>),
}

/// One connection.
#[derive(Debug)]
pub struct Connection {
    stream: UnixStream,
    reader: FrameReader,
}

impl Connection {
    /// Connects and checks that the same user listens there.
    ///
    /// # Errors
    /// [`WireError::Connect`], [`WireError::TimedOut`], [`WireError::ForeignPeer`].
    pub fn connect(socket: &Path) -> Result<Self, WireError> {
        let stream = connect(socket, ANSWER_DEADLINE).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => WireError::TimedOut(ANSWER_DEADLINE),
            _ => WireError::Connect(error),
        })?;
        check_peer(&stream)?;
        Ok(Self { stream, reader: FrameReader::new() })
    }

    /// Says hello and waits for the welcome.
    ///
    /// # Errors
    /// [`WireError::Refused`] with the other side's versions, or any other failure of the connection.
    pub fn greet(
        &mut self,
        versions: Versions,
        role: Role,
        generation: Option<Generation>,
    ) -> Result<Welcome, WireError> {
        let process = crate::process::own_identity();
        self.send(&Hello { versions, role, build: crate::BUILD.to_owned(), generation, process })?;
        match self.receive(ANSWER_DEADLINE)? {
            HelloReply::Welcome(welcome) => Ok(welcome),
            HelloReply::Refused(refused) => Err(WireError::Refused(Box::new(refused))),
        }
    }

    /// Sends one message.
    ///
    /// # Errors
    /// The message is over the limit, or the connection broke or did not take it in time.
    pub fn send<T: Serialize>(&mut self, message: &T) -> Result<(), WireError> {
        let bytes = frame::encode(message)?;
        self.stream.set_write_timeout(Some(ANSWER_DEADLINE))?;
        self.stream.write_all(&bytes).map_err(|error| timeout_or_io(error, ANSWER_DEADLINE))
    }

    /// Waits for one message.
    ///
    /// # Errors
    /// [`WireError::TimedOut`] after `deadline`, [`WireError::Closed`], or what the bytes are.
    pub fn receive<T: DeserializeOwned>(&mut self, deadline: Duration) -> Result<T, WireError> {
        let end = Instant::now() + deadline;
        let mut chunk = [0_u8; 16 * 1024];
        loop {
            if let Some(message) = self.reader.next_message()? {
                return Ok(message);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(WireError::TimedOut(deadline));
            }
            self.stream.set_read_timeout(Some(left))?;
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(WireError::Closed),
                Ok(count) => self.reader.push(chunk.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(timeout_or_io(error, deadline)),
            }
        }
    }

    /// The stream and what was read beyond the last message, for a loop that goes on without this type.
    pub fn into_parts(self) -> (UnixStream, FrameReader) {
        (self.stream, self.reader)
    }
}

/// Connects without ever waiting, to a peer of the same user: one that hangs has a full backlog, and a usual `connect`
/// would block on it. The stream does not block either.
///
/// # Errors
/// [`WireError::Connect`], [`WireError::ForeignPeer`].
pub fn connect_at_once(socket: &Path) -> Result<UnixStream, WireError> {
    let stream = connect(socket, Duration::ZERO).map_err(WireError::Connect)?;
    check_peer(&stream)?;
    stream.set_nonblocking(true)?;
    Ok(stream)
}

fn timeout_or_io(error: io::Error, deadline: Duration) -> WireError {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => WireError::TimedOut(deadline),
        _ => WireError::Io(error),
    }
}

/// Connects to a socket on this machine. A listener that hangs has a full queue one day, and a plain `connect` then waits
/// for ever (field report F20).
///
/// # Errors
/// Nobody listens there; [`io::ErrorKind::TimedOut`] when the queue stays full for `deadline`.
pub fn connect(path: &Path, deadline: Duration) -> io::Result<UnixStream> {
    let address = SocketAddrUnix::new(path)?;
    let end = Instant::now() + deadline;
    loop {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
        match rustix::net::connect(&socket, &address) {
            Ok(()) => {
                let stream = UnixStream::from(socket);
                stream.set_nonblocking(false)?;
                return Ok(stream);
            }
            // Nothing can be polled here: the kernel only says that the queue is full.
            Err(rustix::io::Errno::AGAIN) if Instant::now() < end => std::thread::sleep(CONNECT_POLL),
            Err(rustix::io::Errno::AGAIN) => return Err(io::ErrorKind::TimedOut.into()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Refuses a peer that runs as another user.
///
/// # Errors
/// [`WireError::ForeignPeer`], or the kernel does not say.
pub fn check_peer(socket: impl AsFd) -> Result<(), WireError> {
    let peer = rustix::net::sockopt::socket_peercred(socket).map_err(io::Error::from)?;
    if peer.uid == rustix::process::getuid() {
        Ok(())
    } else {
        Err(WireError::ForeignPeer(peer.uid.as_raw()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::hello::COORDINATOR_PROTOCOL;
    use std::os::unix::net::UnixListener;

    // Field report F20: the runner's socket accepts but never answers.
    #[test]
    fn f20_a_socket_that_never_answers_is_an_error_with_a_deadline() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let _listener = UnixListener::bind(&path).unwrap();
        let mut connection = Connection::connect(&path).unwrap();
        let refused = connection.receive::<HelloReply>(Duration::from_millis(20)).unwrap_err();
        assert!(matches!(refused, WireError::TimedOut(_)), "{refused}");
    }

    // F20 as well: it does not even accept, and its queue is full.
    #[test]
    fn f20_a_socket_that_never_accepts_is_an_error_with_a_deadline() {
        use rustix::net::{bind, listen, socket};
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
        bind(&listener, &SocketAddrUnix::new(&path).unwrap()).unwrap();
        listen(&listener, 0).unwrap();
        let _first = connect(&path, Duration::ZERO).unwrap();
        let (done, outcome) = std::sync::mpsc::channel();
        std::thread::spawn(move || done.send(Connection::connect(&path).map(drop)));
        let refused = outcome.recv_timeout(10 * ANSWER_DEADLINE).expect("it gives up").unwrap_err();
        assert!(matches!(refused, WireError::TimedOut(_)), "{refused}");
    }

    #[test]
    fn garbage_and_a_closed_peer_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let mut connection = Connection::connect(&path).unwrap();
        let (mut peer, _) = listener.accept().unwrap();
        peer.write_all(&[1, 0, 0, 0, 0xc1]).unwrap();
        drop(peer);
        assert!(matches!(
            connection.greet(COORDINATOR_PROTOCOL, Role::Cli, None),
            Err(WireError::Frame(_) | WireError::Io(_))
        ));
        let mut connection = Connection::connect(&path).unwrap();
        drop(listener.accept().unwrap());
        assert!(matches!(connection.receive::<HelloReply>(ANSWER_DEADLINE), Err(WireError::Closed)));
    }
}
