//! Tests of needles: what they match, wherever a look at the text ends, and what is refused.

use super::*;

fn at(needle: &str, text: &str) -> Option<(usize, String)> {
    let needle = Needle::new(needle).unwrap();
    let mut from = 0;
    loop {
        match needle.look(text.as_bytes(), from) {
            Step::Found(found) => return Some((found.at, found.matched)),
            Step::Looked(upto) if upto == text.len() => return None,
            Step::Looked(upto) => {
                assert!(upto > from, "a look has to get on");
                from = upto;
            }
        }
    }
}

fn some(at: usize, matched: &str) -> Option<(usize, String)> {
    Some((at, matched.into()))
}

#[test]
fn g1_a_needle_is_a_regular_expression_and_case_counts() {
    assert_eq!(at(r"port (\d+)", "on port 8080, really"), some(3, "port 8080"));
    assert_eq!(at("Ready", "ready"), None);
    assert_eq!(at("(?i)Ready", "ready"), some(0, "ready"));
    assert_eq!(at("^b$", "a\nb\nc"), some(2, "b"), "line by line, as a person reads");
    assert_eq!(at("a\nb", "x\na\nb"), some(2, "a\nb"));
    assert_eq!(at("准备好", "服务 准备好了"), some(7, "准备好"));
    assert_eq!(at("ab|b", "xabab"), some(1, "ab"), "the first occurrence");
}

#[test]
fn g1_what_is_no_regular_expression_is_taken_literally_and_says_why() {
    for text in ["a(b", "[", "*", "x{9999999}", r"(?=x)", "(?P<n", r"\w{1000}"] {
        let needle = Needle::new(text).unwrap();
        assert!(needle.literal().is_some_and(|why| !why.is_empty()), "{text}");
        assert_eq!(at(text, &format!("..{text}..")), some(2, text));
        assert_eq!(at(text, "abxw"), None);
    }
    assert_eq!(Needle::new("a+b").unwrap().literal(), None);
}

#[test]
fn g1_an_empty_needle_and_an_endless_one_are_refused() {
    assert_eq!(Needle::new("").unwrap_err(), BadNeedle::Empty);
    assert!(Needle::new(&"x".repeat(MAX_NEEDLE_BYTES)).is_ok());
    assert_eq!(Needle::new(&"x".repeat(MAX_NEEDLE_BYTES + 1)).unwrap_err(), BadNeedle::TooLong);
}

#[test]
fn patterns_that_people_write_are_small_enough() {
    for text in [
        r"\w+\s+\d+",
        r"[\p{L}\d_]{1,20}",
        r"(?i)error|warning|fail(ed|ure)|exception",
        r"https?://[\w.-]+:\d{1,5}/\S*",
        r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}",
        r"^[^\n]*\$ $",
        r"(?s)begin.*end",
        r"\b(passed|failed)\b.*\b\d+\b",
    ] {
        let needle = Needle::new(text).unwrap();
        assert_eq!(needle.literal(), None, "{text}");
    }
}

#[test]
fn a_match_is_found_wherever_a_look_ends() {
    for lead in [0, 1, MATCH_BYTES - 3, MATCH_BYTES - 1, MATCH_BYTES, 2 * MATCH_BYTES + 5] {
        for (needle, text) in [
            ("needle", "needle"),
            (r"n\w+e", "needle"),
            (r"one\s+two", "one\n\n two"),
            (r"\bword\b", "word"),
            (r"ß[^x]*ß", "ß\n—\nß"),
            (r"a.*b", "a————b"),
        ] {
            for filler in ["-", "é", "-\n"] {
                let before = format!("{} ", filler.repeat(lead.div_ceil(filler.len())));
                let whole = format!("{before}{text} {}", "-".repeat(2 * MATCH_BYTES));
                assert_eq!(
                    at(needle, &whole),
                    some(before.len(), text),
                    "{needle} behind {lead} of {filler:?}"
                );
            }
        }
    }
}

#[test]
fn what_stands_behind_the_end_of_a_look_decides() {
    let before = "-".repeat(MATCH_BYTES - 4);
    assert_eq!(at("word$", &format!("{before}wordy")), None);
    assert_eq!(at(r"word\b", &format!("{before}wordy")), None);
    assert_eq!(at(r"word\b", &format!("{before}word y")), some(before.len(), "word"));
    assert_eq!(at(r"w\w+", &format!("{before}wordy")), some(before.len(), "wordy"), "it is not cut");
}

#[test]
fn g1_a_long_match_is_told_in_part() {
    let found = at("é+", &"é".repeat(3_000)).unwrap();
    assert_eq!(found.1.chars().count(), MAX_MATCHED_CHARS);
}

// Reference G.1 of the figures: whatever the pattern, one look at the text takes a bounded number of steps. The bound here is
// on what a look is at; the time itself is a figure of the benchmark.
#[test]
fn one_look_is_at_a_bounded_part_of_the_text() {
    let text = "ab".repeat(100_000);
    for pattern in ["[ab]*a[ab]{300}c", "(a*b*)*c", "((ab?)+)+c", r"(?:\w+\W?)+c"] {
        let needle = Needle::new(pattern).unwrap();
        let Step::Looked(upto) = needle.look(text.as_bytes(), 0) else { panic!("{pattern} is not there") };
        assert!(upto <= MATCH_BYTES, "{pattern}");
    }
    let large = Needle::new("[ab]*a[ab]{300}c").unwrap();
    assert_eq!(large.window, LARGE_MATCH_BYTES);
    assert!(Needle::new("[ab]*a[ab]{3000}c").unwrap().literal().is_some());
}
