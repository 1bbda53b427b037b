//! Which host a session has, from the daemon; or how it ended and what to do about that (field report H15).

use crate::{
    cli::Failure,
    client::{ClientError, DaemonClient, StartPolicy, launching_environment},
    root::BoardRoot,
};
use board_protocol::{
    board::{Revival, Row},
    command::{Command, CommandOutcome},
    daemon::{Answer, HostEndpoint, Request, SessionDetail},
    hello::Role,
    ids::SessionId,
    refusal::{Refusal, RefusalKind},
    state::HostState,
};

/// The first version of the daemon's protocol with [`Request::Locate`].
const KNOWS_LOCATE: u32 = 7;

/// What the daemon knows about a session's host.
#[derive(Debug)]
pub(super) enum Resolved {
    /// It can be reached here.
    Running(Box<Row>, HostEndpoint),
    /// It is about to come up.
    Starting(Box<Row>),
    /// It is ending; if that is only because it was idle, the session can go on afterwards.
    Ending(Box<Row>),
    /// There is none.
    Ended(Box<Row>),
}

/// Everything about one session.
pub(crate) fn show(root: &BoardRoot, session: &str, policy: StartPolicy) -> Result<SessionDetail, Failure> {
    let mut daemon = DaemonClient::connect(root, Role::Cli, policy)?;
    match daemon.ask(Request::Show { session: session.to_owned() })? {
        Answer::Session(detail) => Ok(*detail),
        _ => Err(ClientError::Unexpected("a session").into()),
    }
}

/// One session and where its host is.
fn locate(root: &BoardRoot, session: &str, policy: StartPolicy) -> Result<SessionDetail, Failure> {
    let mut daemon = DaemonClient::connect(root, Role::Cli, policy)?;
    let session = session.to_owned();
    let request = match daemon.welcome().version {
        KNOWS_LOCATE.. => Request::Locate { session },
        _ => Request::Show { session },
    };
    match daemon.ask(request)? {
        Answer::Session(detail) => Ok(*detail),
        _ => Err(ClientError::Unexpected("a session").into()),
    }
}

/// Finds the host of a session.
pub(super) fn resolve(root: &BoardRoot, session: &str, policy: StartPolicy) -> Result<Resolved, Failure> {
    let detail = locate(root, session, policy)?;
    let row = Box::new(detail.row);
    Ok(match (row.host_state, detail.host) {
        (HostState::Starting | HostState::Alive | HostState::Stopping, Some(host)) => {
            Resolved::Running(row, host)
        }
        (HostState::Starting, None) => Resolved::Starting(row),
        (HostState::Stopping, None) => Resolved::Ending(row),
        _ => Resolved::Ended(row),
    })
}

/// Asks for a fresh host of a session that has ended, with the environment of this terminal.
pub(super) fn resume(root: &BoardRoot, session: &SessionId) -> Result<(), Failure> {
    let mut daemon = DaemonClient::connect(root, Role::Cli, StartPolicy::Person)?;
    let command = Command::Resume { session: session.clone() };
    match daemon.command(command, Some(launching_environment()))? {
        CommandOutcome::Applied { .. } => Ok(()),
        CommandOutcome::Refused(refusal) => Err(refusal.into()),
    }
}

/// How a session ended, and what the person can do.
pub(super) fn ended(row: &Row) -> Refusal {
    let how = match (row.ended.as_deref(), row.error.as_deref()) {
        (Some(ended), Some(error)) if ended != error => format!("{ended}: {error}"),
        (Some(text), Some(_)) => text.to_owned(),
        (Some(text), None) | (None, Some(text)) => text.to_owned(),
        (None, None) if row.resumes_on_attach => "its process was ended because it was idle".to_owned(),
        (None, None) => "it has no running process".to_owned(),
    };
    let next = match row.revival {
        Revival::RunsAgain => {
            "It cannot be continued; run it again from the board (→), or look at what it left"
        }
        Revival::Resumes => "To continue it, attach to it without --read-only, or look at what it left",
    };
    let (name, id) = (&row.name, &row.id);
    Refusal::new(
        RefusalKind::WrongState,
        format!("\"{name}\" has ended ({how}). {next}: host-runner screen {id}"),
    )
}
