//! Paging within its bounds, and who gets an answer.

use super::{Next, Queries, pages};
use board_protocol::{
    daemon::{Answer, LaunchPreferences, LogLevel, LogLine, Request},
    evidence::{Claim, CommandEvidence, CommandStatus, Evidence, EvidenceItem},
    ids::{SessionId, UnixMs},
    pipe::{Down, InstanceId, MAX_ANSWER_BYTES, PAGE_BYTES, Query, QueryPart},
};
use board_text::{Language, speaking};
use proptest::prelude::*;
use std::time::Duration;

const BOARD: InstanceId = InstanceId(1);

/// Takes a question; gives the number that it replaces, its id, and what is asked of the daemon.
fn take(
    queries: &mut Queries,
    instance: InstanceId,
    number: u64,
    query: Query,
    now: Duration,
) -> (Option<u64>, u64, Request) {
    match queries.take(instance, number, query, now) {
        (replaced, Next::Ask(id, request)) => (replaced, id, request),
        other => panic!("{other:?}"),
    }
}

fn log(name: &str) -> Query {
    Query::Log { session: SessionId(name.into()), limit: 1_000 }
}

fn parts_of(lines: &[Down]) -> Vec<QueryPart> {
    let mut all = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Down::QueryPage { page, pages, parts, .. } = line else { panic!("{line:?}") };
        assert_eq!((*page as usize, *pages as usize), (index, lines.len()));
        all.extend(parts.iter().cloned());
    }
    all
}

#[test]
fn a_newer_question_of_a_kind_replaces_the_older_one() {
    let mut queries = Queries::default();
    let now = Duration::ZERO;
    let (replaced, first, _) = take(&mut queries, BOARD, 1, log("a"), now);
    assert_eq!(replaced, None);
    let (_, other_kind, _) =
        take(&mut queries, BOARD, 2, Query::Detail { session: SessionId("a".into()) }, now);
    let (_, other_board, _) = take(&mut queries, InstanceId(2), 1, log("a"), now);
    let (replaced, second, _) = take(&mut queries, BOARD, 3, log("b"), now);
    assert_eq!(replaced, Some(1));
    let answer = || Ok(Answer::Log(Vec::new()));
    assert_eq!(queries.answered(first, answer()), Next::Nothing);
    for id in [second, other_board] {
        assert!(matches!(queries.answered(id, answer()), Next::Tell(_)));
        assert_eq!(queries.answered(id, answer()), Next::Nothing, "once");
    }
    queries.forget(BOARD, 2);
    assert_eq!(queries.answered(other_kind, answer()), Next::Nothing);
    assert_eq!(queries.next_deadline(), None);
}

#[test]
fn a_screen_is_read_from_the_host_and_else_from_what_was_left() {
    let mut queries = Queries::default();
    let query = Query::Screen { session: SessionId("a".into()) };
    let (_, id, _) = take(&mut queries, BOARD, 1, query, Duration::ZERO);
    assert!(matches!(queries.screen_read(id, None), Next::Ask(again, _) if again == id));
    let answer = Ok(Answer::Screen { text: Some("one\n\u{1b}[2Jtwo  x\n\n\n".into()) });
    let Next::Tell(lines) = queries.answered(id, answer) else { panic!("no answer") };
    let line = |text: &str| QueryPart::ScreenLine(text.into());
    assert_eq!(parts_of(&lines), [QueryPart::Screen { live: false }, line("one"), line("[2Jtwo  x")]);
}

