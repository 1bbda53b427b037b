//! The version of an agent's program, read without running it where that can be avoided: starting an interpreter for
//! `--version` costs half a second.
//!
//! Called by the adapters' own searches, which say what is wrong in their words.

use crate::{deadlines, program::ask};
use serde_json::Value;
use std::{ffi::OsStr, fmt, fs, path::Path};

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
pub(super) fn spoken_version(program: &Path, path: &OsStr) -> Result<Version, String> {
    ask(program, &["--version"], Some(path), deadlines::VERSION)?
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
