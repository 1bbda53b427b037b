//! When words go, by hand: every reason to wait, for each way of delivery.

use super::*;
use crate::{
    agents::{
        AgentKind,
        event::{Asker, Place},
    },
    model::{
        AfterStop, FactKind, OpenQuestion, Sessions, StopRequest, StopStanding, apply,
        samples::{begin, fact, session, started},
    },
};
use board_protocol::{
    daemon::{ReplyKind, ReplyProgress},
    host::AttachedClient,
    ids::{QueueItemId, UnixMs},
    state::HostState,
};

const ID: &str = "0000000001";
const WAYS: [ReplyDelivery; 3] = [ReplyDelivery::Now, ReplyDelivery::Auto, ReplyDelivery::Queue];

const SEEN: Sight =
    Sight { reach: Reach::Connected, editor: Some(EditorState::Empty), unheard_ms: 0, refusal: Refusing::No };

/// A live session of this agent that waits for instructions.
fn waiting(agent: AgentKind) -> SessionRecord {
    let mut sessions = Sessions::new();
    let mut first = begin(ID, "sample");
    if let FactKind::SessionBegun(begun) = &mut first.kind {
        begun.agent = agent;
    }
    apply(&mut sessions, &first);
    apply(&mut sessions, &fact(ID, 20, started(1)));
    let mut record = sessions.remove(&session(ID)).unwrap();
    if agent == AgentKind::Pi {
        record.state = SemanticState::Idle;
        record.process_state = ProcessState::Exited;
        record.agent_record.heard = Some(Place { boot: "b".into(), seq: 1 });
    }
    record
}

fn queued(record: &mut SessionRecord, number: usize, delivery: ReplyDelivery, progress: ReplyProgress) {
    let (id, at) = (QueueItemId(format!("{number:010x}")), UnixMs(1));
    record.queue.items.push(QueuedItem {
        id,
        text: "go on".into(),
        at,
        delivery,
        progress,
        kind: ReplyKind::Reply,
    });
}

fn blocks(record: &SessionRecord, sight: &Sight) -> [Option<Block>; 3] {
    WAYS.map(|way| block(record, sight, way))
}

#[test]
fn every_reason_to_wait() {
    use Block::*;
    type Change = fn(&mut SessionRecord, &mut Sight);
    // Now, at once if it waits, in turn.
    let table: [(&str, Change, [Option<Block>; 3]); 22] = [
        ("waits", |_, _| {}, [None; 3]),
        ("done", |r, _| r.state = SemanticState::Completed, [None; 3]),
        ("on hold", |r, _| r.state = SemanticState::Holding, [None, None, Some(Holding)]),
        ("asks in its words", |r, _| r.state = SemanticState::NeedsInput, [None, None, Some(Asks)]),
        ("failed and alive", |r, _| r.state = SemanticState::Failed, [None, None, Some(State)]),
        ("works", works, [None, Some(Turn), Some(Turn)]),
        (
            "works behind a verdict",
            |r, s| {
                works(r, s);
                r.state = SemanticState::Completed
            },
            [None, Some(Turn), Some(Turn)],
        ),
        ("a question", asks, [Some(Question); 3]),
        (
            "a question in a turn",
            |r, s| {
                works(r, s);
                asks(r, s)
            },
            [Some(Question); 3],
        ),
        ("ended", |r, _| r.host.state = HostState::Exited, [Some(Ended); 3]),
        (
            "ended with a question",
            |r, s| {
                asks(r, s);
                r.host.state = HostState::Exited
            },
            [Some(Ended); 3],
        ),
        (
            "stopping",
            |r, _| {
                r.stop = Some(StopRequest {
                    at: UnixMs(1),
                    then: AfterStop::Stays,
                    standing: StopStanding::Decides,
                })
            },
            [Some(Stopping); 3],
        ),
        ("no program yet", |r, _| r.host.child = None, [Some(Starting); 3]),
        ("not a word yet", |r, _| r.agent_record.heard = None, [Some(Starting); 3]),
        // Replies to an agent whose reports have no numbers waited for ever.
        (
            "reports without numbers",
            |r, _| {
                r.agent_record.heard = None;
                r.agent_record.rooted = true;
            },
            [None; 3],
        ),
        ("away", |_, s| s.reach = Reach::Away, [Some(HostAway); 3]),
        ("an older host", |_, s| s.reach = Reach::Outdated, [Some(HostOutdated); 3]),
        (
            "words before",
            |r, _| queued(r, 9, ReplyDelivery::Auto, ReplyProgress::Accepted),
            [Some(InFlight); 3],
        ),
        (
            "unheard",
            |r, s| {
                r.queue.unheard = true;
                s.unheard_ms = UNHEARD_MS - 1
            },
            [Some(InFlight); 3],
        ),
        (
            "unheard for long",
            |r, s| {
                r.queue.unheard = true;
                s.unheard_ms = UNHEARD_MS
            },
            [None; 3],
        ),
        ("somebody types", |_, s| s.editor = Some(EditorState::HasText), [Some(Typing); 3]),
        ("refused", |_, s| s.refusal = Refusing::Lately, [Some(Refused); 3]),
    ];
    for (name, change, expected) in table {
        let (mut record, mut sight) = (waiting(AgentKind::Pi), SEEN);
        change(&mut record, &mut sight);
        assert_eq!(blocks(&record, &sight), expected, "{name}");
    }
}

