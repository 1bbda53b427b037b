//! The conversation with the link, and its silences.

use crate::{
    Board,
    effect::{Effect, LinkCommand},
    input::{Input, KeyCode, Loaded, Mode, ModeNews, PaneList, PaneRef, PipeLine, PipeSource, Visibility},
    machine::samples::{Bench, generation, grant, link_hello, row, ups},
};
use board_protocol::{
    ids::{BoardSeq, UnixMs},
    pipe::{DOWN_PIPE, DaemonHealth, Down, LinkHello, Up},
};
use board_text::Language;

fn run_links(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::RunLink(_))).count()
}

fn on_the_board(bench: &mut Bench) -> Vec<Effect> {
    bench.on(Input::FocusFound(Some(PaneRef::Plugin(7))))
}

#[test]
fn the_up_pipe_is_kept_and_greeted() {
    let mut bench = Bench::granted();
    bench.on(Input::Mode(ModeNews { mode: Mode::Normal, session_name: Some("work".into()) }));
    bench.on(Input::Panes(PaneList {
        count: 2,
        own_url: Some("file:/b.wasm".into()),
        terminals: vec![],
        ..PaneList::default()
    }));
    let effects = bench.opens_up();
    assert_eq!(effects.first(), Some(&Effect::BlockPipe("up-1".into())));
    let ups = ups(&effects);
    let [Up::Hello(hello)] = ups.as_slice() else { panic!("{ups:?}") };
    assert_eq!((hello.server_pid, hello.client_id, hello.up_pipe.as_str()), (4_242, 1, "up-1"));
    assert_eq!((hello.location.as_str(), hello.session_name.as_deref()), ("file:/b.wasm", Some("work")));
    assert_eq!(hello.configuration.get("runner").map(String::as_str), Some("/opt/host-runner"));
    bench.full(1, vec![row(1)]);
    assert_eq!(ups_in(&bench.pass(3_000)), [], "the pages came: nothing is asked for");
}

fn ups_in(effects: &[Effect]) -> Vec<Up> {
    ups(effects)
}

#[test]
fn an_instance_that_was_born_later_learns_the_up_pipe_from_a_line_down() {
    let mut bench = Bench::granted();
    let effects = bench.down(Down::Ping { number: 3 });
    assert!(matches!(ups(&effects).as_slice(), [Up::Hello(_), Up::Alive { number: 3 }]), "{effects:?}");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::SendUp { pipe, .. } if pipe == "up-1")));
}

#[test]
fn a_location_that_becomes_known_later_is_told() {
    let mut bench = Bench::linked();
    let panes = |url: &str| {
        Input::Panes(PaneList {
            count: 1,
            own_url: Some(url.into()),
            terminals: vec![],
            ..PaneList::default()
        })
    };
    let effects = bench.on(panes("file:/b.wasm"));
    assert!(matches!(ups(&effects).as_slice(), [Up::Hello(hello)] if hello.location == "file:/b.wasm"));
    assert_eq!(ups(&bench.on(panes("file:/b.wasm"))), []);
}

#[test]
fn every_ping_is_answered_even_while_hidden() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.on(Input::Visible(Visibility::Hidden));
    assert_eq!(ups(&bench.down(Down::Ping { number: 9 })), [Up::Alive { number: 9 }]);
}

#[test]
fn a_gap_asks_for_the_board_at_most_once_a_second() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.wait(5_000);
    let mut asked = Vec::new();
    for base in 5..60 {
        asked.extend(ups(&bench.delta(base, vec![row(2)], &[])));
        bench.wait(10);
    }
    assert_eq!(asked, [Up::Resync]);
    assert_eq!(ups(&bench.pass(1_000)), [Up::Resync], "the second one comes by itself");
    bench.full(60, vec![row(1), row(2)]);
    assert_eq!(ups(&bench.pass(3_000)), []);
    assert_eq!(bench.board.model.len(), 2);
}

#[test]
fn a_hidden_board_asks_with_the_next_line_and_needs_no_timer() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.on(Input::Visible(Visibility::Hidden));
    bench.wait(5_000);
    assert_eq!(ups(&bench.delta(5, vec![row(2)], &[])), [Up::Resync]);
    bench.wait(100);
    assert_eq!(ups(&bench.delta(6, vec![row(2)], &[])), []);
    assert_eq!(bench.board.next_deadline(), None);
    bench.wait(1_000);
    assert_eq!(ups(&bench.down(Down::Ping { number: 1 })), [Up::Alive { number: 1 }, Up::Resync]);
}

