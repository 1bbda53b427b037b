//! Tools and the words that the board shows for them.

use super::*;
use serde_json::json;

#[test]
fn every_tool_has_its_words() {
    let table = [
        ("edit", json!({"path": "/src/auth.rs"}), "Editing auth.rs"),
        ("Edit", json!({"file_path": "/a/b.ts", "path": "/no"}), "Editing b.ts"),
        ("write", json!({"filePath": "new.md"}), "Writing new.md"),
        ("read", json!({"file": "x/"}), "Reading x"),
        ("read", json!({}), "Reading files"),
        ("ls", json!({"path": "/"}), "Listing /"),
        ("ls", json!({"path": "."}), "Listing ."),
        ("find", json!({"pattern": "*.rs", "path": "/src"}), "Finding *.rs"),
        ("find", json!({"path": "/src/model"}), "Finding /src/model"),
        ("find", json!({}), "Finding files"),
        ("grep", json!({"pattern": "fn main", "path": "src"}), "Searching /fn main/"),
        ("bash", json!({"command": "cargo test -p x"}), "Running tests"),
        ("bash", json!({"command": "cd app && npm run build"}), "Building"),
        ("bash", json!({"command": "ruff check ."}), "Linting"),
        ("bash", json!({"command": "git -C /w --no-pager log -3"}), "git log"),
        ("bash", json!({"command": "gh pr view 3"}), "gh pr"),
        ("bash", json!({"command": "git"}), "git"),
        ("bash", json!({"command": "echo hello"}), "Running echo hello"),
        (
            "bash",
            json!({"command": "sleep 1000 # a comment of some length"}),
            "Running sleep 1000 # a comment of some…",
        ),
        ("bash", json!({"command": "  \n"}), "Running command"),
        ("bash", json!({}), "Running command"),
        ("shell", json!({"command": ["bash", "-lc", "pytest -q"]}), "Running tests"),
        ("local_shell", json!({"command": ["ls", "-l"]}), "Running ls -l"),
        ("web_fetch", json!({"url": "https://x"}), "Web_fetch"),
        ("deploy", json!({"path": "a/b.yaml"}), "Deploy b.yaml"),
        ("", json!(null), "Tool"),
    ];
    for (tool, arguments, words) in table {
        assert_eq!(tool_words(tool, &arguments), words, "{tool} {arguments}");
    }
}

#[test]
fn commands_have_their_kinds() {
    use CommandKind as K;
    let table = [
        (
            K::Test,
            "vitest|npx jest --watch=false|pytest -q|go test ./...|cargo +nightly test|npm test|yarn test",
        ),
        (
            K::Test,
            "RUST_BACKTRACE=1 cargo nextest run|timeout 60 cargo test|/usr/bin/pytest|python3 -m pytest x",
        ),
        (K::Build, "tsc -p .|webpack|vite build|make|make all|cargo build --release|go build ./cmd"),
        (K::Lint, "npm run lint|eslint src|biome check|ruff check|cargo clippy --all-targets"),
        (K::Git, "git status|gh issue list|cd x && git push"),
        (K::Install, "npm install|npm ci|pnpm install|yarn install|bun install"),
        (
            K::Other,
            "echo make|cat build.log|cd tests|grep -r test .|[ -f x ]|test -f x|vite|legit|ghost|makeup",
        ),
        (K::Other, "|   |;;|&&"),
    ];
    for (kind, commands) in table {
        for command in commands.split('|') {
            assert_eq!(command_kind(command), kind, "{command:?}");
        }
    }
    // The first command that is for anything names the line.
    assert_eq!(command_kind("echo start; cargo build && cargo test"), K::Build);
    assert_eq!(command_kind("cargo test 2>&1 | tail -5"), K::Test);
    assert_eq!(command_kind("for i in 1 2; do npm test; done"), K::Test);
}

#[test]
fn tools_that_change_files_are_known() {
    let table = [
        ("edit", Some(FileAction::Edited)),
        ("multi_edit", Some(FileAction::Edited)),
        ("apply_patch", Some(FileAction::Edited)),
        ("Write", Some(FileAction::Written)),
        ("create_file", Some(FileAction::Written)),
        ("delete", Some(FileAction::Deleted)),
        ("rm", Some(FileAction::Deleted)),
        ("remove_file", Some(FileAction::Deleted)),
        ("MultiEdit", Some(FileAction::Edited)),
        ("NotebookEdit", Some(FileAction::Edited)),
        ("file_change", Some(FileAction::Unknown)),
        ("read", None),
        ("bash", None),
    ];
    for (tool, change) in table {
        assert_eq!(file_change(tool), change, "{tool}");
    }
}

#[test]
fn the_shell_around_a_command_is_taken_away() {
    let table = [
        (json!("bash -lc 'cargo test -p x'"), "cargo test -p x"),
        (json!(r#"/bin/zsh -lc "git commit -m \"it's\" \$x""#), r#"git commit -m "it's" $x"#),
        (json!(r"bash -c 'echo '\''a'\'''"), "echo 'a'"),
        (json!("bash -lc ls"), "ls"),
        (json!("bash -c 'a' 'b'"), "bash -c 'a' 'b'"),
        (json!("bash script.sh"), "bash script.sh"),
        (json!("mash x y"), "mash x y"),
        (json!(["sh", "-c", "make all"]), "make all"),
        (json!(["make", "all"]), "make all"),
    ];
    for (command, line) in table {
        assert_eq!(command_of(&json!({"command": command})).as_deref(), Some(line), "{command}");
    }
    assert_eq!(command_of(&json!({"command": 3})), None);
}

// Field report C22: control bytes in what an agent says reached the terminal through the board.
#[test]
fn c22_words_are_plain_and_short() {
    let words = tool_words("bash", &json!({"command": "printf '\u{1b}[2J'; \u{202e}evil\u{7}"}));
    assert!(words.chars().all(board_protocol::text::is_plain), "{words:?}");
    let long = "\u{1f600}".repeat(500);
    for words in [tool_words("edit", &json!({"path": long})), tool_words(&long, &json!(null))] {
        assert!(words.chars().count() <= 50, "{words}");
    }
}

proptest::proptest! {
    #[test]
    fn nothing_that_a_model_writes_breaks_it(tool in ".{0,20}", key in "(command|path|pattern|cmd)", value in ".{0,80}") {
        let words = tool_words(&tool, &json!({ key: value }));
        proptest::prop_assert!(!words.is_empty() && words.chars().all(board_protocol::text::is_plain), "{words:?}");
    }
}
