//! Which words show which rows.

use super::*;
use crate::samples::row;
use board_text::{Language, speaking};
use proptest::prelude::*;

fn states(text: &str) -> Vec<SemanticState> {
    let filter = Filter::parse(text);
    SemanticState::ALL.into_iter().filter(|state| filter.fits(&Row { state: *state, ..row(1) })).collect()
}

#[test]
fn i1_a11_every_way_to_ask_for_holding_rows_fits_them_alone() {
    for text in ["s:holding", "s:hold", "s:onhold", "s:on", "S:On-Hold", "s:on_hold"] {
        assert_eq!(states(text), [SemanticState::Holding], "{text}");
    }
}

#[test]
fn states_are_asked_for_added_up_and_left_out() {
    use SemanticState as S;
    let all = S::ALL.to_vec();
    let without = |state: S| S::ALL.into_iter().filter(|other| *other != state).collect::<Vec<_>>();
    let table = [
        ("s:running", vec![S::Working]),
        ("s:needs-answer", vec![S::NeedsInput]),
        // The label of one and the name of the other begin so.
        ("s:needs", vec![S::NeedsInput, S::Idle]),
        ("s:done s:failed", vec![S::Completed, S::Failed]),
        ("s:nothing-of-the-kind", vec![]),
        ("-s:done", without(S::Completed)),
        ("-s:nothing-of-the-kind", all.clone()),
        ("s:needs -s:idle", vec![S::NeedsInput]),
        ("review:ready", vec![S::Idle, S::Holding, S::Completed]),
        // What is not complete yet hides nothing.
        ("s:", all.clone()),
        ("s:-", all.clone()),
        ("-s:", all.clone()),
        ("#", all.clone()),
        ("-#", all.clone()),
        ("queued:", all.clone()),
        ("", all),
    ];
    for (text, expected) in table {
        assert_eq!(states(text), expected, "{text:?}");
    }
}

#[test]
fn words_and_marks_are_all_needed() {
    let wanted = Row {
        name: "Fix login".into(),
        summary: "Running tests".into(),
        cwd: "/home/me/Shop".into(),
        tags: vec!["backend".into(), "p1".into()],
        queued: 2,
        stalled_ms: Some(300_000),
        errors: 1,
        plan: PlanStatus::AwaitingApproval,
        ..row(1)
    };
    let table = [
        ("login", true, false),
        ("LOGIN tests", true, false),
        ("shop", true, false),
        ("login nowhere", false, false),
        ("#backend", true, false),
        ("#BACKEND #p1", true, false),
        // A tag is meant whole: `p1` is not `p10`.
        ("#back", false, false),
        ("-#backend", false, true),
        ("-#other", true, true),
        ("diag:stalled", true, false),
        ("evidence:error", true, false),
        ("queued:yes", true, false),
        ("queued:1", true, false),
        ("queued:no", false, true),
        ("steer:awaiting-approval", true, false),
        ("STEER:AwaitingApproval", true, false),
        ("steer:awaiting_approval", true, false),
        ("steer:none", false, true),
        ("steer:approved", false, false),
        // Exactly: a beginning is none.
        ("steer:awaiting", false, false),
        ("steer:", true, true),
        // A word with a colon is still a word.
        ("http://x", false, false),
    ];
    for (text, fits, plain) in table {
        assert_eq!(Filter::parse(text).fits(&wanted), fits, "{text}");
        assert_eq!(Filter::parse(text).fits(&row(2)), plain, "{text} on another row");
    }
}

#[test]
fn words_with_a_meaning_are_told_from_text() {
    for text in
        ["s:x", "a -s:done", "#t", "-#t", "diag:stalled", "Queued:1", "review:", "steer:x", "evidence:e"]
    {
        assert!(is_filter_query(text), "{text}");
    }
    for text in ["", "login", "a s b", "x#y", "-s", "http://x"] {
        assert!(!is_filter_query(text), "{text}");
    }
}

