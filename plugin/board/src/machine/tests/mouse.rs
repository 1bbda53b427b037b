//! The mouse: a click does what the key does, a row is entered by its second click, the wheel scrolls.

use super::keys::{in_room, told};
use crate::{
    effect::Effect,
    input::{Input, Key, KeyCode, Mouse},
    keymap::{Action, Room},
    machine::{
        Field,
        samples::{Bench, START, detail, open_launch, queued, row, ups},
        verdict::RIPE_AFTER_MS,
    },
    region::{Region, Target, hit},
};
use board_protocol::{
    board::Row,
    ids::UnixMs,
    pipe::{Down, Intent, QueryKind, Up},
};
use proptest::prelude::*;

const ROWS: usize = 30;
const COLUMNS: usize = 100;

fn regions(bench: &Bench, rows: usize, columns: usize) -> Vec<Region> {
    bench.board.render(rows, columns).regions().to_vec()
}

fn click(bench: &mut Bench, line: usize, column: usize) -> Vec<Effect> {
    bench.on(Input::Mouse(Mouse::Click { line: line.try_into().unwrap(), column }))
}

/// Draws the board and clicks the first cell that means this.
fn click_on(bench: &mut Bench, target: &Target) -> Vec<Effect> {
    let all = regions(bench, ROWS, COLUMNS);
    let region = all.iter().find(|region| {
        region.target == *target && hit(&all, region.line, region.columns.start) == Some(target)
    });
    let region = region.unwrap_or_else(|| panic!("{target:?} is not in\n{}", bench.text(ROWS, COLUMNS)));
    click(bench, region.line, region.columns.start)
}

fn rows(count: u32) -> Vec<Row> {
    (1..=count).map(row).collect()
}

fn opened(effects: &[Effect]) -> Vec<String> {
    let tab = |effect: &Effect| match effect {
        Effect::OpenAttachTab(tab) => Some(tab.session.to_string()),
        _ => None,
    };
    effects.iter().filter_map(tab).collect()
}

#[test]
fn f2_a_click_selects_and_the_second_one_enters() {
    let mut bench = Bench::with_rows(rows(3));
    let second = Target::Row(row(2).id);
    assert_eq!(opened(&click_on(&mut bench, &second)), [""; 0]);
    assert_eq!(bench.selected().as_deref(), Some("task-2"));
    assert_eq!(opened(&click_on(&mut bench, &second)), [row(2).id.to_string()]);
    // Entered once: the next click is a first one again.
    assert_eq!(opened(&click_on(&mut bench, &second)), [""; 0]);
}

// A click may only bring the board's pane into focus, and the selected row may lie under it.
#[test]
fn f2_the_first_click_on_the_selected_row_does_not_enter_it() {
    let mut bench = Bench::with_rows(rows(3));
    let first = Target::Row(row(1).id);
    assert_eq!(opened(&click_on(&mut bench, &first)), [""; 0]);
    bench.key(KeyCode::Down);
    bench.key(KeyCode::Up);
    assert_eq!(opened(&click_on(&mut bench, &first)), [""; 0], "keys came in between");
    assert_eq!(opened(&click_on(&mut bench, &first)).len(), 1);
}

#[test]
fn f2_a_click_on_a_row_changes_nothing_about_unread() {
    let mut bench = Bench::with_rows(vec![row(1), Row { unread: true, ..row(2) }]);
    assert_eq!(ups(&click_on(&mut bench, &Target::Row(row(2).id))), []);
    assert!(bench.board.selected_row().is_some_and(|row| row.unread));
}

// What is clicked is what was seen: a row that moved away since is neither selected nor entered in another's place.
#[test]
fn a_click_means_what_was_drawn() {
    let mut bench = Bench::with_rows(rows(3));
    let all = regions(&bench, ROWS, COLUMNS);
    let at = all.iter().find(|region| region.target == Target::Row(row(2).id)).unwrap().line;
    bench.delta(1, vec![Row { pinned: true, ..row(3) }], &[]);
    click(&mut bench, at, 10);
    assert_eq!(bench.selected().as_deref(), Some("task-2"));
    bench.delta(2, vec![], &[2]);
    let effects = click(&mut bench, at, 10);
    assert_eq!(opened(&effects), [""; 0]);
}

