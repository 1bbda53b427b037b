//! Sentences that ask the person something, and sentences that only look like it.

use super::*;

#[track_caller]
fn asks(text: &str, question: &str) {
    assert_eq!(question_in(text).as_deref(), Some(question), "{text:?}");
}

#[test]
fn a_text_that_ends_with_a_question_mark_of_any_script_asks_its_last_question() {
    asks("Which DB should I use?", "Which DB should I use?");
    asks("I found two.\n\n  Which of   them?\n", "Which of them?");
    asks("Is it A? Or B?", "Or B?");
    asks("Shall we (or \"not?\")", "Shall we (or \"not?\")");
    asks("**Continue?**", "**Continue?**");
    asks("Ready?!?", "Ready?!?");
    asks("完成了。要继续吗？", "要继续吗？");
    asks("どちらにしますか？", "どちらにしますか？");
    asks("هل أستمر؟", "هل أستمر؟");
    asks("Να συνεχίσω\u{37e}", "Να συνεχίσω\u{37e}");
    asks("Continue\u{2e2e}", "Continue\u{2e2e}");
}

#[test]
fn a_phrase_that_hands_over_the_word_asks_without_a_question_mark() {
    let table = [
        ("Done with A. I need your input on B. Nothing changed.", "I need your input on B."),
        ("Tell me which option suits you.", "Tell me which option suits you."),
        ("Please confirm the plan.", "Please confirm the plan."),
        ("Could you confirm that the port is free.", "Could you confirm that the port is free."),
        ("All tests pass. Let me know how to go on.", "Let me know how to go on."),
        ("Or would you like a summary.", "Or would you like a summary."),
        ("Please clarify the second step.", "Please clarify the second step."),
        ("I am WAITING FOR YOUR answer", "I am WAITING FOR YOUR answer"),
        ("已修改。请确认是否提交。", "请确认是否提交。"),
        ("変更しました。ご確認ください。", "ご確認ください。"),
        ("Listo. Avísame cuando puedas.", "Avísame cuando puedas."),
        ("C'est fait. Veuillez confirmer le plan.", "Veuillez confirmer le plan."),
        ("Fertig. Bitte bestätigen Sie den Plan.", "Bitte bestätigen Sie den Plan."),
    ];
    for (text, question) in table {
        asks(text, question);
    }
}

#[test]
fn statements_do_not_ask() {
    let statements = [
        "",
        " \n\t ",
        "Done.",
        "I fixed the parser in main.rs and all 12 tests pass.",
        "It asked \"which?\" and I chose the first. Done.",
        "Is it slow? No: 3.5 ms. I changed nothing.",
        "See https://example.com/?q=1 for more.",
        "let x = y;",
        "int main() { return 0; }",
        "The shall it pass test is green.",
        "Marshall is done.",
        "I chose whichever ones fit.",
        "He would not like that.",
    ];
    for text in statements {
        assert_eq!(question_in(text), None, "{text:?}");
    }
}

#[test]
fn the_last_asking_sentence_wins() {
    asks("Should I go on. I can also wait. Please confirm. Thanks.", "Please confirm.");
}

#[test]
fn every_language_has_a_phrase_of_every_family_and_finds_it_in_a_sentence_of_its_own() {
    for language in LANGUAGES {
        for family in language.families() {
            assert!(!family.is_empty());
            for phrase in family {
                assert_eq!(&phrase.to_lowercase(), phrase);
                asks(&format!("Done. {phrase}."), &format!("{phrase}."));
            }
        }
    }
}

#[test]
fn a_language_whose_questions_need_no_mark_is_known_by_their_endings() {
    asks("修改完了。要继续吗。", "要继续吗。");
    asks("変更しました。続けますか。", "続けますか。");
    asks("どちらがよいですか", "どちらがよいですか");
    // In the middle of a sentence they end no question.
    assert_eq!(question_in("何ですかと聞かれた場合の処理を追加しました。"), None);
    assert_eq!(question_in("吗啡的剂量已更新。"), None);
}

#[test]
fn what_stands_in_code_or_in_an_address_asks_nobody() {
    let silent = [
        "I use the pattern `colou?r`",
        "It matches `ab?`",
        "Run this:\n```sh\ngrep -E 'what?' log\n```",
        "The prompt was ``which one? `x` `` and I removed it.",
        "The docs are at https://example.com/?q=let+me+know",
        "Added the message `please confirm` to the dialog.",
        "See <https://example.com/a?b=c> and file:///tmp/x?y",
        "const ok = a ? b : c;",
        "An unfinished block:\n```\nare you there?",
    ];
    for text in silent {
        assert_eq!(question_in(text), None, "{text:?}");
    }
    // Around them is prose.
    asks("Shall I run `rm -rf x?y`?", "Shall I run `rm -rf x?y`?");
    asks("Done. Have you seen https://a.b/?c=d?", "Have you seen https://a.b/?c=d?");
    asks("I wrote `a.b. c?`. Please confirm `x?`.", "Please confirm `x?`.");
    asks("J’ai fini. J’attends votre réponse.", "J’attends votre réponse.");
}

#[test]
fn only_the_end_of_a_very_long_text_is_looked_at() {
    let long = format!("Please confirm. {}", "word ".repeat(20_000));
    assert_eq!(question_in(&long), None);
    asks(&format!("{}. Now what?", "\u{1f600}".repeat(50_000)), "Now what?");
}

proptest::proptest! {
    #[test]
    fn whatever_comes_in_the_question_is_a_part_of_it(text in "\\PC{0,80}[?.!。？]?\\PC{0,40}") {
        if let Some(question) = question_in(&text) {
            let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
            proptest::prop_assert!(collapsed.contains(&question) && !question.is_empty());
        }
    }
}
