//! `host-runner stop`: ends a session's agent and everything below it, and returns once they have ended; the row stays.
//!
//! Exit codes: 0 it has ended (with `--no-wait`: it was told to), 1 refused, 3 the daemon cannot be reached, 4 it has not
//! ended in time.

use super::{Failure, session};
use crate::client::{ClientError, DaemonClient};
use board_protocol::{
    board::BoardUpdate,
    command::{Command, CommandOutcome},
    ids::SessionId,
    state::{HostState, ProcessState},
};
use board_text::cli as texts;
use std::time::{Duration, Instant};

/// How long an end is waited for: SIGTERM, the longest grace that can be configured, SIGKILL, and a loaded machine.
const ENDS_WITHIN: Duration = Duration::from_secs(20);

/// Arguments of `stop`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// Return as soon as it was told to end.
    #[arg(long)]
    no_wait: bool,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let mut client = session::connect()?;
    let id = session::find(&mut client, &args.session)?.row.id;
    match client.command(Command::Stop { session: id.clone() }, None)? {
        CommandOutcome::Refused(refusal) => Err(refusal.into()),
        // Its host is away: it ends when it is back, and nobody knows when that is.
        CommandOutcome::Applied { notice: Some(notice), .. } => {
            session::say(Some(&notice));
            Ok(())
        }
        CommandOutcome::Applied { notice: None, .. } if args.no_wait => Ok(()),
        CommandOutcome::Applied { notice: None, .. } => wait_for_end(&mut client, &id),
    }
}

fn wait_for_end(client: &mut DaemonClient, session: &SessionId) -> Result<(), Failure> {
    let deadline = Instant::now() + ENDS_WITHIN;
    let mut board = client.board()?;
    loop {
        let still_there = board.rows.get(session).is_some_and(|row| {
            let host = matches!(row.host_state, HostState::Starting | HostState::Alive | HostState::Stopping);
            host || row.headless && row.process_state == ProcessState::Alive
        });
        if !still_there {
            return Ok(());
        }
        match client.next_update(deadline.saturating_duration_since(Instant::now())) {
            Ok(Some(BoardUpdate::Full { .. })) => board = client.board()?,
            Ok(Some(update)) => board.take(update),
            // Without a daemon the command itself has waited for the end.
            Err(ClientError::Off) => return Ok(()),
            Err(error) => return Err(error.into()),
            Ok(None) => {
                let text = texts::stop_not_yet(session, ENDS_WITHIN.as_secs());
                return Err(Failure::TimedOut(text));
            }
        }
    }
}
