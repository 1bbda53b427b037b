//! One board, read in three languages: what is written down is English, whoever started the daemon, and what a command
//! shows is in the language of who typed it.

use crate::support::Board;
use board_protocol::state::SemanticState;

#[test]
fn i8_every_reader_of_one_board_reads_it_in_a_language_of_their_own() {
    let board = Board::new();
    let said = |language: &str, arguments: &[&str]| {
        let output = board.command(arguments).env("AGENT_BOARD_LANGUAGE", language).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        text(output.stdout) + &text(output.stderr)
    };
    // The daemon is started by somebody who reads Japanese.
    let session =
        said("ja", &["start", "--name", "job", "--", "sh", "-c", "echo error: no such file; exit 3"]);
    let session = session.trim();
    board.wait("the end of the program", |rows| rows.iter().any(|row| row.state == SemanticState::Failed));

    for (language, texts) in [
        (
            "en",
            ["Failed (1)", "exit code 3", "process exit: exit code 3", "agent", "there is no session \"x\""],
        ),
        ("zh", ["失败 (1)", "退出码 3", "进程结束: 退出码 3", "Agent", "没有会话 \"x\""]),
        (
            "ja",
            [
                "失敗 (1)",
                "終了コード 3",
                "プロセスの終了: 終了コード 3",
                "エージェント",
                "セッション \"x\" はありません",
            ],
        ),
    ] {
        let [group, ending, event, label, refusal] = texts;
        let (list, shown) = (said(language, &["ls"]), said(language, &["show", session]));
        let (explained, refused) = (said(language, &["explain", session]), said(language, &["show", "x"]));
        assert!(list.contains(group), "{language}: {list}");
        assert!(shown.contains(ending) && shown.contains(label), "{language}: {shown}");
        assert!(explained.contains(event), "{language}: {explained}");
        assert!(refused.contains(refusal), "{language}: {refused}");
        // What the program itself said is nobody's to translate, and scripts read the same everywhere.
        assert!(shown.contains("error: no such file"), "{language}: {shown}");
        assert!(said(language, &["show", session, "--json"]).contains("\"exit code 3\""), "{language}");
        assert!(said(language, &["export"]).contains("exit code 3"), "{language}");
    }
}

/// Refusals with names of sessions and states in them, and a warning about the configuration.
#[test]
fn i8_what_the_daemon_refuses_and_warns_of_is_read_in_the_readers_language() {
    let board = Board::new();
    let directory = board.path().join(".config/agent-board");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("config.toml"), "histroy_lines = 3\n").unwrap();
    let session = board.start(&["--name", "job", "--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    let said = |language: &str, arguments: &[&str]| {
        let output = board.command(arguments).env("AGENT_BOARD_LANGUAGE", language).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    for arguments in [
        &["unhold", session.as_str()][..],
        &["plan", "approve", session.as_str()],
        &["queue", "send", session.as_str(), "q1"],
    ] {
        let (english, chinese) = (said("en", arguments), said("zh", arguments));
        assert!(english.contains("host-runner: "), "{arguments:?}: {english}");
        let words = |text: &str| {
            let text = text.replace("host-runner", "").replace(session.as_str(), "").replace("job", "");
            text.chars().filter(char::is_ascii_lowercase).count()
        };
        assert!(
            words(&english) > 10 && words(&chinese) * 3 < words(&english),
            "{arguments:?}: {english}{chinese}"
        );
    }
    let warned = said("ja", &["ls"]);
    assert!(warned.contains("histroy_lines") && !warned.contains("there is no setting"), "{warned}");
}

/// A daemon that is started with an option in front of its name writes English, too.
#[test]
fn i8_a_daemon_writes_english_however_its_command_line_begins() {
    let board = Board::new();
    let root = board.path().join("other");
    let root = root.to_str().unwrap();
    let mut daemon = board
        .command(&["--root", root, "daemon"])
        .env("AGENT_BOARD_LANGUAGE", "ja")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let run = |arguments: &[&str]| {
        let arguments: Vec<&str> = ["--root", root].iter().chain(arguments).copied().collect();
        String::from_utf8(board.command(&arguments).output().unwrap().stdout).unwrap()
    };
    let session = run(&["start", "--name", "job", "--", "sh", "-c", "exit 3"]);
    board.until("its end", || run(&["ls"]).contains("exit code 3"));
    assert!(run(&["explain", session.trim()]).contains("process exit: exit code 3"));
    run(&["shutdown", "--kill-hosts"]);
    daemon.wait().unwrap();
}

/// Without a daemon the command itself writes the store: in English all the same.
#[test]
fn i8_a_command_without_a_daemon_writes_what_a_daemon_would() {
    let board = Board::new();
    let run = |arguments: &[&str]| {
        let mut command = board.command(arguments);
        command.env("AGENT_BOARD_COORDINATOR", "off").env("AGENT_BOARD_LANGUAGE", "zh").output().unwrap()
    };
    let refused = run(&["show", "x"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("没有会话 \"x\""), "{said}");
}
