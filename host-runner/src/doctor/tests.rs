//! Checks that depend on the machine, on machines that a test makes up.

use super::{Finding, Scene, Status, daemon::Look, login, store};
use crate::{client::ClientError, config::Config, root::BoardRoot};
use std::{collections::BTreeMap, fs, path::Path, process::Command};

fn scene(machine: &Path) -> Scene {
    let path = machine.join("bin");
    let environment = BTreeMap::from([("PATH".into(), path.into()), ("USER".into(), "somebody".into())]);
    Scene::new(None, Config::default(), environment, machine.to_owned())
}

fn put(machine: &Path, file: &str, text: &str) {
    let path = machine.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A program, written by another process: one that this process has open for writing cannot be run (ETXTBSY).
fn executable(machine: &Path, file: &str, script: &str) {
    let path = machine.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#;
    assert!(Command::new("sh").arg("-c").arg(write).arg(path).arg(script).status().unwrap().success());
}

fn statuses(findings: &[Finding]) -> Vec<Status> {
    findings.iter().map(|finding| finding.status).collect()
}

#[test]
fn without_systemd_nothing_ends_sessions() {
    let machine = tempfile::tempdir().unwrap();
    let found = login::check(&scene(machine.path()));
    assert_eq!(statuses(&found), [Status::Ok]);
}

#[test]
fn kill_user_processes_is_read_from_the_last_file_that_sets_it() {
    let conf = "etc/systemd/logind.conf";
    let table: [(&[(&str, &str)], Status); 6] = [
        (&[], Status::Unknown),
        (&[(conf, "[Login]\n#KillUserProcesses=yes\n")], Status::Unknown),
        (&[(conf, "[Login]\nKillUserProcesses = no\n")], Status::Ok),
        (
            &[
                (conf, "KillUserProcesses=no\n"),
                ("etc/systemd/logind.conf.d/9.conf", "KillUserProcesses=1\n"),
            ],
            Status::Warn,
        ),
        (
            &[
                ("usr/lib/systemd/logind.conf.d/9.conf", "KillUserProcesses=yes\n"),
                ("etc/systemd/logind.conf.d/9.conf", "KillUserProcesses=no\n"),
            ],
            Status::Ok,
        ),
        (
            &[
                ("run/systemd/logind.conf.d/1.conf", "KillUserProcesses=yes\n"),
                (conf, "KillUserProcesses=no\n"),
            ],
            Status::Warn,
        ),
    ];
    for (files, status) in table {
        let machine = tempfile::tempdir().unwrap();
        fs::create_dir_all(machine.path().join("run/systemd/system")).unwrap();
        for (file, text) in files {
            put(machine.path(), file, text);
        }
        assert_eq!(login::check(&scene(machine.path()))[0].status, status, "{files:?}");
    }
}

#[test]
fn logind_itself_is_believed_before_its_files_and_lingering_is_a_file() {
    let machine = tempfile::tempdir().unwrap();
    let machine = machine.path();
    fs::create_dir_all(machine.join("run/systemd/system")).unwrap();
    put(machine, "etc/systemd/logind.conf", "KillUserProcesses=no\n");
    executable(machine, "bin/busctl", "[ \"$1\" = get-property ] && echo 'b true'");
    let own = rustix::process::getuid().as_raw();
    put(machine, "etc/passwd", &format!("other:x:{}:0::/:/bin/sh\nme:x:{own}:0::/:/bin/sh\n", own + 1));
    assert_eq!(statuses(&login::check(&scene(machine))), [Status::Warn, Status::Warn]);
    put(machine, "var/lib/systemd/linger/me", "");
    assert_eq!(statuses(&login::check(&scene(machine))), [Status::Warn, Status::Ok]);
    executable(machine, "bin/busctl", "exit 1");
    assert_eq!(statuses(&login::check(&scene(machine))), [Status::Ok, Status::Ok]);
}

#[test]
fn a_store_that_is_gone_under_a_daemon_is_a_failure_and_one_that_never_was_is_none() {
    let machine = tempfile::tempdir().unwrap();
    let directory = machine.path().join("root");
    BoardRoot::open(&directory).unwrap();
    let scene = Scene::new(Some(directory), Config::default(), BTreeMap::new(), machine.path().to_owned());
    let none = store::check(&scene, &Look::Away { shut_down: false });
    assert!(none.status == Status::Ok && none.found.contains("does not exist yet"), "{none:?}");
    let gone = store::check(&scene, &Look::Trouble(ClientError::Unexpected("a pong")));
    assert!(
        gone.status == Status::Fail && gone.found.contains("is gone although the daemon runs"),
        "{gone:?}"
    );
    assert!(gone.advice.is_some_and(|advice| advice.contains("host-runner shutdown")));
}
