//! Where sessions are shown, how they are left, and the keys that work from anywhere.

use crate::{
    effect::{Effect, PanePlace},
    input::{
        AttachOpened, BoundKey, BoundTo, Input, Key, KeyCode, Keybinds, Loaded, Mode, PaneList, PaneRef,
        PaneStanding, PipeLine, PipeSource, Visibility,
    },
    machine::{
        anywhere::{Binding, CHORDS, KEY_PIPE},
        samples::{Bench, SERVER, ended_row, grant, row, ups},
    },
};
use board_protocol::{
    board::{AttachPlace, Row},
    pipe::{DaemonHealth, Down, Intent, PaneChange, PaneRequest, Up},
    state::SemanticState,
};

const PANE: u32 = 12;
const BOARD: PaneRef = PaneRef::Plugin(7);

/// A board with rows, whose layout says where sessions open.
fn board(attach_in: &str, rows: Vec<Row>) -> Bench {
    let (mut bench, _) = Bench::loaded();
    bench.board = crate::Board::new();
    let configuration = [("runner", "/opt/host-runner"), ("root", "/var/board"), ("attach_in", attach_in)];
    let configuration = configuration.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    bench.on(Input::Loaded(Loaded { configuration, build: "0.1.0".into() }));
    bench.on(grant(1, None));
    bench.opens_up();
    bench.hello();
    bench.down(Down::Daemon(DaemonHealth::Connected { build: "0.1.0".into() }));
    bench.full(1, rows);
    bench
}

fn place(effects: &[Effect]) -> Option<PanePlace> {
    effects.iter().find_map(|effect| match effect {
        Effect::OpenAttachPane { place, .. } => Some(*place),
        _ => None,
    })
}

fn opened(bench: &mut Bench, n: u32, pane: u32) -> Vec<Effect> {
    bench.on(Input::AttachOpened(AttachOpened { session: row(n).id, tab: None, pane: Some(pane) }))
}

fn listed(terminals: &[u32], beside: &[(u32, &str)], focused: PaneRef) -> Input {
    Input::Panes(PaneList {
        count: 3,
        own_url: Some("file:/b".into()),
        terminals: terminals.iter().map(|pane| (*pane, PaneStanding::Running)).collect(),
        beside: beside.iter().map(|(pane, name)| (*pane, (*name).to_owned())).collect(),
        focused: vec![focused],
        ..PaneList::default()
    })
}

fn press(bench: &mut Bench, word: &str, focus: Option<PaneRef>) -> Vec<Effect> {
    let line = PipeLine { source: PipeSource::Other, name: KEY_PIPE.into(), payload: Some(word.to_owned()) };
    assert_eq!(bench.on(Input::Pipe(line)), [Effect::FindFocus]);
    bench.on(Input::FocusFound(focus))
}

fn asks(n: u32) -> Row {
    Row { state: SemanticState::NeedsInput, ..row(n) }
}

#[test]
fn beside_the_first_takes_the_area_and_further_ones_are_stacked() {
    let mut bench = board("beside", vec![row(1), row(2)]);
    bench.on(listed(&[3], &[(3, "Sessions"), (4, "sh")], BOARD));
    bench.on(Input::FocusFound(Some(BOARD)));
    assert_eq!(place(&bench.key(KeyCode::Right)), Some(PanePlace::Instead(3)));
    let effects = opened(&mut bench, 1, PANE);
    assert_eq!(
        effects[..3],
        [
            Effect::RenamePane { pane: PANE, name: String::new() },
            Effect::FocusTerminal(PANE),
            Effect::SwitchMode(Mode::Locked),
        ],
        "zellij leaves the focus on the board"
    );
    bench.key(KeyCode::Down);
    assert_eq!(place(&bench.key(KeyCode::Right)), Some(PanePlace::Stacked(PANE)));
    // Nothing there that the layout meant for sessions: zellij finds the room.
    let mut bench = board("beside", vec![row(1)]);
    bench.on(listed(&[4], &[(4, "sh")], BOARD));
    bench.on(Input::FocusFound(Some(BOARD)));
    assert_eq!(place(&bench.key(KeyCode::Right)), Some(PanePlace::Near));
    // After a reload the pane of another session is known from the rows.
    let at = Row { places: vec![AttachPlace { server_pid: SERVER, pane_id: PANE }], ..row(1) };
    let mut bench = board("beside", vec![at, row(2)]);
    bench.on(listed(&[PANE], &[(PANE, "task-1")], BOARD));
    bench.on(Input::FocusFound(Some(BOARD)));
    bench.key(KeyCode::Down);
    assert_eq!(place(&bench.key(KeyCode::Right)), Some(PanePlace::Stacked(PANE)));
}

