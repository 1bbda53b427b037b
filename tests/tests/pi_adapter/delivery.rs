//! How words get in and events get out: literal prompts, a host that goes and comes, the spool.

use crate::{
    both,
    ear::{Ear, Temper},
    stage::Stage,
};
use board_protocol::host::HostFact;
use e2e::model_server::Step;
use host_runner::agents::{
    event::{AgentEvent, InputSource},
    launching::{PROMPT_FILE_VARIABLE, write_prompt},
};

/// A session from its start to its end lies in the spool, in the shape and order that the daemon drains.
fn whole_session_in_spool(stage: &Stage) {
    let spooled = stage.spooled();
    let kinds: Vec<String> = spooled
        .iter()
        .map(|fact| {
            assert_eq!(
                (fact.session.as_str(), &fact.generation, &fact.seq),
                (crate::stage::SESSION, &None, &None)
            );
            let HostFact::AgentReported(report) = &fact.fact else { panic!("{fact:?}") };
            assert_eq!((report.token.as_str(), report.at_ms), (crate::stage::TOKEN, fact.at_ms));
            let payload: serde_json::Value = serde_json::from_slice(&report.payload).unwrap();
            payload["type"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(kinds.first().map(String::as_str), Some("session_start"));
    assert_eq!(kinds.last().map(String::as_str), Some("session_shutdown"));
    assert!(kinds.contains(&"agent_settled".to_owned()), "{kinds:?}");
}

both! {
    // Field report D5: words of a person were interpreted as keys, options or commands.
    fn d5_a_start_prompt_reaches_the_model_as_it_was_written(stage) {
        for words in ["Enter", "-t", "--help", ";", "!=x", "/help", "@nothing", "two\nlines \u{1f600} $HOME `x`"] {
            stage.model.push(Step::text("Fine."));
            let _ = std::fs::remove_file(stage.transcript());
            let before = stage.model.requests().len();
            let pi = stage.start(words);
            stage.model.wait_for_requests(before + 1, crate::stage::DEADLINE).unwrap();
            let asked = stage.model.requests().pop().unwrap();
            assert_eq!(asked.last_text("user").unwrap().trim_start(), words);
            pi.wait("the end of the turn", |heard| heard.last().is_some_and(|heard| heard.kind() == "agent_settled"));
            pi.quit();
        }
    }

    fn a_prompt_of_a_mebibyte_arrives_whole_and_once(stage) {
        stage.model.push(Step::text("Read."));
        stage.model.push(Step::text("Read again?").always());
        // In lines: the first generation needs 40 s to draw 200 kB in one line.
        let prompt = format!("/help \u{1f600} {}end", "long words, long words, long words\n".repeat(29_500));
        assert!(prompt.len() > 1_000_000 && prompt.len() <= 1024 * 1024, "{}", prompt.len());
        let file = stage.path("prompt");
        write_prompt(&file, &prompt).unwrap();
        let mut command = stage.command(&prompt);
        command.env(PROMPT_FILE_VARIABLE, &file);
        let pi = stage.run(command);
        let heard = pi.wait_for("agent_settled");
        assert_eq!(stage.model.requests()[0].last_text("user").unwrap(), prompt);
        assert!(!file.exists());
        let source = heard.iter().flat_map(|heard| heard.events.clone()).find_map(|event| match event {
            AgentEvent::InputGiven(input) => Some(input.source),
            _ => None,
        });
        assert_eq!(source, Some(InputSource::Launch));
        pi.quit();
    }

    fn with_no_host_events_go_to_the_spool_and_pi_ends_all_the_same(stage) {
        stage.model.push(Step::text("Unheard."));
        let mut command = stage.command("Speak");
        command.env("AGENT_BOARD_SOCKET", stage.path("nobody.sock"));
        let pi = stage.run(command);
        pi.wait_screen("Unheard.");
        assert!(pi.quit().success());
        whole_session_in_spool(stage);
    }

    fn a_host_that_takes_nothing_leaves_everything_to_the_spool(stage) {
        for temper in [Temper::Full, Temper::Foreign, Temper::Mute] {
            stage.model.push(Step::text("Unheard."));
            let _ = std::fs::remove_file(stage.transcript());
            let path = stage.path("bad.sock");
            let _ = std::fs::remove_file(&path);
            let _ear = Ear::listen_as(&path, temper);
            let mut command = stage.command("Speak");
            command.env("AGENT_BOARD_SOCKET", &path);
            let pi = stage.run(command);
            pi.wait_screen("Unheard.");
            assert!(pi.quit().success());
            whole_session_in_spool(stage);
            stage.clear_spool();
        }
    }

    fn a_host_that_comes_late_hears_everything_in_order(stage) {
        stage.model.push(Step::text("Now."));
        let mut command = stage.command("Speak");
        let late = stage.path("late.sock");
        command.env("AGENT_BOARD_SOCKET", &late);
        let pi = stage.run(command);
        stage.model.wait_for_requests(1, crate::stage::DEADLINE).unwrap();
        let ear = Ear::listen(&late);
        let heard = ear.wait(crate::stage::DEADLINE, |heard| heard.iter().any(|heard| heard.kind() == "agent_settled"));
        let heard = heard.unwrap_or_else(|| panic!("{:#?}", ear.heard()));
        let mut seqs: Vec<_> = heard.iter().map(|heard| heard.place.clone().unwrap().seq).collect();
        // What waited longer than the host took to come is in the spool; nothing is in both.
        for fact in stage.spooled() {
            let HostFact::AgentReported(report) = &fact.fact else { panic!("{fact:?}") };
            let payload: serde_json::Value = serde_json::from_slice(&report.payload).unwrap();
            seqs.push(payload["seq"].as_u64().unwrap());
        }
        seqs.sort_unstable();
        assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
        pi.quit();
    }
}
