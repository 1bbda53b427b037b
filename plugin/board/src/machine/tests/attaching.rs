//! Entering sessions, and every way in which a pane can end.

use crate::{
    effect::{AttachTab, Effect},
    input::{AttachOpened, Input, KeyCode, Mode, ModeNews, PaneList, PaneRef, PaneStanding, Visibility},
    machine::samples::{Bench, SERVER, detail, ended_row, row, ups},
    machine::verdict::RIPE_AFTER_MS,
};
use board_protocol::{
    board::{AttachPlace, Revival, Row},
    daemon::ClientFocus,
    pipe::{Down, Intent, PaneChange, PaneRequest, QueryKind, Up},
    state::{HostState, SemanticState},
};

const PANE: u32 = 12;

fn at_place(server_pid: u32) -> Row {
    Row { places: vec![AttachPlace { server_pid, pane_id: PANE }], ..row(1) }
}

fn opens(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::OpenAttachTab(_))).count()
}

/// A board that has just opened a pane for task-1.
fn opened() -> Bench {
    let mut bench = Bench::with_rows(vec![row(1), row(2)]);
    bench.key(KeyCode::Right);
    let session = row(1).id;
    bench.on(Input::AttachOpened(AttachOpened { session, tab: Some(3), pane: Some(PANE) }));
    bench
}

#[test]
fn a_session_without_a_pane_gets_a_tab_of_its_own() {
    for key in [KeyCode::Right, KeyCode::Enter, KeyCode::Char('>')] {
        let mut bench = Bench::with_rows(vec![row(1)]);
        let args = ["--root", "/var/board", "attach", "0000000001"].map(Into::into).into();
        let tab = AttachTab { session: row(1).id, runner: "/opt/host-runner".into(), args };
        assert_eq!(bench.key(key), [Effect::OpenAttachTab(tab)]);
        let opened = AttachOpened { session: row(1).id, tab: Some(3), pane: Some(PANE) };
        let effects = bench.on(Input::AttachOpened(opened));
        assert_eq!(
            effects[..3],
            [
                Effect::RenameTab { tab: 3, name: "● task-1".into() },
                Effect::RenamePane { pane: PANE, name: String::new() },
                Effect::SwitchMode(Mode::Locked),
            ]
        );
    }
}

#[test]
fn a_board_that_is_asked_says_what_its_client_looks_at() {
    for (focus, said) in [
        (None, ClientFocus::Gone),
        (Some(PaneRef::Plugin(1)), ClientFocus::NoTerminal),
        (Some(PaneRef::Terminal(PANE)), ClientFocus::Terminal(PANE)),
    ] {
        let mut bench = Bench::with_rows(vec![row(1)]);
        assert_eq!(bench.down(Down::Look { number: 9 }), [Effect::FindFocus]);
        let effects = bench.on(Input::FocusFound(focus));
        assert_eq!(ups(&effects), [Up::Looking { number: 9, focus: said }]);
        assert!(!effects.contains(&Effect::Render), "nothing of it is shown");
    }
}

#[test]
fn an_unread_session_counts_as_visited() {
    let mut bench = Bench::with_rows(vec![Row { unread: true, ..row(1) }]);
    let effects = bench.key(KeyCode::Right);
    assert!(matches!(ups(&effects).as_slice(), [Up::Intent { intent: Intent::Visit { .. }, .. }]));
}

#[test]
fn the_key_twice_opens_one_pane() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    assert_eq!(opens(&bench.key(KeyCode::Right)), 1);
    assert_eq!(bench.key(KeyCode::Right), [], "its tab is on the way");
    let session = row(1).id;
    bench.on(Input::AttachOpened(AttachOpened { session, tab: Some(3), pane: Some(PANE) }));
    assert_eq!(bench.key(KeyCode::Right), [Effect::CheckPane(PANE)]);
    let effects = bench.on(Input::PaneChecked { pane: PANE, standing: PaneStanding::Running });
    assert_eq!(effects, [Effect::FocusTerminal(PANE), Effect::SwitchMode(Mode::Locked)]);
}

