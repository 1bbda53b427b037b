//! The board outside zellij: joins the running session, or starts a fresh one and becomes its client.

use crate::{
    cli::Failure,
    root::BoardRoot,
    zellij::{
        binary,
        command::{SessionState, outside, session_state},
        name,
        server::{self, Server},
    },
};
use anyhow::Context;
use board_text::cli as texts;
use std::{
    env,
    io::{IsTerminal, stdin, stdout},
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Stdio},
};

/// Opens the board in `session`, with the zellij that the configuration names, if it does. Returns only when it cannot.
pub(super) fn open(
    session: &str,
    layout: &Path,
    root: &BoardRoot,
    named: Option<&Path>,
) -> Result<(), Failure> {
    if !(stdin().is_terminal() && stdout().is_terminal()) {
        return Err(Failure::Usage(texts::up_needs_terminal().into()));
    }
    if let Some(note) = stale_environment() {
        eprintln!("host-runner: {note}");
    }
    let chosen = binary::choose(named).map_err(|error| Failure::Unreachable(error.to_string()))?;
    if let Some(notice) = &chosen.notice {
        eprintln!("host-runner: {notice}");
    }
    let mut zellij = match running_server(session) {
        // zellij is only asked where `/proc` does not tell: each question is a client for a moment, and zellij may throw
        // out whoever attaches right after it (measured: a second client saw nothing, for good).
        Some(server) => join(&server.binary(), session),
        None => match state_of(&chosen.path, session)? {
            SessionState::Running => join(&chosen.path, session),
            SessionState::Dead => {
                delete(&chosen.path, session)?;
                start(&chosen.path, session, layout)
            }
            SessionState::Absent => start(&chosen.path, session, layout),
        },
    };
    // A server keeps the environment that it was started with: the next board knows by it whose this session is.
    zellij.env("AGENT_BOARD_ROOT", root.directory());
    let error = zellij.exec();
    Err(anyhow::Error::new(error).context(texts::cannot_run(chosen.path.display())).into())
}

/// `ZELLIJ` says that we are in a pane, the ancestors say that we are not: a terminal multiplexer or a daemon that was
/// started from zellij carries its environment on, perhaps long after the server ended.
fn stale_environment() -> Option<String> {
    let present = env::var_os("ZELLIJ").or_else(|| env::var_os("ZELLIJ_SESSION_NAME"))?;
    if present.is_empty() {
        return None;
    }
    let name = env::var("ZELLIJ_SESSION_NAME").unwrap_or_else(|_| "?".into());
    Some(texts::up_not_a_pane(format_args!("{name:?}")))
}

fn state_of(binary: &Path, session: &str) -> Result<SessionState, Failure> {
    let output = outside(binary)
        .args(["list-sessions", "--no-formatting"])
        .stdin(Stdio::null())
        .output()
        .with_context(|| texts::cannot_run(binary.display()))?;
    Ok(session_state(&String::from_utf8_lossy(&output.stdout), session))
}

fn delete(binary: &Path, session: &str) -> Result<(), Failure> {
    let output = outside(binary)
        .args(["delete-session", session])
        .stdin(Stdio::null())
        .output()
        .with_context(|| texts::cannot_run(binary.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Failure::Unreachable(texts::up_dead_session(session, &said)))
}

fn start(binary: &Path, session: &str, layout: &Path) -> Command {
    let mut zellij = outside(binary);
    zellij.args(["--session", session, "--new-session-with-layout"]).arg(layout);
    zellij
}

/// A client of the running session.
fn join(binary: &Path, session: &str) -> Command {
    let mut zellij = outside(binary);
    zellij.args(["attach", session]);
    zellij
}

/// The server of the session, where it can be found: a client is to be of its version.
pub(super) fn running_server(session: &str) -> Option<Server> {
    let all = server::all();
    let ours = |server: &&Server| {
        server.socket_directory().is_some_and(|directory| socket_directories().iter().any(|d| d == directory))
    };
    all.iter()
        .filter(ours)
        .find(|server| name::of_unrenamed(server, &all).as_deref() == Some(session))
        .cloned()
}

/// Where zellij looks for sockets, given our environment: the first that is set counts, the last is zellij's fallback.
fn socket_directories() -> Vec<std::path::PathBuf> {
    let given = env::var_os("ZELLIJ_SOCKET_DIR").map(std::path::PathBuf::from);
    let runtime = env::var_os("XDG_RUNTIME_DIR").map(|directory| Path::new(&directory).join("zellij"));
    let fallback = env::temp_dir().join("zellij");
    match (given, runtime) {
        (Some(given), _) => vec![given],
        (None, Some(runtime)) => vec![runtime],
        (None, None) => {
            let own = rustix::process::getuid().as_raw();
            vec![fallback, env::temp_dir().join(format!("zellij-{own}"))]
        }
    }
}
