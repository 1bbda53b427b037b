//! Interrupts, crashes, clean ends, and entering an ended session again (flows 3 and 7).

use crate::{
    both,
    stage::{DEADLINE, Stage},
};
use e2e::{
    keys,
    model_server::{Gate, Part, Step},
    processes::Process,
};
use rustix::process::Signal;
use serde_json::{Value, json};

fn says(words: &str) -> Step {
    Step::text(words)
}

/// A model that never comes to an end by itself.
fn endless(gate: &Gate) -> Step {
    Step::stream([Part::Text("Let me think about that. ".into()), Part::Wait(gate.clone())])
}

fn program(stage: &Stage, session: &str) -> Process {
    let pid = stage.show(session)["child"]["pid"].as_u64().unwrap();
    let all = stage.world.processes();
    all.into_iter().find(|process| u64::from(process.identity.pid) == pid).unwrap()
}

both! {
    fn esc_in_the_attach_pane_interrupts_and_the_row_follows(stage) {
        let gate = Gate::new();
        stage.model.push(endless(&gate));
        let id = stage.start("think");
        stage.wait_state(&id, "working");
        stage.in_terminal(&id, "Let me think", |terminal| {
            // The model never comes to an end by itself: what the row follows is the key.
            terminal.send(keys::ESC);
            let row = stage.wait(&id, "interrupted", |row| row["process_state"] == "exited");
            assert_eq!((&row["state"], &row["host_state"]), (&json!("idle"), &json!("alive")));
        });
    }

    fn the_interrupt_command_is_one_key_and_only_while_a_turn_runs(stage) {
        let gate = Gate::new();
        stage.model.push(endless(&gate));
        let id = stage.start("think");
        stage.wait_state(&id, "working");
        stage.world.wait_text(&id, "Let me think");
        stage.world.runner(&["interrupt", &id]).ok();
        let row = stage.wait_state(&id, "idle");
        assert_eq!((&row["process_state"], &row["error"]), (&json!("exited"), &Value::Null));
        let refused = stage.world.runner(&["interrupt", &id]).expect_code(1);
        assert!(refused.stderr.contains("nothing to interrupt"), "{refused:?}");
        // It goes on as if nothing had happened.
        stage.model.push(says("Back at work, and done already."));
        stage.in_terminal(&id, "Let me think", |terminal| {
            terminal.line("go on");
            stage.wait_summary(&id, "Back at work, and done already.");
        });
    }

    fn a_crash_is_failed_with_the_reason_and_the_last_screen(stage) {
        let gate = Gate::new();
        stage.model.push(endless(&gate));
        let id = stage.start("think");
        stage.wait_state(&id, "working");
        stage.world.wait_text(&id, "Let me think");
        stage.world.signal(&program(stage, &id), Signal::KILL);
        let row = stage.wait_state(&id, "failed");
        assert_eq!((&row["error"], &row["unread"]), (&json!("signal 9 (SIGKILL)"), &json!(true)));
        assert_eq!((&row["busy"], &row["host_state"]), (&json!(false), &json!("exited")));
        stage.world.wait_text(&id, "Let me think");
        let evidence = &stage.show(&id)["agent_detail"]["evidence"];
        assert_eq!(evidence, "process exit: signal 9 (SIGKILL)");
    }

    /// Field report A19: a question and a clean exit were taken for done.
    fn a19_a_clean_exit_needs_instructions_and_is_never_done(stage) {
        stage.model.push(says("Which database should I use?"));
        let id = stage.start("choose");
        stage.wait_state(&id, "needs_input");
        stage.wait(&id, "settled", |row| row["process_state"] == "exited");
        let mut terminal = stage.world.terminal("attach", &["host-runner", "attach", &id]);
        terminal.wait_within(DEADLINE, "the question", |screen| screen.has("Which database"));
        terminal.send(keys::ctrl('d'));
        terminal.wait_ended();
        let row = stage.wait(&id, "ended", |row| row["host_state"] == "exited");
        assert_eq!((&row["state"], &row["ended"]), (&json!("idle"), &json!("exit code 0")));
        assert_eq!((&row["question"], &row["error"]), (&Value::Null, &Value::Null));
    }

    fn a_stopped_session_is_stopped_whatever_pi_says(stage) {
        let gate = Gate::new();
        stage.model.push(endless(&gate));
        let id = stage.start("think");
        stage.wait_state(&id, "working");
        stage.world.runner(&["stop", &id]).ok();
        let row = stage.wait_state(&id, "stopped");
        assert_eq!((&row["error"], &row["busy"]), (&Value::Null, &json!(false)));
    }

    fn an_exited_session_goes_on_in_a_fresh_host_on_the_same_transcript(stage) {
        stage.model.push(says("The answer is forty-two, of course."));
        let id = stage.start("what is the answer");
        stage.wait_state(&id, "idle");
        let first = stage.show(&id);
        stage.world.runner(&["stop", &id]).ok();
        stage.wait_state(&id, "stopped");
        // Looking alone starts nothing.
        let looking = stage.world.terminal("looking", &["host-runner", "attach", "--read-only", &id]);
        looking.wait_within(DEADLINE, "a refusal", |screen| screen.has("has ended"));
        assert_eq!(stage.world.row(&id).unwrap()["host_state"], "exited");

        stage.model.push(says("As I said before: forty-two it is."));
        // The old conversation is on the screen of the new process.
        stage.in_terminal(&id, "forty-two", |terminal| {
            let row = stage.wait(&id, "a host", |row| row["host_state"] == "alive");
            assert_eq!((&row["state"], &row["process_state"]), (&json!("idle"), &json!("exited")), "{row:#}");
            terminal.line("say it again");
            stage.wait_summary(&id, "As I said before: forty-two it is.");
        });
        let asked = stage.model.requests();
        assert_eq!(asked.len(), 2, "the first prompt was not said again");
        let last = serde_json::to_string(&asked[1].body).unwrap();
        assert!(last.contains("what is the answer") && last.contains("The answer is forty-two"), "{last}");
        let second = stage.show(&id);
        assert_ne!(first["host"]["generation"], second["host"]["generation"]);
        let file = |detail: &Value| detail["agent_detail"]["transcript"].clone();
        assert_eq!(file(&first), file(&second));
        assert_eq!(first["created_at_ms"], second["created_at_ms"]);
    }

    fn plain_left_detaches_from_an_empty_editor_and_from_no_other(stage) {
        stage.model.push(says("Everything is green now."));
        let id = stage.start("go");
        stage.wait_state(&id, "idle");
        let mut terminal = stage.world.terminal("attach", &["host-runner", "attach", &id]);
        terminal.wait_within(DEADLINE, "pi", |screen| screen.has("Everything is green"));
        terminal.send("qxw");
        terminal.wait_for("qxw");
        // Into the text, not away from it.
        terminal.send("\x1b[D").send("v");
        terminal.wait_for("qxvw");
        terminal.send("\x1b[C\x7f\x7f\x7f\x7f");
        terminal.wait_gone("qx");
        // As soon as pi has said that its editor is empty again; until then the key is pi's, where it does nothing.
        e2e::wait::within(DEADLINE, "the end of the attach client", || {
            terminal.send(keys::LEFT);
            terminal.has_ended().then_some(())
        });
        assert_eq!(stage.world.row(&id).unwrap()["host_state"], "alive");
    }
}
