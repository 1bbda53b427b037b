//! Replies through the real binary: into programs, into rows that have ended, and while daemon and hosts are killed.

use crate::support::{Board, end};
use board_protocol::{
    command::{Command, CommandOutcome},
    daemon::{QueuedReply, ReplyProgress},
    hello::Role,
    ids::SessionId,
    state::SemanticState,
};
use host_runner::client::launching_environment;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Stdio,
};

/// A program that appends every line that it gets to a file, and the file.
fn recorder(board: &Board) -> (SessionId, PathBuf) {
    let file = board.path().join("lines");
    let script = format!("while IFS= read -r line; do printf '%s\\n' \"$line\" >>{}; done", file.display());
    let session = board.start(&["--name", "recorder", "--", "/bin/sh", "-c", &script]);
    board.wait_state(&session, SemanticState::Working);
    (session, file)
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

fn queue(board: &Board, session: &SessionId) -> Vec<QueuedReply> {
    board.show(session).queue
}

fn rerun(board: &Board, session: &SessionId) {
    let command = Command::Rerun { session: session.clone() };
    let outcome = board.client(Role::Cli).command(command, Some(launching_environment())).unwrap();
    assert!(matches!(outcome, CommandOutcome::Applied { .. }), "{outcome:?}");
    board.wait_state(session, SemanticState::Working);
}

/// Runs a command that succeeds, and gives what it said beside its output.
fn said(board: &Board, arguments: &[&str]) -> String {
    let output = board.run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

// Field report D5, for a program: words that look like keys, options and commands.
#[test]
fn d5_a_program_gets_every_reply_as_one_line() {
    let board = Board::new();
    let (session, file) = recorder(&board);
    let words = ["Enter", "-t", ";", "!=x", "/help", "$HOME `id`", "修复"];
    for (number, words) in words.iter().enumerate() {
        let said = said(&board, &["reply", "recorder", words]);
        assert_eq!(said.contains("sent as they are"), words.starts_with(['!', '/']), "{said}");
        board.until("the line is there", || lines(&file).len() == number + 1);
    }
    assert_eq!(lines(&file), words);
    said(&board, &["reply", &session.0, "--now", "several", "words"]);
    let mut piped = board.command(&["reply", "recorder", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    piped.stdin.take().unwrap().write_all(b"from a pipe\nin two lines\n").unwrap();
    assert!(piped.wait().unwrap().success());
    board.until("the lines are there", || lines(&file).len() == words.len() + 3);
    assert_eq!(lines(&file)[words.len()..], ["several words", "from a pipe", "in two lines"]);
    assert!(board.fails(&["reply", "recorder", " "], 1).contains("Empty follow-up"));
    assert!(board.fails(&["reply", "recorder", "a\u{1b}[201~b"], 1).contains("U+001B"));
    board.fails(&["reply", "nobody", "hello"], 1);
    board.fails(&["reply", "--now", "--queue", "recorder", "hello"], 2);
    board.fails(&["reply", "recorder"], 2);
    assert!(board.fails(&["reply", "recorder", "go", "--now"], 2).contains("in front of them"));
    assert_eq!(board.ok(&["queue", "recorder"]), "");
}

// Field reports D11, I3 and F16: a reply to a stopped row was lost, or started it again.
#[test]
fn d11_i3_f16_words_for_a_stopped_program_outlive_killed_daemons_and_wait_for_the_person() {
    let board = Board::new();
    let (session, file) = recorder(&board);
    board.ok(&["stop", "recorder"]);
    board.wait_state(&session, SemanticState::Stopped);
    let told = said(&board, &["reply", "recorder", "are you there?"]);
    assert!(told.contains("it was stopped"), "{told}");
    said(&board, &["reply", "--queue", "recorder", "second"]);
    assert!(board.fails(&["reply", "--now", "recorder", "hurry"], 1).contains("does not run"));
    for _ in 0..3 {
        end(board.daemon_process(), Signal::KILL);
        let shown: Value = serde_json::from_str(&board.ok(&["queue", "--json", "recorder"])).unwrap();
        assert_eq!(shown[0]["text"], "are you there?");
        assert_eq!(shown[1]["progress"], "waiting");
        let row = board.show(&session).row;
        assert_eq!((row.state, row.queued), (SemanticState::Stopped, 2));
    }
    // They can be changed meanwhile.
    let second = queue(&board, &session)[1].id.clone();
    board.ok(&["queue", "move", "recorder", &second.0, "1"]);
    board.ok(&["queue", "edit", "recorder", &second.0, "-x"]);
    assert!(board.ok(&["queue", "recorder"]).lines().next().unwrap().ends_with("-x"));
    assert!(board.ok(&["show", "recorder"]).contains("are you there?"));
    assert_eq!(lines(&file), Vec::<String>::new(), "nothing was typed");
    rerun(&board, &session);
    board.until("both lines are there", || lines(&file).len() == 2);
    assert_eq!(lines(&file), ["-x", "are you there?"]);
    board.wait("nothing waits", |rows| rows.iter().all(|row| row.queued == 0));
    // Another life gets nothing of it again.
    board.ok(&["stop", "recorder"]);
    board.wait_state(&session, SemanticState::Stopped);
    rerun(&board, &session);
    said(&board, &["reply", "recorder", "the end"]);
    board.until("the last line is there", || lines(&file).len() >= 3);
    assert_eq!(lines(&file), ["-x", "are you there?", "the end"]);
}

#[test]
fn words_are_taken_out_of_the_queue() {
    let board = Board::new();
    let (session, file) = recorder(&board);
    board.ok(&["stop", "recorder"]);
    board.wait_state(&session, SemanticState::Stopped);
    for words in ["one", "two", "three"] {
        said(&board, &["reply", "recorder", words]);
    }
    let first = queue(&board, &session)[0].id.clone();
    board.ok(&["queue", "rm", "recorder", &first.0]);
    assert!(board.fails(&["queue", "rm", "recorder", &first.0], 1).contains("any more"));
    assert!(
        board
            .fails(&["queue", "send", "recorder", &queue(&board, &session)[0].id.0], 1)
            .contains("does not run")
    );
    board.fails(&["queue", "move", "recorder", &first.0, "0"], 2);
    assert_eq!(queue(&board, &session).len(), 2);
    board.ok(&["queue", "clear", "recorder"]);
    assert!(board.fails(&["queue", "clear", "recorder"], 1).contains("nothing waits"));
    rerun(&board, &session);
    said(&board, &["reply", "recorder", "four"]);
    board.until("a line is there", || !lines(&file).is_empty());
    assert_eq!(lines(&file), ["four"]);
}

// Exactly once, however often the daemon dies and wherever it is at that moment.
#[test]
fn every_acknowledged_reply_is_written_once_while_the_daemon_is_killed_again_and_again() {
    let board = Board::new();
    let (_, file) = recorder(&board);
    let mut acknowledged = Vec::new();
    for number in 0..40 {
        let words = format!("reply {number}");
        let mut sending =
            board.command(&["reply", "recorder", &words]).stderr(Stdio::null()).spawn().unwrap();
        if number % 4 == 1 {
            // Wherever it is: it may not even have come back from the last time.
            let pid = fs::read_to_string(board.root.daemon_lock()).unwrap_or_default();
            if let Some(pid) = pid.trim().parse().ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        if sending.wait().unwrap().success() {
            acknowledged.push(words);
        }
    }
    assert!(acknowledged.len() >= 20, "{acknowledged:?}");
    board.ok(&["ls"]);
    board.until("everything that was acknowledged is written", || {
        let lines = lines(&file);
        acknowledged.iter().all(|words| lines.contains(words))
    });
    board.until("nothing waits", || board.ok(&["queue", "recorder"]).is_empty());
    let lines = lines(&file);
    let mut unique = lines.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), lines.len(), "written twice: {lines:?}");
}

/// A program that at first reads nothing at all, and in its second life writes what it gets up to an Enter to a file.
fn deaf_at_first(board: &Board) -> (SessionId, PathBuf) {
    let (file, flag) = (board.path().join("heard"), board.path().join("flag"));
    let program = format!(
        r#"system "stty raw -echo"; if (!-e "{0}") {{ open F, ">", "{0}"; close F; sleep 1000 }}
        my $all = ""; while (sysread STDIN, my $bytes, 65536) {{ $all .= $bytes;
        if ($all =~ s/^([^\r]*)\r//) {{ open F, ">>", "{1}"; print F length($1), substr($1, -8), "\n"; close F }} }}"#,
        flag.display(),
        file.display()
    );
    let session = board.start(&["--name", "deaf", "--", "perl", "-e", &program]);
    board.until("it is deaf", || flag.exists());
    (session, file)
}

// Reference E.5: whether words that were taken reached the agent of a dead host is not known, and they are never replayed.
#[test]
fn words_of_a_host_that_dies_while_it_writes_are_unknown_until_the_person_decides() {
    let board = Board::new();
    let (session, file) = deaf_at_first(&board);
    // More than any terminal keeps for a program that does not read.
    let long = format!("{} the end", "x".repeat(300_000));
    let mut piped = board.command(&["reply", "deaf", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    piped.stdin.take().unwrap().write_all(long.as_bytes()).unwrap();
    assert!(piped.wait().unwrap().success());
    board.until("the host has it", || queue(&board, &session)[0].progress == ReplyProgress::Accepted);
    let item = queue(&board, &session)[0].id.clone();
    assert!(board.fails(&["queue", "rm", "deaf", &item.0], 1).contains("being written"));
    end(board.show(&session).host.unwrap().process, Signal::KILL);
    board.wait_state(&session, SemanticState::Failed);
    assert_eq!(queue(&board, &session)[0].progress, ReplyProgress::AcceptedUnknown);
    assert_eq!(board.show(&session).row.queued, 0);
    assert!(board.ok(&["queue", "deaf"]).contains("unknown"));
    end(board.daemon_process(), Signal::KILL);
    board.ok(&["ls"]);
    rerun(&board, &session);
    said(&board, &["reply", "deaf", "only this"]);
    board.until("it hears", || lines(&file).len() == 1);
    assert_eq!(lines(&file), ["9nly this"]);
    said(&board, &["queue", "send", "deaf", &item.0]);
    board.until("it hears that as well", || lines(&file).len() == 2);
    assert_eq!(lines(&file)[1], format!("{} the end", long.len()));
    board.until("nothing is left", || queue(&board, &session).is_empty());
    let left = fs::read_dir(board.root.sessions()).unwrap().flatten();
    let journals = left.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "words"));
    assert_eq!(journals.count(), 1, "only that of the host that runs");
}

#[test]
fn words_that_a_dead_host_never_took_are_sent_to_the_next_one() {
    let board = Board::new();
    let (session, file) = recorder(&board);
    let host = board.show(&session).host.unwrap().process;
    let pid = Pid::from_raw(i32::try_from(host.pid).unwrap()).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    said(&board, &["reply", "recorder", "never taken"]);
    assert_eq!(queue(&board, &session)[0].progress, ReplyProgress::Sent);
    end(host, Signal::KILL);
    board.wait_state(&session, SemanticState::Failed);
    assert_eq!(queue(&board, &session)[0].progress, ReplyProgress::Waiting);
    rerun(&board, &session);
    board.until("a line is there", || !lines(&file).is_empty());
    said(&board, &["reply", "recorder", "the end"]);
    board.until("both lines are there", || lines(&file).len() >= 2);
    assert_eq!(lines(&file), ["never taken", "the end"]);
}
