//! What a person may do with words, by hand.

use super::*;
use crate::{
    agents::{
        AgentKind, Prepared,
        event::{Asker, EditorState, Place},
    },
    coordinator::{
        decide::{Fresh, Reach, decide as decide_any},
        decision::Effect,
        deliver::{Refusing, Sight},
        messages::{Environment, Preflight},
    },
    model::{
        AfterStop, OpenQuestion, Sessions, apply,
        auto_state::AutoDone,
        samples::{begin, exited, fact, session, started},
    },
};
use board_protocol::{
    host::Exit,
    ids::{Generation, RunId, UnixMs},
    state::ProcessState,
};
use proptest::prelude::*;
use std::path::Path;

const ID: &str = "0000000001";
const SEEN: Sight =
    Sight { reach: Reach::Connected, editor: Some(EditorState::Empty), unheard_ms: 0, refusal: Refusing::No };

/// A live session of this agent that waits for instructions.
fn waiting(agent: AgentKind) -> SessionRecord {
    life(agent, vec![started(1)])
}

fn life(agent: AgentKind, facts: Vec<FactKind>) -> SessionRecord {
    let mut sessions = Sessions::new();
    let mut first = begin(ID, "sample");
    if let FactKind::SessionBegun(begun) = &mut first.kind {
        begun.agent = agent;
    }
    apply(&mut sessions, &first);
    for (step, kind) in (2_u64..).zip(facts) {
        apply(&mut sessions, &fact(ID, step * 10, kind));
    }
    let mut record = sessions.remove(&session(ID)).unwrap();
    if agent == AgentKind::Pi && record.is_live() {
        record.state = SemanticState::Idle;
        record.process_state = ProcessState::Exited;
        record.agent_record.heard = Some(Place { boot: "b".into(), seq: 1 });
    }
    record
}

fn stopped(agent: AgentKind) -> SessionRecord {
    life(
        agent,
        vec![started(1), FactKind::StopRequested { then: AfterStop::Stays }, exited(2, Exit::Signal(15))],
    )
}

fn ended(agent: AgentKind) -> SessionRecord {
    life(agent, vec![started(1), exited(2, Exit::Code(0))])
}

fn works(mut record: SessionRecord) -> SessionRecord {
    record.state = SemanticState::Working;
    record.process_state = ProcessState::Alive;
    record
}

fn asks(mut record: SessionRecord) -> SessionRecord {
    let question = OpenQuestion { id: "q".into(), text: "Delete it?".into(), by: Asker::Dialog };
    record.agent_record.questions.push(question);
    record.state = SemanticState::NeedsInput;
    record
}

fn with_queue(mut record: SessionRecord, progress: &[ReplyProgress]) -> SessionRecord {
    for (number, progress) in progress.iter().enumerate() {
        let (id, text) = (QueueItemId(format!("{number:010x}")), format!("words {number}"));
        let delivery = ReplyDelivery::Queue;
        record.queue.items.push(QueuedItem {
            id,
            text,
            at: UnixMs(1),
            delivery,
            progress: *progress,
            kind: ReplyKind::Reply,
        });
    }
    record
}

fn decided(
    record: &SessionRecord,
    command: &Command,
    sight: Sight,
    source: CommandSource,
) -> Result<Allowed, Refusal> {
    let fresh = Fresh {
        session: session("00000000ff"),
        generation: Generation("22222222-bbbb".into()),
        item: QueueItemId("00000000ee".into()),
        run: RunId("r1".into()),
    };
    let environment = Environment { variables: Vec::new(), taken_at: UnixMs(7) };
    let prepared = Prepared { program: "/bin/pi".into(), extension: "/e.ts".into(), terminals: None };
    let preflight = Preflight::Passed { prepared: Some(prepared), worktree: None };
    let given = Given {
        now: UnixMs(1000),
        fresh: &fresh,
        environment: Some(&environment),
        preflight: Some(&preflight),
        reach: sight.reach,
        sight,
        root: Path::new("/root"),
        source,
        expected_revision: None,
        auto_done: AutoDone::Refused,
        runs: crate::coordinator::RunSettings::default(),
    };
    let sessions = Sessions::from([(record.id.clone(), record.clone())]);
    decide_any(&sessions, command, given)
}

fn tried(record: &SessionRecord, command: &Command, sight: Sight) -> Result<Allowed, Refusal> {
    decided(record, command, sight, CommandSource::Person)
}

