//! Flow 7: a session whose pi has exited goes on where it was, in a fresh host, when somebody enters it.

use crate::{
    both,
    support::{board, enter, wait_says},
};
use board_protocol::state::SemanticState::{Failed, Idle};
use e2e::{
    keys,
    model_server::{Gate, Step},
    pi_stage::DEADLINE,
    steps::{insert, is_board, leave},
};

both! {
    fn flow7_an_exited_session_is_entered_again_on_the_same_transcript(stage) {
        stage.model.push(Step::text("My name is Ada."));
        let terminal = board(stage);
        insert(&terminal, "who");
        wait_says(&terminal, "who", Idle, "My name is Ada.");
        let first = stage.show("who");
        enter(&terminal, "who", "My name is Ada.");
        terminal.send(keys::ctrl('d'));
        terminal.wait_within(DEADLINE, "the board", is_board);
        stage.wait("who", "exited", |row| row["host_state"] == "exited");
        stage.world.wait_runners("host", 0);
        // Entered again: pi shows the old words, says nothing by itself, and the row stays what it was.
        enter(&terminal, "who", "My name is Ada.");
        let row = stage.wait("who", "alive again", |row| row["host_state"] == "alive" && row["attached"] == 1);
        assert_eq!((&row["state"], &row["busy"]), (&"idle".into(), &false.into()), "{row:#}");
        assert_eq!(stage.model.requests().len(), 1, "words that pi had are not said again");
        stage.model.push(Step::text("Ada, still."));
        terminal.line("And now?");
        terminal.wait_within(DEADLINE, "the answer", |screen| screen.has("Ada, still."));
        leave(&terminal);
        wait_says(&terminal, "who", Idle, "Ada, still.");
        let asked = stage.model.requests().pop().unwrap();
        let said: Vec<String> = asked.messages().iter().map(ToString::to_string).collect();
        for words in ["who", "My name is Ada.", "And now?"] {
            assert!(said.iter().any(|message| message.contains(words)), "{words}: {said:#?}");
        }
        let second = stage.show("who");
        assert_eq!(second["id"], first["id"]);
        assert_eq!(second["created_at_ms"], first["created_at_ms"]);
        assert_eq!(second["agent_detail"]["transcript"], first["agent_detail"]["transcript"]);
        assert_eq!(second["agent_detail"]["session_id"], first["agent_detail"]["session_id"]);
        assert_ne!(second["host"]["generation"], first["host"]["generation"], "a fresh host");
        assert_eq!(stage.world.rows().len(), 1);
    }

    fn flow7_a_session_whose_host_was_killed_goes_on_too(stage) {
        let gate = Gate::new();
        stage.model.push(Step::text("The first answer."));
        stage.model.push(Step::slow("Half of a second", &gate, " answer."));
        let terminal = board(stage);
        insert(&terminal, "halved");
        wait_says(&terminal, "halved", Idle, "The first answer.");
        enter(&terminal, "halved", "The first answer.");
        terminal.line("and a second");
        terminal.wait_within(DEADLINE, "half of it", |screen| screen.has("Half of a second"));
        leave(&terminal);
        let host = stage.world.runners("host").remove(0);
        stage.world.kill(&host);
        wait_says(&terminal, "halved", Failed, "host");
        stage.model.push(Step::text("The whole answer."));
        enter(&terminal, "halved", "The first answer.");
        let row = stage.wait("halved", "alive again", |row| row["host_state"] == "alive");
        assert_eq!(row["busy"], false, "nothing runs until a person says so: {row:#}");
        terminal.line("once more");
        terminal.wait_within(DEADLINE, "the answer", |screen| screen.has("The whole answer."));
        leave(&terminal);
        wait_says(&terminal, "halved", Idle, "The whole answer.");
        let asked = stage.model.requests().pop().unwrap();
        let said: Vec<String> = asked.messages().iter().map(ToString::to_string).collect();
        for words in ["halved", "The first answer.", "and a second", "once more"] {
            assert!(said.iter().any(|message| message.contains(words)), "{words}: {said:#?}");
        }
    }
}
