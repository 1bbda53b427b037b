//! How a person wants the board to look: dense or not, coloured or not, in whose colours.

use super::pictures::SIZES;
use crate::{
    effect::Effect,
    input::{AttachOpened, Input, KeyCode, Mode, ModeNews},
    machine::samples::{Bench, link_hello, row},
    palette::ThemePaints,
};
use board_protocol::{
    board::Row,
    look::{Colouring, Density, Look, Paint, Roles, ThemeColour},
    pipe::{AttachLocked, Down, LinkHello},
    state::{HostState, ProcessState, SemanticState},
};

pub(super) fn looking(rows: Vec<Row>, look: Look) -> Bench {
    let mut bench = Bench::with_rows(rows);
    bench.down(Down::Hello(LinkHello { look, ..link_hello() }));
    bench
}

fn every_state() -> Vec<Row> {
    let states = SemanticState::ALL.into_iter().zip(0..);
    states.map(|(state, n)| Row { state, unread: n % 2 == 0, ..row(n) }).collect()
}

const COMFORTABLE: Look =
    Look { colours: Colouring::Coloured, density: Density::Comfortable, roles: Roles::CLASSIC };

#[test]
fn a_comfortable_row_says_what_it_says_on_a_line_of_its_own() {
    let says = "a sentence that is long enough not to fit beside a name and a folder in eighty columns";
    let rows = |n: u32| Row { summary: says.into(), tags: vec!["web".into()], ..row(n) };
    for (height, width) in SIZES {
        let bench = looking((1..=3).map(rows).collect(), COMFORTABLE);
        let text = bench.text(height, width);
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.iter().position(|line| line.contains("task-1")).unwrap();
        assert!(lines[first].contains("#web") && !lines[first].contains("sentence"), "{text}");
        let shown: String = says.chars().take(70).collect();
        assert!(lines[first + 1].starts_with(&format!("    {shown}")), "{text}");
        assert!(lines[first + 2].contains("task-2"), "{text}");
        insta::assert_snapshot!(format!("comfortable_{width}x{height}"), text);
    }
}

// Whatever is selected in whatever height: its both lines are seen, no row is cut in half, and the counts are right.
#[test]
fn a_comfortable_list_cuts_no_row_in_half() {
    let says = |n: u32| Row { summary: format!("says-{n}"), ..row(n) };
    for height in 4..30 {
        let mut bench = looking((10..40).map(says).collect(), COMFORTABLE);
        for selected in 10..40 {
            let text = bench.text(height, 80);
            let lines: Vec<&str> = text.lines().collect();
            let at = |word: &str| lines.iter().position(|line| line.contains(word));
            let selection = at("› ").unwrap_or_else(|| panic!("{selected}\n{text}"));
            assert!(lines[selection].contains(&format!("task-{selected}")), "{selected}\n{text}");
            let mut shown = 0;
            for n in 10..40 {
                let (name, says) = (at(&format!("task-{n} ")), at(&format!("says-{n}")));
                shown += usize::from(name.is_some());
                match (name, says) {
                    (None, None) => {}
                    // A low board is compact.
                    (Some(name), Some(says)) => assert!(says - name <= 1, "{n}\n{text}"),
                    other => panic!("{n}: {other:?}\n{text}"),
                }
            }
            let more = |arrow: &str| {
                let line = at(&format!("{arrow} ")).and_then(|line| lines[line].split(arrow).nth(1));
                line.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or(0)
            };
            if height > 14 {
                assert_eq!(shown + more("↑") + more("↓"), 30, "{selected} in {height}\n{text}");
            }
            bench.char('j');
        }
    }
}

#[test]
fn a_click_on_either_line_of_a_comfortable_row_means_that_row() {
    let mut bench = looking((1..=3).map(row).collect(), COMFORTABLE);
    let text = bench.text(24, 80);
    let first = text.lines().position(|line| line.contains("task-2")).unwrap();
    for line in [first, first + 1] {
        bench.char('g');
        bench.key(KeyCode::Home);
        bench.text(24, 80);
        let line = isize::try_from(line).unwrap();
        bench.on(Input::Mouse(crate::input::Mouse::Click { line, column: 20 }));
        let text = bench.text(24, 80);
        let selected = text.lines().find(|line| line.starts_with('›')).unwrap();
        assert!(selected.contains("task-2"), "{text}");
    }
}

