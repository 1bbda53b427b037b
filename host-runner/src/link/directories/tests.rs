//! Real directories, and file systems that do not answer.

use super::*;
use std::os::unix::fs::symlink;

fn names(parts: &[QueryPart]) -> Vec<&str> {
    parts
        .iter()
        .filter_map(|part| match part {
            QueryPart::Directory { name } => Some(name.as_str()),
            _ => None,
        })
        .collect()
}

fn said(parts: &[QueryPart]) -> &str {
    match parts {
        [QueryPart::Problem { text }] => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_typed_is_seen_from_home_and_from_here() {
    let (here, home) = (Path::new("/srv/web"), Path::new("/home/me"));
    let table = [
        ("", "/srv/web", ""),
        ("ap", "/srv/web", "ap"),
        ("api/v", "/srv/web/api", "v"),
        ("/", "/", ""),
        ("/e", "/", "e"),
        ("/etc/", "/etc", ""),
        ("~", "/home/me", ""),
        ("~/", "/home/me", ""),
        ("~/wo", "/home/me", "wo"),
        ("~/work/.g", "/home/me/work", ".g"),
        ("~other/x", "/srv/web/~other", "x"),
        ("../x", "/srv/web/..", "x"),
    ];
    for (typed, base, leaf) in table {
        let expected = Wanted { base: base.into(), leaf: leaf.into() };
        assert_eq!(wanted(typed, here, Some(home)), expected, "{typed:?}");
    }
    let paths =
        [("", "/srv/web"), ("~", "/home/me"), ("~/a/", "/home/me/a"), ("/", "/"), ("b", "/srv/web/b")];
    for (typed, path) in paths {
        assert_eq!(resolved(typed, here, Some(home)), path, "{typed:?}");
    }
    assert_eq!(resolved("~/a", here, None), "/srv/web/~/a", "nobody knows a home");
}

// Reference I.6: Tab completes directories only, in order, hidden ones for whoever types the dot.
#[test]
fn i6_directories_alone_are_listed_sorted_and_hidden_ones_on_demand() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    for name in ["web", "api", "assets", ".git", "漢字"] {
        fs::create_dir(here.join(name)).unwrap();
    }
    fs::write(here.join("afile"), "").unwrap();
    symlink(here.join("web"), here.join("alias")).unwrap();
    symlink(here.join("afile"), here.join("afile-link")).unwrap();
    symlink(here.join("nowhere"), here.join("astray")).unwrap();
    fs::create_dir(here.join("a\u{1b}[2J")).unwrap();
    let directories = Directories::new(Some(here.to_owned()), here.to_owned());
    assert_eq!(names(&directories.complete("")), ["alias", "api", "assets", "web", "漢字"]);
    assert_eq!(names(&directories.complete("~/a")), ["alias", "api", "assets"]);
    assert_eq!(names(&directories.complete("as")), ["assets"]);
    assert_eq!(names(&directories.complete(".")), [".git"]);
    assert_eq!(directories.complete("zz"), []);
    assert!(said(&directories.complete("gone/")).starts_with("There is no directory "));
    assert!(said(&directories.complete("afile/")).ends_with(" is not a directory"));
    assert!(said(&directories.complete(&"x".repeat(5_000))).contains("too long"));
}

#[test]
fn a_long_list_is_cut_and_says_how_much_is_missing() {
    fn many(_: &Wanted, tell: &mut dyn FnMut(Found) -> bool) {
        for number in (0..MAX_DIRECTORIES + 7).rev() {
            tell(Found::Directory(format!("d{number:04}")));
        }
    }
    let mut directories = Directories::new(None, "/".into());
    directories.reader = many;
    let parts = directories.complete("d");
    assert_eq!(names(&parts).len(), MAX_DIRECTORIES);
    assert_eq!(names(&parts)[0], "d0000");
    assert_eq!(parts.last(), Some(&QueryPart::Cut { left_out: 7 }));
}

/// A directory whose file system is dead: what reads it never comes back. One beside it lives.
fn dead(wanted: &Wanted, tell: &mut dyn FnMut(Found) -> bool) {
    if wanted.base == Path::new("/alive") {
        tell(Found::Directory("one".into()));
        return;
    }
    if wanted.base == Path::new("/half") {
        tell(Found::Directory("local".into()));
    }
    loop {
        thread::park();
    }
}

// A look at a dead network mount must neither hang the link nor leave more and more threads behind.
#[test]
fn a_file_system_that_does_not_answer_costs_its_own_answer_and_a_bounded_number_of_threads() {
    let mut directories = Directories::new(None, "/".into());
    directories.reader = dead;
    directories.limit = Duration::from_millis(50);
    assert_eq!(said(&directories.complete("/dead/x")), "/dead does not answer (a dead network mount?)");
    assert_eq!(names(&directories.complete("/alive/")), ["one"]);
    let half = directories.complete("/half/");
    assert_eq!(names(&half), ["local"], "what was found before it hung is told");
    assert_eq!(half.last(), Some(&QueryPart::Cut { left_out: 1 }));
    for _ in 0..2 {
        said(&directories.complete("/dead/"));
    }
    let before = Instant::now();
    directories.limit = Duration::from_secs(600);
    assert!(said(&directories.complete("/dead/")).contains("looked at before"));
    assert!(before.elapsed() < Duration::from_secs(60), "refused at once, not after the limit");
}
