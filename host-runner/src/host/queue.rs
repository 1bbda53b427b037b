//! Bytes that wait for a socket. A slow reader is never waited for: whoever fills a queue looks at its length first.

use board_protocol::frame::{self, FrameError};
use serde::Serialize;
use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
};

/// A queue may keep this much room while it is empty, two chunks of a flood; what a client that did not read left goes.
const KEPT_BYTES: usize = 128 * 1024;

/// Sent bytes in front of a queue that never runs empty are dropped in steps of this size.
const COMPACT_BYTES: usize = 64 * 1024;

/// The bytes that wait for one socket.
#[derive(Debug, Default)]
pub(super) struct SendQueue {
    bytes: Vec<u8>,
    sent: usize,
}

impl SendQueue {
    /// Adds one message.
    pub(super) fn push<T: Serialize>(&mut self, message: &T) -> Result<(), FrameError> {
        self.compact();
        frame::encode_into(message, &mut self.bytes)
    }

    /// Writes frames that were encoded already: straight to the socket if nothing waits in front of them.
    pub(super) fn push_encoded(&mut self, frames: &[u8], stream: &UnixStream) -> io::Result<()> {
        let mut rest = frames;
        while self.is_empty() && !rest.is_empty() {
            match (&*stream).write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.compact();
        self.bytes.extend_from_slice(rest);
        Ok(())
    }

    /// Writes what the socket takes now.
    pub(super) fn flush(&mut self, stream: &UnixStream) -> io::Result<()> {
        while let Some(rest) = self.bytes.get(self.sent..)
            && !rest.is_empty()
        {
            match (&*stream).write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_BYTES);
        self.sent = 0;
        Ok(())
    }

    fn compact(&mut self) {
        if self.sent >= COMPACT_BYTES {
            self.bytes.drain(..self.sent);
            self.sent = 0;
        }
    }

    /// Bytes that wait.
    pub(super) fn len(&self) -> usize {
        self.bytes.len().saturating_sub(self.sent)
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{frame::FrameReader, ids::OutputSeq};
    use std::io::Read;

    #[test]
    fn a_full_socket_delays_bytes_and_loses_none() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let mut queue = SendQueue::default();
        let mut encoded = Vec::new();
        for seq in 0..50_000 {
            encoded.clear();
            frame::encode_into(&OutputSeq(seq), &mut encoded).unwrap();
            queue.push_encoded(&encoded, &ours).unwrap();
        }
        assert!(!queue.is_empty(), "the socket buffer took everything; the test needs more");
        let mut reader = FrameReader::new();
        let mut chunk = [0; 4096];
        let mut expected = 0;
        while expected < 50_000 {
            queue.flush(&ours).unwrap();
            let count = theirs.read(&mut chunk).unwrap();
            reader.push(&chunk[..count]);
            while let Some(OutputSeq(seq)) = reader.next_message().unwrap() {
                assert_eq!(seq, expected);
                expected += 1;
            }
        }
        assert!(queue.is_empty());
    }
}
