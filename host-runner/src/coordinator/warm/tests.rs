//! Which processes are ended, and what keeps one (reference I.6, warm hosts #75).

use super::*;
use crate::{
    agents::AgentKind,
    model::samples::{after, process, session, started},
};
use board_protocol::{
    command::ReplyDelivery,
    host::{AttachMode, AttachedClient},
    ids::QueueItemId,
};

const GRACE: u64 = 30_000;
const NOW: UnixMs = UnixMs(1_000_000);

/// An agent that waits for instructions since the first second, whom nothing keeps.
fn idle() -> (SessionRecord, Live, Reach) {
    let mut record = after([started(1)]);
    record.agent = AgentKind::Pi;
    record.state = SemanticState::Idle;
    record.process_state = board_protocol::state::ProcessState::Exited;
    record.host.state = HostState::Alive;
    record.host.child = Some(process(7));
    record.host.asked_at = UnixMs(1_000);
    record.last_activity_at = UnixMs(1_000);
    record.visited_at = None;
    record.agent_record.has_words = true;
    record.agent_record.begun = true;
    record.agent_record.rooted = true;
    let live = Live { editor: Some(EditorState::Empty), ..Live::default() };
    (record, live, Reach::Connected)
}

fn look((record, live, reach): &(SessionRecord, Live, Reach)) -> Result<u64, Kept> {
    idle_ms(record, live, *reach, GRACE, NOW)
}

fn picked(settings: (u32, u64), idle: &[(&str, u64)]) -> Vec<String> {
    let settings = WarmSettings { max: settings.0, ttl_ms: settings.1, grace_ms: GRACE };
    let idle: Vec<_> = idle.iter().map(|(id, age)| (session(id), *age)).collect();
    select(settings, &idle).into_iter().map(|id| id.0).collect()
}

#[test]
fn i6_75_a1_an_idle_process_ends_when_its_time_is_over() {
    assert_eq!(picked((4, 600_000), &[("a", 599_999), ("b", 600_000), ("c", 700_000)]), ["b", "c"]);
    // Without a time only the number counts; without both nothing is ended.
    assert!(picked((4, 0), &[("a", u64::MAX)]).is_empty());
    assert!(picked((0, 0), &[("a", u64::MAX)]).is_empty());
    // None are kept, and there is a time: every idle one ends.
    assert_eq!(picked((0, 600_000), &[("a", 1), ("b", 2)]), ["a", "b"]);
}

#[test]
fn i6_75_a5_the_oldest_above_the_number_end_and_those_whose_time_is_over_do_not_count() {
    let four = [("a", 10), ("b", 40), ("c", 30), ("d", 20)];
    assert_eq!(picked((2, 600_000), &four), ["b", "c"]);
    assert_eq!(picked((4, 600_000), &four), [""; 0]);
    assert_eq!(picked((2, 35), &[("a", 10), ("b", 40), ("c", 30), ("d", 50)]), ["b", "d"]);
    assert_eq!(
        picked((1, 600_000), &[("b", 10), ("a", 10)]),
        ["b"],
        "of one age, the order of the ids decides"
    );
}

type Change = fn(&mut (SessionRecord, Live, Reach));

#[test]
fn i6_75_a2_a3_a4_what_is_needed_is_kept_whatever_its_age() {
    assert_eq!(look(&idle()), Ok(999_000));
    let client = |mode| vec![AttachedClient { mode, place: None }];
    let table: [(&str, Change, Kept); 19] = [
        ("a program without turns", |s| s.0.agent = AgentKind::Generic, Kept::CannotResume),
        ("a conversation without words", |s| s.0.agent_record.has_words = false, Kept::CannotResume),
        ("an agent that has not reported", |s| s.0.agent_record.rooted = false, Kept::CannotResume),
        (
            "a turn",
            |s| {
                s.0.state = SemanticState::Working;
                s.0.process_state = board_protocol::state::ProcessState::Alive;
            },
            Kept::Busy,
        ),
        ("a queued turn", |s| s.0.state = SemanticState::Queued, Kept::Busy),
        ("an open question", |s| s.0.state = SemanticState::NeedsInput, Kept::Question),
        (
            "somebody in it",
            |s| s.0.host.attached = vec![AttachedClient { mode: AttachMode::Interactive, place: None }],
            Kept::Attached,
        ),
        (
            "somebody who only looks",
            |s| s.0.host.attached = vec![AttachedClient { mode: AttachMode::ReadOnly, place: None }],
            Kept::Attached,
        ),
        ("a pin", |s| s.0.pinned = true, Kept::Pinned),
        ("a draft", |s| s.1.editor = Some(EditorState::HasText), Kept::Editor),
        ("a text field that is not known", |s| s.1.editor = Some(EditorState::Unknown), Kept::Editor),
        ("a text field of which nothing was said", |s| s.1.editor = None, Kept::Editor),
        ("a task in the background", |s| s.0.agent_record.background = 1, Kept::Background),
        (
            "words that wait",
            |s| {
                let (id, text) = (QueueItemId("q".into()), "go on".to_owned());
                let progress = board_protocol::daemon::ReplyProgress::Waiting;
                let item = crate::model::QueuedItem {
                    id,
                    text,
                    at: NOW,
                    delivery: ReplyDelivery::Queue,
                    progress,
                    kind: board_protocol::daemon::ReplyKind::Reply,
                };
                s.0.queue.items.push(item);
            },
            Kept::Words,
        ),
        ("words that the agent has not answered", |s| s.0.queue.unheard = true, Kept::Words),
        ("a process of a moment ago", |s| s.0.host.asked_at = UnixMs(NOW.0 - GRACE + 1), Kept::Grace),
        ("a host that is away", |s| s.2 = Reach::Away, Kept::HostAway),
        ("a host of an older build", |s| s.2 = Reach::Outdated, Kept::HostAway),
        ("one that is stopping", |s| s.0.host.state = HostState::Stopping, Kept::NotAlive),
    ];
    assert_eq!(client(AttachMode::ReadOnly).len(), 1);
    for (what, change, kept) in table {
        let mut scene = idle();
        change(&mut scene);
        assert_eq!(look(&scene), Err(kept), "{what}");
    }
}

#[test]
fn d7_the_age_counts_from_whatever_happened_last() {
    let table: [(&str, Change, u64); 5] = [
        ("its last fact", |s| s.0.last_activity_at = UnixMs(NOW.0 - 5), 5),
        ("its start", |s| s.0.host.asked_at = UnixMs(NOW.0 - GRACE), GRACE),
        ("its output", |s| s.1.active_at = Some(UnixMs(NOW.0 - 7)), 7),
        ("a look at it", |s| s.0.visited_at = Some(UnixMs(NOW.0 - 9)), 9),
        ("a clock that was put back", |s| s.1.active_at = Some(UnixMs(NOW.0 + 9)), 0),
    ];
    for (what, change, age) in table {
        let mut scene = idle();
        change(&mut scene);
        assert_eq!(look(&scene), Ok(age), "{what}");
    }
}

#[test]
fn a_person_s_verdict_keeps_no_process() {
    for state in [SemanticState::Holding, SemanticState::Completed, SemanticState::Failed] {
        let mut scene = idle();
        scene.0.state = state;
        assert_eq!(look(&scene), Ok(999_000), "{state:?}");
    }
}
