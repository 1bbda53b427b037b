//! The words of a status bar by tables, and what each costs the session in messages.

use super::*;

fn counts(groups: [usize; 8], unread: usize) -> BarCounts {
    BarCounts { groups, unread }
}

fn bar(pattern: &str) -> Bar {
    let target = BarTarget::parse("zjstatus:jobs").unwrap();
    Bar::new(target, BarPattern::parse(pattern).unwrap(), GlyphSet::Unicode)
}

/// What zjstatus makes of a message: the name of the widget and its text. Read in its `src/pipe.rs`: lines, then `::`; the
/// fourth part is the text.
fn as_zjstatus(message: &str) -> (String, String) {
    assert_eq!(message.lines().count(), 1, "{message:?}");
    let parts: Vec<&str> = message.split("::").collect();
    let ["zjstatus", "pipe", name, text] = parts[..] else { panic!("{message:?}") };
    (name.to_owned(), text.to_owned())
}

#[test]
fn a_widget_is_named_with_or_without_what_zjstatus_puts_in_front() {
    for (text, shown) in [
        ("zjstatus", Some("zjstatus:agent_board")),
        ("zjstatus:jobs", Some("zjstatus:jobs")),
        ("zjstatus:pipe_jobs", Some("zjstatus:jobs")),
        ("zjstatus:", None),
        ("zjstatus:pipe_", None),
        ("zjstatus:a::b", None),
        ("tmux:x", None),
    ] {
        assert_eq!(BarTarget::parse(text).map(|target| target.to_string()).as_deref(), shown, "{text}");
    }
}

#[test]
fn zjstatus_finds_the_widget_and_the_whole_text() {
    for (pattern, groups, unread, text) in [
        ("{groups}", [0; 8], 0, ""),
        (
            "{groups}",
            [0, 2, 1, 3, 0, 0, 0, 0],
            4,
            &format!("●2 ◇1 {}3 •4", SemanticState::Idle.facts().glyphs[0]),
        ),
        ("{needs_input} of {total}, {unread} new", [0, 2, 1, 3, 0, 0, 0, 0], 4, "1 of 6, 4 new"),
        ("#[fg=red]{failed}", [0, 0, 0, 0, 0, 0, 7, 0], 0, "#[fg=red]7"),
        ("a::b {working}", [0, 1, 0, 0, 0, 0, 0, 0], 0, "a: :b 1"),
        ("a\n{working}\u{1b}[31m", [0, 1, 0, 0, 0, 0, 0, 0], 0, "a 1"),
        ("} {working} {", [0, 1, 0, 0, 0, 0, 0, 0], 0, "} 1 {"),
    ] {
        let known = BarPattern::parse(pattern).unwrap();
        let target = BarTarget::parse("zjstatus:jobs").unwrap();
        let mut bar = Bar::new(target, known, GlyphSet::Unicode);
        let message = bar.say(&counts(groups, unread), Freshness::Now, Duration::ZERO).unwrap();
        assert_eq!(as_zjstatus(&message), ("pipe_jobs".into(), text.into()), "{pattern}");
        assert_eq!(as_zjstatus(&bar.farewell()).1, "");
    }
}

#[test]
fn the_last_counts_known_are_no_news() {
    let mut bar = bar("{working}");
    let one = counts([0, 1, 0, 0, 0, 0, 0, 0], 0);
    let message = bar.say(&one, Freshness::LastHeard, Duration::ZERO).unwrap();
    assert_eq!(as_zjstatus(&message).1, "? 1");
}

#[test]
fn signs_of_ascii_where_they_are_configured() {
    let pattern = BarPattern::default();
    let mut bar = Bar::new(BarTarget::parse("zjstatus").unwrap(), pattern, GlyphSet::Ascii);
    let message = bar.say(&counts([1; 8], 2), Freshness::Now, Duration::ZERO).unwrap();
    assert!(as_zjstatus(&message).1.is_ascii(), "{message}");
}

// A change is said at once, a flood of them twice a second, and what stays the same every five seconds.
#[test]
fn a_flood_costs_two_messages_a_second() {
    let mut bar = bar("{working}");
    let mut said = Vec::new();
    for at in 0..1_000_u64 {
        let now = Duration::from_millis(at * 10);
        let working = if at < 500 { usize::try_from(at).unwrap() } else { 499 };
        let counts = counts([0, working, 0, 0, 0, 0, 0, 0], 0);
        let due = bar.next_deadline(&counts, Freshness::Now);
        let message = bar.say(&counts, Freshness::Now, now);
        assert_eq!(message.is_some(), due <= now, "the deadline is the one that is kept, at {now:?}");
        said.extend(message.map(|_| now));
    }
    let first_half = said.iter().filter(|at| **at < Duration::from_secs(5)).count();
    assert_eq!(first_half, 10, "{said:?}");
    // The newest of the flood, and nothing else for five seconds.
    assert_eq!(said.len(), 11, "{said:?}");
}