// The row under the pointer stays there, else the second click would hit another one.
#[test]
fn a_clicked_row_stays_under_the_pointer() {
    for count in [10, 40, 300] {
        for start in [0, 7, count - 1] {
            let mut bench = Bench::with_rows(rows(count));
            for _ in 0..start {
                bench.key(KeyCode::Down);
            }
            let all = regions(&bench, ROWS, COLUMNS);
            for region in all.iter().filter(|region| matches!(region.target, Target::Row(_))) {
                bench.board.render(ROWS, COLUMNS);
                click(&mut bench, region.line, 10);
                let after = regions(&bench, ROWS, COLUMNS);
                let clicked = bench.board.selection.id.clone().map(Target::Row);
                assert_eq!(hit(&after, region.line, 10), clicked.as_ref(), "{count} {start}");
            }
        }
    }
}

// Whatever stands for a key does what the key does: the same effects, the same picture.
#[test]
fn a_click_acts_exactly_as_its_key() {
    let mut tried = 0;
    for room in Room::ALL {
        for region in regions(&in_room(room), ROWS, COLUMNS) {
            let Target::Key(key) = region.target else { continue };
            let (mut clicked, mut pressed) = (in_room(room), in_room(room));
            clicked.board.render(ROWS, COLUMNS);
            pressed.board.render(ROWS, COLUMNS);
            let by_click = click(&mut clicked, region.line, region.columns.start);
            let by_key = pressed.on(Input::Key(key));
            assert_eq!(told(&by_click), told(&by_key), "{room:?} {key:?}");
            assert_eq!(clicked.text(ROWS, COLUMNS), pressed.text(ROWS, COLUMNS), "{room:?} {key:?}");
            tried += 1;
        }
    }
    assert!(tried > 80, "only {tried} keys can be clicked");
}

#[test]
fn every_room_can_be_left_by_the_mouse_alone() {
    for room in Room::ALL.into_iter().filter(|room| !matches!(room, Room::List | Room::Denied)) {
        let all = regions(&in_room(room), ROWS, 200);
        let leaves = all.iter().any(|region| {
            let mut bench = in_room(room);
            bench.board.render(ROWS, 200);
            click(&mut bench, region.line, region.columns.start);
            bench.board.room != room
        });
        assert!(leaves, "{room:?}");
    }
}

#[test]
fn b14_a_question_is_answered_by_its_letters_and_by_nothing_else() {
    let cells = |bench: &Bench| {
        let all = regions(bench, ROWS, COLUMNS);
        let wanted = |key| all.iter().filter(|region| region.target == Target::Key(Key::plain(key))).count();
        (wanted(KeyCode::Char('y')), wanted(KeyCode::Char('n')), all.len())
    };
    let mut bench = Bench::with_rows(rows(3));
    bench.char('x');
    assert_eq!(cells(&bench), (1, 1, 2), "before it can be answered there is only the hint");
    bench.pass(RIPE_AFTER_MS);
    assert_eq!(cells(&bench), (2, 2, 4), "rows, badges and the header do not take the click");
    // Beside them all: the question stays.
    for line in 0..ROWS - 4 {
        assert_eq!(ups(&click(&mut bench, line, 20)), []);
    }
    assert_eq!(bench.board.room, Room::Confirm);
    let mut cancelled = Bench::with_rows(rows(1));
    cancelled.char('x');
    cancelled.pass(RIPE_AFTER_MS);
    assert_eq!(ups(&click_on(&mut cancelled, &Target::Key(Key::plain(KeyCode::Char('n'))))), []);
    assert_eq!(cancelled.board.room, Room::List);
    let effects = click_on(&mut bench, &Target::Key(Key::plain(KeyCode::Char('y'))));
    assert!(matches!(ups(&effects).as_slice(), [Up::Intent { intent: Intent::Remove { .. }, .. }]));
}

