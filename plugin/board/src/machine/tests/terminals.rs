//! Terminals of agents below their sessions, what their agents wait for, and ending that.

use super::{keys::told, looks::looking, pictures::SIZES};
use crate::{
    effect::Effect,
    input::{AttachOpened, Input, Key, KeyCode, Mouse},
    keymap::{Action, Room},
    machine::samples::{Bench, START, detail, ended_row, link_hello, row, ups},
    region::Target,
};
use board_protocol::{
    board::Row,
    command::CommandOutcome,
    ids::{SessionId, UnixMs},
    look::{Colouring, Density, Look, Roles},
    pipe::{Down, InstanceId, Intent, PeekDetail, QueryKind, QueryPart, Up},
    state::{GlyphSet, SemanticState},
    terminals::{Wait, Waiting},
};
use unicode_width::UnicodeWidthStr;

fn pi(n: u32) -> Row {
    Row { agent: "pi".into(), ..row(n) }
}

/// The terminal `n` of the session `of`.
fn terminal(n: u32, of: u32) -> Row {
    Row { name: format!("term-{n}"), parent: Some(row(of).id), cwd: "/elsewhere".into(), ..row(n) }
}

fn waiting(row: Row, needle: &str, count: u32) -> Row {
    let waiting = Waiting { needle: needle.into(), since_ms: UnixMs(START.0 - 180_000), count };
    Row { waiting: Some(waiting), ..row }
}

/// Two sessions that run, the second of which has two terminals, and one that is done and has one that has ended.
fn rows() -> Vec<Row> {
    vec![
        pi(1),
        waiting(pi(2), "ready in .* ms", 3),
        Row { state: SemanticState::Completed, busy: false, ..pi(3) },
        waiting(terminal(11, 2), "ready in .* ms", 2),
        waiting(Row { unread: true, ..terminal(12, 2) }, "PASS", 1),
        Row { parent: Some(row(3).id), name: "term-13".into(), ..ended_row(13, "exit code 1") },
    ]
}

fn bench() -> Bench {
    Bench::with_rows(rows())
}

fn select(bench: &mut Bench, name: &str) {
    for _ in 0..20 {
        if bench.selected().as_deref() == Some(name) {
            return;
        }
        bench.key(KeyCode::Down);
    }
    panic!("{name} is not in\n{}", bench.text(30, 100));
}

/// The names of rows from top to bottom, each with what stands before it.
fn shown(bench: &Bench) -> Vec<String> {
    let text = bench.text(40, 120);
    let named = |line: &&str| line.contains("task-") || line.contains("term-");
    let lines = text.lines().filter(named).filter(|line| !line.contains("FILTER"));
    let word = |line: &str| {
        let name = line.split_whitespace().find(|word| word.contains("task-") || word.contains("term-"));
        let branch = line.chars().find(|c| matches!(c, '├' | '└')).map(String::from).unwrap_or_default();
        format!("{branch}{}", name.unwrap_or_default())
    };
    lines.map(word).collect()
}

fn intents(effects: &[Effect]) -> Vec<Intent> {
    let intent = |up| match up {
        Up::Intent { intent, .. } => Some(intent),
        _ => None,
    };
    ups(effects).into_iter().filter_map(intent).collect()
}

fn question(bench: &Bench) -> Option<&str> {
    bench.board.confirm.as_ref().map(|confirm| confirm.question.as_str())
}

#[test]
fn terminals_stand_below_their_session_and_in_no_group_or_count() {
    let bench = bench();
    assert_eq!(shown(&bench), ["task-1", "task-2", "├term-11", "└term-12", "task-3", "└term-13"]);
    let text = bench.text(40, 120);
    assert!(text.contains("RUNNING 2 ") && text.contains("DONE 1 "), "{text}");
    assert!(!text.contains("FAILED"), "{text}");
    assert!(text.contains("2 running · 1 done") && !text.contains("unread"), "{text}");
    assert!(!text.contains("/elsewhere"), "a terminal makes no folder\n{text}");
    assert!(bench.board.model.heap_bytes() > 0);
}

