//! How states and durations are read, and who counts as there.

use super::*;
use crate::model::{
    self, Live, Sessions,
    samples::{begun, session},
};

#[test]
fn durations_are_read() {
    let table = [
        ("90", Some(90_000)),
        ("90s", Some(90_000)),
        ("500ms", Some(500)),
        ("1m30s", Some(90_000)),
        ("1h", Some(3_600_000)),
        ("2d", Some(172_800_000)),
        ("0", Some(0)),
        ("", None),
        ("s", None),
        ("5 m", None),
        ("-5", None),
        ("5x", None),
        ("5m3", None),
    ];
    for (text, ms) in table {
        assert_eq!(parse_duration(text).ok(), ms.map(Duration::from_millis), "{text:?}");
    }
    assert_eq!(parse_duration("99999999999999999d").unwrap(), LONGEST);
}

#[test]
fn states_are_named_as_on_the_wire_or_as_on_the_board() {
    let table = [
        ("working", SemanticState::Working),
        ("Running", SemanticState::Working),
        ("needs_input", SemanticState::NeedsInput),
        ("needs-answer", SemanticState::NeedsInput),
        ("on-hold", SemanticState::Holding),
        ("done", SemanticState::Completed),
    ];
    for (word, state) in table {
        assert_eq!(parse_state(word), Ok(state), "{word}");
    }
    // A beginning is enough for a filter that a person sees work, not for a script that would wait for ever.
    assert!(parse_state("needs").is_err());
    assert!(parse_state("").is_err());
}

fn row(id: &str, state: SemanticState) -> Row {
    let mut sessions = Sessions::new();
    begun(&mut sessions, id, "one");
    Row { state, ..model::row(&sessions[&session(id)], &Live::default()) }
}

fn board(rows: &[Row]) -> WholeBoard {
    let rows = rows.iter().map(|row| (row.id.clone(), row.clone())).collect();
    WholeBoard { rows, warnings: Vec::new() }
}

#[test]
fn who_has_been_there_counts_whatever_comes_later() {
    let (first, second) = ("0000000001", "0000000002");
    let mut waiting = Waiting::new(vec![SemanticState::Idle]);
    waiting.expect(row(first, SemanticState::Working));
    waiting.expect(row(second, SemanticState::Working));
    let both = |one, two| board(&[row(first, one), row(second, two)]);
    let (working, idle) = (SemanticState::Working, SemanticState::Idle);
    assert_eq!(waiting.look(&both(working, working)).unwrap(), Seen::NotYet);
    assert_eq!(waiting.look(&both(idle, working)).unwrap(), Seen::NotYet);
    let late = waiting.too_late().to_string();
    assert!(late.contains(second) && !late.contains(first) && late.contains("Running"), "{late}");
    // The first one works again, and is even gone: it has been there.
    assert_eq!(waiting.look(&both(working, working)).unwrap(), Seen::NotYet);
    assert_eq!(waiting.look(&board(&[row(second, idle)])).unwrap(), Seen::All);
}

#[test]
fn who_is_gone_before_it_was_there_ends_the_wait() {
    let mut waiting = Waiting::new(vec![SemanticState::Idle]);
    waiting.expect(row("0000000001", SemanticState::Working));
    let failure = waiting.look(&board(&[])).unwrap_err();
    let said = failure.to_string();
    assert!(matches!(failure, Failure::Refused(_)), "{said}");
    assert!(said.contains("taken off the board") && said.contains("last seen Running"), "{said}");
}
