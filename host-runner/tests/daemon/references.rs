//! Code references under a real daemon with a real git: a session in a branch that names an issue shows it (reference A.12).

use crate::support::Board;
use std::{fs, path::Path, process::Command};

fn git(directory: &Path, arguments: &[&str]) {
    let done = Command::new("git").arg("-C").arg(directory).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// What `refs --json` says.
fn found(board: &Board, session: &str) -> serde_json::Value {
    serde_json::from_str(&board.ok(&["refs", "--json", session])).unwrap()
}

#[test]
fn a12_a_session_in_the_branch_of_an_issue_shows_it() {
    let board = Board::new();
    let repository = board.path().join("shop");
    fs::create_dir(&repository).unwrap();
    git(&repository, &["init", "--quiet", "--initial-branch=issue-12-basket"]);
    git(&repository, &["remote", "add", "origin", "git@github.com:o/shop.git"]);
    let session = board.start(&["--cwd", repository.to_str().unwrap(), "cat"]);
    board.until("a reference", || found(&board, session.as_str())["found"][0].is_object());
    let said = found(&board, session.as_str());
    assert_eq!(said["provider"], "github", "{said:#}");
    assert_eq!(said["found"][0]["reference"]["label"], "#12", "{said:#}");
    assert_eq!(said["found"][0]["reference"]["url"], "https://github.com/o/shop/issues/12", "{said:#}");
    assert_eq!(said["found"][0]["source"], "branch", "{said:#}");
    let text = board.ok(&["refs", session.as_str()]);
    assert!(text.starts_with("#12 ") && text.contains("in a branch"), "{text}");
    let row: serde_json::Value = serde_json::from_str(&board.ok(&["ls", "--json"])).unwrap();
    assert_eq!(row[0]["references"][0]["label"], "#12", "{row:#}");
}
