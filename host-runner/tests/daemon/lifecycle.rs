//! One daemon per root: its lock, its socket, its end, and who starts it.

use crate::support::{Board, end};
use board_protocol::{
    frame,
    hello::{Agreement, COORDINATOR_PROTOCOL, Hello, HelloReply, Refused, Role, Versions, Welcome},
    ids::{ProcessIdentity, SessionId},
    refusal::{Refusal, RefusalKind},
    state::SemanticState,
};
use host_runner::{
    client::{ClientError, DaemonClient, StartPolicy},
    fresh, process,
    wire::Connection,
};
use rustix::process::Signal;
use std::{
    fs,
    io::{Read, Write},
    os::unix::net::UnixListener,
    process::{Command, Stdio},
};

#[test]
fn the_first_command_starts_one_daemon_and_the_next_ones_use_it() {
    let board = Board::new();
    let clients: Vec<_> =
        (0..8).map(|_| board.command(&["ls"]).stdout(Stdio::null()).spawn().unwrap()).collect();
    for mut client in clients {
        assert!(client.wait().unwrap().success());
    }
    let daemon = board.daemon_process();
    let second = board.run(&["daemon"]);
    assert!(second.status.success(), "{second:?}");
    assert_eq!(board.daemon_process(), daemon);
    // It is nobody's child and has no terminal.
    let stat = process::stat(daemon.pid).unwrap();
    assert_ne!(stat.parent, std::process::id());
    assert_ne!(stat.session, process::stat(std::process::id()).unwrap().session);
}

// Reference I.5 A7b: whoever comes first owns the board, everybody else leaves without an error, also when several come at
// once after a crash.
#[test]
fn i5_a7b_of_several_daemons_one_serves_and_the_others_exit_with_0() {
    let board = Board::new();
    let session = board.start(&["exit 0"]);
    board.wait_state(&session, SemanticState::Idle);
    for _ in 0..3 {
        let before = board.daemon_process();
        end(before, Signal::KILL);
        let mut daemons: Vec<_> =
            (0..4).map(|_| board.command(&["daemon"]).stderr(Stdio::null()).spawn().unwrap()).collect();
        board.wait_successor(before);
        let owner = board.daemon_process().pid;
        let mut others = 0;
        for daemon in daemons.iter_mut().filter(|daemon| daemon.id() != owner) {
            assert_eq!(daemon.wait().unwrap().code(), Some(0));
            others += 1;
        }
        assert_eq!(others, 3);
        assert_eq!(board.daemon_process().pid, owner);
        assert_eq!(board.show(&session).row.state, SemanticState::Idle);
        // Reaped when the next one was killed, so that its pid is not taken for one that runs.
        let owner = daemons.into_iter().find(|daemon| daemon.id() == owner);
        std::thread::spawn(move || owner.map(|mut owner| owner.wait()));
    }
}

// Field report F12: a stale lock whose pid was reused.
#[test]
fn f12_a_stale_lock_with_somebody_elses_pid_harms_nobody() {
    let board = Board::new();
    let mut bystander = Command::new("sleep").arg("1000").spawn().unwrap();
    let identity = process::identify(bystander.id()).unwrap();
    fs::write(board.root.daemon_lock(), format!("{} 1\n", bystander.id())).unwrap();
    // A socket that its daemon left when it was killed.
    drop(UnixListener::bind(board.root.daemon_socket()).unwrap());
    board.ok(&["ls"]);
    assert_ne!(board.daemon_process().pid, bystander.id());
    board.ok(&["shutdown"]);
    assert!(process::is_running(identity));
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

// Field report F13: an old daemon deleted its successor's socket when it ended.
#[test]
fn f13_an_old_daemon_that_ends_leaves_its_successors_socket() {
    let board = Board::new();
    let mut old = board.daemon();
    let first = board.daemon_process();
    assert_eq!(first.pid, old.id());
    fs::remove_file(board.root.daemon_lock()).unwrap();
    let mut new = board.command(&["daemon"]).stderr(Stdio::null()).spawn().unwrap();
    board.wait_successor(first);
    assert_eq!(board.daemon_process().pid, new.id());
    let _ = rustix::process::kill_process(
        rustix::process::Pid::from_raw(i32::try_from(old.id()).unwrap()).unwrap(),
        Signal::TERM,
    );
    old.wait().unwrap();
    assert_eq!(board.daemon_process().pid, new.id());
    board.ok(&["ls"]);
    board.ok(&["shutdown"]);
    new.wait().unwrap();
    assert!(!board.root.daemon_socket().exists());
}

// A host that had lost its daemon started another one in a moment without the marker; that one waited for the lock of a
// daemon that was then shut down, took it, and served a board that a person had just ended.
#[test]
fn a_daemon_that_waited_for_the_lock_obeys_a_shutdown_of_meanwhile() {
    let board = Board::new();
    let lock = board.lock();
    let mut waiting =
        board.command(&["daemon", "--on-demand"]).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let descriptors = format!("/proc/{}/fd", waiting.id());
    let has_the_file = || {
        let open = fs::read_dir(&descriptors).into_iter().flatten().flatten();
        open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|file| file == board.root.daemon_lock())
    };
    // One that gave up waiting already has ended, which is what is asked of it below.
    board.until("it waits for the lock", || has_the_file() || process::identify(waiting.id()).is_none());
    fs::write(board.root.shutdown_marker(), "").unwrap();
    drop(lock);
    board.until("it ends", || process::identify(waiting.id()).is_none());
    assert!(waiting.wait().unwrap().success());
    assert!(!board.root.database().exists(), "it served");
}