#[test]
fn f5_badges_open_what_they_count() {
    let busy = Row { errors: 2, queued: 2, ..row(2) };
    let bench = || Bench::with_rows(vec![row(1), busy.clone()]);
    let mut errors = bench();
    click_on(&mut errors, &Target::Badge(row(2).id, Action::Explain));
    assert_eq!((errors.board.room, errors.selected().as_deref()), (Room::Explain, Some("task-2")));
    let mut queue = bench();
    let effects = click_on(&mut queue, &Target::Badge(row(2).id, Action::Queue));
    assert_eq!(queue.board.room, Room::Peek, "until it is known what waits");
    let parts = vec![detail(busy.clone()), queued("q-1", "first"), queued("q-2", "second")];
    queue.answer(&effects, QueryKind::Detail, parts);
    assert_eq!(queue.board.room, Room::Queue);
    click_on(&mut queue, &Target::Queued(1));
    assert_eq!(queue.board.views.queued, 1);
    click_on(&mut queue, &Target::Queued(1));
    assert_eq!(queue.board.room, Room::Reply, "the second click opens the words");
    // Who went on before the answer came is not called back.
    let mut gone = bench();
    let effects = click_on(&mut gone, &Target::Badge(row(2).id, Action::Queue));
    gone.char('r');
    gone.answer(&effects, QueryKind::Detail, vec![detail(busy.clone()), queued("q-1", "first")]);
    assert_eq!(gone.board.room, Room::Reply);
}

#[test]
fn select_mode_marks_with_the_second_click_and_on_the_mark() {
    let mut bench = Bench::with_rows(rows(3));
    bench.char('m');
    let second = Target::Row(row(2).id);
    click_on(&mut bench, &second);
    assert_eq!((bench.selected().as_deref(), bench.board.marks.len()), (Some("task-2"), 0));
    for marked in [1, 0, 1] {
        click_on(&mut bench, &second);
        assert_eq!(bench.board.marks.len(), marked);
    }
    click_on(&mut bench, &Target::Badge(row(3).id, Action::Mark));
    assert_eq!((bench.board.marks.len(), bench.board.room), (2, Room::Select));
}

#[test]
fn f8_the_launch_dialog_is_filled_in_by_clicks() {
    let mut bench = Bench::with_rows(rows(1));
    open_launch(&mut bench, "");
    bench.type_text("mend it");
    let form = |bench: &Bench| (bench.board.launch.form.field, bench.board.launch.form.agent.clone());
    let agents = bench.board.launch.form.agents.clone();
    let other = agents.iter().rposition(|agent| agent.problem.is_none()).unwrap();
    click_on(&mut bench, &Target::Choice(Field::Agent, other));
    assert_eq!(form(&bench), (Field::Agent, agents[other].name.clone()));
    click_on(&mut bench, &Target::Field(Field::Task));
    assert_eq!(form(&bench).0, Field::Task);
    click_on(&mut bench, &Target::Field(Field::Folder));
    assert_eq!((form(&bench).0, bench.board.room), (Field::Folder, Room::Launch));
    click_on(&mut bench, &Target::Field(Field::Folder));
    assert_eq!(bench.board.room, Room::Folder);
    click_on(&mut bench, &Target::Offer(1));
    click_on(&mut bench, &Target::Offer(1));
    assert_eq!((bench.board.room, bench.board.launch.form.folder.text()), (Room::Launch, "/srv/web"));
    let effects = click_on(&mut bench, &Target::Button(Field::Start));
    assert!(matches!(ups(&effects).as_slice(), [.., Up::Intent { intent: Intent::Start(start), .. }]
        if start.cwd == "/srv/web" && start.agent == agents[other].name));
    // On its way: nothing is clickable but the way out.
    let all = regions(&bench, ROWS, COLUMNS);
    assert!(all.iter().all(|region| matches!(region.target, Target::Key(_))), "{all:?}");
}

#[test]
fn the_wheel_moves_over_rows_and_stops_at_the_ends() {
    let mut bench = Bench::with_rows(rows(200));
    let wheel = |bench: &mut Bench, mouse| {
        bench.on(Input::Mouse(mouse));
        bench.board.render(ROWS, COLUMNS);
        bench.board.selection.place
    };
    assert_eq!(wheel(&mut bench, Mouse::WheelUp(3)), 0, "the top is the end");
    assert_eq!(wheel(&mut bench, Mouse::WheelDown(3)), 3);
    let before = bench.text(ROWS, COLUMNS);
    assert_eq!(wheel(&mut bench, Mouse::WheelDown(3)), 6);
    assert_ne!(bench.text(ROWS, COLUMNS), before);
    for _ in 0..100 {
        wheel(&mut bench, Mouse::WheelDown(3));
    }
    assert_eq!(wheel(&mut bench, Mouse::WheelDown(usize::MAX)), 199);
    assert_eq!(wheel(&mut bench, Mouse::WheelUp(1)), 198);
    assert!(!bench.board.model.row(&row(1).id).unwrap().unread);
}

