//! The HTTP side: accepts connections, records requests, and streams what the script says, piece by piece.

use super::{
    Shared,
    dialect::Dialect,
    messages, model_list,
    record::{Heard, RecordedRequest},
    script::{Chunking, Part, Reply, Usage},
};
use http_body_util::BodyExt;
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body, Bytes, Frame, Incoming, SizeHint},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::{
    convert::Infallible,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio::sync::{mpsc, oneshot};

/// Pieces that may wait for a slow reader before the model itself waits.
const PIECES_IN_FLIGHT: usize = 16;

/// Accepts connections until it is told to stop.
pub(crate) async fn serve(
    listener: std::net::TcpListener,
    shared: Arc<Shared>,
    mut stopped: oneshot::Receiver<()>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stopped => return,
        };
        let Ok((stream, _)) = accepted else { continue };
        // Without this the kernel would glue the pieces of an odd stream together again.
        let _ = stream.set_nodelay(true);
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(request, Arc::clone(&shared)));
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

/// A body that a task writes into.
struct Pieces(mpsc::Receiver<io::Result<Bytes>>);

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

/// The client went away.
struct Gone;

type Sender = mpsc::Sender<io::Result<Bytes>>;

async fn answer(request: Request<Incoming>, shared: Arc<Shared>) -> Result<Response<Pieces>, Infallible> {
    let path = request.uri().path().to_owned();
    if request.method() == Method::GET && path == "/v1/models" {
        return Ok(whole(StatusCode::OK, &[], model_list().to_string()));
    }
    if request.method() == Method::HEAD {
        // Claude Code looks whether its provider is there.
        return Ok(whole(StatusCode::OK, &[], String::new()));
    }
    let counts = path == "/v1/messages/count_tokens";
    let Some(dialect) = Dialect::of_path(path.trim_end_matches("/count_tokens")) else {
        return Ok(whole(StatusCode::NOT_FOUND, &[], format!("no such path: {path}")));
    };
    let Ok(body) = request.into_body().collect().await else {
        return Ok(whole(StatusCode::BAD_REQUEST, &[], "the body broke off".to_owned()));
    };
    let body: Value = match serde_json::from_slice(&body.to_bytes()) {
        Ok(body) => body,
        Err(error) => return Ok(whole(StatusCode::BAD_REQUEST, &[], format!("not JSON: {error}"))),
    };
    if counts {
        return Ok(whole(StatusCode::OK, &[], messages::count(&body)));
    }
    let mut recorded = RecordedRequest { dialect, body, unscripted: false, heard: Heard::NotYet };
    let reply = shared.script().take(&recorded);
    recorded.unscripted = reply.is_none();
    let asked = recorded.body.clone();
    let number = shared.log.push(recorded);
    // Whatever ends this future early (the client hangs up while nothing was sent yet) is an abandoned answer.
    let watch = Watch { shared, number };
    Ok(match reply {
        None => {
            watch.whole();
            let body = dialect.error_body(400, "the script has no step for this request");
            whole(StatusCode::BAD_REQUEST, &[], body)
        }
        Some(Reply::Status { code, message, headers }) => {
            watch.whole();
            let body = dialect.error_body(code, &message);
            let code = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            whole(code, &headers, body)
        }
        Some(Reply::Hang(gate)) => {
            gate.passed().await;
            streamed(dialect, Vec::new(), Usage::default(), Chunking::Events, watch)
        }
        Some(Reply::Stream { parts, usage, chunking }) => {
            match dialect.whole(&asked, number, &parts, usage) {
                Some(body) => {
                    watch.whole();
                    whole(StatusCode::OK, &[], body)
                }
                None => streamed(dialect, parts, usage, chunking, watch),
            }
        }
    })
}

/// Reports what became of one answer; dropped without a word, the answer was abandoned.
struct Watch {
    shared: Arc<Shared>,
    number: usize,
}

impl Watch {
    fn whole(&self) {
        self.shared.log.heard(self.number, Heard::Whole);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.log.heard(self.number, Heard::Abandoned);
    }
}

fn whole(code: StatusCode, headers: &[(String, String)], body: String) -> Response<Pieces> {
    let (sender, receiver) = mpsc::channel(1);
    let _ = sender.try_send(Ok(Bytes::from(body)));
    let mut response = Response::builder().status(code).header("content-type", "application/json");
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(Pieces(receiver)).unwrap_or_else(|_| Response::new(Pieces(mpsc::channel(1).1)))
}

fn streamed(
    dialect: Dialect,
    parts: Vec<Part>,
    usage: Usage,
    chunking: Chunking,
    watch: Watch,
) -> Response<Pieces> {
    let (sender, receiver) = mpsc::channel(PIECES_IN_FLIGHT);
    tokio::spawn(async move {
        let pieces = Cutter { sender, chunking, carry: Vec::new() };
        if speak(dialect, parts, usage, pieces, watch.number).await.is_ok() {
            watch.whole();
        }
    });
    Response::builder()
        .header("content-type", "text/event-stream")
        .header("cache-control", "no-cache")
        .body(Pieces(receiver))
        .unwrap_or_else(|_| Response::new(Pieces(mpsc::channel(1).1)))
}

async fn speak(
    dialect: Dialect,
    parts: Vec<Part>,
    usage: Usage,
    mut out: Cutter,
    number: usize,
) -> Result<(), Gone> {
    let mut encoder = dialect.encoder(number);
    out.put(encoder.open()).await?;
    for part in parts {
        match &part {
            Part::Wait(gate) => {
                out.flush().await?;
                tokio::select! {
                    () = gate.passed() => {}
                    () = out.sender.closed() => return Err(Gone),
                }
            }
            Part::Error(message) => {
                out.put(encoder.error(message)).await?;
                return out.flush().await;
            }
            Part::Cut => {
                out.flush().await?;
                let broken = io::Error::new(io::ErrorKind::ConnectionAborted, "cut by the script");
                return out.sender.send(Err(broken)).await.map_err(|_| Gone);
            }
            Part::Text(_) | Part::ToolCall { .. } => out.put(encoder.part(&part)).await?,
        }
    }
    out.put(encoder.close(usage)).await?;
    out.flush().await
}

/// Cuts the stream into pieces as the step asks for it.
struct Cutter {
    sender: Sender,
    chunking: Chunking,
    carry: Vec<u8>,
}

impl Cutter {
    async fn put(&mut self, events: Vec<String>) -> Result<(), Gone> {
        for event in events {
            match self.chunking {
                Chunking::Events => self.send(Bytes::from(event)).await?,
                Chunking::Bytes(size) => {
                    self.carry.extend_from_slice(event.as_bytes());
                    while self.carry.len() >= size.max(1) {
                        let piece: Vec<u8> = self.carry.drain(..size.max(1)).collect();
                        self.send(Bytes::from(piece)).await?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What is left of the odd pieces, before a wait and at the end.
    async fn flush(&mut self) -> Result<(), Gone> {
        if self.carry.is_empty() {
            return Ok(());
        }
        let rest = std::mem::take(&mut self.carry);
        self.send(Bytes::from(rest)).await
    }

    async fn send(&self, piece: Bytes) -> Result<(), Gone> {
        self.sender.send(Ok(piece)).await.map_err(|_| Gone)
    }
}
