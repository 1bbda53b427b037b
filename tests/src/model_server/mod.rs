//! A model on this machine: a loopback HTTP server that says what a test wrote down, so that real agents run real
//! turns without the internet.
//!
//! A test starts one, hands it [`Step`]s, points an agent at [`ModelServer::base_url`] and afterwards reads what the
//! agent asked ([`ModelServer::requests`]). It knows nothing about any agent. Each dialect (`/v1/chat/completions`, `/v1/messages`,
//! `/v1/responses`) is one file that turns the neutral [`Reply`] into its frames; a new one adds a variant of [`Dialect`].

mod chat;
mod dialect;
mod http;
mod messages;
mod record;
mod responses;
mod script;

pub use dialect::Dialect;
pub use record::{Heard, RecordedRequest};
pub use script::{Chunking, Gate, Part, Reply, Step, Usage};

use record::Log;
use script::Script;
use serde_json::Value;
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::oneshot;

/// The one model that the server offers.
pub const MODEL: &str = "fake";

/// What the connections of one server share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    script: Mutex<Script>,
    log: Log,
}

impl Shared {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running server. Dropping it closes the port and every open answer.
#[derive(Debug)]
pub struct ModelServer {
    shared: Arc<Shared>,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl ModelServer {
    /// Listens on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// The port or the thread cannot be had.
    pub fn start() -> anyhow::Result<Self> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let served = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("model-server".to_owned())
            .spawn(move || runtime.block_on(http::serve(listener, served, stopped)))?;
        Ok(Self { shared, address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base URL of the OpenAI dialects: `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The base URL of Anthropic's dialect: `http://127.0.0.1:PORT`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds a step at the end of the script.
    pub fn push(&self, step: impl Into<Step>) {
        self.shared.script().push(step.into());
    }

    /// Steps that no request has taken.
    pub fn steps_left(&self) -> usize {
        self.shared.script().left()
    }

    /// Every request for an answer so far, in the order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.log.all()
    }

    /// Waits until `condition` holds for the requests so far, and gives them back.
    ///
    /// # Errors
    /// It does not hold within `deadline`; the error lists what was asked.
    pub fn wait_until(
        &self,
        what: &str,
        deadline: Duration,
        condition: impl Fn(&[RecordedRequest]) -> bool,
    ) -> anyhow::Result<Vec<RecordedRequest>> {
        self.shared.log.wait_until(what, deadline, condition)
    }

    /// Waits for the request number `count`, counted from 1.
    ///
    /// # Errors
    /// It does not come within `deadline`.
    pub fn wait_for_requests(
        &self,
        count: usize,
        deadline: Duration,
    ) -> anyhow::Result<Vec<RecordedRequest>> {
        self.wait_until(&format!("{count} requests"), deadline, |requests| requests.len() >= count)
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The list of models, as `/v1/models` gives it.
pub(crate) fn model_list() -> Value {
    serde_json::json!({"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "tests"}]})
}
