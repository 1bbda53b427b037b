//! `host-runner screen`: what a session shows, live from its host or as it was left.

use super::{Failure, session};
use crate::{
    attach::resolve::show,
    client::{DaemonClient, StartPolicy},
    root::BoardRoot,
    wire::{ANSWER_DEADLINE, Connection, WireError},
};
use board_protocol::{
    daemon::{Answer, HostEndpoint, Request, SessionDetail},
    hello::{HOST_PROTOCOL, Role},
    host::{FromHost, ScreenFormat, ToHost},
    refusal::{Refusal, RefusalKind},
};
use board_text::cli as texts;
use serde_json::json;
use std::path::Path;

/// Arguments of `screen`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("json", |json| json.help("As JSON: id, name, live, text")))]
pub(super) struct Args {
    /// The session: its id, a unique beginning of it, or its unique name.
    session: String,
    /// With colours and attributes.
    #[arg(long)]
    ansi: bool,
    /// This many lines of history in front of the screen.
    #[arg(long, value_name = "N", default_value_t = 0)]
    scrollback: u32,
    #[command(flatten)]
    output: session::Output,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let root = super::board_root()?;
    let detail = show(&root, &args.session, StartPolicy::Person)?;
    let format = if args.ansi { ScreenFormat::Ansi } else { ScreenFormat::Text };
    let live = match &detail.host {
        Some(host) => live_screen(host, format, args.scrollback)?,
        None => None,
    };
    let (is_live, text) = match live {
        Some(text) => (true, text),
        None => (false, last_screen(&root, &detail)?),
    };
    if args.output.json {
        let row = &detail.row;
        return session::print_json(
            &json!({ "id": row.id, "name": row.name, "live": is_live, "text": text }),
        );
    }
    let reset = if args.ansi { "\x1b[m" } else { "" };
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    session::print(&format!("{text}{reset}{end}"))
}

/// The screen from the host; `None` when that is gone by now.
fn live_screen(
    host: &HostEndpoint,
    format: ScreenFormat,
    scrollback: u32,
) -> Result<Option<String>, Failure> {
    let answer = ask(Path::new(&host.socket), format, scrollback);
    match answer {
        Ok(FromHost::Screen { text }) => Ok(Some(text)),
        Ok(FromHost::Refused(refusal)) => Err(refusal.into()),
        Ok(other) => {
            Err(Failure::Other(anyhow::anyhow!("{}", texts::host_answered_else(format_args!("{other:?}")))))
        }
        Err(WireError::Connect(_) | WireError::Closed | WireError::Io(_)) => Ok(None),
        Err(WireError::Refused(refused)) => Err(refused.refusal.into()),
        Err(error @ WireError::TimedOut(_)) => Err(Failure::TimedOut(texts::host_hangs(&error))),
        Err(error) => Err(Failure::Unreachable(texts::host_unreadable(&error))),
    }
}

fn ask(socket: &Path, format: ScreenFormat, scrollback: u32) -> Result<FromHost, WireError> {
    let mut connection = Connection::connect(socket)?;
    connection.greet(HOST_PROTOCOL, Role::Viewer, None)?;
    connection.send(&ToHost::ReadScreen { format, scrollback })?;
    connection.receive(ANSWER_DEADLINE)
}

fn last_screen(root: &BoardRoot, detail: &SessionDetail) -> Result<String, Failure> {
    let mut daemon = DaemonClient::connect(root, Role::Cli, StartPolicy::Person)?;
    match daemon.ask(Request::LastScreen { session: detail.row.id.clone() })? {
        Answer::Screen { text: Some(text) } => Ok(text),
        Answer::Screen { text: None } => {
            let text = texts::screen_none(&detail.row.name);
            Err(Refusal::new(RefusalKind::WrongState, text).into())
        }
        other => {
            Err(Failure::Other(anyhow::anyhow!("{}", texts::daemon_answered_else(format_args!("{other:?}")))))
        }
    }
}