#[test]
fn a_hidden_board_keeps_its_model_and_asks_for_no_picture() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.on(Input::Visible(Visibility::Hidden));
    for base in 1..50 {
        let effects = bench.delta(base, vec![row(base as u32 + 1)], &[]);
        assert_eq!(effects, [], "no picture, no timer");
    }
    assert_eq!(bench.board.next_deadline(), None);
    assert!(bench.on(Input::Visible(Visibility::Shown)).contains(&Effect::Render));
    assert!(bench.text(60, 100).contains("task-50"));
}

#[test]
fn an_unchanged_board_is_not_drawn_again() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.pass(30_000 - 20_000);
    bench.down(Down::Ping { number: 1 });
    let effects = bench.down(Down::Ping { number: 2 });
    assert!(!effects.contains(&Effect::Render), "{effects:?}");
    let again = bench.full(1, vec![row(1)]);
    assert!(!again.contains(&Effect::Render), "the same board again: {again:?}");
}

#[test]
fn ages_are_drawn_anew_when_one_of_them_changes() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let mut drawn = Vec::new();
    for second in 1..=130 {
        let effects = bench.pass(1_000);
        bench.down(Down::Ping { number: second });
        if effects.contains(&Effect::Render) {
            drawn.push(second);
        }
    }
    assert_eq!(drawn, [60, 120]);
    assert!(bench.text(24, 80).contains(" 2m "));
}

#[test]
fn more_rows_than_the_memory_holds_are_said() {
    let mut bench = Bench::with_rows((0..4_100).map(row).collect());
    assert_eq!(bench.board.model.len(), 4_000);
    assert!(bench.text(24, 80).contains("Only the first 4000 sessions are shown: delete some of them"));
    bench.full(2, (0..10).map(row).collect());
    assert!(!bench.text(24, 80).contains("Only the first"));
}

#[test]
fn another_link_is_greeted_anew_and_the_old_ones_last_words_are_not_taken() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let (old_link, old_up) = (bench.link.clone(), bench.up.clone());
    bench.link = generation("link-2");
    bench.up = "up-2".into();
    let effects = bench.opens_up();
    assert!(matches!(ups(&effects).as_slice(), [Up::Hello(_)]), "{effects:?}");
    assert!(bench.text(24, 80).contains("task-1"), "last known rows stay");
    assert_eq!(ups(&bench.pass(1_200)), [Up::Resync], "its board does not come by itself");
    bench.full(9, vec![row(2)]);
    (bench.link, bench.up) = (old_link, old_up);
    assert_eq!(bench.down(Down::Ping { number: 1 }), [], "a link that was replaced");
    bench.full(10, vec![row(3)]);
    assert!(bench.text(24, 80).contains("task-2"));
}

#[test]
fn only_pipe_children_are_listened_to() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let payload = Some("{}".to_owned());
    let pipe =
        |source, name: &str| Input::Pipe(PipeLine { source, name: name.into(), payload: payload.clone() });
    assert_eq!(bench.on(pipe(PipeSource::Other, DOWN_PIPE)), []);
    assert_eq!(bench.on(pipe(PipeSource::Cli("x".into()), "other-pipe")), []);
    for garbage in ["", "{", "null", "[]", "{\"up\":\"u\"}", "\u{0}"] {
        assert_eq!(bench.raw_down(garbage), [], "{garbage:?}");
    }
    let long = format!("{{\"up\":\"{}\"}}", "x".repeat(70_000));
    assert_eq!(bench.raw_down(&long), []);
    assert_eq!(bench.board.model.len(), 1);
}

// The layout's link did not start, or its pane was closed: the plugin starts one.
#[test]
fn no_link_within_two_seconds_starts_one() {
    let mut bench = Bench::granted();
    bench.on(Input::Mode(ModeNews { mode: Mode::Normal, session_name: Some("renamed".into()) }));
    assert!(!bench.pass(1_999).contains(&Effect::FindFocus));
    assert!(bench.text(24, 80).contains("Connecting to the board…"));
    assert!(bench.pass(2).contains(&Effect::FindFocus));
    let effects = on_the_board(&mut bench);
    let environment =
        [("ZELLIJ", "0"), ("ZELLIJ_SESSION_NAME", "renamed")].map(|(k, v)| (k.into(), v.into())).into();
    let args = ["--root", "/var/board", "link"].map(Into::into).into();
    assert_eq!(
        effects,
        [Effect::RunLink(LinkCommand { runner: "/opt/host-runner".into(), args, environment })]
    );
    assert!(bench.text(24, 80).contains("Connecting to the board…"), "it may still come by itself");
    bench.pass(2_000);
    assert!(bench.text(24, 80).contains("No link speaks; starting one…"));
    bench.opens_up();
    bench.full(1, vec![row(1)]);
    let text = bench.text(24, 80);
    assert!(text.contains("task-1") && !text.contains("No link"), "{text}");
}

