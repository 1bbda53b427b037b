//! Before the grant nothing is done; after it everything is fetched (field reports H4, H6, H8).

use crate::{
    effect::Effect,
    input::{
        AttachOpened, Input, Key, KeyCode, Mode, ModeNews, PaneList, PaneRef, PaneStanding, PipeLine,
        PipeSource, Visibility,
    },
    machine::{
        permission::FREE_CTRL_G,
        samples::{Bench, grant, keybinds, link_hello, row, ups},
    },
};
use board_protocol::{
    ids::BoardSeq,
    pipe::{DOWN_PIPE, Down, DownLine, UP_PIPE, Up},
};
use proptest::prelude::*;

const CTRL_G: Key = Key::ctrl(KeyCode::Char('g'));

/// One input of every kind, but the grant.
fn every_input() -> Vec<Input> {
    let line = |name: &str, down: Down| {
        let line = DownLine { up: "up-1".into(), link: crate::machine::samples::generation("link-1"), down };
        Input::Pipe(PipeLine {
            source: PipeSource::Cli("cli-1".into()),
            name: name.into(),
            payload: Some(serde_json::to_string(&line).unwrap()),
        })
    };
    let generation = crate::machine::samples::generation("daemon-1");
    let page =
        Down::Page { generation, seq: BoardSeq(1), page: 0, pages: 1, rows: vec![row(1)], warnings: vec![] };
    let mut inputs = vec![
        Input::PermissionDenied,
        Input::Paste("text".into()),
        line(UP_PIPE, Down::Hello(link_hello())),
        line(DOWN_PIPE, Down::Hello(link_hello())),
        line(DOWN_PIPE, page),
        line(DOWN_PIPE, Down::Ping { number: 1 }),
        line(DOWN_PIPE, Down::Goodbye),
        Input::Timer,
        Input::Visible(Visibility::Hidden),
        Input::Visible(Visibility::Shown),
        Input::Mode(ModeNews { mode: Mode::Locked, session_name: Some("s".into()), theme: None }),
        Input::Panes(PaneList {
            count: 1,
            own_url: None,
            terminals: vec![(1, PaneStanding::Waiting)],
            ..PaneList::default()
        }),
        keybinds(&[CTRL_G]),
        Input::FocusFound(Some(PaneRef::Plugin(1))),
        Input::AttachOpened(AttachOpened { session: row(1).id, tab: Some(1), pane: Some(1) }),
        Input::PaneChecked { pane: 1, standing: PaneStanding::Waiting },
        Input::PaneExited { pane: 1, code: Some(0) },
        Input::PaneClosed(PaneRef::Terminal(1)),
        Input::LinkEnded { code: Some(1), stderr: "no".into() },
        Input::ReloadImpossible,
        Input::BeforeClose,
    ];
    let codes =
        [KeyCode::Enter, KeyCode::Esc, KeyCode::Right, KeyCode::Down, KeyCode::Char('i'), KeyCode::Char('s')];
    inputs.extend(codes.map(|code| Input::Key(Key::plain(code))));
    inputs
}

/// What a host that has not been granted anything may be asked.
fn assert_inert(effects: &[Effect]) {
    for effect in effects {
        assert!(
            matches!(effect, Effect::Subscribe | Effect::RequestPermissions | Effect::Render),
            "{effect:?}"
        );
    }
}

// Field report H6: a value-returning call before the grant panics with "failed to deserialize bytes from stdin".
#[test]
fn h6_nothing_but_subscribe_and_the_question_before_the_grant() {
    let (_, effects) = Bench::loaded();
    assert_eq!(effects, [Effect::Subscribe, Effect::RequestPermissions, Effect::Render]);
    for first in every_input() {
        for second in every_input() {
            let (mut bench, _) = Bench::loaded();
            assert_inert(&bench.on(first.clone()));
            bench.wait(10_000);
            assert_inert(&bench.on(second.clone()));
            assert_inert(&bench.pass(100_000));
        }
    }
}

proptest! {
    // The same for any order, and after a grant that was taken back.
    #[test]
    fn h6_and_after_a_withdrawn_grant(order in proptest::collection::vec(any::<proptest::sample::Index>(), 1..40), granted_first in any::<bool>()) {
        let (mut bench, _) = Bench::loaded();
        if granted_first {
            bench.on(grant(1, None));
            bench.opens_up();
            bench.full(1, vec![row(1), row(2)]);
            bench.on(Input::PermissionDenied);
        }
        let inputs = every_input();
        for index in order {
            let effects = bench.on(index.get(&inputs).clone());
            for effect in &effects {
                prop_assert!(effect.needs_no_permission(), "{:?}", effect);
            }
            bench.wait(777);
        }
    }
}

