//! The rules of the source tree that a machine can check, each as a test that names every place that breaks it.
//!
//! Reads the files that are tracked, or would be. The checks are plain functions of text, tried on bad samples first, so
//! that none of them passes because it looks at nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the source tree has to fail")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What the top level may hold beside lock and dot files.
const TOP_LEVEL: [&str; 11] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "Cargo.toml",
    "LICENSE",
    "Makefile",
    "README.md",
    "docs",
    "host-runner",
    "layouts",
    "plugin",
    "tests",
];
/// A longer file is more than one idea.
const MAX_LINES: usize = 500;
/// Rooms that take values and return values: files, or directories with everything below.
const PURE: [&str; 55] = [
    "host-runner/protocol/src/",
    "host-runner/src/model/",
    "host-runner/src/agents/event.rs",
    "host-runner/src/agents/generic.rs",
    "host-runner/src/coordinator/decide",
    "host-runner/src/coordinator/guard",
    "host-runner/src/coordinator/headless.rs",
    "host-runner/src/coordinator/labels.rs",
    "host-runner/src/coordinator/listen",
    "host-runner/src/coordinator/mirror",
    "host-runner/src/coordinator/reconcile",
    "host-runner/src/coordinator/report",
    "host-runner/src/coordinator/runs",
    "host-runner/src/coordinator/validate",
    "host-runner/src/coordinator/verdicts",
    "host-runner/src/daemon/board",
    "host-runner/src/host/outbox.rs",
    "host-runner/src/host/size.rs",
    "host-runner/src/host/stop.rs",
    "host-runner/src/run/latch.rs",
    "host-runner/src/run/lines.rs",
    "host-runner/src/run/notes.rs",
    "host-runner/src/run/story",
    "host-runner/src/terminal/",
    "host-runner/src/attach/machine",
    "host-runner/src/attach/keys",
    "host-runner/src/attach/ime",
    "host-runner/src/attach/boundary.rs",
    "host-runner/src/attach/sync.rs",
    "host-runner/src/attach/compose",
    "host-runner/src/link/address.rs",
    "host-runner/src/link/asks.rs",
    "host-runner/src/link/machine",
    "host-runner/src/link/mirror.rs",
    "plugin/board/src/",
    "host-runner/src/agents/claude/condense.rs",
    "host-runner/src/agents/claude/events.rs",
    "host-runner/src/agents/pi/events.rs",
    "host-runner/src/agents/usage.rs",
    "host-runner/src/attach/chord.rs",
    "host-runner/src/attach/gate.rs",
    "host-runner/src/attach/grace.rs",
    "host-runner/src/attach/jiggle",
    "host-runner/src/attach/look",
    "host-runner/src/attach/typing.rs",
    "host-runner/src/coordinator/deliver",
    "host-runner/src/coordinator/explain.rs",
    "host-runner/src/coordinator/flood.rs",
    "host-runner/src/coordinator/replies.rs",
    "host-runner/src/coordinator/stall.rs",
    "host-runner/src/host/complaints.rs",
    "host-runner/src/host/reports.rs",
    "host-runner/src/host/waits",
    "host-runner/src/host/writing",
    "host-runner/src/link/queries",
];
/// What such a room may not say.
const IMPURE: [&str; 16] = [
    "Instant::now",
    "SystemTime",
    "std::fs",
    "fs::",
    "File::",
    "std::thread",
    "thread::",
    "std::env",
    "env::var",
    "std::net",
    "std::process::Command",
    "new_v4",
    "tracing::",
    "println!",
    "eprintln!",
    "rand::",
];
/// Where the end-to-end harness waits for a condition: it has to look again after a while, and nobody else has to.
const MAY_SLEEP: [&str; 1] = ["tests/src/wait.rs"];
/// Where "hold" is the right word: the attach controller that shrinks and holds, and the two CLI verbs.
const MAY_HOLD: [&str; 3] =
    ["host-runner/src/attach/", "host-runner/src/cli/hold.rs", "host-runner/src/cli/unhold.rs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every file that belongs to the project, by its path from the top, with its text where it has one.
fn files() -> BTreeMap<String, String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    let names: Vec<String> = match listed {
        Ok(output) if output.status.success() => String::from_utf8(output.stdout)
            .unwrap()
            .split('\0')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        // Without git, as in an unpacked archive: everything but what cargo makes.
        _ => walk(&root(), ""),
    };
    let files: BTreeMap<_, _> = names
        .into_iter()
        .filter(|name| root().join(name).is_file())
        .map(|name| {
            let text = fs::read(root().join(&name)).unwrap();
            (name, String::from_utf8(text).unwrap_or_default())
        })
        .collect();
    assert!(files.contains_key("host-runner/tests/tidy.rs"), "the list of files is not this project's");
    files
}

