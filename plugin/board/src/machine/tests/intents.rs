//! What a person asks for, what becomes of it, and what happens when the answer does not come.

use crate::{
    effect::Effect,
    input::{Input, Key, KeyCode},
    keymap::Room,
    machine::{
        samples::{Bench, ended_row, generation, link_hello, row, ups},
        verdict::RIPE_AFTER_MS,
    },
};
use board_protocol::{
    command::{CommandOutcome, Launch},
    ids::CommandId,
    pipe::{Down, InstanceId, Intent, LinkHello, Up},
    refusal::{Refusal, RefusalKind},
};

pub(super) fn intents(effects: &[Effect]) -> Vec<(CommandId, Intent)> {
    ups(effects)
        .into_iter()
        .filter_map(|up| match up {
            Up::Intent { command_id, intent } => Some((command_id, intent)),
            _ => None,
        })
        .collect()
}

fn start(bench: &mut Bench, task: &str) -> (CommandId, Intent) {
    bench.char('i');
    bench.on(Input::Paste(task.into()));
    intents(&bench.key(KeyCode::Enter)).pop().unwrap()
}

pub(super) fn outcome(bench: &mut Bench, command_id: &CommandId, outcome: CommandOutcome) -> Vec<Effect> {
    let instance = InstanceId::new(7, 1);
    bench.down(Down::Outcome { instance, command_id: command_id.clone(), outcome })
}

fn refusal(text: &str) -> CommandOutcome {
    CommandOutcome::Refused(Refusal::new(RefusalKind::MissingProgram, text))
}

#[test]
fn enter_starts_what_was_typed_in_the_background() {
    let mut bench = Bench::linked();
    bench.full(1, vec![row(1)]);
    let (command_id, intent) = start(&mut bench, "cargo test\r\n  --workspace");
    let Intent::Start(session) = intent else { panic!("{intent:?}") };
    assert_eq!(session.launch, Launch::Task("cargo test\n  --workspace".into()));
    assert_eq!((session.agent.as_str(), session.cwd.as_str(), session.name), ("generic", "", None));
    assert_eq!(bench.board.room, Room::List);
    assert_eq!(bench.board.editor.text(), "");
    let applied = CommandOutcome::Applied { session: row(2).id, notice: None };
    outcome(&mut bench, &command_id, applied);
    assert_eq!(bench.notice(), "Dispatched: cargo test --workspace");
    bench.delta(1, vec![row(2)], &[]);
    assert_eq!(bench.selected().as_deref(), Some("task-2"), "the new session is selected");
}

#[test]
fn the_link_names_the_agent_of_what_is_typed() {
    let mut bench = Bench::linked();
    bench.down(Down::Hello(LinkHello { default_agent: "pi".into(), ..link_hello() }));
    bench.full(1, vec![row(1)]);
    let (_, intent) = start(&mut bench, "fix the build");
    assert!(matches!(intent, Intent::Start(session) if session.agent == "pi"));
}

#[test]
fn the_new_session_is_not_selected_if_the_person_moved_meanwhile() {
    let mut bench = Bench::with_rows(vec![row(1), row(2)]);
    let (command_id, _) = start(&mut bench, "make");
    outcome(&mut bench, &command_id, CommandOutcome::Applied { session: row(3).id, notice: None });
    bench.key(KeyCode::Down);
    bench.delta(1, vec![row(3)], &[]);
    assert_eq!(bench.selected().as_deref(), Some("task-2"));
}

#[test]
fn a_refusal_brings_the_text_back() {
    let mut bench = Bench::linked();
    bench.full(1, vec![]);
    let (command_id, _) = start(&mut bench, "mkae all");
    outcome(&mut bench, &command_id, refusal("mkae was not found. Check the spelling"));
    assert_eq!(bench.notice(), "mkae was not found. Check the spelling");
    assert_eq!((bench.board.room, bench.board.editor.text()), (Room::Insert, "mkae all"));
}

#[test]
fn a_refusal_never_overwrites_what_is_being_typed() {
    let mut bench = Bench::linked();
    bench.full(1, vec![]);
    let (command_id, _) = start(&mut bench, "first");
    bench.char('i');
    bench.type_text("second");
    outcome(&mut bench, &command_id, refusal("no"));
    assert_eq!(bench.board.editor.text(), "second");
    bench.key(KeyCode::Enter);
    assert_eq!(bench.board.editor.text(), "first", "it comes back when there is room for it");
}