fn works(record: &mut SessionRecord, _: &mut Sight) {
    record.state = SemanticState::Working;
    record.process_state = ProcessState::Alive;
}

fn asks(record: &mut SessionRecord, _: &mut Sight) {
    record.state = SemanticState::NeedsInput;
    let question = OpenQuestion { id: "q".into(), text: "Delete it?".into(), by: Asker::Dialog };
    record.agent_record.questions.push(question);
}

#[test]
fn an_unknown_editor_counts_only_while_somebody_is_in_it() {
    let table = [
        (Some(EditorState::Unknown), None, None),
        (None, None, None),
        (None, Some(AttachMode::ReadOnly), None),
        (None, Some(AttachMode::Interactive), Some(Block::EditorUnknown)),
        (Some(EditorState::Unknown), Some(AttachMode::Interactive), Some(Block::EditorUnknown)),
        (Some(EditorState::Empty), Some(AttachMode::Interactive), None),
        (Some(EditorState::HasText), None, Some(Block::Typing)),
    ];
    for (editor, attached, expected) in table {
        let mut record = waiting(AgentKind::Pi);
        record.host.attached =
            attached.map(|mode| AttachedClient { mode, place: None }).into_iter().collect();
        assert_eq!(blocks(&record, &Sight { editor, ..SEEN }), [expected; 3], "{editor:?} {attached:?}");
        let program = SessionRecord { host: record.host.clone(), ..waiting(AgentKind::Generic) };
        assert_eq!(blocks(&program, &Sight { editor, ..SEEN }), [None; 3], "a program has no editor of ours");
    }
}

#[test]
fn a_program_takes_lines_while_it_runs_and_not_while_holding() {
    let mut record = waiting(AgentKind::Generic);
    assert_eq!(blocks(&record, &SEEN), [None; 3]);
    record.state = SemanticState::Completed;
    assert_eq!(blocks(&record, &SEEN), [None; 3]);
    record.state = SemanticState::Holding;
    assert_eq!(blocks(&record, &SEEN), [None, None, Some(Block::Holding)]);
}

#[test]
fn i6_what_the_host_has_not_taken_is_not_said_again_into_a_question() {
    use ReplyProgress::{Accepted, Sent, Waiting};
    let away = Sight { reach: Reach::Away, ..SEEN };
    let again = |progress, change: fn(&mut SessionRecord, &mut Sight), mut sight: Sight| {
        let mut record = waiting(AgentKind::Pi);
        queued(&mut record, 1, ReplyDelivery::Queue, progress);
        change(&mut record, &mut sight);
        sayable_again(&record, &sight).is_some()
    };
    for (progress, waits, asked, working, gone) in [
        (Sent, true, false, false, false),
        (Accepted, true, true, true, false),
        (Waiting, false, false, false, false),
    ] {
        assert_eq!(again(progress, |_, _| {}, SEEN), waits, "{progress:?}");
        assert_eq!(again(progress, asks, SEEN), asked, "{progress:?}");
        assert_eq!(again(progress, works, SEEN), working, "{progress:?}");
        assert_eq!(again(progress, |_, _| {}, away), gone, "{progress:?}");
    }
}

#[test]
fn the_first_goes_first_and_what_was_hurried_before_it() {
    use ReplyDelivery::{Auto, Now, Queue};
    use ReplyProgress::{AcceptedUnknown, Waiting};
    let next = |record: &SessionRecord| {
        next_deliverable(record, &SEEN).map(|item| item.id.as_str().trim_start_matches('0').to_owned())
    };
    let mut record = waiting(AgentKind::Pi);
    assert_eq!(next(&record), None);
    queued(&mut record, 1, Queue, AcceptedUnknown);
    assert_eq!(next(&record), None, "what may have arrived is never sent by itself");
    queued(&mut record, 2, Queue, Waiting);
    queued(&mut record, 3, Auto, Waiting);
    assert_eq!(next(&record).as_deref(), Some("2"));
    record.state = SemanticState::Holding;
    assert_eq!(next(&record), None, "nothing overtakes");
    queued(&mut record, 4, Now, Waiting);
    assert_eq!(next(&record).as_deref(), Some("4"));
}