fn walk(directory: &Path, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if name == "target" || name == ".git" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            names.extend(walk(&entry.path(), &format!("{name}/")));
        } else {
            names.push(name);
        }
    }
    names
}

fn sources() -> BTreeMap<String, String> {
    let sources: BTreeMap<_, _> =
        files().into_iter().filter(|(name, _)| name.ends_with(".rs") && !name.ends_with("tidy.rs")).collect();
    assert!(sources.len() > 30, "where is the source?");
    sources
}

fn complain(rule: &str, broken: Vec<String>) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

/// The lines of a text for which `is_bad` holds, as `file:line: text`.
fn bad_lines(name: &str, text: &str, is_bad: impl Fn(&str) -> bool) -> Vec<String> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| is_bad(line))
        .map(|(index, line)| format!("{name}:{}: {}", index + 1, line.trim()))
        .collect()
}

/// Rust source with comments and the insides of literals blanked; lines stay where they are.
fn code_only(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let length = literal_or_comment(rest, out.chars().next_back());
        if length == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            out.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        }
    }
    out
}

/// How many bytes at the start of `rest` are a comment or a literal.
fn literal_or_comment(rest: &str, before: Option<char>) -> usize {
    let until =
        |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until("*/", 2);
    }
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let raw = rest.strip_prefix('b').unwrap_or(rest);
    if let Some(raw) = raw.strip_prefix('r').filter(|_| !in_word) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let start = rest.len() - raw.len() + hashes + 1;
            return until(&format!("\"{}", "#".repeat(hashes)), start);
        }
    }
    if rest.starts_with('"') {
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return at + 1,
                _ => {}
            }
        }
        return rest.len();
    }
    // A character, not a lifetime.
    if let Some(inside) = rest.strip_prefix('\'') {
        if inside.starts_with('\\') {
            return until("'", 3);
        }
        let c = inside.chars().next().map_or(0, char::len_utf8);
        if inside[c..].starts_with('\'') {
            return c + 2;
        }
    }
    0
}

/// The part of a file that is not for tests only. By custom the tests stand at its end.
fn without_tests(name: &str, source: &str) -> String {
    if is_for_tests(name) {
        return String::new();
    }
    source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
}

fn is_for_tests(name: &str) -> bool {
    name.contains("/tests/") || name.starts_with("tests/") || name.ends_with("/tests.rs")
}

fn says_hold(line: &str) -> bool {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| {
        let mut parts = vec![String::new()];
        for c in word.chars() {
            if c == '_' || c.is_uppercase() {
                parts.push(String::new());
            }
            if c != '_' {
                parts.last_mut().unwrap().extend(c.to_lowercase());
            }
        }
        parts.iter().any(|part| part == "hold") || word.eq_ignore_ascii_case("hold")
    })
}

/// A path of one machine, or the host of a package registry.
fn names_a_machine(line: &str) -> bool {
    /// Samples need a home directory; these are nobody's.
    const NOBODY: [&str; 3] = ["/home/me", "/home/user", "/home/you"];
    const PATHS: [&str; 5] = ["/root/.", "/work/", "/Users/", "/home/", "/tmp/lt"];
    const HOSTS: [&str; 6] = [
        "index.crates.io",
        "static.crates.io",
        "registry.npmjs.org",
        "pypi.org",
        "proxy.golang.org",
        "://10.",
    ];
    PATHS.iter().any(|path| {
        line.match_indices(path).any(|(at, _)| {
            // Inside a longer path it is no absolute one, and `/home/…` alone names nobody.
            let before = line[..at].chars().next_back();
            let rest = &line[at..];
            let nobody = NOBODY.iter().any(|home| {
                rest.strip_prefix(home).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
            });
            let after = line[at + path.len()..].chars().next();
            !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '}' | '~'))
                && after.is_some_and(|c| c.is_alphanumeric())
                && !nobody
        })
    }) || HOSTS.iter().any(|host| line.contains(host))
}

