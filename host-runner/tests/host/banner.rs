//! The banner above a terminal that its agent waits for: a real host, a real agent's connection, a real client in a terminal
//! of the test's own (reference G.3).

use crate::support::{
    Agent, Board, FakeDaemon, Host, SIZE, SIZE_REPORTER,
    agent::{found, terminal},
    pane::Pane,
};
use board_protocol::{ids::Size, terminals::WaitEnd};

struct Scene {
    _board: Board,
    _daemon: FakeDaemon,
    host: Host,
    pane: Pane,
    agent: Agent,
}

/// A terminal that runs this, its agent, and a pane that shows it.
fn scene(script: &str, arguments: &[&str]) -> Scene {
    let board = Board::new();
    let mut daemon = FakeDaemon::start(&board.root);
    let host = terminal(&board, script);
    daemon.wait_for_child();
    let session = host.session().to_string();
    let pane = Pane::open(&board, SIZE, &[&["attach", &session][..], arguments].concat());
    let agent = Agent::connect(&host);
    Scene { _board: board, _daemon: daemon, host, pane, agent }
}

fn first_row(pane: &Pane) -> String {
    pane.screen.screen().rows(0, SIZE.cols).next().unwrap_or_default().trim().to_owned()
}

fn skipped(end: WaitEnd) -> String {
    match end {
        WaitEnd::Skipped { needle } => needle,
        other => panic!("not skipped: {other:?}"),
    }
}

#[test]
fn g3_a_wait_is_shown_above_its_terminal_and_skipped_by_its_key() {
    let script = r#"stty -echo; echo up; while read -r line; do echo "got <$line>" | tr '\033' E; done"#;
    let mut scene = scene(script, &[]);
    let Scene { pane, agent, .. } = &mut scene;
    pane.wait_for("up");
    let first = agent.wait_for("first [n]eedle");
    pane.wait_for("Agent is waiting for first [n]eedle");
    assert!(first_row(pane).ends_with("Skip (Alt+w)"), "{}", first_row(pane));
    let cell = pane.screen.screen().cell(0, 40).unwrap();
    assert!(cell.inverse() && cell.fgcolor() == vt100::Color::Idx(3), "the terminal's own yellow");
    // The newest of several is shown.
    let second = agent.wait_for("second");
    pane.wait_for("Agent is waiting for second (and 1 more)");
    // What is typed arrives, and the key itself does not.
    pane.type_in(b"typed\x1bw more\r");
    pane.wait_for("got <typed more>");
    assert_eq!(skipped(agent.end(first)), "first [n]eedle");
    assert_eq!(skipped(agent.end(second)), "second");
    pane.wait_until("the banner goes", |pane| !pane.contents().contains("Agent is waiting"));
    // Now the same key is the program's.
    pane.type_in(b"\x1bw\r");
    pane.wait_for("got <Ew>");
    assert!(pane.contents().starts_with("up\n"), "{}", pane.contents());
}

#[test]
fn g3_the_terminal_keeps_its_size_and_a_new_pane_shows_the_banner_from_the_start() {
    let script = format!("echo up; read -r x; echo first $(stty size); exec perl -e '{SIZE_REPORTER}'");
    let mut scene = scene(&script, &[]);
    scene.pane.wait_for("up");
    scene.pane.type_in(b"\r");
    scene.pane.wait_for(&format!("first {} {}", SIZE.rows, SIZE.cols));
    scene.pane.wait_for("ready");
    let id = scene.agent.wait_for("never");
    scene.pane.wait_for("Agent is waiting for never");
    let session = scene.host.session().to_string();
    let mut second = Pane::open(&scene._board, SIZE, &["attach", &session, "--read-only"]);
    second.wait_for("Agent is waiting for never");
    assert!(!second.contents().contains("Skip"), "who only looks skips nothing");
    second.type_in(b"\x1bw");
    scene.pane.type_in(b"\x1b[119;3u");
    assert_eq!(skipped(scene.agent.end(id)), "never");
    for pane in [&mut scene.pane, &mut second] {
        pane.wait_until("the banner goes", |pane| !pane.contents().contains("Agent is waiting"));
        assert!(!pane.contents().contains("size "), "{}", pane.contents());
    }
}

#[test]
fn g3_no_byte_of_a_program_touches_the_banner() {
    let script = r"stty -echo; while read -r _; do
        printf '\033[?1049h\033[H\033[2J\033[1;1HAgent is waiting for lies\033[r\033[1;2r\033[1;1H\033M\033M\033[5T'
        printf '\033[?1h\033[?2004hdrawn'; done";
    let mut scene = scene(script, &[]);
    let Scene { pane, agent, .. } = &mut scene;
    let id = agent.wait_for("the truth");
    pane.wait_for("Agent is waiting for the truth");
    for _ in 0..20 {
        pane.type_in(b"\r");
    }
    pane.wait_until("the program drew", |pane| pane.contents().contains("drawn"));
    assert!(first_row(pane).starts_with("Agent is waiting for the truth"), "{}", pane.contents());
    // What the program asks of the keyboard holds all the same.
    pane.wait_until("keys are as the program wants them", |pane| {
        pane.screen.screen().application_cursor() && pane.screen.screen().bracketed_paste()
    });
    pane.type_in(b"\x1bw");
    assert_eq!(skipped(agent.end(id)), "the truth");
    pane.wait_until("the program has the whole pane", |pane| {
        pane.screen.screen().alternate_screen() && !pane.contents().contains("the truth")
    });
}

#[test]
fn g3_a_click_on_the_key_skips_where_the_session_has_the_mouse() {
    let script = r"stty raw -echo; printf '\033[?1000h\033[?1006hup'; head -c 10 | tr '\033' E; exec cat";
    let mut scene = scene(script, &[]);
    let Scene { pane, agent, .. } = &mut scene;
    pane.wait_for("up");
    let id = agent.wait_for("never");
    pane.wait_for("Agent is waiting for never");
    pane.wait_until("the mouse is on", |pane| {
        pane.screen.screen().mouse_protocol_mode() == vt100::MouseProtocolMode::PressRelease
    });
    // In the session's own row: as the program would have got it, in a pane of its own.
    pane.type_in(b"\x1b[<0;30;3M");
    pane.wait_for("E[<0;30;2M");
    let column = first_row(pane).find("Skip").unwrap() + 3;
    pane.type_in(format!("\x1b[<0;{column};1M\x1b[<0;{column};1m").as_bytes());
    assert_eq!(skipped(agent.end(id)), "never");
    pane.wait_until("the banner goes", |pane| !pane.contents().contains("Agent is waiting"));
    assert_eq!(pane.contents().trim(), "upE[<0;30;2M", "nothing of the click reached the program");
}

#[test]
fn g3_the_banner_goes_when_what_is_waited_for_appears() {
    let mut scene = scene("stty -echo; read -r line; echo \"here is $line\"; read -r line", &[]);
    let Scene { pane, agent, .. } = &mut scene;
    let id = agent.wait_for("here is (.*)");
    pane.wait_for("Agent is waiting for here is (.*)");
    pane.resize(Size { cols: 100, rows: 20 });
    pane.wait_until("the banner has the new width", |pane| {
        pane.screen.screen().rows(0, 100).next().is_some_and(|row| row.trim_end().len() > 95)
    });
    pane.type_in(b"it\r");
    assert_eq!(found(agent.end(id)).2, "here is it");
    pane.wait_until("the banner goes", |pane| {
        pane.contents().contains("here is it") && !pane.contents().contains("Agent is waiting")
    });
}
