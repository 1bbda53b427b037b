//! The functions that are made of good files. That they say what they should is shown by the functions themselves, in the
//! crate's own tests.

use super::{catalogue, generator};

fn made(english: &str, chinese: &str, japanese: &str) -> String {
    generator::code(&catalogue(english, chinese, japanese)).unwrap()
}

#[test]
fn a_message_becomes_a_documented_function_of_its_file() {
    let code = made(
        "# Said at the end.\narea-good-bye = Bye { $name }",
        "area-good-bye = { $name }，再见",
        "area-good-bye = では、{ $name }さん",
    );
    for part in [
        "pub mod area {",
        "    /// Said at the end.\n    ///\n    /// ```text\n    /// Bye {$name}\n    /// ```\n    #[must_use]\n",
        "pub fn good_bye(name: impl Display) -> String {",
        r#"fill(&["Bye \u{1}", "\u{1}，再见", "では、\u{1}さん"], &[&name])"#,
    ] {
        assert!(code.contains(part), "{part} is not in {code}");
    }
}

#[test]
fn a_message_without_variables_is_a_plain_string() {
    let code = made("area-a = A { \"{\" }{ \"}\" }", "area-a = 甲", "area-a = ア");
    assert!(code.contains(r#"pub fn a() -> &'static str {"#), "{code}");
    assert!(code.contains(r#"pick(&["A {}", "甲", "ア"])"#), "{code}");
}

#[test]
fn arguments_stand_in_the_order_of_the_english_text() {
    let code = made("area-a = { $x } { $y-z }", "area-a = { $y-z } { $x }", "area-a = { $y-z }{ $x }");
    assert!(code.contains("pub fn a(x: impl Display, y_z: impl Display) -> String"), "{code}");
    assert!(code.contains(r#"fill(&["\u{1} \u{2}", "\u{2} \u{1}", "\u{2}\u{1}"], &[&x, &y_z])"#), "{code}");
}

#[test]
fn a_plural_becomes_a_match_on_a_number() {
    let english =
        "area-a = { $n ->\n    [0] nothing\n    [one] a thing\n   *[other] { $n } things\n } of { $whose }";
    let code = made(english, "area-a = { $whose }的 { $n }", "area-a = { $whose }の { $n }");
    assert!(code.contains("pub fn a(n: impl Number, whose: impl Display) -> String"), "{code}");
    assert!(
        code.contains(r#"match n { 0 => "nothing of \u{2}", 1 => "a thing of \u{2}", _ => "\u{1} things of \u{2}" }, "\u{2}的 \u{1}""#),
        "{code}"
    );
}

#[test]
fn what_english_only_selects_by_may_be_left_out() {
    let code =
        made("area-a = { $n ->\n    [one] it\n   *[other] them\n }", "area-a = 它们", "area-a = それら");
    assert!(code.contains("pub fn a(n: impl Number) -> &'static str"), "{code}");
    assert!(code.contains(r#"pick(&[match n { 1 => "it", _ => "them" }, "它们", "それら"])"#), "{code}");
}

#[test]
fn two_numbers_make_a_match_in_a_match() {
    let two = "area-a = { $m ->\n    [one] a\n   *[other] b\n }{ $n ->\n    [one] c\n   *[other] d\n }";
    let code = made(two, "area-a = 甲", "area-a = ア");
    assert!(
        code.contains(
            r#"match m { 1 => match n { 1 => "ac", _ => "ad" }, _ => match n { 1 => "bc", _ => "bd" } }"#
        ),
        "{code}"
    );
}

#[test]
fn the_files_that_are_looked_up_have_a_sorted_table() {
    let file = |text: &str| std::collections::BTreeMap::from([("help".to_owned(), text.to_owned())]);
    let catalogue = generator::LANGUAGES
        .into_iter()
        .map(|language| (language, file("help-b = B\nhelp-a = A\nhelp-c = { $x }")))
        .collect();
    let code = generator::code(&catalogue).unwrap();
    assert!(code.contains("        (\"help-a\", a),\n        (\"help-b\", b),\n    ];"), "{code}");
    assert!(code.contains("pub fn named(name: &str) -> Option<&'static str>"), "{code}");
}
