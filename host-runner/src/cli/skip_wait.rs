//! `host-runner skip-wait`: a person ends what an agent waits for; the agent is told so.

use super::{Failure, session};
use crate::client::ClientError;
use board_protocol::daemon::{Answer, Request};
use board_text::terminals as texts;
use serde_json::json;

/// Arguments of `skip-wait`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The terminal, or the session that has terminals: its id, a unique beginning of it, or its unique name.
    session: String,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out. Where nobody waits, 0 waits are skipped, and that is no failure.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let Answer::WaitsSkipped { count } =
        session::connect()?.ask(Request::SkipWaits { session: args.session })?
    else {
        return Err(ClientError::Unexpected(board_text::client::skipped_waits()).into());
    };
    if args.output.json {
        session::print_json(&json!({ "skipped": count }))
    } else {
        session::print(&format!("{}\n", texts::skipped(count)))
    }
}