#[test]
fn a_daemon_whose_root_is_gone_ends() {
    let board = Board::new();
    let mut daemon = board.daemon();
    fs::remove_dir_all(board.root.directory()).unwrap();
    assert!(daemon.wait().unwrap().success());
}

// Field report F20: "Opening…" for ever.
#[test]
fn f20_a_daemon_that_accepts_and_never_answers_is_named_with_the_next_step() {
    let board = Board::new();
    let _silent = UnixListener::bind(board.root.daemon_socket()).unwrap();
    let said = board.fails(&["ls"], 4);
    let pid = std::process::id();
    assert!(said.contains("does not answer") && said.contains(&format!("kill -9 {pid}")), "{said}");
}

#[test]
fn a_shutdown_is_obeyed_by_services_and_lifted_by_a_person() {
    let board = Board::new();
    let session = board.start(&["--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    let child = board.show(&session).child.unwrap();
    let daemon = board.daemon_process();
    board.ok(&["shutdown"]);
    assert!(!process::is_running(daemon) && !board.root.daemon_socket().exists());
    assert!(process::is_running(child));
    let refused = DaemonClient::connect(&board.root, Role::Link, StartPolicy::Service).unwrap_err();
    assert!(matches!(refused, ClientError::ShutDown), "{refused}");
    // A daemon that somebody started on demand a moment too late obeys, too.
    assert!(board.run(&["daemon", "--on-demand"]).status.success());
    assert!(board.ok(&["ls"]).contains(&session.0));
    let row = board.wait("the host is back", |rows| rows.iter().all(|row| row.doubt.is_none())).remove(0);
    assert_eq!(row.state, SemanticState::Working);
    assert_eq!(board.show(&session).child, Some(child));
    DaemonClient::connect(&board.root, Role::Link, StartPolicy::Service).unwrap();
}

#[test]
fn a_shutdown_can_end_every_session_first() {
    let board = Board::new();
    let sessions: Vec<_> = (0..3).map(|_| board.start(&["--", "sleep", "1000"])).collect();
    for session in &sessions {
        board.wait_state(session, SemanticState::Working);
    }
    let processes: Vec<ProcessIdentity> = sessions
        .iter()
        .flat_map(|session| {
            let detail = board.show(session);
            [detail.child.unwrap(), detail.host.unwrap().process]
        })
        .collect();
    board.ok(&["shutdown", "--kill-hosts"]);
    board.until("all are gone", || processes.iter().all(|process| !process::is_running(*process)));
    let listed = board.ok(&["ls"]);
    assert!(listed.contains("Stopped (3)"), "{listed}");
}

/// Stands in for a daemon of other versions; see the two tests below.
fn answer_with(listener: &UnixListener, versions: Versions) {
    loop {
        let (mut stream, _) = listener.accept().unwrap();
        let mut length = [0; 4];
        if stream.read_exact(&mut length).is_err() {
            continue;
        }
        let mut body = vec![0; u32::from_le_bytes(length) as usize];
        stream.read_exact(&mut body).unwrap();
        let hello: Hello = frame::decode(&body).unwrap();
        let (build, process) = (String::from("9.9.9"), process::own_identity());
        let reply = match versions.agree_with(hello.versions) {
            Agreement::Speak(version) => {
                HelloReply::Welcome(Welcome { version, build, process, generation: fresh::generation() })
            }
            _ => {
                let refusal = Refusal::new(RefusalKind::Version, "another version");
                HelloReply::Refused(Refused { versions, build, process, refusal })
            }
        };
        stream.write_all(&frame::encode(&reply).unwrap()).unwrap();
    }
}

/// Runs as a process of its own, because whoever finds an older daemon ends it.
#[test]
#[ignore = "a process of another test, not a test"]
fn older_daemon() {
    let socket = std::env::var_os("OLDER_DAEMON_SOCKET").expect("started by a test");
    let newest = std::env::var("OLDER_DAEMON_SPEAKS").unwrap().parse().unwrap();
    answer_with(&UnixListener::bind(socket).unwrap(), Versions { oldest: 1, newest });
}

// Reference C.10, flow 8.
#[test]
fn c10_8_an_older_daemon_is_replaced_and_its_socket_taken_over() {
    // One that does not speak with us, and one that does but does not know every command.
    for speaks in [COORDINATOR_PROTOCOL.oldest - 1, COORDINATOR_PROTOCOL.newest - 1] {
        replaces(speaks);
    }
}

fn replaces(speaks: u32) {
    let board = Board::new();
    let socket = board.root.daemon_socket();
    let mut older = Command::new(std::env::current_exe().unwrap())
        .args(["lifecycle::older_daemon", "--exact", "--ignored"])
        .env("OLDER_DAEMON_SOCKET", &socket)
        .env("OLDER_DAEMON_SPEAKS", speaks.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    board.until("the older daemon listens", || Connection::connect(&socket).is_ok());
    match DaemonClient::connect(&board.root, Role::Cli, StartPolicy::Never) {
        Ok(client) => assert_eq!(client.welcome().version, speaks),
        Err(refused) => assert!(matches!(refused, ClientError::Incompatible { .. }), "{refused}"),
    }
    assert!(older.try_wait().unwrap().is_none(), "only who may start one replaces it");
    board.ok(&["ls"]);
    assert!(!older.wait().unwrap().success());
    assert_ne!(board.daemon_process().pid, older.id());
}

#[test]
fn a_newer_daemon_is_left_alone_and_the_person_is_told_what_to_restart() {
    let board = Board::new();
    let listener = UnixListener::bind(board.root.daemon_socket()).unwrap();
    std::thread::spawn(move || answer_with(&listener, Versions { oldest: 98, newest: 99 }));
    let said = board.fails(&["ls"], 1);
    assert!(said.contains("98 to 99") && said.contains("Restart what you run here"), "{said}");
}

#[test]
fn a_store_of_a_newer_build_is_named_to_the_person() {
    let board = Board::new();
    rusqlite::Connection::open(board.root.database())
        .unwrap()
        .pragma_update(None, "user_version", 999)
        .unwrap();
    let said = board.fails(&["ls"], 3);
    assert!(said.contains("newer host-runner") && said.contains("schema 999"), "{said}");
}

// A script that starts a session while it has a lock must not find it taken for ever.
#[test]
fn what_a_script_has_open_is_not_kept_by_daemon_host_or_program() {
    let board = Board::new();
    let lock = board.path().join("lock");
    let script = format!(
        "exec 9>{} && flock 9 && exec {} start -- sleep 1000",
        lock.display(),
        env!("CARGO_BIN_EXE_host-runner")
    );
    let environment = board.command(&[]);
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &script]).env_clear().current_dir(board.path());
    for (name, value) in environment.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let session = SessionId::parse(String::from_utf8(output.stdout).unwrap().trim()).unwrap();
    board.wait_state(&session, SemanticState::Working);
    let file = fs::File::open(&lock).unwrap();
    rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).unwrap();
}

