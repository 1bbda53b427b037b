//! Whether a directory lies in a linked git worktree, read off its `.git` file without running git.
//!
//! Called once when a session starts, on the thread that looks at its directory anyway, never on the coordinator's.
//! It follows no link out of the `.git` file: the name in it is all that the board shows.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

/// Most directories above that are looked at: Linux takes paths of 4,096 bytes, and nobody works deeper than this.
const MAX_LEVELS: usize = 64;
/// Most bytes of a `.git` file: one path.
const MAX_BYTES: u64 = 4_096;

/// The name of the linked worktree that a directory is in. `None`: it is in the main one, in a submodule, in none at all,
/// or what is there cannot be read.
///
/// gitrepository-layout(5): a linked worktree has a file `.git` that says `gitdir: …/worktrees/NAME`.
pub(crate) fn linked(directory: &Path) -> Option<String> {
    let found = directory.ancestors().take(MAX_LEVELS).map(|above| above.join(".git"));
    let git = found.into_iter().find(|git| git.symlink_metadata().is_ok())?;
    // Opening a pipe would wait for somebody to write into it.
    if !fs::metadata(&git).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    File::open(&git).ok()?.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    let target = Path::new(text.lines().next()?.strip_prefix("gitdir:")?.trim());
    let linked = target.parent()?.file_name()? == "worktrees";
    target.file_name()?.to_str().filter(|_| linked).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f5_a_linked_worktree_is_told_from_everything_else() {
        let base = tempfile::tempdir().unwrap();
        let table: [(&str, Option<&str>, Option<&str>); 7] = [
            ("linked", Some("gitdir: /srv/repo/.git/worktrees/issue-7\n"), Some("issue-7")),
            ("relative", Some("gitdir: ../repo/.git/worktrees/issue-8"), Some("issue-8")),
            ("bare", Some("gitdir: /srv/repo.git/worktrees/x\n"), Some("x")),
            ("submodule", Some("gitdir: ../.git/modules/lib\n"), None),
            ("separate", Some("gitdir: /srv/elsewhere.git\n"), None),
            ("nonsense", Some("\u{0}worktrees"), None),
            ("none", None, None),
        ];
        for (name, content, expected) in table {
            let directory = base.path().join(name);
            fs::create_dir_all(directory.join("src/deep")).unwrap();
            if let Some(content) = content {
                fs::write(directory.join(".git"), content).unwrap();
            }
            for inside in ["", "src", "src/deep"] {
                assert_eq!(linked(&directory.join(inside)).as_deref(), expected, "{name}/{inside}");
            }
        }
        let main = base.path().join("linked/main");
        fs::create_dir_all(main.join(".git")).unwrap();
        assert_eq!(linked(&main), None, "the nearest one counts");
        let long = base.path().join("long");
        fs::create_dir(&long).unwrap();
        fs::write(long.join(".git"), format!("gitdir: /{}/worktrees/x", "d/".repeat(5_000))).unwrap();
        assert_eq!(linked(&long), None);
    }

    // What git itself writes.
    #[test]
    fn f5_a_worktree_that_git_made_is_one() {
        let base = tempfile::tempdir().unwrap();
        let main = base.path().join("main");
        fs::create_dir(&main).unwrap();
        let git = |arguments: &[&str]| {
            let names = ["-c", "user.name=a", "-c", "user.email=a@b", "-C"];
            let done =
                std::process::Command::new("git").args(names).arg(&main).args(arguments).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        git(&["init", "--quiet"]);
        git(&["commit", "--quiet", "--allow-empty", "-m", "one"]);
        git(&["worktree", "add", "--quiet", "-b", "side", "../side"]);
        assert_eq!(linked(&main), None);
        assert_eq!(linked(&base.path().join("side")).as_deref(), Some("side"));
    }
}
