//! Files that are none, are too long, are being written, or lie elsewhere.

use super::*;

fn source(agent: &str, told: Option<&Path>) -> Source {
    Source {
        agent: agent.into(),
        session: "0000000001".into(),
        told: told.map(Path::to_owned),
        conversation: Some("b5f6-1".into()),
    }
}

fn places(home: &Path) -> Places {
    Places {
        board: home.join("sessions"),
        claude: Some(home.join(".claude")),
        codex: Some(home.join(".codex")),
    }
}

fn read(path: &Path) -> Result<Transcript, String> {
    transcript(&source("pi", Some(path)), &places(Path::new("/nowhere")))
}

#[test]
fn b13_what_is_no_session_file_is_told_and_does_not_hang() {
    let home = tempfile::tempdir().unwrap();
    let fifo = home.path().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let socket = home.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let looped = home.path().join("loop");
    std::os::unix::fs::symlink(&looped, &looped).unwrap();
    let no_file = |path: &Path| format!("Couldn't read session: {} is no regular file", path.display());
    let table = [
        (home.path().join("missing"), "Session file not created yet.".to_owned()),
        (home.path().to_owned(), no_file(home.path())),
        (fifo.clone(), no_file(&fifo)),
        (socket.clone(), no_file(&socket)),
        ("/dev/zero".into(), no_file(Path::new("/dev/zero"))),
    ];
    for (path, expected) in table {
        // On a thread: a reader that hangs is a failure, and not a test without an end.
        let (done, result) = std::sync::mpsc::channel();
        let shown = path.display().to_string();
        std::thread::spawn(move || done.send(read(&path)));
        let result = result.recv_timeout(Duration::from_secs(60));
        assert_eq!(result.expect(&shown), Err(expected));
    }
    let looping = read(&looped).unwrap_err();
    assert!(looping.starts_with("Couldn't read session: "), "{looping}");
}

#[test]
fn a_file_that_is_being_written_gives_what_is_whole() {
    let file = tempfile::NamedTempFile::new().unwrap();
    assert_eq!(read(file.path()), Ok(Transcript::default()));
    let mut bytes = PI_FIRST.as_bytes().to_vec();
    bytes.truncate(bytes.len() - 40);
    fs::write(file.path(), &bytes).unwrap();
    assert_eq!(told(&read(file.path()).unwrap()).len(), 6);
    let spoilt = PI_FIRST.replace("thank me", "th\u{0}ank").into_bytes();
    let spoilt: Vec<u8> = spoilt.into_iter().map(|byte| if byte == 0 { 0xff } else { byte }).collect();
    fs::write(file.path(), spoilt).unwrap();
    assert_eq!(told(&read(file.path()).unwrap())[5], "you: and now th\u{fffd}ank", "invalid UTF-8");
}

#[test]
fn a_line_of_a_hundred_megabytes_costs_only_itself() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    writeln!(file, "{}", message("a", "null", "user", "before")).unwrap();
    file.write_all(br#"{"type":"message","id":"b","parentId":"a","x":""#).unwrap();
    // A hole: it takes no disk, and reads as zeros.
    let long = file.as_file().metadata().unwrap().len() + 20 * 1024 * 1024;
    file.as_file().set_len(long).unwrap();
    std::io::Seek::seek(file.as_file_mut(), std::io::SeekFrom::End(0)).unwrap();
    writeln!(file, "\"}}\n{}", message("c", "\"b\"", "user", "after")).unwrap();
    let found = read(file.path()).unwrap();
    assert_eq!(told(&found), ["you: before", "you: after"], "the way goes on over the gap");
    assert!(found.incomplete);
}

#[test]
fn of_a_gigabyte_the_end_is_read() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    writeln!(file, "{}", message("a", "null", "user", "before")).unwrap();
    file.as_file().set_len(1 << 30).unwrap();
    std::io::Seek::seek(file.as_file_mut(), std::io::SeekFrom::End(0)).unwrap();
    writeln!(file, "\n{}", message("c", "\"b\"", "user", "after")).unwrap();
    let found = read(file.path()).unwrap();
    assert_eq!(told(&found), ["you: after"]);
    assert!(found.incomplete);
}

#[test]
fn of_very_many_words_the_newest_are_kept() {
    for limits in [Limits { entries: 1_000, bytes: 4_096 }, Limits { entries: 10, bytes: 1 << 20 }] {
        let mut parser = Parser::within(limits, Format::Pi);
        for at in 0..100_u32 {
            let parent = at.checked_sub(1).map_or_else(|| "null".to_owned(), |at| format!("\"n{at}\""));
            let words = format!("{at} {}", "word ".repeat(30));
            parser.line(message(&format!("n{at}"), &parent, "user", &words).as_bytes());
        }
        let found = parser.finish();
        let bytes: usize = found.items.iter().map(|item| item.text.len()).sum();
        assert!(found.incomplete && bytes <= limits.bytes && found.items.len() <= limits.entries);
        assert!((10..30).contains(&found.items.len()), "{}", found.items.len());
        assert!(found.items.last().unwrap().text.starts_with("99 "));
    }
}

#[test]
fn files_are_found_by_the_agents_rules() {
    let home = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let places = places(home.path());
    let look = |agent: &str| transcript(&source(agent, None), &places).map(|found| told(&found).len());
    for agent in ["pi", "claude", "codex"] {
        assert_eq!(look(agent), Err("Session file not created yet.".to_owned()), "{agent}");
    }
    write("sessions/0000000001.jsonl", PI_FIRST);
    write(".claude/projects/-a/other.jsonl", "");
    write(".claude/projects/-w/b5f6-1.jsonl", CLAUDE);
    write(".codex/sessions/2026/11/30/rollout-2026-11-30T20-04-06-other.jsonl", "");
    write(".codex/sessions/2026/11/29/rollout-2026-11-29T20-04-06-b5f6-1.jsonl", CODEX);
    assert_eq!((look("pi"), look("claude"), look("codex")), (Ok(7), Ok(16), Ok(8)));
    assert!(look("generic").unwrap_err().starts_with("There is no transcript"));
    let strange = Source { conversation: Some("../../x".into()), ..source("claude", None) };
    assert_eq!(transcript(&strange, &places), Err("Session file not created yet.".to_owned()));
}