#[test]
fn a_terminal_whose_session_is_gone_stands_by_itself() {
    let mut bench = bench();
    bench.delta(1, vec![], &[3]);
    let text = bench.text(40, 120);
    assert!(text.contains("FAILED 1 "), "{text}");
    assert_eq!(shown(&bench), ["task-1", "task-2", "├term-11", "└term-12", "term-13"]);
    // Two that claim to own each other stand by themselves too.
    let circle = vec![
        Row { parent: Some(row(2).id), ..row(1) },
        Row { parent: Some(row(1).id), ..row(2) },
        Row { parent: Some(row(3).id), ..row(3) },
    ];
    assert_eq!(shown(&Bench::with_rows(circle)), ["task-1", "task-2", "task-3"]);
    // A terminal owns none: whatever a row says, there is one level.
    let deep = vec![terminal(13, 12), terminal(12, 1), pi(1)];
    assert_eq!(shown(&Bench::with_rows(deep)), ["task-1", "└term-12", "term-13"]);
}

#[test]
fn counts_follow_terminals_that_come_change_and_go() {
    let mut bench = bench();
    bench.delta(1, vec![Row { unread: true, ..terminal(14, 1) }, terminal(11, 2)], &[12]);
    assert_eq!(shown(&bench), ["task-1", "└term-14", "task-2", "└term-11", "task-3", "└term-13"]);
    assert!(bench.text(40, 120).contains("2 running · 1 done"));
    bench.delta(2, vec![Row { parent: None, unread: true, ..terminal(14, 1) }], &[]);
    assert!(bench.text(40, 120).contains("3 running · •1 unread · 1 done"));
}

#[test]
fn z_folds_the_terminals_away_and_shows_them_again() {
    let mut bench = bench();
    select(&mut bench, "term-12");
    bench.char('z');
    assert_eq!(bench.selected().as_deref(), Some("task-2"), "folding goes to the session");
    assert_eq!(shown(&bench), ["task-1", "task-2", "task-3", "└term-13"]);
    assert!(bench.text(40, 120).contains("▸2"));
    // It stays so whatever becomes of the rows.
    bench.delta(1, vec![terminal(14, 2), pi(2)], &[]);
    assert_eq!(shown(&bench), ["task-1", "task-2", "task-3", "└term-13"]);
    bench.char('z');
    assert_eq!(bench.selected().as_deref(), Some("task-2"));
    assert_eq!(shown(&bench).len(), 7);
    select(&mut bench, "task-1");
    bench.char('z');
    assert_eq!(bench.notice(), "No terminals of its agent to fold");
    // The sign of it can be clicked.
    let target = Target::Badge(row(3).id, Action::Fold);
    let regions = bench.board.render(40, 120).regions().to_vec();
    let region = regions.iter().find(|region| region.target == target).unwrap();
    let (line, column) = (region.line.try_into().unwrap(), region.columns.start);
    bench.on(Input::Mouse(Mouse::Click { line, column }));
    assert!(!shown(&bench).contains(&"└term-13".to_owned()));
}

#[test]
fn a_session_that_fits_shows_its_terminals_and_a_terminal_its_session() {
    let table: [(&str, &[&str]); 6] = [
        ("task-2", &["task-2", "├term-11", "└term-12"]),
        ("term-12", &["task-2", "└term-12"]),
        ("term", &["task-2", "├term-11", "└term-12", "task-3", "└term-13"]),
        ("s:done", &["task-3", "└term-13"]),
        ("s:failed", &["task-3", "└term-13"]),
        ("nothing-fits", &[]),
    ];
    for folded in [false, true] {
        for (filter, expected) in table {
            let mut bench = bench();
            if folded {
                select(&mut bench, "task-2");
                bench.char('z');
            }
            bench.char('/');
            bench.type_text(filter);
            let shown = shown(&bench);
            // What is folded stays so, unless it is a terminal itself that is looked for.
            let expected: Vec<&str> =
                if folded && filter == "task-2" { vec!["task-2"] } else { expected.to_vec() };
            assert_eq!(shown, expected, "{filter} folded: {folded}");
        }
    }
}