// Field report H4: siblings of the instance that was granted stayed blocked.
#[test]
fn h4_a_key_asks_again_while_no_answer_came() {
    let (mut bench, _) = Bench::loaded();
    let effects = bench.on(Input::Key(Key::plain(KeyCode::Enter)));
    assert!(effects.contains(&Effect::RequestPermissions), "{effects:?}");
    bench.on(grant(1, None));
    let effects = bench.on(Input::Key(Key::plain(KeyCode::Enter)));
    assert!(!effects.contains(&Effect::RequestPermissions), "{effects:?}");
}

// Field report H8: messages that came before the grant were lost, and the board stayed empty.
#[test]
fn h8_what_came_before_the_grant_is_fetched_after_it() {
    let (mut bench, _) = Bench::loaded();
    bench.opens_up();
    bench.full(1, vec![row(1)]);
    assert_eq!(bench.board.model.len(), 0, "it cannot be answered yet, so it is not taken");
    let effects = bench.on(grant(1, None));
    assert!(matches!(ups(&effects).as_slice(), [Up::Hello(hello)] if hello.up_pipe == "up-1"), "{effects:?}");
    // No page answers the hello: the board is asked for.
    let effects = bench.pass(1_500);
    assert_eq!(ups(&effects), [Up::Resync]);
    bench.full(1, vec![row(1)]);
    assert_eq!(bench.board.model.len(), 1);
}

#[test]
fn h8_a_denial_is_said_and_a_key_asks_again() {
    let (mut bench, _) = Bench::loaded();
    bench.on(Input::PermissionDenied);
    let text = bench.text(24, 80);
    for words in ["permissions were denied", "host-runner ls", "Press Enter to be asked again"] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(bench.char('i'), [], "only Enter asks");
    assert_eq!(bench.key(KeyCode::Enter), [Effect::RequestPermissions, Effect::Render]);
    bench.on(grant(1, None));
    assert!(bench.text(24, 80).contains("Connecting to the board…"));
    bench.opens_up();
    bench.full(1, vec![row(1)]);
    assert!(bench.text(24, 80).contains("task-1"));
}

#[test]
fn h8_a_grant_that_is_taken_back_and_returns_fetches_again() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.on(Input::PermissionDenied);
    assert!(bench.text(24, 80).contains("permissions were denied"));
    bench.delta(1, vec![row(2)], &[]);
    let effects = bench.on(grant(1, None));
    assert!(matches!(ups(&effects).as_slice(), [Up::Hello(_)]));
    assert!(bench.text(24, 80).contains("task-1"), "the last known rows");
    assert_eq!(ups(&bench.pass(1_200)), [Up::Resync], "nothing came: it is asked for");
    bench.full(2, vec![row(1), row(2)]);
    assert!(bench.text(24, 80).contains("task-2"));
}

// Field report H4: an instance in the background cannot be asked; it must stay harmless and work once it is allowed.
#[test]
fn h4_a_late_grant_works() {
    let (mut bench, _) = Bench::loaded();
    bench.on(Input::Visible(Visibility::Hidden));
    assert_inert(&bench.pass(3_600_000));
    bench.on(Input::Visible(Visibility::Shown));
    bench.wait(3_600_000);
    bench.on(grant(1, None));
    bench.opens_up();
    bench.full(1, vec![row(1)]);
    assert!(bench.text(24, 80).contains("task-1"));
}

// Decision 6: in a session that our layout did not start, Locked mode keeps Ctrl+G until the plugin frees it.
#[test]
fn ctrl_g_is_freed_once_and_only_after_the_grant() {
    let (mut bench, _) = Bench::loaded();
    assert_inert(&bench.on(keybinds(&[CTRL_G])));
    let effects = bench.on(grant(1, None));
    assert!(effects.contains(&Effect::Reconfigure(FREE_CTRL_G.into())), "{effects:?}");
    assert_eq!(bench.on(keybinds(&[CTRL_G])), [], "a configuration that insists is left alone");
    bench.on(keybinds(&[]));
    let effects = bench.on(keybinds(&[CTRL_G]));
    assert_eq!(effects, [Effect::Reconfigure(FREE_CTRL_G.into())], "bound again later: freed again");
    assert!(
        !Bench::granted()
            .on(keybinds(&[]))
            .iter()
            .any(|effect| *effect == Effect::Reconfigure(FREE_CTRL_G.into()))
    );
}
