//! Plugin and runner of different builds, links of foreign protocols (field report H16).

use crate::{
    effect::Effect,
    input::{Input, KeyCode},
    machine::samples::{Bench, grant, link_hello, row, ups},
};
use board_protocol::{
    hello::{BOARD_PROTOCOL, Versions},
    pipe::{Down, LinkHello, Up},
};

fn newer() -> LinkHello {
    LinkHello { build: "0.2.0".into(), plugin_build: "0.2.0".into(), ..link_hello() }
}

fn reloads(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::ReloadSelf { .. })).count()
}

#[test]
fn h16_another_plugin_file_is_loaded_once() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    let effects = bench.down(Down::Hello(newer()));
    assert!(effects.contains(&Effect::ReloadSelf { wanted_build: "0.2.0".into() }));
    assert_eq!(reloads(&bench.down(Down::Hello(newer()))), 0, "once, however often the link says it");
    bench.char('x');
    bench.yes();
    assert!(bench.notice().contains("being renewed"), "{}", bench.notice());
}

#[test]
fn h16_still_older_after_the_reload_is_said_and_read_only() {
    let (mut bench, _) = Bench::loaded();
    bench.on(grant(1, Some("0.2.0")));
    bench.opens_up();
    let effects = bench.down(Down::Hello(newer()));
    assert_eq!(reloads(&effects), 0, "never a second time");
    bench.full(1, vec![row(1)]);
    let text = bench.text(24, 100);
    assert!(text.contains("plugin 0.1.0, runner 0.2.0: restart the board"), "{text}");
    assert!(text.contains("read-only") && text.contains("task-1"), "{text}");
    bench.char('s');
    let effects = bench.yes();
    assert_eq!(ups(&effects), []);
    assert!(bench.notice().starts_with("Read-only: plugin 0.1.0"), "{}", bench.notice());
    bench.char('i');
    bench.type_text("make");
    assert_eq!(ups(&bench.key(KeyCode::Enter)), []);
    assert_eq!(bench.board.editor.text(), "make", "the text is not lost");
    bench.key(KeyCode::Esc);
    let effects = bench.key(KeyCode::Enter);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::OpenAttachTab(_))));
    assert_eq!(ups(&bench.down(Down::Ping { number: 4 })), [Up::Alive { number: 4 }]);
}

#[test]
fn h16_a_reload_for_an_earlier_build_does_not_forbid_this_one() {
    let (mut bench, _) = Bench::loaded();
    bench.on(grant(1, Some("0.1.5")));
    bench.opens_up();
    assert_eq!(reloads(&bench.down(Down::Hello(newer()))), 1);
}

#[test]
fn h16_a_reload_that_cannot_be_remembered_is_not_done() {
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.down(Down::Hello(newer()));
    bench.on(Input::ReloadImpossible);
    assert!(bench.text(24, 100).contains("plugin 0.1.0, runner 0.2.0: restart the board"));
}

#[test]
fn a_foreign_protocol_is_said_and_a_fitting_link_recovers() {
    let next = BOARD_PROTOCOL.newest + 1;
    for versions in [Versions { oldest: 0, newest: 0 }, Versions { oldest: next, newest: next + 5 }] {
        let mut bench = Bench::with_rows(vec![row(1)]);
        bench.down(Down::Hello(LinkHello { versions, build: "9.0".into(), ..link_hello() }));
        bench.full(2, vec![row(2)]);
        let text = bench.text(24, 100);
        assert!(text.contains("plugin 0.1.0, runner 9.0: restart the board"), "{text}");
        assert!(
            text.contains("task-1") && !text.contains("task-2"),
            "what it says about sessions is not taken"
        );
        bench.hello();
        bench.full(3, vec![row(3)]);
        let text = bench.text(24, 100);
        assert!(text.contains("task-3") && text.contains("connected"), "{text}");
    }
}

#[test]
fn a_hello_whose_other_fields_are_unknown_is_still_understood() {
    let mut bench = Bench::linked();
    let line = r#"{"up":"up-9","link":"future","shiny":1,"down":{"hello":{"versions":{"oldest":7,"newest":8},"build":"7.0","colours":["x"]}}}"#;
    bench.raw_down(line);
    assert!(bench.text(24, 100).contains("plugin 0.1.0, runner 7.0: restart the board"));
}
