//! The launch dialog: what it begins with, what its keys do, what it sends, and that nothing typed is lost.

use super::intents::{intents, outcome};
use crate::{
    effect::Effect,
    input::{Input, Key, KeyCode},
    keymap::Room,
    machine::{
        Field,
        samples::{Bench, choices, directories, open_launch, queries, row, ups},
    },
};
use board_protocol::{
    command::{CommandOutcome, Launch, Remember, StartSession},
    ids::CommandId,
    pipe::{Down, Intent, LinkHello, Query, QueryKind, QueryPart, Up},
    refusal::{Refusal, RefusalKind},
    state::{HostState, ProcessState, SemanticState},
};

fn dialog(agent: &str) -> Bench {
    let mut bench = Bench::with_rows(vec![row(1)]);
    open_launch(&mut bench, agent);
    bench
}

fn started(effects: &[Effect]) -> (CommandId, StartSession) {
    match intents(effects).pop() {
        Some((id, Intent::Start(start))) => (id, start),
        other => panic!("{other:?}"),
    }
}

fn press(bench: &mut Bench, code: KeyCode, times: usize) {
    for _ in 0..times {
        bench.key(code);
    }
}

fn field(bench: &Bench) -> Field {
    bench.board.launch.form.field
}

fn folder(bench: &Bench) -> &str {
    bench.board.launch.form.folder.text()
}

fn prefix(effects: &[Effect]) -> String {
    match queries(effects).pop() {
        Some((_, Query::Directories { prefix })) => prefix,
        other => panic!("{other:?}"),
    }
}

fn refusal(text: &str) -> CommandOutcome {
    CommandOutcome::Refused(Refusal::new(RefusalKind::BadInput, text))
}

#[test]
fn f8_the_dialog_begins_with_what_was_chosen_last() {
    let mut bench = dialog("pi");
    assert_eq!((bench.board.room, field(&bench)), (Room::Launch, Field::Task));
    bench.type_text("fix it");
    let (_, start) = started(&bench.key(KeyCode::Enter));
    assert_eq!(
        start,
        StartSession {
            name: None,
            agent: "pi".into(),
            launch: Launch::Task("fix it".into()),
            cwd: "/home/me".into(),
            size: None,
            model: Some("anthropic/claude-sonnet-4".into()),
            thinking: Some("high".into()),
            tags: vec![],
            remember: Remember::Choices,
        }
    );
    // Without anything remembered it is the configured agent in the link's directory.
    let mut bench = Bench::linked();
    let hello = LinkHello { default_agent: "claude".into(), ..crate::machine::samples::link_hello() };
    bench.down(Down::Hello(hello));
    bench.full(1, vec![]);
    open_launch(&mut bench, "");
    let form = &bench.board.launch.form;
    assert_eq!((form.agent.as_str(), form.model.text(), form.thinking.as_str()), ("claude", "", ""));
}

#[test]
fn what_the_person_has_changed_is_not_overwritten_by_what_is_remembered() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let effects = bench.char('n');
    bench.key(KeyCode::Up);
    bench.on(Input::Paste("/srv/mine".into()));
    bench.key(KeyCode::Enter);
    bench.answer(&effects, QueryKind::Launch, choices("pi"));
    assert_eq!((bench.board.launch.form.agent.as_str(), folder(&bench)), ("pi", "/srv/mine"));
    press(&mut bench, KeyCode::Up, 2);
    bench.key(KeyCode::Right);
    press(&mut bench, KeyCode::Down, 3);
    bench.type_text("opus");
    bench.key(KeyCode::Esc);
    open_launch(&mut bench, "pi");
    let form = &bench.board.launch.form;
    assert_eq!((form.agent.as_str(), form.model.text(), form.thinking.as_str()), ("claude", "opus", ""));
}

#[test]
fn model_and_thinking_belong_to_the_agent_they_were_chosen_for() {
    let mut bench = dialog("pi");
    press(&mut bench, KeyCode::Up, 2);
    assert_eq!(field(&bench), Field::Agent);
    bench.key(KeyCode::Right);
    let form = &bench.board.launch.form;
    assert_eq!((form.agent.as_str(), form.model.text(), form.thinking.as_str()), ("claude", "", ""));
    bench.key(KeyCode::Left);
    let form = &bench.board.launch.form;
    assert_eq!((form.model.text(), form.thinking.as_str()), ("anthropic/claude-sonnet-4", "high"));
    bench.char(' ');
    bench.char(' ');
    assert_eq!(bench.board.launch.form.agent, "codex");
    assert!(
        bench.text(24, 80).contains("! Codex works here without a terminal only"),
        "{}",
        bench.text(24, 80)
    );
    press(&mut bench, KeyCode::Down, 2);
    bench.type_text("go");
    assert_eq!(intents(&bench.key(KeyCode::Enter)), [], "it would only be refused");
    assert_eq!(
        (bench.board.room, bench.notice()),
        (Room::Launch, "Codex works here without a terminal only")
    );
}