#[test]
fn keys_that_are_about_sessions_leave_terminals_alone() {
    let of_its_session = "A terminal of an agent stands where its session stands; choose that one";
    for (key, says) in [
        ('X', "A terminal of an agent has no state of its own; x deletes this one"),
        ('d', of_its_session),
        ('h', of_its_session),
    ] {
        let mut bench = bench();
        select(&mut bench, "term-11");
        assert_eq!(told(&bench.char(key)), "");
        assert_eq!((question(&bench), bench.notice()), (None, says));
    }
    // Neither are they in a wish for many.
    let mut bench = bench();
    bench.char('m');
    bench.char('a');
    assert_eq!(bench.board.marks.len(), 3);
    select(&mut bench, "term-11");
    bench.char(' ');
    assert_eq!((bench.board.marks.len(), bench.notice()), (3, of_its_session));
    bench.key(KeyCode::Esc);
    select(&mut bench, "task-3");
    bench.char('X');
    assert_eq!(question(&bench), Some("Delete 1 Done session? (y/N)"));
}

#[test]
fn the_next_that_needs_me_is_never_a_terminal() {
    let asks = |row: Row| Row { state: SemanticState::NeedsInput, unread: true, ..row };
    let mut bench = Bench::with_rows(vec![pi(1), pi(2), asks(terminal(11, 1)), asks(pi(3))]);
    for key in ['g', 'G'] {
        bench.char(key);
        assert_eq!(bench.selected().as_deref(), Some("task-3"));
        select(&mut bench, "term-11");
    }
}

#[test]
fn a_deletion_says_what_becomes_of_terminals() {
    let mut bench = Bench::with_rows(vec![
        pi(1),
        terminal(11, 1),
        terminal(12, 1),
        Row { pinned: true, ..terminal(13, 1) },
        Row { parent: Some(row(1).id), ..ended_row(14, "exit code 0") },
    ]);
    bench.char('x');
    let expected = "Delete \"task-1\"? Stops the active run. 2 terminals of its agent end. Session file is preserved. (y/N)";
    assert_eq!(question(&bench), Some(expected));
    bench.key(KeyCode::Esc);
    select(&mut bench, "term-11");
    bench.char('x');
    assert_eq!(
        question(&bench),
        Some("Delete \"term-11\"? Stops the active run. Its last screen goes too. (y/N)")
    );
}

#[test]
fn w_asks_with_their_number_and_skips_them_all() {
    for (name, id, asks) in [
        ("task-2", 2, "Skip 3 waits of \"task-2\"? (y/N)"),
        ("term-11", 11, "Skip 2 waits of \"term-11\"? (y/N)"),
        ("term-12", 12, "Skip 1 wait of \"term-12\"? (y/N)"),
    ] {
        for peek in [false, true] {
            let mut bench = bench();
            select(&mut bench, name);
            if peek {
                bench.char(' ');
            }
            let page = bench.board.room;
            assert_eq!(intents(&bench.char('w')), []);
            assert_eq!(question(&bench), Some(asks));
            assert_eq!(intents(&bench.yes()), [Intent::SkipWaits { session: row(id).id }]);
            assert_eq!(bench.board.room, page);
            // Nothing is taken for done before it is: the hourglass stays until the rows say so.
            assert!(bench.text(30, 120).contains('⧖'));
            // Every other key cancels.
            bench.char('w');
            assert_eq!(intents(&bench.key(KeyCode::Enter)), []);
        }
    }
    for name in ["task-1", "task-3", "term-13"] {
        let mut bench = bench();
        select(&mut bench, name);
        bench.char('w');
        assert_eq!(question(&bench), None);
        assert_eq!(bench.notice(), format!("No agent waits for anything in \"{name}\""));
    }
}

