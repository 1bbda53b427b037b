//! Whole runs through the command line, with a pi that is a script and speaks pi's lines.

use crate::support::{Board, until};
use board_protocol::{
    command::{Command, CommandOutcome, EnvVar},
    hello::Role,
    ids::SessionId,
    state::{HostState, ProcessState, SemanticState},
};
use std::{fs, os::unix::fs::PermissionsExt, process::Output};

/// Says what it was asked, one answer for each; waits for a file where the prompt says so.
const PI: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo 1.6.0; exit 0; }
for last; do :; done
case " $* " in *" json "*) ;; *) exec sleep 1000 ;; esac
echo "$last" >> "$HOME/prompts"
echo "$@" >> "$HOME/arguments"
case "$last" in *wait*) until [ -e "$HOME/go" ]; do sleep 0.05; done ;; esac
printf '{"type":"session","version":3,"id":"c1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n'
printf '{"type":"agent_start"}\n'
printf '{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"Read: %s."}],"stopReason":"stop","model":"m","provider":"fake","usage":{"input":10,"output":2,"cacheRead":0,"cacheWrite":0,"totalTokens":12}}}\n' "$last"
printf '{"type":"agent_end","messages":[]}\n'
"#;

struct Flow {
    board: Board,
    knobs: Vec<(&'static str, &'static str)>,
}

