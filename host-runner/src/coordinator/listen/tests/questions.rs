//! Question tools, from pi's own events to the row (reference B.4, I.6): the four cases of the reducer.

use super::*;
use crate::model::{Live, row};
use board_protocol::board::Row;
use serde_json::{Value, json};

/// A session of pi whose turn runs.
struct Talk {
    sessions: Sessions,
    live: Live,
    tools: QuestionTools,
    seq: u64,
}

impl Talk {
    fn new(tools: QuestionTools) -> Self {
        let mut talk = Self { sessions: sessions(AgentKind::Pi), live: Live::default(), tools, seq: 1 };
        talk.hears(json!({"type": "input", "source": "interactive"}));
        talk.hears(json!({"type": "agent_start"}));
        talk
    }

    fn hears(&mut self, mut event: Value) -> Row {
        self.seq += 1;
        event["boot"] = json!("b");
        event["seq"] = json!(self.seq);
        let report = AgentReport {
            token: Token("t".into()),
            adapter: "pi".into(),
            at_ms: UnixMs(30),
            payload: event.to_string().into_bytes(),
        };
        let generation = generation();
        let seq = Some(FactSeq(self.seq));
        let telling = Telling { generation: &generation, seq, at: UnixMs(30 + self.seq), report: &report };
        let heard = listen(&self.sessions[&session(ID)], telling, &self.tools);
        for fact in &heard.decision.facts {
            apply(&mut self.sessions, fact);
        }
        for beat in heard.beats {
            self.live.feel(beat);
        }
        row(&self.sessions[&session(ID)], &self.live)
    }

    fn calls(&mut self, call: Option<&str>, tool: &str, arguments: Value) -> Row {
        self.hears(
            json!({"type": "tool_execution_start", "toolCallId": call, "toolName": tool, "args": arguments}),
        )
    }

    fn ends(&mut self, call: Option<&str>, tool: &str) -> Row {
        self.hears(
            json!({"type": "tool_execution_end", "toolCallId": call, "toolName": tool, "isError": false}),
        )
    }
}

fn shows(row: &Row) -> (SemanticState, Option<&str>, &str) {
    (row.state, row.question.as_deref(), &row.summary)
}

#[test]
fn i6_every_question_tool_needs_an_answer_with_the_text_of_its_own_shape() {
    let table = [
        (
            "ask_questions",
            json!({"questions": [{"question": "Which DB?"}, {"question": "Which port?"}]}),
            "Which DB?",
        ),
        ("question", json!({"question": "Deploy now?", "options": ["yes", "no"]}), "Deploy now?"),
        ("questionnaire", json!({"questions": [{"prompt": "Name it", "options": []}]}), "Name it"),
        ("ask_user", json!({"text": "?"}), "Answer the pending question"),
    ];
    for (tool, arguments, question) in table {
        let mut talk = Talk::new(QuestionTools::with(["ask_user".to_owned()]));
        let row = talk.calls(Some("c1"), tool, arguments);
        assert_eq!(shows(&row), (SemanticState::NeedsInput, Some(question), question), "{tool}");
        assert!(row.busy, "its turn runs: {tool}");
    }
    // A tool that is none is one that runs.
    let row = Talk::new(QuestionTools::default()).calls(Some("c1"), "ask_user", json!({"question": "x?"}));
    assert_eq!(shows(&row), (SemanticState::Working, None, "Ask_user"));
}

#[test]
fn i6_several_questions_wait_the_first_is_shown_and_each_end_takes_its_own_away() {
    let mut talk = Talk::new(QuestionTools::default());
    talk.calls(Some("c1"), "question", json!({"question": "First?"}));
    let row = talk.calls(Some("c2"), "questionnaire", json!({"questions": [{"prompt": "Second?"}]}));
    assert_eq!(shows(&row).1, Some("First?"));
    let row = talk.ends(Some("c1"), "question");
    assert_eq!(shows(&row), (SemanticState::NeedsInput, Some("Second?"), "Second?"));
    // An end that belongs to no question takes none away.
    assert_eq!(shows(&talk.ends(Some("c9"), "question")).1, Some("Second?"));
    let row = talk.ends(Some("c2"), "questionnaire");
    assert_eq!((row.state, row.question), (SemanticState::Working, None));
}

#[test]
fn i6_the_same_call_again_changes_its_text_also_one_without_an_id() {
    for call in [Some("c1"), None] {
        let mut talk = Talk::new(QuestionTools::default());
        talk.calls(call, "ask_questions", json!({"question": "Old?"}));
        let row = talk.calls(call, "ask_questions", json!({"question": "New?"}));
        assert_eq!(shows(&row).1, Some("New?"), "{call:?}");
        let row = talk.ends(call, "ask_questions");
        assert_eq!((row.state, row.question), (SemanticState::Working, None), "one end ends it: {call:?}");
    }
}

#[test]
fn i6_a_question_stays_in_front_of_other_tools_and_words_until_the_person_speaks() {
    let mut talk = Talk::new(QuestionTools::default());
    talk.calls(Some("c1"), "question", json!({"question": "Which?"}));
    let asks = (SemanticState::NeedsInput, Some("Which?"), "Which?");
    assert_eq!(shows(&talk.calls(Some("c2"), "bash", json!({"command": "cargo test"}))), asks);
    assert_eq!(shows(&talk.ends(Some("c2"), "bash")), asks);
    assert_eq!(shows(&talk.hears(json!({"type": "message_start", "message": {"role": "assistant"}}))), asks);
    let words =
        json!({"role": "assistant", "content": [{"type": "text", "text": "Meanwhile I read the code."}]});
    assert_eq!(shows(&talk.hears(json!({"type": "message_end", "message": words}))), asks);
    assert_eq!(shows(&talk.hears(json!({"type": "turn_start"}))), asks);
    let row = talk.hears(json!({"type": "input", "source": "interactive"}));
    assert_eq!((row.state, row.question), (SemanticState::Working, None));
}
