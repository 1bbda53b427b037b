//! Flow 3: Esc interrupts, a crash fails with its reason and its last screen, a clean exit waits for instructions.

use crate::{
    both,
    support::{board, enter, wait_says},
};
use board_protocol::state::SemanticState::{Failed, Idle, NeedsInput};
use e2e::{
    keys,
    model_server::{Gate, Heard, Step},
    pi_stage::{DEADLINE, Stage},
    processes::Process,
    steps::{insert, is_board, leave, wait_normal},
};

/// The process of the one pi that runs.
fn pi(stage: &Stage, session: &str) -> Process {
    let pid = stage.show(session)["child"]["pid"].clone();
    let process = stage.world.processes().into_iter().find(|process| pid == process.identity.pid);
    process.unwrap_or_else(|| panic!("no process {pid}"))
}

both! {
    fn flow3_esc_in_the_pane_interrupts_and_the_row_follows(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("I begin at the beginning", &gate, "."));
        let terminal = board(stage);
        insert(&terminal, "interrupted");
        stage.wait_state("interrupted", "working");
        enter(&terminal, "interrupted", "I begin at the beginning");
        terminal.send(keys::ESC);
        let row = stage.wait_state("interrupted", "idle");
        assert_eq!((&row["host_state"], &row["busy"]), (&"alive".into(), &false.into()), "{row:#}");
        assert_eq!(row["question"], serde_json::Value::Null);
        let asked = stage.model.wait_until("the answer was given up", DEADLINE, |asked| asked[0].heard == Heard::Abandoned);
        asked.unwrap();
        leave(&terminal);
        wait_says(&terminal, "interrupted", Idle, "");
        // It is no end: the next words are a turn like any other.
        stage.model.push(Step::text("Fine, from the end then."));
        enter(&terminal, "interrupted", "I begin at the beginning");
        terminal.line("from the end");
        terminal.wait_within(DEADLINE, "the answer", |screen| screen.has("Fine, from the end then."));
        leave(&terminal);
        wait_says(&terminal, "interrupted", Idle, "Fine, from the end then.");
    }

    fn flow3_a_killed_pi_is_failed_with_its_reason_and_its_last_screen(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("My last words", &gate, "."));
        let terminal = board(stage);
        insert(&terminal, "crashed");
        stage.wait_state("crashed", "working");
        stage.world.wait_text("crashed", "My last words");
        stage.world.kill(&pi(stage, "crashed"));
        wait_says(&terminal, "crashed", Failed, "signal 9 (SIGKILL)");
        let row = stage.wait_state("crashed", "failed");
        assert_eq!((&row["host_state"], &row["busy"]), (&"exited".into(), &false.into()), "{row:#}");
        assert!(row["error"].as_str().unwrap().contains("signal 9"), "{row:#}");
        stage.world.wait_text("crashed", "My last words");
    }

    fn flow3_a_pi_that_exits_cleanly_waits_for_instructions(stage) {
        stage.model.push(Step::text("Shall I go on?").always());
        let terminal = board(stage);
        // Pasted: of a command that is typed fast and sent while pi 0.73 still looks for completions, pi makes "/qquit".
        let quit = format!("{}\r", keys::paste("/quit"));
        for (name, farewell) in [("quits", quit), ("hangsup", keys::ctrl('d'))] {
            insert(&terminal, name);
            wait_says(&terminal, name, NeedsInput, "Shall I go on?");
            stage.wait(name, "settled", |row| row["busy"] == false);
            enter(&terminal, name, "Shall I go on?");
            terminal.send(farewell);
            terminal.wait_within(DEADLINE, "the board, the pane closed by itself", is_board);
            wait_normal(&terminal);
            wait_says(&terminal, name, Idle, "");
            // Field report A19: an exit was taken for the end of the work.
            let row = stage.wait(name, "exited", |row| row["host_state"] == "exited");
            assert_eq!((&row["state"], &row["busy"]), (&"idle".into(), &false.into()), "{row:#}");
            assert_eq!(row["ended"], "exit code 0");
        }
    }
}
