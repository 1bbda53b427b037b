//! The words of a start: literal, long, refused.

use e2e::{
    claude_stage::{DEADLINE, Stage},
    keys,
    model_server::{Gate, Step},
};

/// Field report D5: words of a person were interpreted as keys, options or commands.
#[test]
fn d5_a_prompt_arrives_as_it_was_written() {
    let stage = Stage::new();
    stage.model.push(Step::text("Understood.").always());
    for (number, prompt) in
        ["--help", "/clear", "mcp", "!ls", "two\nlines; $HOME `id` 'quoted'"].iter().enumerate()
    {
        let id = stage.try_start(&["--name", &format!("p{number}"), "--", prompt]).ok().line();
        stage.wait_state(&id, "idle");
        let asked = stage.turns().last().unwrap().last_text("user").unwrap();
        assert!(asked.trim_end().ends_with(prompt), "{prompt:?}: {asked:?}");
        stage.world.runner(&["stop", &id]).ok();
    }
}

/// How a reply is written to its terminal: a paste, then Return.
#[test]
fn a_paste_and_return_are_one_prompt_with_all_its_lines() {
    let stage = Stage::new();
    stage.model.push(Step::text("Understood.").always());
    let id = stage.start("begin");
    stage.wait_state(&id, "idle");
    let mut terminal = stage.attach(&id, "Understood.");
    for words in ["first line\n\nthird; `id` $HOME \u{1f600}", "Enter", "-t"] {
        let before = stage.turns().len();
        terminal.send(keys::paste(words));
        stage.wait_typed(&terminal, words.lines().next().unwrap());
        terminal.send(keys::ENTER);
        e2e::wait::within(DEADLINE, "a turn", || (stage.turns().len() > before).then_some(()));
        let asked = stage.turns().last().unwrap().last_text("user").unwrap();
        assert!(asked.ends_with(words), "{words:?}: {asked:?}");
        stage.wait(&id, "settled", |row| row["busy"] == false && row["state"] == "idle");
    }
    terminal.send(keys::DETACH);
    terminal.wait_ended();
}

/// Field report D3: a very long text was cut.
#[test]
fn d3_a_prompt_of_a_mebibyte_arrives_whole_and_leaves_no_file_behind() {
    let stage = Stage::new();
    stage.model.push(Step::text("That was long."));
    let words = format!("begin {} end", "word ".repeat(1024 * 1024 / 5 - 10));
    let mut command = stage.world.runner_command(&["start", "--agent", "claude", "--name", "long", "-"]);
    command.current_dir(stage.work());
    let started = e2e::run::run(command, words.as_bytes(), DEADLINE);
    let id = started.ok().line();
    let row = stage.wait_state(&id, "idle");
    assert_eq!(row["summary"], "That was long.");
    let asked = stage.turns().last().unwrap().last_text("user").unwrap();
    assert!(asked.contains(&words), "{} bytes arrived", asked.len());
    let left: Vec<_> = walk(&stage.world.root()).into_iter().filter(|path| path.contains("prompt")).collect();
    assert_eq!(left, Vec::<String>::new());
}

fn walk(directory: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(walk(&entry.path()));
        } else {
            found.push(entry.path().to_string_lossy().into_owned());
        }
    }
    found
}

#[test]
fn what_claude_code_cannot_take_is_refused_before_anything_starts() {
    let stage = Stage::new();
    for (arguments, words) in [
        (&["--thinking", "off", "--", "go"][..], "low, medium, high, xhigh, max"),
        (&["--model=--print", "--", "go"], "no name of a model"),
    ] {
        let refused = stage.try_start(arguments).expect_code(1);
        assert!(refused.stderr.contains(words), "{arguments:?}: {}", refused.stderr);
    }
    assert_eq!(stage.world.rows().len(), 0);
}

#[test]
fn a_setting_names_another_one_and_doctor_says_which() {
    let stage = Stage::new();
    let doctor = stage.world.runner(&["doctor"]);
    assert!(doctor.stdout.contains(e2e::agents::claude::VERSION), "{}", doctor.stdout);
    let mut command = stage.world.runner_command(&["start", "--agent", "claude", "go"]);
    command.env("AGENT_BOARD_CLAUDE_COMMAND", "/nowhere/claude").current_dir(stage.work());
    let refused = e2e::run::run(command, b"", DEADLINE);
    assert!(refused.stderr.contains("claude_command names /nowhere/claude"), "{}", refused.stderr);
}

/// Its reports have no numbers, and so words for it waited for ever.
#[test]
fn a_reply_starts_its_next_turn_and_one_that_waits_follows_it() {
    let stage = Stage::new();
    stage.model.push(Step::text("What next?"));
    let id = stage.start("look around");
    stage.wait(&id, "the end of its turn", |row| row["process_state"] == "exited");
    let gate = Gate::new();
    stage.model.push(Step::slow("I do", &gate, " it now."));
    stage.model.push(Step::text("That too."));
    stage.world.runner(&["reply", &id, "do it"]).ok();
    stage.wait_state(&id, "working");
    stage.world.runner(&["reply", "--queue", &id, "and that\nas well"]).ok();
    gate.open();
    let row = stage.wait(&id, "the second answer", |row| row["summary"] == "That too.");
    assert_eq!(row["queued"], 0, "{row:#}");
    let said: Vec<String> = stage.turns().iter().filter_map(|asked| asked.last_text("user")).collect();
    for words in ["do it", "and that\nas well"] {
        assert_eq!(said.iter().filter(|text| text.ends_with(words)).count(), 1, "{words}: {said:?}");
    }
}
