//! Bad input, each with a clear refusal or a diagnostic, and prompts that stay what the person wrote.

use crate::stage::{DEADLINE, Stage};
use e2e::{World, agents::pi::Edition, model_server::Step, run};
use std::{fs, os::unix::fs::PermissionsExt};

fn stage() -> Stage {
    Stage::new(Edition::Second)
}

// Field report D5: words of a person were taken for keys, options or commands.
#[test]
fn d5_prompts_are_taken_literally() {
    let stage = stage();
    stage.model.push(Step::text("I have heard you, loud and clear.").always());
    for (number, prompt) in ["Enter", "-t", ";", "!=x", "/help", "@x", "--model"].into_iter().enumerate() {
        let id = stage.start_named(&format!("d5-{number}"), prompt);
        let requests = stage
            .model
            .wait_until(prompt, DEADLINE, |requests| requests.len() > number)
            .unwrap_or_else(|error| panic!("{error}\n{}", stage.world.runner(&["screen", &id]).stdout));
        assert_eq!(
            requests[number].last_text("user").map(|text| text.trim().to_owned()).as_deref(),
            Some(prompt)
        );
        stage.wait_state(&id, "idle");
        stage.world.runner(&["rm", &id]).ok();
    }
}

#[test]
fn a_prompt_of_a_mebibyte_arrives_whole_and_leaves_no_file() {
    let stage = stage();
    stage.model.push(Step::text("That was quite a lot to read."));
    let line = "all work and no play makes a very dull prompt\n";
    let mut prompt: String = line.repeat(1024 * 1024 / line.len());
    prompt.push_str(&"x".repeat(1024 * 1024 - prompt.len()));
    // The kernel takes at most 128 KiB in one argument; standard input has no such limit.
    let work = stage.work();
    let arguments = ["start", "--agent", "pi", "--cwd", work.to_str().unwrap(), "-"];
    let id = run::run(stage.world.runner_command(&arguments), prompt.as_bytes(), DEADLINE).ok().line();
    let requests = stage.model.wait_for_requests(1, DEADLINE).unwrap();
    assert_eq!(requests[0].last_text("user").map(|text| text.len()), Some(prompt.len()));
    stage.wait_summary(&id, "That was quite a lot to read.");
    assert!(!stage.world.root().join(format!("sessions/{id}.prompt")).exists(), "nothing is left behind");
    assert!(stage.show(&id).to_string().len() < 100_000, "the row does not carry it along");
    let more = format!("{prompt}y");
    let refused = run::run(stage.world.runner_command(&arguments), more.as_bytes(), DEADLINE).expect_code(1);
    assert!(refused.stderr.contains("the limit is 1048576"), "{refused:?}");
}

