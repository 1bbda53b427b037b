//! Words to one session: written, kept, refused, brought back, and those that wait.

use super::intents::{intents, outcome};
use crate::{
    input::{Input, Key, KeyCode},
    keymap::Room,
    machine::samples::{Bench, detail, queued, row, ups},
};
use board_protocol::{
    board::Row,
    command::{CommandOutcome, ReplyDelivery},
    ids::{CommandId, QueueItemId},
    pipe::{Intent, QueryKind, QueryPart},
    refusal::{Refusal, RefusalKind},
    state::{ProcessState, SemanticState},
};

fn pi(n: u32, state: SemanticState, process_state: ProcessState) -> Row {
    Row { agent: "pi".into(), state, process_state, busy: process_state == ProcessState::Alive, ..row(n) }
}

fn idle(n: u32) -> Row {
    pi(n, SemanticState::Idle, ProcessState::Exited)
}

fn send(bench: &mut Bench) -> Option<(CommandId, Intent)> {
    intents(&bench.key(KeyCode::Enter)).into_iter().next()
}

fn reply(text: &str, delivery: ReplyDelivery) -> Intent {
    Intent::Reply { session: row(1).id, text: text.into(), delivery }
}

fn refused() -> CommandOutcome {
    CommandOutcome::Refused(Refusal::new(RefusalKind::WrongState, "it ends at this moment"))
}

#[test]
fn a_reply_has_lines_and_says_when_it_is_delivered() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.type_text(" r");
    assert_eq!(bench.notice(), "REPLY INSERT mode — arrows edit; Esc returns");
    bench.type_text("first");
    bench.on(Input::Key(Key::shift(KeyCode::Enter)));
    bench.on(Input::Paste("sec\rnd".into()));
    let text = bench.text(24, 80);
    assert!(text.contains("REPLY task-1 › first"), "{text}");
    assert!(text.contains("enter send") && text.contains("tab when"), "{text}");
    bench.key(KeyCode::Tab);
    assert!(bench.text(24, 80).contains("REPLY task-1 now › first"));
    bench.key(KeyCode::Tab);
    assert!(bench.text(24, 80).contains("REPLY task-1 queued › first"));
    let (id, intent) = send(&mut bench).unwrap();
    assert_eq!(intent, reply("first\nsec\nnd", ReplyDelivery::Queue));
    assert_eq!(bench.board.room, Room::Peek);
    outcome(&mut bench, &id, CommandOutcome::Applied { session: row(1).id, notice: None });
    assert_eq!(bench.notice(), "Reply sent");
    // The next one is delivered as usual again, and what was sent can be taken up.
    bench.char('r');
    bench.key(KeyCode::Up);
    assert_eq!(bench.board.line.text(), "first\nsec\nnd");
    assert_eq!(send(&mut bench).unwrap().1, reply("first\nsec\nnd", ReplyDelivery::Auto));
}

#[test]
fn what_the_daemon_says_about_a_reply_is_said_to_the_person() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.type_text(" rgo");
    let (id, _) = send(&mut bench).unwrap();
    let notice = "Reply queued — will deliver when the host is ready";
    outcome(&mut bench, &id, CommandOutcome::Applied { session: row(1).id, notice: Some(notice.into()) });
    assert_eq!(bench.notice(), notice);
}

// Field report D14: a composer threw away what was typed when it was refused.
#[test]
fn d14_a_refused_reply_is_its_rows_draft_again() {
    let mut bench = Bench::with_rows(vec![idle(1), idle(2)]);
    bench.type_text(" rone");
    let (id, _) = send(&mut bench).unwrap();
    bench.key(KeyCode::Down);
    bench.type_text("rtwo");
    outcome(&mut bench, &id, refused());
    assert_eq!(
        (bench.board.room, bench.board.line.text()),
        (Room::Reply, "two"),
        "another row is written to"
    );
    bench.key(KeyCode::Esc);
    bench.key(KeyCode::Up);
    assert!(bench.text(24, 80).contains("draft › one"));
    bench.char('r');
    assert_eq!(bench.board.line.text(), "one");
    let (id, _) = send(&mut bench).unwrap();
    bench.type_text("rmore");
    outcome(&mut bench, &id, refused());
    assert_eq!(bench.board.line.text(), "one\nmore", "in front of what is being typed");
    // And the other row still has its own.
    bench.key(KeyCode::Esc);
    bench.key(KeyCode::Down);
    bench.char('r');
    assert_eq!(bench.board.line.text(), "two");
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('c'))));
    bench.char('r');
    assert_eq!(bench.board.line.text(), "", "dropped on demand");
}

#[test]
fn an_open_question_takes_no_free_reply() {
    let asks = |process| Row { question: Some("Which?".into()), ..pi(1, SemanticState::NeedsInput, process) };
    let mut bench = Bench::with_rows(vec![asks(ProcessState::Alive)]);
    bench.type_text(" rthe second");
    assert_eq!(send(&mut bench), None);
    assert_eq!(bench.notice(), "Attach to answer the pending question");
    assert_eq!((bench.board.room, bench.board.line.text()), (Room::Reply, "the second"), "kept as a draft");
    // For later it may be written all the same.
    bench.key(KeyCode::Tab);
    bench.key(KeyCode::Tab);
    assert_eq!(send(&mut bench).unwrap().1, reply("the second", ReplyDelivery::Queue));
    // Nor does a number answer it: no digit is ever typed into a screen.
    let mut bench = Bench::with_rows(vec![asks(ProcessState::Alive)]);
    let effects = bench.char(' ');
    bench.answer(&effects, QueryKind::Detail, vec![detail(asks(ProcessState::Alive))]);
    assert!(bench.text(24, 80).contains("Attach to answer the pending question"));
    for number in '1'..='9' {
        bench.board.notice = None;
        assert_eq!(ups(&bench.char(number)), []);
        assert_eq!(bench.notice(), "Attach to answer the pending question");
    }
    // A question in the words of a finished turn is answered by a reply.
    let mut bench = Bench::with_rows(vec![asks(ProcessState::Exited)]);
    bench.type_text(" rthe second");
    assert_eq!(send(&mut bench).unwrap().1, reply("the second", ReplyDelivery::Auto));
}