// A word that nobody knows showed an empty board, and did not say why.
#[test]
fn f6_a_word_that_is_not_known_is_told_with_those_that_are() {
    for text in [
        "",
        "login",
        "s:",
        "s:run",
        "-s:done",
        "s:needs",
        "#web -#x",
        "diag:",
        "diag:st",
        "diag:stalled",
        "queued:ye",
        "queued:no ",
        "review:ready login",
        "steer:approved",
        "http://x",
        "/srv/a:b",
        "12:30",
        "a:/b",
        "evidence:error",
    ] {
        assert_eq!(unknown_word(text), None, "{text:?}");
    }
    let table = [
        ("stat:running", "unknown word \"stat:\"; known: s: diag: evidence: review: queued: #tag"),
        ("s:runing", "unknown state \"runing\"; known: queued, running, needs-answer,"),
        ("-s:x login", "unknown state \"x\"; known:"),
        ("diag:stuck", "unknown value \"stuck\"; known: diag:stalled"),
        // What is no longer being typed is not finished any more either.
        ("diag:st login", "unknown value \"st\"; known: diag:stalled"),
        ("queued:maybe", "unknown value \"maybe\"; known: queued:yes, queued:no"),
        ("foo:x stat:y", "unknown word \"stat:\""),
    ];
    for (text, said) in table {
        let told = unknown_word(text).unwrap_or_default();
        assert!(told.starts_with(said), "{text:?}: {told:?}");
    }
}

#[test]
fn i8_what_fits_nothing_is_explained_in_the_language_of_its_reader() {
    let said = |language, text| speaking(language, || unknown_word(text)).unwrap_or_default();
    assert!(said(Language::Chinese, "s:runing").starts_with("没有状态 \"runing\"；可用的有：queued, "));
    assert!(said(Language::Chinese, "stat:x").starts_with("没有条件 \"stat:\"；"));
    assert!(said(Language::Japanese, "diag:x ").starts_with("値 \"x\" はありません。"));
}

#[test]
fn a_state_is_named_whole() {
    assert_eq!(state_named("on-hold"), Some(SemanticState::Holding));
    assert_eq!(state_named("Needs instructions"), Some(SemanticState::Idle));
    assert_eq!(state_named("need"), None);
    assert_eq!(state_named(""), None);
}

proptest! {
    #[test]
    fn another_word_never_shows_more(text in "[a-z:#\\- ]{0,24}", word in "[a-rt-z0-9#\\-][a-z0-9]{0,6}", n in 0_u32..50) {
        let row = Row { tags: vec!["ab".into()], state: SemanticState::ALL[n as usize % 8], ..row(n) };
        if Filter::parse(&format!("{text} {word}")).fits(&row) {
            prop_assert!(Filter::parse(&text).fits(&row));
        }
    }

    #[test]
    fn asking_for_states_and_leaving_them_out_are_opposites(prefix in "[a-z]{1,6}", n in 0_usize..8) {
        let row = Row { state: SemanticState::ALL[n], ..row(1) };
        let asked = Filter::parse(&format!("s:{prefix}")).fits(&row);
        let left_out = Filter::parse(&format!("-s:{prefix}")).fits(&row);
        prop_assert!(asked != left_out);
    }

    #[test]
    fn every_text_is_a_filter(text in "\\PC*") {
        let _ = Filter::parse(&text).fits(&row(1));
    }
}

// The reference counts the errors of the evidence (F.6); those of the diagnostics are shown by the same badge.
#[test]
fn f6_evidence_error_finds_errors_of_both_kinds() {
    let review = |errors| Some(crate::evidence::Review { errors, ..Default::default() });
    let rows = [
        Row { errors: 1, ..row(1) },
        Row { review: review(2), ..row(2) },
        Row { review: review(0), ..row(3) },
    ];
    let filter = Filter::parse("evidence:error");
    assert_eq!(rows.map(|row| filter.fits(&row)), [true, true, false]);
}
