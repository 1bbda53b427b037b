//! Finds the Claude Code that a session would run and reads its version, without running it where the way it was
//! installed says that.

use super::super::program::{packaged_version, spoken_version};
use crate::program::{is_executable, on_path};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

pub use super::super::program::Version;

/// The oldest Claude Code whose hooks are known to say what the board needs: the one that was measured.
pub const OLDEST: Version = Version { major: 2, minor: 1, patch: 197 };
/// How to get one.
pub const HOW_TO_GET: &str =
    "npm install -g @anthropic-ai/claude-code (or, where it is installed: claude update)";
/// Its npm package.
const PACKAGE: &str = "@anthropic-ai/claude-code";
/// The directory in which its own installer keeps one file for each version, named after it.
const NATIVE_DIRECTORY: &str = "versions";

/// A Claude Code that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claude {
    /// The executable, as the `PATH` names it.
    pub program: PathBuf,
    /// Its version.
    pub version: Version,
}

/// Why none can be used. Every text says which version is needed and how to get it.
#[derive(Debug, thiserror::Error)]
pub enum ClaudeProblem {
    /// No directory of the `PATH` has one.
    #[error(
        "Claude Code is not installed: no directory of PATH has claude. Version {OLDEST} or later is needed: {HOW_TO_GET}"
    )]
    Missing,
    /// The configuration names one that cannot be run.
    #[error(
        "the setting claude_command names {}, and that is no program. Version {OLDEST} or later is needed: {HOW_TO_GET}",
        .program.display()
    )]
    NotThere {
        /// What it names.
        program: PathBuf,
    },
    /// It is too old.
    #[error(
        "{} is Claude Code {found}, which is too old. Version {OLDEST} or later is needed: {HOW_TO_GET}",
        .program.display()
    )]
    TooOld {
        /// The executable.
        program: PathBuf,
        /// Its version.
        found: Version,
    },
    /// It does not say what it is.
    #[error(
        "{} does not say its version ({why}). Is it Claude Code? Version {OLDEST} or later is needed: {HOW_TO_GET}",
        .program.display()
    )]
    Unreadable {
        /// The executable.
        program: PathBuf,
        /// What was tried.
        why: String,
    },
}

/// Finds Claude Code in a `PATH`, that of the session's own environment, and reads its version.
///
/// # Errors
/// [`ClaudeProblem`].
pub fn find(path: &OsStr) -> Result<Claude, ClaudeProblem> {
    checked(on_path(super::NAME, path).ok_or(ClaudeProblem::Missing)?, path)
}

/// Takes the one that a person named, and reads its version; `path` is for the programs that it needs itself.
///
/// # Errors
/// [`ClaudeProblem`].
pub fn at(program: &Path, path: &OsStr) -> Result<Claude, ClaudeProblem> {
    if !is_executable(program) {
        return Err(ClaudeProblem::NotThere { program: program.to_owned() });
    }
    checked(program.to_owned(), path)
}

fn checked(program: PathBuf, path: &OsStr) -> Result<Claude, ClaudeProblem> {
    let known = packaged_version(&program, |name| name == PACKAGE).or_else(|| native_version(&program));
    let version = match known {
        Some(version) => version,
        None => spoken_version(&program, path)
            .map_err(|why| ClaudeProblem::Unreadable { program: program.clone(), why })?,
    };
    if version < OLDEST {
        return Err(ClaudeProblem::TooOld { program, found: version });
    }
    Ok(Claude { program, version })
}

/// The version in the name of the file that its own installer made.
fn native_version(program: &Path) -> Option<Version> {
    let file = fs::canonicalize(program).ok()?;
    if file.parent()?.file_name()? != NATIVE_DIRECTORY {
        return None;
    }
    Version::parse(file.file_name()?.to_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        process::Command,
        time::{Duration, Instant},
    };

    fn executable(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Written by another process: see the same helper of pi's tests.
        let write = r#"printf %s "$1" > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#;
        assert!(Command::new("sh").arg("-c").arg(write).arg(path).arg(text).status().unwrap().success());
    }

    #[test]
    fn each_way_of_installing_it_says_the_version_without_running_it() {
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path();
        let fails = "#!/bin/sh\nexit 1\n";
        executable(&here.join("npm/bin/claude.exe"), fails);
        fs::write(
            here.join("npm/package.json"),
            r#"{"name": "@anthropic-ai/claude-code", "version": "2.1.198"}"#,
        )
        .unwrap();
        executable(&here.join("share/claude/versions/2.2.0"), fails);
        for (name, target, version) in
            [("a", "../npm/bin/claude.exe", "2.1.198"), ("b", "../share/claude/versions/2.2.0", "2.2.0")]
        {
            fs::create_dir_all(here.join(name)).unwrap();
            std::os::unix::fs::symlink(target, here.join(name).join("claude")).unwrap();
            let found = find(here.join(name).as_os_str()).unwrap();
            assert_eq!(found.version.to_string(), version);
            assert_eq!(at(&found.program, OsStr::new("")).unwrap(), found);
        }
    }

    #[test]
    fn a_missing_old_or_strange_one_says_what_is_needed_and_how_to_get_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = format!("{}:/usr/bin:/bin", directory.path().display());
        let mut texts = vec![find(directory.path().as_os_str()).unwrap_err().to_string()];
        texts.push(at(&directory.path().join("nowhere"), OsStr::new("")).unwrap_err().to_string());
        for printed in ["1.0.3 (Claude Code)", "hello"] {
            executable(&directory.path().join("claude"), &format!("#!/bin/sh\necho '{printed}'\n"));
            texts.push(find(OsStr::new(&path)).unwrap_err().to_string());
        }
        assert!(
            texts[2].contains("1.0.3, which is too old") && texts[3].contains("no version"),
            "{texts:#?}"
        );
        for text in texts {
            assert!(text.contains("2.1.197 or later") && text.contains("npm install"), "{text}");
        }
        executable(&directory.path().join("claude"), "#!/bin/sh\necho '2.1.332 (Claude Code)'\n");
        assert_eq!(find(OsStr::new(&path)).unwrap().version.to_string(), "2.1.332");
    }

    // The search waited for whoever had the output open, and a program that printed more than a pipe takes was killed
    // for not answering.
    #[test]
    fn one_that_prints_a_lot_or_leaves_a_child_behind_says_its_version_all_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = format!("{}:/usr/bin:/bin", directory.path().display());
        let start = Instant::now();
        for script in ["sleep 20 &", "head -c 1048576 /dev/zero"] {
            let script = format!("#!/bin/sh\necho '2.1.332 (Claude Code)'\n{script}\n");
            executable(&directory.path().join("claude"), &script);
            assert_eq!(find(OsStr::new(&path)).unwrap().version.to_string(), "2.1.332", "{script}");
        }
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    }
}
