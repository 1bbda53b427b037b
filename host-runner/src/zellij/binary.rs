//! Which zellij to run: the one that a person has, if it is of a version that the board was made for, else the pinned one.

use crate::program;
use board_text::zellij as texts;
use std::{
    env, fmt,
    path::{Path, PathBuf},
};

/// Supported are all patch versions of this one: the plugin is built with zellij-tile 0.45, and what the link relies on was
/// measured there.
const SUPPORTED: (u32, u32) = (0, 45);
/// The same for people.
pub(crate) const SUPPORTED_TEXT: &str = "0.45";
/// The version that `make setup` installs.
const PINNED: &str = "0.45.1";
/// What names a zellij to use whatever its version is: the setting of this name, or its variable.
/// Where `make setup` keeps what it installs; `~/.cache/agent-board` when it is unset.
const CACHE: &str = "AGENT_BOARD_CACHE";

/// A version as `zellij --version` prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version(u32, u32, u32);

impl Version {
    /// Parses `zellij 0.45.1`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = text.trim().strip_prefix("zellij ")?;
        let mut parts = number.split(['.', '-', '+']).map(|part| part.parse().ok());
        Some(Self(parts.next()??, parts.next()??, parts.next()??))
    }

    /// Whether the board was made for it.
    pub(crate) fn is_supported(self) -> bool {
        (self.0, self.1) == SUPPORTED
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The zellij to start a session with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Binary {
    /// Its absolute path.
    pub(crate) path: PathBuf,
    /// What to tell the person about the choice, if anything.
    pub(crate) notice: Option<String>,
}

/// No zellij can be used.
#[derive(Debug, thiserror::Error)]
#[error("{}", texts::needed(found, SUPPORTED.0, SUPPORTED.1, PINNED, texts::setting()))]
pub(crate) struct NoZellij {
    found: String,
}

/// Chooses: the one that was named, PATH's if its version is supported, else the pinned one in the cache.
pub(crate) fn choose(named: Option<&Path>) -> Result<Binary, NoZellij> {
    if let Some(named) = named {
        let path = named.to_owned();
        return match version_of(&path) {
            Some(version) => Ok(Binary {
                notice: (!version.is_supported()).then(|| texts::not_made_for(texts::setting(), version)),
                path,
            }),
            None => Err(NoZellij { found: texts::override_cannot_run(path.display(), texts::setting()) }),
        };
    }
    let in_path = program::on_path("zellij", &env::var_os("PATH").unwrap_or_default());
    let version = in_path.as_deref().and_then(version_of);
    match (in_path, version) {
        (Some(path), Some(version)) if version.is_supported() => Ok(Binary { path, notice: None }),
        (found, version) => {
            let pinned = pinned_path();
            let found = match (found, version) {
                (Some(path), Some(version)) => texts::unsupported(version, path.display()),
                (Some(path), None) => texts::cannot_run(path.display()),
                (None, _) => texts::missing().to_owned(),
            };
            match pinned.filter(|path| version_of(path).is_some_and(Version::is_supported)) {
                Some(path) => Ok(Binary { path, notice: None }),
                None => Err(NoZellij { found }),
            }
        }
    }
}

fn pinned_path() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute(CACHE).or_else(|| absolute("HOME").map(|home| home.join(".cache/agent-board")))?;
    Some(cache.join(format!("zellij-{PINNED}/bin/zellij")))
}

/// Asks a binary for its version. Nothing is connected to.
pub(crate) fn version_of(path: &Path) -> Option<Version> {
    Version::parse(&program::ask(path, &["--version"], None, program::LIMIT).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed_and_checked() {
        for (text, supported) in [
            ("zellij 0.45.1\n", Some(true)),
            ("zellij 0.45.0", Some(true)),
            ("zellij 0.45.2-dev", Some(true)),
            ("zellij 0.44.3", Some(false)),
            ("zellij 0.46.0", Some(false)),
            ("zellij 1.45.0", Some(false)),
            ("tmux 3.4", None),
            ("zellij", None),
            ("", None),
        ] {
            assert_eq!(Version::parse(text).map(Version::is_supported), supported, "{text:?}");
        }
    }
}
