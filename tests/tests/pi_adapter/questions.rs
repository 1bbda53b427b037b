//! The agent asks its person: question tools of extensions, and dialogs.

use crate::{both, ear};
use e2e::agents::pi::Edition;
use e2e::model_server::{Part, Step};
use host_runner::agents::event::{AgentEvent, Answer, Ending};
use serde_json::{Value, json};

type Asked = Vec<(String, String)>;
type Answered = Vec<(String, Answer)>;

/// Questions of tools (not of dialogs): id and text of the asked ones, id and outcome of the answered ones.
fn questions(heard: &[ear::Heard]) -> (Asked, Answered) {
    let (mut asked, mut answered) = (Vec::new(), Vec::new());
    for event in heard.iter().flat_map(|heard| heard.events.clone()) {
        match event {
            AgentEvent::QuestionAsked { id, text, .. } if !id.starts_with("ui-") => asked.push((id, text)),
            AgentEvent::QuestionAnswered { id, outcome } if !id.starts_with("ui-") => {
                answered.push((id, outcome))
            }
            _ => {}
        }
    }
    (asked, answered)
}

fn call(id: &str, name: &str, arguments: Value) -> Part {
    Part::ToolCall { id: id.to_owned(), name: name.to_owned(), arguments }
}

both! {
    fn a18_each_question_tool_asks_with_its_text_and_is_answered(stage) {
        let shapes = [
            ("question", json!({"question": "Which one?", "options": ["left", "right"]})),
            ("questionnaire", json!({"questions": [{"prompt": "What name?", "options": ["a", "b"]}]})),
            ("ask_questions", json!({"questions": [{"question": "How many?", "options": ["1", "2"]}]})),
        ];
        for (number, (tool, arguments)) in shapes.into_iter().enumerate() {
            stage.model.push(Step::tool(&format!("q{number}"), tool, arguments));
        }
        stage.model.push(Step::text("Thank you."));
        let pi = stage.start_with_questions("Ask me");
        for number in 1..=3 {
            pi.wait_for_nth("ui_prompt_start", number);
            pi.keys("\r");
            pi.wait_for_nth("ui_prompt_end", number);
        }
        let heard = pi.wait_for("agent_settled");
        let (asked, answered) = questions(&heard);
        let expected = [("q0", "Which one?"), ("q1", "What name?"), ("q2", "How many?")];
        assert_eq!(asked, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
        assert_eq!(answered, ["q0", "q1", "q2"].map(|id| (id.to_owned(), Answer::Given)));
        pi.quit();
        stage.record("questions");
    }

    fn a_cancelled_question_is_closed_and_the_turn_goes_on(stage) {
        stage.model.push(Step::tool("q0", "question", json!({"question": "Go on?"})));
        stage.model.push(Step::text("Then not."));
        let pi = stage.start_with_questions("Ask me");
        pi.wait_for("ui_prompt_start");
        pi.keys("\x1b");
        let heard = pi.wait_for("agent_settled");
        let (_, answered) = questions(&heard);
        assert_eq!(answered, [("q0".to_owned(), Answer::Refused)]);
        pi.quit();
    }

    fn several_questions_at_once_are_each_asked_and_answered(stage) {
        stage.model.push(Step::stream([
            call("q0", "question", json!({"question": "First?"})),
            call("q1", "question", json!({"question": "Second?"})),
        ]));
        stage.model.push(Step::text("Both answered."));
        let pi = stage.start_with_questions("Ask me twice");
        let asked = |count| move |heard: &[ear::Heard]| questions(heard).0.len() >= count;
        pi.wait("a question", asked(1));
        // The dialogs share the keys. In the first generation the second takes the first one's place for good: that one
        // can only be given up, with Esc.
        let lost = usize::from(stage.edition == Edition::First);
        pi.wait_for("ui_prompt_start");
        pi.wait_screen("Second?");
        for answer in 1..=2 - lost {
            pi.keys("\r");
            pi.wait("an answered question", |heard| questions(heard).1.len() >= answer);
            if answer < 2 - lost {
                pi.wait_screen("First?");
            }
        }
        if lost > 0 {
            pi.keys("\x1b");
        }
        let heard = pi.wait_for("agent_settled");
        let (asked, mut answered) = questions(&heard);
        answered.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(asked, [("q0".into(), "First?".into()), ("q1".into(), "Second?".into())]);
        let first = if lost > 0 { Answer::Refused } else { Answer::Given };
        assert_eq!(answered, [("q0".to_owned(), first), ("q1".to_owned(), Answer::Given)]);
        let open = heard.iter().filter(|heard| heard.kind() == "ui_prompt_start").count();
        let closed = heard.iter().filter(|heard| heard.kind() == "ui_prompt_end").count();
        assert_eq!(open, closed);
        pi.wait_editor("empty");
        pi.quit();
    }

    fn a_dialog_outside_of_a_turn_is_a_question_too(stage) {
        let pi = stage.start_with_questions("");
        pi.wait_editor("empty");
        pi.keys("/dialog");
        pi.wait_editor("text");
        pi.keys("\r");
        let heard = pi.wait_for("ui_prompt_start");
        let text = heard.iter().flat_map(|heard| heard.events.clone()).find_map(|event| match event {
            AgentEvent::QuestionAsked { text, .. } => Some(text),
            _ => None,
        });
        assert_eq!(text.as_deref(), Some("Deploy to production?"));
        pi.wait_editor("unknown");
        pi.keys("\x1b");
        pi.wait_for("ui_prompt_end");
        pi.wait_editor("empty");
        assert!(!stage.ear.heard().iter().any(|heard| heard.kind() == "agent_start"));
        pi.quit();
    }

    fn after_a_reload_everything_is_said_once(stage) {
        stage.model.push(Step::tool("q0", "question", json!({"question": "Go on?"})));
        stage.model.push(Step::text("Good."));
        let pi = stage.start_with_questions("");
        pi.wait_editor("empty");
        pi.keys("/reload\r");
        let heard = pi.wait_for_nth("session_start", 2);
        let starts: Vec<_> = heard.iter().filter(|heard| heard.kind() == "session_start").collect();
        assert_eq!(starts[0].json()["sessionId"], starts[1].json()["sessionId"]);
        // pi takes keys again when it has loaded everything.
        pi.wait("the editor of the loaded session", |heard| {
            let again = heard.iter().rposition(|heard| heard.kind() == "session_start");
            heard.iter().skip(again.unwrap_or(0)).any(|heard| heard.json()["state"] == "empty")
        });
        pi.keys("Ask me");
        pi.wait_editor("text");
        pi.keys("\r");
        pi.wait_for("ui_prompt_start");
        pi.keys("\r");
        let heard = pi.wait_for("agent_settled");
        for kind in ["input", "agent_start", "ui_prompt_start", "ui_prompt_end", "tool_execution_end", "agent_settled"] {
            assert_eq!(heard.iter().filter(|heard| heard.kind() == kind).count(), 1, "{kind}");
        }
        assert!(pi.quit().success());
    }

    fn an_interrupted_question_ends_the_turn(stage) {
        stage.model.push(Step::tool("q0", "question", json!({"question": "Go on?"})));
        stage.model.push(Step::text("Never mind.").always());
        let pi = stage.start_with_questions("Ask me");
        pi.wait_for("ui_prompt_start");
        pi.keys("\x1b");
        let heard = pi.wait_for("agent_settled");
        assert!(heard.iter().flat_map(|heard| heard.events.clone()).any(|event| matches!(event,
            AgentEvent::AgentSettled(settled) if settled.ending == Ending::Finished)));
        pi.quit();
    }
}
