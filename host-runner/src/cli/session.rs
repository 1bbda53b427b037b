//! What the commands about one session share: the daemon, which session is meant, and the outcome of a command.

use super::Failure;
use crate::client::{ClientError, DaemonClient, StartPolicy};
use anyhow::Context;
use board_protocol::{
    command::{Command, CommandOutcome, EnvVar},
    daemon::{Answer, Request, SessionDetail},
    hello::Role,
    ids::SessionId,
};
use std::io::Write;

/// Connects as a person's command: a missing daemon is started.
pub(super) fn connect() -> Result<DaemonClient, Failure> {
    Ok(DaemonClient::connect(&super::board_root()?, Role::Cli, StartPolicy::Person)?)
}

/// The session that a person names by id, unique id prefix or unique name.
pub(super) fn find(client: &mut DaemonClient, session: &str) -> Result<SessionDetail, Failure> {
    match client.ask(Request::Show { session: session.to_owned() })? {
        Answer::Session(detail) => Ok(*detail),
        _ => Err(ClientError::Unexpected("a session").into()),
    }
}

/// Sends a command and says what the daemon wants the person to know.
pub(super) fn carry_out(
    client: &mut DaemonClient,
    command: Command,
    environment: Option<Vec<EnvVar>>,
) -> Result<SessionId, Failure> {
    match client.command(command, environment)? {
        CommandOutcome::Applied { session, notice } => {
            if let Some(notice) = notice {
                eprintln!("host-runner: {notice}");
            }
            Ok(session)
        }
        CommandOutcome::Refused(refusal) => Err(refusal.into()),
    }
}

/// Names one session, makes a command of it, and carries that out.
pub(super) fn change(session: &str, command: impl FnOnce(SessionId) -> Command) -> Result<(), Failure> {
    let mut client = connect()?;
    let id = find(&mut client, session)?.row.id;
    carry_out(&mut client, command(id), None)?;
    Ok(())
}

/// Prints what a command was asked for. A reader that has seen enough (`| head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other.context("cannot print")?),
    }
}
