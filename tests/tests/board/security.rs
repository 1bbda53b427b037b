//! Security from the first day: modes, foreign roots, tokens, and what a socket does with garbage.

use board_protocol::{
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    hello::{COORDINATOR_PROTOCOL, HOST_PROTOCOL, HelloReply, Role, Versions},
    host::{AgentReport, FromHost, HostFact, HostRegistration, ToHost},
    ids::{FactSeq, Generation, ProcessIdentity, SessionId, Size, Token, UnixMs},
};
use e2e::{World, socket::Wire};
use std::{
    fs,
    os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

#[test]
fn everything_in_the_root_is_for_its_owner_only() {
    let world = World::new();
    let id = world.start_actor("private", &["lines"]);
    world.wait_text(&id, "lines:");
    world.runner(&["stop", &id]).ok();
    world.wait_state(&id, "stopped");
    let second = world.start_actor("second", &["lines"]);
    world.wait_text(&second, "lines:");
    let mut seen = Vec::new();
    let mut sockets = 0;
    let mut left = vec![world.root()];
    while let Some(path) = left.pop() {
        let Ok(meta) = fs::symlink_metadata(&path) else { continue };
        let mode = meta.permissions().mode() & 0o777;
        if meta.is_dir() {
            assert_eq!(mode, 0o700, "{}", path.display());
            left.extend(fs::read_dir(&path).unwrap().flatten().map(|entry| entry.path()));
        } else {
            sockets += usize::from(meta.file_type().is_socket());
            assert_eq!(mode, 0o600, "{}", path.display());
        }
        seen.push(path);
    }
    assert!(sockets >= 2, "a daemon's and a host's socket: {seen:?}");
    assert!(seen.iter().any(|path| path.extension().is_some_and(|extension| extension == "db")), "{seen:?}");
}

#[test]
fn a_root_with_too_many_rights_loses_them_and_a_foreign_one_is_refused() {
    let world = World::new();
    fs::create_dir(world.root()).unwrap();
    fs::set_permissions(world.root(), fs::Permissions::from_mode(0o777)).unwrap();
    world.rows();
    assert_eq!(fs::metadata(world.root()).unwrap().mode() & 0o777, 0o700);
    // A root that came from another machine, as a shared home directory does.
    world.runner(&["shutdown"]).ok();
    fs::write(world.root().join("machine"), "another-machine").unwrap();
    let refused = world.runner(&["ls"]);
    assert!(refused.code != Some(0) && refused.stderr.contains("another machine"), "{refused:?}");
    assert!(refused.stderr.contains("AGENT_BOARD_ROOT"), "what to do: {refused:?}");
    world.wait_runners("daemon", 0);
}

#[test]
fn a_root_of_another_user_is_refused() {
    let world = World::new();
    // Only root can give a directory away, and only another user's directory can show the refusal.
    let foreign = if rustix::process::getuid().is_root() {
        let directory = world.path("foreign");
        fs::create_dir(&directory).unwrap();
        std::os::unix::fs::chown(&directory, Some(65534), None).unwrap();
        directory
    } else {
        PathBuf::from("/")
    };
    let mut command = world.runner_command(&["ls"]);
    command.env("AGENT_BOARD_ROOT", &foreign);
    let refused = e2e::run::run(command, b"", e2e::wait::DEADLINE);
    assert!(refused.code != Some(0), "{refused:?}");
    assert!(
        refused.stderr.contains("uid") && refused.stderr.contains(foreign.to_str().unwrap()),
        "{refused:?}"
    );
    assert_eq!(fs::metadata(&foreign).unwrap().permissions().mode() & 0o777, 0o755, "left as it was");
}

#[test]
fn a_wrong_token_is_not_believed() {
    let world = World::new();
    let id = world.start_actor("guarded", &["lines"]);
    world.wait_text(&id, "lines:");
    let before = world.row(&id).unwrap();
    // An event with a wrong token at the host's socket.
    let mut wire = Wire::connect(&host_socket(&world, &id));
    assert!(matches!(wire.greet(HOST_PROTOCOL, Role::Hook), HelloReply::Welcome(_)));
    wire.send(&ToHost::Event(AgentReport {
        token: Token("f".repeat(32)),
        adapter: "generic".into(),
        at_ms: UnixMs(0),
        payload: b"{}".to_vec(),
    }));
    let answer: Option<FromHost> = wire.receive();
    assert!(matches!(answer, Some(FromHost::Refused(_)) | None), "{answer:?}");
    // A host that claims a session without its token at the daemon's.
    let mut wire = Wire::connect(&world.root().join("run/daemon.sock"));
    assert!(matches!(wire.greet(COORDINATOR_PROTOCOL, Role::Host), HelloReply::Welcome(_)));
    wire.send(&ToDaemon::HostRegistered(HostRegistration {
        session: SessionId(id.clone()),
        generation: Generation("00000000-0000-0000-0000-000000000000".into()),
        token: Token("f".repeat(32)),
        process: ProcessIdentity { pid: 1, start_ticks: 1 },
        child: None,
        socket: "/nowhere".into(),
        size: Size::DEFAULT,
        attached: Vec::new(),
        text_field: None,
        waits: Vec::new(),
    }));
    wire.send(&ToDaemon::HostReported {
        seq: FactSeq(1),
        at_ms: UnixMs(1),
        fact: HostFact::ChildStartFailed { error: "a lie".into() },
    });
    let answer: Option<FromDaemon> = wire.receive();
    assert!(
        !matches!(answer, Some(FromDaemon::Order(board_protocol::host::HostOrder::Adopted))),
        "{answer:?}"
    );
    let after = world.row(&id).unwrap();
    assert_eq!(after["state"], before["state"]);
    assert_eq!(after["host_state"], "alive");
    assert_eq!(after["error"], before["error"]);
}

#[test]
fn garbage_and_foreign_versions_cost_only_their_connection() {
    let world = World::new();
    let id = world.start_actor("steady", &["lines"]);
    world.wait_text(&id, "lines:");
    for socket in [world.root().join("run/daemon.sock"), host_socket(&world, &id)] {
        // Bytes that are no frame, a frame over every limit, a frame that holds nonsense, half a frame.
        for bytes in [
            &b"GET / HTTP/1.1\r\n\r\n"[..],
            &[0xff; 64],
            &[4, 0, 0, 0, 0xc1, 0xc1, 0xc1, 0xc1],
            &[9, 0, 0, 0, 1],
        ] {
            let mut wire = Wire::connect(&socket);
            wire.send_bytes(bytes);
        }
        let mut wire = Wire::connect(&socket);
        let reply = wire.greet(Versions { oldest: 900, newest: 901 }, Role::Cli);
        let HelloReply::Refused(refused) = reply else { panic!("{reply:?}") };
        assert!(refused.versions.newest < 900 && !refused.refusal.text.is_empty(), "{refused:?}");
        assert!(wire.receive::<FromDaemon>().is_none(), "the connection ends after it");
    }
    let mut wire = Wire::connect(&world.root().join("run/daemon.sock"));
    assert!(matches!(wire.greet(COORDINATOR_PROTOCOL, Role::Cli), HelloReply::Welcome(_)));
    wire.send(&ToDaemon::Ask { id: 7, request: Request::Ping });
    let answer: Option<FromDaemon> = wire.receive();
    assert!(matches!(answer, Some(FromDaemon::Answer { id: 7, answer: Ok(Answer::Ready) })), "{answer:?}");
    world.wait_text(&id, "lines:");
}

#[test]
fn secrets_are_neither_in_arguments_nor_in_the_store_nor_in_logs() {
    let world = World::new();
    let secret = "hunter2-is-no-password";
    let mut start = world.runner_command(&["start", "--", "actor", "env", "MY_SECRET", "wait"]);
    start.env("MY_SECRET", secret);
    let id = e2e::run::run(start, b"", e2e::wait::DEADLINE).ok().line();
    world.wait_text(&id, secret);
    let token = world
        .processes()
        .iter()
        .find(|process| process.line().ends_with("actor env MY_SECRET wait"))
        .and_then(|process| process.variable("AGENT_BOARD_TOKEN"))
        .expect("a token");
    for process in world.processes() {
        assert!(!process.line().contains(secret) && !process.line().contains(&token), "{}", process.line());
    }
    world.runner(&["shutdown"]).ok();
    world.wait_runners("daemon", 0);
    for file in files(&world.root()) {
        let bytes = fs::read(&file).unwrap_or_default();
        let holds = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!holds, "the environment lies in {}", file.display());
    }
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(files(&entry.path()));
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    found
}

fn host_socket(world: &World, session: &str) -> PathBuf {
    let shown = world.runner(&["show", session, "--json"]).ok().json();
    PathBuf::from(shown["host"]["socket"].as_str().unwrap_or_else(|| panic!("no socket in {shown:#}")))
}