#[test]
fn a_new_link_hears_unanswered_intents_again_with_the_same_ids() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let first = start(&mut bench, "make");
    bench.char('s');
    let second = intents(&bench.yes()).pop().unwrap();
    assert_ne!(first.0, second.0);
    bench.link = generation("link-2");
    bench.up = "up-2".into();
    assert_eq!(intents(&bench.opens_up()), [first.clone(), second.clone()]);
    outcome(&mut bench, &first.0, CommandOutcome::Applied { session: row(2).id, notice: None });
    // The same link with another pipe child: what went into the old one may be lost.
    bench.up = "up-3".into();
    assert_eq!(intents(&bench.opens_up()), [second]);
}

#[test]
fn an_outcome_of_another_instance_or_of_nothing_is_not_ours() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let (command_id, _) = start(&mut bench, "make");
    let before = bench.notice().to_owned();
    for instance in [InstanceId::new(7, 2), InstanceId::new(8, 1)] {
        bench.down(Down::Outcome { instance, command_id: command_id.clone(), outcome: refusal("no") });
    }
    outcome(&mut bench, &CommandId("unknown".into()), refusal("no"));
    assert_eq!((bench.notice(), bench.board.room), (before.as_str(), Room::List));
    outcome(&mut bench, &command_id, refusal("no"));
    assert_eq!(bench.notice(), "no");
    bench.char('?');
    outcome(&mut bench, &command_id, refusal("twice"));
    assert_eq!(bench.notice(), "no", "an outcome comes once");
}

#[test]
fn without_a_link_nothing_is_sent_and_nothing_lost() {
    let mut bench = Bench::granted();
    bench.char('i');
    bench.type_text("make");
    assert_eq!(ups(&bench.key(KeyCode::Enter)), []);
    assert_eq!(
        bench.notice(),
        "Not connected to the board's daemon; nothing was sent. Try again in a moment"
    );
    assert_eq!((bench.board.room, bench.board.editor.text()), (Room::Insert, "make"));
    bench.opens_up();
    assert_eq!(intents(&bench.key(KeyCode::Enter)).len(), 1);
}

#[test]
fn a_late_answer_is_said_once_and_a_lost_one_given_up() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    start(&mut bench, "make");
    for _ in 0..5 {
        bench.pass(1_999);
        bench.down(Down::Ping { number: 1 });
    }
    assert_eq!(bench.notice(), "");
    bench.pass(1_000);
    assert!(bench.notice().starts_with("No answer yet"), "{}", bench.notice());
    for _ in 0..200 {
        bench.pass(5_000);
        bench.down(Down::Ping { number: 1 });
    }
    bench.up = "up-2".into();
    assert_eq!(intents(&bench.opens_up()), [], "after a quarter of an hour a start would surprise");
}

#[test]
fn the_number_of_unanswered_requests_is_limited() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let mut sent = 0;
    for _ in 0..40 {
        bench.char('s');
        sent += intents(&bench.yes()).len();
        bench.down(Down::Ping { number: 1 });
    }
    assert_eq!(sent, 16);
    assert!(bench.notice().starts_with("Too many requests"), "{}", bench.notice());
}

#[test]
fn a_blank_task_starts_nothing() {
    let mut bench = Bench::linked();
    bench.char('i');
    bench.type_text("  ");
    assert_eq!(ups(&bench.key(KeyCode::Enter)), []);
    assert_eq!(bench.notice(), "Nothing to start: type a command, then press Enter");
}

#[test]
fn a_paste_that_is_too_long_is_refused_whole() {
    let mut bench = Bench::linked();
    bench.char('i');
    bench.on(Input::Paste("x".repeat(40_000)));
    assert!(bench.notice().starts_with("Too long"), "{}", bench.notice());
    // The longest text that is taken still fits into a line, however it is escaped.
    bench.on(Input::Paste("\"\n".repeat(15 * 1024)));
    let effects = bench.key(KeyCode::Enter);
    let sent: Vec<usize> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::SendUp { line, .. } => Some(line.len()),
            _ => None,
        })
        .collect();
    assert!(
        matches!(sent.as_slice(), [length] if *length <= board_protocol::pipe::MAX_LINE_BYTES),
        "{sent:?}"
    );
}