#[test]
fn a_pane_of_this_server_is_focused_and_one_of_another_is_not_ours() {
    let mut bench = Bench::with_rows(vec![at_place(SERVER)]);
    assert_eq!(bench.key(KeyCode::Right), [Effect::CheckPane(PANE)]);
    let effects = bench.on(Input::PaneChecked { pane: PANE, standing: PaneStanding::Running });
    assert_eq!(effects, [Effect::FocusTerminal(PANE), Effect::SwitchMode(Mode::Locked)]);
    let mut bench = Bench::with_rows(vec![at_place(SERVER + 1)]);
    assert_eq!(opens(&bench.key(KeyCode::Right)), 1);
}

#[test]
fn a_pane_that_is_gone_is_replaced() {
    for standing in [PaneStanding::Gone, PaneStanding::Waiting] {
        let mut bench = opened();
        bench.key(KeyCode::Right);
        let effects = bench.on(Input::PaneChecked { pane: PANE, standing });
        assert_eq!(opens(&effects), 1, "{effects:?}");
        assert_eq!(effects.contains(&Effect::CloseTerminal(PANE)), standing == PaneStanding::Waiting);
    }
    let mut bench = opened();
    bench.on(Input::PaneClosed(PaneRef::Terminal(PANE)));
    assert_eq!(opens(&bench.key(KeyCode::Right)), 1);
}

// Whoever left a session and entered it again at once was led into the pane that was just closing, and stood at the board.
#[test]
fn a_pane_that_was_left_is_never_entered_while_it_closes() {
    for change in [PaneChange::Detached, PaneChange::Ended] {
        let mut bench = opened();
        bench.down(request(change, SERVER));
        bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
        assert_eq!(opens(&bench.key(KeyCode::Right)), 1);
        // The pane goes as ever: zellij would keep its frame.
        bench.on(Input::PaneExited { pane: PANE, code: Some(0) });
        let effects = bench.on(Input::FocusFound(Some(PaneRef::Plugin(1))));
        assert_eq!(effects, [Effect::CloseTerminal(PANE)]);
        // So is one that the list still names, until a client shows a session in it again.
        let mut bench = Bench::with_rows(vec![at_place(SERVER)]);
        bench.down(request(change, SERVER));
        assert_eq!(opens(&bench.key(KeyCode::Right)), 1);
        let mut bench = Bench::with_rows(vec![at_place(SERVER)]);
        bench.down(request(change, SERVER));
        bench.down(request(PaneChange::Attached, SERVER));
        assert_eq!(bench.key(KeyCode::Right), [Effect::CheckPane(PANE)]);
    }
}

#[test]
fn an_ended_session_is_never_entered() {
    let cases = [
        (ended_row(1, "exit code 3"), "\"task-1\" ended (exit code 3). Run it again? (y/N)"),
        (ended_row(1, "signal 9 (SIGKILL)"), "\"task-1\" ended (signal 9, SIGKILL). Run it again? (y/N)"),
        (Row { ended: None, ..ended_row(1, "") }, "\"task-1\" ended (how is not known). Run it again? (y/N)"),
        (
            Row { host_state: HostState::Failed, ..ended_row(1, "host died") },
            "\"task-1\" ended (host died). Run it again? (y/N)",
        ),
        (
            Row { host_state: HostState::Stopping, ..row(1) },
            "\"task-1\" is stopping; it can be entered no more",
        ),
        (
            Row { host_state: HostState::None, state: SemanticState::Queued, ..row(1) },
            "\"task-1\" has not started yet; try again in a moment",
        ),
    ];
    for (row, text) in cases {
        let mut bench = Bench::with_rows(vec![row]);
        let effects = bench.key(KeyCode::Right);
        assert_eq!(opens(&effects), 0);
        bench.pass(RIPE_AFTER_MS);
        assert!(bench.text(24, 100).contains(text), "{text}");
    }
}

#[test]
fn a_session_that_can_resume_is_entered_after_its_end() {
    let mut bench = Bench::with_rows(vec![Row { revival: Revival::Resumes, ..ended_row(1, "exit code 0") }]);
    assert_eq!(opens(&bench.key(KeyCode::Right)), 1);
}

