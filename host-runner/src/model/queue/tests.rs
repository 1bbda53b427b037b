//! The queue by hand, and the promise that nothing leaves it but what was taken out or arrived.

use super::*;
use crate::{
    agents::AgentKind,
    agents::event::InputSource,
    model::{
        FactKind, SessionRecord, Sessions, apply,
        samples::{begin, exited, fact, generation, session, started},
    },
};
use board_protocol::{
    daemon::ReplyKind,
    host::Exit,
    ids::FactSeq,
    state::{ProcessState, SemanticState},
};
use proptest::prelude::*;

const ID: &str = "0000000001";

fn item(number: usize) -> QueueItemId {
    QueueItemId(format!("{number:010x}"))
}

fn queued(number: usize) -> FactKind {
    FactKind::ReplyQueued {
        item: item(number),
        text: format!("words {number}"),
        delivery: ReplyDelivery::Queue,
        kind: ReplyKind::Reply,
    }
}

fn sent(number: usize) -> FactKind {
    FactKind::ReplySent { generation: generation(), item: item(number) }
}

fn progressed(seq: u64, number: usize, progress: DeliveryProgress) -> FactKind {
    FactKind::ReplyProgressed { generation: generation(), seq: FactSeq(seq), item: item(number), progress }
}

fn traced(number: usize, trace: ReplyTrace) -> FactKind {
    FactKind::ReplyTraced { generation: generation(), item: item(number), trace }
}

/// A session of this agent after these facts.
fn after(agent: AgentKind, kinds: impl IntoIterator<Item = FactKind>) -> SessionRecord {
    let mut sessions = Sessions::new();
    let mut first = begin(ID, "sample");
    if let FactKind::SessionBegun(begun) = &mut first.kind {
        begun.agent = agent;
    }
    apply(&mut sessions, &first);
    for (step, kind) in (2_u64..).zip(kinds) {
        apply(&mut sessions, &fact(ID, step * 10, kind));
    }
    sessions.remove(&session(ID)).expect("it is not removed")
}

fn numbers(record: &SessionRecord) -> Vec<(u64, ReplyProgress)> {
    let number = |item: &QueuedItem| u64::from_str_radix(item.id.as_str(), 16).unwrap();
    record.queue.items.iter().map(|item| (number(item), item.progress)).collect()
}

#[test]
fn what_becomes_of_words_at_every_end_of_their_host() {
    use ReplyProgress::{AcceptedUnknown, Waiting};
    let accepted = || progressed(3, 1, DeliveryProgress::Accepted);
    let lost = || FactKind::HostLost { generation: generation(), reason: "gone".into(), strays: Vec::new() };
    type Row = (&'static str, Vec<FactKind>, &'static [(u64, ReplyProgress)]);
    let table: [Row; 9] = [
        (
            "a good end before it was taken",
            vec![sent(1), exited(9, Exit::Code(0))],
            &[(1, Waiting), (2, Waiting)],
        ),
        (
            "a good end after it",
            vec![sent(1), accepted(), exited(9, Exit::Code(0))],
            &[(1, AcceptedUnknown), (2, Waiting)],
        ),
        ("an end without a word", vec![sent(1), lost()], &[(1, AcceptedUnknown), (2, Waiting)]),
        (
            "the disk says: not taken",
            vec![sent(1), traced(1, ReplyTrace::Returned), lost()],
            &[(1, Waiting), (2, Waiting)],
        ),
        ("the disk says: written", vec![sent(1), traced(1, ReplyTrace::Applied), lost()], &[(2, Waiting)]),
        (
            "the disk says: taken",
            vec![sent(1), traced(1, ReplyTrace::Unknown), lost()],
            &[(1, AcceptedUnknown), (2, Waiting)],
        ),
        // What a host said in its last moment may come later, through the spool.
        (
            "late: written",
            vec![sent(1), lost(), progressed(4, 1, DeliveryProgress::Applied)],
            &[(2, Waiting)],
        ),
        ("late: taken", vec![sent(1), lost(), accepted()], &[(1, AcceptedUnknown), (2, Waiting)]),
        (
            "refused",
            vec![sent(1), progressed(3, 1, DeliveryProgress::Refused { reason: "no".into() })],
            &[(1, Waiting), (2, Waiting)],
        ),
    ];
    for (name, facts, expected) in table {
        let facts = [started(1), queued(1), queued(2)].into_iter().chain(facts);
        assert_eq!(numbers(&after(AgentKind::Pi, facts)), expected, "{name}");
    }
}

