//! Which file keeps what was said in a session: the one that its agent named, else the one that it makes by its rules.
//!
//! Called by [`super::transcript`]. It looks at names and never into a file: that is [`super::read`]'s.

use super::parse::Format;
use crate::{agents::AgentKind, root::BoardRoot};
use board_protocol::daemon::SessionDetail;
use board_text::transcript as texts;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// Most names that are looked at on the search for one file: years of work.
const MAX_NAMES: usize = 20_000;
/// Directories between Codex's `sessions` and a rollout: year, month, day.
const CODEX_DEPTH: usize = 3;
/// Longest id of a conversation that agents give.
const MAX_ID_BYTES: usize = 64;

/// What is known about the file of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// The row's agent, as it is called on the board.
    pub(crate) agent: String,
    /// The row's id.
    pub(crate) session: String,
    /// The file that the agent named.
    pub(crate) told: Option<PathBuf>,
    /// The agent's own id of the conversation.
    pub(crate) conversation: Option<String>,
}

/// Where agents keep their files.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// The files of sessions for which the board chooses the place.
    pub(crate) board: PathBuf,
    /// Claude Code's configuration.
    pub(crate) claude: Option<PathBuf>,
    /// Codex's.
    pub(crate) codex: Option<PathBuf>,
}

/// A file, and how it is written.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) format: Format,
}

impl Source {
    /// What the daemon knows.
    pub(crate) fn of(detail: &SessionDetail) -> Self {
        Self {
            agent: detail.row.agent.clone(),
            session: detail.row.id.to_string(),
            told: detail.agent.transcript.as_ref().map(PathBuf::from),
            conversation: detail.agent.session_id.clone(),
        }
    }
}

impl Places {
    /// As this process's environment says. A session that was started with another one tells its file itself.
    pub(crate) fn of(root: &BoardRoot) -> Self {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = variable("HOME");
        let below_home = |name: &str| Some(home.as_ref()?.join(name));
        Self {
            board: root.sessions(),
            claude: variable("CLAUDE_CONFIG_DIR").or_else(|| below_home(".claude")),
            codex: variable("CODEX_HOME").or_else(|| below_home(".codex")),
        }
    }
}

/// The file of a session.
pub(super) fn locate(source: &Source, places: &Places) -> Result<Found, String> {
    let told = source.told.clone().filter(|path| path.is_absolute());
    let id = source.conversation.as_deref().filter(|id| is_id(id));
    let (format, path) = match AgentKind::parse(&source.agent).ok() {
        Some(AgentKind::Pi) => {
            let own = || places.board.join(format!("{}.jsonl", source.session));
            (Format::Pi, Some(told.unwrap_or_else(own)))
        }
        Some(AgentKind::Claude) => {
            let search = || claude(places.claude.as_deref()?, id?);
            (Format::Claude, told.or_else(search))
        }
        Some(AgentKind::Codex) => {
            let search = || codex(places.codex.as_deref()?, id?);
            (Format::Codex, told.or_else(search))
        }
        Some(AgentKind::Generic) | None => {
            return Err(texts::none().to_owned());
        }
    };
    path.map(|path| Found { path, format }).ok_or_else(|| texts::not_yet().to_owned())
}

/// An id as agents give them; nothing else may become a part of a path.
fn is_id(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= MAX_ID_BYTES
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Claude Code: a directory for each place that it works in, a file for each conversation.
fn claude(configuration: &Path, id: &str) -> Option<PathBuf> {
    let name = format!("{id}.jsonl");
    let mut left = MAX_NAMES;
    let projects = names(&configuration.join("projects"), &mut left);
    projects
        .into_iter()
        .map(|project| configuration.join("projects").join(project).join(&name))
        .find(|file| file.is_file())
}

/// Codex: `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, and the same name in `archived_sessions`.
fn codex(home: &Path, id: &str) -> Option<PathBuf> {
    let mut left = MAX_NAMES;
    let end = format!("-{id}.jsonl");
    rollout(&home.join("sessions"), &end, CODEX_DEPTH, &mut left)
        .or_else(|| rollout(&home.join("archived_sessions"), &end, 0, &mut left))
}

fn rollout(directory: &Path, end: &str, depth: usize, left: &mut usize) -> Option<PathBuf> {
    let names = names(directory, left);
    if depth == 0 {
        let fits = |name: &OsString| {
            name.to_str().is_some_and(|name| name.starts_with("rollout-") && name.ends_with(end))
        };
        return names.into_iter().find(fits).map(|name| directory.join(name));
    }
    names.into_iter().find_map(|name| rollout(&directory.join(name), end, depth - 1, left))
}

/// The names in a directory, newest date first.
fn names(directory: &Path, left: &mut usize) -> Vec<OsString> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut names: Vec<OsString> = entries.flatten().take(*left).map(|entry| entry.file_name()).collect();
    *left -= names.len();
    names.sort_unstable_by(|one, other| other.cmp(one));
    names
}