// Field report F4: what can go on says so before anybody tries.
#[test]
fn f4_peek_says_that_an_ended_session_resumes() {
    for (revival, expected) in [(Revival::Resumes, true), (Revival::RunsAgain, false)] {
        let ended = Row { revival, ..ended_row(1, "exit code 0") };
        let mut bench = Bench::with_rows(vec![ended.clone()]);
        let effects = bench.char(' ');
        bench.answer(&effects, QueryKind::Detail, vec![detail(ended)]);
        let text = bench.text(24, 100);
        assert_eq!(text.contains("exit code 0; resumes on attach"), expected, "{text}");
    }
}

#[test]
fn no_rows_no_runner_no_pane_are_said() {
    let mut bench = Bench::with_rows(vec![]);
    bench.key(KeyCode::Right);
    assert_eq!(bench.notice(), "No session to enter. Press i, type a command, Enter starts it.");
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.key(KeyCode::Right);
    bench.on(Input::AttachOpened(AttachOpened { session: row(1).id, tab: None, pane: None }));
    assert_eq!(bench.notice(), "zellij opened no pane for \"task-1\"; try again");
    assert_eq!(opens(&bench.key(KeyCode::Right)), 1);
}

#[test]
fn an_ended_pane_is_closed_and_the_focus_returns_if_it_was_there() {
    let mut bench = opened();
    assert_eq!(bench.on(Input::PaneExited { pane: PANE, code: Some(0) }), [Effect::FindFocus]);
    let effects = bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(
        effects,
        [Effect::FocusSelf, Effect::SwitchMode(Mode::Normal), Effect::CloseTerminal(PANE)],
        "focus first: no other tab flashes up"
    );
    assert_eq!(bench.notice(), "");
    let mut bench = opened();
    bench.on(Input::PaneExited { pane: PANE, code: Some(0) });
    let effects = bench.on(Input::FocusFound(Some(PaneRef::Terminal(99))));
    assert_eq!(effects, [Effect::CloseTerminal(PANE)], "somebody who works elsewhere is not disturbed");
    assert_eq!(bench.on(Input::PaneExited { pane: PANE, code: Some(0) }), [], "not ours any more");
    assert_eq!(bench.on(Input::PaneExited { pane: 77, code: Some(0) }), [], "never was");
}

#[test]
fn a_pane_that_ended_badly_says_why() {
    let table = [
        (
            Some(1),
            "\"task-1\" could not be entered: refused. host-runner attach 0000000001 in a pane says why",
        ),
        (Some(3), "\"task-1\" could not be entered: its host cannot be reached. Try again"),
        (Some(4), "\"task-1\" could not be entered in time. Try again"),
        (Some(101), "The pane of \"task-1\" ended with exit code 101"),
        (None, "The pane of \"task-1\" was ended by a signal; the session goes on"),
    ];
    for (code, text) in table {
        let mut bench = opened();
        bench.on(Input::PaneExited { pane: PANE, code });
        bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
        assert_eq!(bench.notice(), text);
    }
}

// A command that was not found leaves a waiting pane and sends no event at all.
#[test]
fn a_pane_that_never_started_is_noticed() {
    let mut bench = opened();
    bench.on(Input::Visible(Visibility::Hidden));
    bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(bench.pass(1_600), [Effect::CheckPane(PANE)], "looked at once, even while hidden");
    assert_eq!(bench.board.next_deadline(), None);
    bench.on(Input::PaneChecked { pane: PANE, standing: PaneStanding::Waiting });
    let effects = bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(effects, [Effect::FocusSelf, Effect::SwitchMode(Mode::Normal), Effect::CloseTerminal(PANE)]);
    assert_eq!(bench.notice(), "\"task-1\" could not be entered: /opt/host-runner did not start");

    let mut bench = opened();
    bench.wait(5_000);
    let list = || {
        Input::Panes(PaneList {
            count: 2,
            own_url: Some("file:/b".into()),
            terminals: vec![(PANE, PaneStanding::Waiting)],
            ..PaneList::default()
        })
    };
    assert!(bench.on(list()).contains(&Effect::FindFocus), "seen in zellij's list");
    assert!(!bench.on(list()).contains(&Effect::FindFocus), "once");
}

