//! Finds the pi that a session would run and reads its version, without running it: `pi --version` costs half a second
//! of Node's start.

use super::super::program::{packaged_version, spoken_version};
use crate::program::{is_executable, on_path};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

pub use super::super::program::Version;

/// The oldest pi whose extension events say what the board needs.
pub const OLDEST: Version = Version { major: 0, minor: 73, patch: 0 };
/// The oldest pi of the second generation.
const SECOND_GENERATION: Version = Version { major: 1, minor: 0, patch: 0 };
/// How to get a pi.
pub const HOW_TO_GET: &str = "npm install -g @earendil-works/pi-coding-agent (it needs Node 22.19 or later; check with node --version)";
/// Which events a pi has of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// No `agent_settled`, no `ui_prompt_start`; the extension works both out.
    First,
    /// Both.
    Second,
}

/// A pi that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pi {
    /// The executable, as the `PATH` names it.
    pub program: PathBuf,
    /// Its version.
    pub version: Version,
}

impl Pi {
    /// Which events it has.
    pub fn generation(&self) -> Generation {
        if self.version < SECOND_GENERATION { Generation::First } else { Generation::Second }
    }
}

/// Why no pi can be used. Every text says which version is needed and how to get it.
#[derive(Debug, thiserror::Error)]
pub enum PiProblem {
    /// No directory of the `PATH` has one.
    #[error(
        "pi is not installed: no directory of PATH has it. Version {OLDEST} or later is needed: {HOW_TO_GET}"
    )]
    Missing,
    /// The configuration names one that cannot be run.
    #[error(
        "the setting pi_command names {}, and that is no program. Version {OLDEST} or later is needed: {HOW_TO_GET}",
        .program.display()
    )]
    NotThere {
        /// What it names.
        program: PathBuf,
    },
    /// It is too old.
    #[error("{} is pi {found}, which is too old. Version {OLDEST} or later is needed: {HOW_TO_GET}", .program.display())]
    TooOld {
        /// The executable.
        program: PathBuf,
        /// Its version.
        found: Version,
    },
    /// It does not say what it is.
    #[error(
        "{} does not say its version ({why}). Is it the coding agent pi? Version {OLDEST} or later is needed: {HOW_TO_GET}",
        .program.display()
    )]
    Unreadable {
        /// The executable.
        program: PathBuf,
        /// What was tried.
        why: String,
    },
}

/// Finds pi in a `PATH`, that of the session's own environment, and reads its version.
///
/// # Errors
/// [`PiProblem`].
pub fn find(path: &OsStr) -> Result<Pi, PiProblem> {
    let program = on_path("pi", path).ok_or(PiProblem::Missing)?;
    checked(program, path)
}

/// Takes the pi that a person named, and reads its version; `path` is for the programs that it needs itself.
///
/// # Errors
/// [`PiProblem`].
pub fn at(program: &Path, path: &OsStr) -> Result<Pi, PiProblem> {
    if !is_executable(program) {
        return Err(PiProblem::NotThere { program: program.to_owned() });
    }
    checked(program.to_owned(), path)
}

fn checked(program: PathBuf, path: &OsStr) -> Result<Pi, PiProblem> {
    let version = match packaged_version(&program, |name| name.ends_with("/pi-coding-agent")) {
        Some(version) => version,
        None => spoken_version(&program, path)
            .map_err(|why| PiProblem::Unreadable { program: program.clone(), why })?,
    };
    if version < OLDEST {
        return Err(PiProblem::TooOld { program, found: version });
    }
    Ok(Pi { program, version })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, process::Command};

    fn executable(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Written by another process: a child that another test forks meanwhile would hold a file that this process
        // writes open, and then it could not be run (ETXTBSY).
        let write = r#"printf %s "$1" > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#;
        assert!(Command::new("sh").arg("-c").arg(write).arg(path).arg(text).status().unwrap().success());
    }

    fn package(directory: &Path, version: &str) {
        executable(&directory.join("pkg/dist/cli.js"), "#!/bin/sh\nexit 1\n");
        let package = format!(r#"{{"name": "@somebody/pi-coding-agent", "version": "{version}"}}"#);
        fs::write(directory.join("pkg/package.json"), package).unwrap();
        fs::create_dir_all(directory.join("bin")).unwrap();
        std::os::unix::fs::symlink("../pkg/dist/cli.js", directory.join("bin/pi")).unwrap();
    }

    #[test]
    fn a_packaged_pi_is_read_without_running_it() {
        let directory = tempfile::tempdir().unwrap();
        package(directory.path(), "1.6.0");
        let path = std::env::join_paths([Path::new("/nonexistent"), &directory.path().join("bin")]).unwrap();
        let pi = find(&path).unwrap();
        assert_eq!((pi.version.to_string().as_str(), pi.generation()), ("1.6.0", Generation::Second));
    }

    #[test]
    fn a_missing_or_too_old_pi_says_what_is_needed_and_how_to_get_it() {
        let directory = tempfile::tempdir().unwrap();
        let missing = find(directory.path().as_os_str()).unwrap_err();
        package(directory.path(), "0.50.3");
        let old = find(directory.path().join("bin").as_os_str()).unwrap_err();
        assert!(matches!(missing, PiProblem::Missing) && matches!(old, PiProblem::TooOld { .. }));
        assert!(old.to_string().contains("0.50.3"));
        for text in [missing.to_string(), old.to_string()] {
            assert!(text.contains("0.73.0 or later") && text.contains("npm install"), "{text}");
        }
    }

    #[test]
    fn a_pi_without_a_package_is_asked_and_another_program_is_not_taken_for_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = format!("{}:/usr/bin:/bin", directory.path().display());
        executable(&directory.path().join("pi"), "#!/bin/sh\necho pi 0.80.2\n");
        assert_eq!(find(OsStr::new(&path)).unwrap().version.to_string(), "0.80.2");
        executable(&directory.path().join("pi"), "#!/bin/sh\necho 3.14159\n");
        let refused = find(OsStr::new(&path)).unwrap_err();
        assert!(matches!(refused, PiProblem::Unreadable { .. }), "{refused}");
    }
}