#[test]
fn beside_the_mode_follows_the_focus() {
    let mut bench = board("beside", vec![row(1)]);
    bench.key(KeyCode::Right);
    opened(&mut bench, 1, PANE);
    assert!(bench.on(listed(&[PANE], &[(PANE, "task-1")], BOARD)).contains(&Effect::FindFocus));
    assert!(bench.on(Input::FocusFound(Some(BOARD))).contains(&Effect::SwitchMode(Mode::Normal)));
    bench.on(listed(&[PANE], &[(PANE, "task-1")], PaneRef::Terminal(PANE)));
    let effects = bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    assert_eq!(effects, [Effect::SwitchMode(Mode::Locked)]);
    assert!(
        !bench.on(listed(&[PANE], &[(PANE, "task-1")], PaneRef::Terminal(PANE))).contains(&Effect::FindFocus),
        "asked once for each move"
    );
}

#[test]
fn in_place_the_pane_closes_before_the_board_gets_the_focus() {
    let open = || {
        let mut bench = board("in_place", vec![row(1), asks(2)]);
        bench.key(KeyCode::Home);
        bench.key(KeyCode::Down);
        assert_eq!(place(&bench.key(KeyCode::Right)), Some(PanePlace::InsteadOfBoard));
        opened(&mut bench, 1, PANE);
        bench.on(Input::Visible(Visibility::Hidden));
        bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
        bench
    };
    let back = [Effect::CloseTerminal(PANE), Effect::FocusSelf, Effect::SwitchMode(Mode::Normal)];
    let mut bench = open();
    let at = AttachPlace { server_pid: SERVER, pane_id: PANE };
    bench.down(Down::Pane(PaneRequest { session: row(1).id, place: at, change: PaneChange::Detached }));
    assert_eq!(bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE)))), back);
    let mut bench = open();
    bench.on(Input::PaneExited { pane: PANE, code: Some(4) });
    assert_eq!(bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))))[..3], back);
    assert!(bench.notice().contains("could not be entered in time"), "{}", bench.notice());
    for word in ["board", "leave"] {
        assert_eq!(press(&mut open(), word, Some(PaneRef::Terminal(PANE))), back);
    }
    // Another session takes the same place: the board is put back into it first.
    let mut bench = open();
    let effects = press(&mut bench, "next", Some(PaneRef::Terminal(PANE)));
    assert_eq!(effects[0], Effect::CloseTerminal(PANE));
    assert_eq!(place(&effects), Some(PanePlace::InsteadOfBoard));
}

#[test]
fn floating_opens_over_what_the_person_looks_at() {
    let mut bench = board("floating", vec![row(1)]);
    assert_eq!(place(&bench.key(KeyCode::Right)), Some(PanePlace::Floating));
    let effects = opened(&mut bench, 1, PANE);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::FocusTerminal(_))), "{effects:?}");
    let effects = press(&mut bench, "leave", Some(PaneRef::Terminal(PANE)));
    assert_eq!(effects, [Effect::FocusSelf, Effect::SwitchMode(Mode::Normal), Effect::CloseTerminal(PANE)]);
}

#[test]
fn a_tab_says_how_its_session_stands() {
    let mut bench = board("tab", vec![row(1)]);
    bench.key(KeyCode::Right);
    bench.on(Input::AttachOpened(AttachOpened { session: row(1).id, tab: Some(3), pane: Some(PANE) }));
    bench.on(Input::Visible(Visibility::Hidden));
    bench.on(Input::FocusFound(Some(PaneRef::Terminal(PANE))));
    let glyph = |state: SemanticState| state.facts().glyphs[0];
    let [from, to] =
        [SemanticState::Working, SemanticState::NeedsInput].map(|state| format!("{} task-1", glyph(state)));
    let effects = bench.delta(1, vec![asks(1)], &[]);
    assert!(effects.contains(&Effect::RetitleTab { tab: 3, from, to }), "{effects:?}");
    assert!(!bench.delta(2, vec![asks(1)], &[]).iter().any(|e| matches!(e, Effect::RetitleTab { .. })));
}

