//! Every key in every mode, as one table; and the exact words of every question.

use crate::{
    effect::Effect,
    input::{Input, Key, KeyCode, Modifiers},
    keymap::Room,
    machine::{
        samples::{Bench, detail, directories, ended_row, head, open_launch, queued, row, said, ups},
        verdict::RIPE_AFTER_MS,
    },
};
use board_protocol::{
    board::Row,
    pipe::{Intent, QueryKind, Up},
    state::{HostState, ProcessState, SemanticState},
    transcript::TranscriptRole,
};
use std::fmt::Write;

/// Keys that could mean something somewhere.
fn keys() -> Vec<Key> {
    let codes = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Tab,
        KeyCode::Other,
    ];
    let mut keys: Vec<Key> = codes.map(Key::plain).into();
    keys.extend("aeghijklmnpqrstuvwxyzXYGJKNR?></!dh 1é漢".chars().map(|c| Key::plain(KeyCode::Char(c))));
    keys.extend("abcdefjknrstuwx".chars().map(|c| Key::ctrl(KeyCode::Char(c))));
    keys.extend([KeyCode::Left, KeyCode::Right, KeyCode::Backspace].map(Key::ctrl));
    keys.extend([KeyCode::Left, KeyCode::Right, KeyCode::Backspace, KeyCode::Enter].map(Key::alt));
    keys.extend(['b', 'f', 'x'].map(|c| Key::alt(KeyCode::Char(c))));
    keys.extend([KeyCode::Enter, KeyCode::Tab].map(Key::shift));
    keys
}

pub(super) fn in_room(room: Room) -> Bench {
    let mut bench = Bench::with_rows(vec![row(1), Row { unread: true, ..row(2) }, row(3)]);
    bench.key(KeyCode::Down);
    match room {
        Room::List => {}
        Room::Insert => {
            bench.char('i');
            bench.type_text("one two");
            bench.on(Input::Key(Key::ctrl(KeyCode::Left)));
        }
        Room::Launch => {
            open_launch(&mut bench, "");
            bench.type_text("one two");
            bench.on(Input::Key(Key::ctrl(KeyCode::Left)));
        }
        Room::Folder => {
            open_launch(&mut bench, "");
            bench.key(KeyCode::Up);
            let effects = bench.on(Input::Paste("/srv/w".into()));
            bench.answer(&effects, QueryKind::Directories, directories(&["web-api", "web-site"]));
        }
        Room::Confirm => {
            bench.char('x');
            bench.wait(RIPE_AFTER_MS);
        }
        Room::Help => {
            bench.char('?');
        }
        Room::Denied => {
            bench.on(Input::PermissionDenied);
        }
        Room::Select => {
            bench.char('m');
            bench.char(' ');
        }
        Room::Peek => peek(&mut bench),
        Room::Queue => {
            peek(&mut bench);
            bench.char('q');
        }
        Room::Screen => {
            bench.char('l');
        }
        Room::Transcript => return transcript(),
        Room::Explain => {
            bench.char('e');
        }
        Room::Reply => {
            bench.char(' ');
            bench.char('r');
            bench.type_text("one two");
            bench.on(Input::Key(Key::ctrl(KeyCode::Left)));
        }
        Room::Filter => {
            bench.char('/');
            bench.type_text("task");
        }
        Room::Rename => {
            bench.char('R');
        }
        Room::Tags => {
            bench.char('t');
            bench.type_text("web");
        }
        Room::Runner => {
            bench.char('!');
        }
    }
    assert_eq!(bench.board.room, room);
    bench.board.notice = None;
    bench
}

/// Peek at the second row, for which two messages wait.
fn peek(bench: &mut Bench) {
    let effects = bench.char(' ');
    let parts = vec![detail(Row { unread: true, ..row(2) }), queued("q-1", "first"), queued("q-2", "second")];
    bench.answer(&effects, QueryKind::Detail, parts);
}

