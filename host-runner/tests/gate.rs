//! The gate: every step that a change has to pass stands in the Makefile, and none is lost unseen.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the source tree has to fail")]

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The recipe of a target of the Makefile with the targets that it needs.
fn recipe<'a>(makefile: &'a str, target: &str) -> &'a str {
    let start = makefile.find(&format!("\n{target}:")).map_or(makefile.len(), |at| at + 1);
    let text = &makefile[start..];
    &text[..text.find("\n\n").unwrap_or(text.len())]
}

#[test]
fn i1_a20_the_gate_has_every_step() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    assert_eq!(recipe("x\n\na: b\n\tdo\n\nc:\n", "a"), "a: b\n\tdo");
    let coverage = fs::read_to_string(root().join(".ci/coverage")).unwrap();
    let steps: [(&str, &str, &[&str]); 4] = [
        ("ci", recipe(&makefile, "ci"), &["setup", "check", "test"]),
        ("test", recipe(&makefile, "test"), &["setup build", "test --locked --no-fail-fast", "E2E_ZELLIJ"]),
        (
            "check",
            recipe(&makefile, "check"),
            &[
                "fmt --all --check",
                "clippy --locked --all-targets -- -D warnings",
                "wasm32-wasip1 clippy",
                "wasm32-unknown-unknown build",
                "RUSTDOCFLAGS='-D warnings",
                "doc --locked --no-deps",
                "package --locked",
                "deny --offline check licenses bans sources",
            ],
        ),
        (
            ".ci/coverage",
            &coverage,
            &["limit=85", "-C instrument-coverage", "host-runner/tests/tidy.rs", "exit 1"],
        ),
    ];
    let missing = steps.into_iter().flat_map(|(place, text, words)| {
        words.iter().filter(move |word| !text.contains(**word)).map(move |word| format!("{place}: {word}"))
    });
    let missing: Vec<String> = missing.collect();
    assert!(missing.is_empty(), "the gate has lost a step:\n  {}", missing.join("\n  "));
    assert!(recipe(&makefile, "coverage").contains(".ci/coverage"));
}
