//! Every fault of a catalogue, with what is said about it.

use super::{catalogue, generator};

/// What the generator says about three files, as one text.
fn faults(english: &str, chinese: &str, japanese: &str) -> String {
    generator::code(&catalogue(english, chinese, japanese)).unwrap_err().join("\n")
}

/// What it says about a construct that stands in every language.
fn everywhere(text: &str) -> String {
    faults(text, text, text)
}

#[test]
fn i8_a_message_that_a_language_lacks_is_named() {
    assert_eq!(
        faults("area-a = A\narea-b = B", "area-a = 甲", "area-a = ア\narea-b = イ"),
        "zh/area.ftl: area-b is missing"
    );
}

#[test]
fn i8_a_message_that_english_lacks_is_named() {
    assert_eq!(
        faults("area-a = A", "area-a = 甲", "area-a = ア\narea-b = イ"),
        "ja/area.ftl: area-b is not in en/area.ftl"
    );
}

#[test]
fn i8_a_file_that_a_language_lacks_is_named() {
    let mut catalogue = catalogue("area-a = A", "area-a = 甲", "area-a = ア");
    catalogue.get_mut("ja").unwrap().clear();
    let said = generator::code(&catalogue).unwrap_err();
    assert_eq!(said, ["ja/area.ftl is missing: another language has this file"]);
}

#[test]
fn i8_placeholders_that_differ_are_named() {
    let said = faults(
        "area-a = { $name } in { $place }",
        "area-a = { $name }",
        "area-a = { $name } { $place } { $age }",
    );
    assert_eq!(
        said,
        "zh/area.ftl: area-a does not show $place, which English shows\n\
         ja/area.ftl: area-a has the variable $age, which English does not have"
    );
}

#[test]
fn i8_a_number_that_one_case_shows_must_be_shown_everywhere() {
    let english = "area-a = { $n ->\n    [one] a process\n   *[other] { $n } processes\n }";
    let said = faults(english, "area-a = 进程", "area-a = { $n } プロセス");
    assert_eq!(said, "zh/area.ftl: area-a does not show $n, which English shows");
}

#[test]
fn a_message_is_there_once_and_belongs_to_its_file() {
    assert!(
        faults("area-a = A\narea-a = B", "area-a = 甲", "area-a = ア")
            .contains("en/area.ftl: area-a is there twice")
    );
    assert!(everywhere("other-a = A").contains("other-a does not start with area-"));
    assert!(everywhere("areas = A").contains("areas does not start with area-"));
}

#[test]
fn names_that_rust_cannot_have_are_refused() {
    assert!(everywhere("area-match = A").contains("match cannot be a name"));
    assert!(everywhere("area-Loud = A").contains("Loud cannot be a name"));
    assert!(everywhere("area-a = { $type }").contains("type cannot be a name"));
    assert!(everywhere("area-a_b = A").contains("a_b cannot be a name"));
    assert!(everywhere("area-9 = A").contains("9 cannot be a name"));
}

#[test]
fn constructs_that_are_not_known_here_are_refused() {
    assert!(everywhere("area-a = A\n    .title = B").contains("area-a has an attribute"));
    assert!(everywhere("-area-a = A").contains("-area-a is a term"));
    assert!(everywhere("area-a = { area-b }\narea-b = B").contains("area-a refers to a message"));
    assert!(
        everywhere("area-a = { NUMBER($n) }").contains("area-a refers to a message, a term or a function")
    );
    assert!(everywhere("area-a = { 5 }").contains("has a number in braces"));
    assert!(
        everywhere("area-a = { NUMBER($n) ->\n   *[other] x\n }")
            .contains("selects by something that is no variable")
    );
    assert!(
        everywhere("area-a = { $n ->\n    [1.5] x\n   *[other] y\n }")
            .contains("[1.5], which is no whole number")
    );
    assert!(
        everywhere("area-a = { $n ->\n    [few] x\n   *[other] y\n }")
            .contains("[few], which numbers do not have")
    );
    assert!(
        everywhere("area-a = { $n ->\n    [0] x\n   *[one] y\n }").contains("another default than *[other]")
    );
    assert!(
        everywhere("area-a = { $n ->\n    [1] x\n    [1] z\n   *[other] y\n }")
            .contains("two cases for the same number")
    );
    assert!(everywhere("area-a = { \"\\u0007\" }").contains("has a control character"));
    assert!(
        everywhere("area-a = x { $a }{ $b }{ $c }{ $d }{ $e }{ $f }{ $g }{ $h }{ $i }")
            .contains("has 9 variables")
    );
}

#[test]
fn chinese_and_japanese_have_one_plural_form() {
    let plural = "area-a = { $n ->\n    [one] x\n   *[other] { $n } y\n }";
    assert_eq!(
        faults(plural, plural, "area-a = { $n }"),
        "zh/area.ftl: area-a has the case [one], which numbers do not have in the language zh"
    );
}

#[test]
fn what_is_no_fluent_is_named_with_its_line() {
    assert!(everywhere("area-a = A\n\narea-b = { $x\n").contains("en/area.ftl, line 3:"));
}
