//! What last words mean, by hand from reference B.11.

use super::*;
use crate::{
    agents::{AgentKind, event::Asker},
    model::{
        OpenQuestion,
        samples::{after, exited, started},
    },
};
use board_protocol::host::Exit;

const PLAIN: &str = "No clear completion or input signal";
const REFUSED: &str = "Assistant reported completion but auto-done is disabled";

#[test]
fn last_words_by_their_families() {
    use ClassificationKind::{Done, InProgress, NeedsInput};
    use Confidence::{High, Low, Medium};
    // The words, what they mean where Done is configured, and where it is not.
    type Meant = (ClassificationKind, Confidence);
    let table: [(&str, Meant, Meant); 22] = [
        ("I looked. Which option do you want?", (NeedsInput, High), (NeedsInput, High)),
        ("Done. Shall I go on", (NeedsInput, High), (NeedsInput, High)),
        ("Erledigt. Soll ich weitermachen?", (NeedsInput, High), (NeedsInput, High)),
        ("I've fixed the bug.", (Done, High), (InProgress, Medium)),
        ("I\u{2019}ve added the test.", (Done, High), (InProgress, Medium)),
        ("All tests pass.", (Done, High), (InProgress, Medium)),
        ("It is shipped.", (Done, High), (InProgress, Medium)),
        ("Everything is in place and ready to go.", (Done, High), (InProgress, Medium)),
        ("Final answer: 42.", (Done, High), (InProgress, Medium)),
        ("The refactoring is done.", (Done, Medium), (InProgress, Low)),
        ("Migration completed successfully.", (Done, Medium), (InProgress, Low)),
        ("Summary: two files changed.", (Done, Medium), (InProgress, Low)),
        ("The parser is done. Next steps: the printer.", (InProgress, Medium), (InProgress, Medium)),
        ("Implemented, but the tests fail.", (InProgress, Medium), (InProgress, Medium)),
        ("Finished the first part; the rest is pending.", (InProgress, Medium), (InProgress, Medium)),
        ("Not yet implemented.", (InProgress, Medium), (InProgress, Medium)),
        ("I will continue with the docs.", (InProgress, Medium), (InProgress, Medium)),
        ("I am blocked by the proxy.", (InProgress, Medium), (InProgress, Medium)),
        ("TODO: the docs.", (InProgress, Medium), (InProgress, Medium)),
        ("The code looks fine.", (InProgress, Low), (InProgress, Low)),
        ("Abandoned conditions are condoned.", (InProgress, Low), (InProgress, Low)),
        ("", (InProgress, Low), (InProgress, Low)),
    ];
    for (text, allowed, refused) in table {
        for (done, expected) in [(AutoDone::Allowed, allowed), (AutoDone::Refused, refused)] {
            let classification = classify(text, done);
            assert_eq!((classification.kind, classification.confidence), expected, "{text:?} {done:?}");
            assert_eq!(classification.by, ClassifierKind::Heuristic);
            assert_eq!(classification.question.is_some(), classification.kind == NeedsInput, "{text:?}");
            assert!(classification.reason.chars().count() <= MAX_REASON_CHARACTERS);
            assert_eq!(permitted(classification.clone(), done), classification, "{text:?}");
        }
    }
    assert_eq!(classify("The code looks fine.", AutoDone::Refused).reason, PLAIN);
    assert_eq!(classify("The refactoring is done.", AutoDone::Refused).reason, REFUSED);
}

#[test]
fn a_text_is_known_by_the_first_digits_of_its_hash() {
    // `printf %s abc | sha1sum`, and the empty text.
    assert_eq!(text_hash("abc"), "a9993e364706");
    assert_eq!(text_hash(""), "da39a3ee5e6b");
}

fn said(kind: ClassificationKind, by: ClassifierKind) -> Classification {
    Classification {
        kind,
        confidence: Confidence::High,
        by,
        reason: "it says so".into(),
        question: Some("Which?".into()),
        text_hash: text_hash("It is in place."),
    }
}

#[test]
fn done_is_said_only_where_that_is_configured() {
    use ClassificationKind::{Done, InProgress, NeedsInput};
    let model = |done| permitted(said(Done, ClassifierKind::Model), done);
    assert_eq!(model(AutoDone::Allowed).kind, Done);
    let refused = model(AutoDone::Refused);
    assert_eq!(refused.kind, InProgress);
    assert_eq!(refused.reason, "Model reported done but auto-done is disabled");
    assert_eq!(permitted(said(Done, ClassifierKind::Heuristic), AutoDone::Refused).reason, REFUSED);
    // Only a question has one.
    assert_eq!(refused.question, None);
    let asks = permitted(said(NeedsInput, ClassifierKind::Model), AutoDone::Refused);
    assert_eq!(asks.question.as_deref(), Some("Which?"));
}

#[test]
fn where_a_classification_counts() {
    use SemanticState as S;
    let row = |state| {
        let mut record = after([started(1), exited(2, Exit::Code(0))]);
        record.agent = AgentKind::Pi;
        record.state = state;
        record.agent_record.text_hash = Some(text_hash("It is in place."));
        record
    };
    let result = permitted(said(ClassificationKind::InProgress, ClassifierKind::Model), AutoDone::Refused);
    let table = [
        (S::Queued, Fit::Counts),
        (S::Working, Fit::Counts),
        (S::NeedsInput, Fit::Counts),
        (S::Idle, Fit::Counts),
        (S::Holding, Fit::Nothing),
        (S::Completed, Fit::Nothing),
        (S::Failed, Fit::Nothing),
        (S::Stopped, Fit::Nothing),
    ];
    for (state, expected) in table {
        assert_eq!(fit(&row(state), &result), expected, "{state:?}");
        let mut runs = row(state);
        runs.process_state = ProcessState::Alive;
        assert_eq!(fit(&runs, &result), Fit::Nothing, "{state:?} in a turn");
    }
    let mut broken = row(S::Idle);
    broken.error = Some("529".into());
    assert_eq!(fit(&broken, &result), Fit::Nothing);
    let mut asks = row(S::NeedsInput);
    asks.agent_record.questions.push(OpenQuestion {
        id: "ui-1".into(),
        text: "Deploy?".into(),
        by: Asker::Dialog,
    });
    assert_eq!(fit(&asks, &result), Fit::Nothing, "a dialog stands before the person");
    let older = Classification { text_hash: text_hash("Older words."), ..result.clone() };
    assert_eq!(fit(&row(S::Idle), &older), Fit::Stale);
    let mut silent = row(S::Idle);
    silent.agent_record.text_hash = None;
    assert_eq!(fit(&silent, &result), Fit::Stale);
    // The same once more changes nothing; another classifier's word does.
    let mut again = row(S::Idle);
    again.auto_state = Some(AutoState {
        classification: result.clone(),
        state: S::Idle,
        classified_at: UnixMs(1),
        last_agent_activity_at: None,
    });
    let surer =
        Classification { confidence: Confidence::Low, reason: "other words".into(), ..result.clone() };
    assert_eq!(fit(&again, &surer), Fit::Nothing);
    assert_eq!(fit(&again, &Classification { by: ClassifierKind::Heuristic, ..result }), Fit::Counts);
}