fn reply(text: &str, delivery: ReplyDelivery) -> Command {
    Command::Reply { session: session(ID), text: text.into(), delivery }
}

/// How the words were recorded, whether a host is started for them, and what the person is told.
fn answer(
    record: &SessionRecord,
    delivery: ReplyDelivery,
    sight: Sight,
) -> Result<(ReplyDelivery, bool, String), Refusal> {
    let allowed = tried(record, &reply("go on", delivery), sight)?;
    let as_what = match &allowed.decision.facts[0].kind {
        FactKind::ReplyQueued { item, text, delivery, .. } => {
            assert_eq!((item.as_str(), text.as_str()), ("00000000ee", "go on"));
            *delivery
        }
        other => panic!("{other:?}"),
    };
    let spawns = allowed.decision.effects.iter().any(|effect| matches!(effect, Effect::SpawnHost { .. }));
    Ok((as_what, spawns, allowed.notice.unwrap_or_default()))
}

#[test]
fn at_once_or_queued_or_continued_or_refused() {
    use RefusalKind::{HostUnreachable, Version, WrongState};
    use ReplyDelivery::{Auto, Now, Queue};
    type Expected = Result<(ReplyDelivery, bool, &'static str), (RefusalKind, &'static str)>;
    let pi = || waiting(AgentKind::Pi);
    let generic = || waiting(AgentKind::Generic);
    let away = Sight { reach: Reach::Away, ..SEEN };
    let old = Sight { reach: Reach::Outdated, ..SEEN };
    let typing = Sight { editor: Some(EditorState::HasText), ..SEEN };
    let holding = || SessionRecord { state: SemanticState::Holding, ..pi() };
    let one = || with_queue(pi(), &[ReplyProgress::Waiting]);
    let table: Vec<(&str, SessionRecord, ReplyDelivery, Sight, Expected)> = vec![
        ("waits", pi(), Auto, SEEN, Ok((Auto, false, ""))),
        ("waits", pi(), Queue, SEEN, Ok((Queue, false, ""))),
        ("waits", pi(), Now, SEEN, Ok((Now, false, ""))),
        ("works", works(pi()), Auto, SEEN, Ok((Queue, false, "when its turn ends"))),
        ("works", works(pi()), Queue, SEEN, Ok((Queue, false, "when its turn ends"))),
        ("works", works(pi()), Now, SEEN, Ok((Now, false, ""))),
        ("asks", asks(pi()), Auto, SEEN, Ok((Queue, false, "attach to answer it"))),
        ("asks", asks(pi()), Queue, SEEN, Ok((Queue, false, "attach to answer it"))),
        ("asks", asks(pi()), Now, SEEN, Err((WrongState, "Attach to answer the pending question"))),
        // The person's own word lifts a verdict; what they queued waits until they do (reference I.1, U7).
        ("on hold", holding(), Auto, SEEN, Ok((Auto, false, ""))),
        ("on hold", holding(), Queue, SEEN, Ok((Queue, false, "when it is taken off hold"))),
        ("behind others", one(), Auto, SEEN, Ok((Queue, false, "queued behind 1 more"))),
        ("behind others", one(), Now, SEEN, Ok((Now, false, ""))),
        ("away", pi(), Auto, away, Ok((Auto, false, "as soon as its host is connected again"))),
        ("away", pi(), Now, away, Err((HostUnreachable, "Leave --now away"))),
        ("an older host", pi(), Auto, old, Ok((Auto, false, "of an older build"))),
        ("an older host", pi(), Now, old, Err((Version, "attach and type"))),
        ("somebody types", pi(), Auto, typing, Ok((Auto, false, "when its text field is empty"))),
        ("ended", ended(AgentKind::Pi), Auto, away, Ok((Auto, true, "is continued"))),
        ("ended", ended(AgentKind::Pi), Queue, away, Ok((Queue, false, "it has ended"))),
        ("ended", ended(AgentKind::Pi), Now, away, Err((WrongState, "does not run"))),
        ("stopped", stopped(AgentKind::Pi), Auto, away, Ok((Queue, false, "it was stopped"))),
        ("stopped", stopped(AgentKind::Pi), Now, away, Err((WrongState, "does not run"))),
        ("a program", generic(), Auto, SEEN, Ok((Auto, false, ""))),
        ("a program", generic(), Now, SEEN, Ok((Now, false, ""))),
        ("an ended program", ended(AgentKind::Generic), Auto, away, Ok((Queue, false, "run it again"))),
        ("a stopped program", stopped(AgentKind::Generic), Auto, away, Ok((Queue, false, "run it again"))),
    ];
    for (name, record, delivery, sight, expected) in table {
        match (answer(&record, delivery, sight), expected) {
            (Ok((as_what, spawns, notice)), Ok((delivery_, spawns_, words))) => {
                assert_eq!((as_what, spawns), (delivery_, spawns_), "{name} {delivery:?}: {notice}");
                assert!(notice.contains(words), "{name} {delivery:?}: {notice}");
                assert_eq!(notice.is_empty(), words.is_empty(), "{name} {delivery:?}: {notice}");
            }
            (Err(refusal), Err((kind, words))) => {
                assert_eq!(refusal.kind, kind, "{name} {delivery:?}: {refusal}");
                assert!(refusal.text.contains(words), "{name} {delivery:?}: {refusal}");
            }
            (found, _) => panic!("{name} {delivery:?}: {found:?}"),
        }
    }
}