#[test]
fn f8_names_and_tags_in_the_task_become_the_sessions() {
    let mut bench = dialog("pi");
    bench.on(Input::Paste("fix the login name:login #web\n#include <x>".into()));
    assert!(bench.text(24, 80).contains("name login  #web"), "{}", bench.text(24, 80));
    let (_, start) = started(&bench.key(KeyCode::Enter));
    assert_eq!(start.name.as_deref(), Some("login"));
    assert_eq!(start.tags, ["web"]);
    assert_eq!(start.launch, Launch::Task("fix the login\n#include <x>".into()));
}

// Field report D14: what was typed went away with a refusal.
#[test]
fn d14_a_refusal_keeps_every_field_and_says_why_in_the_dialog() {
    let mut bench = dialog("pi");
    bench.on(Input::Paste("fix it\nwell #web".into()));
    press(&mut bench, KeyCode::Up, 2);
    bench.on(Input::Paste("/srv/gone".into()));
    bench.key(KeyCode::Enter);
    let before = bench.text(24, 80);
    let (id, _) = started(&bench.key(KeyCode::Enter));
    assert!(bench.text(24, 80).contains("Starting…"));
    // Nothing can be changed or sent twice while it is on its way.
    bench.type_text("x");
    assert_eq!(intents(&bench.key(KeyCode::Enter)), []);
    let text = "there is no directory /srv/gone. Make it first, or start it elsewhere";
    outcome(&mut bench, &id, refusal(text));
    assert_eq!((bench.board.room, bench.notice()), (Room::Launch, text));
    let after = bench.text(24, 80);
    assert!(after.contains("× there is no directory /srv/gone."), "{after}");
    let fields = |text: &str| text.lines().take(14).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(fields(&after), fields(&before));
    let (again, start) = started(&bench.key(KeyCode::Enter));
    assert_ne!(again, id);
    assert_eq!((start.cwd.as_str(), &start.launch), ("/srv/gone", &Launch::Task("fix it\nwell #web".into())));
}

#[test]
fn esc_keeps_a_draft_for_the_next_opening_and_ctrl_c_drops_it() {
    let mut bench = dialog("pi");
    bench.type_text("half a thought");
    let effects = bench.key(KeyCode::Esc);
    assert_eq!(ups(&effects), [], "every question was answered");
    assert_eq!(bench.notice(), "NORMAL mode (draft kept; n goes on with it)");
    assert!(bench.text(24, 80).contains("draft › half a thought"), "{}", bench.text(24, 80));
    open_launch(&mut bench, "pi");
    assert_eq!(bench.board.launch.form.task.text(), "half a thought");
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('c'))));
    assert_eq!((bench.board.room, bench.board.launch.form.task.text()), (Room::List, ""));
    // Left before it was answered: nobody waits for that any more.
    bench.char('n');
    assert!(matches!(ups(&bench.key(KeyCode::Esc))[..], [Up::QueryDropped { .. }]));
}

#[test]
fn an_answer_after_the_dialog_was_left_is_the_dialogs_all_the_same() {
    let mut bench = dialog("pi");
    bench.type_text("fix it");
    let (id, _) = started(&bench.key(KeyCode::Enter));
    bench.key(KeyCode::Esc);
    outcome(&mut bench, &id, refusal("no"));
    assert_eq!((bench.board.room, bench.notice()), (Room::List, "no"));
    assert_eq!(bench.board.launch.form.task.text(), "fix it");
    open_launch(&mut bench, "pi");
    let (id, _) = started(&bench.key(KeyCode::Enter));
    bench.key(KeyCode::Esc);
    outcome(&mut bench, &id, CommandOutcome::Applied { session: row(2).id, notice: None });
    assert_eq!(bench.board.launch.form.task.text(), "", "it was started");
    bench.char('i');
    bench.key(KeyCode::Up);
    assert_eq!(bench.board.editor.text(), "fix it", "and can be taken up again");
}

