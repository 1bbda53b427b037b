//! Frames on our sockets: a `u32` little-endian length, then that many bytes of MessagePack with named fields.
//!
//! Pure buffers: the shells read and write. A frame over [`MAX_FRAME_BYTES`] or one that does not parse costs its
//! connection, nothing else.

use board_text::protocol as texts;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The longest frame body: room for a start prompt of 1 MiB with its environment, and for a snapshot chunk.
pub const MAX_FRAME_BYTES: usize = 4 * 1024 * 1024;

/// Bytes of the length in front of a frame.
const LENGTH_BYTES: usize = 4;
/// Handed-out bytes in front of a buffer that never runs empty are dropped in steps of this size.
const COMPACT_BYTES: usize = 64 * 1024;
/// A reader keeps this much room when it is empty; that of a rare large frame goes back to the system.
const KEPT_BYTES: usize = 256 * 1024;

/// Why a connection's bytes are no frames of ours.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The announced length is over the limit.
    #[error("{}", texts::frame_too_long(.length, MAX_FRAME_BYTES))]
    Oversize {
        /// The announced length in bytes.
        length: usize,
    },
    /// The body is no MessagePack of the expected shape.
    #[error("{}", texts::frame_unreadable(.0))]
    Malformed(#[from] rmp_serde::decode::Error),
    /// The message cannot be written as MessagePack.
    #[error("{}", texts::message_unwritable(.0))]
    Unencodable(#[from] rmp_serde::encode::Error),
}

/// Appends one message as a frame to `out`.
///
/// # Errors
/// [`FrameError::Unencodable`] or [`FrameError::Oversize`]; `out` is as before then.
pub fn encode_into<T: Serialize>(message: &T, out: &mut Vec<u8>) -> Result<(), FrameError> {
    let start = out.len();
    out.extend_from_slice(&[0; LENGTH_BYTES]);
    if let Err(error) = rmp_serde::encode::write_named(out, message) {
        out.truncate(start);
        return Err(error.into());
    }
    let length = out.len() - start - LENGTH_BYTES;
    if length > MAX_FRAME_BYTES {
        out.truncate(start);
        return Err(FrameError::Oversize { length });
    }
    let prefix = u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    if let Some(slot) = out.get_mut(start..start + LENGTH_BYTES) {
        slot.copy_from_slice(&prefix);
    }
    Ok(())
}

/// One message as a frame.
///
/// # Errors
/// As [`encode_into`].
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, FrameError> {
    let mut out = Vec::new();
    encode_into(message, &mut out)?;
    Ok(out)
}

/// Parses one frame body; a message may borrow its bytes from it.
///
/// # Errors
/// [`FrameError::Malformed`].
pub fn decode<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, FrameError> {
    Ok(rmp_serde::from_slice(body)?)
}

/// Collects bytes as they arrive and hands out whole frames.
#[derive(Debug, Default)]
pub struct FrameReader {
    buffer: Vec<u8>,
    /// Bytes at the front of `buffer` that were handed out already.
    taken: usize,
}

impl FrameReader {
    /// An empty reader.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes in the order in which they were read.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.taken > 0 && (self.taken == self.buffer.len() || self.taken >= COMPACT_BYTES) {
            self.buffer.drain(..self.taken);
            self.taken = 0;
            if self.buffer.is_empty() {
                self.buffer.shrink_to(KEPT_BYTES);
            }
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole message, or `None` until more bytes arrive.
    ///
    /// # Errors
    /// After an error the connection is lost: its bytes cannot be told apart any more.
    pub fn next_message<T: DeserializeOwned>(&mut self) -> Result<Option<T>, FrameError> {
        self.next_body()?.map(decode).transpose()
    }

    /// The body of the next whole frame, for whoever reads it in place with [`decode`].
    ///
    /// # Errors
    /// As [`FrameReader::next_message`].
    pub fn next_body(&mut self) -> Result<Option<&[u8]>, FrameError> {
        let Some(rest) = self.buffer.get(self.taken..) else { return Ok(None) };
        let Some((prefix, rest)) = rest.split_first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
        let length = u32::from_le_bytes(*prefix) as usize;
        if length > MAX_FRAME_BYTES {
            return Err(FrameError::Oversize { length });
        }
        let body = rest.get(..length);
        if body.is_some() {
            self.taken += LENGTH_BYTES + length;
        }
        Ok(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SessionId;

    #[test]
    fn frames_survive_any_cut() {
        let mut stream = Vec::new();
        for id in ["a", "bb", "ccc"] {
            encode_into(&SessionId(id.to_owned()), &mut stream).unwrap();
        }
        for step in 1..stream.len() {
            let mut reader = FrameReader::new();
            let mut seen = Vec::new();
            for chunk in stream.chunks(step) {
                reader.push(chunk);
                while let Some(id) = reader.next_message::<SessionId>().unwrap() {
                    seen.push(id.0);
                }
            }
            assert_eq!(seen, ["a", "bb", "ccc"], "in chunks of {step}");
        }
    }

    // One large frame kept its room for the life of the connection.
    #[test]
    fn the_room_of_a_large_frame_is_given_back() {
        let mut reader = FrameReader::new();
        reader.push(&encode(&SessionId("x".repeat(MAX_FRAME_BYTES / 2))).unwrap());
        assert!(reader.next_message::<SessionId>().unwrap().is_some());
        reader.push(&encode(&SessionId("y".to_owned())).unwrap());
        assert!(reader.next_message::<SessionId>().unwrap().is_some());
        assert!(reader.buffer.capacity() <= KEPT_BYTES, "{}", reader.buffer.capacity());
    }

    #[test]
    fn an_oversize_or_malformed_frame_is_an_error_before_its_body_is_stored() {
        let mut reader = FrameReader::new();
        reader.push(&u32::MAX.to_le_bytes());
        assert!(matches!(reader.next_message::<SessionId>(), Err(FrameError::Oversize { .. })));
        let mut reader = FrameReader::new();
        reader.push(&[2, 0, 0, 0, 0xc1, 0xc1]);
        assert!(matches!(reader.next_message::<SessionId>(), Err(FrameError::Malformed(_))));
    }

    #[test]
    fn a_message_over_the_limit_leaves_the_buffer_alone() {
        let mut out = vec![7];
        let big = SessionId("x".repeat(MAX_FRAME_BYTES + 1));
        assert!(matches!(encode_into(&big, &mut out), Err(FrameError::Oversize { .. })));
        assert_eq!(out, [7]);
    }
}
