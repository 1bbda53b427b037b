//! The streams of the protocol: standard input and output, and the word that the input has ended.
//!
//! Made by [`super::run`]. The word is needed because the protocol's own loop lets what runs finish first, and a wait may
//! run for a day: its client is gone, and the person must not see a wait of nobody.

use rmcp::transport::io::{StdioReader, StdioWriter, stdio_pipes};
use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::watch,
};

/// Whether the input has ended; it is seen by everybody who runs a tool.
#[derive(Debug, Clone)]
pub(super) struct Ended(watch::Receiver<()>);

impl Ended {
    /// Comes back once the input has ended.
    pub(super) async fn wait(&self) {
        let mut ended = self.0.clone();
        // The sender is dropped at the end and sends nothing: every outcome but an error would be another one's bug.
        while ended.changed().await.is_ok() {}
    }
}

/// A reader that says when it has come to its end.
#[derive(Debug)]
pub(super) struct Input<R> {
    inner: R,
    open: Option<watch::Sender<()>>,
}

/// The two streams, and the word about the input's end.
pub(super) fn streams() -> (Input<StdioReader>, StdioWriter, Ended) {
    let (input, output) = stdio_pipes();
    let (input, ended) = watched(input);
    (input, output, ended)
}

fn watched<R>(inner: R) -> (Input<R>, Ended) {
    let (open, ended) = watch::channel(());
    (Input { inner, open: Some(open) }, Ended(ended))
}

impl<R: AsyncRead + Unpin> AsyncRead for Input<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        let at_end = buffer.filled().len() == before && buffer.remaining() > 0;
        if matches!(&polled, Poll::Ready(Err(_))) || (polled.is_ready() && at_end) {
            self.open = None;
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn the_end_of_the_input_is_heard_and_what_comes_before_it_is_not() {
        let (mut input, ended) = watched(&b"one line\n"[..]);
        let mut read = [0; 4];
        input.read_exact(&mut read).await.unwrap();
        assert!(ended.0.has_changed().is_ok(), "there is more to read");
        let mut rest = Vec::new();
        input.read_to_end(&mut rest).await.unwrap();
        ended.wait().await;
        assert_eq!((&read, rest.as_slice()), (b"one ", &b"line\n"[..]));
    }
}