impl Flow {
    fn new(knobs: &[(&'static str, &'static str)]) -> Self {
        let board = Board::new();
        let pi = board.path().join("pi");
        fs::write(&pi, PI).unwrap();
        fs::set_permissions(&pi, fs::Permissions::from_mode(0o755)).unwrap();
        Self { board, knobs: knobs.to_vec() }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let pi = self.board.path().join("pi");
        let mut command = self.board.command(arguments);
        command.env("AGENT_BOARD_PI_COMMAND", pi).envs(self.knobs.iter().copied()).output().unwrap()
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    fn begin(&self, prompt: &str) -> SessionId {
        SessionId::parse(&self.ok(&["run", "--agent", "pi", prompt])).expect("run prints an id")
    }

    fn prompts(&self) -> Vec<String> {
        let text = fs::read_to_string(self.board.path().join("prompts")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn let_go(&self) {
        fs::write(self.board.path().join("go"), "").unwrap();
    }
}

#[test]
fn c10_1_a_run_from_the_command_line_to_its_last_words() {
    let flow = Flow::new(&[]);
    assert_eq!(flow.ok(&["run", "--agent", "pi", "--name", "job", "--wait", "first"]), "Read: first.");
    let rows =
        flow.board.wait("the row rests", |rows| rows.iter().any(|row| row.state == SemanticState::Idle));
    let row = &rows[0];
    assert_eq!((row.name.as_str(), row.headless, row.busy), ("job", true, false));
    let detail = flow.board.show(&row.id);
    assert_eq!(detail.agent.session_id.as_deref(), Some("c1"));
    assert_eq!((detail.agent.tokens_read, detail.agent.tokens_written), (10, 2));
    assert!(detail.classification.is_some(), "its last words were read");
    // The same conversation goes on.
    assert_eq!(flow.ok(&["run", "--session", "job", "--wait", "second"]), "Read: second.");
    let arguments = fs::read_to_string(flow.board.path().join("arguments")).unwrap();
    let files: Vec<_> = arguments
        .lines()
        .map(|line| line.split_once("--session ").unwrap().1.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(files[0], files[1], "{arguments}");
    assert_eq!(flow.board.show(&row.id).agent.tokens_read, 20);
    assert!(flow.board.show(&row.id).queue.is_empty());
}

#[test]
fn d10_words_that_wait_for_a_run_go_on_in_another_one_each() {
    let flow = Flow::new(&[]);
    let session = flow.begin("wait for it");
    flow.board.wait_state(&session, SemanticState::Working);
    for words in ["second", "third"] {
        flow.ok(&["reply", session.as_str(), words]);
    }
    assert_eq!(flow.board.show(&session).queue.len(), 2);
    flow.let_go();
    until("all of them were said", || flow.prompts().len() == 3);
    assert_eq!(flow.prompts(), ["wait for it", "second", "third"]);
    flow.board.wait_state(&session, SemanticState::Idle);
    assert!(flow.board.show(&session).queue.is_empty());
}

#[test]
fn f16_what_waits_for_a_run_that_was_stopped_is_never_said() {
    let flow = Flow::new(&[]);
    let session = flow.begin("wait for ever");
    flow.board.wait_state(&session, SemanticState::Working);
    until("the agent has begun", || flow.prompts().len() == 1);
    flow.ok(&["reply", session.as_str(), "Continue"]);
    flow.ok(&["stop", session.as_str()]);
    flow.board.wait_state(&session, SemanticState::Stopped);
    for _ in 0..3 {
        flow.ok(&["shutdown"]);
        flow.ok(&["ls"]);
        flow.ok(&["reconcile"]);
        assert_eq!(flow.board.show(&session).row.state, SemanticState::Stopped);
    }
    assert_eq!(flow.prompts(), ["wait for ever"]);
    assert_eq!(flow.board.show(&session).queue.len(), 1);
}

#[test]
fn d4_a_reply_to_an_ended_session_runs_headless_where_that_is_configured() {
    let flow = Flow::new(&[("AGENT_BOARD_REPLY_TO_ENDED", "headless")]);
    let session = flow.begin("first");
    flow.board.wait_state(&session, SemanticState::Idle);
    flow.ok(&["reply", session.as_str(), "go on"]);
    until("the reply was said", || flow.prompts().len() == 2);
    let rows = flow.board.wait("it rests again", |rows| rows[0].process_state == ProcessState::Exited);
    assert_eq!((rows[0].state, rows[0].headless), (SemanticState::Idle, true));
    assert_eq!(flow.prompts(), ["first", "go on"]);
}

#[test]
fn d4_a_reply_to_an_ended_session_waits_where_that_is_configured() {
    let flow = Flow::new(&[("AGENT_BOARD_REPLY_TO_ENDED", "wait")]);
    let session = flow.begin("first");
    flow.board.wait_state(&session, SemanticState::Idle);
    flow.ok(&["reply", session.as_str(), "go on"]);
    flow.ok(&["reconcile"]);
    let detail = flow.board.show(&session);
    assert_eq!((detail.queue.len(), detail.row.state), (1, SemanticState::Idle));
    assert_eq!(flow.prompts(), ["first"]);
}

#[test]
fn d3_a_title_and_a_line_come_from_commands_of_a_persons_own() {
    let flow = Flow::new(&[
        ("AGENT_BOARD_TITLE_COMMAND", "cat > ~/asked-for-a-title; echo 'Mend the login page today'"),
        ("AGENT_BOARD_SUMMARY_COMMAND", "cat > ~/asked-for-a-line; echo 'The login works again.'"),
    ]);
    let session = flow.begin("the login fails");
    flow.board.wait("its name and its line", |rows| {
        rows.iter().any(|row| {
            row.id == session && row.name == "Mend the login page" && row.summary == "The login works again"
        })
    });
    let asked = |file: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(flow.board.path().join(file)).unwrap()).unwrap()
    };
    assert_eq!(asked("asked-for-a-title")["text"], "the login fails");
    assert_eq!(asked("asked-for-a-line")["text"], "Read: the login fails.");
    // A name of the person's own stays.
    flow.ok(&["run", "--agent", "pi", "--name", "mine", "--wait", "another"]);
    flow.board.wait("its line", |rows| {
        rows.iter().any(|row| row.name == "mine" && row.summary == "The login works again")
    });
    assert_eq!(asked("asked-for-a-title")["text"], "the login fails");
}

#[test]
fn a_wait_says_what_goes_on_without_it() {
    let flow = Flow::new(&[]);
    let output = flow.run(&["run", "--agent", "pi", "--wait", "first"]);
    let session = flow.board.wait("the row", |rows| !rows.is_empty())[0].id.clone();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Read: first.\n");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("host-runner stop {session}")), "{said}");
}

#[test]
fn the_age_of_the_environment_is_that_of_the_newest_run() {
    let flow = Flow::new(&[]);
    flow.ok(&["run", "--agent", "pi", "--name", "job", "--wait", "first"]);
    let session = flow.board.wait("the row", |rows| !rows.is_empty())[0].id.clone();
    let first = flow.board.show(&session).environment_at_ms.unwrap();
    flow.ok(&["run", "--session", "job", "--wait", "second"]);
    assert!(flow.board.show(&session).environment_at_ms.unwrap() > first);
    // What only informs is in the log alone.
    assert!(flow.board.show(&session).agent.diagnostics.is_empty());
    assert!(flow.ok(&["log", "job"]).contains("runner_start"));
    assert!(!flow.ok(&["show", "job"]).contains("diagnostic"));
}

#[test]
fn d2_a_stop_through_the_board_before_the_worker_runs_is_replayed() {
    let flow = Flow::new(&[("AGENT_BOARD_TEST_BOOT_WINDOW_MS", "600000")]);
    let session = flow.begin("first");
    flow.board.wait_state(&session, SemanticState::Working);
    flow.ok(&["stop", session.as_str()]);
    let row = flow.board.wait_state(&session, SemanticState::Stopped);
    assert_eq!(row.process_state, ProcessState::Exited);
    assert!(flow.ok(&["log", session.as_str()]).contains("stop_latch_replayed"));
}

#[test]
fn a_run_is_refused_where_it_cannot_be() {
    let flow = Flow::new(&[]);
    let says = |arguments: &[&str]| {
        let output = flow.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let shell = flow.board.start(&["--", "sleep", "1000"]);
    assert!(says(&["run", "--session", shell.as_str(), "x"]).contains("runs in a terminal"));
    assert!(says(&["run", "--agent", "generic", "x"]).contains("needs an agent"));
    let session = flow.begin("wait for it");
    flow.board.wait_state(&session, SemanticState::Working);
    assert!(says(&["run", "--session", session.as_str(), "x"]).contains("wait for the active run"));
    assert!(says(&["hold", session.as_str()]).contains("wait for the active run"));
    assert_eq!(flow.board.show(&session).queue.len(), 0, "what was refused waits nowhere");
    flow.let_go();
    flow.board.wait_state(&session, SemanticState::Idle);
}

#[test]
fn a_wait_for_a_run_that_fails_or_takes_too_long_says_so() {
    let flow = Flow::new(&[]);
    let output = flow.run(&["run", "--agent", "pi", "--wait", "--timeout", "100ms", "wait for it"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    flow.let_go();
    fs::write(
        flow.board.path().join("pi"),
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo 1.6.0; exit; }\nexit 7\n",
    )
    .unwrap();
    let output = flow.run(&["run", "--agent", "pi", "--wait", "--json", "x"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["state"], "failed", "{told}");
    assert!(told["error"].as_str().unwrap().contains("exit code 7"), "{told}");
}

#[test]
fn c9_a_run_without_a_daemon_is_told_to_the_next_command() {
    let flow = Flow::new(&[("AGENT_BOARD_COORDINATOR", "off")]);
    let refused = flow.run(&["run", "--agent", "pi", "--wait", "first"]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let session = flow.begin("first");
    let rests = || {
        let rows: Vec<board_protocol::board::Row> =
            serde_json::from_str(&flow.ok(&["ls", "--json"])).unwrap();
        rows.iter().any(|row| row.id == session && row.state == SemanticState::Idle)
    };
    until("the next commands find its end", rests);
    assert_eq!(flow.prompts(), ["first"]);
    let stopped = flow.begin("wait for ever");
    until("the agent has begun", || flow.prompts().len() == 2);
    flow.ok(&["stop", stopped.as_str()]);
    let rows: Vec<board_protocol::board::Row> = serde_json::from_str(&flow.ok(&["ls", "--json"])).unwrap();
    assert!(rows.iter().any(|row| row.id == stopped && row.state == SemanticState::Stopped), "{rows:?}");
}

#[test]
fn a_session_of_runs_is_entered_once_nothing_runs_in_it() {
    let flow = Flow::new(&[]);
    let session = flow.begin("wait for it");
    flow.board.wait_state(&session, SemanticState::Working);
    let enter = || {
        let pi = flow.board.path().join("pi").to_string_lossy().into_owned();
        let variables = [("AGENT_BOARD_PI_COMMAND", pi.as_str()), ("PATH", "/usr/bin:/bin")];
        let variable = |(name, value): (&str, &str)| EnvVar {
            name: name.as_bytes().to_vec().into(),
            value: value.as_bytes().to_vec().into(),
        };
        let environment = variables.into_iter().map(variable).collect();
        let command = Command::Resume { session: session.clone() };
        flow.board.client(Role::Cli).command(command, Some(environment)).unwrap()
    };
    match enter() {
        CommandOutcome::Refused(refusal) => assert!(refusal.text.contains("without a terminal"), "{refusal}"),
        applied => panic!("two processes would write one conversation: {applied:?}"),
    }
    flow.let_go();
    flow.board.wait_state(&session, SemanticState::Idle);
    assert!(matches!(enter(), CommandOutcome::Applied { .. }));
    let rows = flow.board.wait("it has a terminal", |rows| rows[0].host_state == HostState::Alive);
    assert_eq!((rows[0].state, rows[0].headless), (SemanticState::Idle, false));
}
