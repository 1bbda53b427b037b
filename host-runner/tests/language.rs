//! The language of what a command says, chosen by configuration and locale, in the binary that people run.

#![expect(clippy::unwrap_used, reason = "a test that cannot run the binary has to fail")]

use std::{fs, process::Command};

/// What the command says on standard error, with nothing but these variables in its environment.
fn complaint(variables: &[(&str, &str)]) -> String {
    // A file where the root should be: refused before anything else happens.
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("root");
    fs::write(&root, "").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_host-runner"))
        .arg("--root")
        .arg(&root)
        .arg("ls")
        .env_clear()
        .env("HOME", home.path())
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(0));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn i8_a_command_speaks_the_language_of_locale_and_configuration() {
    const ENGLISH: &str = "is not a directory of ours: it is a file";
    const CHINESE: &str = "它是一个文件";
    const JAPANESE: &str = "使えるディレクトリではありません";
    for (variables, text) in [
        (&[][..], ENGLISH),
        (&[("LANG", "ja_JP.UTF-8")], JAPANESE),
        (&[("LANG", "zh_CN.UTF-8")], CHINESE),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")], ENGLISH),
        (&[("AGENT_BOARD_LANGUAGE", "zh")], CHINESE),
        (&[("AGENT_BOARD_LANGUAGE", "zh"), ("LANG", "ja_JP.UTF-8")], CHINESE),
        (&[("AGENT_BOARD_LANGUAGE", "en"), ("LANG", "ja_JP.UTF-8")], ENGLISH),
        (&[("AGENT_BOARD_LANGUAGE", "auto"), ("LANG", "ja_JP.UTF-8")], JAPANESE),
        // A bad value is a warning elsewhere, and here as if it were not set.
        (&[("AGENT_BOARD_LANGUAGE", "klingon"), ("LANG", "ja_JP.UTF-8")], JAPANESE),
    ] {
        let said = complaint(variables);
        assert!(said.contains(text), "{variables:?}: {said}");
    }
}

#[test]
fn i8_help_speaks_the_readers_language() {
    let help = |language: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_host-runner"))
            .args(["start", "--help"])
            .env_clear()
            .env("HOME", "/nonexistent")
            .env("AGENT_BOARD_LANGUAGE", language)
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(help("en").contains("Start a session in the background and print its id"));
    for (language, does, option, headings) in [
        ("zh", "在后台启动会话并输出其 id", "立即进入", ["用法: host-runner start", "选项:", "显示帮助"]),
        (
            "ja",
            "セッションを裏で開始し、id を表示する",
            "すぐに入る",
            ["使い方: host-runner start", "オプション:", "ヘルプを表示"],
        ),
    ] {
        let said = help(language);
        assert!(said.contains(does) && said.contains(option), "{said}");
        assert!(said.contains("--attach"), "{said}");
        for heading in headings {
            assert!(said.contains(heading), "{heading}: {said}");
        }
        for english in ["Usage", "Options", "Print help", "default:", "possible values"] {
            assert!(!said.contains(english), "{english}: {said}");
        }
    }
}
