//! Tables of what is news and what is silent: one test for each rule.

use super::*;
use crate::model::{apply, samples};
use samples::{begin, fact};

const NOW: UnixMs = UnixMs(1_000_000);

/// A row in this state, put there by this source.
fn record(state: SemanticState, source: StateSource) -> SessionRecord {
    let mut sessions = crate::model::Sessions::new();
    apply(&mut sessions, &begin("a", "job"));
    let mut record = sessions.into_values().next().unwrap();
    record.state = state;
    record.agent_record.evidence =
        Some(crate::model::Evidence { at: NOW, source, what: "a test".to_owned() });
    record
}

fn listening() -> Notices {
    let mut notices = Notices::default();
    notices.listen();
    notices
}

fn moved(notices: &mut Notices, before: SemanticState, record: &SessionRecord) -> Option<u64> {
    let before = self::record(before, StateSource::AgentEvent);
    notices.moved(&record.id, Some(&before), Some(record), NOW, NOW)
}

fn due(notices: &mut Notices, id: &SessionId, number: u64, record: &SessionRecord) -> Option<Event> {
    notices.due(id, number, record).map(|(event, _)| event)
}

#[test]
fn three_changes_are_news_and_every_other_one_is_silent() {
    use SemanticState::{Completed, Failed, Holding, Idle, NeedsInput, Queued, Stopped, Working};
    for before in SemanticState::ALL {
        for after in SemanticState::ALL {
            let worked = matches!(before, Queued | Working);
            let expected = match after {
                NeedsInput => Some(Event::NeedsAnswer),
                Failed => Some(Event::Failed),
                // A sample has no classification, so Done is a verdict.
                Idle if worked => Some(Event::Finished),
                Queued | Working | Idle | Holding | Completed | Stopped => None,
            };
            let expected = expected.filter(|_| before != after);
            let record = record(after, StateSource::AgentEvent);
            assert_eq!(event(before, &record), expected, "{before:?} to {after:?}");
            for source in [StateSource::Person, StateSource::ProcessStart] {
                let own = self::record(after, source);
                assert_eq!(event(before, &own), None, "{before:?} to {after:?} by {source:?}");
            }
        }
    }
}

#[test]
fn done_by_a_classifier_is_the_end_of_that_turn_and_not_another_one() {
    use SemanticState::{Completed, Idle, Working};
    let mut done = record(Completed, StateSource::Classifier);
    done.auto_state = Some(crate::model::samples::auto_state(Completed));
    assert_eq!(event(Working, &done), Some(Event::Finished));
    assert_eq!(event(Idle, &done), None, "the end of the turn was told");
    let mut notices = listening();
    let number = moved(&mut notices, Working, &record(Idle, StateSource::AgentEvent)).unwrap();
    assert_eq!(moved(&mut notices, Idle, &done), None, "what waits stays");
    assert_eq!(due(&mut notices, &done.id, number, &done), Some(Event::Finished));
}

#[test]
fn a_state_that_does_not_last_is_silent_and_one_is_told_once() {
    use SemanticState::{NeedsInput, Working};
    let mut notices = listening();
    let asks = record(NeedsInput, StateSource::AgentEvent);
    let works = record(Working, StateSource::AgentEvent);
    let first = moved(&mut notices, Working, &asks).unwrap();
    assert_eq!(moved(&mut notices, NeedsInput, &works), None);
    let second = moved(&mut notices, Working, &asks).unwrap();
    assert_eq!(due(&mut notices, &asks.id, first, &asks), None, "it is the time of the second that counts");
    assert_eq!(moved(&mut notices, NeedsInput, &asks), None, "another change of the same row is no event");
    assert_eq!(due(&mut notices, &asks.id, second, &asks), Some(Event::NeedsAnswer));
    assert_eq!(due(&mut notices, &asks.id, second, &asks), None, "once");
    let third = moved(&mut notices, Working, &asks).unwrap();
    assert_eq!(due(&mut notices, &asks.id, third, &works), None, "it does not stand there any more");
}

#[test]
fn a_row_that_is_gone_put_aside_or_done_meanwhile_is_silent() {
    let asks = record(SemanticState::NeedsInput, StateSource::AgentEvent);
    for state in [SemanticState::Holding, SemanticState::Completed, SemanticState::Stopped] {
        let mut notices = listening();
        let number = moved(&mut notices, SemanticState::Working, &asks).unwrap();
        let put = record(state, StateSource::Person);
        assert_eq!(moved(&mut notices, SemanticState::NeedsInput, &put), None);
        assert_eq!(due(&mut notices, &asks.id, number, &put), None, "{state:?}");
    }
    let mut notices = listening();
    let number = moved(&mut notices, SemanticState::Working, &asks).unwrap();
    assert_eq!(notices.moved(&asks.id, Some(&asks), None, NOW, NOW), None);
    assert_eq!(due(&mut notices, &asks.id, number, &asks), None);
}