// Field report D5: words were taken for keys, options or commands.
#[test]
fn d5_words_are_kept_as_they_are_and_signs_of_commands_are_said() {
    let record = waiting(AgentKind::Pi);
    for words in ["Enter", "-t", ";", "C-c", "<Esc>", "!=x", "/help", " two  spaces", "tab\there", "修复 🛠"]
    {
        let allowed = tried(&record, &reply(words, ReplyDelivery::Auto), SEEN).unwrap();
        let FactKind::ReplyQueued { text, .. } = &allowed.decision.facts[0].kind else {
            panic!("{allowed:?}")
        };
        assert_eq!(text, words);
        let warned = allowed.notice.is_some_and(|notice| notice.contains("sent as they are"));
        assert_eq!(warned, words.starts_with(['!', '/']), "{words}");
    }
    let allowed = tried(&record, &reply("one\r\ntwo\n\n", ReplyDelivery::Auto), SEEN).unwrap();
    assert!(
        matches!(&allowed.decision.facts[0].kind, FactKind::ReplyQueued { text, .. } if text == "one\ntwo")
    );
}

#[test]
fn words_that_are_none_or_would_be_keys_are_refused() {
    let record = waiting(AgentKind::Pi);
    let long = "x".repeat(MAX_TASK_BYTES + 1);
    let table = [
        ("", RefusalKind::BadInput, "Empty follow-up"),
        (" \n\t", RefusalKind::BadInput, "Empty follow-up"),
        ("a\u{1b}[201~b", RefusalKind::BadInput, "U+001B"),
        ("a\u{3}", RefusalKind::BadInput, "U+0003"),
        ("a\rb", RefusalKind::BadInput, "U+000D"),
        ("a\0b", RefusalKind::BadInput, "U+0000"),
        ("a\u{7f}", RefusalKind::BadInput, "U+007F"),
        ("a\u{9b}b", RefusalKind::BadInput, "U+009B"),
        (&long, RefusalKind::Limit, "the limit is"),
    ];
    for (words, kind, text) in table {
        for delivery in [ReplyDelivery::Auto, ReplyDelivery::Now, ReplyDelivery::Queue] {
            let refusal = tried(&record, &reply(words, delivery), SEEN).unwrap_err();
            assert_eq!(refusal.kind, kind, "{words:.20?}");
            assert!(refusal.text.contains(text), "{refusal}");
        }
    }
    // Nothing is ever typed into an agent that the person did not write.
    for source in [CommandSource::Service, CommandSource::Run, CommandSource::Classifier, CommandSource::Host]
    {
        let refusal = decided(&record, &reply("go on", ReplyDelivery::Auto), SEEN, source).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::SourceNotAllowed);
    }
}

#[test]
fn a_queue_has_a_limit_in_replies_and_in_bytes() {
    let full = with_queue(waiting(AgentKind::Pi), &[ReplyProgress::Waiting; MAX_QUEUED]);
    let refusal = tried(&full, &reply("one more", ReplyDelivery::Queue), SEEN).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Limit, "{refusal}");
    let mut heavy = with_queue(waiting(AgentKind::Pi), &[ReplyProgress::Waiting]);
    heavy.queue.items[0].text = "x".repeat(MAX_QUEUED_BYTES - 5);
    assert!(tried(&heavy, &reply("12345", ReplyDelivery::Queue), SEEN).is_ok());
    assert_eq!(
        tried(&heavy, &reply("123456", ReplyDelivery::Queue), SEEN).unwrap_err().kind,
        RefusalKind::Limit
    );
    let (session, item) = (heavy.id.clone(), heavy.queue.items[0].id.clone());
    let edit = |text: String| Command::EditQueued { session: session.clone(), item: item.clone(), text };
    assert!(tried(&heavy, &edit("x".repeat(MAX_QUEUED_BYTES)), SEEN).is_ok(), "the old words make room");
}

