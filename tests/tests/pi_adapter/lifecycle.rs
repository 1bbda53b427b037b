//! The life of a session: typing, the editor, other sessions in the same process, compaction, every way to end.

use crate::{both, ear};
use e2e::model_server::{Gate, Step};
use host_runner::agents::event::{AgentEvent, Delivery, EditorState, InputSource, SessionEnd, SessionStart};

fn inputs(heard: &[ear::Heard]) -> Vec<(InputSource, String, Delivery)> {
    let of = |event| match event {
        AgentEvent::InputGiven(input) => Some((input.source, input.text, input.delivery)),
        _ => None,
    };
    heard.iter().flat_map(|heard| heard.events.clone()).filter_map(of).collect()
}

both! {
    fn typing_is_the_person_s_and_the_editor_tells_when_it_is_empty(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("Working", &gate, " on it."));
        stage.model.push(Step::text("Steered."));
        let pi = stage.start("");
        pi.wait_editor("empty");
        pi.keys("first words");
        pi.wait_editor("text");
        pi.keys("\r");
        pi.wait_for("message_start");
        pi.wait_editor("empty");
        pi.keys("and also");
        pi.wait_editor("text");
        pi.keys("\r");
        pi.wait_for_nth("input", 2);
        gate.open();
        let heard = pi.wait_for("agent_settled");
        assert_eq!(inputs(&heard), [
            (InputSource::Person, "first words".to_owned(), Delivery::Starts),
            (InputSource::Person, "and also".to_owned(), Delivery::Steers),
        ]);
        let editor: Vec<_> = heard.iter().flat_map(|heard| heard.events.clone()).filter_map(|event| match event {
            AgentEvent::EditorChanged(state) => Some(state),
            _ => None,
        }).collect();
        // Only changes, no repetition.
        assert!(editor.windows(2).all(|two| two[0] != two[1]), "{editor:?}");
        assert_eq!(editor.first(), Some(&EditorState::Empty));
        assert_eq!(heard.iter().filter(|heard| heard.kind() == "agent_settled").count(), 1);
        pi.quit();
        stage.record("typing");
    }

    fn a_new_session_in_the_same_process_is_reported_in_order(stage) {
        stage.model.push(Step::text("One."));
        stage.model.push(Step::text("Two."));
        let pi = stage.start("First prompt");
        pi.wait_for("agent_settled");
        pi.keys("/new\r");
        let heard = pi.wait_for_nth("session_start", 2);
        let ended = heard.iter().flat_map(|heard| heard.events.clone()).find_map(|event| match event {
            AgentEvent::SessionEnded { cause } => Some(cause),
            _ => None,
        });
        assert_eq!(ended, Some(SessionEnd::Replaced));
        let started: Vec<_> = heard.iter().flat_map(|heard| heard.events.clone()).filter_map(|event| match event {
            AgentEvent::SessionStarted(started) => Some((started.cause, started.id)),
            _ => None,
        }).collect();
        assert_eq!((started[0].0, started[1].0), (SessionStart::Startup, SessionStart::New));
        assert_ne!(started[0].1, started[1].1);
        pi.wait_screen_without("First prompt");
        // The same words as the launch prompt, typed: the person's this time.
        pi.keys("First prompt\r");
        let heard = pi.wait_for_nth("agent_settled", 2);
        assert_eq!(inputs(&heard).last().unwrap().0, InputSource::Person);
        let seqs: Vec<_> = heard.iter().map(|heard| heard.place.clone().unwrap()).collect();
        assert!(seqs.iter().all(|place| place.boot == seqs[0].boot) && seqs.is_sorted_by(|a, b| a.seq < b.seq));
        pi.quit();
        stage.record("new-session");
    }

    fn a_compaction_is_reported_and_settles(stage) {
        // Long enough that there is something to shorten.
        stage.small_memory();
        stage.model.push(Step::text("word ".repeat(4_000)));
        stage.model.push(Step::text("word ".repeat(4_000)));
        stage.model.push(Step::text("## Goal\nA summary.").always());
        let pi = stage.start("Tell me a lot");
        pi.wait_for("agent_settled");
        pi.keys("More\r");
        pi.wait_for_nth("agent_settled", 2);
        pi.keys("/compact\r");
        pi.wait_for("compaction_end");
        let heard = pi.wait_for_nth("agent_settled", 3);
        let position = |kind: &str| heard.iter().rposition(|heard| heard.kind() == kind).unwrap();
        assert!(position("compaction_start") < position("compaction_end"));
        assert!(position("compaction_end") < position("agent_settled"));
        assert_eq!(heard[position("compaction_end")].json()["aborted"], false);
        pi.quit();
        stage.record("compaction");
    }

    fn the_same_transcript_continues_the_conversation(stage) {
        stage.model.push(Step::text("My name is Ada."));
        let pi = stage.start("Who are you?");
        pi.wait_for("agent_settled");
        assert!(pi.quit().success());
        stage.model.push(Step::text("Ada, still."));
        let pi = stage.start("");
        pi.wait_screen("My name is Ada.");
        pi.keys("And now?\r");
        let heard = pi.wait_for_nth("agent_settled", 2);
        let ids: Vec<_> = heard.iter().filter(|heard| heard.kind() == "session_start")
            .map(|heard| heard.json()["sessionId"].clone()).collect();
        assert_eq!(ids[0], ids[1]);
        let asked = stage.model.requests().pop().unwrap();
        let said: Vec<_> = asked.messages().iter().map(|message| message.to_string()).collect();
        assert!(said.iter().any(|message| message.contains("My name is Ada.")), "{said:?}");
        pi.quit();
    }

    fn a_hangup_and_a_termination_end_it_with_or_without_a_last_word(stage) {
        for signal in [rustix::process::Signal::TERM, rustix::process::Signal::HUP] {
            let gate = Gate::new();
            stage.model.push(Step::slow("Going", &gate, " on."));
            let seen = stage.ear.heard().len();
            let mut pi = stage.start("Work");
            let heard = pi.wait("the answer began", |heard| {
                heard.iter().skip(seen).any(|heard| heard.kind() == "message_start")
            });
            let pid = heard[seen].json()["pid"].as_i64().unwrap() as i32;
            rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), signal).unwrap();
            pi.wait_exit();
            let heard = stage.ear.heard();
            let last = heard.last().unwrap().kind();
            // The first generation dies of both at once, without a word (it takes its own handlers away, and then the
            // signal is sent again): how the process ended is all that tells.
            let says = stage.edition == e2e::agents::pi::Edition::Second;
            assert_eq!(last == "session_shutdown", says, "{signal:?}: {last}");
            gate.open();
        }
    }
}