fn request(change: PaneChange, server_pid: u32) -> Down {
    Down::Pane(PaneRequest { session: row(1).id, place: AttachPlace { server_pid, pane_id: PANE }, change })
}

#[test]
fn an_attach_client_that_a_person_started_gets_the_modes_it_needs() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    assert_eq!(bench.down(request(PaneChange::Attached, SERVER)), [Effect::FindFocus]);
    let effects = bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(effects, [Effect::SwitchMode(Mode::Locked)]);
    assert_eq!(bench.down(request(PaneChange::Detached, SERVER)), [Effect::FindFocus]);
    let effects = bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(effects, [Effect::FocusSelf, Effect::SwitchMode(Mode::Normal)]);
}

// A person who goes on typing in a shell of their own must not type into the board instead.
#[test]
fn a_session_that_ends_under_the_persons_hands_gives_the_keys_back_and_leaves_the_focus() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.down(request(PaneChange::Attached, SERVER));
    bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(bench.down(request(PaneChange::Ended, SERVER)), [Effect::FindFocus]);
    let effects = bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(effects, [Effect::SwitchMode(Mode::Normal)]);
}

// A person who left Locked mode in the first moment after entering was locked again by the late news.
#[test]
fn a_pane_that_this_instance_opened_is_locked_once() {
    let mut bench = opened();
    assert_eq!(bench.down(request(PaneChange::Attached, SERVER)), []);
}

#[test]
fn the_instance_of_a_client_that_looks_elsewhere_does_nothing() {
    for focus in [None, Some(PaneRef::Terminal(PANE + 1)), Some(PaneRef::Plugin(PANE))] {
        for change in [PaneChange::Attached, PaneChange::Detached, PaneChange::Ended] {
            let mut bench = Bench::with_rows(vec![row(1)]);
            bench.down(request(change, SERVER));
            assert_eq!(bench.on(Input::FocusFound(focus)), []);
        }
    }
    let mut bench = Bench::with_rows(vec![row(1)]);
    assert_eq!(bench.down(request(PaneChange::Attached, SERVER + 1)), [], "another zellij server");
}

#[test]
fn the_mode_follows_the_focus() {
    let mut bench = opened();
    bench.on(Input::Mode(ModeNews { mode: Mode::Locked, session_name: None, theme: None }));
    bench.on(Input::Visible(Visibility::Hidden));
    bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    let effects = bench.on(Input::Visible(Visibility::Shown));
    assert!(effects.contains(&Effect::SwitchMode(Mode::Normal)), "{effects:?}");
    // Back to the session through zellij's own keys.
    bench.on(Input::Mode(ModeNews { mode: Mode::Normal, session_name: None, theme: None }));
    assert_eq!(bench.on(Input::Visible(Visibility::Hidden)), [Effect::FindFocus]);
    let effects = bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(effects, [Effect::SwitchMode(Mode::Locked)]);
    // The news of Locked mode comes late, after the board is back in view.
    let mut bench = opened();
    bench.on(Input::Visible(Visibility::Hidden));
    bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert!(!bench.on(Input::Visible(Visibility::Shown)).contains(&Effect::SwitchMode(Mode::Normal)));
    let locked = || Input::Mode(ModeNews { mode: Mode::Locked, session_name: None, theme: None });
    assert_eq!(bench.on(locked()), [Effect::SwitchMode(Mode::Normal)]);
    bench.on(Input::Mode(ModeNews { mode: Mode::Normal, session_name: None, theme: None }));
    assert_eq!(bench.on(locked()), [], "later the person may lock the board itself");
    // A Locked mode that the person chose is theirs.
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.on(Input::Mode(ModeNews { mode: Mode::Locked, session_name: None, theme: None }));
    bench.on(Input::Visible(Visibility::Hidden));
    bench.on(Input::FocusFound(Some(PaneRef::Terminal(99))));
    assert!(!bench.on(Input::Visible(Visibility::Shown)).contains(&Effect::SwitchMode(Mode::Normal)));
}
