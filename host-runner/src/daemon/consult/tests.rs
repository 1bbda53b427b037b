//! Commands that answer, fail, hang, flood and fork.

use super::*;

/// Longer than anything here takes, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

fn shell(line: &str) -> Vec<String> {
    CommandLine::Shell(line.to_owned()).argv()
}

fn asked(line: &str, input: &str) -> Result<String, String> {
    run(&shell(line), input, PATIENCE, &AtomicBool::new(false))
}

#[test]
fn a_command_reads_its_question_and_prints_its_answer() {
    assert_eq!(asked("cat", "a question"), Ok("a question".to_owned()));
    assert_eq!(
        run(&["printf".into(), "a b".into()], "", PATIENCE, &AtomicBool::new(false)),
        Ok("a b".into())
    );
    // One that reads nothing is no fault, however long the question is.
    assert_eq!(asked("echo yes", &"x".repeat(1_000_000)), Ok("yes\n".to_owned()));
    let long = "y".repeat(15_000);
    assert_eq!(asked("cat", &long), Ok(long));
}

#[test]
fn a_command_runs_in_the_root_directory_without_a_session() {
    let printed = asked(
        "pwd; echo ${AGENT_BOARD_NO_SWEEP} ${AGENT_BOARD_TOKEN-none}; ps -o pgid= -p $$ | tr -d ' '; echo $$",
        "",
    );
    let printed = printed.unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(&lines[..2], ["/", "1 none"]);
    assert_eq!(lines[2], lines[3], "it leads a group of its own");
}

#[test]
fn what_goes_wrong_is_said_in_half_a_sentence() {
    assert_eq!(
        asked("echo; echo 'no key' >&2; exit 3", ""),
        Err("it failed (exit status: 3): no key".to_owned())
    );
    assert!(asked("kill -9 $$", "").unwrap_err().contains("signal: 9"));
    let missing = run(&["/nowhere/at-all".into()], "", PATIENCE, &AtomicBool::new(false)).unwrap_err();
    assert!(missing.starts_with("it cannot be started"), "{missing}");
    assert_eq!(asked("printf '\\377'", ""), Err("what it printed is no text".to_owned()));
}

#[test]
fn a_flood_is_ended_and_complaints_are_no_flood() {
    assert_eq!(asked("yes", ""), Err(too_much()));
    assert_eq!(asked("head -c 16385 /dev/zero", ""), Err(too_much()));
    assert_eq!(asked("head -c 300000 /dev/zero >&2; echo fine", ""), Ok("fine\n".to_owned()));
}

#[test]
fn one_that_hangs_is_ended_with_all_that_it_started() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pids");
    let line = format!("sleep 1000 & echo $! > {0}; echo $$ >> {0}; wait", file.display());
    let running = Running::start(&shell(&line), "").unwrap();
    let pids = pids_in(&file, 2);
    // Its time is over once it has started what is to end with it.
    let answer = running.finish(Instant::now(), &AtomicBool::new(false));
    assert_eq!(answer, Err("it took too long and was ended".to_owned()));
    for pid in pids {
        assert_gone(pid);
    }
}

#[test]
fn one_that_forks_is_not_waited_for_and_its_forks_end() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    // The fork holds both pipes open.
    let line = format!("sleep 1000 & echo $! > {}; echo done", file.display());
    // Whoever waited for the fork would answer that it took too long.
    assert_eq!(asked(&line, ""), Ok("done\n".to_owned()));
    pids_in(&file, 1).into_iter().for_each(assert_gone);
}

#[test]
fn one_that_leaves_its_group_holds_nobody_up() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    // It holds the pipe open for longer than anybody waits here, and says so before the command ends.
    let sleeper = format!("echo $$ >> {0}; exec sleep 1000", file.display());
    let line = format!("setsid sh -c '{sleeper}' & until [ -s {0} ]; do :; done; echo done", file.display());
    let answer = asked(&line, "");
    for pid in pids_in(&file, 1) {
        let sleeper = crate::process::identify(pid).expect("what left the group runs on");
        crate::process::signal(sleeper, Signal::KILL).unwrap();
    }
    assert_eq!(answer, Ok("done\n".to_owned()));
}

#[test]
fn a_daemon_that_ends_takes_its_commands_along() {
    let ending = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&ending);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let line = format!("echo $$ > {0}.part; mv {0}.part {0}; sleep 1000", file.display());
    let running = std::thread::spawn(move || run(&shell(&line), "", PATIENCE, &flag));
    let deadline = Instant::now() + PATIENCE;
    while !file.exists() {
        assert!(Instant::now() < deadline, "the command did not begin");
        std::thread::yield_now();
    }
    ending.store(true, Ordering::Relaxed);
    assert_eq!(running.join().unwrap(), Err("the daemon ends".to_owned()));
    assert_gone(std::fs::read_to_string(&file).unwrap().trim().parse().unwrap());
}

/// The pids in a file, once there are so many.
fn pids_in(file: &std::path::Path, count: usize) -> Vec<u32> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        // A line without its end may be half a number.
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let pids: Vec<u32> = whole.filter_map(|line| line.trim().parse().ok()).collect();
        if pids.len() >= count {
            return pids;
        }
        assert!(Instant::now() < deadline, "only these have begun: {pids:?}");
        std::thread::yield_now();
    }
}

/// A killed process that nobody has reaped yet is as good as gone.
fn assert_gone(pid: u32) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        let state =
            stat.ok().and_then(|stat| stat.rsplit_once(')').and_then(|(_, rest)| rest.trim().chars().next()));
        if matches!(state, None | Some('Z' | 'X')) {
            return;
        }
        assert!(Instant::now() < deadline, "{pid} still runs");
        std::thread::yield_now();
    }
}