#[test]
fn what_the_daemon_says_of_the_skipped_waits_is_what_is_told() {
    let mut bench = bench();
    select(&mut bench, "term-11");
    bench.char('w');
    let effects = bench.yes();
    let command_id = ups(&effects)
        .into_iter()
        .find_map(|up| match up {
            Up::Intent { command_id, .. } => Some(command_id),
            _ => None,
        })
        .unwrap();
    bench.down(Down::Outcome {
        instance: InstanceId::new(7, 1),
        command_id,
        outcome: CommandOutcome::Applied { session: row(11).id, notice: Some("2 waits skipped".into()) },
    });
    assert_eq!(bench.notice(), "2 waits skipped");
    bench.delta(1, vec![pi(2), terminal(11, 2), terminal(12, 2)], &[]);
    assert!(!bench.text(30, 120).contains('⧖'));
}

fn told_of(row: Row, needles: &[(&str, u64)]) -> QueryPart {
    let QueryPart::Detail(told) = detail(row) else { panic!("detail") };
    let wait = |(needle, minutes): &(&str, u64)| Wait {
        needle: (*needle).to_owned(),
        since_ms: UnixMs(START.0 - minutes * 60_000),
    };
    QueryPart::Detail(Box::new(PeekDetail { waits: needles.iter().map(wait).collect(), ..*told }))
}

#[test]
fn peek_shows_every_needle_whole_with_its_age() {
    let mut bench = bench();
    select(&mut bench, "term-11");
    let effects = bench.char(' ');
    assert!(
        bench.text(30, 120).contains("Agent is waiting for ready in .* ms (for 3m)"),
        "before it is told"
    );
    let long = "§".repeat(900);
    let waits = [("a\u{1b}[31m\nb", 5), (&long, 4), ("ready in .* ms", 0)];
    bench.answer(&effects, QueryKind::Detail, vec![told_of(rows()[3].clone(), &waits)]);
    let text = bench.text(60, 120);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}\n{text}"));
    let newest = at("Agent is waiting for ready in .* ms (since just now)");
    let oldest = at("Agent is waiting for a␛[31m␊b (for 5m)");
    assert!(newest < oldest, "the newest stands first\n{text}");
    assert_eq!(text.matches('§').count(), 900, "whole\n{text}");
    // Its age goes on.
    bench.pass(61_000);
    assert!(bench.text(60, 120).contains("for 6m"));
}

#[test]
fn a_tab_of_its_own_carries_the_hourglass() {
    let mut bench = Bench::with_rows(vec![pi(1), terminal(11, 1)]);
    select(&mut bench, "term-11");
    bench.key(KeyCode::Right);
    bench.on(Input::AttachOpened(AttachOpened { session: row(11).id, tab: Some(3), pane: Some(12) }));
    let retitled = |effects: &[Effect]| -> Option<String> {
        effects.iter().find_map(|effect| match effect {
            Effect::RetitleTab { tab: 3, to, .. } => Some(to.clone()),
            _ => None,
        })
    };
    let title = retitled(&bench.delta(1, vec![waiting(terminal(11, 1), "x", 1)], &[])).unwrap();
    assert!(title.ends_with(" ⏳ term-11"), "{title:?}");
    let title = retitled(&bench.delta(2, vec![terminal(11, 1)], &[])).unwrap();
    assert!(!title.contains('⏳') && title.ends_with(" term-11"), "{title:?}");
}

#[test]
fn the_board_with_terminals_at_three_sizes() {
    for (rows, columns) in SIZES {
        let mut bench = bench();
        select(&mut bench, "term-11");
        insta::assert_snapshot!(format!("terminals_{columns}x{rows}"), bench.text(rows, columns));
        bench.char('w');
        bench.pass(super::super::verdict::RIPE_AFTER_MS);
        assert!(bench.text(rows, columns).contains("Skip 2 waits of \"term-11\"? (y/N)"));
        bench.key(KeyCode::Esc);
        let effects = bench.char(' ');
        let waits = [("a\u{1b}[31m\nb", 5), ("ready in .* ms", 3)];
        bench.answer(&effects, QueryKind::Detail, vec![told_of(self::rows()[3].clone(), &waits)]);
        insta::assert_snapshot!(format!("terminal_peek_{columns}x{rows}"), bench.text(rows, columns));
        bench.key(KeyCode::Esc);
        bench.down(Down::Hello(board_protocol::pipe::LinkHello { glyphs: GlyphSet::Ascii, ..link_hello() }));
        let text = bench.text(rows, columns);
        assert!(text.is_ascii() && text.contains(" w2 ") && text.contains("` "), "{text}");
    }
}