#[test]
fn the_checks_see_what_they_look_for() {
    let code = code_only("a // x\n\"b // \\\" c\" d r#\"e \" f\"# 'g' '\\'' 'h: /* i\n */ j b\"k\" l\n");
    for gone in ["x", "b //", "c", "e", "f", "'g'", "i"] {
        assert!(!code.contains(gone), "{gone}: {code}");
    }
    for kept in ["a ", " d ", "'h:", " j ", " l\n"] {
        assert!(code.contains(kept), "{kept}: {code}");
    }
    assert_eq!(code.lines().count(), 3);
    for bad in ["let hold = 1;", "fn mark_hold()", "OnHold", "is_hold_on", "HOLD"] {
        assert!(says_hold(bad), "{bad}");
    }
    for good in ["holding", "MarkHolding", "holds", "threshold", "household_x", "HOLDING"] {
        assert!(!says_hold(good), "{good}");
    }
    for bad in ["cd /home/ann/x", "/home/meg", "\"/work/tree\"", "see https://index.crates.io/x"] {
        assert!(names_a_machine(bad), "{bad}");
    }
    for good in [
        "~/.cargo",
        "$HOME/work/x",
        "/tmp/agent-board-",
        "/home/…",
        "\"/home/me\"",
        "/home/user/x",
        "crates.io",
    ] {
        assert!(!names_a_machine(good), "{good}");
    }
    let source = "fn a() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
    assert_eq!(without_tests("x/a.rs", source), "fn a() {}\n");
}

#[test]
fn the_top_level_holds_what_the_architecture_lists() {
    let entries = files().into_keys().map(|name| name.split('/').next().unwrap().to_owned());
    let is_foreign = |name: &String| {
        !TOP_LEVEL.contains(&name.as_str()) && !name.starts_with('.') && !name.ends_with(".lock")
    };
    let mut broken: Vec<String> = entries.filter(is_foreign).collect();
    broken.dedup();
    complain("the top level may not hold this", broken);
}

#[test]
fn a_file_is_one_idea_and_says_which() {
    let mut broken = Vec::new();
    // This file, too, which the other rules leave out for its bad samples.
    let files = files().into_iter().filter(|(name, _)| name.ends_with(".rs"));
    for (name, text) in files {
        if !text.starts_with("//! ") {
            broken.push(format!("{name}: does not open with `//! ` and what it is about"));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            broken.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
        }
    }
    complain("split or describe", broken);
}

#[test]
fn pure_rooms_have_no_clock_no_files_no_threads_and_no_chance() {
    let mut broken = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, text) in sources() {
        if let Some(room) = PURE.iter().find(|room| name.starts_with(**room)) {
            seen.insert(room);
            let code = code_only(&without_tests(&name, &text));
            broken.extend(bad_lines(&name, &code, |line| IMPURE.iter().any(|word| has_path(line, word))));
        }
    }
    let gone: Vec<_> = PURE.iter().filter(|room| !seen.contains(room)).collect();
    assert!(gone.is_empty(), "the list of pure rooms is out of date: {gone:?}");
    complain("time, ids and text come in as arguments", broken);
}