#[test]
fn a_silent_link_is_replaced_with_patience() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let mut attempts = Vec::new();
    for second in 0..200 {
        let effects = bench.pass(1_000);
        if effects.contains(&Effect::FindFocus) {
            assert_eq!(run_links(&on_the_board(&mut bench)), 1);
            attempts.push(second);
        }
    }
    let gaps: Vec<u64> = attempts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(attempts.first(), Some(&5), "six seconds of silence");
    assert_eq!(gaps, [5, 10, 20, 40, 60], "{attempts:?}");
    let text = bench.text(24, 80);
    assert!(text.contains("The link fell silent") && text.contains("task-1"), "{text}");
    assert!(text.contains("last known state"), "{text}");
    bench.hello();
    assert!(!bench.text(24, 80).contains("fell silent"), "recovery by itself");
}

#[test]
fn a_hidden_board_starts_no_link_and_one_that_is_shown_again_does() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.on(Input::Visible(Visibility::Hidden));
    on_the_board(&mut bench);
    assert_eq!(bench.pass(100_000), []);
    assert!(bench.on(Input::Visible(Visibility::Shown)).contains(&Effect::FindFocus));
    assert_eq!(run_links(&on_the_board(&mut bench)), 1);
}

// zellij never unloads the instance of a detached client.
#[test]
fn the_instance_of_a_detached_client_starts_nothing() {
    let mut bench = Bench::granted();
    assert!(bench.pass(2_500).contains(&Effect::FindFocus));
    assert_eq!(bench.on(Input::FocusFound(None)), []);
}

#[test]
fn of_several_clients_the_lowest_goes_first() {
    let (mut second, _) = Bench::loaded();
    second.on(grant(2, None));
    assert!(!second.pass(2_600).contains(&Effect::FindFocus));
    // The first one's link speaks meanwhile.
    second.opens_up();
    assert!(!second.pass(4_000).contains(&Effect::FindFocus));
    let (mut alone, _) = Bench::loaded();
    alone.on(grant(2, None));
    assert!(alone.pass(2_701).contains(&Effect::FindFocus), "alone it acts a little later");
}

#[test]
fn a_link_that_cannot_be_started_says_why() {
    let mut bench = Bench::granted();
    bench.pass(2_500);
    on_the_board(&mut bench);
    bench.pass(1_500);
    let stderr = "one\nhost-runner: the board root is \u{1b}[31msomebody else's\n\n".to_owned();
    bench.on(Input::LinkEnded { code: Some(3), stderr });
    let text = bench.text(24, 100);
    let expected =
        "No link speaks; the link ended with exit code 3: host-runner: the board root is somebody else's";
    assert!(text.contains(expected), "{text}");
    bench.opens_up();
    assert!(!bench.text(24, 100).contains("exit code 3"));
}

#[test]
fn a_link_that_says_goodbye_is_let_go_and_replaced() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    assert!(bench.down(Down::Goodbye).contains(&Effect::UnblockPipe("up-1".into())));
    assert!(bench.pass(2_500).contains(&Effect::FindFocus));
    assert_eq!(run_links(&on_the_board(&mut bench)), 1);
}

#[test]
fn the_daemons_health_is_one_line_and_rows_stay() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let healths = [
        DaemonHealth::Unreachable { text: "the daemon does not answer; it is started again".into() },
        DaemonHealth::Incompatible { text: "the daemon is newer: run host-runner up".into() },
        DaemonHealth::ShutDown { text: "the daemon was shut down: run host-runner up to start it".into() },
    ];
    for health in healths {
        let (DaemonHealth::Unreachable { text }
        | DaemonHealth::Incompatible { text }
        | DaemonHealth::ShutDown { text }) = &health
        else {
            panic!("{health:?}")
        };
        let line = text.clone();
        assert!(bench.down(Down::Daemon(health)).contains(&Effect::Render));
        let picture = bench.text(24, 80);
        assert_eq!(picture.lines().filter(|shown| shown.contains(&line)).count(), 1, "{picture}");
        assert!(picture.contains("task-1") && picture.contains("last known state"), "{picture}");
    }
    bench.down(Down::Daemon(DaemonHealth::Connected { build: "0.1.0".into() }));
    assert!(bench.text(24, 80).contains("● connected"));
}