/// What each key does on a terminal and on its session, where it differs from a session by itself: see `keys`.
#[test]
fn every_key_on_a_terminal_and_on_its_session() {
    let mut table = String::new();
    for (name, room) in
        [("term-11", Room::List), ("task-2", Room::List), ("term-11", Room::Peek), ("term-11", Room::Select)]
    {
        table += &format!("{name} in {room:?}\n");
        for c in "dhpsuwxzXRtmgG v".chars() {
            let mut bench = bench();
            if room == Room::Select {
                bench.char('m');
            }
            select(&mut bench, name);
            if room == Room::Peek {
                bench.char(' ');
            }
            bench.board.notice = None;
            let effects = bench.on(Input::Key(Key::plain(KeyCode::Char(c))));
            let mut line = format!("  {c}");
            if bench.board.room != room {
                line += &format!(" → {:?}", bench.board.room);
            }
            if bench.selected().as_deref() != Some(name) {
                line += &format!(" selects {}", bench.selected().unwrap_or_default());
            }
            line += &question(&bench).map(|question| format!(" asks {question:?}")).unwrap_or_default();
            let told = told(&effects);
            line += &if told.is_empty() { String::new() } else { format!(" does [{told}]") };
            line += &if bench.notice().is_empty() {
                String::new()
            } else {
                format!(" says {:?}", bench.notice())
            };
            table += line.trim_end();
            table.push('\n');
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_session_that_is_folded_and_gone_is_forgotten() {
    let id = |n: u32| -> SessionId { row(n).id };
    let mut bench = bench();
    select(&mut bench, "task-2");
    bench.char('z');
    bench.delta(1, vec![], &[2, 11, 12]);
    select(&mut bench, "task-3");
    bench.char('z');
    assert!(bench.board.is_folded(&id(3)) && !bench.board.is_folded(&id(2)));
}

// With two lines a row, both lines of a terminal stand to the right of its session's, and none is cut in half.
#[test]
fn comfortable_rows_nest_terminals_too() {
    let look = Look { colours: Colouring::Coloured, density: Density::Comfortable, roles: Roles::CLASSIC };
    let says = |row: Row| Row { summary: format!("says-{}", row.id), ..row };
    let mut bench = looking(rows().into_iter().map(says).collect(), look);
    for height in 6..40 {
        for columns in [20, 40, 80, 200] {
            let text = bench.text(height, columns);
            assert!(text.lines().all(|line| line.width() == columns), "{columns}x{height}\n{text}");
        }
    }
    let text = bench.text(30, 100);
    let lines: Vec<&str> = text.lines().collect();
    for (name, indent) in [("task-2", 4), ("term-11", 6), ("term-12", 6), ("term-13", 6)] {
        let at =
            lines.iter().position(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}\n{text}"));
        let second = lines[at + 1];
        let before = second.chars().take_while(|c| !c.is_alphanumeric()).count();
        assert!(second.contains("says-") || second.contains("Agent is waiting"), "{name}\n{text}");
        assert_eq!(before, indent, "{name}\n{text}");
    }
    insta::assert_snapshot!("comfortable_nested_100x30", text);
    // Folded, they are gone with both lines, and the session says how many there are.
    select(&mut bench, "task-2");
    bench.char('z');
    let text = bench.text(30, 100);
    assert!(!text.contains("term-11") && text.contains("task-2"), "{text}");
}