/// Whether a line uses a path that starts with `word` and not only ends like it (`Buffs::new` is no `fs::`).
fn has_path(line: &str, word: &str) -> bool {
    line.match_indices(word)
        .any(|(at, _)| !line[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_'))
}

/// Where the store is opened for writing: by whoever has the lock.
const OPENS_THE_STORE: [&str; 3] =
    ["host-runner/src/store/", "host-runner/src/daemon/run.rs", "host-runner/src/daemon/inline.rs"];
/// What changes the store, and nothing else is called so.
const WRITES_THE_STORE: [&str; 5] =
    [".store.commit(", "store.prune(", "store.rebuild(", "store.claim(", "forget_old_outcomes("];

/// What a line of a room outside of the store says of the database, if it may not.
fn reaches_for_the_store(name: &str, line: &str) -> bool {
    let inside = |rooms: &[&str]| rooms.iter().any(|room| name.starts_with(room));
    let database = has_path(line, "rusqlite") || line.contains("Connection::open");
    let writes = WRITES_THE_STORE.iter().any(|word| line.contains(word));
    (database && !inside(&["host-runner/src/store/"]))
        || (line.contains("Store::open(") && !inside(&OPENS_THE_STORE))
        || (writes && !inside(&["host-runner/src/store/", "host-runner/src/coordinator/"]))
}

#[test]
fn i1_a19_i5_a7_only_the_store_has_the_database_and_only_the_coordinator_writes_it() {
    for (name, bad) in [
        ("host-runner/src/cli/ls.rs", "let c = rusqlite::Connection::open(path)?;"),
        ("host-runner/src/doctor/store.rs", "Store::open(&path, \"now\")"),
        ("host-runner/src/daemon/run.rs", "coordinator.store.commit(&batch, &sessions)"),
    ] {
        assert!(reaches_for_the_store(name, bad), "{bad}");
    }
    assert!(!reaches_for_the_store("host-runner/src/daemon/run.rs", "let opened = Store::open(&path, now)"));
    assert!(!reaches_for_the_store("host-runner/src/doctor/store.rs", "match Store::inspect(&path) {"));
    let mut broken = Vec::new();
    for (name, text) in sources().into_iter().filter(|(name, _)| name.contains("/src/")) {
        // A room's own tests may break what they please; a directory of tests is no room.
        let code = code_only(&without_tests(&name, &text));
        let named = |line: &str| !line.trim_start().starts_with("mod ");
        if !name.contains("/stage.rs") {
            broken.extend(bad_lines(&name, &code, |line| named(line) && reaches_for_the_store(&name, line)));
        }
    }
    complain("only the store opens the database, only the coordinator writes through it", broken);
}

#[test]
fn tests_wait_for_conditions_and_never_for_a_time() {
    let mut broken = Vec::new();
    for (name, text) in sources() {
        let live = without_tests(&name, &text);
        let tests = code_only(text.get(live.len()..).unwrap_or_default());
        if !MAY_SLEEP.contains(&name.as_str()) {
            broken.extend(bad_lines(&name, &tests, |line| line.contains("sleep(")));
        }
    }
    complain("wait for a named condition with a deadline", broken);
}

#[test]
fn no_identifier_is_a_bare_hold() {
    let mut broken = Vec::new();
    for (name, text) in sources() {
        if !MAY_HOLD.iter().any(|place| name.starts_with(place)) {
            broken.extend(bad_lines(&name, &code_only(&text), says_hold));
        }
    }
    complain("say `holding`", broken);
}

#[test]
fn no_file_names_a_machine_or_a_registry() {
    let mut broken = Vec::new();
    for (name, text) in files() {
        if name == "Cargo.lock" {
            let foreign = |line: &str| {
                line.starts_with("source = ")
                    && line != "source = \"registry+https://github.com/rust-lang/crates.io-index\""
            };
            broken.extend(bad_lines(&name, &text, foreign));
        } else if !name.ends_with("tidy.rs") {
            broken.extend(bad_lines(&name, &text, names_a_machine));
        }
    }
    complain("another machine has other paths", broken);
}

#[test]
fn lints_are_expected_with_a_reason_and_never_allowed() {
    let mut broken = Vec::new();
    for (name, text) in sources() {
        let code = code_only(&text);
        broken.extend(bad_lines(&name, &code, |line| line.contains("[allow(")));
        let bare = |line: &str| line.contains("[expect(") && line.contains(")]") && !line.contains("reason");
        broken.extend(bad_lines(&name, &code, bare));
    }
    complain("use #[expect(lint, reason = \"…\")]", broken);
}

#[test]
fn unsafe_code_is_in_one_file_of_a_crate_and_says_why_it_is_sound() {
    let crates =
        ["host-runner/protocol/", "host-runner/src/", "host-runner/", "plugin/board/", "plugin/", "tests/"];
    let mut of_crate: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut broken = Vec::new();
    for (name, text) in sources() {
        let code = code_only(&text);
        let blocks = code.lines().filter(|line| has_path(line, "unsafe ")).count();
        if blocks > 0 {
            let owner = crates.iter().find(|prefix| name.starts_with(**prefix)).copied().unwrap_or("");
            of_crate.entry(owner).or_default().push(name.clone());
            if text.matches("SAFETY:").count() < blocks {
                broken.push(format!("{name}: {blocks} times unsafe, fewer times SAFETY:"));
            }
        }
    }
    broken.extend(of_crate.into_values().filter(|files| files.len() > 1).map(|files| files.join(", ")));
    complain("one file with unsafe code in a crate", broken);
}
