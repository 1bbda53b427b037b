//! The directories that a path could go on with, for a board that has no file system of its own.
//!
//! Called by the link's loop. A file system may never answer (a dead network mount), so every look runs on a thread of its
//! own that may be left behind: the answer is what it found within a limit, and there are never more than a few such
//! threads. It opens nothing but the one directory, and follows links only to see whether they lead to directories.

use board_protocol::{
    pipe::{MAX_DIRECTORIES, QueryPart},
    text::{is_plain, plain_within},
};
use board_text::link as texts;
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

/// How long a look may take: a person who presses Tab waits for it. A local directory of ten thousand entries takes 10 ms.
const LOOK_LIMIT: Duration = Duration::from_millis(1_500);
/// Most entries that are read of one directory.
const MAX_ENTRIES: usize = 20_000;
/// Most looks at a time. Those that hang with a dead mount stay for as long as it is dead.
const MAX_LOOKS: usize = 4;
/// Longest path that is looked at, in bytes (`PATH_MAX` of Linux).
const MAX_PATH_BYTES: usize = 4096;
/// Widest path in a text about it, in cells.
const MAX_SHOWN_COLUMNS: usize = 200;

/// What a look finds, one after the other.
#[derive(Debug)]
pub(crate) enum Found {
    /// A directory of this name.
    Directory(String),
    /// More entries than are read.
    TooMany,
    /// The directory cannot be read.
    Failed(io::Error),
}

/// Reads one directory; what is found goes to the function, which says whether anybody still wants to hear it.
type Reader = fn(&Wanted, &mut dyn FnMut(Found) -> bool);

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The directory that is listed.
    pub(crate) base: PathBuf,
    /// How the names begin.
    pub(crate) leaf: String,
}

/// Looks at directories, a few at a time.
#[derive(Debug)]
pub(crate) struct Directories {
    home: Option<PathBuf>,
    here: PathBuf,
    reader: Reader,
    limit: Duration,
    /// One clone for each look that has not ended.
    looks: Arc<()>,
}

impl Directories {
    pub(crate) fn new(home: Option<PathBuf>, here: PathBuf) -> Self {
        Self { home, here, reader: read, limit: LOOK_LIMIT, looks: Arc::new(()) }
    }

    /// The answer to what was typed. Blocks for at most [`LOOK_LIMIT`].
    pub(crate) fn complete(&self, prefix: &str) -> Vec<QueryPart> {
        if prefix.len() > MAX_PATH_BYTES || prefix.contains('\0') {
            return problem(texts::path_too_long());
        }
        let wanted = wanted(prefix, &self.here, self.home.as_deref());
        if Arc::strong_count(&self.looks) > MAX_LOOKS {
            return problem(texts::directories_hang());
        }
        let (sender, found) = mpsc::channel();
        let (reader, look, asked) = (self.reader, Arc::clone(&self.looks), wanted.clone());
        let started = thread::Builder::new().name("directories".to_owned()).spawn(move || {
            reader(&asked, &mut |found| sender.send(found).is_ok());
            drop(look);
        });
        if started.is_err() {
            return problem(texts::directories_no_thread());
        }
        gathered(&wanted, &found, self.limit)
    }
}

/// Takes what is found until the look ends or the limit passes.
fn gathered(wanted: &Wanted, found: &mpsc::Receiver<Found>, limit: Duration) -> Vec<QueryPart> {
    let deadline = Instant::now() + limit;
    let mut names = Vec::new();
    let mut more = 0_u32;
    loop {
        match found.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Found::Directory(name)) => names.push(name),
            Ok(Found::TooMany) => more = 1,
            Ok(Found::Failed(error)) => return problem(&failure(&wanted.base, &error)),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) if names.is_empty() => {
                return problem(&texts::directory_silent(shown(&wanted.base)));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                more = 1;
                break;
            }
        }
    }
    names.sort();
    more =
        more.saturating_add(u32::try_from(names.len().saturating_sub(MAX_DIRECTORIES)).unwrap_or(u32::MAX));
    names.truncate(MAX_DIRECTORIES);
    let mut parts: Vec<QueryPart> = names.into_iter().map(|name| QueryPart::Directory { name }).collect();
    if more > 0 {
        parts.push(QueryPart::Cut { left_out: more });
    }
    parts
}

fn problem(text: &str) -> Vec<QueryPart> {
    vec![QueryPart::Problem { text: text.to_owned() }]
}

fn shown(path: &Path) -> String {
    plain_within(&path.to_string_lossy(), MAX_SHOWN_COLUMNS)
}

fn failure(base: &Path, error: &io::Error) -> String {
    let path = shown(base);
    match error.kind() {
        io::ErrorKind::NotFound => texts::directory_missing(path),
        io::ErrorKind::NotADirectory => texts::directory_is_none(path),
        io::ErrorKind::PermissionDenied => texts::directory_forbidden(path),
        _ => texts::directory_unreadable(path, error),
    }
}

/// Which directory is meant by a typed prefix, and how the names in it begin.
fn wanted(prefix: &str, here: &Path, home: Option<&Path>) -> Wanted {
    let (base, leaf) = prefix
        .rsplit_once('/')
        .map_or(("", prefix), |(base, leaf)| (if base.is_empty() { "/" } else { base }, leaf));
    // `~` alone is the home directory itself, on its way to `~/`.
    let (base, leaf) = if base.is_empty() && leaf == "~" { ("~", "") } else { (base, leaf) };
    Wanted { base: resolved(base, here, home).into(), leaf: leaf.to_owned() }
}

/// The absolute path of a typed one: empty is here, a leading `~` the home directory.
pub(crate) fn resolved(typed: &str, here: &Path, home: Option<&Path>) -> String {
    let rest = typed.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let path = match (rest, home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
        _ if typed.is_empty() => here.to_owned(),
        _ => here.join(typed),
    };
    let text = path.to_string_lossy().into_owned();
    let trimmed = text.trim_end_matches('/');
    if trimmed.is_empty() { text } else { trimmed.to_owned() }
}

/// Reads the directory. Plain directories come first: a link may lead to a mount that does not answer.
fn read(wanted: &Wanted, tell: &mut dyn FnMut(Found) -> bool) {
    let entries = match fs::read_dir(&wanted.base) {
        Ok(entries) => entries,
        Err(error) => {
            tell(Found::Failed(error));
            return;
        }
    };
    let mut links = Vec::new();
    for (count, entry) in entries.enumerate() {
        if count >= MAX_ENTRIES {
            tell(Found::TooMany);
            break;
        }
        let Ok(entry) = entry else { continue };
        // What cannot be shown as it is cannot be chosen either.
        let Ok(name) = entry.file_name().into_string() else { continue };
        if !fits(&name, &wanted.leaf) {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_symlink() => links.push(name),
            Ok(kind) if kind.is_dir() && !tell(Found::Directory(name)) => return,
            _ => {}
        }
    }
    for name in links {
        let leads_to_one = fs::metadata(wanted.base.join(&name)).is_ok_and(|meta| meta.is_dir());
        if leads_to_one && !tell(Found::Directory(name)) {
            return;
        }
    }
}

/// Whether a name goes on with what was typed; hidden ones only for whoever typed the dot.
fn fits(name: &str, leaf: &str) -> bool {
    name.starts_with(leaf) && (!name.starts_with('.') || leaf.starts_with('.')) && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests;
