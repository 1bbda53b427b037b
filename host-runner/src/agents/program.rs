//! Finds an agent's program and reads its version, without running it where that can be avoided: starting an interpreter
//! for `--version` costs half a second. What is wrong with it is said to people here, for all agents alike.
//!
//! Called by [`super::launching`] and the doctor. What to look for is each adapter's own [`AgentProgram`].

use crate::{
    deadlines,
    program::{ask, is_executable, on_path},
};
use board_text::agents as texts;
use serde_json::Value;
use std::{
    ffi::OsStr,
    fmt, fs,
    path::{Path, PathBuf},
};

/// Directories between an executable and its package's `package.json`.
const PACKAGE_DEPTH: usize = 6;
/// Longest `package.json` that is read, in bytes.
const PACKAGE_BYTES: u64 = 1024 * 1024;

/// A version as npm writes it; what follows the numbers does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Incompatible changes.
    pub major: u32,
    /// New features.
    pub minor: u32,
    /// Mended faults.
    pub patch: u32,
}

impl Version {
    /// Reads `1.6.0`, `v1.6.0` or `1.6.0-beta.1`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let numbers = text.strip_prefix('v').unwrap_or(text).split(['-', '+']).next()?;
        let mut parts = numbers.split('.').map(|part| part.parse().ok());
        let version = Self { major: parts.next()??, minor: parts.next()??, patch: parts.next()?? };
        parts.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// What is to be known about an agent's program to find it and to say what is wrong with it.
#[derive(Debug)]
pub struct AgentProgram {
    /// What people call it.
    pub called: &'static str,
    /// The same where another program might have that name.
    pub exactly: fn() -> &'static str,
    /// The name of its file in a `PATH`.
    pub file: &'static str,
    /// The setting that names one in its place.
    pub setting: &'static str,
    /// The variable that carries that setting to a start.
    pub variable: &'static str,
    /// The oldest version whose reports say what the board needs.
    pub oldest: Version,
    /// How to get one, for people.
    pub how_to_get: fn() -> &'static str,
    /// Whether this is the name of its npm package.
    pub is_package: fn(&str) -> bool,
    /// The version that another way of installing it left in the path of its file.
    pub version_in_path: fn(&Path) -> Option<Version>,
}

/// An agent that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The executable, as the `PATH` names it.
    pub program: PathBuf,
    /// Its version.
    pub version: Version,
}

/// Why an agent cannot be used. Every text says which version is needed and how to get it.
#[derive(Debug, thiserror::Error)]
#[error("{}", texts::needed(self.what(), .agent.oldest, (.agent.how_to_get)()))]
pub struct ProgramProblem {
    /// Which one.
    pub agent: &'static AgentProgram,
    /// What is wrong.
    pub trouble: Trouble,
}

/// What is wrong with an agent's program.
#[derive(Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No directory of the `PATH` has one.
    Missing,
    /// The configuration names this one, and it cannot be run.
    NotThere(PathBuf),
    /// This one is too old.
    TooOld(Found),
    /// It does not say what it is.
    Unreadable {
        /// The executable.
        program: PathBuf,
        /// What was tried.
        why: String,
    },
}

impl ProgramProblem {
    fn what(&self) -> String {
        let AgentProgram { called, exactly, file, setting, .. } = self.agent;
        match &self.trouble {
            Trouble::Missing => texts::not_installed(called, file),
            Trouble::NotThere(program) => texts::setting_no_program(setting, program.display()),
            Trouble::TooOld(Found { program, version }) => texts::too_old(program.display(), called, version),
            Trouble::Unreadable { program, why } => texts::says_no_version(program.display(), why, exactly()),
        }
    }
}

impl AgentProgram {
    /// Finds it in a `PATH`, that of the session's own environment, and reads its version.
    ///
    /// # Errors
    /// [`ProgramProblem`].
    pub fn find(&'static self, path: &OsStr) -> Result<Found, ProgramProblem> {
        let program = on_path(self.file, path).ok_or_else(|| self.problem(Trouble::Missing))?;
        self.checked(program, path)
    }

    /// Takes the one that a person named, and reads its version; `path` is for the programs that it needs itself.
    ///
    /// # Errors
    /// [`ProgramProblem`].
    pub fn at(&'static self, program: &Path, path: &OsStr) -> Result<Found, ProgramProblem> {
        if !is_executable(program) {
            return Err(self.problem(Trouble::NotThere(program.to_owned())));
        }
        self.checked(program.to_owned(), path)
    }

    fn checked(&'static self, program: PathBuf, path: &OsStr) -> Result<Found, ProgramProblem> {
        let known = packaged_version(&program, self.is_package).or_else(|| (self.version_in_path)(&program));
        let version = match known.map_or_else(|| spoken_version(&program, path), Ok) {
            Ok(version) => version,
            Err(why) => return Err(self.problem(Trouble::Unreadable { program, why })),
        };
        let found = Found { program, version };
        if version < self.oldest { Err(self.problem(Trouble::TooOld(found))) } else { Ok(found) }
    }

    fn problem(&'static self, trouble: Trouble) -> ProgramProblem {
        ProgramProblem { agent: self, trouble }
    }
}

/// The version in the `package.json` of the npm package that the executable belongs to, if its name is accepted.
fn packaged_version(program: &Path, is_ours: impl Fn(&str) -> bool) -> Option<Version> {
    let program = fs::canonicalize(program).ok()?;
    program.ancestors().skip(1).take(PACKAGE_DEPTH).find_map(|directory| {
        let file = directory.join("package.json");
        if fs::metadata(&file).ok()?.len() > PACKAGE_BYTES {
            return None;
        }
        let package: Value = serde_json::from_slice(&fs::read(&file).ok()?).ok()?;
        if is_ours(package.get("name")?.as_str()?) {
            Version::parse(package.get("version")?.as_str()?)
        } else {
            None
        }
    })
}

/// What `--version` prints, for a program that came without npm; else why there is no version, for people.
fn spoken_version(program: &Path, path: &OsStr) -> Result<Version, String> {
    ask(program, &["--version"], Some(path), deadlines::VERSION)?
        .split_whitespace()
        .find_map(Version::parse)
        .ok_or_else(|| texts::printed_no_version().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_ordered() {
        let version = |text| Version::parse(text);
        assert_eq!(version("v1.6.0"), Some(Version { major: 1, minor: 6, patch: 0 }));
        assert!(version("0.73.1") < version("1.0.0-beta.2") && version("0.9.9") < version("0.73.0"));
        for bad in ["", "1", "1.2", "1.2.3.4", "a.b.c", "-1.2.3"] {
            assert_eq!(version(bad), None, "{bad:?}");
        }
    }
}
