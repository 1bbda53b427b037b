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
use board_text::attach as texts;

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
        _ => Err(ClientError::Unexpected(board_text::client::a_session()).into()),
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
        _ => Err(ClientError::Unexpected(board_text::client::a_session()).into()),
    }
}

/// Finds the host of a session.
pub(super) fn resolve(root: &BoardRoot, session: &str, policy: StartPolicy) -> Result<Resolved, Failure> {
    let detail = locate(root, session, policy)?;
    let row = Box::new(detail.row.retold());
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
        (None, None) if row.resumes_on_attach => texts::was_idle().to_owned(),
        (None, None) => texts::no_process().to_owned(),
    };
    let next = match row.revival {
        Revival::RunsAgain => texts::cannot_continue(),
        Revival::Resumes => texts::to_continue(),
    };
    Refusal::new(RefusalKind::WrongState, texts::has_ended(&row.name, how, next, &row.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::row;
    use board_text::{Language, speaking};

    fn said(how: Option<&str>, error: Option<&str>, revival: Revival) -> String {
        let (how, error) = (how.map(str::to_owned), error.map(str::to_owned));
        ended(&Row { name: "job".into(), ended: how, error, revival, ..row("s1") }).text
    }

    #[test]
    fn h15_a_session_that_has_ended_says_how_and_what_to_do() {
        assert_eq!(
            said(Some("exit code 3"), Some("exit code 3"), Revival::RunsAgain),
            "\"job\" has ended (exit code 3). It cannot be continued; run it again from the board (→), or look at what \
             it left: host-runner screen s1"
        );
        let text = said(Some("exit code 3"), Some("no such file"), Revival::Resumes);
        assert!(text.contains("(exit code 3: no such file). To continue it, attach to it without"), "{text}");
        assert!(said(None, None, Revival::Resumes).contains("(it has no running process)"));
    }

    #[test]
    fn i8_it_says_so_in_the_language_of_its_reader() {
        let text = speaking(Language::Chinese, || said(None, None, Revival::Resumes));
        assert_eq!(
            text,
            "\"job\" 已结束（没有运行中的进程）。要继续，请不带 --read-only 进入，或查看它留下的内容：host-runner screen s1"
        );
    }
}