#[test]
fn the_wheel_scrolls_pages_and_texts_and_no_question() {
    for room in Room::ALL {
        let mut bench = in_room(room);
        bench.on(Input::Timer);
        // Low enough for everything that can be scrolled, high enough for a queue below what peek shows.
        let rows = if room == Room::Queue { ROWS } else { 8 };
        let before = bench.text(rows, 60);
        let mut moved = false;
        for mouse in [Mouse::WheelDown(3), Mouse::WheelUp(2)] {
            let effects = bench.on(Input::Mouse(mouse));
            assert!(ups(&effects).iter().all(|up| !matches!(up, Up::Intent { .. })), "{room:?}");
            moved |= bench.text(rows, 60) != before;
        }
        assert_eq!(bench.board.room, room);
        let scrolls = matches!(
            room,
            Room::List
                | Room::Select
                | Room::Filter
                | Room::Folder
                | Room::Peek
                | Room::Queue
                | Room::Transcript
                | Room::Help
        );
        assert!(moved || !scrolls, "{room:?}");
        let still = matches!(room, Room::Confirm | Room::Runner | Room::Denied | Room::Rename | Room::Launch);
        assert!(!(moved && still), "{room:?}");
    }
}

// Field report G8: a mouse that only moves cost half a core. Motion is no input at all; a click on nothing draws nothing.
#[test]
fn g8_a_click_on_nothing_draws_nothing() {
    let mut bench = Bench::with_rows(rows(2));
    bench.board.render(ROWS, COLUMNS);
    for (line, column) in [(12, 3), (ROWS, 0), (5, COLUMNS)] {
        assert!(!click(&mut bench, line, column).contains(&Effect::Render), "{line} {column}");
    }
    let above = Input::Mouse(Mouse::Click { line: -1, column: 3 });
    assert!(!bench.on(above).contains(&Effect::Render));
}

// Field report G8: an idle board cost a tenth of a core. A minute without news: no picture, and no timer more often than
// once a second, whatever page is open.
#[test]
fn g8_an_idle_board_draws_nothing_and_wakes_at_most_once_a_second() {
    for page in ["", " ", "e", "/", "?"] {
        let old = |n| Row { last_activity_at_ms: UnixMs(START.0 - 3 * 86_400_000), ..row(n) };
        let mut bench = Bench::with_rows((1..=50).map(old).collect());
        bench.type_text(page);
        // Notices of modes go after a moment, and questions of views are given up in words.
        let minute = |bench: &mut Bench| {
            let second = |number| [bench.pass(1_000), bench.down(Down::Ping { number })].concat();
            (0..60).flat_map(second).collect::<Vec<Effect>>()
        };
        minute(&mut bench);
        let effects = minute(&mut bench);
        let count = |what: fn(&Effect) -> bool| effects.iter().filter(|effect| what(effect)).count();
        assert_eq!(count(|effect| *effect == Effect::Render), 0, "{page:?}");
        let timers = count(|effect| matches!(effect, Effect::SetTimer { .. }));
        assert!(timers <= 61, "{page:?}: {timers} timers");
    }
}

fn places() -> impl Strategy<Value = (usize, usize, usize, usize, usize)> {
    (0..Room::ALL.len(), 1_usize..60, 1_usize..220, 0_usize..70, 0_usize..240)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_region_lies_in_the_frame_and_a_click_anywhere_is_harmless(
        (room, rows, columns, line, column) in places(),
        again in any::<bool>(),
    ) {
        let mut bench = in_room(Room::ALL[room]);
        for region in regions(&bench, rows, columns) {
            prop_assert!(region.line < rows, "{region:?}");
            prop_assert!(region.columns.end <= columns && !region.columns.is_empty(), "{region:?}");
        }
        click(&mut bench, line, column);
        if again {
            bench.board.render(rows, columns);
            click(&mut bench, line, column);
        }
        bench.board.render(rows, columns);
    }
}

#[test]
fn a_board_that_waits_for_its_permission_is_not_clicked() {
    let (mut bench, _) = Bench::loaded();
    for line in 0..ROWS {
        bench.board.render(ROWS, COLUMNS);
        assert_eq!(click(&mut bench, line, 3), []);
    }
}
