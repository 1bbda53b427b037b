//! The tools by which agents ask their person something, and the text of their questions (reference B.4, field report
//! A18).
//!
//! Called by the adapters that read reports. Which further tools ask is a setting.

use serde_json::Value;
use std::collections::BTreeSet;

/// The tools that are always question tools.
pub const BUILT_IN: [&str; 3] = ["ask_questions", "question", "questionnaire"];
/// The id of a question whose call has none.
pub const NAMELESS: &str = "ask_questions";
/// What a person is asked about a plan when the agent asks nothing in particular (reference A.11).
pub const PLAN: &str = "Approve this plan?";
/// What a question without words is shown as.
pub const FALLBACK: &str = "Answer the pending question";

/// The names of the question tools: the built-in ones and those of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionTools(BTreeSet<String>);

impl QuestionTools {
    /// The built-in ones and `more`. The built-in ones cannot be taken away.
    pub fn with(more: impl IntoIterator<Item = String>) -> Self {
        Self(BUILT_IN.iter().map(|name| (*name).to_owned()).chain(more).collect())
    }

    /// None at all: where nobody can answer, a question tool is a tool like any other (reference B.3).
    pub(super) const fn none() -> Self {
        Self(BTreeSet::new())
    }

    /// Whether this tool asks the person.
    pub fn contains(&self, tool: &str) -> bool {
        self.0.contains(tool)
    }
}

impl Default for QuestionTools {
    fn default() -> Self {
        Self::with([])
    }
}

/// The question in a tool's arguments: `question`, else the first of `questions` with a `question` or a `prompt`, else
/// [`FALLBACK`].
pub fn question_text(arguments: &Value) -> String {
    let words = |value: Option<&Value>| {
        value.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let listed = || {
        let questions = arguments.get("questions")?.as_array()?;
        questions.iter().find_map(|entry| words(entry.get("question")).or_else(|| words(entry.get("prompt"))))
    };
    words(arguments.get("question")).or_else(listed).unwrap_or_else(|| FALLBACK.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    // Field report A18: pi's question tools were not recognised, the row stayed Running.
    #[test]
    fn a18_every_shape_of_arguments_gives_its_question() {
        let table = [
            (json!({"question": "Which one?", "options": ["a"]}), "Which one?"),
            (json!({"questions": [{"question": "First?"}, {"question": "Second?"}]}), "First?"),
            (json!({"questions": [{"prompt": " Name it ", "options": []}]}), "Name it"),
            (json!({"questions": [{"question": " "}, {"prompt": "Later?"}]}), "Later?"),
            (json!({"question": "", "questions": [{"prompt": "Inner?"}]}), "Inner?"),
            (json!({"question": 3, "questions": "no"}), FALLBACK),
            (json!({"questions": []}), FALLBACK),
            (json!(null), FALLBACK),
            (json!("text"), FALLBACK),
        ];
        for (arguments, expected) in table {
            assert_eq!(question_text(&arguments), expected, "{arguments}");
        }
    }

    #[test]
    fn a18_the_names_can_be_added_to_and_not_taken_away() {
        let tools = QuestionTools::with(["ask_user".to_owned()]);
        for name in ["ask_user", "ask_questions", "question", "questionnaire"] {
            assert!(tools.contains(name), "{name}");
        }
        assert!(!tools.contains("bash") && !QuestionTools::default().contains("ask_user"));
    }
}