#[test]
fn what_is_being_written_cannot_be_changed_and_what_may_have_arrived_only_by_a_wish() {
    use ReplyProgress::{Accepted, AcceptedUnknown, Sent, Waiting};
    type Make = fn(QueueItemId) -> Command;
    let make: [(&str, Make); 4] = [
        ("edit", |item| Command::EditQueued { session: session(ID), item, text: "other".into() }),
        ("move", |item| Command::MoveQueued { session: session(ID), item, place: 0 }),
        ("rm", |item| Command::RemoveQueued { session: session(ID), item }),
        ("send", |item| Command::SendQueued { session: session(ID), item }),
    ];
    for (name, make) in make {
        for progress in [Waiting, Sent, Accepted, AcceptedUnknown] {
            let record = with_queue(waiting(AgentKind::Pi), &[progress]);
            let command = make(record.queue.items[0].id.clone());
            let allowed = matches!((progress, name), (Waiting, _) | (AcceptedUnknown, "rm" | "send"));
            assert_eq!(tried(&record, &command, SEEN).is_ok(), allowed, "{name} {progress:?}");
        }
        let refusal = tried(&waiting(AgentKind::Pi), &make(QueueItemId("nothing".into())), SEEN).unwrap_err();
        assert!(refusal.text.contains("host-runner queue"), "{refusal}");
    }
    // A second delivery has an id of its own: the first one may be in somebody's journal.
    let record = with_queue(waiting(AgentKind::Pi), &[AcceptedUnknown]);
    let send = Command::SendQueued { session: session(ID), item: record.queue.items[0].id.clone() };
    let allowed = tried(&record, &send, SEEN).unwrap();
    let expected = Some(QueueItemId("00000000ee".into()));
    assert!(
        matches!(&allowed.decision.facts[0].kind, FactKind::ReplyHurried { again_as, .. } if *again_as == expected)
    );
    let record = with_queue(asks(waiting(AgentKind::Pi)), &[Waiting]);
    let send = Command::SendQueued { session: session(ID), item: record.queue.items[0].id.clone() };
    assert_eq!(tried(&record, &send, SEEN).unwrap_err().text, answer_there());
}

#[test]
fn clearing_takes_everything_that_can_be_taken() {
    use ReplyProgress::{Accepted, AcceptedUnknown, Waiting};
    let clear = Command::ClearQueue { session: session(ID) };
    let record = with_queue(waiting(AgentKind::Pi), &[AcceptedUnknown, Accepted, Waiting, Waiting]);
    let allowed = tried(&record, &clear, SEEN).unwrap();
    assert_eq!(allowed.decision.facts.len(), 3);
    assert!(allowed.notice.unwrap().contains("cannot be taken back"));
    assert_eq!(tried(&waiting(AgentKind::Pi), &clear, SEEN).unwrap_err().kind, RefusalKind::NoChange);
}

proptest! {
    // Whatever a person writes: it is refused, or it is kept as it is and holds no key.
    #[test]
    fn no_words_are_keys(text in any::<String>()) {
        if let Ok(allowed) = tried(&waiting(AgentKind::Pi), &reply(&text, ReplyDelivery::Auto), SEEN) {
            let FactKind::ReplyQueued { text: kept, .. } = &allowed.decision.facts[0].kind else { panic!() };
            prop_assert!(!kept.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
            let lines = text.replace("\r\n", "\n");
            prop_assert_eq!(kept.as_str(), lines.trim_end());
        }
    }
}

// Entering such a session sent the older words; a reply only joined them.
#[test]
fn a_reply_to_an_ended_agent_wakes_it_although_older_words_wait() {
    let mut record = ended(AgentKind::Pi);
    let item = QueueItemId("0000000011".into());
    record.queue.items.push(QueuedItem {
        id: item,
        text: "older".into(),
        at: UnixMs(1),
        delivery: ReplyDelivery::Queue,
        progress: ReplyProgress::Waiting,
        kind: ReplyKind::Reply,
    });
    assert!(wakes(&record));
    assert!(!wakes(&stopped(AgentKind::Pi)), "what a person stopped waits for them");
}