/// The transcript of an agent's row: thirty things were said before those that are shown.
fn transcript() -> Bench {
    let agent = |n| Row { agent: "pi".into(), ..row(n) };
    let mut bench = Bench::with_rows(vec![agent(1), agent(2), agent(3)]);
    bench.key(KeyCode::Down);
    let effects = bench.char('v');
    let said = (30..40).map(|n| said(n, TranscriptRole::You, &format!("thing {n}")));
    let parts = std::iter::once(head(30, 10, 40)).chain(said).collect();
    bench.answer(&effects, QueryKind::Transcript, parts);
    bench.text(24, 80);
    bench.board.notice = None;
    assert_eq!(bench.board.room, Room::Transcript);
    bench
}

fn text(bench: &Bench) -> String {
    let board = &bench.board;
    let editor = match board.room {
        Room::Insert => &board.editor,
        Room::Filter => &board.filter.editor,
        Room::Launch => &board.launch.form.task,
        Room::Folder => &board.launch.form.folder,
        Room::Reply | Room::Rename | Room::Tags => &board.line,
        _ => return String::new(),
    };
    let (before, behind) = editor.halves();
    format!("{before}|{behind}")
}

fn name(key: Key) -> String {
    let Modifiers { ctrl, alt, shift } = key.modifiers;
    let mut name = String::new();
    for (held, prefix) in [(ctrl, "ctrl+"), (alt, "alt+"), (shift, "shift+")] {
        if held {
            name.push_str(prefix);
        }
    }
    match key.code {
        KeyCode::Char(c) => name.push(c),
        code => write!(name, "{code:?}").unwrap(),
    }
    name
}

pub(super) fn told(effects: &[Effect]) -> String {
    let words: Vec<String> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Render | Effect::SetTimer { .. } => None,
            Effect::SendUp { .. } => match ups(std::slice::from_ref(effect)).pop() {
                Some(Up::Intent { intent, .. }) => Some(match intent {
                    Intent::Start(start) => format!("start {:?}", start.launch),
                    Intent::Remove { session } => format!("remove {session}"),
                    other => format!("{other:?}"),
                }),
                other => Some(format!("{other:?}")),
            },
            Effect::OpenAttachTab(tab) => Some(format!("open tab for {}", tab.session)),
            other => Some(format!("{other:?}")),
        })
        .collect();
    words.join(", ")
}

#[test]
fn every_key_in_every_mode() {
    for room in Room::ALL {
        let mut table = String::new();
        for key in keys() {
            let mut bench = in_room(room);
            let (selected, before, marks) = (bench.selected(), text(&bench), bench.board.marks.len());
            let field = bench.board.launch.form.field;
            let effects = bench.on(Input::Key(key));
            let mut line = format!("{:14}", name(key));
            if bench.board.room != room {
                write!(line, " → {:?}", bench.board.room).unwrap();
            }
            if bench.selected() != selected {
                write!(line, " selects {}", bench.selected().unwrap_or_default()).unwrap();
            }
            if matches!(room, Room::Launch) && bench.board.launch.form.field != field {
                write!(line, " on {:?}", bench.board.launch.form.field).unwrap();
            }
            if bench.board.marks.len() != marks {
                write!(line, " marked {}", bench.board.marks.len()).unwrap();
            }
            if text(&bench) != before {
                write!(line, " text {:?}", text(&bench)).unwrap();
            }
            if let Some(confirm) = bench.board.confirm.as_ref().filter(|_| room != Room::Confirm) {
                write!(line, " asks {:?}", confirm.question).unwrap();
            }
            let told = told(&effects);
            if !told.is_empty() {
                write!(line, " does [{told}]").unwrap();
            }
            if !bench.notice().is_empty() {
                write!(line, " says {:?}", bench.notice()).unwrap();
            }
            writeln!(table, "{}", line.trim_end()).unwrap();
        }
        insta::assert_snapshot!(format!("keys_{room:?}").to_lowercase(), table);
    }
}

