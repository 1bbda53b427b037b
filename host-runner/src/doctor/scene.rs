//! What the checks look at: an environment, a root, the configuration and a machine. Tests build one of their own.

use crate::{
    config::Config,
    root::{BoardRoot, RootError, Seen},
};
use board_text::doctor as texts;
use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Duration,
};

/// How long the root's file system may take to answer: one on a dead network mount never does.
const LIMIT: Duration = Duration::from_secs(5);

/// Where the doctor looks.
#[derive(Debug)]
pub(crate) struct Scene {
    /// Where the board root should be, if that is known.
    pub(super) directory: Option<PathBuf>,
    /// What is there.
    pub(super) seen: Result<Option<Seen>, RootError>,
    /// The settings of this shell.
    pub(super) config: Config,
    /// The environment of this shell.
    environment: BTreeMap<OsString, OsString>,
    /// `/`: below it lie `etc`, `run` and `var`.
    pub(super) machine: PathBuf,
}

impl Scene {
    /// This process's surroundings. `directory` is the board root.
    pub(crate) fn of_this_process(directory: Option<PathBuf>) -> Self {
        Self::new(directory, Config::load(), std::env::vars_os().collect(), PathBuf::from("/"))
    }

    /// Any surroundings.
    pub(super) fn new(
        directory: Option<PathBuf>,
        config: Config,
        environment: BTreeMap<OsString, OsString>,
        machine: PathBuf,
    ) -> Self {
        let seen = match &directory {
            Some(directory) => look_within(directory.clone(), LIMIT),
            None => Err(RootError::Unknown),
        };
        Self { directory, seen, config, environment, machine }
    }

    /// Whether the root's file system answers.
    pub(super) fn answers(&self) -> bool {
        !matches!(&self.seen, Err(RootError::Io { source, .. }) if source.kind() == io::ErrorKind::TimedOut)
    }

    /// A variable.
    pub(super) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// A variable that must be an absolute path to count.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        self.variable(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// The root, where it exists and is ours.
    pub(super) fn root(&self) -> Option<&BoardRoot> {
        self.seen.as_ref().ok()?.as_ref().map(|seen| &seen.root)
    }

    /// A file of the machine: `below("etc/passwd")`.
    pub(super) fn below(&self, path: impl AsRef<Path>) -> PathBuf {
        self.machine.join(path)
    }

    /// The text of a file of the machine; empty when it cannot be read.
    pub(super) fn text(&self, path: impl AsRef<Path>) -> String {
        fs::read(self.below(path))
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }
}

/// Looks on a thread of its own: a call into a file system that hangs cannot be cut off, only left behind.
fn look_within(directory: PathBuf, limit: Duration) -> Result<Option<Seen>, RootError> {
    let (sender, receiver) = mpsc::channel();
    let path = directory.clone();
    thread::spawn(move || sender.send(BoardRoot::look(&directory)));
    receiver.recv_timeout(limit).unwrap_or_else(|_| {
        let source = io::Error::new(io::ErrorKind::TimedOut, texts::fs_its_silent());
        Err(RootError::Io { path, source })
    })
}