fn program(world: &World, name: &str, text: &str) {
    let path = world.path("bin").join(name);
    let _ = fs::remove_file(&path);
    fs::write(&path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_start_that_cannot_work_says_what_is_needed_and_leaves_no_row() {
    let world = World::new();
    let start = |arguments: &[&str]| {
        let refused = world.runner(&[&["start", "--agent", "pi"], arguments].concat()).expect_code(1);
        assert_eq!(world.rows(), Vec::<serde_json::Value>::new(), "{refused:?}");
        refused.stderr
    };
    let missing = start(&["go"]);
    assert!(missing.contains("0.73.0 or later") && missing.contains("npm install"), "{missing}");
    program(&world, "pi", "#!/bin/sh\necho 0.50.3\n");
    let old = start(&["go"]);
    assert!(
        old.contains("0.50.3") && old.contains("0.73.0 or later") && old.contains("npm install"),
        "{old}"
    );
    program(&world, "pi", "#!/bin/sh\necho 3.14159\n");
    assert!(start(&["go"]).contains("does not say its version"));
    program(&world, "pi", "#!/bin/sh\necho 1.6.0\n");
    assert!(start(&["--model=--print", "go"]).contains("no name of a model"));
    assert!(start(&["--thinking", "hard", "go"]).contains("off, minimal, low"));
    assert!(start(&["--cwd", "/nowhere/at/all", "go"]).contains("there is no directory"));
    assert!(start(&["--", "ls", "-l"]).contains("pi is started with a prompt"));
    fs::create_dir(world.path("home/closed")).unwrap();
    let command = world.path("elsewhere/pi");
    let mut named = world.runner_command(&["start", "--agent", "pi", "go"]);
    named.env("AGENT_BOARD_PI_COMMAND", &command);
    let named = run::run(named, b"", DEADLINE).expect_code(1);
    assert!(named.stderr.contains("elsewhere/pi"), "{named:?}");
}

/// The environment of the session's program, as its hooks have it.
fn identity(stage: &Stage, session: &str) -> Vec<(String, String)> {
    let pid = stage.show(session)["child"]["pid"].as_u64().unwrap();
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap();
    let text = String::from_utf8_lossy(&environment);
    let pairs = text.split('\0').filter_map(|pair| pair.split_once('='));
    pairs
        .filter(|(name, _)| name.starts_with("AGENT_BOARD_"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn hook(stage: &Stage, identity: &[(String, String)], payload: &str) {
    let mut command = stage.world.runner_command(&["hook", "pi"]);
    command.envs(identity.iter().map(|(name, value)| (name, value)));
    let done = run::run(command, payload.as_bytes(), DEADLINE).ok();
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("", ""), "a hook says nothing");
}

// Field report A29: events without the right identity moved the wrong row.
#[test]
fn a29_an_event_counts_only_with_the_secret_of_a_session_that_runs() {
    let stage = stage();
    stage.model.push(Step::text("Everything is green now.").always());
    let (one, other) = (stage.start_named("one", "go"), stage.start_named("other", "go"));
    stage.wait_state(&one, "idle");
    stage.wait_state(&other, "idle");
    let before: Vec<_> = [&one, &other].map(|id| stage.world.row(id).unwrap()).into();
    let real = identity(&stage, &one);
    let with = |changes: &[(&str, &str)]| {
        let mut identity = real.clone();
        for (name, value) in changes {
            identity.retain(|(known, _)| known != name);
            if !value.is_empty() {
                identity.push(((*name).to_owned(), (*value).to_owned()));
            }
        }
        identity
    };
    let works = r#"{"v":1,"boot":"nobody","seq":1,"type":"agent_start"}"#;
    let gone = stage.world.path("nowhere.sock");
    let gone = gone.to_str().unwrap();
    hook(&stage, &with(&[("AGENT_BOARD_TOKEN", "guessed")]), works);
    hook(&stage, &with(&[("AGENT_BOARD_SESSION", "")]), works);
    hook(&stage, &with(&[("AGENT_BOARD_SESSION", &other), ("AGENT_BOARD_SOCKET", gone)]), works);
    hook(&stage, &with(&[("AGENT_BOARD_SESSION", "ffffffffff"), ("AGENT_BOARD_SOCKET", gone)]), works);
    hook(&stage, &real, "{\"type\": broken");
    hook(&stage, &real, r#"{"v":1,"boot":"nobody","seq":2,"type":"something_new"}"#);
    let codes = |id: &str| stage.show(id)["agent_detail"]["diagnostics"].to_string();
    stage.wait(&one, "diagnostics", |_| {
        let codes = codes(&one);
        codes.contains("malformed_event") && codes.contains("unknown_event")
    });
    // What lies in the spool is read with the next look around.
    stage.wait(&other, "a wrong secret", |_| codes(&other).contains("wrong_token"));
    let shown = stage.world.runner(&["show", &other]).ok().stdout;
    assert!(shown.contains("wrong_token"), "{shown}");
    let after: Vec<_> = [&one, &other].map(|id| stage.world.row(id).unwrap()).into();
    assert_eq!(before, after, "no row moved");
    // A session that has ended does not come back to life.
    stage.world.runner(&["stop", &one]).ok();
    stage.wait_state(&one, "stopped");
    hook(&stage, &real, works);
    stage.wait(&one, "too late", |_| codes(&one).contains("late_event"));
    assert_eq!(stage.world.row(&one).unwrap()["state"], "stopped");
}