#[test]
fn the_key_for_the_next_goes_around_and_skips_where_the_person_is() {
    let at = |n: u32| Row { places: vec![AttachPlace { server_pid: SERVER, pane_id: 100 + n }], ..asks(n) };
    let mut bench = board("tab", vec![row(1), at(2), at(3)]);
    // The filter hides nothing from it.
    bench.type_text("/task-1");
    for (focus, pane) in [(BOARD, 102), (PaneRef::Terminal(102), 103), (PaneRef::Terminal(103), 102)] {
        assert_eq!(press(&mut bench, "next", Some(focus)), [Effect::CheckPane(pane)], "{focus:?}");
        bench.on(Input::PaneChecked { pane, standing: PaneStanding::Running });
    }
    let mut bench = board("tab", vec![row(1)]);
    let effects = press(&mut bench, "next", Some(PaneRef::Terminal(99)));
    assert_eq!(effects[..2], [Effect::FocusSelf, Effect::SwitchMode(Mode::Normal)]);
    assert_eq!(bench.notice(), "No session needs an answer");
    let mut bench =
        board("tab", vec![Row { state: SemanticState::NeedsInput, ..ended_row(1, "exit code 1") }]);
    let effects = press(&mut bench, "next", Some(PaneRef::Terminal(99)));
    assert!(effects.contains(&Effect::FocusSelf), "the question stands on the board: {effects:?}");
}

#[test]
fn a_key_leaves_a_pane_of_ours_and_never_closes_a_persons_shell() {
    let at = Row { places: vec![AttachPlace { server_pid: SERVER, pane_id: PANE }], ..row(1) };
    let mut bench = board("tab", vec![at.clone()]);
    let back = [Effect::FocusSelf, Effect::SwitchMode(Mode::Normal)];
    assert_eq!(press(&mut bench, "leave", Some(PaneRef::Terminal(PANE))), back, "no command pane");
    // An instance that was loaded anew knows its panes from their command line.
    let mut bench = board("tab", vec![at]);
    let command = format!("/opt/host-runner --root /var/board attach {}", row(1).id);
    let list = PaneList {
        count: 2,
        own_url: Some("file:/b".into()),
        terminals: vec![(PANE, PaneStanding::Running)],
        commands: vec![(PANE, command)],
        ..PaneList::default()
    };
    bench.on(Input::Panes(list.clone()));
    let effects = press(&mut bench, "leave", Some(PaneRef::Terminal(PANE)));
    assert_eq!(effects, [back.to_vec(), vec![Effect::CloseTerminal(PANE)]].concat());
    assert_eq!(
        press(&mut bench, "leave", Some(PaneRef::Terminal(99))),
        back,
        "elsewhere it leads to the board"
    );
    assert_eq!(press(&mut bench, "board", None), [], "the instance of a client that has left");
    // Its end is told to this plugin, which opened it in an earlier life.
    bench.on(Input::Panes(list));
    assert_eq!(bench.on(Input::PaneExited { pane: PANE, code: Some(0) }), [Effect::FindFocus]);
    assert_eq!(bench.on(Input::FocusFound(Some(BOARD))), [Effect::CloseTerminal(PANE)]);
}

fn used(what: BoundTo) -> Input {
    let normal = CHORDS.iter().map(|chord| BoundKey { key: chord.key, what }).collect();
    Input::Keybinds(Keybinds { normal, locked: Vec::new() })
}

fn binds(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::Reconfigure(_))).count()
}

#[test]
fn keys_are_bound_once_for_this_instance_and_again_when_they_are_lost() {
    let free = || Input::Keybinds(Keybinds::default());
    let mut bench = Bench::granted();
    let effects = bench.on(free());
    let Some(Effect::Reconfigure(kdl)) = effects.iter().find(|e| matches!(e, Effect::Reconfigure(_))) else {
        panic!("{effects:?}");
    };
    insta::assert_snapshot!(kdl);
    assert_eq!(binds(&bench.on(free())), 0, "a configuration that insists is left alone");
    bench.on(used(BoundTo::Message));
    assert_eq!(binds(&bench.on(free())), 1, "lost later: bound again");
    // Whatever the person's own configuration binds is theirs, and help says so.
    let mut bench = Bench::granted();
    assert_eq!(binds(&bench.on(used(BoundTo::Zellij))), 0);
    assert_eq!(bench.board.anywhere.bindings, [Binding::Foreign; 3]);
    bench.char('?');
    assert!(bench.text(60, 200).contains("zellij keeps Ctrl+Alt+a here"), "{}", bench.text(60, 200));
    // Before the grant nothing is bound.
    let (mut bench, _) = Bench::loaded();
    assert_eq!(binds(&bench.on(free())), 0);
    assert_eq!(binds(&bench.on(grant(1, None))), 1);
}

