//! Checks that depend on the machine, on machines that a test makes up.

use super::{Finding, Scene, Status, login, program};
use crate::config::Config;
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

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
fn a_program_that_hangs_or_floods_is_cut_off_with_what_it_started() {
    let machine = tempfile::tempdir().unwrap();
    let file = machine.path().join("bin/p");
    let pids = machine.path().join("pids");
    let short = Duration::from_millis(300);
    let ask = |script: &str, limit| {
        executable(machine.path(), "bin/p", script);
        program::ask(&file, &["--version"], None, limit)
    };
    assert_eq!(ask("echo \"1.2 $1\"; echo noise >&2", program::LIMIT).unwrap(), "1.2 --version\n");
    assert!(ask("exit 3", program::LIMIT).unwrap_err().contains("3"));
    let start = Instant::now();
    // It closes its output and stays; a child of it keeps the output open and stays.
    for script in ["exec >&-; exec sleep 1000", "sleep 1000 & echo $! > PIDS; exit 0", "yes"] {
        let script = script.replace("PIDS", &pids.display().to_string());
        let _ = ask(&script, short);
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(
        program::ask(&machine.path().join("none"), &[], None, short).unwrap_err().contains("cannot be run")
    );
    if let Ok(pid) = fs::read_to_string(&pids).unwrap().trim().parse::<i32>() {
        // The program itself had ended in good order: what it left on purpose is not ours to end.
        let _ = rustix::process::kill_process(
            rustix::process::Pid::from_raw(pid).unwrap(),
            rustix::process::Signal::KILL,
        );
    }
}