#[test]
fn without_colours_no_page_has_one_and_states_differ_by_their_signs() {
    let look = Look { colours: Colouring::Plain, ..Look::default() };
    for pages in ["", "?", " ", "n", "i", "m", "x", "!", "/", "e", "v"] {
        let mut bench = looking(every_state(), look);
        bench.type_text(pages);
        let ansi = bench.board.render(36, 120).to_ansi();
        for sequence in ansi.split('\u{1b}').skip(1) {
            let attributes = sequence.split('m').next().unwrap().trim_start_matches('[');
            let plain = attributes.split(';').all(|number| ["0", "1", "2", "7"].contains(&number));
            assert!(plain, "{pages:?}: {attributes}");
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    for state in SemanticState::ALL {
        let facts = state.facts();
        for sign in facts.glyphs.into_iter().chain(facts.glyphs_not_alive) {
            seen.insert((sign, state.name()));
        }
    }
    let signs: std::collections::BTreeSet<_> = seen.iter().map(|(sign, _)| sign).collect();
    assert_eq!(signs.len(), seen.len(), "no sign stands for two states: {seen:?}");
}

#[test]
fn roles_are_drawn_as_configured_also_in_colours_of_the_zellij_theme() {
    let roles = Roles {
        accent: Paint::Theme(ThemeColour::Emphasis2),
        error: Paint::Rgb(1, 2, 3),
        dim: Paint::Indexed(8),
        ..Roles::default()
    };
    let running = Row { process_state: ProcessState::Alive, host_state: HostState::Alive, ..row(1) };
    let failed = Row { state: SemanticState::Failed, error: Some("no".into()), ..row(2) };
    let mut bench = looking(vec![running, failed], Look { roles, ..Look::default() });
    let ansi = |bench: &mut Bench| bench.board.render(24, 80).to_ansi();
    // Until zellij tells, the nearest base colour.
    assert!(ansi(&mut bench).contains("\u{1b}[0;32m●"), "{:?}", ansi(&mut bench));
    let theme = ThemePaints { emphases: [Paint::Rgb(9, 8, 7); 4], ..ThemePaints::default() };
    let effects =
        bench.on(Input::Mode(ModeNews { mode: Mode::Normal, session_name: None, theme: Some(theme) }));
    assert!(effects.contains(&Effect::Render));
    let drawn = ansi(&mut bench);
    assert!(drawn.contains("\u{1b}[0;38;2;9;8;7m●"), "{drawn:?}");
    assert!(drawn.contains(";38;2;1;2;3m"), "{drawn:?}");
    assert!(drawn.contains("\u{1b}[0;90m") && !drawn.contains("\u{1b}[0;2m"), "{drawn:?}");
}

#[test]
fn the_mode_stays_the_persons_where_attaching_shall_not_lock() {
    for (attach_locked, switches) in [(AttachLocked::Locked, 2), (AttachLocked::AsItIs, 0)] {
        let mut bench = Bench::with_rows(vec![row(1)]);
        bench.down(Down::Hello(LinkHello { attach_locked, ..link_hello() }));
        let mut effects = bench.key(KeyCode::Right);
        effects.extend(bench.on(Input::AttachOpened(AttachOpened {
            session: row(1).id,
            tab: Some(3),
            pane: Some(12),
        })));
        effects.extend(bench.on(Input::PaneExited { pane: 12, code: Some(0) }));
        effects.extend(bench.on(Input::FocusFound(Some(crate::input::PaneRef::Terminal(12)))));
        let count = effects.iter().filter(|effect| matches!(effect, Effect::SwitchMode(_))).count();
        assert_eq!(count, switches, "{attach_locked:?}: {effects:?}");
        assert!(effects.contains(&Effect::FocusSelf), "{effects:?}");
    }
}