#[test]
fn what_was_done_is_said() {
    let table: [(&[char], &str, &str); 9] = [
        (&['s', 'y'], "Stopping…", "Stopped \"task-1\""),
        (&['x', 'y'], "", "Deleted \"task-1\""),
        (&['x', 'Y'], "", "Deleted \"task-1\""),
        (&['d', 'y'], "", "Marked done"),
        (&['h'], "", "On hold"),
        (&[' ', 'h'], "", "On hold"),
        (&['p'], "", "Pinned \"task-1\""),
        (&['u'], "", "Marked unread"),
        (&['l', 'h'], "", "On hold"),
    ];
    for (keys, at_once, after) in table {
        let mut bench = Bench::with_rows(vec![row(1)]);
        let mut effects = Vec::new();
        for key in keys {
            bench.pass(RIPE_AFTER_MS);
            effects = bench.char(*key);
        }
        let (command_id, _) = intents(&effects).pop().unwrap();
        assert_eq!(bench.notice(), at_once);
        outcome(&mut bench, &command_id, CommandOutcome::Applied { session: row(1).id, notice: None });
        assert_eq!(bench.notice(), after);
    }
}

#[test]
fn a_rerun_asks_first() {
    let mut bench = Bench::with_rows(vec![ended_row(1, "exit code 3")]);
    bench.key(KeyCode::Right);
    bench.pass(RIPE_AFTER_MS);
    assert!(bench.text(24, 80).contains("\"task-1\" ended (exit code 3). Run it again? (y/N)"));
    let effects = bench.yes();
    assert!(
        matches!(intents(&effects).as_slice(), [(_, Intent::Rerun { session })] if *session == row(1).id)
    );
    let (command_id, _) = intents(&effects).pop().unwrap();
    outcome(
        &mut bench,
        &command_id,
        CommandOutcome::Applied { session: row(1).id, notice: Some("queued".into()) },
    );
    assert_eq!(bench.notice(), "\"task-1\" runs again · queued");
}

#[test]
fn drafts_survive_escape_and_go_on_demand() {
    let mut bench = Bench::linked();
    bench.full(1, vec![]);
    bench.char('i');
    bench.type_text("make / all");
    bench.key(KeyCode::Esc);
    assert_eq!(bench.notice(), "NORMAL mode (draft kept; Enter goes on with it)");
    assert!(bench.text(24, 80).contains("draft › make / all"));
    // Reference F.2: Enter opens the launch dialog with it; Esc there keeps it there.
    bench.key(KeyCode::Enter);
    assert_eq!(bench.board.room, Room::Launch);
    assert_eq!((bench.board.editor.text(), bench.board.launch.form.task.text()), ("", "make / all"));
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('c'))));
    bench.char('i');
    bench.type_text("make / all");
    bench.key(KeyCode::Esc);
    bench.char('N');
    assert_eq!(bench.board.editor.text(), "make / all");
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('c'))));
    assert_eq!((bench.board.room, bench.board.editor.text()), (Room::List, ""));
    bench.char('i');
    bench.type_text("x");
    bench.key(KeyCode::Esc);
    bench.key(KeyCode::Esc);
    assert_eq!((bench.notice(), bench.board.editor.text()), ("Draft cleared", ""));
    bench.pass(3_100);
    assert_eq!(bench.notice(), "", "notices about modes go by themselves");
    let (command_id, _) = start(&mut bench, "make");
    outcome(&mut bench, &command_id, CommandOutcome::Applied { session: row(2).id, notice: None });
    bench.pass(9_000);
    assert_eq!(bench.notice(), "Dispatched: make");
    bench.pass(1_500);
    assert_eq!(bench.notice(), "", "and so does news of what went well");
    bench.char('q');
    bench.pass(100_000);
    assert!(bench.notice().starts_with("Press i"), "what did not happen stays");
}

// An old error stood in the notice line for ever.
#[test]
fn what_failed_goes_with_the_next_key_that_works_once_it_could_be_read() {
    let mut bench = Bench::with_rows(vec![row(1), row(2)]);
    let (command_id, _) = start(&mut bench, "make");
    bench.char('/');
    outcome(&mut bench, &command_id, refusal("no"));
    bench.type_text("ta");
    assert_eq!(bench.notice(), "no", "the key may have been on its way already");
    bench.pass(1_600);
    bench.char('s');
    assert_eq!(bench.notice(), "");
    bench.key(KeyCode::Esc);
    bench.char('Q');
    bench.pass(2_000);
    bench.char('Q');
    assert!(bench.notice().starts_with("Press i"), "a key that does nothing takes nothing away");
    bench.key(KeyCode::Down);
    bench.pass(2_000);
    bench.key(KeyCode::Down);
    assert_eq!(bench.notice(), "");
}