#[test]
fn what_a_person_ended_themselves_is_silent() {
    let mut idle = record(SemanticState::Idle, StateSource::AgentEvent);
    idle.interrupted_at = Some(UnixMs(NOW.0 - INTERRUPTED_MS));
    assert_eq!(moved(&mut listening(), SemanticState::Working, &idle), None, "they interrupted it");
    idle.interrupted_at = Some(UnixMs(NOW.0 - INTERRUPTED_MS - 1));
    assert!(moved(&mut listening(), SemanticState::Working, &idle).is_some(), "it worked on after that");
    let mut asks = record(SemanticState::NeedsInput, StateSource::AgentEvent);
    asks.interrupted_at = Some(NOW);
    assert!(moved(&mut listening(), SemanticState::Working, &asks).is_some(), "a question is one anyhow");
    let mut failed = record(SemanticState::Failed, StateSource::ProcessExit);
    failed.stop = Some(crate::model::StopRequest {
        at: NOW,
        then: crate::model::AfterStop::Stays,
        standing: crate::model::StopStanding::Decides,
    });
    assert_eq!(moved(&mut listening(), SemanticState::Working, &failed), None, "they stopped it");
}

#[test]
fn a_reclaimed_row_and_what_another_daemon_has_seen_are_silent() {
    let mut idle = record(SemanticState::Idle, StateSource::AgentEvent);
    let before = SemanticState::Working;
    let works = record(before, StateSource::AgentEvent);
    assert_eq!(moved(&mut Notices::default(), before, &idle), None, "the first turn of a daemon");
    let late = UnixMs(NOW.0 + NEWS_MS + 1);
    assert_eq!(
        listening().moved(&idle.id, Some(&works), Some(&idle), NOW, late),
        None,
        "told by a host, late"
    );
    assert_eq!(listening().moved(&idle.id, None, Some(&idle), NOW, NOW), None, "a new row");
    idle.reclaimed = true;
    assert_eq!(moved(&mut listening(), before, &idle), None);
}

#[test]
fn quiet_hours_are_read_strictly_and_may_span_midnight() {
    for bad in [
        "",
        "22:00",
        "22:00-",
        "22-07",
        "22:00-24:00",
        "22:60-07:00",
        "2:00-07:00",
        "22:00-22:00",
        "22:00 - 07:00",
        "+2:00-07:00",
        "22:00-07:00-08:00",
        "22:00-07:00x",
    ] {
        assert_eq!(QuietHours::parse(bad), None, "{bad:?}");
    }
    let night = QuietHours::parse("22:00-07:00").unwrap();
    assert_eq!(night.to_string(), "22:00-07:00");
    let noon = QuietHours::parse("12:00-13:30").unwrap();
    for (hours, time, quiet) in [
        (night, "21:59", false),
        (night, "22:00", true),
        (night, "00:00", true),
        (night, "06:59", true),
        (night, "07:00", false),
        (noon, "11:59", false),
        (noon, "12:00", true),
        (noon, "13:29", true),
        (noon, "13:30", false),
        (noon, "00:00", false),
    ] {
        assert_eq!(hours.covers(minute(time).unwrap()), quiet, "{hours} at {time}");
    }
}

#[test]
fn a_line_for_a_terminal_is_one_plain_cut_line_without_semicolons() {
    let mut sessions = crate::model::Sessions::new();
    for fact in [
        begin("a", "4;1;50\u{1b}]9;x\u{7}\u{202e}job"),
        fact(
            "a",
            20,
            crate::model::FactKind::HostSpawnFailed {
                generation: samples::generation(),
                reason: format!("no\nsuch; thing {}", "long ".repeat(60)),
            },
        ),
    ] {
        apply(&mut sessions, &fact);
    }
    let record = sessions.values().next().unwrap();
    let row = row(record, &crate::model::Live::default());
    let notice = Notice { event: Event::Failed, row, attached: Vec::new() };
    let line = notice.line();
    assert!(line.starts_with("Agent Board: ") && line.contains("failed: no such"), "{line}");
    assert!(!line.contains(|c: char| c.is_control() || c == ';' || c == '\u{202e}'), "{line:?}");
    assert!(unicode_width::UnicodeWidthStr::width(line.as_str()) <= MAX_LINE_COLUMNS);
    let json: serde_json::Value = serde_json::from_str(&notice.json()).unwrap();
    assert_eq!((json["event"].as_str(), json["state"].as_str()), (Some("failed"), Some("failed")));
    assert!(json["question"].is_null() && json["session"] == "a");
}

#[test]
fn whoever_looked_on_when_a_program_ended_is_known_and_who_is_attached_else_counts_at_the_time() {
    let facts = |more: Vec<crate::model::FactKind>| {
        samples::after([vec![samples::started(1), samples::attached(2, 1)], more].concat())
    };
    let before = facts(vec![]);
    let after = facts(vec![samples::exited(3, board_protocol::host::Exit::Code(3))]);
    let mut notices = listening();
    let number = notices.moved(&after.id, Some(&before), Some(&after), NOW, NOW).unwrap();
    let (event, attached) = notices.due(&after.id, number, &after).unwrap();
    assert_eq!((event, attached.len()), (Event::Failed, 1), "it was watched");
    let number = notices.moved(&after.id, Some(&before), Some(&after), NOW, NOW);
    assert!(number.is_some() && notices.lasts_ms(&after.id, Some(&after)) < 400, "before its pane closes");
    assert_eq!(notices.lasts_ms(&after.id, Some(&before)), LASTS_MS);
    let asks = |clients| {
        let mut asks = facts(vec![samples::attached(3, clients)]);
        asks.state = SemanticState::NeedsInput;
        asks.agent_record.evidence = None;
        asks
    };
    let number = notices.moved(&after.id, Some(&before), Some(&asks(1)), NOW, NOW).unwrap();
    let (_, attached) = notices.due(&after.id, number, &asks(0)).unwrap();
    assert!(attached.is_empty(), "they have left it since");
}