#[test]
fn help_says_which_chords_the_running_zellij_keeps() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let key = |c| BoundKey { key: Key::ctrl(KeyCode::Char(c)), what: BoundTo::Zellij };
    bench.on(Input::Keybinds(Keybinds { normal: vec![key('t'), key('q')], locked: Vec::new() }));
    bench.char('?');
    let text = bench.text(60, 200);
    assert!(text.contains("zellij keeps Ctrl+t here: use p"), "{text}");
    assert!(!text.contains("Ctrl+s here") && !text.contains("Ctrl+q here"), "{text}");
}

#[test]
fn panes_of_a_resurrected_session_are_run_again_or_closed() {
    let waiting = |panes: &[(u32, &str)]| {
        Input::Panes(PaneList {
            count: 4,
            own_url: Some("file:/b".into()),
            suspended: panes.iter().map(|(pane, command)| (*pane, (*command).to_owned())).collect(),
            ..PaneList::default()
        })
    };
    let attach = |n: u32| format!("/opt/host-runner --root /var/board attach {}", row(n).id);
    let (alive, ended) = (attach(1), attach(2));
    let list = [(10, alive.as_str()), (11, ended.as_str()), (12, "vim notes"), (13, "/opt/host-runner ls")];
    let done = |effects: &[Effect]| -> Vec<Effect> {
        let ours = |effect: &&Effect| matches!(effect, Effect::RerunTerminal(_) | Effect::CloseTerminal(_));
        effects.iter().filter(ours).cloned().collect()
    };
    let mut bench = board("tab", vec![row(1), ended_row(2, "exit code 0")]);
    let effects = bench.on(waiting(&list));
    assert_eq!(done(&effects), [Effect::RerunTerminal(10), Effect::CloseTerminal(11)]);
    // It is the session's pane before its row says so.
    assert!(bench.key(KeyCode::Right).contains(&Effect::CheckPane(10)));
    let effects = bench.on(Input::PaneChecked { pane: 10, standing: PaneStanding::Running });
    assert!(effects.contains(&Effect::FocusTerminal(10)), "{effects:?}");
    // A list may be older than that; a command that does not run is told when zellij is asked.
    assert_eq!(done(&bench.on(waiting(&list[..1]))), []);
    assert!(bench.pass(5_000).contains(&Effect::CheckPane(10)));
    bench.on(Input::PaneChecked { pane: 10, standing: PaneStanding::Waiting });
    let effects = bench.on(Input::FocusFound(Some(BOARD)));
    assert_eq!(done(&effects), [Effect::CloseTerminal(10)], "it does not run");
    // The rows come after the panes.
    let (mut bench, _) = Bench::loaded();
    bench.on(grant(1, None));
    let link = "/opt/host-runner --root /var/board link";
    let effects = bench.on(waiting(&[(9, link), list[0], list[1]]));
    assert_eq!(done(&effects), [Effect::RerunTerminal(9)], "without it no rows come");
    bench.opens_up();
    bench.hello();
    let effects = bench.full(1, vec![row(1), ended_row(2, "exit code 0")]);
    assert_eq!(done(&effects), [Effect::RerunTerminal(10), Effect::CloseTerminal(11)]);
    assert_eq!(done(&bench.on(waiting(&[(9, link)]))), [Effect::CloseTerminal(9)], "a link speaks already");
}

#[test]
fn whoever_jumps_to_a_session_has_seen_it() {
    let mut bench = board("tab", vec![Row { unread: true, ..asks(1) }]);
    let effects = press(&mut bench, "next", Some(BOARD));
    assert!(matches!(ups(&effects).as_slice(), [Up::Intent { intent: Intent::Visit { .. }, .. }]));
}

// zellij has no room for floating panes between panes without a frame, and says nothing.
#[test]
fn a_pane_that_zellij_drops_is_told_and_gives_the_keys_back() {
    let mut bench = board("floating", vec![row(1)]);
    bench.key(KeyCode::Right);
    opened(&mut bench, 1, PANE);
    assert!(bench.pass(2_000).contains(&Effect::CheckPane(PANE)));
    let effects = bench.on(Input::PaneChecked { pane: PANE, standing: PaneStanding::Gone });
    assert!(effects.contains(&Effect::SwitchMode(Mode::Normal)), "{effects:?}");
    assert!(bench.notice().contains("had no room"), "{}", bench.notice());
    assert_eq!(place(&bench.key(KeyCode::Right)), Some(PanePlace::Floating), "again");
}