#[test]
fn sigterm_ends_the_daemon_cleanly_and_nothing_else() {
    let board = Board::new();
    let session = board.start(&["--", "sleep", "1000"]);
    board.wait_state(&session, SemanticState::Working);
    let child = board.show(&session).child.unwrap();
    let daemon = board.daemon_process();
    end(daemon, Signal::TERM);
    assert!(process::is_running(child));
    // Its host starts the next one: nobody shut the board down.
    board.wait_successor(daemon);
    let rows = board.wait("it is adopted", |rows| rows.iter().all(|row| row.state == SemanticState::Working));
    assert_eq!(rows.len(), 1);
}

// On a full disk the daemon died of the first line that it could not write into its log.
// Field report F8: 88 MB of log from one loop. A daemon that runs for months starts a new file by itself.
#[test]
fn f8_a_daemon_puts_its_own_full_log_aside_and_goes_on_in_a_new_one() {
    let board = Board::new();
    let log = board.root.logs().join("daemon.log");
    let aside = board.root.logs().join("daemon.log.old");
    fs::create_dir_all(board.root.logs()).unwrap();
    // A few hundred bytes below the limit of a megabyte.
    fs::write(&log, "x".repeat(1024 * 1024 - 300)).unwrap();
    let mut ls = board.command(&["ls"]);
    assert!(ls.env("AGENT_BOARD_LOG", "debug").output().unwrap().status.success());
    let daemon = board.daemon_process();
    board.until("the full log is put aside", || {
        drop(board.connection(Role::Cli));
        aside.exists()
    });
    assert!(fs::metadata(&aside).unwrap().len() < 1024 * 1024 + 4096);
    board.until("it writes into the new one", || {
        drop(board.connection(Role::Cli));
        fs::metadata(&log).is_ok_and(|meta| (1..64 * 1024).contains(&meta.len()))
    });
    assert_eq!(board.daemon_process(), daemon);
}

#[test]
fn a_daemon_whose_log_cannot_be_written_goes_on() {
    let board = Board::new();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut daemon = board.command(&["daemon"]).stderr(full).spawn().unwrap();
    board.until("the daemon answers", || Connection::connect(&board.root.daemon_socket()).is_ok());
    board.ok(&["ls"]);
    assert_eq!(board.daemon_process().pid, daemon.id());
    board.ok(&["shutdown"]);
    assert!(daemon.wait().unwrap().success());
}
