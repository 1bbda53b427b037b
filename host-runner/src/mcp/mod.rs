//! `host-runner mcp`: an agent's own terminals, as tools of the Model Context Protocol on standard input and output.
//!
//! - [`identity`] whose terminals these are · [`keys`] names of keys · [`results`] what tools answer
//! - [`trouble`] what an agent is told when something cannot be done
//! - [`daemon`] what the daemon is asked · [`host`] one connection to a terminal's host · [`desk`] which terminal is where
//! - [`tools`] one file per tool · [`server`] the protocol · [`stdio`] its streams
//!
//! One process per agent; it ends with its standard input. It never starts the daemon (decision 17), keeps no terminal and
//! no wait: hosts own both. Standard output carries the protocol and nothing else.

mod daemon;
mod desk;
mod host;
mod identity;
mod keys;
mod results;
mod server;
mod stdio;
mod tools;
mod trouble;

pub(crate) use identity::{RUN_TOKEN, SESSION, TOKEN};
pub(crate) use tools::definitions;

use crate::root::BoardRoot;
use rmcp::ServiceExt;
use std::{io, sync::Arc, time::Duration};

/// How long threads that still read or connect are waited for at the end: they hold nothing that has to be put away.
const END: Duration = Duration::from_millis(100);

/// Serves the tools until standard input ends. Whatever keeps the terminals from being reached is what each tool answers:
/// a client must not see a server that fails.
///
/// # Errors
/// The runtime cannot be made.
pub(crate) fn run(root: Result<BoardRoot, String>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (input, output, ended) = stdio::streams();
        let desk = Arc::new(desk::Desk::new(identity::from_environment(), root, ended));
        let server = server::Server::new(desk);
        match server.serve((input, output)).await {
            Ok(running) => {
                if let Err(error) = running.waiting().await {
                    tracing::warn!("the server ended: {error}");
                }
            }
            // A client that goes before it has said who it is.
            Err(error) => tracing::warn!("no client: {error}"),
        }
    });
    runtime.shutdown_timeout(END);
    Ok(())
}