#[test]
fn an_agent_may_be_started_without_words_and_a_command_line_may_not_be_empty() {
    let mut bench = dialog("pi");
    let (_, start) = started(&bench.key(KeyCode::Enter));
    assert_eq!(start.launch, Launch::Task(String::new()));
    let mut bench = dialog("");
    assert_eq!(intents(&bench.key(KeyCode::Enter)), []);
    assert_eq!(bench.notice(), "Nothing to start: type a command, then press Enter");
    assert_eq!(bench.board.room, Room::Launch);
    bench.type_text("make");
    let (_, start) = started(&bench.key(KeyCode::Enter));
    assert_eq!((start.agent.as_str(), start.model, start.thinking), ("generic", None, None));
}

#[test]
fn start_and_enter_goes_in_once_the_row_is_there() {
    let mut bench = dialog("pi");
    bench.type_text("fix it");
    press(&mut bench, KeyCode::Tab, 4);
    assert_eq!(field(&bench), Field::StartAndEnter);
    let (id, _) = started(&bench.key(KeyCode::Enter));
    let opens = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::OpenAttachTab(_)));
    let applied = CommandOutcome::Applied { session: row(2).id, notice: None };
    assert!(!opens(&outcome(&mut bench, &id, applied)), "its row is not there yet");
    assert_eq!(bench.board.room, Room::List);
    assert!(opens(&bench.delta(1, vec![row(2)], &[])));
    assert!(!opens(&bench.delta(2, vec![row(2)], &[])), "once");
}

#[test]
fn a_late_row_or_a_person_who_went_on_is_not_dragged_into_a_session() {
    for busy in [false, true] {
        let mut bench = dialog("pi");
        press(&mut bench, KeyCode::Tab, 4);
        let (id, _) = started(&bench.key(KeyCode::Enter));
        outcome(&mut bench, &id, CommandOutcome::Applied { session: row(2).id, notice: None });
        if busy {
            bench.char('i');
        } else {
            bench.pass(10_001);
        }
        let effects = bench.delta(1, vec![row(2)], &[]);
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::OpenAttachTab(_))), "{busy}");
    }
}

// A command that was run again stayed in the background, though → is the key that goes in.
#[test]
fn a_command_that_is_run_again_is_entered() {
    let mut bench = Bench::with_rows(vec![crate::machine::samples::ended_row(1, "exit code 0")]);
    bench.key(KeyCode::Right);
    let (id, _) = intents(&bench.yes()).into_iter().find(|(_, i)| matches!(i, Intent::Rerun { .. })).unwrap();
    outcome(&mut bench, &id, CommandOutcome::Applied { session: row(1).id, notice: None });
    let runs = board_protocol::board::Row {
        state: SemanticState::Working,
        process_state: ProcessState::Alive,
        host_state: HostState::Starting,
        ..row(1)
    };
    let effects = bench.delta(1, vec![runs], &[]);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::OpenAttachTab(_))), "{effects:?}");
}

#[test]
fn i6_tab_completes_drills_and_goes_up_again() {
    let mut bench = dialog("pi");
    bench.key(KeyCode::Up);
    let effects = bench.on(Input::Paste("/srv/w".into()));
    assert_eq!((bench.board.room, prefix(&effects)), (Room::Folder, "/srv/w".into()));
    // Tab before the answer waits for it.
    bench.key(KeyCode::Tab);
    assert_eq!(folder(&bench), "/srv/w");
    bench.answer(&effects, QueryKind::Directories, directories(&["web-api", "web-site"]));
    assert_eq!(folder(&bench), "/srv/web-");
    bench.char('s');
    bench.key(KeyCode::Tab);
    assert_eq!(folder(&bench), "/srv/web-site");
    let effects = bench.key(KeyCode::Tab);
    assert_eq!((folder(&bench), prefix(&effects)), ("/srv/web-site/", "/srv/web-site/".into()));
    bench.answer(&effects, QueryKind::Directories, directories(&["docs", "src"]));
    assert!(bench.text(24, 80).contains("/srv/web-site/docs"), "{}", bench.text(24, 80));
    // With one selected, Tab goes into that one; Shift+Tab comes back.
    bench.key(KeyCode::Down);
    bench.key(KeyCode::Down);
    let effects = bench.key(KeyCode::Tab);
    assert_eq!(folder(&bench), "/srv/web-site/src/");
    bench.answer(
        &effects,
        QueryKind::Directories,
        vec![QueryPart::Problem { text: "You may not read it".into() }],
    );
    assert!(bench.text(24, 80).contains("! You may not read it"));
    bench.on(Input::Key(Key::shift(KeyCode::Tab)));
    assert_eq!(folder(&bench), "/srv/web-site/");
    bench.key(KeyCode::Enter);
    assert_eq!(
        (bench.board.room, field(&bench), folder(&bench)),
        (Room::Launch, Field::Task, "/srv/web-site")
    );
}

