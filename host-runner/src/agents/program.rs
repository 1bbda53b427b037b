//! Finds an agent's program and reads its version, without running it where that can be avoided: starting an
//! interpreter for `--version` costs half a second.
//!
//! Called by the adapters' own searches, which say what is wrong in their words.

use crate::deadlines;
use serde_json::Value;
use std::{
    ffi::OsStr,
    fmt, fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Directories between an executable and its package's `package.json`.
const PACKAGE_DEPTH: usize = 6;
/// Longest `package.json` that is read, in bytes.
const PACKAGE_BYTES: u64 = 1024 * 1024;
/// How often that is looked at: the only way to wait for a child with a deadline and without a thread.
const VERSION_POLL: Duration = Duration::from_millis(10);

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

/// The first executable of this name in the absolute directories of a `PATH`.
pub(super) fn on_path(name: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name))
        .find(|candidate| is_executable(candidate))
}

/// Whether this is a file that may be run.
pub(super) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// The version in the `package.json` of the npm package that the executable belongs to, if its name is accepted.
pub(super) fn packaged_version(program: &Path, is_ours: impl Fn(&str) -> bool) -> Option<Version> {
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

/// What `--version` prints, for a program that came without npm.
///
/// # Errors
/// Why there is no version, for people.
pub(super) fn spoken_version(
    program: &Path,
    path: &OsStr,
    variables: &[(&str, &str)],
) -> Result<Version, String> {
    let mut child = Command::new(program)
        .arg("--version")
        .env("PATH", path)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("it does not start: {error}"))?;
    let end = Instant::now() + deadlines::VERSION;
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if Instant::now() >= end {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("no answer to --version within {} ms", deadlines::VERSION.as_millis()));
        }
        std::thread::sleep(VERSION_POLL);
    }
    let mut printed = String::new();
    if let Some(stdout) = child.stdout.take() {
        // Bounded: whatever this program is, it may print without end.
        let _ = io::Read::read_to_string(&mut io::Read::take(stdout, 4096), &mut printed);
    }
    printed
        .split_whitespace()
        .find_map(Version::parse)
        .ok_or_else(|| "--version printed no version".to_owned())
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