// Field report B14: "(y/N)" confirmed on Enter.
#[test]
fn b14_everything_but_y_cancels() {
    for key in keys() {
        let mut bench = in_room(Room::Confirm);
        let effects = bench.on(Input::Key(key));
        let accepted = matches!(key.code, KeyCode::Char('y' | 'Y')) && key.modifiers == Modifiers::default();
        assert_eq!(ups(&effects).len(), usize::from(accepted), "{key:?}");
        assert_eq!(bench.board.room, Room::List, "{key:?}");
        assert_eq!(bench.board.model.len(), 3);
    }
    let mut bench = in_room(Room::Confirm);
    assert_eq!(ups(&bench.on(Input::Paste("y".into()))), []);
    assert_eq!(bench.board.room, Room::List);
}

#[test]
fn shift_beside_a_letter_is_the_letter() {
    let mut bench = in_room(Room::Confirm);
    let effects = bench.on(Input::Key(Key::shift(KeyCode::Char('y'))));
    assert_eq!(ups(&effects).len(), 1);
    let mut bench = in_room(Room::List);
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('S'))));
    assert_eq!(bench.board.room, Room::Confirm);
}

fn pi(process_state: ProcessState, host_state: HostState) -> Row {
    let busy = process_state == ProcessState::Alive;
    Row { agent: "pi".into(), state: SemanticState::Idle, process_state, host_state, busy, ..row(1) }
}

// Decision 13.
#[test]
fn s_interrupts_a_turn_and_asks_before_it_stops() {
    let stop = "Stop \"task-1\"? The agent ends; its session is kept. (y/N)";
    let cases = [
        ("a generic session has no turn", row(1), Some(stop), 0),
        ("a turn runs", pi(ProcessState::Alive, HostState::Alive), None, 1),
        (
            "a turn is about to run",
            Row { state: SemanticState::Queued, ..pi(ProcessState::Alive, HostState::Alive) },
            Some(stop),
            0,
        ),
        ("no turn runs", pi(ProcessState::Exited, HostState::Alive), Some(stop), 0),
    ];
    for (what, row, question, interrupts) in cases {
        for key in [Key::plain(KeyCode::Char('s')), Key::ctrl(KeyCode::Char('s'))] {
            let mut bench = Bench::with_rows(vec![row.clone()]);
            let effects = bench.on(Input::Key(key));
            assert_eq!(
                bench.board.confirm.as_ref().map(|confirm| confirm.question.as_str()),
                question,
                "{what}"
            );
            let sent = ups(&effects);
            let interrupting = |up: &&Up| matches!(up, Up::Intent { intent: Intent::Interrupt { .. }, .. });
            assert_eq!(sent.iter().filter(interrupting).count(), interrupts, "{what}");
        }
    }
    let mut bench = Bench::with_rows(vec![ended_row(1, "exit code 0")]);
    bench.char('s');
    assert_eq!(bench.notice(), "No active run or host to stop");
}

#[test]
fn the_words_of_deletion() {
    let cases = [
        (row(1), "Delete \"task-1\"? Stops the active run. Its last screen goes too. (y/N)"),
        (ended_row(1, "exit code 0"), "Delete \"task-1\"? Its last screen goes too. (y/N)"),
        (
            pi(ProcessState::Alive, HostState::Alive),
            "Delete \"task-1\"? Stops the active run. Session file is preserved. (y/N)",
        ),
        (pi(ProcessState::Exited, HostState::Exited), "Delete \"task-1\"? Session file is preserved. (y/N)"),
    ];
    for (row, question) in cases {
        let mut bench = Bench::with_rows(vec![row]);
        bench.char('x');
        bench.wait(RIPE_AFTER_MS);
        bench.on(Input::Timer);
        assert_eq!(bench.board.confirm.as_ref().map(|confirm| confirm.question.as_str()), Some(question));
        assert!(bench.text(24, 100).contains(question));
    }
}

#[test]
fn keys_without_a_row_do_nothing() {
    for c in "sxXdhpuRtgGlev Xr".chars() {
        let mut bench = Bench::with_rows(vec![]);
        assert_eq!(told(&bench.char(c)), "");
        assert_eq!(bench.board.room, Room::List);
    }
    let mut bench = Bench::with_rows(vec![]);
    for key in [KeyCode::Up, KeyCode::Down, KeyCode::Home, KeyCode::End, KeyCode::PageDown] {
        assert_eq!(told(&bench.key(key)), "");
    }
}
