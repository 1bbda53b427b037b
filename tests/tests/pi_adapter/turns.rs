//! Turns: text, tools, interrupts, errors and retries, long answers.

use crate::{both, ear, stage::DEADLINE};
use e2e::model_server::{Gate, Heard, Part, Step, Usage};
use host_runner::agents::event::{
    AgentEvent, Author, Ending, InputSource, RetryOutcome, StopReason, ToolOutcome,
};
use serde_json::json;
use std::time::Instant;

fn events(heard: &[ear::Heard]) -> Vec<AgentEvent> {
    heard.iter().flat_map(|heard| heard.events.clone()).collect()
}

fn settled(heard: &[ear::Heard]) -> Vec<(Ending, Option<String>)> {
    let of = |event| match event {
        AgentEvent::AgentSettled(settled) => Some((settled.ending, settled.text)),
        _ => None,
    };
    events(heard).into_iter().filter_map(of).collect()
}

both! {
    fn a_text_turn_is_reported_from_its_prompt_to_its_end(stage) {
        stage.model.push(Step::text("Which database should I use?").costing(Usage { input: 300, output: 20 }));
        let pi = stage.start("Choose a database");
        let heard = pi.wait_for("agent_settled");
        let events = events(&heard);
        assert!(matches!(&events[0], AgentEvent::SessionStarted(started)
            if started.model.as_deref() == Some("fake/fake")
            && started.transcript.as_deref() == stage.transcript().to_str()), "{events:#?}");
        let input = events.iter().find_map(|event| match event {
            AgentEvent::InputGiven(input) => Some(input),
            _ => None,
        });
        let input = input.unwrap();
        assert_eq!((input.source, input.text.as_str()), (InputSource::Launch, "Choose a database"));
        assert!(events.contains(&AgentEvent::AgentStarted) && events.contains(&AgentEvent::MessageStarted));
        let message = events.iter().find_map(|event| match event {
            AgentEvent::MessageEnded(message) if message.author == Author::Assistant => Some(message),
            _ => None,
        });
        let message = message.unwrap();
        assert_eq!(message.text, "Which database should I use?");
        assert_eq!((message.usage.unwrap().input, message.usage.unwrap().output), (300, 20));
        assert_eq!(message.stop, Some(StopReason::Done));
        assert_eq!(settled(&heard), [(Ending::Finished, Some("Which database should I use?".to_owned()))]);
        assert!(heard.iter().all(|heard| heard.token == crate::stage::TOKEN && heard.adapter == "pi"));
        let places: Vec<_> = heard.iter().map(|heard| heard.place.clone().unwrap()).collect();
        assert!(places.iter().all(|place| place.boot == places[0].boot));
        assert!(places.is_sorted_by(|a, b| a.seq < b.seq), "{places:?}");
        let hello = &stage.ear.hellos()[0];
        assert_eq!(board_protocol::ids::ProcessIdentity::clone(&hello.process).pid, heard[0].json()["pid"]);
        assert!(hello.process.start_ticks > 0);
        assert!(pi.quit().success());
        stage.record("text-turn");
    }

    fn a_tool_is_reported_with_its_arguments_and_its_outcome(stage) {
        stage.model.push(Step::stream([
            Part::Text("Let me look.".to_owned()),
            Part::ToolCall { id: "c1".into(), name: "bash".into(), arguments: json!({"command": "echo seen"}) },
            Part::ToolCall { id: "c2".into(), name: "read".into(), arguments: json!({"path": "missing.rs"}) },
        ]));
        stage.model.push(Step::text("Done."));
        let pi = stage.start("Look around");
        let heard = pi.wait_for("agent_settled");
        let events = events(&heard);
        let started: Vec<_> = events.iter().filter_map(|event| match event {
            AgentEvent::ToolStarted(tool) => Some((tool.call.as_str(), tool.tool.as_str(), tool.arguments.clone())),
            _ => None,
        }).collect();
        assert_eq!(started, [
            ("c1", "bash", json!({"command": "echo seen"})),
            ("c2", "read", json!({"path": "missing.rs"})),
        ]);
        let ended = |call: &str| events.iter().find_map(|event| match event {
            AgentEvent::ToolEnded(tool) if tool.call == call => Some(tool.clone()),
            _ => None,
        }).unwrap();
        assert_eq!((ended("c1").outcome, ended("c1").excerpt.trim()), (ToolOutcome::Succeeded, "seen"));
        assert_eq!(ended("c2").outcome, ToolOutcome::Failed);
        assert_eq!(settled(&heard), [(Ending::Finished, Some("Done.".to_owned()))]);
        assert_eq!(stage.model.requests().len(), 2);
        pi.quit();
        stage.record("tools");
    }

    fn an_interrupt_settles_a_turn_that_would_never_end(stage) {
        let gate = Gate::new();
        stage.model.push(Step::slow("I will go on for", &gate, " ever."));
        let pi = stage.start("Never stop");
        pi.wait_for("message_start");
        pi.keys("\x1b");
        // The gate is closed: nothing but the key can end this turn.
        let heard = pi.wait_for("agent_settled");
        assert_eq!(settled(&heard)[0].0, Ending::Interrupted);
        stage.model.wait_until("the answer is abandoned", DEADLINE, |asked| {
            asked.iter().any(|request| request.heard == Heard::Abandoned)
        }).unwrap();
        gate.open();
        pi.quit();
        stage.record("interrupt");
    }

    fn a_model_that_hangs_keeps_the_turn_running_until_it_is_interrupted(stage) {
        let gate = Gate::new();
        stage.model.push(Step::hang(&gate));
        let pi = stage.start("Say something");
        stage.model.wait_for_requests(1, DEADLINE).unwrap();
        assert!(!stage.ear.heard().iter().any(|heard| heard.kind() == "agent_settled"));
        pi.keys("\x1b");
        let heard = pi.wait_for("agent_settled");
        assert_eq!(settled(&heard)[0].0, Ending::Interrupted);
        pi.quit();
    }

    fn an_interrupt_of_a_tool_settles_as_interrupted(stage) {
        stage.model.push(Step::tool("c1", "bash", json!({"command": "tail -f /dev/null"})));
        let pi = stage.start("Wait in a tool");
        pi.wait_for("tool_execution_start");
        pi.keys("\x1b");
        let heard = pi.wait_for("agent_settled");
        assert_eq!(settled(&heard)[0].0, Ending::Interrupted);
        assert!(heard.iter().any(|heard| heard.kind() == "tool_execution_end"));
        pi.quit();
    }

    fn a15_an_error_that_is_tried_again_is_not_the_end(stage) {
        stage.quick_retries();
        stage.model.push(Step::overloaded());
        stage.model.push(Step::fails_midway("Half an ans", "server_error: the model broke"));
        stage.model.push(Step::text("At last."));
        let pi = stage.start("Try hard");
        let heard = pi.wait_for("agent_settled");
        assert_eq!(settled(&heard), [(Ending::Finished, Some("At last.".to_owned()))]);
        let errors = events(&heard).into_iter().filter(|event| matches!(event,
            AgentEvent::MessageEnded(message) if message.stop == Some(StopReason::Error))).count();
        assert_eq!(errors, 2, "{heard:#?}");
        assert_eq!(heard.iter().filter(|heard| heard.kind() == "agent_settled").count(), 1);
        let attempts: Vec<_> = events(&heard).into_iter().filter_map(|event| match event {
            AgentEvent::RetryStarted(retry) => Some(retry.attempt),
            _ => None,
        }).collect();
        assert_eq!(attempts, [1, 2]);
        let succeeded = AgentEvent::RetryEnded { outcome: RetryOutcome::Succeeded, error: None };
        assert!(events(&heard).contains(&succeeded));
        pi.quit();
        stage.record("retry");
    }

    fn an_error_that_stays_settles_as_failed_with_its_words(stage) {
        stage.quick_retries();
        stage.model.push(Step::status(400, "this model does not exist").always());
        let pi = stage.start("Fail");
        let heard = pi.wait_for("agent_settled");
        let AgentEvent::AgentSettled(end) = events(&heard).pop().unwrap() else { panic!("{heard:#?}") };
        assert_eq!(end.ending, Ending::Failed);
        assert!(end.error.as_ref().unwrap().contains("this model does not exist"), "{end:?}");
        pi.quit();
        stage.record("error");
    }

    fn retries_that_are_used_up_settle_as_failed(stage) {
        stage.quick_retries();
        stage.model.push(Step::status(500, "internal error").always());
        let pi = stage.start("Fail often");
        let heard = pi.wait_for("agent_settled");
        assert_eq!(settled(&heard)[0].0, Ending::Failed);
        // The first attempt and two more; pi's provider library may add its own attempts below that.
        assert!(stage.model.requests().len() >= 3, "{}", stage.model.requests().len());
        assert_eq!(heard.iter().filter(|heard| heard.kind() == "agent_settled").count(), 1);
        let gave_up = events(&heard).iter().any(|event| matches!(event,
            AgentEvent::RetryEnded { outcome: RetryOutcome::GaveUp, .. }));
        assert!(gave_up, "{heard:#?}");
        pi.quit();
    }

    fn an_interrupt_while_pi_waits_to_try_again_settles(stage) {
        stage.slow_retries();
        stage.model.push(Step::status(500, "internal error").always());
        let pi = stage.start("Fail slowly");
        pi.wait_screen("Retrying");
        let asked = stage.model.requests().len();
        pi.keys("\x1b");
        let heard = pi.wait_for("agent_settled");
        assert_eq!(stage.model.requests().len(), asked, "it settled without trying again");
        assert_ne!(settled(&heard)[0].0, Ending::Finished);
        pi.quit();
    }

    fn a_very_long_answer_costs_a_handful_of_events(stage) {
        stage.model.push(Step::long("All work and no play. ", 5_000));
        let pi = stage.start("Write a book");
        let heard = pi.wait_for("agent_settled");
        assert!(heard.len() < 20, "{} events", heard.len());
        let longest = heard.iter().map(|heard| heard.payload.len()).max().unwrap();
        assert!(longest < 16 * 1024, "{longest} bytes");
        pi.quit();
    }

    fn a_huge_tool_call_with_a_huge_result_stays_small(stage) {
        // A character of four bytes is two UTF-16 units: each limit (2,000 of an argument, 12,000 of a message) falls
        // into the middle of one. In lines, and not many: the first generation draws long lines for minutes.
        let content = format!("x{}{}", "\u{1f600}".repeat(1_100), "\nplain text, plain text".repeat(300));
        let answer = format!("y{}", format!("{}\n", "\u{1f600}".repeat(50)).repeat(140));
        assert_eq!(answer.encode_utf16().nth(12_000).map(|unit| unit & 0xfc00), Some(0xdc00));
        stage.model.push(Step::tool("c1", "write", json!({"path": "big.txt", "content": content})));
        stage.model.push(Step::tool("c2", "bash", json!({"command": "yes 'a line of output' | head -c 5000000"})));
        stage.model.push(Step::text(answer));
        let pi = stage.start("Make it big");
        let heard = pi.wait_for("agent_settled");
        assert!(events(&heard).iter().all(|event| !matches!(event, AgentEvent::Unknown(_))), "{heard:#?}");
        let longest = heard.iter().map(|heard| heard.payload.len()).max().unwrap();
        assert!(longest < 64 * 1024, "{longest} bytes");
        let path = events(&heard).into_iter().find_map(|event| match event {
            AgentEvent::ToolStarted(tool) if tool.tool == "write" => tool.arguments["path"].as_str().map(str::to_owned),
            _ => None,
        });
        assert_eq!(path.as_deref(), Some("big.txt"));
        pi.quit();
    }

    fn many_tool_calls_at_once_stay_within_the_volume_limit(stage) {
        let calls = (0..400).map(|n| Part::ToolCall {
            id: format!("c{n}"), name: "read".into(), arguments: json!({"path": format!("{n}.txt")}),
        });
        stage.model.push(Step::stream(calls));
        stage.model.push(Step::text("Done."));
        let begun = Instant::now();
        let pi = stage.start("Read everything");
        let heard = pi.wait_for("agent_settled");
        // The newest of each kind is never dropped, and nothing overtakes.
        let started = |call: &str| {
            heard.iter().any(|heard| heard.json()["toolCallId"] == call && heard.kind() == "tool_execution_start")
        };
        assert!(started("c0") && started("c399"));
        assert!(heard.is_sorted_by(|a, b| a.place.as_ref().unwrap().seq < b.place.as_ref().unwrap().seq));
        // 120 at once and 40 a second, beside the few that decide the row's state.
        let allowed = 120.0 + begun.elapsed().as_secs_f64() * 40.0 + 20.0;
        assert!((heard.len() as f64) < allowed, "{} events in {:?}", heard.len(), begun.elapsed());
        assert!(heard.len() < 800, "nothing was dropped");
        pi.quit();
    }
}