#[test]
fn i6_favourites_are_offered_searched_and_chosen() {
    let mut bench = dialog("pi");
    bench.key(KeyCode::Up);
    let effects = bench.key(KeyCode::Enter);
    assert_eq!(queries(&effects), [], "favourites are known");
    let text = bench.text(24, 80);
    assert!(text.contains("/home/me/work/agent-board") && text.contains("12×"), "{text}");
    bench.key(KeyCode::Down);
    bench.key(KeyCode::Down);
    bench.key(KeyCode::Enter);
    assert_eq!(folder(&bench), "/srv/web");
    // Typing in the closed field searches anew, Esc brings back what stood there.
    bench.key(KeyCode::Up);
    bench.type_text("BOARD");
    let text = bench.text(24, 80);
    assert!(text.contains("agent-board") && !text.contains("/srv/web"), "{text}");
    bench.key(KeyCode::Esc);
    assert_eq!((bench.board.room, folder(&bench)), (Room::Launch, "/srv/web"));
    bench.type_text("board");
    bench.key(KeyCode::Up);
    let effects = bench.key(KeyCode::Tab);
    assert_eq!(prefix(&effects), "/home/me/work/agent-board/", "Tab goes into a favourite");
    bench.key(KeyCode::Enter);
    assert_eq!(folder(&bench), "/home/me/work/agent-board");
}

#[test]
fn answers_that_are_lost_or_late_are_given_up_in_words() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.char('n');
    bench.pass(6_100);
    assert!(bench.text(24, 80).contains("No answer in time"), "{}", bench.text(24, 80));
    bench.down(Down::Ping { number: 1 });
    bench.key(KeyCode::Up);
    let effects = bench.on(Input::Paste("/dead/x".into()));
    assert!(bench.text(24, 80).contains("looking…"));
    bench.pass(6_100);
    bench.down(Down::Ping { number: 2 });
    assert!(bench.text(24, 80).contains("! No answer in time"));
    // An answer that comes after that belongs to nobody.
    let number = queries(&effects).pop().unwrap().0;
    let instance = board_protocol::pipe::InstanceId::new(7, 1);
    let parts = directories(&["xyz"]);
    bench.down(Down::QueryPage { instance, number, page: 0, pages: 1, parts });
    assert!(!bench.text(24, 80).contains("xyz"));
    // Another link is asked anew what the last one did not answer.
    bench.char('y');
    bench.link = crate::machine::samples::generation("link-2");
    bench.up = "up-2".into();
    let effects = bench.opens_up();
    assert_eq!(prefix(&effects), "/dead/xy");
}

#[test]
fn f2_tab_takes_the_text_of_the_editor_into_the_dialog() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.char('i');
    bench.type_text("fix it");
    bench.key(KeyCode::Tab);
    assert_eq!((bench.board.room, bench.board.launch.form.task.text()), (Room::Launch, "fix it"));
    assert_eq!(bench.board.editor.text(), "");
    bench.key(KeyCode::Esc);
    bench.char('i');
    bench.type_text("first");
    bench.key(KeyCode::Tab);
    assert_eq!(bench.board.launch.form.task.text(), "first\nfix it", "nothing is lost");
}

// Nothing that a person has typed may be hidden by the size of the terminal, and every field stands at every size.
#[test]
fn every_field_is_there_at_every_size_and_nothing_moves() {
    for height in 8..60 {
        for width in [20, 24, 35, 36, 43, 44, 60, 80, 120, 200, 400] {
            let mut bench = dialog("pi");
            let before = bench.text(height, width);
            for word in ["agent", "task", "model", "thin"] {
                assert!(before.contains(word), "{width}x{height} {word}\n{before}");
            }
            bench.type_text("x");
            let place = |text: &str, word: &str| {
                text.lines().position(|line| line.contains(word)).map(|at| (at, text.lines().count()))
            };
            let after = bench.text(height, width);
            for word in ["agent", "task", "model", "thin"] {
                assert_eq!(place(&before, word), place(&after, word), "{width}x{height} {word}\n{after}");
            }
            assert!(bench.board.render(height, width).cursor.is_some(), "{width}x{height}");
            let (id, _) = started(&bench.key(KeyCode::Enter));
            outcome(&mut bench, &id, refusal("refused"));
            assert!(
                bench.text(height, width).contains("refused"),
                "{width}x{height}\n{}",
                bench.text(height, width)
            );
            bench.key(KeyCode::Up);
            bench.key(KeyCode::Enter);
            let list = bench.text(height, width);
            assert!(list.contains("web"), "{width}x{height}\n{list}");
        }
    }
}
