//! Every page in every language: never wider than the terminal, and nothing cut that has to be read.

use super::{exact::answered, pictures::board};
use crate::{
    input::{Input, Key, KeyCode},
    keymap::Room,
    machine::samples::{Bench, open_launch, row},
    view::one::LABEL_COLUMNS,
};
use board_protocol::pipe::{DaemonHealth, Down};
use board_text::session as texts;
use board_text::{Language, speaking};
use unicode_width::UnicodeWidthChar;

/// Widths from a sidebar to a wide screen.
const COLUMNS: [usize; 5] = [20, 40, 80, 120, 200];
const ROWS: [usize; 3] = [8, 24, 50];

/// A board on which these keys were pressed.
fn pressed(keys: &str) -> Bench {
    let mut bench = board();
    for key in keys.chars() {
        bench.char(key);
    }
    bench
}

fn viewed(key: char) -> Bench {
    let mut bench = board();
    answered(&mut bench, key, "why the tests fail");
    bench
}

/// Every page, by its name.
fn pages() -> Vec<(&'static str, Bench)> {
    let mut daemon = board();
    daemon.down(Down::Daemon(DaemonHealth::Unreachable { text: "the daemon went".into() }));
    let mut silent = board();
    silent.wait(60_000);
    silent.on(Input::Timer);
    let mut launch = board();
    open_launch(&mut launch, "pi");
    let mut folders = board();
    open_launch(&mut folders, "generic");
    folders.key(KeyCode::Up);
    folders.key(KeyCode::Enter);
    let mut quick = board();
    quick.on(Input::Key(Key::ctrl(KeyCode::Char('x'))));
    let mut nothing_fits = pressed("/");
    nothing_fits.type_text("s:nowhere");
    let mut ripe = pressed("X");
    ripe.pass(1_000);
    let mut denied = Bench::loaded().0;
    denied.on(Input::PermissionDenied);
    let mut late = Bench::granted();
    late.pass(60_000);
    vec![
        ("list", board()),
        ("peek", viewed(' ')),
        ("screen", viewed('l')),
        ("transcript", viewed('v')),
        ("evidence", viewed('e')),
        ("loading", pressed(" ")),
        ("help", pressed("?")),
        ("help of peek", pressed(" ?")),
        ("runner", pressed("!")),
        ("insert", pressed("i")),
        ("reply", pressed(" r")),
        ("filter", pressed("/")),
        ("rename", pressed("R")),
        ("tags", pressed("t")),
        ("select", pressed("m ")),
        ("stop", pressed("s")),
        ("done", pressed("d")),
        ("delete", pressed("x")),
        ("delete state", ripe),
        ("quick", quick),
        ("launch", launch),
        ("folders", folders),
        ("nothing fits", nothing_fits),
        ("no daemon", daemon),
        ("silent", silent),
        ("asked", Bench::loaded().0),
        ("denied", denied),
        ("connecting", Bench::granted()),
        ("not connected", late),
        ("no rows", Bench::with_rows(Vec::new())),
        ("one row", Bench::with_rows(vec![row(1)])),
    ]
}

fn cells(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(99)).sum()
}

#[test]
fn i8_no_line_is_wider_than_the_terminal_in_any_language() {
    for language in Language::ALL {
        speaking(language, || {
            for (page, bench) in pages() {
                for (rows, columns) in
                    ROWS.into_iter().flat_map(|rows| COLUMNS.map(|columns| (rows, columns)))
                {
                    let text = bench.text(rows, columns);
                    assert_eq!(text.lines().count(), rows, "{language:?} {page} {columns}x{rows}\n{text}");
                    for line in text.lines() {
                        assert_eq!(cells(line), columns, "{language:?} {page} {columns}x{rows}: {line:?}");
                    }
                }
            }
        });
    }
}

// A page that stayed in English, or half of it, would be as narrow as any.
#[test]
fn i8_every_page_is_in_the_language_that_is_spoken() {
    let said = |language| {
        speaking(language, || {
            pages().into_iter().map(|(name, bench)| (name, bench.text(50, 200))).collect::<Vec<_>>()
        })
    };
    for ((page, english), (chinese, japanese)) in said(Language::English)
        .into_iter()
        .zip(said(Language::Chinese).into_iter().zip(said(Language::Japanese)))
    {
        assert!(english != chinese.1 && english != japanese.1 && chinese.1 != japanese.1, "{page}");
    }
}

#[test]
fn i8_help_is_not_cut_at_80_columns() {
    for language in [Language::Chinese, Language::Japanese] {
        speaking(language, || {
            let mut bench = pressed("?");
            for _ in 0..8 {
                let text = bench.text(24, 80);
                assert!(!text.contains('…'), "{language:?}\n{text}");
                bench.key(KeyCode::PageDown);
            }
        });
    }
}

#[test]
fn i8_list_peek_and_help_in_chinese_and_japanese() {
    for language in [Language::Chinese, Language::Japanese] {
        speaking(language, || {
            let tag = language.tag();
            insta::assert_snapshot!(format!("list_{tag}_80x24"), board().text(24, 80));
            insta::assert_snapshot!(format!("peek_{tag}_80x24"), viewed(' ').text(24, 80));
            insta::assert_snapshot!(format!("help_{tag}_80x24"), pressed("?").text(24, 80));
        });
    }
}

// What to press must be there in every language: the board takes y for the answer to these two letters.
#[test]
fn i8_every_question_ends_with_what_answers_it() {
    for language in Language::ALL {
        speaking(language, || {
            let mut asked = 0;
            // Every key that may ask, on every row.
            for (row, key) in (0..10).flat_map(|row| ["s", "d", "x", "X", "m d"].map(|key| (row, key))) {
                let bench = pressed(&format!("{}{key}", "j".repeat(row)));
                if let Some(confirm) = &bench.board.confirm {
                    assert!(confirm.question.ends_with(" (y/N)"), "{language:?} {}", confirm.question);
                    asked += 1;
                }
            }
            assert!(asked > 20, "{asked}");
        });
    }
}

#[test]
fn i8_a_board_that_learns_another_language_says_everything_in_it() {
    let mut bench = board();
    bench.char('!');
    let english = bench.text(24, 80);
    let hello = crate::machine::samples::link_hello();
    bench.down(Down::Hello(board_protocol::pipe::LinkHello { language: "zh".into(), ..hello }));
    let chinese = bench.text(24, 80);
    speaking(Language::Chinese, || {
        assert!(chinese.contains(board_text::view::runner_title()), "{chinese}");
        assert!(chinese.contains(Room::List.title()));
    });
    assert_ne!(english, chinese);
}

#[test]
fn i8_labels_fit_into_their_column() {
    let labels = [
        texts::label_doubt,
        texts::label_folder,
        texts::label_about,
        texts::label_agent,
        texts::label_runs,
        texts::label_tags,
        texts::label_ended,
        texts::label_process,
        texts::label_summary,
        texts::label_plan,
        texts::label_question,
        texts::label_said_last,
        texts::label_shows,
        texts::label_did,
        texts::label_error,
        texts::label_left,
        texts::label_judged,
        texts::label_waits,
        texts::label_evidence,
    ];
    for (language, label) in
        Language::ALL.into_iter().flat_map(|language| labels.map(|label| (language, label)))
    {
        let label = speaking(language, label);
        assert!(cells(label) < LABEL_COLUMNS, "{label}");
    }
}