#[test]
fn f8_the_newest_of_each_kind_go_to_the_board_in_bounded_parts() {
    let mut queries = Queries::default();
    let query = Query::Work { session: SessionId("a".into()) };
    let (_, id, request) = take(&mut queries, BOARD, 1, query, Duration::ZERO);
    assert_eq!(request, Request::Evidence { session: "a".into() });
    let command = |at: u64| CommandEvidence {
        id: at.to_string(),
        at_ms: UnixMs(at),
        command: format!("step {at}\n{}", "x".repeat(4_000)),
        kind: Default::default(),
        status: CommandStatus::Passed,
        exit_code: Some(0),
        duration_ms: None,
        output_preview: Some("字".repeat(500)),
    };
    let claim = |at: u64| Claim { at_ms: UnixMs(at), text: "word ".repeat(2_400) };
    let evidence = Evidence {
        commands: (0..200).map(command).collect(),
        claims: (0..50).map(claim).collect(),
        dropped: 3,
        ..Evidence::default()
    };
    let Next::Tell(lines) = queries.answered(id, Ok(Answer::Evidence(Box::new(evidence)))) else {
        panic!("no answer")
    };
    let parts = parts_of(&lines);
    assert!(matches!(&parts[0], QueryPart::Review(review) if review.dropped == 3), "{parts:?}");
    let commands: Vec<u64> = parts
        .iter()
        .filter_map(|part| match part {
            QueryPart::Item(item) => match &**item {
                EvidenceItem::Command(command) => Some(command.at_ms.0),
                _ => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(commands, (188..200).rev().collect::<Vec<_>>());
    assert_eq!(parts.len(), 1 + 12 + 1, "and one claim: nothing is cut");
}

// Field report F20: a daemon that accepts and never answers.
#[test]
fn f20_a_question_without_an_answer_is_answered_in_time() {
    let mut queries = Queries::default();
    take(&mut queries, BOARD, 9, log("a"), Duration::from_secs(1));
    let late = queries.next_deadline().unwrap();
    assert_eq!(queries.expired(late - Duration::from_millis(1)), []);
    assert!(matches!(&parts_of(&queries.expired(late))[..], [QueryPart::Problem { .. }]));
    assert_eq!(queries.next_deadline(), None);
}

proptest! {
    #[test]
    fn pages_and_answers_keep_their_bounds(sizes in proptest::collection::vec(0_usize..20_000, 0..60)) {
        let part = |size: &usize| QueryPart::Log(LogLine {
            at_ms: UnixMs(1),
            level: LogLevel::Info,
            source: "host".into(),
            code: "code".into(),
            message: "\"".repeat(size / 2),
        });
        let parts: Vec<QueryPart> = sizes.iter().map(part).collect();
        let lines = pages::paged(BOARD, 1, parts.clone());
        let bytes: Vec<usize> = lines.iter().map(|line| serde_json::to_vec(line).unwrap().len()).collect();
        prop_assert!(bytes.iter().all(|bytes| *bytes <= PAGE_BYTES), "{bytes:?}");
        prop_assert!(bytes.iter().sum::<usize>() <= MAX_ANSWER_BYTES + 64);
        let mut told = parts_of(&lines);
        let left_out = match told.last() {
            Some(QueryPart::Cut { left_out }) => *left_out as usize,
            _ => 0,
        };
        told.truncate(told.len() - usize::from(left_out > 0));
        prop_assert_eq!(told.len() + left_out, parts.len());
        prop_assert!(parts.starts_with(&told));
    }
}

#[test]
fn a_launch_dialog_is_answered_by_the_daemon_and_then_by_the_file_system() {
    let mut queries = Queries::default();
    let (_, id, request) = take(&mut queries, BOARD, 1, Query::Launch, Duration::ZERO);
    assert_eq!(request, Request::LaunchPreferences);
    let preferences =
        Box::new(LaunchPreferences { agent: Some("pi".into()), ..LaunchPreferences::default() });
    let next = queries.answered(id, Ok(Answer::LaunchPreferences(preferences.clone())));
    assert_eq!(next, Next::LookForAgents(id, preferences.clone()));
    let Next::Tell(lines) = queries.looked(id, vec![QueryPart::Preferences(preferences.clone())]) else {
        panic!("no answer")
    };
    assert_eq!(parts_of(&lines), [QueryPart::Preferences(preferences)]);
    assert_eq!(queries.looked(id, Vec::new()), Next::Nothing, "once");
}

#[test]
fn directories_are_asked_of_the_file_system_alone_and_a_lost_daemon_costs_them_nothing() {
    let mut queries = Queries::default();
    let asked = |prefix: &str| Query::Directories { prefix: prefix.into() };
    let (_, Next::ListDirectories(first, _)) = queries.take(BOARD, 1, asked("/s"), Duration::ZERO) else {
        panic!("not listed")
    };
    let (replaced, next) = queries.take(BOARD, 2, asked("/sr"), Duration::ZERO);
    let Next::ListDirectories(second, prefix) = next else { panic!("{next:?}") };
    assert_eq!((replaced, prefix.as_str()), (Some(1), "/sr"));
    assert_eq!(queries.lost("gone"), []);
    assert_eq!(queries.looked(first, Vec::new()), Next::Nothing, "a newer one took its place");
    let name = QueryPart::Directory { name: "srv".into() };
    let Next::Tell(lines) = queries.looked(second, vec![name.clone()]) else { panic!("no answer") };
    assert_eq!(parts_of(&lines), [name]);
    // A mount that never answers: the question ends by its limit.
    queries.take(BOARD, 3, asked("/dead/"), Duration::ZERO);
    let late = queries.expired(Duration::from_secs(3600));
    assert!(matches!(&parts_of(&late)[..], [QueryPart::Problem { .. }]), "{late:?}");
}

#[test]
fn i8_a_late_answer_is_said_in_the_language_of_the_link() {
    let mut queries = Queries::default();
    take(&mut queries, BOARD, 1, log("a"), Duration::ZERO);
    let late = queries.next_deadline().unwrap();
    let lines = speaking(Language::Chinese, || queries.expired(late));
    let text = "没有及时应答。重新打开此页时会再次请求".to_owned();
    assert_eq!(parts_of(&lines), [QueryPart::Problem { text }]);
}
