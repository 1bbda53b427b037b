//! Programs that answer, and those that hang, flood, or leave somebody behind.

use super::*;
use crate::process::{identify, signal};
use std::fs;

/// A program, written by another process: one that this process has open for writing cannot be run (ETXTBSY).
fn executable(file: &Path, script: &str) {
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#;
    assert!(Command::new("sh").arg("-c").arg(write).arg(file).arg(script).status().unwrap().success());
}

/// What a program with this script answers. Of a process whose pid it writes to `PID`: one that answered leaves it
/// behind, and it is ended here; one that did not is ended with it.
fn asked(script: &str, limit: Duration) -> Result<String, String> {
    let directory = tempfile::tempdir().unwrap();
    let (file, left) = (directory.path().join("program"), directory.path().join("pid"));
    executable(&file, &script.replace("PID", &left.display().to_string()));
    let answer = ask(&file, &["--version"], None, limit);
    let Ok(left) = fs::read_to_string(left) else { return answer };
    let left = identify(left.trim().parse().unwrap());
    match (&answer, left) {
        (Ok(_), left) => signal(left.expect("it was let alone"), Signal::KILL).unwrap(),
        (Err(_), None) => {}
        (Err(_), Some(left)) => {
            // Killed, and perhaps not dead yet.
            let Ok(ending) = pidfd_open(Pid::from_raw(left.pid.cast_signed()).unwrap(), PidfdFlags::empty())
            else {
                return answer;
            };
            let timeout = Timespec::try_from(Duration::from_secs(10)).unwrap();
            let ended = poll(&mut [PollFd::new(&ending, PollFlags::IN)], Some(&timeout)).unwrap();
            assert_eq!(ended, 1, "{script}: what it started lives on");
        }
    }
    answer
}

#[test]
fn an_answer_is_what_a_program_printed_before_it_ended_well() {
    assert_eq!(asked("echo \"1.2 $1\"; echo noise >&2", LIMIT).unwrap(), "1.2 --version\n");
    assert!(asked("echo 1.2; exit 3", LIMIT).unwrap_err().contains("3"));
    assert!(ask(Path::new("/nonexistent"), &[], None, LIMIT).unwrap_err().contains("cannot be run"));
}

#[test]
fn a_program_that_hangs_is_ended_with_what_it_started() {
    let short = Duration::from_millis(300);
    for script in ["exec >&-; exec sleep 1000", "yes", "sleep 1000 & echo $! > PID; wait"] {
        assert!(asked(script, short).unwrap_err().contains("did not answer"), "{script}");
    }
}

// One search for a program waited for whoever had its output open, and ended what it had called for an answer.
#[test]
fn what_a_program_leaves_behind_with_its_output_is_let_alone_and_not_waited_for() {
    let start = Instant::now();
    assert_eq!(asked("sleep 1000 & echo $! > PID; echo 1.2", LIMIT).unwrap(), "1.2\n");
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

// It stood still with a full pipe that nobody read, and was called hung.
#[test]
fn a_program_that_prints_more_than_a_pipe_takes_ends_and_what_is_kept_has_a_limit() {
    let answer = asked("echo 1.2; head -c 1048576 /dev/zero", LIMIT).unwrap();
    assert!(answer.starts_with("1.2\n"));
    assert_eq!(answer.len(), MAX_BYTES);
}

#[test]
fn only_an_executable_in_an_absolute_directory_counts_unless_it_is_known_where_one_stands() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let file = here.join("bin/zellij");
    fs::create_dir(here.join("bin")).unwrap();
    let path = std::env::join_paths([Path::new("relative"), &here.join("bin")]).unwrap();
    assert_eq!(on_path("zellij", &path), None);
    fs::write(&file, "").unwrap();
    assert_eq!(on_path("zellij", &path), None);
    executable(&file, "");
    assert_eq!(on_path("zellij", &path), Some(file.clone()));
    assert_eq!(on_path("zellij", OsStr::new("bin")), None);
    assert_eq!(on_path_in(here, "zellij", OsStr::new("bin")), Some(file));
    assert_eq!(on_path_in(&here.join("bin"), "zellij", OsStr::new("")), Some(here.join("bin/zellij")));
    assert_eq!(on_path("zellij", OsStr::new("")), None);
}

#[test]
fn a_replaced_program_is_told_as_the_file_in_its_place_and_a_removed_one_is_not() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("host-runner");
    let marked = directory.path().join("host-runner (deleted)");
    assert_eq!(replacement(&marked), None);
    fs::write(&file, "").unwrap();
    assert_eq!(replacement(&marked), Some(file.clone()));
    assert_eq!(replacement(&file), None);
    assert_eq!(runner_path().unwrap(), own_program().unwrap().canonicalize().unwrap());
}
