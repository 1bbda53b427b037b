//! What git says about a directory: where its repository comes from, its branch, its linked worktree.
//!
//! Asks git itself, within a limit of time and bytes: only git knows its own configuration, includes and worktrees. Called
//! on a thread of its own; never on one that others wait for.

use super::remote::Remote;
use crate::program::{FALLBACK_PATH, ask, on_path};
use std::{ffi::OsStr, path::Path, time::Duration};

/// How long git may take: it reads a few small files, and a dead network mount must not keep a thread for ever.
const LIMIT: Duration = Duration::from_secs(3);

/// What git says about a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkout {
    /// Where its repository comes from.
    pub remote: Option<Remote>,
    /// The branch that is checked out; `None` for none.
    pub branch: Option<String>,
    /// The name of its directory, if it is a linked worktree.
    pub worktree: Option<String>,
}

/// Asks git about a directory. One that is no checkout, or a machine without git, says nothing.
pub fn look(directory: &Path, path: Option<&OsStr>) -> Checkout {
    let path = path.unwrap_or(OsStr::new(FALLBACK_PATH));
    let (Some(git), Some(directory)) = (on_path("git", path), directory.to_str()) else {
        return Checkout::default();
    };
    let says = |arguments: &[&str]| {
        // No optional locks: a look must not get into the way of the agent's own git.
        let arguments = [&["--no-optional-locks", "-C", directory][..], arguments].concat();
        let line = ask(&git, &arguments, Some(path), LIMIT).ok()?;
        Some(line.trim().to_owned()).filter(|line| !line.is_empty())
    };
    let Some(places) =
        says(&["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--show-toplevel"])
    else {
        return Checkout::default();
    };
    let mut places = places.lines();
    let (own, common, top) = (places.next(), places.next(), places.next());
    let linked = own.is_some() && own != common;
    let name = top.and_then(|top| Path::new(top).file_name()?.to_str());
    Checkout {
        remote: says(&["config", "--get", "remote.origin.url"]).as_deref().and_then(Remote::parse),
        branch: says(&["symbolic-ref", "--quiet", "--short", "HEAD"]),
        worktree: name.filter(|_| linked).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn git(directory: &Path, arguments: &[&str]) {
        let done = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-C"])
            .arg(directory)
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    #[test]
    fn a12_git_tells_origin_branch_and_linked_worktree() {
        let base = tempfile::tempdir().unwrap();
        let path = std::env::var_os("PATH");
        let look = |directory: &Path| look(directory, path.as_deref());
        assert_eq!(look(base.path()), Checkout::default(), "no checkout");
        let main = base.path().join("main");
        std::fs::create_dir(&main).unwrap();
        git(&main, &["init", "--quiet", "--initial-branch=trunk"]);
        git(&main, &["commit", "--quiet", "--allow-empty", "-m", "one"]);
        assert_eq!(look(&main).branch.as_deref(), Some("trunk"));
        assert_eq!(look(&main).remote, None);
        git(&main, &["remote", "add", "origin", "git@github.com:o/r.git"]);
        git(&main, &["worktree", "add", "--quiet", "-b", "issue-7-x", "../issue-7-tree"]);
        let tree = look(&base.path().join("issue-7-tree"));
        assert_eq!(tree.remote.map(|remote| remote.path).as_deref(), Some("o/r"));
        assert_eq!(tree.branch.as_deref(), Some("issue-7-x"));
        assert_eq!(tree.worktree.as_deref(), Some("issue-7-tree"));
        assert_eq!(look(&main).worktree, None);
    }
}