#[test]
fn pages_are_put_together_in_order() {
    let mut bench = Bench::linked();
    for page in 0..3 {
        let generation = generation("daemon-1");
        let rows = (page * 10..page * 10 + 10).map(row).collect();
        bench.down(Down::Page { generation, seq: BoardSeq(4), page, pages: 3, rows, warnings: vec![] });
    }
    assert_eq!(bench.board.model.len(), 30);
    bench.delta(4, vec![], &[5]);
    assert_eq!(bench.board.model.len(), 29);
}

#[test]
fn an_instance_without_a_pane_closes_itself_but_not_on_one_list() {
    let mut bench = Bench::linked();
    let without =
        || Input::Panes(PaneList { count: 3, own_url: None, terminals: vec![], ..PaneList::default() });
    let with = || {
        Input::Panes(PaneList {
            count: 3,
            own_url: Some("file:/b".into()),
            terminals: vec![],
            ..PaneList::default()
        })
    };
    assert!(!bench.on(without()).contains(&Effect::CloseSelf));
    assert!(!bench.on(without()).contains(&Effect::CloseSelf), "too soon");
    bench.wait(3_000);
    bench.on(with());
    assert!(!bench.on(without()).contains(&Effect::CloseSelf), "it was there in between");
    bench.wait(3_000);
    let empty = Input::Panes(PaneList { count: 0, own_url: None, terminals: vec![], ..PaneList::default() });
    assert!(!bench.on(empty).contains(&Effect::CloseSelf), "an empty list says nothing");
    let effects = bench.on(without());
    assert_eq!(ups(&effects), [Up::Goodbye]);
    assert!(effects.contains(&Effect::CloseSelf));
}

#[test]
fn a_board_that_closes_says_goodbye() {
    let mut bench = Bench::linked();
    assert_eq!(ups(&bench.on(Input::BeforeClose)), [Up::Goodbye]);
}

// Timers cannot be taken back: whatever happens, their number stays bounded and none is lost.
#[test]
fn timers_do_not_multiply() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let mut running: Vec<u64> = bench.board.armed.iter().map(|at| at.0).collect();
    let mut most = 0;
    for step in 0..6_000_u64 {
        bench.wait(500);
        let now = bench.now.0;
        let due = running.iter().filter(|at| **at <= now).count();
        running.retain(|at| *at > now);
        let mut effects = Vec::new();
        for _ in 0..due {
            effects.extend(bench.on(Input::Timer));
        }
        if step % 8 == 0 {
            // Its notice goes after three seconds: an earlier deadline than any other.
            effects.extend(bench.char('i'));
            effects.extend(bench.key(KeyCode::Esc));
        }
        if step % 2 == 0 {
            effects.extend(bench.down(Down::Ping { number: step }));
        }
        running.extend(effects.iter().filter_map(|effect| match effect {
            Effect::SetTimer { after_ms } => Some(now + after_ms),
            _ => None,
        }));
        most = most.max(running.len());
        if let Some(deadline) = bench.board.next_deadline() {
            assert!(running.iter().any(|at| *at <= deadline.0.max(now) + 20), "no timer for {deadline:?}");
        }
    }
    assert!(most <= 6, "{most}");
}

#[test]
fn a_clock_that_is_set_back_stops_nothing() {
    let mut bench = Bench::granted();
    bench.now = board_protocol::ids::UnixMs(bench.now.0 - 86_400_000);
    bench.on(Input::Timer);
    bench.wait(2_500);
    assert!(bench.on(Input::Timer).contains(&Effect::FindFocus));
}

#[test]
fn i8_the_language_is_the_layouts_until_the_link_says_another_one() {
    let mut board = Board::default();
    let configuration = [("language".to_owned(), "ja".to_owned())].into();
    board.on(Input::Loaded(Loaded { configuration, build: "0.1.0".into() }), UnixMs(1));
    assert_eq!(board.language, Language::Japanese);

    let (mut bench, _) = Bench::loaded();
    bench.on(grant(1, None));
    bench.opens_up();
    bench.down(Down::Hello(LinkHello { language: "zh".into(), ..link_hello() }));
    assert_eq!(bench.board.language, Language::Chinese);
    // A link of an older build, or of a newer one with a language that is not here, changes nothing.
    for language in ["", "fr"] {
        bench.down(Down::Hello(LinkHello { language: language.into(), ..link_hello() }));
        assert_eq!(bench.board.language, Language::Chinese);
    }
}
