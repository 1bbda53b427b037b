//! Every form of an answer that is read, and many that are not.

use super::*;

const HASH: &str = "0123456789ab";

fn read(printed: &str) -> Result<(ClassificationKind, Confidence), &'static str> {
    classification(printed, HASH).map(|result| (result.kind, result.confidence))
}

#[test]
fn b11_the_whole_text_a_fenced_block_or_braces_are_read() {
    use ClassificationKind as K;
    let object = r#"{"state":"done","confidence":"high","reason":"r"}"#;
    let table = [
        object.to_owned(),
        format!("  {object}\n"),
        format!("```json\n{object}\n```"),
        format!("Here it is:\n```\n{object}\n```\nBye {{}}"),
        format!("I think that {object} fits."),
    ];
    for printed in table {
        assert_eq!(read(&printed), Ok((K::Done, Confidence::High)), "{printed}");
    }
    // Braces in a text do not end the object.
    let nested = r#"x {"state":"question","question":"Use {a} or {b}?"} y"#;
    let result = classification(nested, HASH).unwrap();
    assert_eq!(result.question.as_deref(), Some("Use {a} or {b}?"));
}

#[test]
fn b11_every_synonym_is_known_however_it_is_written() {
    use ClassificationKind as K;
    let table = [
        (K::NeedsInput, ["needs_input", "blocked", "question", "awaiting_input", "Needs-Input"].as_slice()),
        (K::InProgress, &["in_progress", "partial", "todo", "ongoing", "In Progress", "TODO"]),
        (K::Done, &["done", "complete", "completed", "finished", "resolved", "success", "DONE"]),
    ];
    for (kind, words) in table {
        for word in words {
            let printed = format!(r#"{{"state":"{word}"}}"#);
            assert_eq!(read(&printed).map(|(kind, _)| kind), Ok(kind), "{word}");
        }
    }
    for word in ["holding", "on_hold", "idle", "", "failed", "stopped", "working"] {
        assert!(read(&format!(r#"{{"state":"{word}"}}"#)).is_err(), "i1_a7: {word}");
    }
}

#[test]
fn b11_what_is_not_said_has_a_default() {
    let result = classification(r#"{"kind":"todo"}"#, HASH).unwrap();
    assert_eq!((result.confidence, result.by), (Confidence::Medium, ClassifierKind::Model));
    assert_eq!((result.reason.as_str(), result.question), ("Model says that work remains", None));
    assert_eq!(result.text_hash, HASH);
    let odd = r#"{"state":"done","confidence":7,"reason":"  ","question":"Why?"}"#;
    let result = classification(odd, HASH).unwrap();
    assert_eq!(result.confidence, Confidence::Medium);
    assert_eq!((result.reason.as_str(), result.question), ("Model says that the work is done", None));
}

#[test]
fn b11_what_cannot_be_read_is_an_error_and_no_state() {
    for printed in [
        "",
        "done",
        "null",
        "[]",
        "{",
        "}{",
        "{}",
        r#"{"state":1}"#,
        r#"{"state":null}"#,
        r#"["state","done"]"#,
        "```json\n{\"state\":\n```",
        "```",
        "```\n```",
    ] {
        assert!(read(printed).is_err(), "{printed:?}");
    }
}

#[test]
fn b11_texts_are_plain_and_cut() {
    let long = "w ".repeat(500);
    let printed = format!(r#"{{"state":"question","reason":"a\u001b[2J{long}","question":"{long}?"}}"#);
    let result = classification(&printed, HASH).unwrap();
    assert!(result.reason.chars().count() <= MAX_REASON_CHARACTERS);
    assert!(result.question.is_some_and(|question| question.chars().count() <= MAX_QUESTION_CHARACTERS));
    assert!(!result.reason.contains('\u{1b}'));
}

#[test]
fn d3_a_title_is_at_most_four_words_of_one_line() {
    let table = [
        ("Mend the login", Ok("Mend the login")),
        ("\n\n  \"Mend the login page today please\"\nmore", Ok("Mend the login page")),
        ("**Mend login.**", Ok("Mend login")),
        ("`fix`", Ok("fix")),
        ("\u{1b}[31mred\u{1b}[0m", Ok("red")),
    ];
    for (printed, expected) in table {
        assert_eq!(title(printed).as_deref(), expected.as_deref(), "{printed:?}");
    }
    for printed in ["", "\n \n", "...", "\u{1b}\u{7}"] {
        assert!(title(printed).is_err(), "{printed:?}");
    }
    assert!(title(&"x".repeat(500)).is_ok_and(|name| name.chars().count() <= MAX_NAME_COLUMNS));
}

#[test]
fn d3_a_summary_is_at_most_eight_words_and_eighty_cells() {
    let printed = "Login mended, two tests added and all of them pass now.";
    assert_eq!(summary(printed).as_deref(), Ok("Login mended, two tests added and all of"));
    let wide = summary(&"漢".repeat(100)).unwrap();
    assert!(unicode_width::UnicodeWidthStr::width(wide.as_str()) <= MAX_SUMMARY_COLUMNS);
    assert!(summary("  \n").is_err());
}

#[test]
fn b11_a_command_gets_at_most_six_thousand_characters() {
    let text = format!("{}end", "ü".repeat(7_000));
    let last = excerpt(Consultation::AutoState, &text);
    assert_eq!(last.chars().count(), MAX_TEXT_CHARACTERS);
    assert!(last.ends_with("end"), "the end of last words says what they come to");
    assert!(excerpt(Consultation::Title, &text).starts_with('ü'));
    assert_eq!(excerpt(Consultation::Summary, "short"), "short");
}