#[test]
fn words_that_arrived_lift_a_verdict_and_are_unheard_until_the_agent_speaks() {
    let applied = || vec![started(1), queued(1), sent(1), progressed(2, 1, DeliveryProgress::Applied)];
    for verdict in [SemanticState::Holding, SemanticState::Completed] {
        for (agent, expected, unheard) in
            [(AgentKind::Pi, SemanticState::Idle, true), (AgentKind::Generic, SemanticState::Working, false)]
        {
            let mut record = after(agent, [started(1), queued(1), sent(1)]);
            record.state = verdict;
            record.process_state = if unheard { ProcessState::Exited } else { ProcessState::Alive };
            let before = record.clone();
            super::progressed(&mut record, &item(1), &DeliveryProgress::Accepted, UnixMs(99));
            assert_eq!(record.state, verdict, "taken is not delivered");
            super::progressed(&mut record, &item(1), &DeliveryProgress::Applied, UnixMs(99));
            assert_eq!((record.state, record.queue.unheard), (expected, unheard), "{agent:?} {before:?}");
        }
    }
    let heard = AgentNews::InputGiven { source: InputSource::Person };
    let report =
        FactKind::AgentReported { generation: generation(), seq: None, place: None, news: vec![heard] };
    assert!(after(AgentKind::Pi, applied()).queue.unheard);
    assert!(!after(AgentKind::Pi, applied().into_iter().chain([report])).queue.unheard);
}

#[test]
fn words_change_their_place_among_those_that_wait() {
    let moved = |number, place| FactKind::ReplyMoved { item: item(number), place };
    let order = |facts: Vec<FactKind>| {
        let record = after(AgentKind::Pi, [queued(1), queued(2), queued(3)].into_iter().chain(facts));
        numbers(&record).into_iter().map(|(number, _)| number).collect::<Vec<_>>()
    };
    assert_eq!(order(vec![moved(3, 0)]), [3, 1, 2]);
    assert_eq!(order(vec![moved(1, 1)]), [2, 1, 3]);
    assert_eq!(order(vec![moved(1, 99)]), [2, 3, 1]);
    assert_eq!(order(vec![moved(9, 0)]), [1, 2, 3]);
    // What is being written is in front of them all and is not counted.
    assert_eq!(order(vec![started(1), sent(1), moved(3, 0)]), [1, 3, 2]);
    let again = FactKind::ReplyHurried { item: item(2), again_as: Some(item(7)) };
    assert_eq!(order(vec![again]), [1, 7, 3]);
}

fn any_fact() -> impl Strategy<Value = FactKind> {
    let number = 0_usize..6;
    prop_oneof![
        number.clone().prop_map(queued),
        number.clone().prop_map(|n| FactKind::ReplyEdited { item: item(n), text: "other".into() }),
        (number.clone(), 0_u32..8).prop_map(|(n, place)| FactKind::ReplyMoved { item: item(n), place }),
        number.clone().prop_map(|n| FactKind::ReplyHurried { item: item(n), again_as: None }),
        number.clone().prop_map(sent),
        (1_u64..90, number.clone()).prop_map(|(s, n)| progressed(s, n, DeliveryProgress::Accepted)),
        (1_u64..90, number.clone()).prop_map(|(s, n)| progressed(
            s,
            n,
            DeliveryProgress::Refused { reason: String::new() }
        )),
        number.prop_map(|n| traced(n, ReplyTrace::Unknown)),
        (1_u64..90).prop_map(|s| exited(s, Exit::Code(0))),
    ]
}

proptest! {
    // No order of events makes words vanish: only the person and the agent take some away.
    #[test]
    fn nothing_leaves_the_queue_by_itself(facts in prop::collection::vec(any_fact(), 0..60)) {
        let mut expected: Vec<QueueItemId> = facts
            .iter()
            .filter_map(|fact| match fact { FactKind::ReplyQueued { item, .. } => Some(item.clone()), _ => None })
            .collect();
        expected.sort();
        expected.dedup();
        let record = after(AgentKind::Pi, std::iter::once(started(1)).chain(facts));
        let mut found: Vec<QueueItemId> = record.queue.items.iter().map(|item| item.id.clone()).collect();
        found.sort();
        prop_assert_eq!(found, expected);
    }
}