#[test]
fn a_reply_to_nobody_and_of_nothing() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.type_text(" r  ");
    assert_eq!(send(&mut bench), None);
    assert_eq!(bench.notice(), "Nothing to send: type a reply, then press Enter");
    bench.type_text("kept");
    bench.delta(1, vec![], &[1]);
    assert_eq!(bench.notice(), "The session is gone");
    assert!(bench.board.editor.text().contains("kept"), "what was typed waits in the editor");
}

fn with_queue() -> Bench {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    let effects = bench.char(' ');
    let parts = vec![detail(idle(1)), queued("q-1", "first"), queued("q-2", "second\nline")];
    bench.answer(&effects, QueryKind::Detail, parts);
    bench.char('q');
    assert_eq!(bench.board.room, Room::Queue);
    bench
}

#[test]
fn what_waits_is_changed_moved_sent_and_taken_out() {
    let (session, item) = (row(1).id, QueueItemId("q-2".into()));
    let mut bench = with_queue();
    let text = bench.text(24, 80);
    assert!(text.contains("› first") && text.contains("  second↵line"), "{text}");
    bench.char('j');
    let last = |effects: &[crate::Effect]| intents(effects).pop().map(|(_, intent)| intent);
    let (s, i) = (session.clone(), item.clone());
    assert_eq!(last(&bench.char('x')), Some(Intent::RemoveQueued { session: s.clone(), item: i.clone() }));
    assert_eq!(last(&bench.char('s')), Some(Intent::SendQueued { session: s.clone(), item: i.clone() }));
    assert_eq!(last(&bench.char('J')), None, "it is the last one");
    assert_eq!(last(&bench.char('K')), Some(Intent::MoveQueued { session: s, item: i, place: 0 }));
    bench.char('X');
    assert!(bench.board.confirm.as_ref().unwrap().question.starts_with("Throw away 2 messages"));
    assert_eq!(last(&bench.yes()), Some(Intent::ClearQueue { session: session.clone() }));
    let mut bench = with_queue();
    bench.type_text("je");
    assert_eq!((bench.board.room, bench.board.line.text()), (Room::Reply, "second\nline"));
    bench.type_text("!");
    let (id, intent) = send(&mut bench).unwrap();
    assert_eq!(intent, Intent::EditQueued { session, item, text: "second\nline!".into() });
    assert_eq!(bench.board.room, Room::Queue);
    outcome(&mut bench, &id, refused());
    bench.key(KeyCode::Esc);
    bench.char('r');
    assert_eq!(bench.board.line.text(), "second\nline!", "nothing that was typed is lost");
}

#[test]
fn words_that_are_cut_or_on_their_way_are_not_changed() {
    for (cut, notice) in [(true, "These words are too long"), (false, "These words are on their way")] {
        let mut bench = Bench::with_rows(vec![idle(1)]);
        let effects = bench.char(' ');
        let QueryPart::Queued(mut words) = queued("q-1", "x") else { panic!("queued") };
        words.cut = cut;
        words.progress = board_protocol::daemon::ReplyProgress::Sent;
        bench.answer(&effects, QueryKind::Detail, vec![detail(idle(1)), QueryPart::Queued(words)]);
        bench.type_text("qe");
        assert!(bench.notice().starts_with(notice), "{}", bench.notice());
        assert_eq!(bench.board.room, Room::Queue);
    }
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.type_text(" q");
    assert_eq!((bench.notice(), bench.board.room), ("Nothing waits for this session", Room::Peek));
}

// Field report A28, the other half: an answer is proof that somebody has read.
#[test]
fn a28_a_reply_marks_its_row_as_read() {
    let mut bench = Bench::with_rows(vec![Row { unread: true, ..idle(1) }]);
    bench.type_text(" rok");
    let sent = intents(&bench.key(KeyCode::Enter));
    assert!(matches!(&sent[..], [(_, Intent::Reply { .. }), (_, Intent::Visit { .. })]), "{sent:?}");
}

// Refused tags were gone, although the page says that nothing that was typed is lost.
#[test]
fn d14_refused_tags_come_back_with_those_that_the_row_has() {
    let mut bench = Bench::with_rows(vec![Row { tags: vec!["old".into(), "kept".into()], ..idle(1) }]);
    bench.char('t');
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('u'))));
    bench.type_text("kept two#words");
    let (id, intent) = send(&mut bench).unwrap();
    let Intent::Tag { add, remove, .. } = intent else { panic!("{intent:?}") };
    assert_eq!(
        (add.as_slice(), remove.as_slice()),
        (["two#words".to_owned()].as_slice(), ["old".to_owned()].as_slice())
    );
    outcome(&mut bench, &id, refused());
    assert_eq!((bench.board.room, bench.board.line.text()), (Room::Tags, "kept two#words"));
}
